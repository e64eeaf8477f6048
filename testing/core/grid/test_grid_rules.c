/* SPDX-License-Identifier: BSD-3-Clause */
/** Buffer, balance, region, budget and NaN, against sets of nodes made by obvious loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

enum { MAX_LEVELS = 8 };

/** All nodes of all levels: 1 refined. */
typedef struct node_set {
  int levels;
  int64_t n[MAX_LEVELS][3];
  uint8_t *refined[MAX_LEVELS];
} node_set;

static void set_init(node_set *s, const grid_case *g, const tsr_grid_options *o) {
  s->levels = o->coarsen_levels + o->refine_levels;
  for (int l = 0; l <= s->levels; l++) {
    const int by = o->coarsen_levels - l;
    for (int a = 0; a < 3; a++) {
      s->n[l][a] = g->cells[a] == 0 ? 1
                   : by >= 0        ? (g->cells[a] + (1 << by) - 1) >> by
                                    : g->cells[a] << -by;
    }
    s->refined[l] = calloc((size_t)(s->n[l][0] * s->n[l][1] * s->n[l][2]), 1);
  }
}

static void set_free(node_set *s) {
  for (int l = 0; l <= s->levels; l++) {
    free(s->refined[l]);
  }
}

static uint8_t *set_at(const node_set *s, int level, int64_t x, int64_t y, int64_t z) {
  return &s->refined[level][(z * s->n[level][1] + y) * s->n[level][0] + x];
}

/** Marks the ancestors of every leaf. */
static void set_from_leaves(node_set *s, const grid_case *g, const grid_out *out) {
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    int64_t i[3] = {out->nodes[c].index[0], out->nodes[c].index[1], out->nodes[c].index[2]};
    for (int level = out->nodes[c].level - 1; level >= 0; level--) {
      for (int a = 0; a < 3; a++) {
        i[a] = g->cells[a] > 0 ? i[a] / 2 : 0;
      }
      *set_at(s, level, i[0], i[1], i[2]) = 1;
    }
  }
}

/** Refines what lies within b nodes of a refined one. */
static void set_buffer(node_set *s, int b) {
  for (int l = 0; l < s->levels; l++) {
    const int64_t *n = s->n[l];
    const size_t bytes = (size_t)(n[0] * n[1] * n[2]);
    uint8_t *old = malloc(bytes);
    memcpy(old, s->refined[l], bytes);
    for (int64_t k = 0; k < (int64_t)bytes; k++) {
      const int64_t x = k % n[0], y = k / n[0] % n[1], z = k / n[0] / n[1];
      for (int64_t q = z - b; q <= z + b; q++) {
        for (int64_t p = y - b; p <= y + b; p++) {
          for (int64_t r = x - b; r <= x + b; r++) {
            if (q >= 0 && p >= 0 && r >= 0 && q < n[2] && p < n[1] && r < n[0] &&
                old[(q * n[1] + p) * n[0] + r]) {
              s->refined[l][k] = 1;
            }
          }
        }
      }
    }
    free(old);
  }
}

/** A refined node's parent is refined, and its neighbours exist; repeated until nothing changes. */
static void set_close(node_set *s, const grid_case *g, int kind) {
  int changed = 1;
  while (changed) {
    changed = 0;
    for (int l = 1; l < s->levels; l++) {
      const int64_t *n = s->n[l];
      for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
        const int64_t i[3] = {k % n[0], k / n[0] % n[1], k / n[0] / n[1]};
        for (int d = 0; d < 27 && s->refined[l][k]; d++) {
          const int64_t step[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
          int64_t q[3];
          int inside = 1, length = 0;
          for (int a = 0; a < 3; a++) {
            length += step[a] != 0;
            q[a] = i[a] + step[a];
            inside = inside && q[a] >= 0 && q[a] < n[a];
            q[a] = g->cells[a] > 0 ? q[a] / 2 : q[a];
          }
          if (!inside || length > kind) {
            continue;
          }
          uint8_t *parent = set_at(s, l - 1, q[0], q[1], q[2]);
          changed |= !*parent;
          *parent = 1;
        }
      }
    }
  }
}

