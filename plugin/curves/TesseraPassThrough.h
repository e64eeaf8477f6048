// SPDX-License-Identifier: BSD-3-Clause
/** Cells that go from the input to the output as they are, with the points that they use. */
#ifndef TesseraPassThrough_h
#define TesseraPassThrough_h

#include "frame/TesseraArrays.h"

#include <vtkIdList.h>
#include <vtkNew.h>

#include <vector>

class vtkPointSet;

namespace tessera {

class PassThrough {
public:
  /** Their places in a vtkPolyData. */
  enum Slot { VERTS = 0, POLYS, STRIPS, SLOTS };

  /** single: its points will be stored in single precision. */
  PassThrough(vtkPointSet *input, bool single);

  /** Takes cell `i` of `cells`, which is cell `cellId` of the input dataset. One with point ids out
   *  of range, or with a point that single precision cannot hold, is left out and counted. */
  void Add(Slot slot, const IndexView &cells, vtkIdType i, vtkIdType cellId);

  /** Takes all cells; they are the cells from `firstId` on of the input dataset. */
  void AddAll(Slot slot, vtkCellArray *cells, vtkIdType firstId);

  /** Numbers the points in use, in the input's order. To be called after the last Add. */
  void Finish();

  /** The input points in use. */
  vtkIdList *Points() const { return this->Used; }

  /** The input cell of each cell of a slot. */
  const std::vector<vtkIdType> &CellIds(Slot slot) const { return this->Cells[slot].Source; }

  /** The cells of a slot, their points numbered from `firstPoint` on; NULL if there are none. */
  vtkSmartPointer<vtkCellArray> NewCells(Slot slot, vtkIdType firstPoint) const;

  tsr_note_count Bad() const { return this->BadCells; }
  tsr_note_count TooLarge() const { return this->TooLargeCells; }

private:
  bool FitsSingle(vtkIdType point) const;

  struct CellList {
    std::vector<vtkIdType> Source, Offsets, Ids;
  };
  CellList Cells[SLOTS];
  vtkIdType NumberOfPoints;
  vtkDataArray *Coordinates = nullptr; /**< where they have to fit single precision */
  std::vector<vtkIdType> NewIds;
  vtkNew<vtkIdList> Used;
  tsr_note_count BadCells = {0, -1};
  tsr_note_count TooLargeCells = {0, -1};
};

} // namespace tessera

#endif
