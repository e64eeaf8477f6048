/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Adaptive grids, CPU against CUDA: the same nodes, sizes, notes, arrays and errors for every
 * criterion, geometry, dimension, kind of data and output, with both launch strategies.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "outputs.h"
#include "random_numbers.h"

/** A grid with all that it borrows. */
typedef struct scene {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criteria[3];
  void *memory[16];
  int n_memory;
  char text[200];
} scene;

static void *keep(scene *s, size_t bytes) {
  void *memory = malloc(bytes + 8);
  if (memory == NULL) {
    printf("the test has no memory\n");
    exit(1);
  }
  s->memory[s->n_memory++] = memory;
  return memory;
}

/** Values along the axes: a bump and a front with some noise; `odd`: a few are not finite. */
static tsr_array field(scene *s, const int64_t n[3], int components, tsr_type type, int odd) {
  const int64_t values = n[0] * n[1] * n[2] * components;
  char *to = keep(s, (size_t)values * tsr_type_size(type));
  const double scale = type == TSR_FLOAT || type == TSR_DOUBLE ? 1.0 : 100.0;
  const double place = uniform();
  for (int64_t v = 0; v < values; v++) {
    const int64_t i = v / components;
    const double x = (double)(i % n[0]) / (double)n[0],
                 y = (double)(i / n[0] % n[1]) / (double)n[1],
                 z = (double)(i / n[0] / n[1]) / (double)n[2];
    double f = tanh(20.0 * (x + 0.4 * y + 0.2 * z - place)) * (1 + (double)(v % components)) +
               exp(-30.0 * ((y - 0.4) * (y - 0.4) + (z - 0.5) * (z - 0.5))) + 0.01 * uniform();
    f = 0.5 * scale * (f + 1.0);
    if (odd && scale == 1.0 && uniform() < 2e-3) {
      f = below(2) ? NAN : INFINITY;
    }
    switch (type) {
    case TSR_FLOAT:
      ((float *)(void *)to)[v] = (float)f;
      break;
    case TSR_DOUBLE:
      ((double *)(void *)to)[v] = f;
      break;
    case TSR_UINT8:
      ((uint8_t *)(void *)to)[v] = (uint8_t)(f > 0 ? f : 0);
      break;
    default:
      ((int16_t *)(void *)to)[v] = (int16_t)f;
      break;
    }
  }
  const tsr_array array = {to, type, components, values / components};
  return array;
}

static void geometry(scene *s, const int64_t points[3]) {
  tsr_grid_view *view = &s->view;
  view->geometry = (tsr_grid_geometry)below(3);
  for (int a = 0; a < 3; a++) {
    view->origin[a] = uniform();
    view->spacing[a] = 0.5 + uniform();
  }
  for (int a = 0; view->geometry == TSR_GEOMETRY_RECTILINEAR && a < 3; a++) {
    double *x = keep(s, (size_t)points[a] * sizeof *x);
    for (int64_t k = 0; k < points[a]; k++) {
      x[k] = (k > 0 ? x[k - 1] : 0.0) + 0.1 + uniform();
    }
    view->coordinates[a] = (tsr_array){x, TSR_DOUBLE, 1, points[a]};
  }
  if (view->geometry == TSR_GEOMETRY_POINTS) {
    const int64_t n = points[0] * points[1] * points[2];
    float *x = keep(s, (size_t)n * 3 * sizeof *x);
    for (int64_t i = 0; i < n; i++) {
      x[3 * i] = (float)((double)(i % points[0]) + 0.2 * uniform());
      x[3 * i + 1] = (float)((double)(i / points[0] % points[1]) + 0.2 * uniform());
      x[3 * i + 2] = (float)((double)(i / points[0] / points[1]) + 0.2 * uniform());
    }
    view->points = (tsr_array){x, TSR_FLOAT, 3, n};
  }
}

