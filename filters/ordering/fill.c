/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the fill. Copies of tuples, the cells, and their lengths. */
#include "ordering/curves_math.h"
#include "ordering/plan.h"

#include <string.h>

/* Progress of the fill. */
#define FIRST 0.4
#define POINTS_DONE 0.8

enum { POINTS_GRAIN = 1 << 14, CURVES_GRAIN = 1 << 12 };

typedef struct filler {
  const tsr_ordering_plan *plan;
  const tsr_ordering_output *out;
} filler;

/* out[to] = in[from], tuples of `bytes` bytes. */
static void copy_tuple(void *out, int64_t to, const void *in, int64_t from, size_t bytes) {
  memcpy((char *)out + (size_t)to * bytes, (const char *)in + (size_t)from * bytes, bytes);
}

/* A call for each size: where the compiler knows it, a copy becomes a few moves. */
static void gather(void *out, const void *in, size_t bytes, const int64_t *ids, int64_t begin,
                   int64_t end) {
#define GATHER(BYTES)                                                                              \
  case BYTES:                                                                                      \
    for (int64_t i = begin; i < end; ++i)                                                          \
      copy_tuple(out, i, in, ids[i], BYTES);                                                       \
    break
  switch (bytes) {
    GATHER(1);
    GATHER(2);
    GATHER(4);
    GATHER(8);
    GATHER(12);
    GATHER(16);
    GATHER(24);
  default:
    for (int64_t i = begin; i < end; ++i)
      copy_tuple(out, i, in, ids[i], bytes);
  }
#undef GATHER
}

static void fill_points(void *data, int64_t begin, int64_t end) {
  const filler *f = data;
  const tsr_ordering_output *out = f->out;
  const tsr_array *points = &f->plan->view.points;
  const int64_t *ids = f->plan->point_ids;
  if (out->point_ids)
    memcpy(out->point_ids + begin, ids + begin, (size_t)(end - begin) * sizeof *ids);
  if (out->points)
    gather(out->points, points->data, tsr_tuple_bytes(points), ids, begin, end);
  for (int a = 0; a < out->n_attributes; ++a)
    if (out->attributes[a].place == TSR_AT_POINTS)
      gather(out->attributes[a].out, out->attributes[a].in.data,
             tsr_tuple_bytes(&out->attributes[a].in), ids, begin, end);
}

/* Of the polyline through the output points [begin, end). */
static double length_of(const filler *f, int64_t begin, int64_t end) {
  const tsr_array *in = &f->plan->view.points;
  const tsr_array made = {f->out->points, in->type, 3, f->plan->sizes.points};
  const tsr_array *points = f->out->points ? &made : in;
  const int64_t *ids = f->out->points ? NULL : f->plan->point_ids;
  tsr_place before = tsr_place_of(points, ids ? ids[begin] : begin);
  double length = 0.0, block = 0.0;
  for (int64_t i = begin + 1; i < end; ++i) {
    const tsr_place here = tsr_place_of(points, ids ? ids[i] : i);
    block += tsr_step(&before, &here);
    if ((i - begin) % TSR_LENGTH_BLOCK == 0) {
      length += block;
      block = 0.0;
    }
    before = here;
  }
  return length + block;
}

static void fill_curve(const filler *f, int64_t c) {
  const tsr_ordering_plan *plan = f->plan;
  const tsr_ordering_output *out = f->out;
  const int64_t begin = plan->curve_start[c], end = plan->curve_start[c + 1];
  const int64_t cell = plan->curve_cell[c];
  if (end - begin == 1) {
    if (out->vert_offsets)
      out->vert_offsets[cell] = cell;
    if (out->vert_connectivity)
      out->vert_connectivity[cell] = begin;
  } else {
    const int64_t line = cell - plan->sizes.verts;
    const int64_t verts = c - line; /* before it: their points are no line's */
    if (out->line_offsets)
      out->line_offsets[line] = begin - verts;
    for (int64_t p = begin; out->line_connectivity && p < end; ++p)
      out->line_connectivity[p - verts] = p;
  }
  if (out->length)
    out->length[cell] = length_of(f, begin, end);
  if (out->first_ids)
    out->first_ids[cell] = plan->point_ids[begin];
  if (out->last_ids)
    out->last_ids[cell] = plan->point_ids[end - 1];
  for (int a = 0; a < out->n_attributes; ++a) {
    const tsr_ordering_attribute *one = &out->attributes[a];
    if (one->place != TSR_AT_POINTS)
      copy_tuple(one->out, cell, one->in.data,
                 plan->point_ids[one->place == TSR_AT_FIRST ? begin : end - 1],
                 tsr_tuple_bytes(&one->in));
  }
}

static void fill_curves(void *data, int64_t begin, int64_t end) {
  for (int64_t c = begin; c < end; ++c)
    fill_curve(data, c);
}

/* 1 where the output asks for anything of the cells. */
static int wants_cells(const tsr_ordering_output *out) {
  int wants = out->vert_offsets || out->vert_connectivity || out->line_offsets ||
              out->line_connectivity || out->length || out->first_ids || out->last_ids;
  for (int a = 0; a < out->n_attributes; ++a)
    wants = wants || out->attributes[a].place != TSR_AT_POINTS;
  return wants;
}

tsr_status tsr_ordering_fill_on_cpu(const tsr_ordering_plan *plan,
                                    const tsr_ordering_output *output) {
  filler f = {plan, output};
  const tsr_ordering_sizes *sizes = &plan->sizes;
  tsr_status status = tsr_ordering_run(&plan->base.execution, fill_points, &f, sizes->points,
                                       POINTS_GRAIN, FIRST, POINTS_DONE);
  if (status == TSR_OK && wants_cells(output))
    status = tsr_ordering_run(&plan->base.execution, fill_curves, &f, sizes->verts + sizes->lines,
                              CURVES_GRAIN, POINTS_DONE, 1.0);
  if (status == TSR_OK && output->vert_offsets)
    output->vert_offsets[sizes->verts] = sizes->verts;
  if (status == TSR_OK && output->line_offsets)
    output->line_offsets[sizes->lines] = sizes->points - sizes->verts;
  return status;
}
