// SPDX-License-Identifier: BSD-3-Clause
/** One grid for all time steps: what the criteria refined at each, and which step comes next. */
#ifndef TesseraGridSteps_h
#define TesseraGridSteps_h

#include "tessera.h"

#include <map>
#include <vector>

namespace tessera {

/** The marks of one dataset, as far as this process owns it. */
struct GridMarks {
  int64_t Whole[6]; /**< points of the dataset */
  std::vector<tsr_grid_node> Nodes;
};

/** By place: that of a block of a composite is the same on all processes. */
using GridMarksOfBlocks = std::map<int64_t, GridMarks>;

class GridSteps {
public:
  /** Forgets all, and goes through these times. */
  void Begin(const std::vector<double> &times);

  /** The marks are those of one piece of so many: where it is another one now, begins anew. */
  void SetPiece(int piece, int pieces);

  /** Is there a step yet to be looked at? */
  bool Collects() const { return !this->Done && this->Times.size() > 1; }

  /** Of the step to be looked at, or the first one. */
  double Time() const { return this->Times[this->Seen % this->Times.size()]; }
  bool HasTimes() const { return !this->Times.empty(); }

  /** A step was looked at. marks: of all processes. again: a step may ask for more because of
   *  what later ones made, so it goes on until none has. */
  void Add(int64_t marks, bool again);

  /** Of the steps that there are at most in a pass, those looked at. */
  double Progress() const;

  GridMarksOfBlocks Marks;

private:
  std::vector<double> Times;
  size_t Seen = 0, Idle = 0;
  int64_t Count = 0;
  int Piece = 0, Pieces = 1;
  bool Done = false;
};

} // namespace tessera

#endif
