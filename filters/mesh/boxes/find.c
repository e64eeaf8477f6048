/* SPDX-License-Identifier: BSD-3-Clause */
/** Boxes of unstructured grids: the extremes of the cells of all processes. */
#include "mesh/boxes/boxes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tsr_boxes_word(int kind) {
  static const char *const words[] = {
      "an empty cell", "a vertex",         "a group of vertices", "a line",  "a polyline",
      "a triangle",    "a triangle strip", "a polygon",           "a pixel", "a quadrilateral",
      "a tetrahedron", "a voxel",          "a hexahedron",        "a wedge", "a pyramid"};
  if (kind == TSR_MESH_POLYHEDRON)
    return "a polyhedron";
  return kind <= TSR_MESH_PYRAMID ? words[kind] : "of a kind with more points than corners";
}

/* ---------------------------------------------------------------- all cells */

typedef struct {
  tsr_boxes_visitor visit;
  void *data;
  int64_t n;
  _Atomic int64_t bad; /* the first cell at fault; n: none */
} visit_job;

static void visit_pieces(void *data, int64_t begin, int64_t end) {
  visit_job *job = data;
  for (int64_t part = begin; part < end; ++part) {
    const int64_t first = part * TSR_BOXES_GRAIN, known = atomic_load(&job->bad);
    int64_t last = first + TSR_BOXES_GRAIN, cell = first;
    char text[TSR_BOXES_TEXT];
    last = last < known ? last : known; /* behind the cell at fault, none is the first one */
    while (cell < last && job->visit(job->data, part, cell, text))
      ++cell;
    int64_t bad = atomic_load(&job->bad);
    while (cell < last && cell < bad && !atomic_compare_exchange_weak(&job->bad, &bad, cell)) {
    }
  }
}

static int64_t count_pieces(int64_t n) { return (n + TSR_BOXES_GRAIN - 1) / TSR_BOXES_GRAIN; }

tsr_status tsr_boxes_visit(const tsr_execution *execution, int64_t n, tsr_boxes_visitor visit,
                           void *data, tsr_error *error) {
  visit_job job = {visit, data, n, n};
  tsr_execution run;
  tsr_status status = tsr_take_execution(&run, execution, error);
  if (status == TSR_OK)
    status = tsr_run_task(&run, visit_pieces, &job, count_pieces(n), 1, 0.0, 0.0);
  if (status != TSR_OK)
    return status == TSR_ABORTED ? tsr_fail(error, status, -1, "stopped") : status;
  const int64_t bad = atomic_load(&job.bad);
  if (bad < n) {
    char text[TSR_BOXES_TEXT] = "";
    visit(data, bad / TSR_BOXES_GRAIN, bad, text);
    return tsr_fail(error, TSR_BAD_INPUT, bad, "cell %lld %s", (long long)bad, text);
  }
  return TSR_OK;
}

/* ---------------------------------------------------------------- extremes */

void tsr_boxes_add(const tsr_boxes_extremes *other, tsr_boxes_extremes *sum) {
  if (other->dimension == 0 || other->dimension < sum->dimension)
    return;
  if (other->dimension > sum->dimension) {
    *sum = *other;
    return;
  }
  const double *a = other->largest, *b = sum->largest;
  if (fmax(fmax(a[0], a[1]), a[2]) > fmax(fmax(b[0], b[1]), b[2]))
    memcpy(sum->at, other->at, sizeof sum->at);
  for (int axis = 0; axis < 3; ++axis) {
    sum->low[axis] = other->low[axis] < sum->low[axis] ? other->low[axis] : sum->low[axis];
    sum->high[axis] = other->high[axis] > sum->high[axis] ? other->high[axis] : sum->high[axis];
    sum->largest[axis] = a[axis] > b[axis] ? a[axis] : b[axis];
    if (other->least[axis] < sum->least[axis])
      sum->least[axis] = other->least[axis];
  }
  sum->wide = sum->wide || other->wide;
}

/** The extremes of one cell, by two opposite corners: whether all of its corners are those of a box
 *  is seen when it gets its place. */
static tsr_boxes_extremes extremes_of(const tsr_mesh_view *view, int64_t cell) {
  const int kind = view->types[cell];
  const int64_t first = tsr_boxes_first(view, cell), opposite = kind == TSR_MESH_VOXEL        ? 7
                                                                : kind == TSR_MESH_HEXAHEDRON ? 6
                                                                : kind == TSR_MESH_PIXEL      ? 3
                                                                                              : 2;
  const int64_t ends[2] = {tsr_boxes_id(view, first), tsr_boxes_id(view, first + opposite)};
  tsr_boxes_extremes one = {.dimension = tsr_boxes_dimension(kind),
                            .wide = view->points.type == TSR_DOUBLE};
  for (int axis = 0; axis < 3; ++axis) {
    const double a = tsr_boxes_coordinate(view, ends[0], axis),
                 b = tsr_boxes_coordinate(view, ends[1], axis);
    one.low[axis] = one.at[axis] = b < a ? b : a;
    one.high[axis] = a < b ? b : a;
    one.largest[axis] = one.least[axis] = fabs(b - a);
  }
  return one;
}

