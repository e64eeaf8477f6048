// SPDX-License-Identifier: BSD-3-Clause
/** Counted notes of all datasets and processes, for one warning each. */
#ifndef TesseraNotes_h
#define TesseraNotes_h

#include "tessera.h"

#include <vtkType.h>

#include <map>
#include <string>
#include <vector>

class vtkDataObject;

namespace tessera {

class Processes;

/** "1 cell is left out", "5 cells are left out". */
std::string Counted(int64_t count, const char *one, const char *many);

/** A note as a sentence with the place of the first item: "...; the first is in block 3." */
std::string CountedFirst(int64_t count, const char *one, const char *many,
                         const std::string &where);

/** Why the output is empty: there are no points, or all of them are hidden. Empty if some points
 * are left. */
std::string WhyNothing(int64_t points, int64_t hidden);

/** Kinds are numbers from 0 on, given by the filter that uses them. */
class Notes {
public:
  explicit Notes(int kinds)
      : All(static_cast<size_t>(kinds), {{0, -1}, 0, 0}), BlockTexts(static_cast<size_t>(kinds)) {}

  /** Adds a note about `count` items of the dataset with composite index `block`. first: number of
   * the first of them. A count of 0 is a no-op. */
  void Add(int kind, int64_t count, int64_t first, unsigned int block);

  /** Sums up the notes of all processes. input: the composite that blocks belong to. Collective. */
  void Agree(const Processes &processes, vtkDataObject *input);

  int Kinds() const { return static_cast<int>(this->All.size()); }
  tsr_note_count Count(int kind) const { return this->All[static_cast<size_t>(kind)].items; }

  /** The place of the first item, without its number: " in block 3 (wing) of process 1". Empty if
   * the input is one dataset on one process. */
  std::string Where(int kind, const Processes &processes) const;

private:
  std::vector<tsr_placed_note> All;
  std::vector<std::string> BlockTexts; /**< names of the blocks, from the process that has them */
};

/** Counts for each array name, over all datasets and processes. */
class NamedCounts {
public:
  /** Adds to the count of a name. A count of 0 is a no-op. */
  void Add(const std::string &name, int64_t count);
  void Add(const NamedCounts &others);

  /** Adds up over all processes. Collective. */
  void Agree(const Processes &processes);

  /** The counts as text: "1 point was kept for array 'a'; 5 points were kept for array 'b'". `one`
   * and `many` are the words before the name, `tail` those after it. Empty if nothing was counted.
   */
  std::string Text(const char *one, const char *many, const char *tail) const;

private:
  std::map<std::string, vtkIdType> Counts;
};

} // namespace tessera

#endif
