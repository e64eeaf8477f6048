/* SPDX-License-Identifier: BSD-3-Clause */
/** Which arrays all processes have: against a loop over all of them. Threads play the processes. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

enum { KINDS = 6 };
/** Some have the same name, and differ in type or components. */
static const tsr_column kinds[KINDS] = {{"id", 4, 1, 0}, {"v", 10, 3, 0}, {"v", 10, 1, 0},
                                        {"v", 11, 3, 0}, {"", 1, 1, 0},   {"long name", 2, 9, 0}};

/** A set of bits for each process: which kinds it has, and whether it holds something. */
typedef struct process {
  int has, holds;
  tsr_common_column *all;
  int count;
  tsr_status status;
} process;

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  tsr_column mine[2 * KINDS];
  tsr_error error;
  int n = 0;
  for (int i = 0; i < KINDS; i++) { /* in another order in each process, its first one twice */
    const int kind = (i + processes->rank) % KINDS;
    const int copies = ((p->has >> kind) & 1) ? 1 + (n == 0) : 0;
    for (int copy = 0; copy < copies; copy++) {
      mine[n] = kinds[kind];
      mine[n++].roles = 100 + processes->rank;
    }
  }
  p->status = tsr_columns_agree(processes, p->holds, mine, n, &p->all, &p->count, &error);
}

/** What the list has to be. */
static void check_list(const process *p, int n, const process *all) {
  int at = 0, seen = 0;
  for (int r = 0; r < n; r++) {
    for (int i = 0; all[r].holds && i < KINDS; i++) {
      const int kind = (i + r) % KINDS;
      if (!((all[r].has >> kind) & 1) || ((seen >> kind) & 1)) {
        continue;
      }
      int everywhere = 1;
      for (int other = 0; other < n; other++) {
        everywhere = everywhere && (!all[other].holds || ((all[other].has >> kind) & 1));
      }
      seen |= 1 << kind;
      if (!CHECK(at < p->count)) {
        return;
      }
      const tsr_common_column *one = &p->all[at++];
      CHECK(strcmp(one->column.name, kinds[kind].name) == 0);
      CHECK_INT(one->column.type, kinds[kind].type);
      CHECK_INT(one->column.components, kinds[kind].components);
      CHECK_INT(one->column.roles, 100 + r);
      CHECK_SAY(one->everywhere == everywhere, "kind %d of %d processes: %d", kind, n,
                one->everywhere);
    }
  }
  CHECK_INT(p->count, at);
}

int main(void) {
  uint32_t state = 5;
  for (int run = 0; run < 200; run++) {
    const int n = 1 + run % MAX_RANKS;
    process p[MAX_RANKS];
    memset(p, 0, sizeof p);
    for (int r = 0; r < n; r++) {
      state = state * 1664525u + 1013904223u;
      p[r].has = (int)(state >> 24) | (run % 2 ? 3 : 0);
      p[r].holds = (state >> 20) % 4 != 0;
    }
    ranks_run(n, work, p, sizeof *p);
    for (int r = 0; r < n; r++) {
      CHECK_INT(p[r].status, TSR_OK);
      check_list(&p[r], n, p);
      free(p[r].all);
    }
  }
  return check_result();
}
