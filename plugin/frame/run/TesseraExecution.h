// SPDX-License-Identifier: BSD-3-Clause
/** One execution of a filter over all datasets and processes: the part that all filters share. */
#ifndef TesseraExecution_h
#define TesseraExecution_h

#include "frame/report/TesseraLimit.h"
#include "frame/report/TesseraNotes.h"
#include "frame/report/TesseraReport.h"
#include "frame/report/TesseraWarningList.h"
#include "frame/run/TesseraThreadRunner.h"
#include "mpi/TesseraProcesses.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

class vtkDataObject;

namespace tessera {

/**
 * Every step is collective, and the order of the steps is the same on every process, whatever
 * datasets the process has. After each step the processes agree whether any has failed, so no
 * process waits for one that has given up.
 */
class Execution {
public:
  virtual ~Execution();
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  /** largestOutput: limit of the output in MiB on each machine; 0 = a quarter of its memory. only:
   * Run ends once the size is known. */
  void SetLimit(int largestOutput, bool only);

  /** A sentence that says what would be made, after an estimate. */
  const std::string &Estimate() const { return this->EstimateSentence; }

  /** Runs the filter. Returns false if it failed on any process; Error() is then set. */
  virtual bool Run() = 0;

  /** Why it failed. Empty on a process that has nothing to tell, and after an abort. */
  const std::string &Error() const { return this->Sentence; }

  /** The warnings for the user, one sentence each. */
  virtual std::vector<std::string> Warnings() const;

  /** The output of every dataset of the input; NULL for datasets that are not supported. */
  const std::vector<vtkSmartPointer<vtkDataObject>> &Results() const { return this->Outputs; }

  /** The report of all processes together. */
  const Report &Summary() const { return this->Total; }

protected:
  /** kinds: number of kinds of notes that the filter has. `input` must outlive this object.
   * Collective. */
  Execution(vtkDataObject *input, ThreadRunner &runner, int kinds);

  /** A note as a sentence. `where`: the place of its first item, other than the item's number. */
  virtual std::string NoteSentence(int kind, const tsr_note_count &note,
                                   const std::string &where) const = 0;

  /** Adds `where`, the place of the first item, to a sentence of the core, which knows one dataset
   * only. */
  static std::string WithPlace(const char *sentence, const std::string &where);

  /** Adds a number up over the processes of `group`, a Processes: for searches of the core. */
  static int64_t SumOver(void *group, int64_t value);

  /** Runs this process's part of a step. Returns true if the step failed on no process. */
  bool Step(const std::function<void()> &work);

  /** Plans dataset `i` with at most `limit` items (0: no limit). Returns the bytes that its output
   * takes; on failure sets Failure. */
  using Planner = std::function<double(size_t i, int64_t limit)>;

  /** Limit of the bytes that the outputs may take on this machine. */
  double Allowed() const;

  /** Calls `plan` for each dataset until one fails; the limit of items is what fits into the part
   * of `most` bytes that earlier datasets have left. bytesPerItem: for each dataset, 0 for datasets
   * that are left out. The first `shared` datasets are planned by all processes together.
   * Collective; true if none has failed. */
  bool PlanEach(double most, const std::vector<double> &bytesPerItem, size_t shared,
                const Planner &plan);

  /** True if every process has failed because its output would be too large. Collective. */
  bool AllTooLarge() const;

  /** Makes the execution fail with this sentence, which process 0 shows. Collective. */
  void FailTogether(const std::string &sentence);

  /** Sets the estimate. Returns true if the size is within the limit. Otherwise the execution fails
   * with an error that ends in `otherwise`, what to do about it. Collective. */
  bool IsAllowed(const OutputSize &size, const char *otherwise);

  /** Makes the output of each dataset, in the order of Blocks, until one fails or the user aborts,
   * and puts the outputs into the order of the input. The first `shared` ones are made by all
   * processes together. Collective; true if none has failed. */
  bool FillEach(size_t datasets, size_t shared,
                const std::function<vtkSmartPointer<vtkDataObject>(size_t dataset)> &fill);

  /** Turns an abort by the user into a failure. */
  void CheckAborted();

  /** Adds the block to the error if the failure is due to this dataset's data and the input has
   * several datasets. */
  void NameBlock(size_t dataset);

  /** Adds the core's notes about a dataset. shift: number of the dataset's first item. */
  void AddNotes(const tsr_note_count *notes, int kinds, unsigned int block, int64_t shift = 0);

  /** Combines the reports, notes and messages of all processes. Collective. */
  void AgreeOnReport();

  vtkDataObject *Input; /**< the caller's, or one that the filter makes of it first */
  ThreadRunner &Runner;
  Processes Group;
  bool Composite; /**< is the input a composite, on any process? */
  std::vector<vtkSmartPointer<vtkDataObject>> Outputs;
  WarningList Messages;
  Notes AllNotes;
  Report Total;
  tsr_error Failure;
  std::vector<unsigned int> Blocks;                       /**< composite index of each dataset */
  int LargestOutput = 0;                                  /**< MiB; 0 = a quarter of the memory */
  double Limit = std::numeric_limits<double>::infinity(); /**< LargestOutput in bytes */
  bool OnlyEstimate = false;
  std::string EstimateSentence;

private:
  /** Puts the outputs, made in the order of Blocks, into the order of the input's datasets. */
  void PlaceOutputs(const std::vector<vtkSmartPointer<vtkDataObject>> &made);

  std::string Sentence;
};

} // namespace tessera

#endif
