/* SPDX-License-Identifier: BSD-3-Clause */
/** Boxes of unstructured grids: level, index and corners of each, and what ghost arrays say. */
#include "mesh/boxes/boxes.h"

#include <math.h>
#include <stdio.h>

/** The corners of a cell in space. */
typedef struct {
  double at[8][3], low[3], high[3];
  int finite;
} corners_in_space;

typedef struct {
  const tsr_mesh_view *view;
  const tsr_mesh_boxes *boxes;
  uint8_t *level;
  int32_t *index;
  int64_t *corners;
} fill_job;

static corners_in_space corners_of(const tsr_mesh_view *view, int64_t first, int n) {
  corners_in_space c;
  double sum = 0.0; /* not finite if a coordinate is not */
  for (int a = 0; a < 3; ++a) {
    c.low[a] = INFINITY;
    c.high[a] = -INFINITY;
  }
  for (int i = 0; i < n; ++i)
    for (int a = 0; a < 3; ++a) {
      const double at = tsr_boxes_coordinate(view, tsr_boxes_id(view, first + i), a);
      c.at[i][a] = at;
      sum += at;
      c.low[a] = at < c.low[a] ? at : c.low[a];
      c.high[a] = at > c.high[a] ? at : c.high[a];
    }
  c.finite = isfinite(sum);
  return c;
}

/** The corner that each point of a cell is; returns a text where it is no box. */
static const char *order_of(const tsr_mesh_boxes *boxes, const corners_in_space *c,
                            int corners[8]) {
  const int n = 1 << boxes->dimension;
  int seen = 0;
  for (int i = 0; i < n; ++i) {
    corners[i] = 0;
    for (int a = 0, bit = 0; a < 3; ++a) {
      const double at = c->at[i][a];
      const int high = at - c->low[a] > c->high[a] - at;
      if (!(fabs(at - (high ? c->high[a] : c->low[a])) <= boxes->tolerance))
        return "that is no box along the axes";
      if (boxes->cells[a] > 0)
        corners[i] |= high << bit++;
    }
    seen |= 1 << corners[i];
  }
  return seen == (1 << n) - 1 ? NULL : "two of whose points lie at one place";
}

/** The nearest level, by the ratio of sides times sqrt(2). */
static int level_of(const tsr_mesh_boxes *boxes, const double size[3]) {
  int axis = 0;
  while (axis < 2 && boxes->cells[axis] == 0)
    ++axis;
  const int halvings = ilogb(1.4142135623730951 * boxes->spacing[axis] / size[axis]);
  return halvings < 0 ? 0 : halvings < boxes->finest ? halvings : boxes->finest;
}

/** Finds level and index of a cell. Returns 0, and writes why, where it has none. */
static int place(const tsr_mesh_boxes *boxes, const corners_in_space *c, int *level,
                 int32_t index[3], char *text) {
  double size[3], side[3];
  for (int a = 0; a < 3; ++a) {
    size[a] = c->high[a] - c->low[a];
    side[a] = boxes->cells[a] > 0 ? boxes->spacing[a] : 0.0;
    index[a] = 0;
  }
  *level = level_of(boxes, size);
  const int finer = boxes->finest - *level;
  for (int a = 0; a < 3; ++a) {
    if (!(fabs(size[a] - ldexp(side[a], -*level)) <= 2.0 * boxes->tolerance)) {
      snprintf(text, TSR_BOXES_TEXT,
               "is %.6g by %.6g by %.6g, and the largest cells are %.6g by %.6g by %.6g: the "
               "sides of cells must be 1, 1/2, 1/4, ... of those of the largest cell, along all "
               "axes alike",
               size[0], size[1], size[2], side[0], side[1], side[2]);
      return 0;
    }
    if (boxes->cells[a] == 0)
      continue;
    const double finest = ldexp(side[a], -boxes->finest);
    const double low = c->low[a], from = low - boxes->low[a]; /* at least 0 */
    const int64_t at = (int64_t)(from / finest + 0.5), of_cell = at + boxes->shift[a];
    if (!(fabs(from - (double)at * finest) <= boxes->tolerance) ||
        (of_cell & (((int64_t)1 << finer) - 1)) != 0) {
      snprintf(text, TSR_BOXES_TEXT,
               "begins at %c = %.6g, which is no multiple of its side %.6g from %.6g, the lowest "
               "corner of the octree",
               "xyz"[a], low, size[a], boxes -> origin[a]);
      return 0;
    }
    index[a] = (int32_t)(of_cell >> finer);
  }
  return 1;
}

