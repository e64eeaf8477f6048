/* SPDX-License-Identifier: BSD-3-Clause */
/** Which blocks several processes hold parts of. */
#include "common/processes/tessera_holders.h"
#include "common/support.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const tsr_holder *x = a, *y = b;
  return x->block != y->block ? (x->block > y->block) - (x->block < y->block)
                              : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Moves the holders of blocks that have several to the front; returns how many they are. */
static int64_t keep_shared(tsr_holder *all, int64_t n) {
  int64_t kept = 0;
  for (int64_t begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && all[end].block == all[begin].block;)
      ++end;
    for (int64_t i = begin; end - begin > 1 && i < end; ++i)
      all[kept++] = all[i];
  }
  return kept;
}

tsr_status tsr_shared_blocks(const tsr_processes *processes, const int64_t *mine, int64_t n,
                             tsr_holder **shared, int64_t *count, tsr_error *error) {
  tsr_holder *own = tsr_alloc(n, sizeof *own, "the blocks of processes", error);
  void *all;
  int64_t bytes;
  tsr_status status;
  for (int64_t i = 0; own && i < n; ++i)
    own[i] = (tsr_holder){mine[i], processes->rank};
  status = tsr_processes_gather_bytes(processes, own ? TSR_OK : TSR_NO_MEMORY, own,
                                      n * (int64_t)sizeof *own, &all, NULL, &bytes, error);
  *shared = all;
  *count = bytes / (int64_t)sizeof **shared;
  if (*count > 0)
    qsort(*shared, (size_t)*count, sizeof **shared, compare);
  *count = keep_shared(*shared, *count);
  free(own);
  return status;
}