static void criterion(scene *s, int k, tsr_grid_measure measure, const int64_t points[3],
                      const int64_t cells[3], int plain) {
  static const tsr_type types[4] = {TSR_FLOAT, TSR_DOUBLE, TSR_UINT8, TSR_INT16};
  tsr_grid_criterion *c = &s->criteria[k];
  const int flow = measure == TSR_MEASURE_VORTICITY || measure == TSR_MEASURE_Q;
  const int components = flow ? 3 : plain ? 1 : 1 + below(3);
  tsr_grid_criterion_init(c);
  c->measure = measure;
  c->cell_data = below(2);
  c->array = field(s, c->cell_data ? cells : points, components, types[plain ? below(2) : below(4)],
                   below(4) == 0);
  c->component = flow ? -1 : below(components + 1) - 1;
  if (measure == TSR_MEASURE_INTERPOLATION_ERROR && s->view.geometry == TSR_GEOMETRY_POINTS &&
      below(2)) { /* a geometric error */
    c->cell_data = 0;
    c->array = s->view.points;
    c->component = -1;
  }
  c->relative = 1;
  c->threshold = 0.02 + 0.4 * uniform() * uniform();
  c->lower = 0.4;
  c->upper = 0.4 + 0.2 * uniform();
  c->max_level = below(4) == 0 ? below(5) : -1;
}

static int most_plain = 140; /* points along an axis of a plain scene */

/** plain: what the tuned pass takes. */
static void make(scene *s, uint64_t seed, int dimension, tsr_grid_measure measure, int plain) {
  static const char *const names[] = {
      "value range", "gradient",           "second derivative", "vorticity",
      "Q",           "standard deviation", "in range",          "interpolation error"};
  const int most = dimension == 3 ? (plain ? most_plain : 26) : dimension == 2 ? 90 : 700;
  int64_t points[3], cells[3];
  memset(s, 0, sizeof *s);
  state = seed * 7919 + 13;
  tsr_grid_view_init(&s->view);
  tsr_grid_options_init(&s->options);
  const int without = dimension < 3 ? below(3) : 3; /* the axes without cells lie anywhere */
  for (int a = 0, left = 3 - dimension; a < 3; a++) {
    const int flat = left > 0 && (a >= without || 3 - a <= left);
    left -= flat;
    points[a] = flat ? 1 : 2 + below(most);
    cells[a] = flat ? 1 : points[a] - 1;
    s->view.whole[2 * a] = s->view.extent[2 * a] = below(9) - 4;
    s->view.whole[2 * a + 1] = s->view.extent[2 * a + 1] = s->view.whole[2 * a] + points[a] - 1;
  }
  geometry(s, points);
  s->options.coarsen_levels = plain ? 3 + below(4) : below(5);
  s->options.refine_levels = plain ? 0 : below(dimension == 3 ? 2 : 3);
  s->options.balance = (tsr_balance)below(4);
  s->options.buffer_cells = below(3) == 0;
  s->options.output = below(3) == 0 ? (tsr_grid_output_kind)(2 + below(3)) : TSR_GRID_CELLS;
  s->options.cell_budget = below(6) == 0 ? 200 + below(2000) : 0;
  s->options.mode = below(12) == 0 ? (tsr_grid_mode)below(3) : TSR_GRID_ADAPTIVE;
  s->options.use_region = below(4) == 0;
  for (int a = 0; a < 3; a++) {
    s->options.region[2 * a] = (double)s->view.whole[2 * a] + 0.3 * (double)cells[a];
    s->options.region[2 * a + 1] = (double)s->view.whole[2 * a] + 0.7 * (double)cells[a];
  }
  s->options.outside_level = below(4);
  s->options.n_criteria = 1 + (below(3) == 0) + (below(6) == 0);
  s->options.criteria = s->criteria;
  for (int k = 0; k < s->options.n_criteria; k++) {
    criterion(s, k, k == 0 ? measure : (tsr_grid_measure)below(8), points, cells, plain && k == 0);
  }
  if (!plain && below(4) == 0) {
    uint8_t *hidden = keep(s, (size_t)(cells[0] * cells[1] * cells[2]));
    for (int64_t i = 0; i < cells[0] * cells[1] * cells[2]; i++) {
      hidden[i] = i / 7 % 5 == 0 || uniform() < 0.01;
    }
    s->view.hidden_cells = hidden;
  }
  const int64_t root = (int64_t)1 << s->options.coarsen_levels;
  if (below(3) == 0 && cells[0] > root) { /* only the upper part of the roots along i is put out */
    memcpy(s->view.owned, s->view.extent, sizeof s->view.owned);
    s->view.owned[0] += root;
  }
  snprintf(s->text, sizeof s->text,
           "seed %llu, %s%s, %lld x %lld x %lld points, %d + %d levels, output %d",
           (unsigned long long)seed, names[measure], plain ? " (plain)" : "", (long long)points[0],
           (long long)points[1], (long long)points[2], s->options.coarsen_levels,
           s->options.refine_levels, (int)s->options.output);
}

