// SPDX-License-Identifier: BSD-3-Clause
#include "frame/report/TesseraNotes.h"

#include "frame/data/TesseraDatasets.h"
#include "frame/data/TesseraMemory.h"
#include "mpi/TesseraProcesses.h"

namespace tessera {

std::string Counted(int64_t count, const char *one, const char *many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string CountedFirst(int64_t count, const char *one, const char *many,
                         const std::string &where) {
  return Counted(count, one, many) + "; the first is" + where + ".";
}

std::string WhyNothing(int64_t points, int64_t hidden) {
  if (points == 0) {
    return "the input has no points";
  }
  return hidden < points ? ""
                         : "all " + Counted(points, "point is", "points are") +
                               " hidden or copies of other processes' points (vtkGhostType)";
}

void Notes::Add(int kind, int64_t count, int64_t first, unsigned int block) {
  tsr_placed_note &note = this->All[static_cast<size_t>(kind)];
  if (count > 0 && note.items.count == 0) {
    note.items.first = first;
    note.block = block;
  }
  note.items.count += count;
}

void Notes::Agree(const Processes &processes, vtkDataObject *input) {
  const tsr_processes group = processes.Core();
  Require(tsr_notes_agree(this->All.data(), this->Kinds(), &group, nullptr));
  for (size_t kind = 0; kind < this->All.size(); ++kind) {
    const tsr_placed_note &note = this->All[kind];
    if (note.items.count > 0) {
      const bool here = processes.Rank() == note.process;
      this->BlockTexts[kind] = processes.Concatenate(
          here ? BlockText(input, static_cast<unsigned int>(note.block)) : "");
    }
  }
}

std::string Notes::Where(int kind, const Processes &processes) const {
  const std::string &text = this->BlockTexts[static_cast<size_t>(kind)];
  const int64_t process = this->All[static_cast<size_t>(kind)].process;
  std::string where = text.empty() ? "" : " " + text;
  if (processes.Count() > 1) {
    where += (text.empty() ? " on process " : " of process ") + std::to_string(process);
  }
  return where;
}

void NamedCounts::Add(const std::string &name, int64_t count) {
  if (count > 0) {
    this->Counts[name] += static_cast<vtkIdType>(count);
  }
}

void NamedCounts::Add(const NamedCounts &others) {
  for (const auto &other : others.Counts) {
    this->Add(other.first, other.second);
  }
}

void NamedCounts::Agree(const Processes &processes) {
  std::string names;
  for (const auto &mine : this->Counts) {
    names.append(mine.first.c_str(), mine.first.size() + 1);
  }
  const std::string all = processes.Concatenate(names);
  for (size_t at = 0; at < all.size(); at = all.find('\0', at) + 1) {
    this->Counts[all.c_str() + at] += 0;
  }
  std::vector<vtkIdType> sums;
  for (const auto &one : this->Counts) {
    sums.push_back(one.second);
  }
  if (!sums.empty()) {
    processes.Sum(sums.data(), static_cast<int>(sums.size()));
  }
  size_t k = 0;
  for (auto &one : this->Counts) {
    one.second = sums[k++];
  }
}

std::string NamedCounts::Text(const char *one, const char *many, const char *tail) const {
  std::string text;
  for (const auto &each : this->Counts) {
    text += (text.empty() ? "" : "; ") + Counted(each.second, one, many) + " '" + each.first + "'" +
            tail;
  }
  return text;
}

} // namespace tessera
