/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: processes that share machines. A part of the public header; include tessera.h.
 *
 *  host: a number of the machine, the same for all processes on it. */
#ifndef TESSERA_MACHINE_H
#define TESSERA_MACHINE_H

#include "common/processes/tessera_processes.h"
#include "common/tessera_limit.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the launcher of this process (Open MPI, MPICH, Intel MPI, MVAPICH, Slurm) has put into the
 *  environment as its number on this machine; -1 = nothing. */
int64_t tsr_launcher_local_rank(void);

/** What a process knows about its place. */
typedef struct tsr_machine_place {
  int64_t host;
  int64_t local; /**< its number there, as the launcher says; -1 = it says nothing */
} tsr_machine_place;

/**
 * The number of process `rank` of n among those of its machine: each takes a GPU of its own by it.
 * The launcher's numbers are taken where they differ there; they do not where a variable was
 * inherited from a batch job, and then the processes are counted in the order of their ranks.
 */
int64_t tsr_local_rank(const tsr_machine_place *places, int n, int rank);

/**
 * Does what this process puts out, with that of the others on its machine, fit into memory?
 * Collective.
 * points, bytes: of this process. available: of tsr_memory.
 * TOO_LARGE, with numbers at the end of a sentence, where it does not; ABORTED.
 */
tsr_status tsr_machine_check(const tsr_processes *processes, int64_t host, double points,
                             double bytes, double available, tsr_error *error);

/** Joins what processes estimate: the count becomes that of all, the bytes those of the machine
 * with the most. Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_estimate_agree(tsr_estimate *estimate, const tsr_processes *processes, int64_t host,
                              tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