/** The output's leaves are the set's: nodes that are not refined, of refined parents. */
static void check_set(const node_set *s, const grid_case *g, const grid_out *out) {
  node_set got = *s;
  int64_t leaves = 0;
  for (int l = 0; l <= s->levels; l++) {
    got.refined[l] = calloc((size_t)(s->n[l][0] * s->n[l][1] * s->n[l][2]), 1);
  }
  set_from_leaves(&got, g, out);
  for (int l = 0; l <= s->levels; l++) {
    const int64_t *n = s->n[l];
    CHECK_SAY(memcmp(got.refined[l], s->refined[l], (size_t)(n[0] * n[1] * n[2])) == 0,
              "level %d has other refined nodes", l);
    for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
      const int64_t x = k % n[0], y = k / n[0] % n[1], z = k / n[0] / n[1];
      const int exists = l == 0 || *set_at(s, l - 1, g->cells[0] ? x / 2 : x,
                                           g->cells[1] ? y / 2 : y, g->cells[2] ? z / 2 : z);
      leaves += exists && !s->refined[l][k];
    }
  }
  CHECK_INT(out->sizes.leaves, leaves);
  set_free(&got);
}

static void check_rules(int trial) {
  static const int64_t sizes[5][3] = {
      {33, 0, 0}, {19, 25, 0}, {14, 9, 11}, {0, 17, 12}, {8, 16, 12}};
  const int64_t *n = sizes[trial % 5];
  grid_case g;
  grid_case_init(&g, n[0], n[1], n[2]);
  grid_case_fill(&g, (uint64_t)trial);
  const tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.3 + 0.1 * (trial % 4));
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 1 + trial % 4;
  o.refine_levels = trial / 3 % 4;
  o.balance = TSR_BALANCE_NONE;
  const tsr_grid_view view = grid_case_view(&g);
  grid_out plain, out;
  CHECK_INT(grid_run(&g, &view, &o, NULL, &plain), TSR_OK);
  for (int balance = 0; balance < 4; balance++) {
    for (int b = 0; b < 4; b += 1 + balance % 2) {
      node_set s;
      set_init(&s, &g, &o);
      set_from_leaves(&s, &g, &plain);
      set_buffer(&s, b);
      set_close(&s, &g, balance);
      tsr_grid_options with = o;
      with.balance = (tsr_balance)balance;
      with.buffer_cells = b;
      CHECK_INT(grid_run(&g, &view, &with, NULL, &out), TSR_OK);
      check_set(&s, &g, &out);
      set_free(&s);
      grid_out_free(&out);
    }
  }
  grid_out_free(&plain);
  grid_case_free(&g);
}

/** Imposes the leaves of a balanced grid on a new one, by their levels: balancing adds nothing. */
static void check_twice(tsr_balance balance) {
  enum { LEVELS = 4 };
  grid_case g;
  tsr_grid_criterion c[LEVELS];
  tsr_grid_options o;
  grid_out once, twice;
  grid_case_init(&g, 37, 29, 22);
  grid_case_fill(&g, 4);
  c[0] = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.3);
  tsr_grid_options_init(&o);
  o.criteria = c;
  o.n_criteria = 1;
  o.coarsen_levels = LEVELS;
  o.balance = balance;
  const tsr_grid_view view = grid_case_view(&g);
  CHECK_INT(grid_run(&g, &view, &o, NULL, &once), TSR_OK);
  int64_t *map = grid_leaf_map(&g, &o, &once);
  for (int64_t k = 0; k < g.n_cells; k++) {
    g.values[k] = once.level[map[k]];
  }
  for (int m = 1; m <= LEVELS; m++) {
    tsr_grid_criterion_init(&c[m - 1]);
    c[m - 1].measure = TSR_MEASURE_IN_RANGE;
    c[m - 1].array = grid_case_cells(&g);
    c[m - 1].cell_data = 1;
    c[m - 1].lower = m;
    c[m - 1].upper = LEVELS;
    c[m - 1].max_level = m;
  }
  o.n_criteria = LEVELS;
  CHECK_INT(grid_run(&g, &view, &o, NULL, &twice), TSR_OK);
  CHECK_INT(twice.sizes.leaves, once.sizes.leaves);
  CHECK(memcmp(once.nodes, twice.nodes, (size_t)once.sizes.cells * sizeof *once.nodes) == 0);
  free(map);
  grid_out_free(&once);
  grid_out_free(&twice);
  grid_case_free(&g);
}

