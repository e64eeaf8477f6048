// SPDX-License-Identifier: BSD-3-Clause
#include "frame/data/TesseraArrays.h"

#include "frame/run/TesseraThreadRunner.h"

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkIdList.h>
#include <vtkInformation.h>
#include <vtkLookupTable.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace tessera {

namespace {

template <typename T> tsr_type IntegerType() {
  constexpr bool isSigned = std::is_signed<T>::value;
  switch (sizeof(T)) {
  case 1:
    return isSigned ? TSR_INT8 : TSR_UINT8;
  case 2:
    return isSigned ? TSR_INT16 : TSR_UINT16;
  case 4:
    return isSigned ? TSR_INT32 : TSR_UINT32;
  default:
    return isSigned ? TSR_INT64 : TSR_UINT64;
  }
}

/** `array` itself where its values lie tuple after tuple, else a copy that does. */
vtkSmartPointer<vtkDataArray> Contiguous(vtkDataArray *array) {
  if (array->HasStandardMemoryLayout()) {
    return array;
  }
  return ContiguousCopy(array, array->GetDataType());
}

/** A contiguous array of 32- or 64-bit integers with the values of `array`. */
vtkSmartPointer<vtkDataArray> ContiguousIds(vtkDataArray *array, tsr_type wanted) {
  tsr_type type;
  if (CoreType(array->GetDataType(), type) && type == wanted) {
    return Contiguous(array);
  }
  return ContiguousCopy(array, VTK_TYPE_INT64);
}

} // namespace

bool CoreType(int vtkType, tsr_type &type) {
  static const struct {
    int VTK;
    tsr_type Core;
  } types[] = {{VTK_CHAR, IntegerType<char>()},
               {VTK_SIGNED_CHAR, TSR_INT8},
               {VTK_UNSIGNED_CHAR, TSR_UINT8},
               {VTK_SHORT, TSR_INT16},
               {VTK_UNSIGNED_SHORT, TSR_UINT16},
               {VTK_INT, IntegerType<int>()},
               {VTK_UNSIGNED_INT, IntegerType<unsigned int>()},
               {VTK_LONG, IntegerType<long>()},
               {VTK_UNSIGNED_LONG, IntegerType<unsigned long>()},
               {VTK_LONG_LONG, TSR_INT64},
               {VTK_UNSIGNED_LONG_LONG, TSR_UINT64},
               {VTK_ID_TYPE, IntegerType<vtkIdType>()},
               {VTK_FLOAT, TSR_FLOAT},
               {VTK_DOUBLE, TSR_DOUBLE}};
  for (const auto &one : types) {
    if (one.VTK == vtkType) {
      type = one.Core;
      return true;
    }
  }
  return false;
}

vtkSmartPointer<vtkDataArray> ContiguousCopy(vtkDataArray *array, int type) {
  auto copy = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  copy->SetNumberOfComponents(array->GetNumberOfComponents());
  AllocateTuples(copy, array->GetNumberOfTuples());
  copy->DeepCopy(array); // into the memory that is there
  return copy;
}

bool ArrayView::Set(vtkDataArray *array) {
  this->Holder = nullptr;
  this->View = {nullptr, TSR_FLOAT, 0, 0};
  tsr_type type;
  if (!array || !CoreType(array->GetDataType(), type)) {
    return false;
  }
  this->Holder = Contiguous(array);
  this->View = {this->Holder->GetVoidPointer(0), type, array->GetNumberOfComponents(),
                array->GetNumberOfTuples()};
  return true;
}

void IndexView::Set(vtkCellArray *cells) {
  this->Cells = cells->GetNumberOfCells();
  vtkDataArray *offsets = cells->GetOffsetsArray();
  vtkDataArray *connectivity = cells->GetConnectivityArray();
  this->Ids = connectivity->GetNumberOfValues();
  tsr_type type;
  const bool narrow = CoreType(offsets->GetDataType(), type) && type == TSR_INT32 &&
                      CoreType(connectivity->GetDataType(), type) && type == TSR_INT32;
  this->IndexType = narrow ? TSR_INT32 : TSR_INT64;
  this->OffsetsHolder = ContiguousIds(offsets, this->IndexType);
  this->ConnectivityHolder = ContiguousIds(connectivity, this->IndexType);
  this->OffsetsData = this->OffsetsHolder->GetVoidPointer(0);
  this->ConnectivityData = this->ConnectivityHolder->GetVoidPointer(0);
}

