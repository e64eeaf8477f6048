/* SPDX-License-Identifier: BSD-3-Clause */
/** Blocks of AMR: the lattice in which they lie. */
#include "grid/amr/amr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tsr_status fail(const tsr_grid_amr_block *block, const char *text, tsr_error *error) {
  return tsr_fail(error, TSR_BAD_INPUT, -1, "block %lld of level %lld %s", (long long)block->number,
                  (long long)block->level, text);
}

static double smaller(double a, double b) { return a < b ? a : b; }

static double spacing_at(const tsr_grid_amr *amr, int halvings, int axis) {
  return ldexp(amr->sizes.spacing[axis], -halvings);
}

int tsr_amr_has_cells(const tsr_grid_amr *amr, const tsr_grid_amr_block *block) {
  int has = 0;
  for (int a = 0; a < 3; ++a)
    if (amr->sizes.cells[a] > 0) {
      has = 1;
      if (block->cells[a] == 0)
        return 0;
    }
  return has;
}

/** Checks the blocks one by one; finds the axes with cells, and the tolerance. */
static tsr_status check_blocks(tsr_grid_amr *amr, const tsr_grid_amr_block *blocks, int64_t n,
                               tsr_error *error) {
  double largest = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    const tsr_grid_amr_block *b = &blocks[i];
    if (b->level < 0 || b->level > TSR_AMR_LEVELS)
      return fail(b, "has a level outside 0..2^20", error);
    for (int a = 0; a < 3; ++a) {
      const double low = b->corner[a], high = low + (double)b->cells[a] * b->spacing[a];
      if (!(isfinite(low) && isfinite(high)) || b->cells[a] < 0 ||
          (b->cells[a] > 0 && !(b->spacing[a] > 0.0)))
        return fail(b, "needs a finite origin, and spacings above 0", error);
      amr->sizes.cells[a] = amr->sizes.cells[a] || b->cells[a] > 0;
      largest = fmax(largest, fmax(fabs(low), fabs(high)));
    }
  }
  amr->tolerance = TSR_LATTICE_TOLERANCE * largest;
  return TSR_OK;
}

/** Finds how often cells of a level are halved. block, coarser: the first ones of it and of the
 * next coarser level. */
static tsr_status add_level(tsr_grid_amr *amr, const tsr_grid_amr_block *block,
                            const tsr_grid_amr_block *coarser, tsr_error *error) {
  static const char advice[] = "refinement ratios must be 2, 4 or another power of 2, the same "
                               "along all axes";
  const long long level = block->level, above = coarser->level;
  int halvings = 0;
  double ratio = 0.0;
  for (int a = 0; a < 3; ++a) {
    if (amr->sizes.cells[a] == 0)
      continue;
    const double here = coarser->spacing[a] / block->spacing[a], power = round(log2(here));
    if (!(power >= 1.0 && fabs(ldexp(1.0, (int)power) - here) <= 1e-3 * here)) /* 3 is far from 2 */
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "cells of level %lld are %.6g times smaller than those of level %lld: %s",
                      level, here, above, advice);
    if (ratio != 0.0 && power != halvings)
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "cells of level %lld are %.6g times smaller than those of level %lld along "
                      "one axis and %.6g times along another: %s",
                      level, ratio, above, here, advice);
    halvings = (int)power;
    ratio = here;
  }
  halvings += amr->halvings[above];
  amr->halvings[level] = halvings;
  return halvings <= TSR_LATTICE_BITS
             ? TSR_OK
             : tsr_fail(error, TSR_BAD_INPUT, -1,
                        "level %lld has cells of 2^-%d of the coarsest ones; the limit is 2^-%d",
                        level, halvings, TSR_LATTICE_BITS);
}

static tsr_status find_levels(tsr_grid_amr *amr, const tsr_grid_amr_block *blocks, int64_t n,
                              tsr_error *error) {
  for (int64_t i = 0; i < n; ++i)
    if (tsr_amr_has_cells(amr, &blocks[i]) && blocks[i].level >= amr->n_levels)
      amr->n_levels = blocks[i].level + 1;
  const char *what = "the levels of the blocks";
  amr->halvings = tsr_alloc(amr->n_levels, sizeof *amr->halvings, what, error);
  const tsr_grid_amr_block **first =
      tsr_alloc_clear(amr->n_levels, sizeof *first, what, error); /* of each level */
  tsr_status status = amr->halvings && first ? TSR_OK : TSR_NO_MEMORY;
  for (int64_t i = n - 1; i >= 0 && status == TSR_OK; --i)
    if (tsr_amr_has_cells(amr, &blocks[i]))
      first[blocks[i].level] = &blocks[i];
  const tsr_grid_amr_block *coarser = NULL;
  for (int64_t level = 0; level < amr->n_levels && status == TSR_OK; ++level) {
    amr->halvings[level] = -1;
    if (!first[level])
      continue;
    if (coarser) {
      status = add_level(amr, first[level], coarser, error);
    } else {
      memcpy(amr->sizes.spacing, first[level]->spacing, sizeof amr->sizes.spacing);
      amr->halvings[level] = 0;
    }
    coarser = first[level];
  }
  free(first);
  return status;
}

