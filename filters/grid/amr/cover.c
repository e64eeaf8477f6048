/* SPDX-License-Identifier: BSD-3-Clause */
/** Blocks of AMR: which cells lie under cells of other blocks. */
#include "grid/amr/amr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Most parts of the domain along an axis. */
enum { MOST_BINS = 32 };

struct tsr_amr_cover {
  const tsr_amr_box *boxes; /* n */
  int64_t n;
  int32_t cells[3];
  int64_t bins[3];
  int64_t *first; /* parts + 1: boxes in `list` before those of each part of the domain */
  int64_t *list;  /* boxes that reach into each part, in rising order */
  int64_t *seen;  /* n: the last block that each was compared with */
  int64_t turn;
};

/** A cell of a block of which a box covers a part. */
typedef struct {
  int64_t cell, box;
} part_of_cell;

/** A list of parts that grows. */
typedef struct {
  part_of_cell *at;
  int64_t n, room;
} parts_of_cells;

/* ---------------------------------------------------------------- parts of the domain */

/** Finds the parts of the domain [first, last] along each axis that a box reaches into. */
static void bins_of(const tsr_amr_cover *cover, const tsr_amr_box *box, int64_t first[3],
                    int64_t last[3]) {
  for (int a = 0; a < 3; ++a) {
    const int64_t cells = (int64_t)cover->cells[a] << box->level, most = cells > 1 ? cells : 1;
    first[a] = box->low[a] * cover->bins[a] / most;
    last[a] = (box->high[a] - 1) * cover->bins[a] / most;
  }
}

/** Counts the boxes of each part, or lists them where `list` is 1. */
static void visit_bins(tsr_amr_cover *cover, int list) {
  for (int64_t box = 0; box < cover->n; ++box) {
    int64_t first[3], last[3];
    bins_of(cover, &cover->boxes[box], first, last);
    for (int64_t k = first[2]; k <= last[2]; ++k)
      for (int64_t j = first[1]; j <= last[1]; ++j)
        for (int64_t i = first[0]; i <= last[0]; ++i) {
          const int64_t bin = i + cover->bins[0] * (j + cover->bins[1] * k);
          if (list)
            cover->list[cover->first[bin]++] = box;
          else
            ++cover->first[bin];
        }
  }
}

tsr_amr_cover *tsr_amr_cover_create(const tsr_amr_box *boxes, int64_t n, const int32_t cells[3],
                                    tsr_error *error) {
  static const char what[] = "the boxes of blocks";
  tsr_amr_cover *cover = tsr_alloc_clear(1, sizeof *cover, what, error);
  if (!cover)
    return NULL;
  const int64_t wanted = (int64_t)cbrt((double)n);
  int64_t bins = 1;
  cover->boxes = boxes;
  cover->n = n;
  for (int a = 0; a < 3; ++a) {
    cover->cells[a] = cells[a];
    cover->bins[a] = cells[a] == 0 || wanted < 1 ? 1 : wanted < MOST_BINS ? wanted : MOST_BINS;
    bins *= cover->bins[a];
  }
  cover->seen = tsr_alloc_clear(n, sizeof *cover->seen, what, error);
  cover->first = tsr_alloc_clear(bins + 1, sizeof *cover->first, what, error);
  if (cover->seen && cover->first) {
    visit_bins(cover, 0);
    cover->list = tsr_alloc(tsr_scan(cover->first, bins), sizeof *cover->list, what, error);
  }
  if (!cover->list) {
    tsr_amr_cover_free(cover);
    return NULL;
  }
  visit_bins(cover, 1);
  memmove(cover->first + 1, cover->first, (size_t)bins * sizeof *cover->first);
  cover->first[0] = 0;
  return cover;
}

void tsr_amr_cover_free(tsr_amr_cover *cover) {
  if (cover) {
    free(cover->first);
    free(cover->list);
    free(cover->seen);
    free(cover);
  }
}

/* ---------------------------------------------------------------- cells under a box */

/** Halvings from cells of one level to those of a finer one along an axis. */
static int64_t halvings(const tsr_amr_cover *cover, int axis, int64_t from, int64_t to) {
  return cover->cells[axis] > 0 ? to - from : 0;
}

/** 1 if a box covers a part of a block. */
static int covers(const tsr_amr_cover *cover, const tsr_amr_box *over, const tsr_amr_box *under) {
  if (over->level < under->level || (over->level == under->level && over->block >= under->block))
    return 0;
  for (int a = 0; a < 3; ++a) {
    const int64_t shift = halvings(cover, a, under->level, over->level);
    if (over->low[a] >= under->high[a] << shift || under->low[a] << shift >= over->high[a])
      return 0;
  }
  return 1;
}

static tsr_status add_part(parts_of_cells *parts, int64_t cell, int64_t box, tsr_error *error) {
  part_of_cell *at = tsr_grow(parts->at, parts->n, &parts->room, 64, sizeof *at);
  if (!at)
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is not enough memory for the cells of blocks");
  parts->at = at;
  parts->at[parts->n++] = (part_of_cell){cell, box};
  return TSR_OK;
}

/** Flags the cells of a block that lie wholly under a box, and lists those that lie partly under.
 */
