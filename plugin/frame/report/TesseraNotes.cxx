// SPDX-License-Identifier: BSD-3-Clause
#include "frame/report/TesseraNotes.h"

#include "frame/TesseraLeaves.h"
#include "mpi/TesseraProcesses.h"

namespace tessera {

std::string Counted(int64_t count, const char *one, const char *many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void Notes::Add(int kind, int64_t count, int64_t first, unsigned int block) {
  Note &note = this->All[static_cast<size_t>(kind)];
  if (count > 0 && note.Count == 0) {
    note.First = first;
    note.Block = block;
  }
  note.Count += count;
}

void Notes::Agree(const Processes &processes, vtkDataObject *input) {
  std::vector<vtkIdType> mine;
  for (const Note &note : this->All) {
    mine.insert(mine.end(), {note.Count, note.First, static_cast<vtkIdType>(note.Block)});
  }
  const std::vector<vtkIdType> all = processes.Gather(mine);
  for (size_t kind = 0; kind < this->All.size(); ++kind) {
    Note total;
    for (int rank = 0; rank < processes.Count(); ++rank) {
      const vtkIdType *one = &all[static_cast<size_t>(rank) * mine.size() + 3 * kind];
      if (one[0] > 0 && total.Count == 0) {
        total.First = one[1];
        total.Block = static_cast<unsigned int>(one[2]);
        total.Process = rank;
      }
      total.Count += one[0];
    }
    if (total.Count > 0) {
      const bool here = processes.Rank() == total.Process;
      std::vector<vtkIdType> sizes;
      total.BlockText = processes.Concatenate(here ? BlockText(input, total.Block) : "", sizes);
    }
    this->All[kind] = total;
  }
}

tsr_note_count Notes::Count(int kind) const {
  const Note &note = this->All[static_cast<size_t>(kind)];
  return {note.Count, note.First};
}

std::string Notes::Where(int kind, const Processes &processes) const {
  const Note &note = this->All[static_cast<size_t>(kind)];
  const bool composite = !note.BlockText.empty();
  std::string where = composite ? " " + note.BlockText : "";
  if (processes.Count() > 1) {
    where += (composite ? " of process " : " on process ") + std::to_string(note.Process);
  }
  return where;
}

} // namespace tessera
