// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Adaptive Grid over all leaves and processes. */
#ifndef TesseraGridJob_h
#define TesseraGridJob_h

#include "frame/TesseraJob.h"
#include "frame/TesseraLeaves.h"
#include "grid/TesseraGridLeaf.h"

#include <cstdint>
#include <deque>

namespace tessera {

/** Numbers beyond those of the core that stand for notes of the glue. */
enum GridNote {
  GRID_NOTE_LEAF = TSR_GRID_NOTES, /**< no structured grid */
  GRID_NOTE_NO_ARRAY,              /**< none of the arrays that the criteria look at */
  GRID_NOTES
};

/**
 * A dataset that is no composite is one grid of all processes, and so is a block of a composite
 * that they hold the pieces of. The other blocks are grids of their own, each on its process. All
 * share the ranges of their arrays and the budget.
 */
class GridJob : public Job {
public:
  /** steps: NULL, or the marks of other time steps. only: nothing but the marks is made. */
  GridJob(vtkDataObject *input, const GridSettings &settings, Execution &execution,
          GridSteps *steps = nullptr, bool only = false);
  ~GridJob() override { tsr_maxima_free(&this->Largest); }

  bool Run() override;

  /** Has Run warn of an output that saves nothing, and try other thresholds then. */
  void LookForGrowth() { this->LooksForGrowth = true; }

  /** The rule of balance that held, and why if it is not the one that was asked for. */
  const std::string &Balance() const { return this->BalanceInForce; }

  /** What Interpolation Error bounds in this kind of output. */
  std::string ErrorBound() const {
    return tsr_grid_bound_text(&this->Settings.Options,
                               this->Settings.thresholds[TSR_MEASURE_INTERPOLATION_ERROR].use);
  }

  /** Of all processes together. */
  int64_t FineCells() const { return this->Fine; }
  /** Cells of the output; of trees and blocks, those that are to be seen. */
  int64_t VisibleCells() const { return this->Visible; }
  /** Of memory that the input and the output take. */
  int64_t InputBytes() const { return this->BytesIn; }
  int64_t OutputBytes() const { return this->BytesOut; }
  /** Visible leaves: before some are cut into conforming cells. */
  int64_t VisibleLeaves() const { return this->Uncut; }
  const std::vector<vtkIdType> &CellsOfLevel() const { return this->OfLevel; }

  /** How far, along an axis, an input point is at most from where its output cell's interpolant has
   * it; below 0 where that was not measured: of images and rectilinear grids it is 0. */
  double GeometricError() const { return this->Bent; }

  /** The largest error of each array, in the order of their names. A point and a cell array of one
   *  name come out as "NAME (points)" and "NAME (cells)". */
  std::vector<GridArrayError> Errors() const;

private:
  std::string NoteSentence(int kind, const tsr_note_count &note,
                           const std::string &where) const override;
  void Collect();
  void CollectOwn(const std::vector<Leaf> &leaves, const Places &places);
  bool CollectShared(const SharedBlock &one, unsigned int block);
  void FindArrays();
  void NoteGridsWithoutCriteria(bool wanted);

  /** Arrays of the input may stay on a device. */
  void KnowArrays();
  void ShareRanges();
  void ShareRegion();
  /** most: bytes of the output. */
  bool MakePlans(int64_t budget, double most);
  double PlanOne(size_t i, double bytes, int64_t budget, int64_t limit);
  bool IsWithinLimit(bool counted);
  bool IsFineWithinLimit();
  bool CheckSize(OutputSize &size);
  void Measure(OutputSize &size) const;
  std::string Advice(OutputSize &size, Tolerances &list, double &scale);
  Tolerances InUse() const;
  void AddStep();
  void NameBalance();

  /** Cells to be seen with thresholds times `scale`; -1 where there is no such plan. Collective. */
  int64_t CountCells(double scale);

  /** Says so where the output saves nothing, and which thresholds would: they are tried. The plans
   *  are others afterwards. Collective. */
  void WarnOfGrowth();
  int64_t BudgetOf(size_t leaf, int64_t budget) const;
  bool FillAll();
  vtkSmartPointer<vtkDataObject> Fill(GridLeaf &leaf);
  void CollectErrors(const std::deque<GridArrayError> &errors);
  void Conclude();

  const GridSettings Settings;
  /** Shared ones first, in the same order on all processes; NULL if empty or not supported. */
  std::vector<std::unique_ptr<GridLeaf>> Grids;
  size_t SharedGrids = 0;
  vtkIdType InputCells = 0; /**< of all leaves and processes of a composite */
  tsr_maxima Largest = {};  /**< errors by array */
  std::vector<vtkIdType> OfLevel;
  int64_t Fine = 0, Visible = 0, Uncut = 0, BytesIn = 0, BytesOut = 0;
  double Bent = -1.0;
  std::string BalanceInForce;
  GridSteps *Steps;
  const bool MarksOnly;
  bool LooksForGrowth = false;
};

} // namespace tessera

#endif
