/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * libFuzzer target: the bytes become a hostile view, options and outputs. Each output array is
 * allocated at exactly the promised size, so that the address sanitizer sees any overrun; then what
 * must always hold is checked.
 */
#include "stream.h"

enum { MAX_POINTS = 64, MAX_ITEMS = 12, MAX_IDS = 96, MAX_FIELDS = 3, LIMIT = 20000 };

/** A kind of curve; a rare one is unknown. */
static uint8_t kind_of(stream *s) {
  const uint8_t value = byte(s);
  return value == 255 ? value : value % (TSR_KIND_AUTOMATIC + 1);
}

/** The view and the memory behind it, all of it exactly sized on the heap. */
typedef struct input {
  tsr_curves_view view;
  void *points, *weights, *offsets, *ids, *kinds;
  void *fields[MAX_FIELDS];
  tsr_array field_arrays[MAX_FIELDS];
  int n_fields;
} input;

/** An index that is mostly good. */
static int64_t index_of(stream *s, int64_t n) {
  const uint8_t value = byte(s);
  if (value >= 250) {
    int64_t any;
    take(s, &any, sizeof any);
    return any;
  }
  return n > 0 ? value % n : value;
}

static void *indices(stream *s, tsr_type type, int64_t count, int64_t n, int ascending) {
  char *memory = exactly(count, tsr_type_size(type));
  int64_t sum = 0;
  for (int64_t i = 0; i < count; i++) {
    int64_t value = index_of(s, ascending ? 10 : n);
    if (ascending) {
      const int64_t step = i == 0 ? 0 : value;
      value = step >= -1 && step < 100 ? (sum += step) : step;
    }
    if (type == TSR_INT32) {
      ((int32_t *)(void *)memory)[i] = (int32_t)(value & 0xffffffff);
    } else {
      ((int64_t *)(void *)memory)[i] = value;
    }
  }
  return memory;
}

static void decode_view(stream *s, input *in) {
  tsr_curves_view *view = &in->view;
  tsr_curves_view_init(view);
  const int64_t n = byte(s) % (MAX_POINTS + 1);
  const tsr_type type = byte(s) % 4 ? TSR_DOUBLE : (tsr_type)(byte(s) % 10);
  in->points = array_of(s, type, 3 * n);
  view->points = (tsr_array){in->points, type, 3, n};
  const uint8_t flags = byte(s);
  if (flags & 1) {
    in->weights = array_of(s, TSR_DOUBLE, n);
    view->weights = (tsr_array){in->weights, TSR_DOUBLE, 1, n};
  }
  view->index_type = flags & 2 ? TSR_INT32 : TSR_INT64;
  view->n_items = byte(s) % (MAX_ITEMS + 1);
  view->n_connectivity = byte(s) % (MAX_IDS + 1);
  in->offsets = indices(s, view->index_type, view->n_items + 1, 0, 1);
  in->ids = indices(s, view->index_type, view->n_connectivity, n, 0);
  view->offsets = in->offsets;
  view->connectivity = in->ids;
  view->kind = (tsr_curve_kind)kind_of(s);
  if (flags & 4) {
    uint8_t *kinds = exactly(view->n_items, 1);
    for (int64_t i = 0; i < view->n_items; i++) {
      kinds[i] = kind_of(s);
    }
    in->kinds = kinds;
    view->kinds = kinds;
  }
  in->n_fields = byte(s) % (MAX_FIELDS + 1);
  for (int i = 0; i < in->n_fields; i++) {
    const tsr_type field_type = (tsr_type)(byte(s) % 10);
    const int components = 1 + byte(s) % 3;
    in->fields[i] = array_of(s, field_type, n * components);
    in->field_arrays[i] = (tsr_array){in->fields[i], field_type, components, n};
  }
}

