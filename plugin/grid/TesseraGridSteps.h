// SPDX-License-Identifier: BSD-3-Clause
/** One grid for all time steps: the nodes that the criteria refine at each step, and which step
 * comes next. */
#ifndef TesseraGridSteps_h
#define TesseraGridSteps_h

#include "tessera.h"

#include <map>
#include <vector>

namespace tessera {

/** The marks of one dataset: the nodes refined in the part that this process owns. */
struct GridMarks {
  int64_t Whole[6]; /**< points of the dataset */
  std::vector<tsr_grid_node> Nodes;
};

/** Marks by place (see Places): the place of a block is the same on all processes. */
using GridMarksOfBlocks = std::map<int64_t, GridMarks>;

class GridSteps {
public:
  /** Forgets all marks and starts to go through these times. */
  void Begin(const std::vector<double> &times);

  /** Says which piece of how many this process has. The marks belong to one piece; if it changes,
   * everything starts anew. */
  void SetPiece(int piece, int pieces);

  /** True if there is a step that still has to be processed. */
  bool Collects() const { return !this->Done && this->Times.size() > 1; }

  /** Time of the next step to process, or of the first one. */
  double Time() const { return this->Times[this->Seen % this->Times.size()]; }
  bool HasTimes() const { return !this->Times.empty(); }

  /** A step was processed. marks: number of marks on all processes. again: marks of later steps may
   * make this step ask for more, so the steps are repeated until none adds any. */
  void Add(int64_t marks, bool again);

  /** Fraction of the steps of this pass that are processed. */
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
