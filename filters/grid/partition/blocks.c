/* SPDX-License-Identifier: BSD-3-Clause */
/** Which blocks of a composite are one grid that several processes hold pieces of. */
#include "grid/partition/box.h"

#include <stdlib.h>
#include <string.h>

tsr_grid_box tsr_grid_own_box(const int64_t extent[6], const uint8_t *flags, uint8_t copies) {
  tsr_grid_box all, own = tsr_box_empty();
  int64_t counts[3], cell[3], at = 0, n = 0;
  memcpy(all.at, extent, sizeof all.at);
  if (!flags || tsr_grid_box_is_empty(&all))
    return all;
  tsr_box_counts(&all, 1, counts);
  for (cell[2] = 0; cell[2] < counts[2]; ++cell[2])
    for (cell[1] = 0; cell[1] < counts[1]; ++cell[1])
      for (cell[0] = 0; cell[0] < counts[0]; ++cell[0], ++at) {
        tsr_grid_box one;
        if (flags[at] & copies)
          continue;
        for (int a = 0; a < 3; ++a) {
          one.at[2 * a] = all.at[2 * a] + cell[a];
          one.at[2 * a + 1] = one.at[2 * a] + (tsr_box_points(&all, a) > 1 ? 1 : 0);
        }
        own = tsr_box_around(&own, &one);
        ++n;
      }
  return n == tsr_grid_box_values(&own, 1) ? own : tsr_box_empty();
}

static int compare_pieces(const void *a, const void *b) {
  const tsr_grid_piece *x = a, *y = b;
  const int64_t block = (x->block > y->block) - (x->block < y->block);
  return block != 0 ? (int)block : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Has the piece one layer of points along an axis where the whole has more? It has no cells then
 * that could be a part. */
static int is_thinner(const tsr_grid_box *piece, const tsr_grid_box *all) {
  int thinner = 0;
  for (int a = 0; a < 3; ++a)
    thinner = thinner || (tsr_box_points(piece, a) == 1 && tsr_box_points(all, a) > 1);
  return thinner;
}

/* Are these pieces of one kind, and a box without overlap? */
static int tile(const tsr_grid_piece *pieces, int64_t n) {
  tsr_grid_box all = tsr_box_empty();
  int64_t cells = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (tsr_grid_box_is_empty(&pieces[i].own) || pieces[i].kind != pieces[0].kind)
      return 0;
    for (int64_t j = 0; j < i; ++j) {
      const tsr_grid_box both = tsr_box_common(&pieces[i].own, &pieces[j].own, 1);
      if (!tsr_grid_box_is_empty(&both))
        return 0;
    }
    all = tsr_box_around(&all, &pieces[i].own);
    cells += tsr_grid_box_values(&pieces[i].own, 1);
  }
  for (int64_t i = 0; i < n; ++i)
    if (is_thinner(&pieces[i].own, &all))
      return 0;
  return n > 1 && cells == tsr_grid_box_values(&all, 1);
}

tsr_status tsr_grid_shared_pieces(const tsr_processes *processes, const tsr_grid_piece *mine,
                                  int64_t n, tsr_grid_piece **shared, int64_t *n_shared,
                                  tsr_error *error) {
  tsr_grid_piece *all, *own = tsr_alloc(n, sizeof *own, "the pieces of blocks", error);
  int64_t bytes, end;
  void *gathered;
  tsr_status status;
  *shared = NULL;
  *n_shared = 0;
  for (int64_t i = 0; own && i < n; ++i) {
    own[i] = mine[i];
    own[i].rank = processes->rank;
  }
  status = tsr_processes_gather_bytes(processes, own ? TSR_OK : TSR_NO_MEMORY, own,
                                      n * (int64_t)sizeof *own, &gathered, NULL, &bytes, error);
  free(own);
  if (status != TSR_OK)
    return status;
  all = gathered;
  n = bytes / (int64_t)sizeof *all;
  if (n > 0)
    qsort(all, (size_t)n, sizeof *all, compare_pieces);
  for (int64_t begin = 0; begin < n; begin = end) {
    for (end = begin + 1; end < n && all[end].block == all[begin].block;)
      ++end;
    if (tile(all + begin, end - begin)) {
      memmove(all + *n_shared, all + begin, (size_t)(end - begin) * sizeof *all);
      *n_shared += end - begin;
    }
  }
  *shared = all;
  return TSR_OK;
}

void tsr_grid_pieces_free(tsr_grid_piece *pieces) { free(pieces); }
