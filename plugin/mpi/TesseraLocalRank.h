// SPDX-License-Identifier: BSD-3-Clause
/** The number of a process among those of its machine: each takes a GPU of its own by it. */
#ifndef TesseraLocalRank_h
#define TesseraLocalRank_h

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

/** What a process knows about its place. */
struct Place {
  int64_t Host;  /**< the same number on every process of a machine */
  int64_t Local; /**< its number there, as the launcher says; -1 = it says nothing */
};

/** What the launcher of this process (Open MPI, MPICH, Intel MPI, MVAPICH, Slurm) has put into the
 *  environment as its number on this machine; -1 = nothing. */
int64_t LauncherLocalRank();

/**
 * The number of process `rank` among those of its machine. The launcher's numbers are taken where
 * they differ there; they do not where a variable was inherited from a batch job, and then the
 * processes are counted in the order of their ranks.
 */
int64_t LocalRank(const std::vector<Place> &places, std::size_t rank);

} // namespace tessera

#endif