/** Without balance, leaves that overlap the region obey its level, and others the outer one. */
static void check_region(void) {
  grid_case g;
  grid_case_init(&g, 32, 32, 16);
  grid_case_fill(&g, 6);
  const tsr_grid_criterion c = grid_criterion(&g, TSR_MEASURE_VALUE_RANGE, 0.0);
  grid_out out;
  tsr_grid_options o = grid_options(&c, 1);
  o.refine_levels = 1;
  o.balance = TSR_BALANCE_NONE;
  o.use_region = 1;
  const double region[6] = {8.0, 16.0, 4.5, 20.0, -3.0, 100.0};
  memcpy(o.region, region, sizeof region);
  const tsr_grid_view view = grid_case_view(&g);
  for (int k = 0; k < 2; k++) {
    o.inside_level = k ? 1 : 4;
    o.outside_level = k ? 3 : 1;
    CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
    for (int64_t l = 0; l < out.sizes.cells; l++) {
      const double size = ldexp(8.0, -out.nodes[l].level);
      int overlaps = 1, parent_overlaps = 1;
      for (int a = 0; a < 2; a++) {
        const double x = out.nodes[l].index[a] * size;
        const double p = out.nodes[l].index[a] / 2 * 2 * size;
        overlaps = overlaps && x < region[2 * a + 1] && x + size > region[2 * a];
        parent_overlaps = parent_overlaps && p < region[2 * a + 1] && p + 2 * size > region[2 * a];
      }
      const int level = out.nodes[l].level;
      /* As the values change everywhere, every node is refined as far as it may be. */
      CHECK(level >= (overlaps ? o.inside_level : o.outside_level));
      CHECK(level == 0 || level - 1 < (parent_overlaps ? o.inside_level : o.outside_level));
    }
    grid_out_free(&out);
  }
  grid_case_free(&g);
}

/** What a budget gives is what the scaled thresholds give without one, and a factor that is a
 * little smaller gives too many cells, or hardly more. */
static void check_scale(const grid_case *g, const tsr_grid_options *o, const grid_out *fitted) {
  for (int less = 0; less < 2 && fitted->sizes.threshold_scale > 1.0; less++) {
    const tsr_grid_view view = grid_case_view(g);
    const double factor = less ? 1.0 / (1.0 + 1.01 / 64.0) : 1.0;
    tsr_grid_criterion c[2] = {o->criteria[0], o->criteria[1]};
    tsr_grid_options without = *o;
    grid_out out;
    for (int k = 0; k < 2; k++) {
      c[k].threshold *= fitted->sizes.threshold_scale * factor;
    }
    without.criteria = c;
    without.cell_budget = 0;
    CHECK_INT(grid_run(g, &view, &without, NULL, &out), TSR_OK);
    if (less) {
      CHECK_SAY(
          out.sizes.leaves > o->cell_budget || 99 * out.sizes.leaves <= 100 * fitted->sizes.leaves,
          "%lld cells fit, scale %g", (long long)out.sizes.leaves, fitted->sizes.threshold_scale);
    } else if (CHECK_INT(out.sizes.cells, fitted->sizes.cells)) {
      CHECK(memcmp(out.nodes, fitted->nodes, (size_t)out.sizes.cells * sizeof *out.nodes) == 0);
      CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_NOT_FINITE].count,
                fitted->sizes.notes[TSR_GRID_NOTE_NOT_FINITE].count);
    }
    grid_out_free(&out);
  }
}