vtkSmartPointer<vtkAbstractArray> NewArrayLike(vtkAbstractArray *like, vtkIdType tuples,
                                               Writer writer) {
  auto array =
      vtkSmartPointer<vtkAbstractArray>::Take(vtkAbstractArray::CreateArray(like->GetDataType()));
  array->SetName(like->GetName());
  array->SetNumberOfComponents(like->GetNumberOfComponents());
  array->CopyComponentNames(like);
  if (like->HasInformation()) {
    array->CopyInformation(like->GetInformation());
  }
  vtkDataArray *from = vtkDataArray::SafeDownCast(like);
  vtkDataArray *to = vtkDataArray::SafeDownCast(array);
  if (from && to && from->GetLookupTable()) {
    to->SetLookupTable(from->GetLookupTable());
  }
  AllocateTuples(array, tuples, writer);
  return array;
}

bool CheckArray(vtkDataSetAttributes *in, vtkAbstractArray *array, vtkIdType expected,
                const char *noun, WarningList &messages) {
  // In the output the second would take the place of the first, whose memory is still written to.
  if (array->GetName() && in->GetAbstractArray(array->GetName()) != array) {
    messages.Add("There are several " + std::string(noun) + " arrays '" + NameOf(array) +
                 "'; all but the first are left out.");
    return false;
  }
  const vtkIdType tuples = array->GetNumberOfTuples();
  if (tuples == expected) {
    return true;
  }
  messages.LeaveOut(NameOf(array), "the " + std::string(noun) + " array '" + NameOf(array) +
                                       "' has " + std::to_string(tuples) + " tuples for " +
                                       std::to_string(expected) + " " + noun + "s and is left out");
  return false;
}

namespace {

/** Copies tuples by id, those that follow each other at once; false where the values do not lie
 * tuple after tuple in whole bytes. */
bool GatherBytes(vtkAbstractArray *from, vtkIdList *ids, vtkAbstractArray *to,
                 ThreadRunner &runner) {
  tsr_type type;
  if (!vtkDataArray::SafeDownCast(from) || !vtkDataArray::SafeDownCast(to) ||
      !CoreType(from->GetDataType(), type) || !from->HasStandardMemoryLayout() ||
      !to->HasStandardMemoryLayout()) {
    return false;
  }
  const size_t bytes = tsr_type_size(type) * static_cast<size_t>(from->GetNumberOfComponents());
  const char *source = static_cast<const char *>(from->GetVoidPointer(0));
  char *target = static_cast<char *>(to->GetVoidPointer(0));
  const vtkIdType *id = ids->GetPointer(0);
  runner.Share(ids->GetNumberOfIds(), 1 << 14, [=](int64_t begin, int64_t end) {
    for (vtkIdType first = begin, next; first < end; first = next) {
      for (next = first + 1; next < end && id[next] == id[first] + (next - first);) {
        ++next;
      }
      std::memcpy(target + static_cast<size_t>(first) * bytes,
                  source + static_cast<size_t>(id[first]) * bytes,
                  static_cast<size_t>(next - first) * bytes);
    }
  });
  return true;
}

} // namespace

void GatherArrays(vtkDataSetAttributes *in, vtkIdType expected, vtkIdList *ids, const char *noun,
                  vtkDataSetAttributes *out, ThreadRunner &runner, WarningList &messages) {
  for (int i = 0; i < in->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *from = in->GetAbstractArray(i);
    if (CheckArray(in, from, expected, noun, messages)) {
      auto to = NewArrayLike(from, ids->GetNumberOfIds());
      // VTK reads the first id even if the list is empty.
      if (ids->GetNumberOfIds() > 0 && !GatherBytes(from, ids, to, runner)) {
        to->InsertTuplesStartingAt(0, ids, from);
      }
      out->AddArray(to);
    }
  }
}