static tsr_status check_spacing(const tsr_grid_amr *amr, const tsr_grid_amr_block *b,
                                tsr_error *error) {
  for (int a = 0; a < 3; ++a) {
    const double spacing = spacing_at(amr, amr->halvings[b->level], a);
    const double off = fabs(b->spacing[a] - spacing) * (double)(b->cells[a] > 1 ? b->cells[a] : 1);
    if (amr->sizes.cells[a] > 0 && !(off <= smaller(amr->tolerance, 0.25 * spacing)))
      return tsr_fail(
          error, TSR_BAD_INPUT, -1,
          "block %lld of level %lld has the spacing %.6g along %c, and other levels ask "
          "for %.6g",
          (long long)b->number, (long long)b->level, b->spacing[a], "xyz"[a], spacing);
  }
  return TSR_OK;
}

/** Widens the domain [low, high), in cells of level 0, by a block along an axis. */
static tsr_status widen(const tsr_grid_amr *amr, const tsr_grid_amr_block *b, int a, int64_t *low,
                        int64_t *high, tsr_error *error) {
  const int halvings = amr->halvings[b->level];
  const double spacing = spacing_at(amr, halvings, a), from = b->corner[a] - amr->sizes.origin[a];
  const long long number = b->number, level = b->level;
  if (amr->sizes.cells[a] == 0)
    return fabs(from) <= amr->tolerance
               ? TSR_OK
               : tsr_fail(error, TSR_BAD_INPUT, -1,
                          "block %lld of level %lld lies at %c = %.6g, other blocks at %.6g: flat "
                          "blocks must lie in one plane",
                          number, level, "xyz"[a], b -> corner[a], amr -> sizes.origin[a]);
  const double at = round(from / spacing);
  if (!(fabs(from - at * spacing) <= smaller(amr->tolerance, 0.25 * spacing)))
    return tsr_fail(
        error, TSR_BAD_INPUT, -1,
        "block %lld of level %lld begins at %c = %.6g, between cells of its level, which "
        "the coarser levels place",
        number, level, "xyz"[a], b -> corner[a]);
  if (!(fabs(at) + (double)b->cells[a] < ldexp(1.0, TSR_LATTICE_BITS)))
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "block %lld of level %lld lies more than 2^%d of its cells from the others",
                    number, level, TSR_LATTICE_BITS);
  const int64_t first = (int64_t)at, rest = ((int64_t)1 << halvings) - 1;
  const int64_t begin = first >> halvings, end = (first + b->cells[a] + rest) >> halvings;
  *low = begin < *low ? begin : *low;
  *high = end > *high ? end : *high;
  return TSR_OK;
}

static tsr_status find_domain(tsr_grid_amr *amr, const tsr_grid_amr_block *blocks, int64_t n,
                              tsr_error *error) {
  int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  tsr_status status = TSR_OK;
  for (int a = 0; a < 3; ++a)
    amr->sizes.origin[a] = INFINITY;
  for (int64_t i = 0; i < n; ++i)
    if (tsr_amr_has_cells(amr, &blocks[i]) && amr->halvings[blocks[i].level] == 0)
      for (int a = 0; a < 3; ++a)
        amr->sizes.origin[a] = smaller(amr->sizes.origin[a], blocks[i].corner[a]);
  for (int64_t i = 0; i < n; ++i)
    for (int a = 0; a < 3 && status == TSR_OK && tsr_amr_has_cells(amr, &blocks[i]); ++a)
      status = widen(amr, &blocks[i], a, &low[a], &high[a], error);
  for (int a = 0; a < 3; ++a) {
    amr->sizes.origin[a] += (double)low[a] * amr->sizes.spacing[a];
    amr->sizes.cells[a] = (int32_t)(high[a] - low[a]);
    amr->sizes.dimension += amr->sizes.cells[a] > 0;
  }
  return status;
}

tsr_status tsr_amr_make_lattice(tsr_grid_amr *amr, const tsr_grid_amr_block *blocks, int64_t n,
                                tsr_error *error) {
  for (int a = 0; a < 3; ++a)
    amr->sizes.spacing[a] = 1.0;
  tsr_status status = check_blocks(amr, blocks, n, error);
  if (status == TSR_OK)
    status = find_levels(amr, blocks, n, error);
  for (int64_t i = 0; i < n && status == TSR_OK; ++i)
    if (tsr_amr_has_cells(amr, &blocks[i]))
      status = check_spacing(amr, &blocks[i], error);
  return status == TSR_OK ? find_domain(amr, blocks, n, error) : status;
}

void tsr_amr_place(const tsr_grid_amr *amr, const tsr_grid_amr_block *block, tsr_amr_box *box) {
  box->block = block->number;
  box->level = amr->halvings[block->level];
  for (int a = 0; a < 3; ++a) {
    const double spacing = spacing_at(amr, (int)box->level, a);
    const int64_t cells = block->cells[a];
    box->low[a] =
        amr->sizes.cells[a] > 0 ? llround((block->corner[a] - amr->sizes.origin[a]) / spacing) : 0;
    box->high[a] = box->low[a] + (cells > 1 ? cells : 1);
  }
}
