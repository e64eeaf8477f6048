/* SPDX-License-Identifier: BSD-3-Clause */
/** The largest numbers under names, of one process and of several, which threads play: against a
 *  table that is filled by a loop. */
#include <string.h>

#include "check.h"
#include "ranks.h"

enum { NAMES = 5, NUMBERS = 4 };
static const char *const names[NAMES] = {"velocity", "", "p", "pressure", "\xc3\xa9t\xc3\xa9"};

/** What process `rank` adds: which names and numbers differ from one to the next. */
static int has(int rank, int name) { return (rank + name) % 3 != 0; }
static int numbers_of(int rank, int name) { return 1 + (rank * 7 + name) % NUMBERS; }
static double number(int rank, int name, int k) {
  return (double)((rank * 31 + name * 17 + k * 5) % 23 - 11);
}

typedef struct process {
  tsr_maxima maxima;
  tsr_status status;
} process;

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  tsr_error error;
  for (int name = 0; name < NAMES; name++) {
    for (int k = 0; has(processes->rank, name) && k < numbers_of(processes->rank, name); k++) {
      const double one = number(processes->rank, name, k);
      tsr_maxima_add(&p->maxima, names[name], k, &one, 1, &error);
    }
  }
  p->status = tsr_maxima_agree(&p->maxima, processes, &error);
}

static void agreements(void) {
  for (int n = 1; n <= MAX_RANKS; n++) {
    process p[MAX_RANKS];
    memset(p, 0, sizeof p);
    ranks_run(n, work, p, sizeof *p);
    for (int r = 0; r < n; r++) {
      int64_t known = 0;
      CHECK_INT(p[r].status, TSR_OK);
      for (int name = 0; name < NAMES; name++) {
        double most[NUMBERS];
        int count = 0, found;
        for (int k = 0; k < NUMBERS; k++) {
          most[k] = -(double)INFINITY;
          for (int rank = 0; rank < n; rank++) {
            if (has(rank, name) && k < numbers_of(rank, name)) {
              most[k] = fmax(most[k], number(rank, name, k));
              count = count > k + 1 ? count : k + 1;
            }
          }
        }
        const double *made = tsr_maxima_find(&p[r].maxima, names[name], &found);
        CHECK_INT(found, count);
        known += made != NULL;
        for (int k = 0; k < found && k < count; k++) {
          CHECK_NEAR(made[k], most[k], 0.0);
        }
      }
      CHECK_INT(p[r].maxima.n, known);
      for (int64_t k = 1; k < p[r].maxima.n; k++) { /* in order */
        const double *unused;
        int count;
        CHECK(strcmp(tsr_maxima_get(&p[r].maxima, k - 1, &unused, &count),
                     tsr_maxima_get(&p[r].maxima, k, &unused, &count)) < 0);
      }
      tsr_maxima_free(&p[r].maxima);
      CHECK(p[r].maxima.n == 0 && p[r].maxima.all == NULL);
    }
  }
}

static void ranges(void) {
  tsr_maxima m = {0};
  tsr_error error;
  const double first[2] = {-1.0, 3.0}, second[2] = {5.0, -4.0}, far[2] = {1e308, 1e308};
  CHECK(tsr_maxima_widest(&m, "v") == 0.0);
  tsr_maxima_add(&m, "v", 0, first, 2, &error); /* 1 to 3 */
  CHECK(tsr_maxima_widest(&m, "v") == 2.0);
  tsr_maxima_add(&m, "v", 4, second, 2, &error); /* -5 to -4; component 1 is not known */
  CHECK(tsr_maxima_widest(&m, "v") == 2.0);
  tsr_maxima_add(&m, "v", 4, first, 2, &error); /* with the one before -5 to 3 */
  CHECK(tsr_maxima_widest(&m, "v") == 8.0);
  CHECK(tsr_maxima_widest(&m, "w") == 0.0);
  tsr_maxima_add(&m, "w", 0, far, 2, &error);
  CHECK(tsr_maxima_widest(&m, "w") == 1e300);
  tsr_maxima_free(&m);
}

int main(void) {
  agreements();
  ranges();
  return check_result();
}
