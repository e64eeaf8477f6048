// SPDX-License-Identifier: BSD-3-Clause
// A thread that is kept between copies. Starting a thread for each copy, as VTK does for each loop,
// takes half a millisecond, and its first CUDA call another half: together as long as a copy of 50
// MB.
#ifndef TSR_COMMON_TRANSFER_WORKER_CUH
#define TSR_COMMON_TRANSFER_WORKER_CUH

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

class tsr_worker {
public:
  tsr_worker() : thread([this]() { work(); }) {}
  ~tsr_worker() {
    start(nullptr);
    thread.join();
  }

  // Runs the task on the thread; nullptr ends the thread.
  void start(std::function<void()> task_) {
    {
      const std::lock_guard<std::mutex> hold(lock);
      task = std::move(task_);
      busy = true;
    }
    changed.notify_all();
  }

  // Waits until the task that was started is done.
  void wait() {
    std::unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [this]() { return !busy; });
  }

private:
  void work() {
    std::unique_lock<std::mutex> hold(lock);
    for (;;) {
      changed.wait(hold, [this]() { return busy; });
      if (!task)
        return;
      hold.unlock();
      task();
      hold.lock();
      busy = false;
      changed.notify_all();
    }
  }

  std::mutex lock;
  std::condition_variable changed;
  std::function<void()> task;
  bool busy = false;
  std::thread thread; // the last: it uses the others
};

#endif
