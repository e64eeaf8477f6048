/* SPDX-License-Identifier: BSD-3-Clause */
/** Cells that go along as they are. */
#include "curves/tessera_pass.h"

#include "common/common_math.h"
#include "common/support.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

struct tsr_pass {
  tsr_pass_view view;
  tsr_pass_sizes sizes;
  int64_t *cells[TSR_PASS_LISTS]; /* numbers in the dataset */
  int64_t *new_ids;               /* of each input point; -1: not in use */
  int64_t *points;                /* in use */
};

static int64_t offset_of(const tsr_pass_list *list, int64_t i) {
  return tsr_load_index(list->offsets, list->index_type, i);
}

static int64_t id_of(const tsr_pass_list *list, int64_t k) {
  return tsr_load_index(list->connectivity, list->index_type, k);
}

static int cell_is_good(const tsr_pass_view *view, const tsr_pass_list *list, int64_t i) {
  const int64_t begin = offset_of(list, i), end = offset_of(list, i + 1);
  if (begin < 0 || end < begin || end > list->n_connectivity)
    return 0;
  for (int64_t k = begin; k < end; ++k)
    if (id_of(list, k) < 0 || id_of(list, k) >= view->n_points)
      return 0;
  return 1;
}

/* Coordinates that are no numbers, or infinite, get no worse. */
static int cell_fits_single(const tsr_pass_view *view, const tsr_pass_list *list, int64_t i) {
  for (int64_t k = offset_of(list, i); view->points.data && k < offset_of(list, i + 1); ++k)
    for (int c = 0; c < 3; ++c) {
      const double x = fabs(tsr_load(&view->points, 3 * id_of(list, k) + c));
      if (x > FLT_MAX && x <= DBL_MAX)
        return 0;
    }
  return 1;
}

static void note(tsr_note_count *count, int64_t cell, int64_t n) {
  count->first = count->count == 0 ? cell : count->first;
  count->count += n;
}

void tsr_cell_roles_of(const uint8_t *types, int64_t n, const tsr_cell_rule rules[TSR_CELL_TYPES],
                       tsr_cell_roles *roles) {
  roles->n_passing = 0;
  roles->left_out = (tsr_note_count){0, -1};
  for (int64_t i = 0, end; i < n; i = end) { /* cells of one type mostly follow each other */
    const tsr_cell_rule rule = rules[types[i]];
    for (end = i + 1; end < n && types[end] == types[i];)
      ++end;
    memset(roles->kinds + i, rule.kind, (size_t)(end - i));
    memset(roles->roles + i, rule.role, (size_t)(end - i));
    memset(roles->passes + i, rule.passes, (size_t)(end - i));
    roles->n_passing += rule.passes * (end - i);
    if (rule.left_out)
      note(&roles->left_out, i, end - i);
  }
}

/* Takes the cells that can go along, and marks their points. */
static void take_cells(tsr_pass *pass, int list) {
  const tsr_pass_list *from = &pass->view.lists[list];
  tsr_pass_sizes *sizes = &pass->sizes;
  for (int64_t i = 0; i < from->n_cells; ++i) {
    if (from->chosen && !from->chosen[i])
      continue;
    if (!cell_is_good(&pass->view, from, i)) {
      note(&sizes->bad, from->first_cell + i, 1);
      continue;
    }
    if (!cell_fits_single(&pass->view, from, i)) {
      note(&sizes->too_large, from->first_cell + i, 1);
      continue;
    }
    pass->cells[list][sizes->cells[list]++] = from->first_cell + i;
    for (int64_t k = offset_of(from, i); k < offset_of(from, i + 1); ++k)
      pass->new_ids[id_of(from, k)] = 0;
    sizes->connectivity[list] += offset_of(from, i + 1) - offset_of(from, i);
  }
}

static tsr_status make(tsr_pass *pass, tsr_error *error) {
  const int64_t n_points = pass->view.n_points;
  int64_t cells = 0;
  for (int list = 0; list < TSR_PASS_LISTS; ++list) {
    const int64_t n = pass->view.lists[list].n_cells;
    pass->cells[list] = tsr_alloc(n, sizeof(int64_t), "cells that go along", error);
    if (!pass->cells[list])
      return TSR_NO_MEMORY;
    cells += n;
  }
  if (cells == 0)
    return TSR_OK;
  pass->new_ids = tsr_alloc(n_points, sizeof(int64_t), "points that go along", error);
  if (!pass->new_ids)
    return TSR_NO_MEMORY;
  for (int64_t p = 0; p < n_points; ++p)
    pass->new_ids[p] = -1;
  for (int list = 0; list < TSR_PASS_LISTS; ++list)
    take_cells(pass, list);
  for (int64_t p = 0; p < n_points; ++p)
    if (pass->new_ids[p] == 0)
      pass->new_ids[p] = pass->sizes.points++;
  pass->points = tsr_alloc(pass->sizes.points, sizeof(int64_t), "points that go along", error);
  for (int64_t p = 0; pass->points && p < n_points; ++p)
    if (pass->new_ids[p] >= 0)
      pass->points[pass->new_ids[p]] = p;
  return pass->points ? TSR_OK : TSR_NO_MEMORY;
}

tsr_status tsr_pass_create(const tsr_pass_view *view, tsr_pass **pass, tsr_error *error) {
  if (tsr_need(view && pass, "the view or the place for the cells", error))
    return TSR_BAD_INPUT;
  tsr_status status;
  *pass = tsr_alloc(1, sizeof **pass, "cells that go along", error);
  if (!*pass)
    return TSR_NO_MEMORY;
  memset(*pass, 0, sizeof **pass);
  (*pass)->view = *view;
  (*pass)->sizes.bad.first = (*pass)->sizes.too_large.first = -1;
  status = make(*pass, error);
  if (status != TSR_OK) {
    tsr_pass_free(*pass);
    *pass = NULL;
  }
  return status;
}

void tsr_pass_free(tsr_pass *pass) {
  if (!pass)
    return;
  for (int list = 0; list < TSR_PASS_LISTS; ++list)
    free(pass->cells[list]);
  free(pass->new_ids);
  free(pass->points);
  free(pass);
}

const tsr_pass_sizes *tsr_pass_get_sizes(const tsr_pass *pass) { return &pass->sizes; }

const int64_t *tsr_pass_cells(const tsr_pass *pass, int list) { return pass->cells[list]; }

const int64_t *tsr_pass_points(const tsr_pass *pass) { return pass->points; }

void tsr_pass_fill(const tsr_pass *pass, int list, int64_t first_point, int64_t *offsets,
                   int64_t *connectivity) {
  const tsr_pass_list *from = &pass->view.lists[list];
  int64_t at = 0;
  for (int64_t c = 0; c < pass->sizes.cells[list]; ++c) {
    const int64_t i = pass->cells[list][c] - from->first_cell;
    offsets[c] = at;
    for (int64_t k = offset_of(from, i); k < offset_of(from, i + 1); ++k)
      connectivity[at++] = first_point + pass->new_ids[id_of(from, k)];
  }
  offsets[pass->sizes.cells[list]] = at;
}