void AddGenerated(vtkDataSetAttributes *out, vtkAbstractArray *array, WarningList &messages) {
  if (out->HasArray(array->GetName())) {
    messages.Add("The generated array '" + std::string(array->GetName()) +
                 "' replaces the input's array of that name.");
  }
  out->AddArray(array);
}

std::string NameOf(vtkAbstractArray *array) { return array->GetName() ? array->GetName() : ""; }

double TupleBytes(vtkDataSetAttributes *data) {
  double bytes = 0.0;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    bytes += static_cast<double>(array->GetNumberOfComponents()) *
             static_cast<double>(array->GetDataTypeSize());
  }
  return bytes;
}

void AddRanges(vtkDataArray *array, tsr_maxima &ranges) {
  for (int component = 0; component < array->GetNumberOfComponents(); ++component) {
    double range[2];
    array->GetFiniteRange(range, component);
    range[0] = -range[0];
    Require(tsr_maxima_add(&ranges, NameOf(array).c_str(), 2 * component, range, 2, nullptr));
  }
}

int PointType(int precision, bool wide) {
  return precision == vtkAlgorithm::DOUBLE_PRECISION ||
                 (precision != vtkAlgorithm::SINGLE_PRECISION && wide)
             ? VTK_DOUBLE
             : VTK_FLOAT;
}

bool IsGhostArray(vtkAbstractArray *array) {
  return NameOf(array) == vtkDataSetAttributes::GhostArrayName();
}

std::string UnusableGhosts(vtkAbstractArray *array, const std::string &noun, vtkIdType count) {
  return "The " + noun + " array '" + NameOf(array) + "' has " +
         std::to_string(array->GetNumberOfValues()) + " values of type " +
         array->GetDataTypeAsString() + ", not one unsigned char for each of " +
         std::to_string(count) + " " + noun + "s, and hides nothing.";
}

std::vector<std::uint8_t> Flagged(vtkDataSetAttributes *data, vtkIdType count, int flags) {
  auto *ghosts = vtkUnsignedCharArray::SafeDownCast(
      data->GetAbstractArray(vtkDataSetAttributes::GhostArrayName()));
  std::vector<std::uint8_t> flagged;
  if (ghosts && ghosts->GetNumberOfValues() == count) {
    const unsigned char *from = ghosts->GetPointer(0);
    flagged.resize(static_cast<size_t>(count));
    std::transform(from, from + count, flagged.begin(), [flags](unsigned char ghost) {
      return static_cast<std::uint8_t>((ghost & flags) != 0);
    });
  }
  return flagged;
}

int RolesOf(vtkDataSetAttributes *data, vtkAbstractArray *array) {
  int roles = 0;
  for (int role = 0; role < vtkDataSetAttributes::NUM_ATTRIBUTES; ++role) {
    roles |= (data->GetAbstractAttribute(role) == array ? 1 : 0) << role;
  }
  return roles;
}

void SetRoles(vtkDataSetAttributes *data, const char *name, int roles) {
  for (int role = 0; role < vtkDataSetAttributes::NUM_ATTRIBUTES; ++role) {
    if ((roles >> role) & 1) {
      data->SetActiveAttribute(name, role);
    }
  }
}

void CopyRoles(vtkDataSetAttributes *in, vtkDataSetAttributes *out, const int *dropped) {
  for (int role = 0; role < vtkDataSetAttributes::NUM_ATTRIBUTES; ++role) {
    const int *drop = dropped;
    while (*drop >= 0 && *drop != role) {
      ++drop;
    }
    vtkAbstractArray *array = in->GetAbstractAttribute(role);
    if (*drop < 0 && array && array->GetName() && out->GetAbstractArray(array->GetName())) {
      out->SetActiveAttribute(array->GetName(), role);
    }
  }
}

} // namespace tessera
