/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the list of a chunk's leaves. */
#include "curves/plan.h"

#include <stdlib.h>

int tsr_leaves_grow(tsr_leaves *leaves) {
  const int64_t room = leaves->room > 0 ? 2 * leaves->room : 16 * TSR_SPAN_CHUNK;
  uint32_t *more = realloc(leaves->fixed, (size_t)room * sizeof *more);
  if (!more)
    return 0;
  leaves->fixed = more;
  leaves->room = room;
  return 1;
}
