// SPDX-License-Identifier: BSD-3-Clause
#include "frame/run/TesseraThreads.h"

#include "frame/data/TesseraMemory.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#ifdef __unix__
#include <unistd.h>
#endif

namespace tessera {

namespace {

/** A loop that several threads run together. */
class Loop {
public:
  Loop(const std::function<void()> &work, size_t threads) : Work(work), Running(threads) {}

  void Run() {
    this->Work();
    // Notifies with the lock held: the waiting thread destroys this object.
    const std::lock_guard<std::mutex> hold(this->Lock);
    if (--this->Running == 0) {
      this->Ended.notify_all();
    }
  }

  /** True when all threads are through. */
  bool WaitFor(std::chrono::milliseconds most) {
    std::unique_lock<std::mutex> hold(this->Lock);
    return this->Ended.wait_for(hold, most, [this] { return this->Running == 0; });
  }

private:
  const std::function<void()> &Work;
  std::mutex Lock;
  std::condition_variable Ended;
  size_t Running;
};

/** A thread that waits for loops to take part in, to the end of the process. */
class Worker {
public:
  Worker() {
    std::thread([this] { this->WaitForLoops(); }).detach();
  }

  void Start(Loop *loop) {
    const std::lock_guard<std::mutex> hold(this->Lock);
    this->Next = loop;
    this->Changed.notify_one();
  }

private:
  void WaitForLoops() {
    std::unique_lock<std::mutex> hold(this->Lock);
    for (;;) {
      this->Changed.wait(hold, [this] { return this->Next != nullptr; });
      Loop *loop = this->Next;
      this->Next = nullptr;
      hold.unlock();
      loop->Run();
      hold.lock();
    }
  }

  std::mutex Lock;
  std::condition_variable Changed;
  Loop *Next = nullptr;
};

/** Workers that wait. */
struct Idle {
  std::mutex Lock;
  std::vector<Worker *> Workers; /**< with room for all */
  size_t All = 0;                /**< with those that work */
  long Process = 0;
};

long ThisProcess() {
#ifdef __unix__
  return getpid();
#else
  return 1;
#endif
}

/** Never destroyed, as its workers: their threads wait when the process ends. */
Idle &Waiting() {
  static Idle *idle = new Idle;
  return *idle;
}

/** Takes up to `wanted` threads, those that are idle and as many new ones as can be started. */
std::vector<Worker *> TakeWorkers(size_t wanted) {
  Idle &idle = Waiting();
  const std::lock_guard<std::mutex> hold(idle.Lock);
  std::vector<Worker *> taken;
  taken.reserve(wanted);
  if (idle.Process != ThisProcess()) { // a fork has no threads of the process that it comes from
    idle.Workers.clear();
    idle.All = 0;
    idle.Process = ThisProcess();
  }
  for (; taken.size() < wanted && !idle.Workers.empty(); idle.Workers.pop_back()) {
    taken.push_back(idle.Workers.back());
  }
  try {
    while (taken.size() < wanted && CanStart(static_cast<int>(wanted - taken.size()))) {
      idle.Workers.reserve(idle.All + 1);
      taken.push_back(new Worker);
      ++idle.All;
    }
  } catch (const std::exception &) { // no memory, or no more threads
  }
  return taken;
}

void GiveWorkers(const std::vector<Worker *> &workers) {
  Idle &idle = Waiting();
  const std::lock_guard<std::mutex> hold(idle.Lock);
  idle.Workers.insert(idle.Workers.end(), workers.begin(), workers.end());
}

} // namespace

void RunOnThreads(int threads, const std::function<void()> &work,
                  const std::function<void()> &watch) {
  const std::vector<Worker *> workers = TakeWorkers(static_cast<size_t>(threads));
  if (workers.empty()) {
    work();
    return;
  }
  Loop loop(work, workers.size());
  for (Worker *worker : workers) {
    worker->Start(&loop);
  }
  std::exception_ptr failure;
  while (!loop.WaitFor(std::chrono::milliseconds(50))) {
    try {
      watch();
    } catch (...) { // the threads work on what the caller would destroy
      failure = std::current_exception();
    }
  }
  GiveWorkers(workers);
  if (failure) {
    std::rethrow_exception(failure);
  }
}

} // namespace tessera
