/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves whose arrays lie on the device: every kind, criterion and launch strategy gives the bytes
 * of the CPU, written where the caller says, and next to nothing travels over the bus.
 *
 *     test_device_curves [small]
 */
#include "check.h"
#include "device_memory.h"
#include "views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_small;

/** The options with their arrays in the set; `field` and `label`: memory for the lists. */
static void place_options(placed *set, tsr_curves_options *o, tsr_array *field, tsr_array *label) {
  if (o->use_field_error && o->n_fields > 0) {
    *field = placed_array(set, o->fields[0]);
    o->fields = field;
  }
  if (o->n_labels > 0) {
    *label = placed_array(set, o->labels[0]);
    o->labels = label;
  }
}

static void want_curves(placed *set, const tsr_curves_sizes *z, const wanted *want,
                        tsr_attribute *attributes, tsr_curves_output *out) {
  const size_t points = (size_t)z->points, cells = (size_t)z->cells, real = sizeof(float);
  tsr_curves_output_init(out);
  out->points = placed_output(set, "points", 3 * points * real);
  out->offsets = placed_output(set, "offsets", (cells + 1) * 8);
  out->connectivity = placed_output(set, "connectivity", (size_t)z->connectivity * 8);
  out->source_item = placed_output(set, "sources", cells * 8);
  out->nearest_point = placed_output(set, "nearest points", points * 8);
  out->parameter = placed_output(set, "parameters", points * real);
  out->arc_length = placed_output(set, "arc lengths", points * real);
  out->curvature = placed_output(set, "curvatures", points * real);
  out->tangents = placed_output(set, "tangents", 3 * points * real);
  out->achieved_error = placed_output(set, "errors", cells * 8);
  for (int a = 0; a < want->n_attributes; a++) {
    attributes[a].in = placed_array(set, want->attributes[a]);
    attributes[a].mode = want->modes[a];
    attributes[a].out = placed_output(set, "an attribute",
                                      points * (size_t)attributes[a].in.components *
                                          tsr_type_size(attributes[a].in.type));
  }
  out->attributes = attributes;
  out->n_attributes = want->n_attributes;
}

/** The kinds stay on the host. */
static tsr_status run_curves(const tsr_curves_view *from, tsr_curves_options o, const wanted *want,
                             int cuda, placed *set, tsr_error *error) {
  const tsr_execution e = placed_execution(set, cuda);
  tsr_curves_view view = *from;
  tsr_attribute attributes[MOST_ATTRIBUTES];
  tsr_array field, label;
  tsr_curves_output out;
  tsr_curves_plan *plan;
  const tsr_bus_traffic before = tsr_memory_traffic();
  view.points = placed_array(set, view.points);
  view.weights = placed_array(set, view.weights);
  view.offsets = placed_input(set, view.offsets, (size_t)(view.n_items + 1) * 8, 0);
  view.connectivity = placed_input(set, view.connectivity, (size_t)view.n_connectivity * 8, 0);
  place_options(set, &o, &field, &label);
  tsr_status status = tsr_curves_plan_create(&view, &o, &e, &plan, error);
  if (status != TSR_OK) {
    return status;
  }
  want_curves(set, tsr_curves_plan_sizes(plan), want, attributes, &out);
  status = tsr_curves_fill(plan, &out, error);
  tsr_curves_plan_free(plan);
  if (set->on_device) {
    const char *moved = placed_moved(before, is_small);
    CHECK_SAY(moved == NULL, "curves: %s", moved ? moved : "");
  }
  return status;
}

static int compared, refused;

static void compare(const tsr_curves_view *view, const tsr_curves_options *o, const wanted *want,
                    const char *what) {
  placed on_host = {0}, on_device = {.on_device = 1};
  tsr_error error = {0};
  const tsr_status status = run_curves(view, *o, want, 1, &on_device, &error);
  const int divides = o->sampling != TSR_SAMPLING_EQUAL_ARC_LENGTH; /* by criteria */
  const int by_cpu = view->kind == TSR_KIND_NATURAL_SPLINE ||
                     (divides && (o->use_turning_angle ||
                                  (o->use_field_error && o->field_relative && !o->field_ranges)));
  if (status == TSR_BAD_OPTION && by_cpu) {
    refused++;
  } else if (CHECK_SAY(status == TSR_OK && !by_cpu, "%s: status %d: %s", what, (int)status,
                       error.text)) {
    CHECK_SAY(run_curves(view, *o, want, 0, &on_host, &error) == TSR_OK, "%s: %s", what,
              error.text);
    const char *said = placed_difference(&on_host, &on_device);
    CHECK_SAY(said == NULL, "%s: %s", what, said ? said : "");
    compared++;
  }
  placed_free(&on_host);
  placed_free(&on_device);
}