static void scene_free(scene *s) {
  for (int k = 0; k < s->n_memory; k++) {
    free(s->memory[k]);
  }
}

/** Scenes with cells beyond the roots, and with errors: to see that they are no empty ones. */
static int64_t refined, errors;

static double last_error; /* of the first criterion's array, in the last scene */

static void compare_plans(const tsr_grid_plan *cpu, const tsr_grid_plan *cuda,
                          tsr_grid_strategy strategy, const char *text) {
  const tsr_grid_sizes *a = tsr_grid_plan_sizes(cpu), *b = tsr_grid_plan_sizes(cuda);
  tsr_report report;
  tsr_grid_plan_report(cuda, &report);
  CHECK_SAY(report.backend == TSR_BACKEND_CUDA && report.strategy == (int)strategy,
            "%s: backend %d and strategy %d ran", text, (int)report.backend, report.strategy);
  CHECK_SAY(strstr(report.by_cpu, "ranges") == NULL, "%s: the CPU found ranges", text);
  CHECK_SAY(a->cells == b->cells && a->points == b->points && a->leaves == b->leaves &&
                a->patches == b->patches && a->threshold_scale == b->threshold_scale,
            "%s: %lld cells, %lld points, %lld leaves, scale %g; CUDA: %lld, %lld, %lld, %g", text,
            (long long)a->cells, (long long)a->points, (long long)a->leaves, a->threshold_scale,
            (long long)b->cells, (long long)b->points, (long long)b->leaves, b->threshold_scale);
  for (int n = 0; n < TSR_GRID_NOTES; n++) {
    CHECK_SAY(a->notes[n].count == b->notes[n].count && a->notes[n].first == b->notes[n].first,
              "%s: note %d: %lld from %lld on; CUDA: %lld from %lld on", text, n,
              (long long)a->notes[n].count, (long long)a->notes[n].first,
              (long long)b->notes[n].count, (long long)b->notes[n].first);
  }
  /* Of a conforming grid the nodes are the leaves. */
  const int64_t nodes = a->cut_leaves > 0 ? a->leaves : a->cells;
  if (a->cells == b->cells && a->cut_leaves == b->cut_leaves) {
    CHECK_SAY(a->cells == 0 || memcmp(tsr_grid_plan_nodes(cpu), tsr_grid_plan_nodes(cuda),
                                      (size_t)nodes * sizeof(tsr_grid_node)) == 0,
              "%s: the nodes differ", text);
  }
  refined += a->leaves > a->leaves_of_level[0] ? 1 : 0;
}

/** What a fill makes of the criteria's arrays. */
typedef struct filled {
  char *out[3];
  double error[3];
} filled;

static size_t attribute_bytes(const scene *s, int k, const tsr_grid_sizes *sizes) {
  const tsr_grid_criterion *c = &s->criteria[k];
  const int states = s->options.output == TSR_GRID_TREES || s->options.output == TSR_GRID_PATCHES;
  const int64_t tuples = c->cell_data || states ? sizes->cells : sizes->points;
  return (size_t)(tuples * c->array.components) * tsr_type_size(c->array.type);
}

static void fill(const scene *s, tsr_grid_plan *plan, filled *to) {
  tsr_grid_attribute attributes[3];
  tsr_grid_output out;
  tsr_error error;
  for (int k = 0; k < s->options.n_criteria; k++) {
    const size_t bytes = attribute_bytes(s, k, tsr_grid_plan_sizes(plan));
    to->out[k] = malloc(bytes + 1);
    memset(to->out[k], 0x5a, bytes + 1);
    to->error[k] = -1.0;
    attributes[k] = (tsr_grid_attribute){
        s->criteria[k].array, s->criteria[k].cell_data, to->out[k], &to->error[k], {0}};
  }
  tsr_grid_output_init(&out);
  out.attributes = attributes;
  out.n_attributes = s->options.n_criteria;
  CHECK_SAY(tsr_grid_fill(plan, &out, &error) == TSR_OK, "%s: %s", s->text, error.text);
}

