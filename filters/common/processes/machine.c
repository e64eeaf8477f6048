/* SPDX-License-Identifier: BSD-3-Clause */
/** Processes that share machines: their numbers there, and the memory. */
#include "common/processes/tessera_machine.h"
#include "common/support.h"

#include <stdlib.h>

int64_t tsr_launcher_local_rank(void) {
  /* Slurm's comes last: inside a batch job another launcher's processes inherit it. */
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                      "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"};
  for (int k = 0; k < 4; ++k) {
    const char *text = getenv(names[k]);
    char *end = NULL;
    const long number = text ? strtol(text, &end, 10) : -1;
    if (text && end != text && *end == '\0' && number >= 0)
      return number;
  }
  return -1;
}

int64_t tsr_local_rank(const tsr_machine_place *places, int n, int rank) {
  const tsr_machine_place *mine = &places[rank];
  int64_t before = 0;
  int differ = 1;
  for (int i = 0; i < n; ++i) {
    if (places[i].host != mine->host)
      continue;
    before += i < rank;
    differ = differ && places[i].local >= 0;
    for (int k = 0; k < i; ++k)
      differ = differ && (places[k].host != mine->host || places[k].local != places[i].local);
  }
  return differ ? mine->local : before;
}

/* What a process puts out, and where. */
typedef struct load {
  int64_t host;
  double count, bytes;
} load;

/* The loads of all processes, for free(); NULL with *status and *error filled on failure. */
static load *gather_loads(const tsr_processes *processes, const load *mine, tsr_status *status,
                          tsr_error *error) {
  load *all = tsr_alloc(processes->n, sizeof *all, "the sizes of processes", error);
  *status = all ? tsr_processes_gather(processes, mine, sizeof *mine, all, error) : TSR_NO_MEMORY;
  if (*status != TSR_OK) {
    free(all);
    all = NULL;
  }
  return all;
}

/* Adds up what the processes of a machine put out. */
static load sum_of(const load *all, int n, int64_t host) {
  load sum = {host, 0.0, 0.0};
  for (int k = 0; k < n; ++k)
    if (all[k].host == host) {
      sum.count += all[k].count;
      sum.bytes += all[k].bytes;
    }
  return sum;
}

tsr_status tsr_machine_check(const tsr_processes *processes, int64_t host, double points,
                             double bytes, double available, tsr_error *error) {
  const load mine = {host, points, bytes};
  tsr_status status;
  load wanted, *all = gather_loads(processes, &mine, &status, error);
  if (!all)
    return status;
  wanted = sum_of(all, processes->n, host);
  free(all);
  if (wanted.bytes > available)
    status = tsr_fail(error, TSR_TOO_LARGE, -1,
                      "the output would have %.0f points and need %.0f bytes of memory on this "
                      "host, where %.0f bytes are available; relax the tolerances or set a point "
                      "budget",
                      wanted.count, wanted.bytes, available);
  return status;
}

tsr_status tsr_estimate_agree(tsr_estimate *estimate, const tsr_processes *processes, int64_t host,
                              tsr_error *error) {
  const load mine = {host, estimate->count, estimate->bytes};
  tsr_status status;
  load *all = gather_loads(processes, &mine, &status, error);
  if (!all)
    return status;
  estimate->count = estimate->bytes = 0.0;
  for (int k = 0; k < processes->n; ++k) {
    const load machine = sum_of(all, processes->n, all[k].host);
    estimate->count += all[k].count;
    estimate->bytes = machine.bytes > estimate->bytes ? machine.bytes : estimate->bytes;
  }
  free(all);
  return TSR_OK;
}
