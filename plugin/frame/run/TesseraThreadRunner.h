// SPDX-License-Identifier: BSD-3-Clause
/** How a filter runs the core: number of threads (as many as VTK would use), progress, abort,
 * clock. */
#ifndef TesseraThreadRunner_h
#define TesseraThreadRunner_h

#include "tessera.h"

#include <vtkType.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

class vtkAlgorithm;
class vtkDataObject;
class vtkDataSet;

namespace tessera {

class OldTrees;

/** When `dataset`, a part of `input`, last changed: the latest of its own time, the times of its
 * arrays, and the time when the pipeline last made `input`. */
vtkMTimeType LastChange(vtkDataObject *input, vtkDataSet *dataset);

/** Threads, progress and abort of one RequestData. */
class ThreadRunner {
public:
  /** settings: what the user has set; with device -1, the processes of a machine take different
   * devices. threads: number of threads; 0 = all. `self` receives the progress and is asked whether
   * to abort. Collective. */
  ThreadRunner(vtkAlgorithm *self, const tsr_execution &settings, int threads);
  ThreadRunner(const ThreadRunner &) = delete;
  ThreadRunner &operator=(const ThreadRunner &) = delete;

  const tsr_execution *Core() const { return &this->Settings; }

  /** Tells the core when the arrays of `dataset`, a part of `input`, last changed, so that they may
   * stay on a device for the filter's next execution. */
  void KnowArrays(vtkDataObject *input, vtkDataSet *dataset);

  /** Tells the core that a fill writes this array next, and nobody after it: if a device makes it,
   * a plan of this execution takes it from there. */
  void KnowMade(const void *array);

  /** Divides the work into `parts` parts. The filter's progress is the mean of their fractions, all
   * 0 at first. */
  void SetParts(size_t parts) { this->Done.assign(parts, 0.0); }

  /** Makes the progress that is reported from now on that of this part. */
  void StartPart(size_t part);

  /** Runs `work(begin, end)` over 0 to n - 1 in parts, each run at most once and, with several
   * threads, about `grain` long. If a part throws, others may not run, and the exception is thrown
   * again here. To be called on the thread that runs the filter. */
  void Share(int64_t n, int64_t grain, const std::function<void(int64_t, int64_t)> &work);

  /** Has the user asked to stop? To be called on the thread that runs the filter. */
  bool Aborted();

  OldTrees *Before =
      nullptr; /**< trees of the last output that the next one may reuse; NULL: none */

private:
  static void Run(void *self, int64_t n, int64_t grain, tsr_task task, void *data);
  static int Progress(void *self, double fraction);
  static std::uint64_t Generation(void *self, const void *data);

  void ShowProgress();

  vtkAlgorithm *Filter;
  tsr_execution Settings;
  int Threads;
  std::thread::id MainThread;
  std::map<const void *, std::uint64_t>
      Generations;          /**< generation of the array that begins at each address */
  std::vector<double> Done; /**< fraction of each part, except the current one */
  size_t Part = 0;
  double OtherParts = 0.0; /**< sum of the fractions of the other parts */
  double Shown = 0.0;
  double ShownAt = 0.0;         /**< time when progress was last shown, in seconds */
  std::atomic<double> Fraction; /**< fraction of the current part */
  std::atomic<bool> StopRequested;
};

} // namespace tessera

#endif
