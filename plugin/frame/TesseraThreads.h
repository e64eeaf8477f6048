// SPDX-License-Identifier: BSD-3-Clause
/** Threads that stay. VTK 9.2 starts its own anew for every loop: sixteen of them took 4 ms, as
 * long as the bus takes for 200 MB. */
#ifndef TesseraThreads_h
#define TesseraThreads_h

#include <functional>

namespace tessera {

/**
 * Calls `work`, which must not throw, on so many threads at once: each call is to take pieces until
 * there are none left, so that fewer threads, where the system gives no more of them, do it all,
 * too. Meanwhile the calling thread calls `watch` every 50 ms. Returns when all calls have.
 */
void RunOnThreads(int threads, const std::function<void()> &work,
                  const std::function<void()> &watch);

} // namespace tessera

#endif