static tsr_curves_options decode_options(stream *s, const input *in) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  const uint8_t use = byte(s);
  const uint8_t kind = byte(s);
  o.knots = (tsr_knots)(kind % 4);
  o.sampling = kind >> 2 & 1 ? TSR_SAMPLING_EQUAL_ERROR : (tsr_sampling)(use >> 7);
  if (o.sampling == TSR_SAMPLING_EQUAL_ERROR) {
    o.vertices = (tsr_vertices)(kind >> 3 & 1);
  } else if (kind >> 4 & 1) {
    o.sampling = TSR_SAMPLING_EQUAL_ARC_LENGTH;
    o.n_segments = kind - 16;
  }
  o.tension = byte(s) % 4 ? 0.0 : number(s);
  o.max_level = byte(s) % 32;
  o.use_curvature = use & 1;
  o.use_chord_error = use >> 1 & 1;
  o.use_turning_angle = use >> 2 & 1;
  o.use_max_length = use >> 3 & 1;
  o.use_field_error = use >> 4 & 1;
  o.chord_relative = use >> 5 & 1;
  o.interpolation = (tsr_interpolation)(use >> 6 & 1);
  if (o.use_curvature) {
    o.curvature_factor = fabs(number(s));
    o.min_points = byte(s);
    o.max_points = o.min_points + byte(s);
  }
  o.chord_error = o.use_chord_error ? fabs(number(s)) : o.chord_error;
  o.turning_angle = o.use_turning_angle ? fabs(number(s)) : o.turning_angle;
  o.max_length = o.use_max_length ? fabs(number(s)) : o.max_length;
  o.field_error = o.use_field_error ? fabs(number(s)) : o.field_error;
  o.reference_length = byte(s) % 8 ? 0.0 : fabs(number(s));
  o.fields = in->n_fields > 0 ? in->field_arrays : NULL;
  o.n_fields = in->n_fields;
  o.limit_points = LIMIT;
  return o;
}

/** Offsets rise from 0 to the end, ids are in range, each point is used, items are in order. */
static void check_output(const input *in, const tsr_curves_sizes *sizes,
                         const tsr_curves_output *out) {
  const int64_t *offsets = out->offsets;
  const int64_t *ids = out->connectivity;
  const double *points = out->points;
  must(offsets[0] == 0 && offsets[sizes->cells] == sizes->connectivity, "offsets end to end");
  for (int64_t i = 0; i < sizes->cells; i++) {
    must(offsets[i + 1] > offsets[i], "a polyline with points");
    must(out->source_item[i] >= 0 && out->source_item[i] < in->view.n_items, "source in range");
    must(i == 0 || out->source_item[i] > out->source_item[i - 1], "sources in order");
    must(out->achieved_error[i] >= 0.0, "achieved_error is a number");
  }
  for (int64_t i = 0; i < sizes->connectivity; i++) {
    must(ids[i] >= 0 && ids[i] < sizes->points, "ids in range");
  }
  must(sizes->points <= sizes->connectivity, "each point is used");
  for (int64_t i = 0; i < 3 * sizes->points; i++) {
    must(isfinite(points[i]) != 0, "finite points");
    must(isfinite(((const double *)out->tangents)[i]) != 0, "finite tangents");
  }
  for (int64_t i = 0; i < sizes->points; i++) {
    const int64_t nearest = out->nearest_point[i];
    must(nearest >= 0 && nearest < in->view.points.tuples, "nearest in range");
    must(((const double *)out->curvature)[i] >= 0.0, "curvature is a number");
    must(((const double *)out->arc_length)[i] >= 0.0, "arc length is a number");
    must(((const double *)out->parameter)[i] >= 0.0, "parameter is a number");
  }
}

