/* SPDX-License-Identifier: BSD-3-Clause */
/** Samples of octrees that are wrong are refused with a sentence; odd ones, budgets, marks and
 * threads have the outcome that is documented. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "octree_check.h"

static const octree_recipe recipe = {3, {4, 4, 0}, 3, 0.5, 0.0, 0, 0, 3.0};

static tsr_grid_criterion criterion_of(const octree_case *it) {
  tsr_grid_criterion c;
  tsr_grid_criterion_init(&c);
  c.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  c.threshold = 0.02;
  c.array = (tsr_array){it->point, TSR_DOUBLE, 1, it->octree.points};
  c.samples = (tsr_array){it->point_there, TSR_DOUBLE, 1, it->octree.at_points.n};
  return c;
}

static void run(octree_case *it, const tsr_grid_criterion *c, octree_out *out) {
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  o.criteria = c;
  o.n_criteria = 1;
  octree_run(it, &o, NULL, out);
}

static void expect(octree_case *it, const tsr_grid_criterion *c, tsr_status status,
                   const char *word) {
  octree_out out;
  run(it, c, &out);
  CHECK_INT(out.status, status);
  CHECK_SAY(strstr(out.error.text, word) != NULL, "\"%s\" does not say \"%s\"", out.error.text,
            word);
  octree_out_free(&out);
}

static void check_bad(octree_case *it) {
  const int64_t n = it->octree.at_points.n;
  tsr_grid_criterion c = criterion_of(it);
  c.samples.tuples = n - 1;
  expect(it, &c, TSR_BAD_INPUT, "samples of criterion 0");
  c = criterion_of(it);
  c.samples.components = 2;
  expect(it, &c, TSR_BAD_INPUT, "has 2 components instead of 1");
  c = criterion_of(it);
  c.samples.type = (tsr_type)99;
  expect(it, &c, TSR_BAD_INPUT, "unknown type");
  c = criterion_of(it);
  it->octree.at_points.n = -1;
  expect(it, &c, TSR_BAD_INPUT, "places of samples");
  it->octree.at_points.n = n;
  double *places = it->places[0];
  it->places[0] = NULL;
  expect(it, &c, TSR_BAD_INPUT, "places of samples");
  it->places[0] = places;
  it->octree.at_points.n = (int64_t)1 << 40;
  expect(it, &c, TSR_TOO_LARGE, "samples");
  it->octree.at_points.n = n;
}

/** A cell with a point below 0 or behind the last one is told, the first of two. */
static void check_stray(octree_case *it) {
  const tsr_grid_criterion c = criterion_of(it);
  const int64_t last = it->octree.n - 1, corners = 4, points = it->octree.points;
  int64_t *const corner = it->corners, kept[2] = {corner[corners * last + 2], corner[corners * 7]};
  char words[100];
  corner[corners * last + 2] = points;
  snprintf(words, sizeof words, "cell %lld has point %lld, and the octree has %lld points",
           (long long)last, (long long)points, (long long)points);
  expect(it, &c, TSR_BAD_INPUT, words);
  corner[corners * 7] = -1;
  expect(it, &c, TSR_BAD_INPUT, "cell 7 has point -1");
  corner[corners * last + 2] = kept[0];
  corner[corners * 7] = kept[1];
}

/** Other measures, and cell data that are moved, ignore samples. */
static void check_other_measures(const octree_case *it) {
  for (int k = 0; k < 2; ++k) {
    tsr_grid_criterion c = criterion_of(it);
    tsr_grid_options o;
    octree_out with, without;
    tsr_grid_options_init(&o);
    o.criteria = &c;
    o.n_criteria = 1;
    o.move_cells = k;
    c.measure = k ? TSR_MEASURE_INTERPOLATION_ERROR : TSR_MEASURE_VALUE_RANGE;
    c.cell_data = k;
    if (k) {
      c.array = (tsr_array){it->cell, TSR_FLOAT, 1, it->octree.n};
      c.samples = (tsr_array){it->cell_there, TSR_FLOAT, 1, it->octree.at_cells.n};
    }
    octree_run(it, &o, NULL, &with);
    c.samples.data = NULL;
    octree_run(it, &o, NULL, &without);
    const char *differ = octree_difference(&with, &without);
    CHECK_SAY(with.status == TSR_OK && differ == NULL, "%s differ", differ);
    octree_out_free(&with);
    octree_out_free(&without);
  }
}

