// SPDX-License-Identifier: BSD-3-Clause
#include "pointgrid/TesseraPointGridArrays.h"

#include "frame/data/TesseraArrays.h"
#include "mpi/TesseraColumns.h"

#include <vtkPointData.h>

#include <algorithm>

namespace tessera {

std::vector<vtkSmartPointer<vtkDataArray>> NumericArrays(vtkPointData *data, vtkIdType points,
                                                         bool tellOthers, WarningList &messages) {
  std::vector<vtkSmartPointer<vtkDataArray>> arrays;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    tsr_type type;
    if (IsGhostArray(array) || !CheckArray(data, array, points, "point", messages)) {
      continue;
    }
    if (vtkDataArray::SafeDownCast(array) && CoreType(array->GetDataType(), type)) {
      arrays.emplace_back(vtkDataArray::SafeDownCast(array));
    } else if (tellOthers) {
      messages.LeaveOut(NameOf(array),
                        "the point array '" + NameOf(array) + "' is not numeric and is left out");
    }
  }
  return arrays;
}

std::vector<vtkSmartPointer<vtkDataArray>>
AgreeOnArrays(const std::vector<vtkSmartPointer<vtkDataArray>> &mine, vtkIdType points,
              const Processes &processes, WarningList &messages, tsr_error &error) {
  std::vector<tsr_column> columns;
  for (vtkDataArray *array : mine) {
    columns.push_back(ColumnOf(array, 0));
  }
  std::vector<vtkSmartPointer<vtkDataArray>> arrays;
  for (const tsr_common_column &one : Columns(processes, points > 0, columns, error)) {
    const std::string name = one.column.name;
    if (!one.everywhere) {
      messages.LeaveOut(name, "the point array '" + name +
                                  "' is not the same on all processes with points and is left out");
      continue;
    }
    const auto own = std::find_if(mine.begin(), mine.end(),
                                  [&name](vtkDataArray *array) { return NameOf(array) == name; });
    if (points > 0 && own != mine.end()) {
      arrays.push_back(*own);
    } else {
      arrays.push_back(
          vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(one.column.type)));
      arrays.back()->SetName(name.c_str());
      arrays.back()->SetNumberOfComponents(one.column.components);
    }
  }
  return arrays;
}

} // namespace tessera
