// SPDX-License-Identifier: BSD-3-Clause
#include "ordering/TesseraOrderingOutput.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt64Array.h>

namespace tessera {

static_assert(sizeof(vtkIdType) == sizeof(int64_t), "VTK has to be built with 64-bit ids");

const char *const ORDERING_NUMBER = "Tessera Number";
const char *const ORDERING_INDEX = "Tessera Index";

namespace {

vtkSmartPointer<vtkTypeInt64Array> NewIds(vtkIdType count, Writer writer) {
  auto ids = vtkSmartPointer<vtkTypeInt64Array>::New();
  AllocateTuples(ids, count, writer);
  return ids;
}

int64_t *Pointer(vtkTypeInt64Array *ids) { return static_cast<int64_t *>(ids->GetVoidPointer(0)); }

int64_t *Pointer(vtkIdList *ids, vtkIdType count) {
  ids->SetNumberOfIds(count);
  return reinterpret_cast<int64_t *>(ids->GetPointer(0));
}

bool IsHidden(const std::string &name) { return name == ORDERING_NUMBER || name == ORDERING_INDEX; }

} // namespace

OrderingOutput::OrderingOutput(OrderingPoints &points, tsr_ordering_plan *plan,
                               const std::string &group, const std::string &order,
                               WarningList &messages)
    : Points(points), Plan(plan), Sizes(*tsr_ordering_plan_sizes(plan)), Group(group), Order(order),
      Messages(messages), Result(vtkSmartPointer<vtkPolyData>::New()) {
  tsr_ordering_output_init(&this->Core);
  tsr_report report;
  tsr_ordering_plan_report(plan, &report);
  this->Filler = WriterOf(report);
}

double OrderingOutput::Bytes(const OrderingPoints &points, const tsr_ordering_sizes &sizes) {
  const double perId = sizeof(vtkIdType);
  // A place in the connectivity, and the point's place and arrays.
  double perPoint = perId;
  if (points.Places) {
    perPoint += 3.0 * points.Places->GetDataTypeSize();
  }
  for (const OrderingColumn &column : points.Columns) {
    if (!IsHidden(column.Values->GetName())) {
      perPoint += column.Values->GetNumberOfComponents() *
                  static_cast<double>(column.Values->GetDataTypeSize());
    }
  }
  // An offset, Length, Group, FirstOrder and LastOrder.
  const double cells = static_cast<double>(sizes.verts + sizes.lines);
  return static_cast<double>(sizes.points) * perPoint + cells * 5.0 * perId;
}

vtkSmartPointer<vtkPolyData> OrderingOutput::Fill(tsr_error &error) {
  vtkNew<vtkDoubleArray> length;
  length->SetName("Length");
  AllocateTuples(length, this->Sizes.verts + this->Sizes.lines, this->Filler);
  this->Core.length = length->GetPointer(0);
  this->MakeCells();
  bool texts = false;
  for (const OrderingColumn &column : this->Points.Columns) {
    ArrayView view;
    texts = texts || !view.Set(vtkDataArray::SafeDownCast(column.Values));
  }
  if (texts) {
    this->Core.point_ids = Pointer(this->PointIds, this->Sizes.points);
  }
  if (tsr_ordering_fill(this->Plan, &this->Core, &error) != TSR_OK) {
    return nullptr;
  }
  this->AddCellArrays();
  this->Result->GetCellData()->AddArray(length);
  for (OrderingColumn &column : this->Points.Columns) {
    if (!this->FillColumn(column, error)) {
      return nullptr;
    }
  }
  return this->Result;
}

void OrderingOutput::MakeCells() {
  vtkNew<vtkPoints> points;
  auto places = NewArrayLike(this->Points.Places, this->Sizes.points, this->Filler);
  points->SetData(vtkDataArray::SafeDownCast(places));
  this->Core.points = places->GetVoidPointer(0);
  this->Result->SetPoints(points);
  const auto vertOffsets = NewIds(this->Sizes.verts + 1, this->Filler);
  const auto verts = NewIds(this->Sizes.verts, this->Filler);
  const auto lineOffsets = NewIds(this->Sizes.lines + 1, this->Filler);
  const auto lines = NewIds(this->Sizes.points - this->Sizes.verts, this->Filler);
  this->Core.vert_offsets = Pointer(vertOffsets);
  this->Core.vert_connectivity = Pointer(verts);
  this->Core.line_offsets = Pointer(lineOffsets);
  this->Core.line_connectivity = Pointer(lines);
  const vtkIdType cells = this->Sizes.verts + this->Sizes.lines;
  this->Core.first_ids = Pointer(this->FirstIds, cells);
  this->Core.last_ids = Pointer(this->LastIds, cells);
  vtkNew<vtkCellArray> vertCells, lineCells;
  vertCells->SetData(vertOffsets, verts);
  lineCells->SetData(lineOffsets, lines);
  this->Result->SetVerts(vertCells);
  this->Result->SetLines(lineCells);
}

void OrderingOutput::AddCellArrays() {
  if (!this->Group.empty()) {
    this->AddCellArray("Group", this->Points.Find(this->Group), this->FirstIds);
  }
  this->AddOrderArray("FirstOrder", this->FirstIds);
  this->AddOrderArray("LastOrder", this->LastIds);
}

void OrderingOutput::AddCellArray(const char *name, vtkAbstractArray *like, vtkIdList *ids) {
  auto array = NewArrayLike(like, ids->GetNumberOfIds());
  array->SetName(name);
  if (ids->GetNumberOfIds() > 0) {
    array->InsertTuplesStartingAt(0, ids, like);
  }
  this->Result->GetCellData()->AddArray(array);
}

void OrderingOutput::AddOrderArray(const char *name, vtkIdList *ids) {
  if (!this->Order.empty()) {
    this->AddCellArray(name, this->Points.Find(this->Order), ids);
    return;
  }
  vtkNew<vtkIdTypeArray> array;
  array->SetName(name);
  array->SetNumberOfValues(ids->GetNumberOfIds());
  for (vtkIdType i = 0; i < ids->GetNumberOfIds(); ++i) {
    array->SetValue(i, ids->GetId(i));
  }
  this->Result->GetCellData()->AddArray(array);
}

bool OrderingOutput::FillColumn(OrderingColumn &column, tsr_error &error) {
  const vtkSmartPointer<vtkAbstractArray> from = column.Values;
  column.Values = nullptr; // the memory is freed with the last one that holds it
  if (IsHidden(from->GetName())) {
    return true;
  }
  auto to = NewArrayLike(from, this->Sizes.points, this->Filler);
  ArrayView view;
  if (view.Set(vtkDataArray::SafeDownCast(from))) {
    const tsr_ordering_attribute attribute = {view.Get(), to->GetVoidPointer(0), TSR_AT_POINTS};
    tsr_ordering_output_init(&this->Core);
    this->Core.attributes = &attribute;
    this->Core.n_attributes = this->Sizes.points > 0 ? 1 : 0;
    if (tsr_ordering_fill(this->Plan, &this->Core, &error) != TSR_OK) {
      return false;
    }
  } else if (this->Sizes.points > 0) {
    to->InsertTuplesStartingAt(0, this->PointIds, from);
  }
  vtkPointData *data = this->Result->GetPointData();
  data->AddArray(to);
  SetRoles(data, to->GetName(), column.Roles);
  return true;
}

} // namespace tessera
