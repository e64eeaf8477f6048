// SPDX-License-Identifier: BSD-3-Clause
#include "grid/octree/TesseraGridJoined.h"

#include "frame/data/TesseraArrays.h"

#include <vtkDataArray.h>
#include <vtkFieldData.h>

#include <algorithm>
#include <cstring>

namespace tessera {

namespace {

vtkDataSetAttributes *AttributesOf(vtkDataSet *data, bool cells) {
  return data->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
}

const char *Noun(bool cells) { return cells ? "cell" : "point"; }

/** True if `array` of the first part is on every part, with as many components of its type. */
bool IsEverywhere(const std::vector<JoinedPart> &parts, bool cells, vtkAbstractArray *array) {
  return std::all_of(parts.begin(), parts.end(), [cells, array](const JoinedPart &part) {
    vtkAbstractArray *other = AttributesOf(part.Data, cells)->GetAbstractArray(array->GetName());
    return other && other->GetDataType() == array->GetDataType() &&
           other->GetNumberOfComponents() == array->GetNumberOfComponents() &&
           other->GetNumberOfTuples() ==
               part.Data->GetNumberOfElements(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
  });
}

/** Calls visit(begin, end) for each run of tuples of a part that are copied. */
template <class Visit>
void ForRuns(const JoinedPart &part, bool cells, vtkIdType tuples, const Visit &visit) {
  if (!cells || !part.Dropped) {
    visit(vtkIdType{0}, tuples);
    return;
  }
  const std::uint8_t *dropped = part.Dropped;
  for (vtkIdType begin = 0, end; begin < tuples; begin = end) {
    for (end = begin; end < tuples && (dropped[end] == 1) == (dropped[begin] == 1);) {
      ++end;
    }
    if (dropped[begin] != 1) {
      visit(begin, end);
    }
  }
}

bool IsPlain(vtkAbstractArray *array) {
  tsr_type type;
  return vtkDataArray::SafeDownCast(array) && CoreType(array->GetDataType(), type) &&
         array->HasStandardMemoryLayout();
}

void CopyPart(const JoinedPart &part, bool cells, vtkAbstractArray *to) {
  vtkAbstractArray *from = AttributesOf(part.Data, cells)->GetAbstractArray(to->GetName());
  const size_t tuple =
      static_cast<size_t>(to->GetNumberOfComponents()) * static_cast<size_t>(to->GetDataTypeSize());
  const bool plain = IsPlain(from);
  vtkIdType next = cells ? part.FirstCell : part.FirstPoint;
  ForRuns(part, cells, from->GetNumberOfTuples(), [&](vtkIdType begin, vtkIdType end) {
    if (plain) {
      std::memcpy(static_cast<char *>(to->GetVoidPointer(0)) + tuple * static_cast<size_t>(next),
                  static_cast<const char *>(from->GetVoidPointer(0)) +
                      tuple * static_cast<size_t>(begin),
                  tuple * static_cast<size_t>(end - begin));
    } else {
      to->InsertTuples(next, end - begin, begin, from);
    }
    next += end - begin;
  });
}

/** Copies one array of all parts. Threads may not write into one array of bits or texts. */
void CopyArray(const std::vector<JoinedPart> &parts, bool cells, vtkAbstractArray *to,
               ThreadRunner &runner) {
  const auto count = static_cast<int64_t>(parts.size());
  const bool plain = std::all_of(parts.begin(), parts.end(), [cells, to](const JoinedPart &part) {
    return IsPlain(AttributesOf(part.Data, cells)->GetAbstractArray(to->GetName()));
  });
  const auto copy = [&parts, cells, to](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      CopyPart(parts[static_cast<size_t>(i)], cells, to);
    }
  };
  if (plain) {
    runner.Share(count, 1, copy);
  } else {
    copy(0, count);
  }
}

/** Warns about an array that is not everywhere, or is one that cannot be. */
void LeaveOut(const std::string &name, bool cells, WarningList &messages) {
  if (name.empty()) {
    messages.Add("An array without a name is left out, since it may lie in several blocks.");
  } else {
    messages.LeaveOut(name, "the " + std::string(Noun(cells)) + " array '" + name +
                                "' is not the same on every block and is left out");
  }
}

void JoinKind(const std::vector<JoinedPart> &parts, bool cells, vtkDataSet *all, vtkIdType tuples,
              OctreeContext &context) {
  vtkDataSetAttributes *first = AttributesOf(parts.front().Data, cells);
  vtkDataSetAttributes *to = AttributesOf(all, cells);
  for (int i = 0; i < first->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = first->GetAbstractArray(i);
    if (IsGhostArray(array)) {
      continue;
    }
    if (!array->GetName() || !IsEverywhere(parts, cells, array)) {
      LeaveOut(NameOf(array), cells, context.Messages);
      continue;
    }
    if (!to->HasArray(array->GetName())) {
      auto joined = NewArrayLike(array, tuples);
      CopyArray(parts, cells, joined, context.Runner);
      to->AddArray(joined);
      SetRoles(to, array->GetName(), RolesOf(first, array));
    }
  }
  for (const JoinedPart &part : parts) {
    vtkDataSetAttributes *here = AttributesOf(part.Data, cells);
    for (int i = 0; i < here->GetNumberOfArrays(); ++i) {
      vtkAbstractArray *array = here->GetAbstractArray(i);
      if (!IsGhostArray(array) && !(array->GetName() && to->HasArray(array->GetName()))) {
        LeaveOut(NameOf(array), cells, context.Messages);
      }
    }
  }
}

} // namespace

bool HavePointArrays(const std::vector<JoinedPart> &parts) {
  return std::any_of(parts.begin(), parts.end(), [](const JoinedPart &part) {
    vtkDataSetAttributes *points = AttributesOf(part.Data, false);
    bool any = false;
    for (int i = 0; i < points->GetNumberOfArrays(); ++i) {
      any = any || !IsGhostArray(points->GetAbstractArray(i));
    }
    return any;
  });
}

vtkSmartPointer<vtkDataSet> JoinArrays(const std::vector<JoinedPart> &parts, vtkIdType points,
                                       vtkIdType cells, OctreeContext &context) {
  vtkSmartPointer<vtkDataSet> all = NewOctreeArrays(points, cells);
  if (!parts.empty()) {
    JoinKind(parts, false, all, points, context);
    JoinKind(parts, true, all, cells, context);
  }
  return all;
}

} // namespace tessera
