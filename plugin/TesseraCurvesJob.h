// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Adaptive Curves over all leaves and processes. */
#ifndef TesseraCurvesJob_h
#define TesseraCurvesJob_h

#include "TesseraCurvesLeaf.h"
#include "TesseraExecution.h"
#include "TesseraLeaves.h"
#include "TesseraNotes.h"
#include "TesseraProcesses.h"
#include "TesseraReport.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tessera {

/**
 * The steps are collective and come in one order on every process, whatever leaves it has: after
 * each the processes agree whether any has failed, so none waits for one that has given up.
 */
class CurvesJob {
public:
  CurvesJob(vtkDataObject *input, const CurvesSettings &settings, Execution &execution);

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

private:
  bool Step(const std::function<void()> &work);
  void Collect();
  void Bounds();
  void ShareBounds();
  void MakePlans();
  void FitBudget();
  bool CheckSizes();
  void FillAll();
  void Conclude();
  void AddFieldWarnings(std::vector<std::string> &warnings) const;

  vtkDataObject *Input;
  const CurvesSettings &Settings;
  Execution &Executor;
  Processes Group;

  std::vector<std::unique_ptr<CurvesLeaf>> Curves; /**< one a leaf, NULL if not supported */
  std::vector<vtkSmartPointer<vtkDataObject>> Outputs;
  double Corners[6]; /**< -xmin xmax -ymin ymax -zmin zmax: the maximum joins two boxes */
  double ReferenceLength = 0.0;
  double BudgetScale = 1.0;
  std::vector<vtkIdType> FieldCounts; /**< leaves by array and FieldState */
  std::set<std::string> Messages;
  Notes AllNotes;
  Report Total;
  tsr_error Failure;
  std::string Sentence;
};

} // namespace tessera

#endif
