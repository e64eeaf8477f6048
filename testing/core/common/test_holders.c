/* SPDX-License-Identifier: BSD-3-Clause */
/** Which blocks several processes hold, which threads play: against a table of who holds what. */
#include <stdlib.h>

#include "check.h"
#include "ranks.h"

enum { BLOCKS = 9 };

/** The holders of a block, a bit each: nobody, one, some, all. */
static unsigned holders_of(int block, int ranks) {
  static const unsigned of[BLOCKS] = {0x00, 0x01, 0xff, 0x80, 0x12, 0x03, 0xc0, 0xfe, 0x08};
  return of[block] & ((1u << ranks) - 1u);
}

/** Blocks have any numbers. */
static int64_t number_of(int block) { return ((int64_t)block << 33) - 5; }

typedef struct process {
  tsr_holder *shared;
  int64_t count;
  tsr_status status;
} process;

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  int64_t mine[BLOCKS];
  int64_t n = 0;
  for (int i = 0; i < BLOCKS; i++) { /* in another order in each process */
    const int block = (i * 2 + processes->rank) % BLOCKS;
    if ((holders_of(block, processes->n) >> processes->rank) & 1) {
      mine[n++] = number_of(block);
    }
  }
  tsr_error error;
  p->status = tsr_shared_blocks(processes, n > 0 ? mine : NULL, n, &p->shared, &p->count, &error);
}

int main(void) {
  for (int n = 1; n <= MAX_RANKS; n++) {
    process p[MAX_RANKS];
    ranks_run(n, work, p, sizeof *p);
    for (int r = 0; r < n; r++) {
      int64_t at = 0;
      CHECK_INT(p[r].status, TSR_OK);
      for (int block = 0; block < BLOCKS; block++) {
        const unsigned holders = holders_of(block, n);
        for (int rank = 0; rank < n && (holders & (holders - 1)) != 0; rank++) {
          if (((holders >> rank) & 1) && CHECK(at < p[r].count)) {
            CHECK_INT(p[r].shared[at].block, number_of(block));
            CHECK_INT(p[r].shared[at].rank, rank);
            at++;
          }
        }
      }
      CHECK_INT(p[r].count, at);
      free(p[r].shared);
    }
  }
  return check_result();
}
