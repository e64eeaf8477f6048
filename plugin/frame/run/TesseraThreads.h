// SPDX-License-Identifier: BSD-3-Clause
/** Threads that are kept between loops. VTK 9.2 starts its threads anew for every loop: for sixteen
 * of them that took 4 ms, as long as the bus takes for 200 MB. */
#ifndef TesseraThreads_h
#define TesseraThreads_h

#include <functional>

namespace tessera {

/**
 * Calls `work`, which must not throw, on `threads` threads at once. Each call should take pieces of
 * the work until none are left, so that fewer threads also do all of it if the system does not
 * provide more. Meanwhile the calling thread calls `watch` every 50 ms. Returns when all calls have
 * returned.
 */
void RunOnThreads(int threads, const std::function<void()> &work,
                  const std::function<void()> &watch);

} // namespace tessera

#endif
