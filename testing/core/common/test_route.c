/* SPDX-License-Identifier: BSD-3-Clause */
/** Tuples and texts that go from process to process: each arrives where it is to, whole, and in the
 *  order of the processes and their tuples. Threads play the processes. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

enum { TUPLES = 50, COMPONENTS = 2, LONGEST = 6 };

/** What tuple i of a process is: how many there are, where it goes, what its texts say. */
static int64_t count_of(int rank) { return rank % 3 == 2 ? 0 : TUPLES - 7 * rank; }
static int32_t target_of(int rank, int64_t i, int n) {
  return (int32_t)((i * 13 + rank * 5 + i / 7) % n);
}
static int64_t number_of(int rank, int64_t i, int c) { return rank * 1000000 + i * 10 + c; }
static int length_of(int rank, int64_t i, int c) { return (int)((rank + i + 3 * c) % LONGEST); }

typedef struct process {
  tsr_route route;
  int64_t numbers[MAX_RANKS * TUPLES * COMPONENTS], lengths[MAX_RANKS * TUPLES * COMPONENTS];
  char *texts;
  tsr_status made, moved, told;
} process;

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  const int64_t n = count_of(processes->rank);
  int32_t target[TUPLES];
  int64_t numbers[TUPLES * COMPONENTS], lengths[TUPLES * COMPONENTS];
  char texts[TUPLES * COMPONENTS * LONGEST], *at = texts;
  tsr_error error;
  for (int64_t i = 0; i < n; i++) {
    target[i] = target_of(processes->rank, i, processes->n);
    for (int c = 0; c < COMPONENTS; c++) {
      numbers[i * COMPONENTS + c] = number_of(processes->rank, i, c);
      lengths[i * COMPONENTS + c] = length_of(processes->rank, i, c);
      memset(at, (int)('a' + (processes->rank + i) % 26), LONGEST);
      at += length_of(processes->rank, i, c);
    }
  }
  p->made = tsr_route_make(&p->route, processes, target, n, &error);
  p->moved = tsr_route_move(&p->route, processes, numbers, COMPONENTS * sizeof *numbers, p->numbers,
                            &error);
  p->told = tsr_route_move_texts(&p->route, processes, COMPONENTS, lengths, texts, p->lengths,
                                 &p->texts, &error);
}

static void check_arrivals(const process *p, int rank, int n) {
  int64_t at = 0;
  const char *text = p->texts;
  for (int source = 0; source < n; source++) {
    const int64_t before = at;
    for (int64_t i = 0; i < count_of(source); i++) {
      if (target_of(source, i, n) != rank) {
        continue;
      }
      for (int c = 0; c < COMPONENTS; c++) {
        CHECK_INT(p->numbers[at * COMPONENTS + c], number_of(source, i, c));
        CHECK_INT(p->lengths[at * COMPONENTS + c], length_of(source, i, c));
        for (int k = 0; k < length_of(source, i, c); k++) {
          CHECK_INT(*text++, 'a' + (source + i) % 26);
        }
      }
      at++;
    }
    CHECK_INT(p->route.from[source], at - before);
  }
  CHECK_INT(p->route.n_received, at);
  CHECK_INT(p->route.n_sent, count_of(rank));
}

/** One process without memory for what comes: all fail, none waits. */
static void work_without(void *data, const tsr_processes *processes) {
  process *p = data;
  const int32_t target[1] = {0};
  const int64_t number = 5;
  tsr_error error;
  tsr_route_make(&p->route, processes, target, 1, &error);
  p->moved = tsr_route_move(&p->route, processes, &number, sizeof number, NULL, &error);
  tsr_route_free(&p->route);
}

int main(void) {
  static process p[MAX_RANKS];
  for (int n = 1; n <= MAX_RANKS; n++) {
    memset(p, 0, sizeof p);
    ranks_run(n, work, p, sizeof *p);
    for (int r = 0; r < n; r++) {
      CHECK(p[r].made == TSR_OK && p[r].moved == TSR_OK && p[r].told == TSR_OK);
      check_arrivals(&p[r], r, n);
      free(p[r].texts);
      tsr_route_free(&p[r].route);
      CHECK(p[r].route.sent == NULL && p[r].route.n_sent == 0);
    }
  }
  memset(p, 0, sizeof p);
  ranks_run(3, work_without, p, sizeof *p);
  CHECK_INT(p[0].moved, TSR_NO_MEMORY);
  CHECK(p[1].moved == TSR_ABORTED && p[2].moved == TSR_ABORTED);
  return check_result();
}
