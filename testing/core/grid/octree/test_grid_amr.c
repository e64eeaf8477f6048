/* SPDX-License-Identifier: BSD-3-Clause */
/** Blocks of AMR: cells that stay against a slow loop over the finest cells of the domain; blocks
 * that do not fit together are refused with a sentence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

/** Cells of level 0 along an axis, halvings of each level, and cells of the finest one. */
enum { ROOTS = 6, LEVELS = 3, FINEST = ROOTS * 8, MOST_BLOCKS = 24 };
static const int HALVINGS[LEVELS] = {0, 1, 3}; /* ratios 2 and 4 */

typedef struct {
  int64_t low[3], high[3]; /* in finest cells */
  tsr_grid_amr_block block;
  uint8_t *ghosts;
} placed_block;

static uint64_t state = 1;

static int64_t below(int64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)n);
}

static int64_t cells_of(const placed_block *b) {
  const int64_t *n = b->block.cells;
  return n[0] * n[1] * (n[2] > 0 ? n[2] : 1);
}

/** Sets what the block is from its place. */
static void describe(placed_block *b, int dimension, int level, int64_t number) {
  const int64_t side = 8 >> HALVINGS[level];
  b->block = (tsr_grid_amr_block){.level = 2 * level, .number = number};
  for (int a = 0; a < 3; ++a) {
    if (a >= dimension) {
      b->low[a] = 0;
      b->high[a] = side;
    }
    b->block.spacing[a] = (double)side;
    b->block.cells[a] = a < dimension ? (b->high[a] - b->low[a]) / side : 0;
    b->block.corner[a] = (a < dimension ? 100.0 : 5.0) + (double)b->low[a];
  }
}

/** Flags that are equal for all cells of a block within a cell of level 0: copies, and hidden ones.
 */
static void add_ghosts(placed_block *b) {
  const int64_t side = (int64_t)b->block.spacing[0], nx = b->block.cells[0], ny = b->block.cells[1];
  b->ghosts = calloc((size_t)cells_of(b), 1);
  for (int64_t cell = 0; cell < cells_of(b); ++cell) {
    const int64_t x = (b->low[0] + cell % nx * side) / 8,
                  y = (b->low[1] + cell / nx % ny * side) / 8,
                  z = (b->low[2] + cell / nx / ny * side) / 8;
    const int64_t hash = (x * 7 + y * 13 + z * 29 + b->block.level) % 9;
    b->ghosts[cell] = hash < 2 ? 1 : hash == 5 ? 32 : 0;
  }
  b->block.cell_ghosts = b->ghosts;
}

/** A block at a random place. unit: it begins and ends at multiples, in finest cells. */
static placed_block make(int dimension, int level, int64_t number, int64_t unit) {
  placed_block b = {.ghosts = NULL};
  for (int a = 0; a < 3; ++a) {
    const int64_t first = below(FINEST / unit - 1), most = FINEST / unit - first;
    b.low[a] = level == 0 && number == 0 ? 0 : first * unit;
    b.high[a] =
        level == 0 && number == 0 ? FINEST : b.low[a] + (1 + below(most < 3 ? most : 3)) * unit;
  }
  describe(&b, dimension, level, number);
  return b;
}

/** Blocks of all levels, some of which lie over others. Returns their number. whole: 1: they end
 * where cells of level 0 do, but that those of the finest level are cut in two within a cell. */
static int make_all(placed_block blocks[MOST_BLOCKS], int dimension, int whole, int ghosts) {
  int n = 0;
  for (int level = 0; level < LEVELS; ++level)
    for (int64_t k = 0; k < (level == 0 ? 2 : 6); ++k) {
      blocks[n] = make(dimension, level, k, whole || level < 2 ? 8 : 4);
      if (whole && level == 2 && k % 2 == 0) {
        blocks[n + 1] = blocks[n];
        blocks[n].high[0] = blocks[n + 1].low[0] = blocks[n].low[0] + 4;
        describe(&blocks[n++], dimension, level, k++);
        describe(&blocks[n], dimension, level, k);
      }
      ++n;
    }
  for (int i = 0; i < n && ghosts; ++i)
    add_ghosts(&blocks[i]);
  return n;
}

/** The number of the cell of a block that holds a finest cell; -1: none. */
static int64_t cell_at(const placed_block *b, const int64_t at[3]) {
  int64_t cell = 0, step = 1;
  for (int a = 0; a < 3; ++a) {
    if (at[a] < b->low[a] || at[a] >= b->high[a])
      return -1;
    cell += (at[a] - b->low[a]) / (int64_t)b->block.spacing[a] * step;
    step *= b->block.cells[a] > 0 ? b->block.cells[a] : 1;
  }
  return cell;
}

