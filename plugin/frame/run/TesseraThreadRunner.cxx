// SPDX-License-Identifier: BSD-3-Clause
#include "frame/run/TesseraThreadRunner.h"

#include "frame/TesseraVersions.h"
#include "frame/run/TesseraThreads.h"
#include "mpi/TesseraProcesses.h"

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSMP.h>
#include <vtkSMPTools.h>
#include <vtkTimerLog.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <tuple>

#if defined(__linux__)
#include <sched.h>
#endif

namespace tessera {

namespace {

/** VTK's own choice, unless that is Sequential by nobody's wish, and threads are compiled in. TBB
 * keeps the first number of threads that VTK sets to the end of the program: std::thread takes its
 * place. */
std::string ChooseBackend() {
  const char *current = vtkSMPTools::GetBackend();
  const std::string name = current ? current : "";
#if VTK_SMP_ENABLE_STDTHREAD
  if (name == "TBB" || (name == "Sequential" && !std::getenv("VTK_SMP_BACKEND_IN_USE"))) {
    return "STDThread";
  }
#endif
  return name;
}

/** How many threads `backend` takes if `threads` are asked for. The answer is remembered, since VTK
 * reads the machine's number of cores from files of the system each time. Backend and number are
 * set in two steps: in one step, VTK would also set the number of the previous backend, and TBB
 * would keep it. */
int EstimateThreads(int threads, const std::string &backend) {
  static std::mutex lock;
  static std::map<std::tuple<int, std::string, std::string>, int> known;
  const char *most = std::getenv("VTK_SMP_MAX_THREADS"); // VTK's own limit, looked at each time
  const std::lock_guard<std::mutex> locked(lock);
  const auto [found, isNew] = known.try_emplace({threads, backend, most ? most : ""}, 1);
  if (isNew) {
    int &estimate = found->second;
    const auto ask = [&estimate]() { estimate = vtkSMPTools::GetEstimatedNumberOfThreads(); };
    vtkSMPTools::LocalScope(vtkSMPTools::Config(backend), [&]() {
      vtkSMPTools::LocalScope(vtkSMPTools::Config(threads, backend, false), ask);
    });
  }
  return found->second;
}

/** Threads for the setting 0, of those that VTK would take: it counts the cores of the machine, of
 *  which this process may be allowed only some. */
int ThreadsOnAllowedCores(int threads) {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return std::max(1, std::min(threads, CPU_COUNT(&allowed)));
  }
#endif
  return threads;
}

/** What threads share that run a function: the first exception, which must not leave a thread. */
struct SharedWork {
  const std::function<void(int64_t, int64_t)> &Work;
  std::atomic<bool> Failed{false};
  std::mutex Lock;
  std::exception_ptr Thrown;

  static void Task(void *data, int64_t begin, int64_t end) {
    SharedWork *self = static_cast<SharedWork *>(data);
    try {
      if (!self->Failed) {
        self->Work(begin, end);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> locked(self->Lock);
      self->Thrown = self->Thrown ? self->Thrown : std::current_exception();
      self->Failed = true;
    }
  }
};

/**
 * The index of the device that this process takes where the user names none. For the first process
 * of a machine it is -1, the core's own choice: a lone process then takes the first that works.
 */
int DeviceOfProcess(vtkIdType localRank) {
  const int devices = tsr_devices_present();
  const int device = devices > 0 ? static_cast<int>(localRank % devices) : 0;
  return device > 0 ? device : -1;
}

/** Calls work(array) for every array of `dataset`: its data, its points and its cells. */
template <typename Work> void ForArrays(vtkDataSet *dataset, const Work &work) {
  for (const int kind : {vtkDataObject::POINT, vtkDataObject::CELL}) {
    vtkDataSetAttributes *attributes = dataset->GetAttributes(kind);
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i) {
      work(attributes->GetAbstractArray(i));
    }
  }
  const auto workOnCells = [&work](vtkCellArray *cells) {
    if (cells) {
      work(cells->GetOffsetsArray());
      work(cells->GetConnectivityArray());
    }
  };
  vtkPointSet *points = vtkPointSet::SafeDownCast(dataset);
  if (points && points->GetPoints()) {
    work(points->GetPoints()->GetData());
  }
  if (vtkPolyData *polyData = vtkPolyData::SafeDownCast(dataset)) {
    for (vtkCellArray *cells : {polyData->GetVerts(), polyData->GetLines(), polyData->GetPolys(),
                                polyData->GetStrips()}) {
      workOnCells(cells);
    }
  } else if (vtkUnstructuredGrid *grid = vtkUnstructuredGrid::SafeDownCast(dataset)) {
    workOnCells(grid->GetCells());
    if (vtkDataArray *types = CellTypesArray(grid)) {
      work(types);
    }
  }
}

double Seconds() { return vtkTimerLog::GetUniversalTime(); }

} // namespace

