/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * libFuzzer target: the bytes become points with groups and orders, and options. Each output is
 * allocated at exactly the promised size; then what must always hold is checked: the points come by
 * group, order and index.
 */
#include "stream.h"

#include "common/common_math.h"

enum { MAX_POINTS = 120 };

typedef struct input {
  tsr_ordering_view view;
  tsr_ordering_options options;
  void *points, *group, *order;
} input;

static void make(stream *s, input *in) {
  tsr_ordering_options *o = &in->options;
  const int64_t n = byte(s) % (MAX_POINTS + 1);
  const uint8_t flags = byte(s);
  tsr_ordering_view_init(&in->view);
  tsr_ordering_options_init(o);
  const tsr_type type = (tsr_type)(byte(s) % 10);
  in->points = array_of(s, type, 3 * n);
  in->view.points = (tsr_array){in->points, type, 3, n};
  if (flags & 1) {
    const tsr_type of_group = (tsr_type)(byte(s) % 11);
    in->group = array_of(s, of_group < 10 ? of_group : TSR_INT8, n);
    in->view.group = (tsr_array){in->group, of_group, 1, flags & 2 && byte(s) == 1 ? n + 1 : n};
  }
  if (flags & 4) {
    const tsr_type of_order = (tsr_type)(byte(s) % 10);
    in->order = array_of(s, of_order, n);
    in->view.order = (tsr_array){in->order, of_order, 1, n};
  }
  o->use_gap = flags >> 3 & 1;
  o->use_distance = flags >> 4 & 1;
  o->drop_repeats = flags >> 5 & 1;
  o->singles = (tsr_ordering_singles)(byte(s) % 16 ? flags >> 6 & 1 : 2);
  o->max_gap = o->use_gap ? number(s) : o->max_gap;
  o->max_distance = o->use_distance ? number(s) : o->max_distance;
  o->tolerance = o->drop_repeats ? number(s) : o->tolerance;
}

/** Compares values i and j of an array: NaN comes last and equals itself, -0 equals 0. */
static int compare_values(const tsr_array *array, int64_t i, int64_t j) {
  if (array->components == 0) {
    return 0;
  }
  if (array->type == TSR_INT64) {
    const int64_t *values = array->data;
    return (values[i] > values[j]) - (values[i] < values[j]);
  }
  if (array->type == TSR_UINT64) {
    const uint64_t *values = array->data;
    return (values[i] > values[j]) - (values[i] < values[j]);
  }
  const double a = tsr_load(array, i), b = tsr_load(array, j);
  return a != a || b != b ? (a != a) - (b != b) : (a > b) - (a < b);
}

/** Point i comes before point j. */
static int precedes(const tsr_ordering_view *view, int64_t i, int64_t j) {
  const int group = compare_values(&view->group, i, j), order = compare_values(&view->order, i, j);
  return group ? group < 0 : order ? order < 0 : i < j;
}

/** Every point at most once, and the cells' offsets end to end. */
static void check_output(const input *in, const tsr_ordering_sizes *sizes,
                         const tsr_ordering_output *out) {
  const int64_t n = in->view.points.tuples, cells = sizes->verts + sizes->lines;
  uint8_t seen[MAX_POINTS] = {0};
  must(sizes->points + sizes->repeats + sizes->singles_dropped == n, "no point is lost");
  for (int64_t i = 0; i < sizes->points; i++) {
    must(out->point_ids[i] >= 0 && out->point_ids[i] < n && !seen[out->point_ids[i]],
         "a point, once");
    seen[out->point_ids[i]] = 1;
    must(i == 0 || precedes(&in->view, out->point_ids[i - 1], out->point_ids[i]), "the order");
  }
  must(out->vert_offsets[0] == 0 && out->vert_offsets[sizes->verts] == sizes->verts, "vertices");
  must(out->line_offsets[0] == 0 && out->line_offsets[sizes->lines] == sizes->points - sizes->verts,
       "lines");
  for (int64_t i = 0; i < sizes->lines; i++) {
    must(out->line_offsets[i + 1] - out->line_offsets[i] >= 2, "a line of two points");
  }
  for (int64_t i = 0; i < sizes->points - sizes->verts; i++) {
    must(out->line_connectivity[i] >= 0 && out->line_connectivity[i] < sizes->points, "ids");
  }
  for (int64_t i = 0; i < cells; i++) {
    must(out->length[i] >= 0.0, "a length");
    must(seen[out->first_ids[i]] && seen[out->last_ids[i]], "ends that are there");
  }
}

static void run(const input *in) {
  tsr_ordering_plan *plan = NULL;
  tsr_ordering_output out;
  tsr_error error;
  const tsr_status status = tsr_ordering_plan_create(&in->view, &in->options, NULL, &plan, &error);
  must((status == TSR_OK) == (plan != NULL), "a plan, or a failure");
  if (status != TSR_OK) {
    must(error.status == status && error.text[0] != '\0', "a sentence for the failure");
    return;
  }
  const tsr_ordering_sizes *sizes = tsr_ordering_plan_sizes(plan);
  const int64_t cells = sizes->verts + sizes->lines;
  const size_t tuple = 3 * tsr_type_size(in->view.points.type);
  const tsr_ordering_attribute one = {in->view.points, exactly(cells, tuple), TSR_AT_LAST};
  tsr_ordering_output_init(&out);
  out.points = exactly(sizes->points, tuple);
  out.vert_offsets = exactly(sizes->verts + 1, sizeof(int64_t));
  out.vert_connectivity = exactly(sizes->verts, sizeof(int64_t));
  out.line_offsets = exactly(sizes->lines + 1, sizeof(int64_t));
  out.line_connectivity = exactly(sizes->points - sizes->verts, sizeof(int64_t));
  out.length = exactly(cells, sizeof(double));
  out.point_ids = exactly(sizes->points, sizeof(int64_t));
  out.first_ids = exactly(cells, sizeof(int64_t));
  out.last_ids = exactly(cells, sizeof(int64_t));
  out.attributes = &one;
  out.n_attributes = 1;
  must(tsr_ordering_fill(plan, &out, NULL) == TSR_OK, "filling what was planned");
  check_output(in, sizes, &out);
  void *const blocks[] = {
      out.points, out.vert_offsets, out.vert_connectivity, out.line_offsets, out.line_connectivity,
      out.length, out.point_ids,    out.first_ids,         out.last_ids,     one.out};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    free(blocks[i]);
  }
  tsr_ordering_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stream s = {data, size};
  input in = {.points = NULL};
  make(&s, &in);
  run(&in);
  free(in.points);
  free(in.group);
  free(in.order);
  return 0;
}
