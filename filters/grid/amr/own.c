/* SPDX-License-Identifier: BSD-3-Clause */
/** Blocks of AMR: boxes of the cells that are no copies of cells of other blocks. */
#include "grid/amr/amr.h"

#include <stdlib.h>
#include <string.h>

static tsr_status add(tsr_amr_boxes *boxes, const tsr_amr_box *box, tsr_error *error) {
  tsr_amr_box *at = tsr_grow(boxes->at, boxes->n, &boxes->room, 16, sizeof *at);
  if (!at)
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is not enough memory for the blocks");
  boxes->at = at;
  boxes->at[boxes->n++] = *box;
  return TSR_OK;
}

/** The cells of a block of which boxes are taken away. */
typedef struct {
  int64_t size[3];
  uint8_t *left; /* a flag for each */
} own_cells;

/** 1 if all cells [low, high) are left. */
static int has_all(const own_cells *own, const int64_t low[3], const int64_t high[3]) {
  for (int64_t k = low[2]; k < high[2]; ++k)
    for (int64_t j = low[1]; j < high[1]; ++j)
      for (int64_t i = low[0]; i < high[0]; ++i)
        if (!own->left[i + own->size[0] * (j + own->size[1] * k)])
          return 0;
  return 1;
}

/** Takes away the largest box that begins at a cell, grown along x, then y, then z. end: receives
 * the cell behind its last one. */
static void take(own_cells *own, const int64_t at[3], int64_t end[3]) {
  for (int a = 0; a < 3; ++a)
    end[a] = at[a] + 1;
  for (int a = 0; a < 3; ++a) {
    int64_t low[3] = {at[0], at[1], at[2]}, high[3] = {end[0], end[1], end[2]};
    for (; end[a] < own->size[a]; ++end[a]) {
      low[a] = end[a];
      high[a] = end[a] + 1;
      if (!has_all(own, low, high))
        break;
    }
  }
  for (int64_t k = at[2]; k < end[2]; ++k)
    for (int64_t j = at[1]; j < end[1]; ++j)
      memset(own->left + at[0] + own->size[0] * (j + own->size[1] * k), 0,
             (size_t)(end[0] - at[0]));
}

static tsr_status add_all(own_cells *own, const tsr_amr_box *whole, tsr_amr_boxes *boxes,
                          tsr_error *error) {
  tsr_status status = TSR_OK;
  int64_t at[3], end[3], cell = 0;
  for (at[2] = 0; at[2] < own->size[2]; ++at[2])
    for (at[1] = 0; at[1] < own->size[1]; ++at[1])
      for (at[0] = 0; at[0] < own->size[0] && status == TSR_OK; ++at[0], ++cell) {
        if (!own->left[cell])
          continue;
        tsr_amr_box box = *whole;
        take(own, at, end);
        for (int a = 0; a < 3; ++a) {
          box.low[a] = whole->low[a] + at[a];
          box.high[a] = whole->low[a] + end[a];
        }
        status = add(boxes, &box, error);
      }
  return status;
}

tsr_status tsr_amr_add_own(const tsr_amr_box *whole, const uint8_t *ghosts, tsr_amr_boxes *boxes,
                           tsr_error *error) {
  if (!ghosts)
    return add(boxes, whole, error);
  const int64_t n = tsr_amr_count(whole);
  own_cells own = {{whole->high[0] - whole->low[0], whole->high[1] - whole->low[1],
                    whole->high[2] - whole->low[2]},
                   tsr_alloc(n, 1, "the ghost cells of a block", error)};
  if (!own.left)
    return TSR_NO_MEMORY;
  for (int64_t cell = 0; cell < n; ++cell)
    own.left[cell] = !tsr_is_copy(ghosts[cell]);
  const tsr_status status = add_all(&own, whole, boxes, error);
  free(own.left);
  return status;
}