static int fill_cell(void *data, int64_t part, int64_t cell, char *text) {
  const fill_job *job = data;
  const tsr_mesh_boxes *boxes = job->boxes;
  const int kind = job->view->types[cell], n = 1 << boxes->dimension;
  const int64_t first = tsr_boxes_first(job->view, cell);
  int corners[8], level;
  (void)part;
  if (tsr_boxes_dimension(kind) != boxes->dimension) {
    snprintf(text, TSR_BOXES_TEXT, "is %s, and other cells are %s-dimensional",
             tsr_boxes_word(kind), boxes->dimension == 3 ? "three" : "two");
    return 0;
  }
  const corners_in_space c = corners_of(job->view, first, n);
  if (!c.finite) {
    snprintf(text, TSR_BOXES_TEXT, "has a point whose coordinates are not finite");
    return 0;
  }
  const char *wrong = order_of(boxes, &c, corners);
  if (wrong) {
    snprintf(text, TSR_BOXES_TEXT, "is %s %s", tsr_boxes_word(kind), wrong);
    return 0;
  }
  for (int i = 0; job->corners && i < n; ++i)
    job->corners[n * cell + corners[i]] = tsr_boxes_id(job->view, first + i);
  if (!place(boxes, &c, &level, job->index + 3 * cell, text))
    return 0;
  job->level[cell] = (uint8_t)level;
  return 1;
}

tsr_status tsr_mesh_boxes_fill(const tsr_mesh_view *view, const tsr_mesh_boxes *boxes,
                               const tsr_execution *execution, uint8_t *level, int32_t *index,
                               int64_t *corners, tsr_error *error) {
  fill_job job = {view, boxes, level, index, corners};
  const tsr_status status = tsr_need(view && boxes && (view->n_cells == 0 || (level && index)),
                                     "the view or an array", error);
  return status == TSR_OK ? tsr_boxes_visit(execution, view->n_cells, fill_cell, &job, error)
                          : status;
}

typedef struct {
  const tsr_mesh_view *view;
  const uint8_t *cells, *points;
  uint8_t *hidden, *copies;
} ghost_job;

static int read_ghosts(void *data, int64_t part, int64_t cell, char *text) {
  const ghost_job *job = data;
  const uint8_t flags = job->cells ? job->cells[cell] : 0;
  int hidden = tsr_is_hidden_cell(flags);
  (void)part;
  (void)text;
  for (int64_t at = tsr_boxes_first(job->view, cell);
       job->points && at < tsr_boxes_first(job->view, cell + 1); ++at) {
    const int64_t id = tsr_boxes_id(job->view, at);
    if (id >= 0 && id < job->view->points.tuples)
      hidden = hidden || tsr_is_hidden_point(job->points[id]);
  }
  job->hidden[cell] = (uint8_t)hidden;
  if (job->copies)
    job->copies[cell] = (uint8_t)tsr_is_copy(flags);
  return 1;
}

tsr_status tsr_mesh_read_ghosts(const tsr_mesh_view *view, const uint8_t *cell_ghosts,
                                const uint8_t *point_ghosts, const tsr_execution *execution,
                                uint8_t *hidden, uint8_t *copies, tsr_error *error) {
  ghost_job job = {view, cell_ghosts, point_ghosts, hidden, copies};
  const tsr_status status =
      tsr_need(view && (view->n_cells == 0 || hidden), "the view or an array", error);
  return status == TSR_OK ? tsr_boxes_visit(execution, view->n_cells, read_ghosts, &job, error)
                          : status;
}
