/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: processes that run on the same machine. A part of the public header; include tessera.h.
 *
 *  host: a number that identifies the machine, equal for all processes on it. */
#ifndef TSR_COMMON_PROCESSES_TESSERA_MACHINE_H
#define TSR_COMMON_PROCESSES_TESSERA_MACHINE_H

#include "common/processes/tessera_processes.h"
#include "common/tessera_limit.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns this process's local rank on its machine from the environment variables of the launcher
 *  (Open MPI, MPICH, Intel MPI, MVAPICH, Slurm); -1 where none is set. */
int64_t tsr_launcher_local_rank(void);

/** The machine of a process, and its local rank there. */
typedef struct tsr_machine_place {
  int64_t host;
  int64_t local; /**< from tsr_launcher_local_rank; -1 = unknown */
} tsr_machine_place;

/**
 * Returns the local rank of process `rank` of n on its machine, by which each process takes a GPU
 * of its own. The launcher's local ranks are used if all processes of the machine have one and they
 * differ; processes that inherited a batch job's variable all have the same. Otherwise the
 * processes of the machine are counted in the order of their ranks.
 */
int64_t tsr_local_rank(const tsr_machine_place *places, int n, int rank);

/**
 * Checks that the outputs of all processes on each machine together fit into its memory.
 * Collective.
 * points, bytes: size of this process's output. available: tsr_system_memory.available.
 * Fails with TOO_LARGE, the numbers at the end of a sentence, and with ABORTED.
 */
tsr_status tsr_machine_check(const tsr_processes *processes, int64_t host, double points,
                             double bytes, double available, tsr_error *error);

/** Combines the estimates of all processes, in place: `count` becomes the sum over all processes,
 *  `bytes` the largest sum of a machine. Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_estimate_agree(tsr_estimate *estimate, const tsr_processes *processes, int64_t host,
                              tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
