// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Adaptive Grid over all leaves and processes. */
#ifndef TesseraGridJob_h
#define TesseraGridJob_h

#include "TesseraExecution.h"
#include "TesseraGridLeaf.h"
#include "TesseraNotes.h"
#include "TesseraProcesses.h"
#include "TesseraReport.h"

#include <functional>
#include <memory>

namespace tessera {

/** Numbers beyond those of the core that stand for notes of the glue. */
enum GridNote { GRID_NOTE_LEAF = TSR_GRID_NOTES, GRID_NOTES };

/**
 * The steps are collective and come in one order on every process. A dataset that is no composite is
 * one grid of all processes; the leaves of a composite are grids of their own, each on its process,
 * that share the ranges of their arrays and the budget.
 */
class GridJob {
public:
  GridJob(vtkDataObject *input, const GridSettings &settings, Execution &execution);

  /** Does it all. False where it failed on any process; Error() is then set. */
  bool Run();

  /** Why it failed: empty on a process that has nothing to tell, or after an abort. */
  const std::string &Error() const { return this->Sentence; }

  /** One sentence for each thing that the user should know. */
  std::vector<std::string> Warnings() const;

  /** One for every leaf of the input; NULL for leaves that are not supported. */
  const std::vector<vtkSmartPointer<vtkDataObject>> &Results() const { return this->Outputs; }

  /** Of all processes together. */
  const Report &Summary() const { return this->Total; }
  int64_t FineCells() const { return this->Fine; }
  int64_t VisibleCells() const { return this->Visible; }
  const std::vector<vtkIdType> &CellsOfLevel() const { return this->OfLevel; }
  const std::vector<GridArrayError> &Errors() const { return this->Largest; }

private:
  bool Step(const std::function<void()> &work);
  void Collect();
  void CollectComposite();
  void CollectShared();
  void FindArrays();
  void ShareRanges();
  void ShareRegion();
  void MakePlans();
  int64_t BudgetOf(size_t leaf) const;
  void FillAll();
  vtkSmartPointer<vtkDataObject> Fill(GridLeaf &leaf);
  void CollectErrors(const std::vector<GridArrayError> &errors);
  void Conclude();
  void AgreeOnErrors();

  vtkDataObject *Input;
  const GridSettings &Settings;
  Execution &Executor;
  Processes Group;
  bool Composite;

  std::vector<std::unique_ptr<GridLeaf>> Grids; /**< one a leaf, NULL if empty or not supported */
  std::vector<vtkSmartPointer<vtkDataObject>> Outputs;
  vtkIdType InputCells = 0; /**< of all leaves and processes of a composite */
  std::vector<GridArrayError> Largest;
  std::vector<vtkIdType> OfLevel;
  int64_t Fine = 0, Visible = 0;
  std::set<std::string> Messages;
  Notes AllNotes;
  Report Total;
  tsr_error Failure;
  std::string Sentence;
};

} // namespace tessera

#endif
