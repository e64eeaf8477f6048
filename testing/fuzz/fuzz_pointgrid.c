/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * libFuzzer target: the bytes become points, options and one array on the points. Each output is
 * allocated at exactly the promised size; then what must always hold is checked.
 */
#include "stream.h"

enum { MAX_POINTS = 120, LIMIT = 40000 };

typedef struct input {
  tsr_pointgrid_view view;
  tsr_pointgrid_options options;
  tsr_array values;
  void *points, *hidden, *spread, *numbers;
} input;

static void make(stream *s, input *in) {
  tsr_pointgrid_options *o = &in->options;
  const int64_t n = byte(s) % (MAX_POINTS + 1);
  const uint8_t flags = byte(s);
  const tsr_type type = flags & 1 ? TSR_FLOAT : TSR_DOUBLE;
  const tsr_type kind = (tsr_type)(byte(s) % 10);
  const int components = 1 + byte(s) % 3;
  tsr_pointgrid_view_init(&in->view);
  tsr_pointgrid_options_init(o);
  in->points = array_of(s, type, 3 * n);
  in->view.points = (tsr_array){in->points, type, 3, n};
  if (flags & 2) {
    in->hidden = array_of(s, TSR_UINT8, n);
    in->view.hidden = in->hidden;
  }
  in->numbers = array_of(s, kind, n * components);
  in->values = (tsr_array){in->numbers, kind, components, n};
  o->shape = (tsr_pointgrid_shape)(byte(s) % 6);
  o->max_points = byte(s) % 16;
  o->max_level = byte(s) % 23;
  o->balance = (tsr_balance)(byte(s) % 5);
  o->output = (tsr_pointgrid_output_kind)(byte(s) % 4);
  o->limit_cells = LIMIT;
  if (flags & 4) {
    o->use_spread = 1;
    in->spread = array_of(s, TSR_DOUBLE, n);
    o->spread_array = (tsr_array){in->spread, TSR_DOUBLE, 1, flags & 8 ? n + 1 : n};
    o->spread_component = byte(s) % 8 ? -1 : byte(s);
    o->spread = byte(s) % 8 ? fabs(number(s)) : number(s);
  }
}

/** A point for each place, once, in the leaf that it says, whose points rise. */
static void check_points(const input *in, const tsr_pointgrid_sizes *sizes,
                         const tsr_pointgrid_output *out) {
  uint8_t seen[MAX_POINTS] = {0};
  for (int64_t i = 0; i < sizes->points; i++) {
    const int64_t point = out->source_point[i];
    must(point >= 0 && point < in->view.points.tuples && !seen[point], "a point, once");
    seen[point] = 1;
    must(out->leaf[i] >= 0 && out->leaf[i] < sizes->leaves, "leaf in range");
    must(i == 0 || out->leaf[i] > out->leaf[i - 1] || point > out->source_point[i - 1],
         "the points of a leaf in their order");
    must(i == 0 || out->leaf[i] >= out->leaf[i - 1], "leaves in their order");
  }
}

static void check_cells(const tsr_pointgrid_sizes *sizes, const tsr_pointgrid_output *out,
                        int components) {
  const tsr_pointgrid_attribute *one = out->attributes;
  int64_t sum = 0;
  for (int64_t i = 0; i < sizes->cells; i++) {
    must(out->count[i] >= 0 && out->level[i] >= 0 && out->level[i] <= TSR_POINTGRID_MAX_LEVEL,
         "count and level");
    sum += out->state == NULL || out->state[i] == TSR_POINTGRID_LEAF ? out->count[i] : 0;
    for (int c = 0; c < components; c++) {
      const double mean = one->mean[i * components + c];
      must(out->count[i] > 0 || isnan(mean), "no mean of nothing");
    }
  }
  must(sum == sizes->kept, "counts add up to the points");
  for (int64_t i = 0; out->connectivity && i < sizes->connectivity; i++) {
    const int64_t id = ((const int64_t *)out->connectivity)[i];
    must(id >= 0 && id < sizes->points, "ids in range");
  }
}

static void fill(const input *in, tsr_pointgrid_plan *plan) {
  const tsr_pointgrid_sizes *sizes = tsr_pointgrid_plan_sizes(plan);
  const tsr_pointgrid_output_kind kind = in->options.output;
  const int components = in->values.components;
  const size_t size = tsr_type_size(in->values.type);
  const int points = kind == TSR_POINTGRID_POINTS, tree = kind == TSR_POINTGRID_TREE;
  tsr_pointgrid_attribute one = {.in = in->values};
  tsr_pointgrid_output out;
  tsr_pointgrid_output_init(&out);
  out.level = exactly(sizes->cells, sizeof(int32_t));
  if (!tree) {
    out.points = exactly(3 * sizes->points, sizeof(double));
    out.offsets = exactly(sizes->cells + 1, sizeof(int64_t));
    out.connectivity = exactly(sizes->connectivity, sizeof(int64_t));
  }
  if (points) {
    out.leaf = exactly(sizes->points, sizeof(int64_t));
    out.source_point = exactly(sizes->points, sizeof(int64_t));
    one.out = exactly(sizes->points * components, size);
  } else {
    out.count = exactly(sizes->cells, sizeof(int64_t));
    out.density = exactly(sizes->cells, sizeof(double));
    one.mean = exactly(sizes->cells * components, sizeof(double));
    one.least = exactly(sizes->cells * components, size);
    one.greatest = exactly(sizes->cells * components, size);
    out.state = tree ? exactly(sizes->cells, 1) : NULL;
  }
  out.attributes = &one;
  out.n_attributes = 1;
  must(tsr_pointgrid_fill(plan, &out, NULL) == TSR_OK, "filling what was planned");
  if (points) {
    check_points(in, sizes, &out);
  } else {
    check_cells(sizes, &out, components);
  }
  void *const blocks[] = {out.points,  out.offsets,  out.connectivity, out.level, out.count,
                          out.density, out.leaf,     out.source_point, out.state, one.mean,
                          one.least,   one.greatest, one.out};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    free(blocks[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stream s = {data, size};
  input in = {.points = NULL};
  tsr_pointgrid_plan *plan = NULL;
  tsr_error error;
  make(&s, &in);
  const tsr_status status = tsr_pointgrid_plan_create(&in.view, &in.options, NULL, &plan, &error);
  must((status == TSR_OK) == (plan != NULL), "a plan, or a failure");
  if (status == TSR_OK) {
    fill(&in, plan);
  } else {
    must(error.status == status && error.text[0] != '\0', "a sentence for the failure");
  }
  tsr_pointgrid_plan_free(plan);
  free(in.points);
  free(in.hidden);
  free(in.spread);
  free(in.numbers);
  return 0;
}