static void fill(stream *s, const input *in, tsr_curves_plan *plan) {
  const tsr_curves_sizes sizes = *tsr_curves_plan_sizes(plan);
  tsr_attribute attributes[MAX_FIELDS];
  tsr_curves_output out;
  tsr_curves_output_init(&out);
  out.points_type = TSR_DOUBLE;
  out.points = exactly(3 * sizes.points, sizeof(double));
  out.offsets = exactly(sizes.cells + 1, sizeof(int64_t));
  out.connectivity = exactly(sizes.connectivity, sizeof(int64_t));
  out.source_item = exactly(sizes.cells, sizeof(int64_t));
  out.nearest_point = exactly(sizes.points, sizeof(int64_t));
  out.parameter = exactly(sizes.points, sizeof(double));
  out.arc_length = exactly(sizes.points, sizeof(double));
  out.curvature = exactly(sizes.points, sizeof(double));
  out.tangents = exactly(3 * sizes.points, sizeof(double));
  out.achieved_error = exactly(sizes.cells, sizeof(double));
  for (int i = 0; i < in->n_fields; i++) {
    const tsr_array *array = &in->field_arrays[i];
    attributes[i].in = *array;
    attributes[i].mode = (tsr_interpolation)(byte(s) % 3);
    attributes[i].out = exactly(sizes.points * array->components, tsr_type_size(array->type));
  }
  out.attributes = attributes;
  out.n_attributes = in->n_fields;
  must(tsr_curves_fill(plan, &out, NULL) == TSR_OK, "filling what was planned");
  check_output(in, &sizes, &out);
  for (int i = 0; i < in->n_fields; i++) {
    free(attributes[i].out);
  }
  free(out.points);
  free(out.offsets);
  free(out.connectivity);
  free(out.source_item);
  free(out.nearest_point);
  free(out.parameter);
  free(out.arc_length);
  free(out.curvature);
  free(out.tangents);
  free(out.achieved_error);
}

/** Every note that stands somewhere has a sentence, cut to any size. */
static void check_notes(stream *s, const input *in, const tsr_curves_plan *plan) {
  const tsr_curves_sizes *sizes = tsr_curves_plan_sizes(plan);
  for (int note = 0; note < TSR_NOTES; note++) {
    const tsr_note_count count = sizes->notes[note];
    must(count.count >= 0 && count.count <= in->view.n_items, "a note's count");
    must((count.count == 0) == (count.first == -1), "a note's first item");
    if (count.count > 0) {
      const size_t size = 1 + (size_t)byte(s);
      char *text = exactly((int64_t)size, 1);
      memset(text, 'x', size);
      tsr_note_sentence((tsr_note)note, count, NULL, text, size);
      must(memchr(text, '\0', size) != NULL, "a sentence with an end");
      free(text);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stream s = {data, size};
  input in = {.n_fields = 0};
  tsr_curves_plan *plan = NULL;
  tsr_error error;
  double bounds[6];
  decode_view(&s, &in);
  const tsr_curves_options o = decode_options(&s, &in);
  const uint8_t budget = byte(&s);
  tsr_curves_bounds(&in.view, NULL, bounds, NULL);
  const tsr_status status = tsr_curves_plan_create(&in.view, &o, NULL, &plan, &error);
  must((status == TSR_OK) == (plan != NULL), "a plan, or a failure");
  if (status == TSR_OK) {
    check_notes(&s, &in, plan);
    fill(&s, &in, plan);
    if (budget % 4 == 0) {
      double scale = 0.0;
      must(tsr_curves_fit_budget(&plan, 1, 1 + budget, NULL, NULL, &scale, NULL) == TSR_OK,
           "fitting a budget");
      must(scale >= 1.0, "a scale");
      must(isinf(scale) || tsr_curves_plan_sizes(plan)->points <= 1 + budget, "within the budget");
      fill(&s, &in, plan);
    }
  } else {
    must(error.status == status && memchr(error.text, '\0', sizeof error.text) != NULL &&
             error.text[0] != '\0',
         "a sentence for the failure");
  }
  tsr_curves_plan_free(plan);
  free(in.points);
  free(in.weights);
  free(in.offsets);
  free(in.ids);
  free(in.kinds);
  for (int i = 0; i < in.n_fields; i++) {
    free(in.fields[i]);
  }
  return 0;
}
