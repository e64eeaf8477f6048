// SPDX-License-Identifier: BSD-3-Clause
#include "frame/report/TesseraNotes.h"

#include "frame/TesseraLeaves.h"
#include "frame/TesseraMemory.h"
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

} // namespace tessera
