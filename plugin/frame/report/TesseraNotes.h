// SPDX-License-Identifier: BSD-3-Clause
/** Counted notes of all leaves and processes, for one warning each. */
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

/** Why nothing comes out of so many points: there are none, or all of them are hidden. Empty where
 *  points are left. */
std::string WhyNothing(int64_t points, int64_t hidden);

/** Kinds are numbers from 0 on, given by the filter that uses them. */
class Notes {
public:
  explicit Notes(int kinds)
      : All(static_cast<size_t>(kinds), {{0, -1}, 0, 0}), BlockTexts(static_cast<size_t>(kinds)) {}

  /** `count` items of the leaf with composite index `block` have the note; `first` is the first of
   *  them. Nothing is noted where count is 0. */
  void Add(int kind, int64_t count, int64_t first, unsigned int block);

  /** Adds up over all processes. `input`: what the blocks are blocks of. Collective. */
  void Agree(const Processes &processes, vtkDataObject *input);

  int Kinds() const { return static_cast<int>(this->All.size()); }
  tsr_note_count Count(int kind) const { return this->All[static_cast<size_t>(kind)].items; }

  /** Where the first item is, beyond its number: " in block 3 (wing) of process 1", or nothing
   *  where the input is one dataset on one process. */
  std::string Where(int kind, const Processes &processes) const;

private:
  std::vector<tsr_placed_note> All;
  std::vector<std::string> BlockTexts; /**< of the process that has the block */
};

/** Counts by the name of an array, of all leaves and processes. */
class NamedCounts {
public:
  /** Adds to the count of a name. Nothing is added where count is 0. */
  void Add(const std::string &name, int64_t count);
  void Add(const NamedCounts &others);

  /** Adds up over all processes. Collective. */
  void Agree(const Processes &processes);

  /** "1 point was kept for array 'a'; 5 points were kept for array 'b'": one and many end before
   *  the name, tail follows it. Empty where nothing was counted. */
  std::string Text(const char *one, const char *many, const char *tail) const;

private:
  std::map<std::string, vtkIdType> Counts;
};

} // namespace tessera

#endif
