// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraPassThrough.h"

#include <vtkCellArray.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {

namespace {

void Count(tsr_note_count &note, vtkIdType cell) {
  note.first = note.count == 0 ? cell : note.first;
  ++note.count;
}

} // namespace

PassThrough::PassThrough(vtkPointSet *input, bool single)
    : NumberOfPoints(input->GetNumberOfPoints()) {
  if (single && input->GetPoints() && input->GetPoints()->GetDataType() == VTK_DOUBLE) {
    this->Coordinates = input->GetPoints()->GetData();
  }
}

bool PassThrough::FitsSingle(vtkIdType point) const {
  const double most = std::numeric_limits<float>::max();
  bool fits = true;
  for (int axis = 0; this->Coordinates && axis < 3; ++axis) {
    const double x = this->Coordinates->GetComponent(point, axis);
    fits =
        fits && (std::fabs(x) <= most || !std::isfinite(x)); // others are no worse than they were
  }
  return fits;
}

void PassThrough::Add(Slot slot, const IndexView &cells, vtkIdType i, vtkIdType cellId) {
  const vtkIdType begin = cells.Offset(i);
  const vtkIdType end = cells.Offset(i + 1);
  bool good = 0 <= begin && begin <= end && end <= cells.NumberOfIds();
  for (vtkIdType k = begin; good && k < end; ++k) {
    good = 0 <= cells.Id(k) && cells.Id(k) < this->NumberOfPoints;
  }
  if (!good) {
    Count(this->BadCells, cellId);
    return;
  }
  bool fits = true;
  for (vtkIdType k = begin; fits && k < end; ++k) {
    fits = this->FitsSingle(cells.Id(k));
  }
  if (!fits) {
    Count(this->TooLargeCells, cellId);
    return;
  }
  CellList &list = this->Cells[slot];
  list.Source.push_back(cellId);
  list.Offsets.push_back(static_cast<vtkIdType>(list.Ids.size()));
  for (vtkIdType k = begin; k < end; ++k) {
    list.Ids.push_back(cells.Id(k));
  }
}

void PassThrough::AddAll(Slot slot, vtkCellArray *cells, vtkIdType firstId) {
  IndexView view;
  view.Set(cells);
  for (vtkIdType i = 0; i < view.NumberOfCells(); ++i) {
    this->Add(slot, view, i, firstId + i);
  }
}

void PassThrough::Finish() {
  size_t ids = 0;
  for (CellList &list : this->Cells) {
    list.Offsets.push_back(static_cast<vtkIdType>(list.Ids.size()));
    ids += list.Ids.size();
  }
  if (ids == 0) {
    return;
  }
  this->NewIds.assign(static_cast<size_t>(this->NumberOfPoints), -1);
  for (const CellList &list : this->Cells) {
    for (const vtkIdType id : list.Ids) {
      this->NewIds[static_cast<size_t>(id)] = 0;
    }
  }
  for (vtkIdType id = 0; id < this->NumberOfPoints; ++id) {
    vtkIdType &newId = this->NewIds[static_cast<size_t>(id)];
    newId = newId < 0 ? newId : this->Used->InsertNextId(id);
  }
}

vtkSmartPointer<vtkCellArray> PassThrough::NewCells(Slot slot, vtkIdType firstPoint) const {
  const CellList &list = this->Cells[slot];
  if (list.Source.empty()) {
    return nullptr;
  }
  vtkNew<vtkTypeInt64Array> offsets, connectivity;
  AllocateTuples(offsets, static_cast<vtkIdType>(list.Offsets.size()));
  std::copy(list.Offsets.begin(), list.Offsets.end(), offsets->GetPointer(0));
  AllocateTuples(connectivity, static_cast<vtkIdType>(list.Ids.size()));
  std::transform(list.Ids.begin(), list.Ids.end(), connectivity->GetPointer(0),
                 [&](vtkIdType id) { return firstPoint + this->NewIds[static_cast<size_t>(id)]; });
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, connectivity);
  return cells;
}

} // namespace tessera
