// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraPassThrough.h"

#include <vtkCellArray.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>
#include <new>
#include <utility>

namespace tessera {

void PassThrough::SetList(Slot slot, const IndexView &cells, vtkIdType firstId) {
  tsr_pass_list &list = this->View.lists[slot];
  cells.Describe(list);
  list.first_cell = firstId;
}

void PassThrough::AddAll(Slot slot, vtkCellArray *cells, vtkIdType firstId) {
  this->Lists[slot].Set(cells);
  this->SetList(slot, this->Lists[slot], firstId);
}

void PassThrough::AddChosen(Slot slot, const IndexView &cells, std::vector<std::uint8_t> chosen) {
  this->Chosen = std::move(chosen);
  this->SetList(slot, cells, 0);
  this->View.lists[slot].chosen = this->Chosen.data();
}

void PassThrough::Finish(vtkIdType numberOfPoints, const tsr_array &points) {
  this->View.n_points = numberOfPoints;
  this->View.points = points;
  if (tsr_pass_create(&this->View, &this->Core, nullptr) != TSR_OK) {
    throw std::bad_alloc();
  }
  const int64_t *used = tsr_pass_points(this->Core);
  this->Used->SetNumberOfIds(this->Sizes().points);
  std::copy_n(used, this->Sizes().points, this->Used->GetPointer(0));
}

std::vector<vtkIdType> PassThrough::CellIds(Slot slot) const {
  const int64_t *cells = tsr_pass_cells(this->Core, slot);
  return std::vector<vtkIdType>(cells, cells + this->Sizes().cells[slot]);
}

vtkSmartPointer<vtkCellArray> PassThrough::NewCells(Slot slot, vtkIdType firstPoint) const {
  if (this->Sizes().cells[slot] == 0) {
    return nullptr;
  }
  vtkNew<vtkTypeInt64Array> offsets, connectivity;
  AllocateTuples(offsets, this->Sizes().cells[slot] + 1);
  AllocateTuples(connectivity, this->Sizes().connectivity[slot]);
  tsr_pass_fill(this->Core, slot, firstPoint, reinterpret_cast<int64_t *>(offsets->GetPointer(0)),
                reinterpret_cast<int64_t *>(connectivity->GetPointer(0)));
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, connectivity);
  return cells;
}

} // namespace tessera
