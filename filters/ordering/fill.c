/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: the fill. Copies of tuples, the cells, and their lengths. */
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
  const int64_t *ids = f->plan->curves.point_ids;
  if (out->point_ids)
    memcpy(out->point_ids + begin, ids + begin, (size_t)(end - begin) * sizeof *ids);
  if (out->points)
    gather(out->points, points->data, tsr_tuple_bytes(points), ids, begin, end);
  for (int a = 0; a < out->n_attributes; ++a)
    if (out->attributes[a].place == TSR_AT_POINTS)
      gather(out->attributes[a].out, out->attributes[a].in.data,
             tsr_tuple_bytes(&out->attributes[a].in), ids, begin, end);
}

/* Length of the polyline through the output points [begin, end). Points that are already in the
 * output lie one after another. */
static double length_of(const filler *f, int64_t begin, int64_t end) {
  const tsr_array *in = &f->plan->view.points;
  const tsr_array made = {f->out->points, in->type, 3, f->plan->sizes.points};
  const int64_t *ids = f->out->points ? NULL : f->plan->curves.point_ids;
  double length = 0.0;
  for (int64_t block = 0; block * TSR_LENGTH_BLOCK < end - 1 - begin; ++block)
    length += tsr_block_length(f->out->points ? &made : in, ids, begin, end, block);
  return length;
}

static void fill_curve(const filler *f, int64_t c) {
  const tsr_curve_list *curves = &f->plan->curves;
  const tsr_ordering_output *out = f->out;
  const int64_t begin = curves->start[c], end = curves->start[c + 1], cell = curves->cell[c];
  const int64_t verts = tsr_verts_before(curves, c);
  tsr_fill_cell(curves, out, c);
  for (int64_t p = begin; end - begin > 1 && out->line_connectivity && p < end; ++p)
    out->line_connectivity[p - verts] = p;
  if (out->length)
    out->length[cell] = length_of(f, begin, end);
  for (int a = 0; a < out->n_attributes; ++a) {
    const tsr_ordering_attribute *one = &out->attributes[a];
    if (one->place != TSR_AT_POINTS)
      copy_tuple(one->out, cell, one->in.data,
                 curves->point_ids[one->place == TSR_AT_FIRST ? begin : end - 1],
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
  tsr_status status = tsr_run_task(&plan->base.execution, fill_points, &f, plan->sizes.points,
                                   POINTS_GRAIN, FIRST, POINTS_DONE);
  if (status == TSR_OK && wants_cells(output))
    status = tsr_run_task(&plan->base.execution, fill_curves, &f, plan->curves.n, CURVES_GRAIN,
                          POINTS_DONE, 1.0);
  if (status == TSR_OK)
    tsr_fill_last_offsets(&plan->curves, output);
  return status;
}
