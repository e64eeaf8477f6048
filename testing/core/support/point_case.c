/* SPDX-License-Identifier: BSD-3-Clause */
#include "point_case.h"

#include <stdlib.h>
#include <string.h>

void point_case_init(point_case *set, int64_t n) {
  set->n = n;
  set->points = calloc((size_t)n * 3 + 1, sizeof *set->points);
  set->values = calloc((size_t)n + 1, sizeof *set->values);
  set->pairs = calloc((size_t)n * 2 + 1, sizeof *set->pairs);
}

void point_case_free(point_case *set) {
  free(set->points);
  free(set->values);
  free(set->pairs);
  memset(set, 0, sizeof *set);
}

double point_case_random(uint64_t i) {
  i += 0x9e3779b97f4a7c15u;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
  i = (i ^ i >> 27) * 0x94d049bb133111ebu;
  return (double)((i ^ i >> 31) >> 11) * 0x1p-53;
}

void point_case_crowd(point_case *set) {
  for (int64_t i = 0; i < set->n; i++) {
    const uint64_t seed = 4 * (uint64_t)i;
    const double near = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0.1 : 0.003;
    for (int a = 0; a < 3; a++) {
      const double r = point_case_random(seed + (uint64_t)a) - 0.5;
      set->points[3 * i + a] = (a == 2 ? 0.4 : 1.0) * (near * r + 0.11 * (double)(i % 3)) - 3.0;
    }
    set->values[i] = point_case_random(seed + 3) * 20.0 - 10.0;
    set->pairs[2 * i] = (uint8_t)(i % 251);
    set->pairs[2 * i + 1] = (uint8_t)(200 - i % 100);
  }
}

tsr_pointgrid_view point_case_view(const point_case *set) {
  tsr_pointgrid_view view;
  tsr_pointgrid_view_init(&view);
  view.points = (tsr_array){set->points, TSR_DOUBLE, 3, set->n};
  return view;
}

tsr_array point_case_values(const point_case *set) {
  return (tsr_array){set->values, TSR_DOUBLE, 1, set->n};
}

static void *room(int64_t n, size_t size) { return calloc((size_t)n + 1, size); }

static tsr_status fill(const point_case *set, tsr_pointgrid_plan *plan, int one_process,
                       point_out *out) {
  const tsr_pointgrid_sizes *s = &out->sizes;
  tsr_pointgrid_attribute attributes[2];
  tsr_pointgrid_output o;
  tsr_pointgrid_output_init(&o);
  memset(attributes, 0, sizeof attributes);
  o.points = out->points = room(s->points * 3, sizeof *out->points);
  o.offsets = out->offsets = room(s->cells + 1, sizeof *out->offsets);
  o.connectivity = out->connectivity = room(s->connectivity, sizeof *out->connectivity);
  o.level = out->level = room(s->cells, sizeof *out->level);
  o.count = out->count = room(s->cells, sizeof *out->count);
  o.density = out->density = room(s->cells, sizeof *out->density);
  o.state = out->state = room(s->cells, sizeof *out->state);
  o.leaf = out->leaf = room(s->points, sizeof *out->leaf);
  out->source = room(s->points, sizeof *out->source);
  o.source_point = one_process ? out->source : NULL;
  attributes[0].in = point_case_values(set);
  attributes[0].mean = out->mean = room(s->cells, sizeof *out->mean);
  attributes[0].least = out->least = room(s->cells, sizeof *out->least);
  attributes[0].greatest = out->greatest = room(s->cells, sizeof *out->greatest);
  attributes[0].out = out->value = room(s->points, sizeof *out->value);
  attributes[1].in = (tsr_array){set->pairs, TSR_UINT8, 2, set->n};
  attributes[1].mean = out->pair_mean = room(2 * s->cells, sizeof *out->pair_mean);
  attributes[1].least = out->pair_least = room(2 * s->cells, sizeof *out->pair_least);
  attributes[1].out = out->pair = room(2 * s->points, sizeof *out->pair);
  o.attributes = attributes;
  o.n_attributes = 2;
  const tsr_status status = tsr_pointgrid_fill(plan, &o, &out->error);
  return status == TSR_NO_MEMORY && set->fill_again ? tsr_pointgrid_fill(plan, &o, &out->error)
                                                    : status;
}

tsr_status point_run(const point_case *set, const tsr_pointgrid_view *view,
                     const tsr_pointgrid_options *options, const tsr_execution *execution,
                     point_out *out) {
  tsr_pointgrid_plan *plan;
  memset(out, 0, sizeof *out);
  out->status = tsr_pointgrid_plan_create(view, options, execution, &plan, &out->error);
  if (out->status == TSR_OK) {
    out->sizes = *tsr_pointgrid_plan_sizes(plan);
    out->status = fill(set, plan, options->gather == NULL, out);
    tsr_pointgrid_plan_report(plan, &out->report);
    tsr_pointgrid_plan_free(plan);
  }
  return out->status;
}

void point_out_free(point_out *out) {
  free(out->points);
  free(out->offsets);
  free(out->connectivity);
  free(out->count);
  free(out->leaf);
  free(out->source);
  free(out->level);
  free(out->density);
  free(out->mean);
  free(out->least);
  free(out->greatest);
  free(out->value);
  free(out->pair_least);
  free(out->pair);
  free(out->state);
  free(out->pair_mean);
  memset(out, 0, sizeof *out);
}