static void compare_fills(const scene *s, tsr_grid_plan *cpu, tsr_grid_plan *cuda) {
  filled a, b;
  if (tsr_grid_plan_sizes(cpu)->cells != tsr_grid_plan_sizes(cuda)->cells) {
    return; /* said already */
  }
  fill(s, cpu, &a);
  fill(s, cuda, &b);
  for (int k = 0; k < s->options.n_criteria; k++) {
    CHECK_SAY(memcmp(a.out[k], b.out[k], attribute_bytes(s, k, tsr_grid_plan_sizes(cpu))) == 0,
              "%s: array %d differs", s->text, k);
    CHECK_SAY(a.error[k] >= 0.0 && a.error[k] == b.error[k],
              "%s: array %d: error %.17g, CUDA %.17g", s->text, k, a.error[k], b.error[k]);
    errors += a.error[k] > 0.0;
    last_error = k == 0 ? a.error[0] : last_error;
    free(a.out[k]);
    free(b.out[k]);
  }
}

static void compare(const scene *s) {
  tsr_execution on_cpu = execution_cpu();
  tsr_grid_plan *cpu, *cuda;
  tsr_error error;
  tsr_status status;
  on_cpu.backend = TSR_BACKEND_CPU;
  status = tsr_grid_plan_create(&s->view, &s->options, &on_cpu, &cpu, &error);
  CHECK_SAY(status == TSR_OK, "%s: %s", s->text, error.text);
  for (int strategy = TSR_STRATEGY_HOST_WAVES;
       status == TSR_OK && strategy <= TSR_STRATEGY_DEVICE_LAUNCHED; strategy++) {
    const tsr_execution on_cuda = execution_cuda();
    tsr_grid_options options = s->options;
    options.launch.strategy = (tsr_grid_strategy)strategy;
    const tsr_status other = tsr_grid_plan_create(&s->view, &options, &on_cuda, &cuda, &error);
    if (CHECK_SAY(other == TSR_OK, "%s: %s", s->text, error.text)) {
      compare_plans(cpu, cuda, (tsr_grid_strategy)strategy, s->text);
      compare_fills(s, cpu, cuda);
    }
    tsr_grid_plan_free(cuda);
  }
  tsr_grid_plan_free(cpu);
}

/** Doubles between which nothing but the interpolation error decides. */
static void make_for_the_edge(scene *s, uint64_t seed, int dimension) {
  int64_t points[3], cells[3];
  tsr_grid_view fresh;
  make(s, seed, dimension, TSR_MEASURE_INTERPOLATION_ERROR, 0);
  tsr_grid_view_init(&fresh);
  memcpy(s->view.owned, fresh.owned, sizeof fresh.owned);
  s->view.hidden_cells = NULL;
  tsr_grid_options_init(&s->options);
  s->options.coarsen_levels = 3;
  s->options.balance = TSR_BALANCE_NONE;
  s->options.criteria = s->criteria;
  s->options.n_criteria = 1;
  for (int a = 0; a < 3; a++) {
    points[a] = s->view.whole[2 * a + 1] - s->view.whole[2 * a] + 1;
    cells[a] = points[a] > 1 ? points[a] - 1 : 1;
  }
  criterion(s, 0, TSR_MEASURE_INTERPOLATION_ERROR, points, cells, 1);
  s->criteria[0].cell_data = 0;
  s->criteria[0].array = field(s, points, 1, TSR_DOUBLE, 0);
  s->criteria[0].max_level = -1;
}

/** One interpolation error over few levels, of an array with a value that is not finite. */
static void make_few_levels(scene *s, uint64_t seed, int levels) {
  make_for_the_edge(s, seed, 3);
  const tsr_array *array = &s->criteria[0].array;
  ((double *)(uintptr_t)array->data)[array->tuples / 2] = NAN;
  s->view.geometry = TSR_GEOMETRY_UNIFORM;
  s->options.coarsen_levels = levels;
}

enum { WIDE = 33, LONG = 17 }; /* points along x; along y and z */

static int64_t wide_at(int64_t x, int64_t y, int64_t z) { return x + WIDE * (y + LONG * z); }

/** Two roots of 16 cells along each side, the second one cut short by `less`. The first one is
 *  divided once, since it rises and falls, so that the second one is cut where they meet: the
 * middle there is 0.9 above its corners, which are 0. At (18, 8, z) the interpolation is more than
 * 0.5 then, and with value `off` there a threshold of 1 is exceeded, though not in the root as it
 * is before the cut. */