static void check_budget(tsr_grid_measure first, tsr_grid_measure second, int refine) {
  grid_case g;
  grid_case_init(&g, 40, 33, 27);
  grid_case_fill(&g, 9);
  g.points[3 * 41 * 34 + 17] = NAN;
  const tsr_grid_criterion c[2] = {grid_criterion(&g, first, 0.001),
                                   grid_criterion(&g, second, 0.003)};
  grid_out out;
  tsr_grid_options o = grid_options(c, 2);
  o.refine_levels = refine;
  const tsr_grid_view view = grid_case_view(&g);
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
  const int64_t all = out.sizes.leaves;
  CHECK(out.sizes.threshold_scale == 1.0);
  grid_out_free(&out);
  o.cell_budget = 7; /* below the roots; but the node of the point that is not finite is refined */
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
  const int64_t least = out.sizes.leaves;
  CHECK(least >= 5 * 5 * 4 && least < 2 * 5 * 5 * 4);
  CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_BUDGET].count, least - 7);
  CHECK(isinf(out.sizes.threshold_scale));
  char text[200] = "", expected[32];
  snprintf(expected, sizeof expected, "%lld cells", (long long)least - 7);
  tsr_grid_note_sentence(TSR_GRID_NOTE_BUDGET, out.sizes.notes[TSR_GRID_NOTE_BUDGET], text,
                         sizeof text);
  CHECK(strstr(text, expected) != NULL);
  grid_out_free(&out);
  const int64_t budgets[] = {all, all / 2, all / 10, 400, least};
  for (int k = 0; k < 5; k++) {
    tsr_report report;
    o.cell_budget = budgets[k];
    CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
    CHECK_SAY(out.sizes.leaves <= budgets[k], "%lld cells", (long long)out.sizes.leaves);
    CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_BUDGET].count, 0);
    tsr_grid_plan_report(out.plan, &report);
    CHECK(report.tolerance_scale == out.sizes.threshold_scale);
    CHECK(k == 0 || out.sizes.threshold_scale > 1.0);
    check_scale(&g, &o, &out);
    grid_out_free(&out);
  }
  grid_case_free(&g);
}

/** The cells of a point that is not finite are leaves of input level, and counted. All others have
 *  nothing to ask for: their values are 0 or, for a threshold that is `relative` to the range, x.
 */
static void check_not_finite(tsr_grid_measure measure, double bad, int relative) {
  grid_case g;
  grid_case_init(&g, 16, 16, 16);
  const int64_t at = (5 * 17 + 9) * 17 + 6;
  for (int64_t k = 0; relative && k < 17 * 17 * 17; k++)
    g.points[k] = (double)(k % 17);
  g.points[at] = bad;
  tsr_grid_criterion c = grid_criterion(&g, measure, 1e-3);
  c.relative = relative;
  grid_out out;
  tsr_grid_options o = grid_options(&c, 1);
  o.balance = TSR_BALANCE_NONE;
  o.refine_levels = 2;
  const tsr_grid_view view = grid_case_view(&g);
  CHECK_INT(grid_run(&g, &view, &o, NULL, &out), TSR_OK);
  CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_NOT_FINITE].count, 8);
  CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_NOT_FINITE].first, (4 * 16 + 8) * 16 + 5);
  int found = 0;
  for (int64_t l = 0; l < out.sizes.cells; l++) {
    CHECK(out.nodes[l].level <= 3);
    found += out.nodes[l].level == 3 &&
             (out.nodes[l].index[0] == 5 || out.nodes[l].index[0] == 6) &&
             (out.nodes[l].index[1] == 8 || out.nodes[l].index[1] == 9) &&
             (out.nodes[l].index[2] == 4 || out.nodes[l].index[2] == 5);
  }
  CHECK_INT(found, 8);
  CHECK(out.sizes.leaves < 150);
  char text[300] = "";
  tsr_grid_note_sentence(TSR_GRID_NOTE_NOT_FINITE, out.sizes.notes[TSR_GRID_NOTE_NOT_FINITE], text,
                         sizeof text);
  CHECK(strstr(text, "8 input cells") != NULL);
  grid_out_free(&out);
  grid_case_free(&g);
}

