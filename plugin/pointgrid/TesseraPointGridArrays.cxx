// SPDX-License-Identifier: BSD-3-Clause
#include "pointgrid/TesseraPointGridArrays.h"

#include "frame/TesseraArrays.h"
#include "mpi/TesseraProcesses.h"

#include <vtkPointData.h>

#include <cstring>
#include <sstream>

namespace tessera {

namespace {

/** What has to be the same for arrays to be parts of one. */
struct Kind {
  std::string Name;
  int Type, Components;
  bool operator==(const Kind &other) const {
    return this->Name == other.Name && this->Type == other.Type &&
           this->Components == other.Components;
  }
};

Kind KindOf(vtkDataArray *array) {
  return {array->GetName() ? array->GetName() : "", array->GetDataType(),
          array->GetNumberOfComponents()};
}

std::string Packed(const std::vector<vtkSmartPointer<vtkDataArray>> &arrays) {
  std::ostringstream text;
  for (vtkDataArray *array : arrays) {
    const Kind kind = KindOf(array);
    text << kind.Type << " " << kind.Components << " " << kind.Name.size() << " " << kind.Name;
  }
  return text.str();
}

std::vector<Kind> Unpacked(const std::string &text) {
  std::vector<Kind> kinds;
  std::istringstream in(text);
  Kind kind;
  size_t length = 0;
  while (in >> kind.Type >> kind.Components >> length) {
    kind.Name.resize(length);
    in.get();
    in.read(&kind.Name[0], static_cast<std::streamsize>(length));
    kinds.push_back(kind);
  }
  return kinds;
}

bool Has(const std::vector<Kind> &kinds, const Kind &kind) {
  for (const Kind &one : kinds) {
    if (one == kind) {
      return true;
    }
  }
  return false;
}

} // namespace

std::vector<vtkSmartPointer<vtkDataArray>> NumericArrays(vtkPointData *data, vtkIdType points,
                                                         bool tellOthers,
                                                         std::set<std::string> &messages) {
  std::vector<vtkSmartPointer<vtkDataArray>> arrays;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    const std::string name = array->GetName() ? array->GetName() : "";
    tsr_type type;
    if (name == vtkDataSetAttributes::GhostArrayName() ||
        !CheckTuples(array, points, "point", messages)) {
      continue;
    }
    if (vtkDataArray::SafeDownCast(array) && CoreType(array->GetDataType(), type)) {
      arrays.emplace_back(vtkDataArray::SafeDownCast(array));
    } else if (tellOthers) {
      messages.insert("The point array '" + name + "' is not numeric and is left out.");
    }
  }
  return arrays;
}

std::vector<vtkSmartPointer<vtkDataArray>>
AgreeOnArrays(const std::vector<vtkSmartPointer<vtkDataArray>> &mine, vtkIdType points,
              const Processes &processes, std::set<std::string> &messages) {
  std::vector<vtkIdType> sizes;
  const std::string all = processes.Concatenate(points > 0 ? Packed(mine) : "", sizes);
  const std::vector<vtkIdType> counts = processes.Gather({points});
  std::vector<std::vector<Kind>> parts;
  size_t at = 0;
  for (size_t rank = 0; rank < sizes.size(); ++rank) {
    if (counts[rank] > 0) {
      parts.push_back(Unpacked(all.substr(at, static_cast<size_t>(sizes[rank]))));
    }
    at += static_cast<size_t>(sizes[rank]);
  }
  std::vector<vtkSmartPointer<vtkDataArray>> arrays;
  for (const std::vector<Kind> &part : parts) {
    for (const Kind &kind : part) {
      bool everywhere = true;
      for (const std::vector<Kind> &other : parts) {
        everywhere = everywhere && Has(other, kind);
      }
      if (!everywhere) {
        messages.insert("The point array '" + kind.Name +
                        "' is not the same on all processes with points and is left out.");
      } else if (&part == &parts.front()) {
        auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(kind.Type));
        array->SetName(kind.Name.c_str());
        array->SetNumberOfComponents(kind.Components);
        for (vtkDataArray *own : mine) {
          array = points > 0 && KindOf(own) == kind ? own : array.Get();
        }
        arrays.push_back(array);
      }
    }
  }
  return arrays;
}

} // namespace tessera