/** One kind of curve with every set of options; the last runs have other launches. */
static void compare_kind(tsr_curve_kind kind, int64_t n, int closed_and_bad) {
  curve_set set;
  wanted want = {.points_type = TSR_FLOAT, .index_type = TSR_INT64};
  double *storage;
  curve_set_init(&set);
  random_curves(&set, kind, n, kind == TSR_KIND_BEZIER, closed_and_bad, 30 + (uint64_t)kind);
  random_attributes(set.n_points, 7, &want, &storage);
  tsr_curves_view view = curve_set_view(&set);
  view.kind = kind;
  view.kinds = closed_and_bad ? view.kinds : NULL;
  view.single_points = kind % 2;
  for (int which = 0; which < OPTION_CASES; which++) {
    for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ARC_LENGTH; sampling++) {
      tsr_curves_options o = option_case(which, (tsr_sampling)sampling, &want);
      char what[100];
      if (is_small && (which + sampling + (int)kind) % 9 != 0) {
        continue;
      }
      snprintf(what, sizeof what, "kind %d, %s, sampling %d", (int)kind, option_case_name(which),
               sampling);
      o.launch.strategy = (tsr_curves_strategy)(which % TSR_STRATEGY_RECURSIVE_CHILDREN);
      o.launch.output_memory = which % 4 == 3 ? TSR_MEMORY_WORST_CASE : TSR_MEMORY_EXACT;
      if (which % 4 == 2 && o.launch.strategy != TSR_STRATEGY_FLAT &&
          o.launch.strategy != TSR_STRATEGY_AUTO) {
        o.launch.output_memory = TSR_MEMORY_DEVICE_HEAP;
      }
      o.launch.device_bytes = which % 4 == 1 ? 20000 : 0; /* several pieces */
      compare(&view, &o, &want, what);
    }
  }
  free(storage);
  curve_set_free(&set);
}

/** The status and sentence of two curves of these kinds. */
static void refuse(const uint8_t *kinds, int kinds_there, tsr_status expected, const char *word) {
  const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 1, 0}, {2, 2, 0}, {3, 2, 1}};
  const wanted want = {.points_type = TSR_FLOAT, .index_type = TSR_INT64};
  placed there = {.on_device = 1}, kinds_set = {.on_device = kinds_there};
  tsr_error error = {0};
  tsr_curves_options o;
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 3, &x[0][0], NULL, 0);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 3, &x[3][0], NULL, 0);
  tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options_init(&o);
  view.kinds = placed_input(&kinds_set, kinds, 2, 0);
  const tsr_status status = run_curves(&view, o, &want, 1, &there, &error);
  CHECK_SAY(status == expected && strstr(error.text, word), "status %d: %s", (int)status,
            error.text);
  placed_free(&there);
  placed_free(&kinds_set);
  curve_set_free(&set);
}

enum { ZIGZAGS = 3, SIDES = 6, SIDE_POINTS = 1500 };

/** Zigzags of which the corners alone stay: most spans are left without a point. */
static void thin_out(void) {
  static double x[SIDES * SIDE_POINTS + 1][3];
  wanted want = {.points_type = TSR_FLOAT, .index_type = TSR_INT64};
  double *storage;
  tsr_curves_options o;
  curve_set set;
  curve_set_init(&set);
  for (int line = 0; line < ZIGZAGS; line++) {
    for (int k = 0; k <= SIDES * SIDE_POINTS; k++) {
      const int side = k / SIDE_POINTS, along = k % SIDE_POINTS;
      x[k][0] = k;
      x[k][1] = side % 2 ? SIDE_POINTS - along : along;
      x[k][2] = 10.0 * line;
    }
    curve_set_add(&set, TSR_KIND_STRAIGHT, SIDES * SIDE_POINTS + 1, &x[0][0], NULL, 0);
  }
  random_attributes(set.n_points, 7, &want, &storage);
  tsr_curves_view view = curve_set_view(&set);
  view.single_points = 1;
  tsr_curves_options_init(&o);
  o.use_field_error = 0;
  compare(&view, &o, &want, "zigzags");
  const tsr_execution e = placed_execution(&(placed){0}, 1);
  tsr_curves_plan *plan;
  tsr_error error;
  if (CHECK_SAY(tsr_curves_plan_create(&view, &o, &e, &plan, &error) == TSR_OK, "%s", error.text)) {
    CHECK_INT(tsr_curves_plan_sizes(plan)->points, ZIGZAGS * (SIDES + 1));
    tsr_curves_plan_free(plan);
  }
  free(storage);
  curve_set_free(&set);
}