/** The indicator evaluates criteria again, which must not touch the grid: here they ask for nodes
 *  that the region keeps coarse, and a value is not finite. */
static void check_fill_again(tsr_grid_measure measure, int outside_level) {
  grid_case g;
  grid_case_init(&g, 24, 20, 16);
  grid_case_fill(&g, 5);
  g.points[(9 * 21 + 8) * 25 + 14] = NAN;
  const tsr_grid_criterion c = grid_criterion(&g, measure, 0.01);
  const double region[6] = {0.0, 11.5, 0.0, 20.0, 0.0, 16.0};
  tsr_grid_options o = grid_options(&c, 1);
  o.refine_levels = 1;
  o.use_region = 1;
  o.outside_level = outside_level;
  o.balance = TSR_BALANCE_NONE;
  memcpy(o.region, region, sizeof region);
  const tsr_grid_view view = grid_case_view(&g);
  tsr_grid_plan *plan;
  tsr_error error;
  CHECK_INT(tsr_grid_plan_create(&view, &o, NULL, &plan, &error), TSR_OK);
  const size_t n = (size_t)tsr_grid_plan_sizes(plan)->points;
  uint8_t *hanging[2] = {malloc(n), malloc(n)};
  double *indicator = malloc((size_t)tsr_grid_plan_sizes(plan)->cells * sizeof *indicator);
  for (int k = 0; k < 3; k++) {
    tsr_grid_output output;
    tsr_grid_output_init(&output);
    output.hanging = k == 1 ? NULL : hanging[k / 2];
    output.indicator = k == 1 ? indicator : NULL;
    CHECK_INT(tsr_grid_fill(plan, &output, &error), TSR_OK);
  }
  CHECK(memchr(hanging[0], 1, n) != NULL);
  CHECK(memcmp(hanging[0], hanging[1], n) == 0);
  free(hanging[0]);
  free(hanging[1]);
  free(indicator);
  tsr_grid_plan_free(plan);
  grid_case_free(&g);
}

int main(void) {
  for (int trial = 0; trial < 30; trial++) {
    check_rules(trial);
  }
  for (int balance = 0; balance < 4; balance++) {
    check_twice((tsr_balance)balance);
  }
  check_region();
  check_budget(TSR_MEASURE_GRADIENT, TSR_MEASURE_GRADIENT, 0);
  check_budget(TSR_MEASURE_VALUE_RANGE, TSR_MEASURE_STANDARD_DEVIATION, 1);
  check_budget(TSR_MEASURE_INTERPOLATION_ERROR, TSR_MEASURE_VALUE_RANGE, 2);
  check_fill_again(TSR_MEASURE_VALUE_RANGE, 3);
  check_fill_again(TSR_MEASURE_INTERPOLATION_ERROR, 1);
  check_not_finite(TSR_MEASURE_VALUE_RANGE, (double)NAN, 0);
  check_not_finite(TSR_MEASURE_GRADIENT, (double)INFINITY, 0);
  check_not_finite(TSR_MEASURE_STANDARD_DEVIATION, (double)NAN, 0);
  check_not_finite(TSR_MEASURE_SECOND_DERIVATIVE, (double)NAN, 0);
  check_not_finite(TSR_MEASURE_INTERPOLATION_ERROR, -(double)INFINITY, 0);
  check_not_finite(TSR_MEASURE_INTERPOLATION_ERROR, -(double)INFINITY, 1);
  check_not_finite(TSR_MEASURE_INTERPOLATION_ERROR, (double)NAN, 1);
  return check_result();
}
