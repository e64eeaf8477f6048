// SPDX-License-Identifier: BSD-3-Clause
/** One execution of a filter over all leaves and processes: what every filter's has in common. */
#ifndef TesseraJob_h
#define TesseraJob_h

#include "frame/TesseraExecution.h"
#include "frame/report/TesseraLimit.h"
#include "frame/report/TesseraNotes.h"
#include "frame/report/TesseraReport.h"
#include "mpi/TesseraProcesses.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

class vtkDataObject;

namespace tessera {

/**
 * The steps are collective and come in one order on every process, whatever leaves it has: after
 * each the processes agree whether any has failed, so none waits for one that has given up.
 */
class Job {
public:
  virtual ~Job();
  Job(const Job &) = delete;
  Job &operator=(const Job &) = delete;

  /** largestOutput: most MiB on a machine; 0 = a quarter of its memory. only: Run ends when the
   * size is known. */
  void SetLimit(int largestOutput, bool only);

  /** What would be made, in a sentence, after an estimate. */
  const std::string &Estimate() const { return this->EstimateSentence; }

  /** Does it all. False where it failed on any process; Error() is then set. */
  virtual bool Run() = 0;

  /** Why it failed: empty on a process that has nothing to tell, or after an abort. */
  const std::string &Error() const { return this->Sentence; }

  /** One sentence for each thing that the user should know. */
  virtual std::vector<std::string> Warnings() const;

  /** One for every leaf of the input; NULL for leaves that are not supported. */
  const std::vector<vtkSmartPointer<vtkDataObject>> &Results() const { return this->Outputs; }

  /** Of all processes together. */
  const Report &Summary() const { return this->Total; }

protected:
  /** kinds: how many kinds of notes the filter has. `input` has to outlive this. Collective. */
  Job(vtkDataObject *input, Execution &execution, int kinds);

  /** The note as a sentence. `where`: the place of the first item beyond its number. */
  virtual std::string NoteSentence(int kind, const tsr_note_count &note,
                                   const std::string &where) const = 0;

  /** A sentence of the core, which knows of one leaf only, and where its first item is. */
  static std::string WithPlace(const char *sentence, const std::string &where);

  /** What was said of the array of that name, for the end of a sentence: "the array ..."; empty
   * where nothing was. */
  static std::string ReasonFor(const std::string &name, const std::set<std::string> &messages);

  /** Does the work of this process; true where it failed on none. */
  bool Step(const std::function<void()> &work);

  /** Plans leaf `i` with at most `limit` items (0: no limit); gives the bytes that its output
   * takes, and leaves its failure in Failure. */
  using Planner = std::function<double(size_t i, int64_t limit)>;

  /** Most bytes that the outputs may take on this machine. */
  double Allowed() const;

  /** Calls `plan` for each leaf with as many items as fit into what is left of `most` bytes, until
   *  one fails. bytesPerItem: of each leaf, 0 for those that are left out. The first `shared` ones
   * are planned by all processes together. Collective; true where none has failed. */
  bool PlanEach(double most, const std::vector<double> &bytesPerItem, size_t shared,
                const Planner &plan);

  /** Has every process failed since its output would be too large? Collective. */
  bool AllTooLarge() const;

  /** Ends with this sentence, told by process 0. Collective. */
  void FailTogether(const std::string &sentence);

  /** Sets the estimate; true where the size is within the limit. Else it ends with a refusal, which
   *  says `otherwise` what to do. Collective. */
  bool IsAllowed(const OutputSize &size, const char *otherwise);

  /** Makes the output of each leaf, in the order of Blocks, until one fails or the user stops it,
   * and puts them into the order of the input. The first `shared` ones are made by all processes
   *  together. Collective; true where none has failed. */
  bool FillEach(size_t leaves, size_t shared,
                const std::function<vtkSmartPointer<vtkDataObject>(size_t leaf)> &fill);

  /** Makes it a failure that the user has stopped the work. */
  void CheckAborted();

  /** Where this leaf's data is what failed, and the user cannot know which leaf: says so. */
  void NameBlock(size_t leaf);

  /** Adds the notes that the core has of a leaf; `shift`: the number of its first item. */
  void AddNotes(const tsr_note_count *notes, int kinds, unsigned int block, int64_t shift = 0);

  /** Brings together what the processes report, note and tell. Collective. */
  void AgreeOnReport();

  vtkDataObject *Input;
  Execution &Executor;
  Processes Group;
  const bool Composite; /**< is the input one, on any process? */
  std::vector<vtkSmartPointer<vtkDataObject>> Outputs;
  std::set<std::string> Messages;
  Notes AllNotes;
  Report Total;
  tsr_error Failure;
  std::vector<unsigned int> Blocks;                       /**< composite index of each leaf */
  int LargestOutput = 0;                                  /**< MiB; 0 = a quarter of the memory */
  double Limit = std::numeric_limits<double>::infinity(); /**< LargestOutput in bytes */
  bool OnlyEstimate = false;
  std::string EstimateSentence;

private:
  /** One output for each leaf of the input, in its order, of those that are made in the order of
   *  Blocks. */
  void PlaceOutputs(const std::vector<vtkSmartPointer<vtkDataObject>> &made);

  std::string Sentence;
};

} // namespace tessera

#endif