enum { LINES = 12, LINE_POINTS = 100 };

/** Lines with two faults each, but for every third one: neighbouring lanes of a device look at one
 *  line, and the note is that of the first fault along it, as the CPU finds it. */
static void note_first_fault(int on_device) {
  static double x[LINES * LINE_POINTS][3];
  static int64_t ids[LINES * LINE_POINTS], offsets[LINES + 1];
  placed set = {.on_device = on_device};
  tsr_execution e = placed_execution(&set, 1);
  tsr_curves_options o;
  tsr_curves_view view;
  tsr_curves_plan *plan;
  tsr_error error = {0};
  for (int k = 0; k < LINES * LINE_POINTS; k++) {
    x[k][0] = k;
    x[k][1] = k % 7;
    ids[k] = k;
  }
  for (int i = 0; i < LINES; i++) {
    const int first = i * LINE_POINTS + 40 + i, second = first + 1 + 3 * i;
    offsets[i + 1] = (int64_t)(i + 1) * LINE_POINTS;
    if (i % 3 < 2) {
      x[i % 3 == 0 ? first : second][1] = NAN;
      ids[i % 3 == 0 ? second : first] = LINES * LINE_POINTS;
    }
  }
  tsr_curves_options_init(&o);
  o.chord_relative = 1;
  tsr_curves_view_init(&view);
  view.kind = TSR_KIND_STRAIGHT;
  view.single_points = 1;
  view.n_items = LINES;
  view.n_connectivity = LINES * LINE_POINTS;
  view.points = placed_array(&set, (tsr_array){x, TSR_DOUBLE, 3, (int64_t)LINES * LINE_POINTS});
  view.offsets = placed_input(&set, offsets, sizeof offsets, 0);
  view.connectivity = placed_input(&set, ids, sizeof ids, 0);
  if (CHECK_SAY(tsr_curves_plan_create(&view, &o, &e, &plan, &error) == TSR_OK, "%s", error.text)) {
    const tsr_note_count *notes = tsr_curves_plan_sizes(plan)->notes;
    CHECK_INT(notes[TSR_NOTE_NOT_FINITE].count, LINES / 3);
    CHECK_INT(notes[TSR_NOTE_NOT_FINITE].first, 0);
    CHECK_INT(notes[TSR_NOTE_BAD_ID].count, LINES / 3);
    CHECK_INT(notes[TSR_NOTE_BAD_ID].first, 1);
    CHECK_INT(tsr_curves_plan_sizes(plan)->cells, LINES / 3);
    tsr_curves_plan_free(plan);
  }
  placed_free(&set);
}

int main(int argc, char **argv) {
  const int missing = gpu_missing();
  const uint8_t straight[2] = {TSR_KIND_STRAIGHT, TSR_KIND_STRAIGHT},
                automatic[2] = {TSR_KIND_STRAIGHT, TSR_KIND_AUTOMATIC};
  is_small = argc > 1 && strcmp(argv[1], "small") == 0;
  if (missing) {
    return missing;
  }
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    compare_kind((tsr_curve_kind)kind, is_small ? 200 : 3000, kind % 3 == 0);
  }
  thin_out();
  note_first_fault(0);
  note_first_fault(1);
  refuse(straight, 1, TSR_BAD_OPTION, "kinds");
  refuse(automatic, 0, TSR_BAD_OPTION, "automatic");
  printf("%d compared, %d refused\n", compared, refused);
  CHECK(compared > refused && refused > 0);
  return check_result();
}