static void make_large_cut(scene *s, int less, int64_t z, double off) {
  const int64_t points[3] = {WIDE - less, LONG, LONG};
  double *v = keep(s, sizeof *v * WIDE * LONG * LONG);
  tsr_grid_view_init(&s->view);
  tsr_grid_options_init(&s->options);
  tsr_grid_criterion_init(&s->criteria[0]);
  for (int64_t k = 0; k < LONG; k++) {
    for (int64_t j = 0; j < LONG; j++) {
      for (int64_t i = 0; i < points[0]; i++) {
        v[wide_at(i, j, k) - less * (j + LONG * k)] = i < 16 ? 50.0 - 6.25 * fabs((double)i - 8.0)
                                                      : i == 16 && j == 8 && k == 8 ? 0.9
                                                      : i == 18 && j == 8 && k == z ? off
                                                                                    : 0.0;
      }
    }
  }
  for (int a = 0; a < 3; a++) {
    s->view.whole[2 * a + 1] = s->view.extent[2 * a + 1] = points[a] - 1;
  }
  s->criteria[0].measure = TSR_MEASURE_INTERPOLATION_ERROR;
  s->criteria[0].array = (tsr_array){v, TSR_DOUBLE, 1, points[0] * LONG * LONG};
  s->criteria[0].threshold = 1.0;
  s->options.coarsen_levels = 4;
  s->options.output = TSR_GRID_CONFORMING;
  s->options.criteria = s->criteria;
  s->options.n_criteria = 1;
  snprintf(s->text, sizeof s->text, "root cut short by %d, %g at z = %d", less, off, (int)z);
}

/** A large leaf is refined for each of its points, whichever warp of a block looks at it. */
static void check_large_cuts(void) {
  for (int k = 0; k < 16; k++) {
    const int less = k / 8, asks = k / 4 % 2;
    const tsr_execution on_cuda = execution_cuda();
    scene s = {0};
    tsr_grid_plan *plan;
    tsr_error error;
    make_large_cut(&s, less, 6 + k % 4, asks ? -0.6 : 0.0);
    compare(&s);
    if (CHECK_SAY(tsr_grid_plan_create(&s.view, &s.options, &on_cuda, &plan, &error) == TSR_OK,
                  "%s: %s", s.text, error.text)) {
      const tsr_grid_sizes *sizes = tsr_grid_plan_sizes(plan);
      CHECK_SAY(sizes->leaves_of_level[0] == !asks, "%s: %lld roots are leaves", s.text,
                (long long)sizes->leaves_of_level[0]);
      tsr_grid_plan_free(plan);
    }
    scene_free(&s);
  }
}

/** Again and again with the threshold at the largest error that there is, and just below it. */
static void compare_at_the_edge(scene *s) {
  compare(s);
  s->criteria[0].relative = 0;
  strncat(s->text, ", threshold at the largest error", sizeof s->text - strlen(s->text) - 1);
  for (int k = 0; k < 16 && last_error > 0.0; k++) {
    s->criteria[0].threshold = k % 2 == 0 ? last_error : nextafter(last_error, 0.0);
    compare(s);
  }
}

int main(int argc, char **argv) {
  const int missing = gpu_missing();
  const int small = argc > 1 && strcmp(argv[1], "small") == 0; /* for an emulated device */
  const int rounds = small ? 1 : argc > 1 ? atoi(argv[1]) : 6, plain = small ? 5 : 16;
  most_plain = small ? 50 : most_plain;
  if (missing) {
    return missing;
  }
  scene s;
  uint64_t seed = 0;
  int64_t scenes = 0;
  for (int round = 0; round < rounds; round++) {
    for (int dimension = 1; dimension <= 3; dimension++) {
      for (int measure = 0; measure <= TSR_MEASURE_INTERPOLATION_ERROR; measure++, scenes++) {
        make(&s, ++seed, dimension, (tsr_grid_measure)measure, 0);
        compare(&s);
        scene_free(&s);
      }
    }
    for (int k = 0; k < plain; k++, scenes++) {
      make(&s, ++seed, 3,
           k < plain / 2 ? TSR_MEASURE_VALUE_RANGE
           : k % 2       ? TSR_MEASURE_GRADIENT
                         : TSR_MEASURE_STANDARD_DEVIATION,
           1);
      compare(&s);
      scene_free(&s);
    }
    for (int k = 0; k < 4; k++, scenes++) {
      make_few_levels(&s, ++seed, 1 + k);
      compare(&s);
      scene_free(&s);
    }
    for (int dimension = 2; dimension <= 3; dimension++) {
      make_for_the_edge(&s, ++seed, dimension);
      compare_at_the_edge(&s);
      scene_free(&s);
    }
  }
  check_large_cuts();
  printf("%lld scenes\n", (long long)scenes);
  CHECK(refined > scenes && errors > scenes);
  return check_result();
}