static int has_points(const tsr_mesh_view *view, int64_t cell) {
  for (int64_t at = tsr_boxes_first(view, cell); at < tsr_boxes_first(view, cell + 1); ++at) {
    const int64_t id = tsr_boxes_id(view, at);
    if (id < 0 || id >= view->points.tuples)
      return 0;
  }
  return 1;
}

typedef struct {
  const tsr_mesh_view *view;
  tsr_boxes_extremes *parts; /* one a piece */
} look_job;

/** A cell of which a corner is this part of a side or more away from those of its box is no box,
 *  whatever the lattice: its tolerance is below a quarter of every side. */
#define ASKEW 0.25

/** One solid cell in this many is looked at for corners that are askew: so most meshes that are no
 *  boxes are told early, and boxes take no longer. */
enum { LOOKED_AT = 64 };

/** 0 where a corner of the cell is askew. one: the extremes of its opposite corners. */
static int may_be_box(const tsr_mesh_view *view, int64_t cell, const tsr_boxes_extremes *one) {
  for (int64_t at = tsr_boxes_first(view, cell); at < tsr_boxes_first(view, cell + 1); ++at)
    for (int axis = 0; axis < 3; ++axis) {
      const double x = tsr_boxes_coordinate(view, tsr_boxes_id(view, at), axis);
      const double off = fmin(fabs(x - one->low[axis]), fabs(x - one->high[axis]));
      if (off > ASKEW * one->largest[axis])
        return 0;
    }
  return 1;
}

static int look_at(void *data, int64_t part, int64_t cell, char *text) {
  const look_job *job = data;
  const tsr_mesh_view *view = job->view;
  const int kind = view->types[cell], dimension = tsr_boxes_dimension(kind);
  const int64_t n = tsr_boxes_first(view, cell + 1) - tsr_boxes_first(view, cell);
  const char *wrong = NULL;
  if (dimension == 0 || n != (int64_t)1 << dimension)
    wrong = ": unstructured grids must have cells of two or three dimensions";
  else if (!has_points(view, cell)) {
    snprintf(text, TSR_BOXES_TEXT, "has a point that the grid does not have");
    return 0;
  } else {
    const tsr_boxes_extremes one = extremes_of(view, cell);
    /* A side that is not a number is not above 0. */
    if ((one.largest[0] > 0.0) + (one.largest[1] > 0.0) + (one.largest[2] > 0.0) < dimension)
      wrong = " two of whose opposite corners lie in one plane across an axis, or are not finite";
    else if (dimension == 3 && cell % LOOKED_AT == 0 && !may_be_box(view, cell, &one))
      wrong = " that is no box along the axes";
    else
      tsr_boxes_add(&one, &job->parts[part]);
  }
  if (wrong)
    snprintf(text, TSR_BOXES_TEXT, "is %s%s", tsr_boxes_word(kind), wrong);
  return wrong == NULL;
}

/** Checks the view, as far as it is read here. */
static tsr_status check(const tsr_mesh_view *view, tsr_error *error) {
  tsr_status status = tsr_need(view != NULL, "the view", error);
  if (status != TSR_OK || view->n_cells == 0)
    return status; /* of no cells, nothing is read */
  status = tsr_check_places(&view->points, error);
  if (status == TSR_OK)
    status = tsr_check_list(view->types, view->n_cells, "types of cells", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_check_cells(view->n_cells, view->offsets, view->n_connectivity, view->connectivity,
                             view->index_type, "cells", error);
  return status;
}

/** The extremes of this process's cells. */
static tsr_status look(const tsr_mesh_view *view, const tsr_execution *execution,
                       tsr_boxes_extremes *sum, tsr_error *error) {
  memset(sum, 0, sizeof *sum);
  tsr_status status = check(view, error);
  if (status != TSR_OK || view->n_cells == 0)
    return status;
  const int64_t parts = count_pieces(view->n_cells);
  look_job job = {view, tsr_alloc_clear(parts, sizeof *job.parts, "the boxes", error)};
  if (!job.parts)
    return TSR_NO_MEMORY;
  status = tsr_boxes_visit(execution, view->n_cells, look_at, &job, error);
  for (int64_t part = 0; part < parts; ++part)
    tsr_boxes_add(&job.parts[part], sum);
  free(job.parts);
  return status;
}

tsr_status tsr_mesh_boxes_find(const tsr_mesh_view *view, const tsr_processes *processes,
                               const tsr_execution *execution, tsr_mesh_boxes *boxes,
                               tsr_error *error) {
  const tsr_processes alone = {.n = 1};
  tsr_boxes_extremes mine, sum = {.dimension = 0};
  void *all;
  int64_t bytes;
  tsr_status status = look(view, execution, &mine, error);
  status = tsr_processes_gather_bytes(processes ? processes : &alone, status, &mine, sizeof mine,
                                      &all, NULL, &bytes, error);
  if (status != TSR_OK)
    return status;
  for (int64_t i = 0; i < bytes / (int64_t)sizeof sum; ++i)
    tsr_boxes_add((const tsr_boxes_extremes *)all + i, &sum);
  free(all);
  return tsr_boxes_make_lattice(&sum, boxes, error);
}