ThreadRunner::ThreadRunner(vtkAlgorithm *self, const tsr_execution &settings, int threads)
    : Filter(self), Settings(settings), Threads(EstimateThreads(threads, ChooseBackend())),
      MainThread(std::this_thread::get_id()), Fraction(0.0), StopRequested(false) {
  if (threads == 0) {
    this->Threads = ThreadsOnAllowedCores(this->Threads);
  }
  const vtkIdType localRank = NodeLocalRank(Processes()); // collective, whatever is set
  if (this->Settings.device < 0 && this->Settings.backend != TSR_BACKEND_CPU) {
    this->Settings.device = DeviceOfProcess(localRank);
  }
  this->Settings.threads = this->Threads;
  this->Settings.run = ThreadRunner::Run;
  this->Settings.run_context = this;
  this->Settings.progress = ThreadRunner::Progress;
  this->Settings.progress_context = this;
  this->Settings.clock = Seconds;
  this->Settings.owner = self;
  this->Settings.generation = ThreadRunner::Generation;
  this->Settings.generation_context = this;
}

vtkMTimeType LastChange(vtkDataObject *input, vtkDataSet *dataset) {
  vtkMTimeType changed = std::max(input->GetUpdateTime(), dataset->GetMTime());
  ForArrays(dataset, [&changed](vtkAbstractArray *array) {
    changed = std::max(changed, array->GetMTime());
  });
  return changed;
}

void ThreadRunner::KnowArrays(vtkDataObject *input, vtkDataSet *dataset) {
  // Who writes into an array and does not say so at least says so of the dataset, or runs anew.
  const vtkMTimeType changed = std::max(input->GetUpdateTime(), dataset->GetMTime());
  ForArrays(dataset, [this, changed](vtkAbstractArray *array) {
    vtkDataArray *numbers = vtkDataArray::SafeDownCast(array);
    if (numbers && numbers->HasStandardMemoryLayout()) { // else the core gets a copy
      this->Generations[numbers->GetVoidPointer(0)] = std::max(changed, numbers->GetMTime());
    }
  });
}

void ThreadRunner::KnowMade(const void *array) {
  constexpr std::uint64_t NO_TIME = std::uint64_t{1} << 63; // later than any time of VTK
  static std::atomic<std::uint64_t> count(NO_TIME);
  this->Generations[array] = count++;
}

std::uint64_t ThreadRunner::Generation(void *context, const void *data) {
  const ThreadRunner *self = static_cast<ThreadRunner *>(context);
  const auto found = self->Generations.find(data);
  return found != self->Generations.end() ? found->second : 0;
}

void ThreadRunner::Share(int64_t n, int64_t grain,
                         const std::function<void(int64_t, int64_t)> &work) {
  SharedWork shared{work, {}, {}, {}};
  ThreadRunner::Run(this, n, grain, SharedWork::Task, &shared);
  if (shared.Thrown) {
    std::rethrow_exception(shared.Thrown);
  }
}

void ThreadRunner::StartPart(size_t part) {
  this->Done[this->Part] = this->Fraction;
  this->Part = part;
  this->Fraction = this->Done[part];
  this->OtherParts = std::accumulate(this->Done.begin(), this->Done.end(), -this->Done[part]);
}

bool ThreadRunner::Aborted() {
  const bool aborted = IsAborted(this->Filter);
  if (aborted) {
    this->StopRequested = true;
  }
  return aborted;
}

void ThreadRunner::ShowProgress() {
  const double parts = static_cast<double>(std::max<size_t>(this->Done.size(), 1));
  const double progress = (this->OtherParts + this->Fraction) / parts;
  // Observers may redraw a window: once per percent is enough. But it is there that users ask to
  // stop, so they hear of a slow percent, too.
  const double now = Seconds();
  if (progress >= this->Shown + 0.01 || now >= this->ShownAt + 0.2) {
    this->Shown = std::max(this->Shown, progress);
    this->ShownAt = now;
    this->Filter->UpdateProgress(this->Shown);
  }
  this->Aborted();
}

int ThreadRunner::Progress(void *context, double fraction) {
  ThreadRunner *self = static_cast<ThreadRunner *>(context);
  self->Fraction = fraction;
  // VTK's observers expect the thread that runs the filter.
  if (std::this_thread::get_id() == self->MainThread) {
    self->ShowProgress();
  }
  return self->StopRequested ? 1 : 0;
}

void ThreadRunner::Run(void *context, int64_t n, int64_t grain, tsr_task task, void *data) {
  ThreadRunner *self = static_cast<ThreadRunner *>(context);
  if (self->Threads == 1 || n <= grain) {
    task(data, 0, n);
    return;
  }
  // The main thread reports and listens meanwhile, however long an item takes. After a stop the
  // core, which has noticed, skips the rest.
  std::atomic<int64_t> next(0);
  const auto work = [=, &next]() {
    for (int64_t first = next.fetch_add(grain); first < n; first = next.fetch_add(grain)) {
      task(data, first, std::min(n, first + grain));
    }
  };
  const int64_t pieces = (n + grain - 1) / grain;
  RunOnThreads(static_cast<int>(std::min<int64_t>(self->Threads, pieces)), work,
               [self]() { self->ShowProgress(); });
  self->ShowProgress();
}

} // namespace tessera
