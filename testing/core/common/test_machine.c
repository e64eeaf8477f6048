/* SPDX-License-Identifier: BSD-3-Clause */
/** Processes that share machines: which of them a process is, and what they take together. Threads
 *  play the processes. */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

static void set(const char *name, const char *value) {
  if (value) {
    setenv(name, value, 1);
  } else {
    unsetenv(name);
  }
}

static void launchers(void) {
  set("OMPI_COMM_WORLD_LOCAL_RANK", NULL);
  set("MPI_LOCALRANKID", NULL);
  set("MV2_COMM_WORLD_LOCAL_RANK", NULL);
  set("SLURM_LOCALID", NULL);
  CHECK_INT(tsr_launcher_local_rank(), -1);
  set("SLURM_LOCALID", "5");
  CHECK_INT(tsr_launcher_local_rank(), 5);
  set("MPI_LOCALRANKID", "4"); /* MPICH, in a job of Slurm */
  CHECK_INT(tsr_launcher_local_rank(), 4);
  set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
  CHECK_INT(tsr_launcher_local_rank(), 0);
  set("OMPI_COMM_WORLD_LOCAL_RANK", "two"); /* no number: the next one */
  CHECK_INT(tsr_launcher_local_rank(), 4);
  set("OMPI_COMM_WORLD_LOCAL_RANK", "3 of 8");
  CHECK_INT(tsr_launcher_local_rank(), 4);
  set("OMPI_COMM_WORLD_LOCAL_RANK", "-3");
  CHECK_INT(tsr_launcher_local_rank(), 4);
}

#define RANKS_ARE(what, n, ...)                                                                    \
  do {                                                                                             \
    static const struct {                                                                          \
      tsr_machine_place places[n];                                                                 \
      int64_t expected[n];                                                                         \
    } c = __VA_ARGS__;                                                                             \
    for (int r = 0; r < n; r++) {                                                                  \
      CHECK_SAY(tsr_local_rank(c.places, n, r) == c.expected[r], "%s: process %d", what, r);       \
    }                                                                                              \
  } while (0)

static void local_ranks(void) {
  RANKS_ARE("one process", 1, {{{7, -1}}, {0}});
  RANKS_ARE("one of several programs that share a machine", 1, {{{7, 3}}, {3}});
  RANKS_ARE("in the order of the ranks", 3, {{{7, -1}, {7, -1}, {7, -1}}, {0, 1, 2}});
  RANKS_ARE("two machines in turn", 4, {{{7, -1}, {9, -1}, {7, -1}, {9, -1}}, {0, 0, 1, 1}});
  RANKS_ARE("the launcher's own order", 4, {{{7, 1}, {9, 0}, {7, 0}, {9, 1}}, {1, 0, 0, 1}});
  RANKS_ARE("inherited numbers", 3, {{{7, 0}, {7, 0}, {7, 0}}, {0, 1, 2}});
  RANKS_ARE("only some have one", 4, {{{7, 0}, {7, -1}, {9, 1}, {9, 0}}, {0, 1, 1, 0}});
}

typedef struct process {
  int64_t host;
  double points, bytes, available;
  tsr_estimate estimate;
  tsr_status checked, agreed;
  tsr_error error;
} process;

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  p->estimate = (tsr_estimate){"points", p->points, p->bytes, 0};
  p->checked = tsr_machine_check(processes, p->host, p->points, p->bytes, p->available, &p->error);
  p->agreed = tsr_estimate_agree(&p->estimate, processes, p->host, NULL);
}

static void memory(void) {
  /* Machine 3 takes 70 of 69 bytes, 8 takes 80 of 80, of 5 nobody knows. */
  process p[6] = {{.host = 3, .points = 1, .bytes = 10, .available = 69},
                  {.host = 8, .points = 2, .bytes = 20, .available = 80},
                  {.host = 3, .points = 4, .bytes = 60, .available = 69},
                  {.host = 8, .points = 8, .bytes = 20, .available = 80},
                  {.host = 8, .points = 16, .bytes = 40, .available = 80},
                  {.host = 5, .points = 32, .bytes = 75, .available = INFINITY}};
  ranks_run(6, work, p, sizeof *p);
  for (int r = 0; r < 6; r++) {
    CHECK_INT(p[r].checked, p[r].host == 3 ? TSR_TOO_LARGE : TSR_OK);
    CHECK(p[r].host != 3 ||
          strcmp(p[r].error.text,
                 "the output would have 5 points and need 70 bytes of memory on this host, where "
                 "69 bytes are available; relax the tolerances or set a point budget") == 0);
    CHECK_INT(p[r].agreed, TSR_OK);
    CHECK(p[r].estimate.count == 63.0 && p[r].estimate.bytes == 80.0);
  }
}

int main(void) {
  launchers();
  local_ranks();
  memory();
  return check_result();
}
