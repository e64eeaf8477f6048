// SPDX-License-Identifier: BSD-3-Clause
#include "discs/TesseraDiscsInput.h"

#include "frame/report/TesseraNotes.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>

#include <cmath>
#include <cstdio>
#include <limits>

namespace tessera {

namespace {

/** Number of components of a field when the values of several datasets are joined. */
const int COMPONENTS[DISCS_FIELDS] = {3, 1, 4, 1, 1, 1};

/** What the user chooses the array of a field by. */
const char *const PROPERTIES[DISCS_FIELDS] = {
    "", "Radius Array", "Color Array", "Color Array", "Opacity Array", "Order Array"};

/** The points to draw: all but duplicates of points of other processes. */
std::vector<vtkIdType> OwnPoints(vtkPointSet *dataset) {
  const std::vector<std::uint8_t> skipped =
      Flagged(dataset->GetPointData(), dataset->GetNumberOfPoints(),
              vtkDataSetAttributes::DUPLICATEPOINT | vtkDataSetAttributes::HIDDENPOINT);
  std::vector<vtkIdType> points;
  for (vtkIdType i = 0; i < dataset->GetNumberOfPoints(); ++i) {
    if (skipped.empty() || !skipped[static_cast<size_t>(i)]) {
      points.push_back(i);
    }
  }
  return points;
}

/** The value of a tuple; its magnitude if it has several components. */
double Scalar(vtkDataArray *array, vtkIdType i) {
  const int components = array->GetNumberOfComponents();
  if (components == 1) {
    return array->GetComponent(i, 0);
  }
  double square = 0.0;
  for (int c = 0; c < components; ++c) {
    square += array->GetComponent(i, c) * array->GetComponent(i, c);
  }
  return std::sqrt(square);
}

} // namespace

DiscsInput::DiscsInput(const DiscsSettings &settings) : Settings(settings) {
  tsr_discs_view_init(&this->CoreView);
  this->Names[DISCS_RADII] = settings.RadiusArray;
  this->Names[settings.color_mode == TSR_DISCS_COLOR_ARRAY ? DISCS_COLORS : DISCS_SCALARS] =
      settings.color_mode == TSR_DISCS_ONE_COLOR ? "" : settings.ColorArray;
  this->Names[DISCS_OPACITIES] = settings.OpacityArray;
  this->Names[DISCS_ORDER] =
      settings.Options.order == TSR_DISCS_BY_ARRAY ? settings.OrderArray : "";
}

vtkDataArray *DiscsInput::Find(vtkPointSet *dataset, DiscsField field, const std::string &where,
                               WarningList &messages) {
  const std::string &name = this->Names[field];
  vtkDataArray *array = dataset->GetPointData()->GetArray(name.c_str());
  const vtkIdType points = dataset->GetNumberOfPoints();
  const int n = array ? array->GetNumberOfComponents() : 0;
  std::string problem;
  tsr_type type;
  if (!dataset->GetPointData()->HasArray(name.c_str())) {
    problem = " is missing";
  } else if (!array || !CoreType(array->GetDataType(), type)) {
    problem = " is not of numbers";
  } else if (array->GetNumberOfTuples() != points) {
    problem = " has " + Counted(array->GetNumberOfTuples(), "tuple", "tuples") + " for " +
              Counted(points, "point", "points");
  } else if (field == DISCS_COLORS ? n != 3 && n != 4 : field != DISCS_SCALARS && n != 1) {
    problem = " has " + Counted(n, "component", "components") +
              (field == DISCS_COLORS ? "; colors have 3 or 4" : "; one is needed");
  } else {
    ++this->Found[field];
    return array;
  }
  messages.Add("The point array '" + name + "'" + (where.empty() ? "" : " " + where) + problem +
               ".");
  this->Problems[field].insert((where.empty() ? "" : where + " ") + "it" + problem);
  return nullptr;
}

void DiscsInput::Borrow(DiscsField field, vtkDataArray *array) {
  this->Views[field].Set(array);
  tsr_array *const members[DISCS_FIELDS] = {&this->CoreView.points,    &this->CoreView.radii,
                                            &this->CoreView.colors,    &this->CoreView.scalars,
                                            &this->CoreView.opacities, &this->CoreView.order};
  *members[field] = this->Views[field].Get();
}

void DiscsInput::Copy(DiscsField field, vtkDataArray *array, const std::vector<vtkIdType> &points) {
  std::vector<double> &values = this->Values[field];
  const bool bytes = array && array->GetDataType() == VTK_UNSIGNED_CHAR;
  for (const vtkIdType i : points) {
    for (int c = 0; c < COMPONENTS[field]; ++c) {
      double value = std::numeric_limits<double>::quiet_NaN();
      if (field == DISCS_COLORS && c == 3) {
        value = 1.0; // without a color, the disc is drawn black, with a note
      }
      if (array && c < array->GetNumberOfComponents()) {
        value = field == DISCS_SCALARS ? Scalar(array, i) : array->GetComponent(i, c);
        value *= field == DISCS_COLORS && bytes ? 1.0 / 255.0 : 1.0;
      }
      values.push_back(value);
    }
  }
}

void DiscsInput::Add(vtkPointSet *dataset, bool alone, const std::string &where,
                     WarningList &messages) {
  if (dataset->GetNumberOfPoints() == 0) {
    return;
  }
  this->Points += dataset->GetNumberOfPoints();
  vtkDataArray *arrays[DISCS_FIELDS] = {dataset->GetPoints()->GetData()};
  bool whole = alone && !dataset->GetPointGhostArray();
  for (int field = DISCS_RADII; field < DISCS_FIELDS; ++field) {
    if (!this->Names[field].empty()) {
      arrays[field] = this->Find(dataset, static_cast<DiscsField>(field), where, messages);
      whole = whole && arrays[field] &&
              (field != DISCS_SCALARS || arrays[field]->GetNumberOfComponents() == 1);
    }
  }
  this->Borrowed = whole;
  const std::vector<vtkIdType> points = whole ? std::vector<vtkIdType>() : OwnPoints(dataset);
  for (int k = 0; k < DISCS_FIELDS; ++k) {
    const DiscsField field = static_cast<DiscsField>(k);
    if (whole && arrays[k]) {
      this->Borrow(field, arrays[k]);
    } else if (!whole && (k == DISCS_POINTS || !this->Names[k].empty())) {
      this->Copy(field, arrays[k], points);
    }
  }
}

bool DiscsInput::Gather(const Processes &group, tsr_error &error) {
  std::vector<vtkIdType> counts(this->Found, this->Found + DISCS_FIELDS);
  counts.push_back(this->Points);
  group.Sum(counts.data(), static_cast<int>(counts.size()));
  for (int field = DISCS_RADII; field < DISCS_FIELDS; ++field) {
    if (!this->Names[field].empty() && counts[field] == 0 && counts.back() > 0) {
      // All processes get here together; process 0 has the problems and reports them.
      error.status = group.Rank() == 0 ? TSR_BAD_INPUT : TSR_ABORTED;
      error.item = -1;
      group.Collect(this->Problems[field]);
      const std::set<std::string> &all = this->Problems[field];
      const std::string why = all.empty() ? "" : ": " + *all.begin();
      std::snprintf(error.text, sizeof(error.text), "choose another %s than '%s'%s",
                    PROPERTIES[field], this->Names[field].c_str(), why.c_str());
      return false;
    }
  }
  if (this->Borrowed) {
    return true;
  }
  tsr_array *const members[DISCS_FIELDS] = {&this->CoreView.points,    &this->CoreView.radii,
                                            &this->CoreView.colors,    &this->CoreView.scalars,
                                            &this->CoreView.opacities, &this->CoreView.order};
  for (int field = 0; field < DISCS_FIELDS; ++field) {
    if (field == DISCS_POINTS || !this->Names[field].empty()) {
      this->Values[field] = group.CollectNumbers(this->Values[field]);
      if (!this->Values[field].empty()) {
        *members[field] = {this->Values[field].data(), TSR_DOUBLE, COMPONENTS[field],
                           static_cast<int64_t>(this->Values[field].size()) / COMPONENTS[field]};
      }
    }
  }
  return true;
}

} // namespace tessera
