// SPDX-License-Identifier: BSD-3-Clause
/** How a filter runs the core: as many threads as VTK would take, progress, abort, seconds. */
#ifndef TesseraExecution_h
#define TesseraExecution_h

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

/** When `leaf`, a part of `input`, was last changed: as it says, as any of its arrays says, or
 * since the pipeline made the whole of it anew. */
vtkMTimeType LastChange(vtkDataObject *input, vtkDataSet *leaf);

/** Lives as long as one RequestData. */
class Execution {
public:
  /** settings: what the user has set; where its device is -1, each process of a machine takes
   *  another one. threads: how many; 0 = all. `self` gets the progress and is asked whether to
   *  abort. Collective. */
  Execution(vtkAlgorithm *self, const tsr_execution &settings, int threads);
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  const tsr_execution *Core() const { return &this->Settings; }

  /** Lets the core know the arrays of `leaf`, a part of `input`, and since when they are as they
   * are: they may stay on a device for the filter's next execution. */
  void KnowArrays(vtkDataObject *input, vtkDataSet *leaf);

  /** The filter's progress is the mean of the fractions of so many parts, all 0 at first. */
  void SetParts(size_t parts) { this->Done.assign(parts, 0.0); }

  /** The calls that follow are about this part. */
  void StartPart(size_t part);

  /** Runs `work(begin, end)` for parts of 0 to n - 1, each of them at most once and, where more
   * than one thread runs, about `grain` long. Where one throws, the others may not run, and what it
   * threw is thrown here. To be called on the thread that runs the filter. */
  void Share(int64_t n, int64_t grain, const std::function<void(int64_t, int64_t)> &work);

  /** Has the user asked to stop? To be called on the thread that runs the filter. */
  bool Aborted();

  OldTrees *Before = nullptr; /**< trees that an output may take; NULL: there are none */

private:
  static void Run(void *self, int64_t n, int64_t grain, tsr_task task, void *data);
  static int Progress(void *self, double fraction);
  static std::uint64_t Generation(void *self, const void *data);

  void ShowProgress();

  vtkAlgorithm *Filter;
  tsr_execution Settings;
  int Threads;
  std::thread::id MainThread;
  std::map<const void *, std::uint64_t> Generations; /**< of the values that begin there */
  std::vector<double> Done; /**< fraction of each part, but for the present one */
  size_t Part = 0;
  double OtherParts = 0.0; /**< sum of their fractions */
  double Shown = 0.0;
  double ShownAt = 0.0;         /**< seconds of the clock */
  std::atomic<double> Fraction; /**< of the present part */
  std::atomic<bool> StopRequested;
};

} // namespace tessera

#endif
