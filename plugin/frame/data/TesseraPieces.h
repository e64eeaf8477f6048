// SPDX-License-Identifier: BSD-3-Clause
/** Sources of numbered items, of which each process makes a share. */
#ifndef TesseraPieces_h
#define TesseraPieces_h

#include <vtkSmartPointer.h>
#include <vtkType.h>

class vtkCellArray;
class vtkInformation;

namespace tessera {

/** The items [First, Last) that this process makes. */
struct Share {
  vtkIdType First, Last;
  vtkIdType Count() const { return this->Last - this->First; }
};

/** The share of `items` that the pipeline asks for. */
Share ShareOfPiece(vtkInformation *output, vtkIdType items);

/** `cells` cells of `size` points each. Cell i has the points i * size to (i + 1) * size - 1. */
vtkSmartPointer<vtkCellArray> ConsecutiveCells(vtkIdType cells, vtkIdType size);

} // namespace tessera

#endif
