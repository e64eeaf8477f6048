// SPDX-License-Identifier: BSD-3-Clause
/** Sources of numbered items, of which each process makes a share. */
#ifndef TesseraPieces_h
#define TesseraPieces_h

#include <vtkSmartPointer.h>
#include <vtkType.h>

class vtkCellArray;
class vtkInformation;

namespace tessera {

/** Items [First, Last) of those in all. */
struct Share {
  vtkIdType First, Last;
  vtkIdType Count() const { return this->Last - this->First; }
};

/** The share of `items` that the pipeline asks for. */
Share ShareOfPiece(vtkInformation *output, vtkIdType items);

/** So many cells of `size` points each, one cell's points after the other's. */
vtkSmartPointer<vtkCellArray> ConsecutiveCells(vtkIdType cells, vtkIdType size);

} // namespace tessera

#endif
