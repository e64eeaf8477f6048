/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Lines of two points, joined into polylines: each point knows the two lines that end there, and a
 * walk follows them. One thread does it, in time that is linear in cells and points: the order of
 * the result follows from the cells' numbers alone.
 */
#include "curves/tessera_join.h"

#include "common/common_math.h"
#include "common/support.h"

#include <stdlib.h>
#include <string.h>

#define TSR_ENDS_MANY 3 /* lines at a point: too many, or something else is there */

typedef struct tsr_joining {
  const tsr_join_view *view;
  uint8_t *ends;    /* n_points: lines that end there, up to TSR_ENDS_MANY */
  int64_t *lines;   /* 2 a point: the first two of them */
  uint8_t *is_line; /* n_cells: 1 = it may be joined, 0 = it stays, or it is in a chain already */
  tsr_join *join;
} tsr_joining;

static int64_t offset_of(const tsr_join_view *view, int64_t i) {
  return tsr_load_index(view->offsets, view->index_type, i);
}

static int64_t id_of(const tsr_join_view *view, int64_t k) {
  return tsr_load_index(view->connectivity, view->index_type, k);
}

static tsr_join_role role_of(const tsr_join_view *view, int64_t i) {
  return view->roles ? (tsr_join_role)view->roles[i] : TSR_JOIN_LINE;
}

static int is_point(const tsr_join_view *view, int64_t id) {
  return id >= 0 && id < view->n_points;
}

/* 1 if cell i may be joined to others. */
static int may_join(const tsr_join_view *view, int64_t i) {
  const int64_t first = offset_of(view, i);
  if (role_of(view, i) != TSR_JOIN_LINE || offset_of(view, i + 1) - first != 2)
    return 0;
  return is_point(view, id_of(view, first)) && is_point(view, id_of(view, first + 1)) &&
         id_of(view, first) != id_of(view, first + 1);
}

/* How many cells have two points; 0 where the offsets cannot be used. type: that of the view,
 * written as a constant where this is called, for a loop without choices. */
static inline int64_t count_pairs(const tsr_join_view *view, tsr_type type) {
  int64_t pairs = 0, falls = 0;
  for (int64_t i = 0; i < view->n_cells; ++i) {
    const int64_t first = tsr_load_index(view->offsets, type, i);
    const int64_t end = tsr_load_index(view->offsets, type, i + 1);
    falls += end < first;
    pairs += end - first == 2;
  }
  return falls > 0 || offset_of(view, 0) < 0 ? 0 : pairs;
}

/* How many cells may be joined. Curves have more points than two, which a look at their offsets
 * tells. */
static int64_t count_lines(const tsr_join_view *view) {
  int64_t n = 0;
  if (view->n_cells == 0 || offset_of(view, view->n_cells) > view->n_connectivity)
    return 0;
  n = view->index_type == TSR_INT64 ? count_pairs(view, TSR_INT64) : count_pairs(view, TSR_INT32);
  if (n < 2)
    return 0;
  n = 0;
  for (int64_t i = 0; i < view->n_cells; ++i)
    n += may_join(view, i);
  return n;
}

/* Tells every point what ends there. */
static void find_ends(const tsr_joining *work) {
  const tsr_join_view *view = work->view;
  for (int64_t i = 0; i < view->n_cells; ++i) {
    work->is_line[i] = (uint8_t)may_join(view, i);
    if (role_of(view, i) == TSR_JOIN_NOTHING)
      continue;
    for (int64_t k = offset_of(view, i); k < offset_of(view, i + 1); ++k) {
      const int64_t id = id_of(view, k);
      if (!is_point(view, id))
        continue;
      if (!work->is_line[i] || work->ends[id] >= 2)
        work->ends[id] = TSR_ENDS_MANY;
      else
        work->lines[2 * id + work->ends[id]++] = i;
    }
  }
}

/* The only other line at an end of line i, whatever its labels are, or -1. */
static int64_t neighbour(const tsr_joining *work, int64_t i, int64_t id) {
  const int64_t *both = work->lines + 2 * id;
  if (work->ends[id] != 2)
    return -1;
  return both[0] == i ? both[1] : both[0];
}

static int label_differs(const tsr_join_view *view, int l, int64_t i, int64_t other) {
  const tsr_array *array = &view->labels[l];
  const size_t bytes = tsr_tuple_bytes(array);
  const char *data = (const char *)array->data + (size_t)view->first_cell * bytes;
  return memcmp(data + (size_t)i * bytes, data + (size_t)other * bytes, bytes) != 0;
}

/* The line that goes on from line i at a point, or -1. */
static int64_t goes_on(const tsr_joining *work, int64_t i, int64_t id) {
  const int64_t other = neighbour(work, i, id);
  for (int l = 0; other >= 0 && l < work->view->n_labels; ++l)
    if (label_differs(work->view, l, i, other))
      return -1;
  return other;
}