/** A sample that is not finite keeps its cell, which a note counts; errors ignore it. */
static void check_not_finite(octree_case *it) {
  const tsr_grid_criterion c = criterion_of(it);
  octree_out out;
  int64_t s = 0, cell = -1;
  double x[3];
  for (; cell < 0; ++s)
    for (int64_t i = 0; i < it->octree.n && cell < 0; ++i)
      if (octree_sample_at(it, s, x) &&
          octree_holds_sample(it, 0, s, it->level[i], &it->index[3 * i]))
        cell = i;
  const double given = it->point_there[--s];
  it->point_there[s] = NAN;
  run(it, &c, &out);
  CHECK_INT(out.status, TSR_OK);
  CHECK(out.sizes.notes[TSR_GRID_NOTE_NOT_FINITE].count > 0);
  CHECK(isfinite(out.errors[0]));
  int kept = 0;
  for (int64_t l = 0; l < out.sizes.leaves; ++l) {
    const int down = out.nodes[l].level - it->level[cell] - 3;
    kept = kept || (down >= 0 && out.nodes[l].index[0] >> down == it->index[3 * cell] &&
                    out.nodes[l].index[1] >> down == it->index[3 * cell + 1]);
  }
  CHECK(kept);
  it->point_there[s] = given;
  octree_out_free(&out);
}

/** An octree of cells that are outside gives nothing. */
static void check_nothing(octree_case *it) {
  const tsr_grid_criterion c = criterion_of(it);
  uint8_t *flags = malloc((size_t)it->octree.n);
  memset(flags, 1, (size_t)it->octree.n);
  it->outside = flags;
  for (int output = 0; output <= TSR_GRID_CONFORMING; ++output) {
    tsr_grid_options o;
    octree_out out;
    tsr_grid_options_init(&o);
    o.criteria = &c;
    o.n_criteria = 1;
    o.output = (tsr_grid_output_kind)output;
    CHECK_SAY(octree_run(it, &o, NULL, &out) == TSR_OK, "%s", out.error.text);
    CHECK_INT(out.sizes.cells, 0);
    CHECK_INT(out.sizes.fine_cells, 0);
    octree_out_free(&out);
  }
  it->outside = NULL;
  free(flags);
}

/** A budget is kept, marks add nodes and lose no threshold, and threads change no byte. */
static void check_options(const octree_case *it) {
  const tsr_grid_criterion c = criterion_of(it);
  tsr_grid_options o;
  octree_out out, other;
  executor exec = {.threads = 5};
  const tsr_execution execution = executor_execution(&exec);
  tsr_grid_options_init(&o);
  o.criteria = &c;
  o.n_criteria = 1;
  octree_run(it, &o, NULL, &out);
  octree_run(it, &o, &execution, &other);
  const char *differ = octree_difference(&out, &other);
  CHECK_SAY(differ == NULL, "threads change the %s", differ);
  octree_out_free(&other);
  const int64_t budget = out.sizes.leaves / 2;
  o.cell_budget = budget;
  octree_run(it, &o, NULL, &other);
  CHECK(other.sizes.leaves <= budget || other.sizes.notes[TSR_GRID_NOTE_BUDGET].count > 0);
  CHECK(other.sizes.threshold_scale > 1.0);
  /* Leaves no larger than a cell are measured by thresholds times the scale. */
  CHECK(other.sizes.notes[TSR_GRID_NOTE_SAMPLES].count <=
        out.sizes.notes[TSR_GRID_NOTE_SAMPLES].count);
  octree_out_free(&other);
  const tsr_grid_node mark = {{1, 1, 0}, 1};
  o.cell_budget = 0;
  o.marks.nodes = &mark;
  o.marks.n = 1;
  octree_run(it, &o, NULL, &other);
  CHECK(other.status == TSR_OK && other.sizes.leaves >= out.sizes.leaves);
  octree_out_free(&other);
  octree_out_free(&out);
}

static void check_sentence(void) {
  char text[512] = "";
  tsr_grid_note_sentence(TSR_GRID_NOTE_SAMPLES, (tsr_note_count){1, 7}, text, sizeof text);
  CHECK(strstr(text, "1 leaf") && strstr(text, "number 7"));
  tsr_grid_note_sentence(TSR_GRID_NOTE_SAMPLES, (tsr_note_count){23, 7}, text, sizeof text);
  CHECK(strstr(text, "23 leaves") && strstr(text, "number 7"));
}

int main(void) {
  octree_case it = octree_case_make(&recipe);
  octree_case_add_samples(&it, 200, 0.05);
  check_bad(&it);
  check_stray(&it);
  check_other_measures(&it);
  check_not_finite(&it);
  check_nothing(&it);
  check_options(&it);
  check_sentence();
  octree_case_free(&it);
  return check_result();
}