/** The block that covers a finest cell: the finest and, of these, the first; -1: none. */
static int owner_of(const placed_block *blocks, int n, const int64_t at[3]) {
  int owner = -1;
  for (int i = 0; i < n; ++i) {
    const int64_t cell = cell_at(&blocks[i], at);
    if (cell >= 0 && !(blocks[i].ghosts && blocks[i].ghosts[cell] & 1) &&
        (owner < 0 || blocks[i].block.level > blocks[owner].block.level))
      owner = i;
  }
  return owner;
}

/** How many of its finest cells each cell of a block owns, by the slow loop. */
static int64_t *count_owned(const placed_block *blocks, int n, int i, int dimension) {
  const placed_block *b = &blocks[i];
  int64_t *owned = calloc((size_t)cells_of(b), sizeof *owned), at[3];
  for (at[2] = b->low[2]; at[2] < (dimension == 3 ? b->high[2] : 1); ++at[2])
    for (at[1] = b->low[1]; at[1] < b->high[1]; ++at[1])
      for (at[0] = b->low[0]; at[0] < b->high[0]; ++at[0])
        owned[cell_at(b, at)] += owner_of(blocks, n, at) == i;
  return owned;
}

typedef struct {
  const tsr_grid_amr_block *blocks;
  int64_t n;
  tsr_grid_amr *amr;
  tsr_status status;
  tsr_error error;
} amr_out;

static void work(void *data, const tsr_processes *processes) {
  amr_out *out = data;
  out->status = tsr_grid_amr_create(out->blocks, out->n, processes, &out->amr, &out->error);
}