static tsr_status flag_by(const tsr_amr_cover *cover, int64_t number, const tsr_amr_box *block,
                          uint8_t *flags, parts_of_cells *parts, tsr_error *error) {
  const tsr_amr_box *over = &cover->boxes[number];
  int64_t first[3], last[3], begin[3], end[3], size[3]; /* cells touched; those wholly under */
  tsr_status status = TSR_OK;
  for (int a = 0; a < 3; ++a) {
    const int64_t shift = halvings(cover, a, block->level, over->level);
    const int64_t rest = ((int64_t)1 << shift) - 1, low = block->low[a];
    size[a] = block->high[a] - low;
    first[a] = (over->low[a] >> shift) - low;
    first[a] = first[a] > 0 ? first[a] : 0;
    last[a] = ((over->high[a] + rest) >> shift) - low;
    last[a] = last[a] < size[a] ? last[a] : size[a];
    begin[a] = ((over->low[a] + rest) >> shift) - low;
    end[a] = (over->high[a] >> shift) - low;
  }
  for (int64_t k = first[2]; k < last[2]; ++k)
    for (int64_t j = first[1]; j < last[1]; ++j) {
      const int row = begin[1] <= j && j < end[1] && begin[2] <= k && k < end[2];
      for (int64_t i = first[0]; i < last[0] && status == TSR_OK; ++i) {
        const int64_t cell = i + size[0] * (j + size[1] * k);
        if (row && begin[0] <= i && i < end[0])
          flags[cell] = 1;
        else
          status = add_part(parts, cell, number, error);
      }
    }
  return status;
}

/* ---------------------------------------------------------------- cells under several boxes */

static int compare_parts(const void *a, const void *b) {
  const part_of_cell *one = a, *other = b;
  if (one->cell != other->cell)
    return one->cell < other->cell ? -1 : 1;
  return (one->box > other->box) - (one->box < other->box);
}

/** 1 if n boxes together cover a cell of a block: they do so if they cover as many cells of the
 *  finest of their levels as the cell has. Boxes of one level may overlap. */
static tsr_status is_whole(const tsr_amr_cover *cover, const tsr_amr_box *block,
                           const part_of_cell *parts, int64_t n, int *whole, tsr_error *error) {
  const int64_t cell = parts->cell, nx = block->high[0] - block->low[0],
                ny = block->high[1] - block->low[1];
  const int64_t at[3] = {block->low[0] + cell % nx, block->low[1] + cell / nx % ny,
                         block->low[2] + cell / nx / ny};
  int64_t level = block->level, size[3], left = 1, bits = 0;
  for (int64_t i = 0; i < n; ++i)
    if (cover->boxes[parts[i].box].level > level)
      level = cover->boxes[parts[i].box].level;
  for (int a = 0; a < 3; ++a) {
    bits += halvings(cover, a, block->level, level);
    size[a] = (int64_t)1 << halvings(cover, a, block->level, level);
    left *= bits < 63 ? size[a] : 1;
  }
  if (bits >= 63)
    return tsr_fail(error, TSR_NO_MEMORY, -1,
                    "there is not enough memory for the 2^%d parts of a cell", (int)bits);
  uint8_t *covered = tsr_alloc_clear(left, 1, "the parts of a cell", error);
  if (!covered)
    return TSR_NO_MEMORY;
  for (int64_t p = 0; p < n; ++p) {
    const tsr_amr_box *box = &cover->boxes[parts[p].box];
    int64_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      const int64_t up = halvings(cover, a, box->level, level), from = at[a] * size[a];
      low[a] = (box->low[a] << up) - from;
      low[a] = low[a] > 0 ? low[a] : 0;
      high[a] = (box->high[a] << up) - from;
      high[a] = high[a] < size[a] ? high[a] : size[a];
    }
    for (int64_t k = low[2]; k < high[2]; ++k)
      for (int64_t j = low[1]; j < high[1]; ++j)
        for (int64_t i = low[0]; i < high[0]; ++i) {
          uint8_t *one = &covered[i + size[0] * (j + size[1] * k)];
          left -= !*one;
          *one = 1;
        }
  }
  free(covered);
  *whole = left == 0;
  return TSR_OK;
}

/** Flags the cells of which several boxes cover a part each. */
static tsr_status flag_parts(const tsr_amr_cover *cover, const tsr_amr_box *block,
                             parts_of_cells *parts, uint8_t *flags, int64_t *bad,
                             tsr_error *error) {
  if (parts->n > 0)
    qsort(parts->at, (size_t)parts->n, sizeof *parts->at, compare_parts);
  for (int64_t begin = 0, end; begin < parts->n; begin = end) {
    const int64_t cell = parts->at[begin].cell;
    int whole = 1;
    for (end = begin; end < parts->n && parts->at[end].cell == cell; ++end) {
    }
    if (flags[cell] == 0) {
      const tsr_status status =
          is_whole(cover, block, &parts->at[begin], end - begin, &whole, error);
      if (status != TSR_OK)
        return status;
    }
    if (!whole) {
      *bad = cell;
      return TSR_OK;
    }
    flags[cell] = 1;
  }
  return TSR_OK;
}

tsr_status tsr_amr_cover_flag(tsr_amr_cover *cover, const tsr_amr_box *block, uint8_t *flags,
                              int64_t *bad, tsr_error *error) {
  parts_of_cells parts = {NULL, 0, 0};
  int64_t first[3], last[3];
  tsr_status status = TSR_OK;
  *bad = -1;
  ++cover->turn;
  bins_of(cover, block, first, last);
  for (int64_t k = first[2]; k <= last[2]; ++k)
    for (int64_t j = first[1]; j <= last[1]; ++j)
      for (int64_t i = first[0]; i <= last[0]; ++i) {
        const int64_t bin = i + cover->bins[0] * (j + cover->bins[1] * k);
        for (int64_t at = cover->first[bin]; at < cover->first[bin + 1] && status == TSR_OK; ++at) {
          const int64_t box = cover->list[at];
          if (cover->seen[box] != cover->turn && covers(cover, &cover->boxes[box], block))
            status = flag_by(cover, box, block, flags, &parts, error);
          cover->seen[box] = cover->turn;
        }
      }
  if (status == TSR_OK)
    status = flag_parts(cover, block, &parts, flags, bad, error);
  free(parts.at);
  return status;
}
