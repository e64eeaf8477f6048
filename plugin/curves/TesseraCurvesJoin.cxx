// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesJoin.h"

#include "curves/TesseraCurvesFields.h"

#include <vtkAbstractArray.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>

#include <list>
#include <string>

namespace tessera {

namespace {

/** Does an array only number the cells, so that all of its values differ? */
bool IsNumber(vtkDataSetAttributes *data, vtkAbstractArray *array) {
  return array == data->GetGlobalIds() || array == data->GetPedigreeIds() ||
         (array->GetName() && std::string(array->GetName()) == "vtkOriginalCellIds");
}

} // namespace

CurvesJoin::CurvesJoin() : Result() {}

CurvesJoin::~CurvesJoin() { tsr_join_free(&this->Result); }

bool CurvesJoin::Make(const IndexView &cells, vtkIdType points, const std::vector<uint8_t> &roles,
                      vtkDataSetAttributes *data, vtkIdType firstCell, tsr_error &error) {
  std::list<ArrayView> views;
  std::list<std::vector<int64_t>> codes;
  std::vector<tsr_array> labels;
  std::vector<std::string> names;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    if (IsNumber(data, array) || array->GetNumberOfTuples() < firstCell + cells.NumberOfCells()) {
      continue;
    }
    names.push_back(NameOf(array));
    views.emplace_back();
    if (views.back().Set(vtkDataArray::SafeDownCast(array))) {
      labels.push_back(views.back().Get());
    } else {
      codes.push_back(LabelCodes(array));
      labels.push_back({codes.back().data(), TSR_INT64, array->GetNumberOfComponents(),
                        array->GetNumberOfTuples()});
    }
  }
  tsr_join_view view = {};
  cells.Describe(view);
  view.n_points = points;
  view.roles = roles.empty() ? nullptr : roles.data();
  view.labels = labels.data();
  view.n_labels = static_cast<int>(labels.size());
  view.first_cell = firstCell;
  std::vector<int64_t> apart(labels.size());
  view.n_apart = apart.data();
  if (tsr_join_lines(&view, &this->Result, &error) != TSR_OK) {
    return false;
  }
  for (size_t label = 0; label < names.size(); ++label) {
    this->KeptApart.Add(names[label], apart[label]);
  }
  return true;
}

} // namespace tessera