/** Level, index, corners and hidden flags of the cells that stay are those of their places. */
static void check_fill(const placed_block *blocks, int n, const tsr_grid_amr *amr) {
  const tsr_grid_amr_sizes *sizes = tsr_grid_amr_plan_sizes(amr);
  const int corners = 1 << sizes->dimension;
  uint8_t *level = malloc((size_t)sizes->n + 1), *hidden = malloc((size_t)sizes->n + 1);
  int32_t *index = malloc(((size_t)sizes->n + 1) * 12);
  int64_t *ids = malloc(((size_t)sizes->n + 1) * 64), at = 0, first = 0;
  CHECK_INT(tsr_grid_amr_fill(amr, NULL, level, index, ids, hidden, NULL), TSR_OK);
  for (int i = 0; i < n; ++i) {
    const tsr_grid_amr_block *b = &blocks[i].block;
    const uint8_t *dropped = tsr_grid_amr_dropped(amr, i);
    const int64_t nx = b->cells[0], ny = b->cells[1], points = (nx + 1) * (ny + 1);
    for (int64_t cell = 0; cell < cells_of(&blocks[i]); ++cell) {
      if (dropped[cell] == 1)
        continue;
      const int64_t place[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
      CHECK_INT(hidden[at], blocks[i].ghosts && blocks[i].ghosts[cell] == 32);
      for (int a = 0; a < sizes->dimension; ++a)
        CHECK_NEAR(sizes->origin[a] + index[3 * at + a] * ldexp(sizes->spacing[a], -level[at]),
                   b->corner[a] + (double)place[a] * b->spacing[a], 1e-9);
      for (int k = 0; k < corners; ++k)
        CHECK_INT(ids[corners * at + k], first + place[0] + (k & 1) +
                                             (place[1] + (k >> 1 & 1)) * (nx + 1) +
                                             (place[2] + (k >> 2 & 1)) * points);
      ++at;
    }
    first += points * (b->cells[2] + 1);
  }
  CHECK_INT(sizes->n, at);
  CHECK_INT(sizes->points, first);
  free(level);
  free(hidden);
  free(index);
  free(ids);
}

/** What the slow loop says of a cell that owns so many of its `all` finest cells: dropped or not;
 * -1: it lies partly under others. */
static int expected_drop(int ghost, int64_t owned, int64_t all) {
  if (ghost == 1 || owned == 0)
    return 1;
  return owned == all ? 0 : ghost == 32 ? 1 : -1;
}

static void check_random(int dimension, uint64_t seed, int whole, int ghosts) {
  placed_block blocks[MOST_BLOCKS];
  tsr_grid_amr_block plain[MOST_BLOCKS];
  state = seed;
  const int n = make_all(blocks, dimension, whole, ghosts), half = n / 2;
  for (int i = 0; i < n; ++i)
    plain[i] = blocks[i].block;
  amr_out out = {plain, n, NULL, TSR_OK, {TSR_OK, 0, ""}}, part[2];
  work(&out, NULL);
  for (int i = 0; i < 2; ++i)
    part[i] = (amr_out){plain + i * half, i ? n - half : half, NULL, TSR_OK, {TSR_OK, 0, ""}};
  ranks_run(2, work, part, sizeof *part);
  int fits = 1;
  for (int i = 0; i < n; ++i) {
    const int64_t side = (int64_t)blocks[i].block.spacing[0],
                  all = side * side * (dimension == 3 ? side : 1);
    int64_t *owned = count_owned(blocks, n, i, dimension);
    for (int64_t cell = 0; cell < cells_of(&blocks[i]); ++cell) {
      const int drop = expected_drop(ghosts ? blocks[i].ghosts[cell] : 0, owned[cell], all);
      fits = fits && drop >= 0;
      if (out.amr && drop >= 0)
        CHECK_INT(tsr_grid_amr_dropped(out.amr, i)[cell] == 1, drop);
      if (out.amr && part[i >= half].amr)
        CHECK_INT(tsr_grid_amr_dropped(part[i >= half].amr, i < half ? i : i - half)[cell],
                  tsr_grid_amr_dropped(out.amr, i)[cell]);
    }
    free(owned);
  }
  CHECK_SAY(out.status == (fits ? TSR_OK : TSR_BAD_INPUT), "%s", out.error.text);
  CHECK_INT(fits || !whole, 1);
  CHECK_INT(part[0].status == TSR_OK && part[1].status == TSR_OK, fits);
  if (out.amr)
    check_fill(blocks, n, out.amr);
  tsr_grid_amr_free(out.amr);
  for (int i = 0; i < 2; ++i)
    tsr_grid_amr_free(part[i].amr);
  for (int i = 0; i < n; ++i)
    free(blocks[i].ghosts);
}

/** Two blocks: 4 x 4 cells, and a finer one with these corner, spacing and numbers of cells. */
static void expect(const double corner[3], const double spacing[3], int64_t cells,
                   const char *words) {
  tsr_grid_amr_block blocks[2] = {{.spacing = {1, 1, 1}, .cells = {4, 4, 0}}, {.level = 1}};
  amr_out out = {blocks, 2, NULL, TSR_OK, {TSR_OK, 0, ""}};
  memcpy(blocks[1].corner, corner, sizeof blocks[1].corner);
  memcpy(blocks[1].spacing, spacing, sizeof blocks[1].spacing);
  blocks[1].cells[0] = blocks[1].cells[1] = cells;
  work(&out, NULL);
  CHECK_INT(out.status, TSR_BAD_INPUT);
  CHECK(out.amr == NULL);
  CHECK_SAY(strstr(out.error.text, words) != NULL, "'%s' lacks '%s'", out.error.text, words);
}

static void check_faults(void) {
  const double at[3] = {1, 1, 0}, half[3] = {0.5, 0.5, 1}, third[3] = {1 / 3.0, 1 / 3.0, 1};
  const double uneven[3] = {0.5, 0.25, 1}, off[3] = {1.2, 1, 0}, above[3] = {1, 1, 0.5};
  const double far[3] = {NAN, 1, 0}, none[3] = {0, 0.5, 1}, odd[3] = {1.5, 1, 0};
  expect(at, third, 2, "cells of level 1 are 3 times smaller than those of level 0: refinement");
  expect(at, uneven, 2, "2 times smaller than those of level 0 along one axis and 4 times along");
  expect(off, half, 2, "block 0 of level 1 begins at x = 1.2, between cells of its level");
  expect(above, half, 2, "block 0 of level 1 lies at z = 0.5, other blocks at 0: flat blocks");
  expect(far, half, 2, "block 0 of level 1 needs a finite origin, and spacings above 0");
  expect(at, none, 2, "block 0 of level 1 needs a finite origin, and spacings above 0");
  expect(odd, half, 2, "cell 5 of block 0 of level 0 lies partly under finer cells");
}

int main(void) {
  for (uint64_t seed = 1; seed <= 5; ++seed)
    for (int ghosts = 0; ghosts < 2; ++ghosts) {
      check_random(2, seed, 1, ghosts);
      check_random(3, seed, 1, ghosts);
      check_random(2, seed, 0, ghosts);
      check_random(3, seed, 0, ghosts);
    }
  check_faults();
  return check_result();
}
