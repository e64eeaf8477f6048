// SPDX-License-Identifier: BSD-3-Clause
#include "frame/data/TesseraPieces.h"

#include "frame/data/TesseraMemory.h"

#include <vtkCellArray.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkStreamingDemandDrivenPipeline.h>

namespace tessera {

Share ShareOfPiece(vtkInformation *output, vtkIdType items) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  const vtkIdType pieces = output->Has(Pipeline::UPDATE_NUMBER_OF_PIECES())
                               ? output->Get(Pipeline::UPDATE_NUMBER_OF_PIECES())
                               : 1;
  const vtkIdType piece = output->Has(Pipeline::UPDATE_PIECE_NUMBER())
                              ? output->Get(Pipeline::UPDATE_PIECE_NUMBER())
                              : 0;
  if (pieces < 1 || piece < 0 || piece >= pieces) {
    return {0, 0};
  }
  // The first pieces have one item more; nothing is multiplied, so nothing overflows.
  const vtkIdType each = items / pieces, more = items % pieces;
  const vtkIdType first = each * piece + (piece < more ? piece : more);
  return {first, first + each + (piece < more ? 1 : 0)};
}

vtkSmartPointer<vtkCellArray> ConsecutiveCells(vtkIdType cells, vtkIdType size) {
  vtkNew<vtkIdTypeArray> offsets, ids;
  AllocateTuples(offsets, cells + 1);
  AllocateTuples(ids, cells * size);
  for (vtkIdType cell = 0; cell <= cells; ++cell) {
    offsets->SetValue(cell, cell * size);
  }
  for (vtkIdType id = 0; id < cells * size; ++id) {
    ids->SetValue(id, id);
  }
  auto array = vtkSmartPointer<vtkCellArray>::New();
  array->SetData(offsets, ids);
  return array;
}

} // namespace tessera
