// SPDX-License-Identifier: BSD-3-Clause
/** Cells that are copied unchanged from the input to the output, with the points that they use. */
#ifndef TesseraPassThrough_h
#define TesseraPassThrough_h

#include "frame/data/TesseraArrays.h"

#include <vtkIdList.h>
#include <vtkNew.h>

#include <cstdint>
#include <vector>

namespace tessera {

class PassThrough {
public:
  /** Their places in a vtkPolyData. */
  enum Slot { VERTS = 0, POLYS, STRIPS };

  PassThrough() = default;
  ~PassThrough() { tsr_pass_free(this->Core); }
  PassThrough(const PassThrough &) = delete;
  PassThrough &operator=(const PassThrough &) = delete;

  /** Adds all cells. firstId: number of the first of them in the input dataset. */
  void AddAll(Slot slot, vtkCellArray *cells, vtkIdType firstId);

  /** Adds the cells that are chosen; `cells` must outlive this object. */
  void AddChosen(Slot slot, const IndexView &cells, std::vector<std::uint8_t> chosen);

  /** Numbers the points in use, in the order of the input. To be called after the last cells are
   * added. Cells with point ids out of range are left out. points: the input points if they will be
   * stored in single precision; cells with points outside its range are then left out, too.
   * Otherwise absent. */
  void Finish(vtkIdType numberOfPoints, const tsr_array &points);

  const tsr_pass_sizes &Sizes() const { return *tsr_pass_get_sizes(this->Core); }

  /** The input points in use. */
  vtkIdList *Points() const { return this->Used; }

  /** The input cell of each cell of a slot. */
  std::vector<vtkIdType> CellIds(Slot slot) const;

  /** The cells of a slot, their points numbered from `firstPoint` on; NULL if there are none. */
  vtkSmartPointer<vtkCellArray> NewCells(Slot slot, vtkIdType firstPoint) const;

private:
  void SetList(Slot slot, const IndexView &cells, vtkIdType firstId);

  IndexView Lists[TSR_PASS_LISTS];
  std::vector<std::uint8_t> Chosen;
  tsr_pass_view View = {};
  tsr_pass *Core = nullptr;
  vtkNew<vtkIdList> Used;
};

} // namespace tessera

#endif