/* Counts the labels that keep apart a chain, which ends with line i at a point, and the chain that
 * goes on there. Each of the two comes here: the one whose line has the lower number counts. */
static void count_apart(const tsr_joining *work, int64_t i, int64_t id) {
  const tsr_join_view *view = work->view;
  const int64_t other = view->n_apart ? neighbour(work, i, id) : -1;
  for (int l = 0; other > i && l < view->n_labels; ++l)
    view->n_apart[l] += label_differs(view, l, i, other);
}

/* The other end of line i. */
static int64_t other_end(const tsr_join_view *view, int64_t i, int64_t id) {
  const int64_t first = offset_of(view, i);
  return id_of(view, first) == id ? id_of(view, first + 1) : id_of(view, first);
}

/* Adds the chain of line i, the lowest of it; the number of its lines. */
static int64_t add_chain(const tsr_joining *work, int64_t i, int64_t *ids) {
  const tsr_join_view *view = work->view;
  int64_t line = i, id = id_of(view, offset_of(view, i)), n = 0, next = goes_on(work, i, id);
  while (next >= 0 && next != i) { /* back to the begin, or round to line i */
    line = next;
    id = other_end(view, line, id);
    next = goes_on(work, line, id);
  }
  if (next == i) {
    line = i;
    id = id_of(view, offset_of(view, i));
  }
  ids[0] = id;
  count_apart(work, line, id);
  for (next = line; next >= 0 && work->is_line[next]; next = goes_on(work, line, id)) {
    line = next;
    id = other_end(view, line, id);
    ids[++n] = id;
    work->is_line[line] = 0;
  }
  count_apart(work, line, id);
  return n;
}

/* Chains and other cells, in order. */
static void add_items(const tsr_joining *work) {
  const tsr_join_view *view = work->view;
  tsr_join *join = work->join;
  int64_t at = 0;
  join->offsets[0] = 0;
  for (int64_t i = 0; i < view->n_cells; ++i) {
    const int64_t first = offset_of(view, i), n = offset_of(view, i + 1) - first;
    int64_t lines = 0;
    if (work->is_line[i]) {
      lines = add_chain(work, i, join->connectivity + at);
      at += lines + 1;
    } else if (may_join(view, i)) {
      continue; /* in a chain */
    } else {
      for (int64_t k = 0; k < n; ++k)
        join->connectivity[at++] = id_of(view, first + k);
    }
    join->n_joined += lines > 1 ? lines : 0;
    join->chains[join->n_items] = lines > 1;
    join->cells[join->n_items++] = i;
    join->offsets[join->n_items] = at;
  }
}

/* Allocates all memory and joins the lines. n_ids: number of point ids of all cells. */
static tsr_status join_all(tsr_joining *work, int64_t n_ids, tsr_error *error) {
  const tsr_join_view *view = work->view;
  tsr_join *join = work->join;
  const char *what = "the lines that are joined";
  work->ends = tsr_alloc(view->n_points, 1, what, error);
  work->lines = tsr_alloc(2 * view->n_points, sizeof *work->lines, what, error);
  work->is_line = tsr_alloc(view->n_cells, 1, what, error);
  join->offsets = tsr_alloc(view->n_cells + 1, sizeof *join->offsets, what, error);
  join->connectivity = tsr_alloc(n_ids, sizeof *join->connectivity, what, error);
  join->cells = tsr_alloc(view->n_cells, sizeof *join->cells, what, error);
  join->chains = tsr_alloc(view->n_cells, 1, what, error);
  if (!work->ends || !work->lines || !work->is_line || !join->offsets || !join->connectivity ||
      !join->cells || !join->chains)
    return TSR_NO_MEMORY;
  memset(work->ends, 0, (size_t)view->n_points);
  find_ends(work);
  add_items(work);
  return TSR_OK;
}

tsr_status tsr_join_lines(const tsr_join_view *view, tsr_join *join, tsr_error *error) {
  if (tsr_need(view && join, "the view or the place for the joined lines", error))
    return TSR_BAD_INPUT;
  tsr_joining work = {.view = view, .join = join};
  tsr_status status = TSR_OK;
  memset(join, 0, sizeof *join);
  for (int l = 0; view->n_apart && l < view->n_labels; ++l)
    view->n_apart[l] = 0;
  if (count_lines(view) >= 2)
    status = join_all(&work, offset_of(view, view->n_cells) - offset_of(view, 0), error);
  free(work.ends);
  free(work.lines);
  free(work.is_line);
  if (join->n_joined == 0)
    tsr_join_free(join);
  if (status == TSR_OK && join->n_joined == 0)
    join->n_items = view->n_cells;
  return status;
}

void tsr_join_free(tsr_join *join) {
  if (!join)
    return;
  free(join->offsets);
  free(join->connectivity);
  free(join->cells);
  free(join->chains);
  memset(join, 0, sizeof *join);
}
