/* SPDX-License-Identifier: BSD-3-Clause */
/** Whole plans on a device: every array of the output equals the CPU's byte for byte, over random
 *  grids, geometries, criteria, options, and arrays of every type. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_outputs.h"
#include "outputs.h"
#include "random_numbers.h"

enum { ARRAYS = 6 };

typedef struct scene {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criteria[2];
  tsr_array arrays[ARRAYS];
  int cell_data[ARRAYS];
  tsr_type points_type, index_type;
  int hexahedra, indicator;
  void *memory[16];
  int n_memory;
  int64_t n_points, n_cells, points[3];
  char text[200];
} scene;

static void *keep(scene *s, size_t bytes) {
  return s->memory[s->n_memory++] = calloc(bytes + 1, 1);
}

/** Of the field that follows; 0: it is smooth beside the front. */
static double noise;

/** A front with bumps and noise, at place (x, y, z) of 0 to 1. */
static double field(double x, double y, double z, int c) {
  const double d = 9.0 * (x + 0.7 * y * y + 0.4 * z - 0.6 - 0.1 * c);
  return d / (1.0 + fabs(d)) + 0.1 * sin(7.0 * x + 5.0 * y + 3.0 * z) + noise * uniform();
}

static tsr_array make_array(scene *s, tsr_type type, int components, int of_cells) {
  const int64_t n = of_cells ? s->n_cells : s->n_points;
  const double scale = type == TSR_FLOAT || type == TSR_DOUBLE ? 1.0 : 100.0;
  const size_t size = tsr_type_size(type);
  char *data = keep(s, (size_t)(n * components) * size);
  int64_t size3[3];
  for (int a = 0; a < 3; a++) {
    size3[a] = s->points[a] - (of_cells && s->points[a] > 1);
  }
  for (int64_t k = 0; k < n * components; k++) {
    const int64_t at = k / components;
    const double v =
        scale * field((double)(at % size3[0]) / (double)size3[0],
                      (double)(at / size3[0] % size3[1]) / (double)size3[1],
                      (double)(at / size3[0] / size3[1]) / (double)size3[2], (int)(k % components));
    char *to = data + (size_t)k * size;
    switch (type) {
    case TSR_FLOAT:
      *(float *)to = (float)v;
      break;
    case TSR_DOUBLE:
      *(double *)to = v;
      break;
    case TSR_INT8:
      *(int8_t *)to = (int8_t)v;
      break;
    case TSR_UINT8:
      *(uint8_t *)to = (uint8_t)(v + 110.0);
      break;
    case TSR_INT16:
      *(int16_t *)to = (int16_t)(100.0 * v);
      break;
    case TSR_UINT16:
      *(uint16_t *)to = (uint16_t)(100.0 * v + 20000.0);
      break;
    case TSR_INT32:
      *(int32_t *)to = (int32_t)(1000.0 * v);
      break;
    case TSR_UINT32:
      *(uint32_t *)to = (uint32_t)(1000.0 * v + 1e6);
      break;
    case TSR_INT64:
      *(int64_t *)to = (int64_t)(1e12 * v);
      break;
    case TSR_UINT64:
      *(uint64_t *)to = (uint64_t)(1e12 * v + 1e15);
      break;
    }
  }
  return (tsr_array){data, type, components, n};
}

static void geometry(scene *s) {
  s->view.geometry = (tsr_grid_geometry)below(3);
  for (int a = 0; a < 3; a++) {
    s->view.origin[a] = uniform() - 0.5;
    s->view.spacing[a] = 0.1 + uniform();
  }
  for (int a = 0; a < 3 && s->view.geometry == TSR_GEOMETRY_RECTILINEAR; a++) {
    double *x = keep(s, (size_t)s->points[a] * sizeof *x);
    for (int64_t k = 0; k < s->points[a]; k++) {
      x[k] = (double)k + 0.4 * uniform();
    }
    s->view.coordinates[a] = (tsr_array){x, TSR_DOUBLE, 1, s->points[a]};
  }
  if (s->view.geometry == TSR_GEOMETRY_POINTS) {
    float *x = keep(s, (size_t)(3 * s->n_points) * sizeof *x);
    for (int64_t k = 0; k < s->n_points; k++) {
      const int64_t i[3] = {k % s->points[0], k / s->points[0] % s->points[1],
                            k / s->points[0] / s->points[1]};
      for (int c = 0; c < 3; c++) {
        x[3 * k + c] = (float)((double)i[c] + 0.2 * uniform());
      }
    }
    s->view.points = (tsr_array){x, TSR_FLOAT, 3, s->n_points};
  }
}

static void add_criterion(scene *s, int k) {
  static const tsr_grid_measure measures[] = {TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_VALUE_RANGE,
                                              TSR_MEASURE_STANDARD_DEVIATION, TSR_MEASURE_GRADIENT};
  tsr_grid_criterion *c = &s->criteria[k];
  tsr_grid_criterion_init(c);
  c->measure = measures[below(3) == 0 ? 1 + below(3) : 0];
  const int which = c->measure == TSR_MEASURE_INTERPOLATION_ERROR ? k : below(ARRAYS);
  c->array = s->arrays[which];
  c->cell_data = s->cell_data[which];
  c->component = below(2) ? -1 : below(c->array.components);
  c->relative = 1;
  c->threshold = 0.005 + 0.1 * uniform();
  c->max_level = below(5) == 0 ? below(4) : -1;
}

static void add_options(scene *s) {
  static const tsr_grid_output_kind kinds[] = {
      TSR_GRID_CELLS,      TSR_GRID_CELLS,      TSR_GRID_CONFORMING, TSR_GRID_CONFORMING,
      TSR_GRID_CONFORMING, TSR_GRID_CONFORMING, TSR_GRID_TREES,      TSR_GRID_TREES,
      TSR_GRID_PATCHES,    TSR_GRID_PATCHES};
  const int flat = (s->points[0] > 1) + (s->points[1] > 1) + (s->points[2] > 1) == 2;
  tsr_grid_options *o = &s->options;
  tsr_grid_options_init(o);
  o->coarsen_levels = below(4) ? 1 + below(5) : 0;
  o->refine_levels = below(3) == 0 ? 1 + below(3) : 0;
  o->balance = (tsr_balance)below(4);
  o->output = flat && below(3) ? TSR_GRID_POLYGONS : kinds[below(10)];
  o->block_size = 2 << below(5);
  o->constrain = below(2);
  o->buffer_cells = below(4) == 0 ? 1 + below(2) : 0;
  o->mode = below(10) == 0 ? (tsr_grid_mode)(1 + below(2)) : TSR_GRID_ADAPTIVE;
  o->cell_budget = below(6) == 0 ? 100 + below(3000) : 0;
  o->use_region = below(4) == 0;
  for (int a = 0; a < 3; a++) {
    o->region[2 * a] = 0.3 * (double)s->points[a];
    o->region[2 * a + 1] = 0.7 * (double)s->points[a];
  }
  o->outside_level = below(4);
  o->device_bytes = below(3) == 0 ? 1000 : 0; /* in slabs, where there are enough roots */
  o->criteria = s->criteria;
  o->n_criteria = 1 + (below(3) == 0);
}

/** What CUDA has kernels of its own for: one criterion of floats on an image of several nodes of 8
 *  and more cubed cells, smooth but for a front. */
static void make_plain(scene *s) {
  static const tsr_grid_measure measures[] = {TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_STANDARD_DEVIATION, TSR_MEASURE_GRADIENT};
  tsr_grid_criterion *c = &s->criteria[0];
  const double u = uniform();
  tsr_grid_criterion_init(c);
  c->measure = measures[below(4)];
  c->array = s->arrays[0];
  c->component = -1;
  c->relative = 1;
  c->threshold =
      c->measure == TSR_MEASURE_INTERPOLATION_ERROR ? 0.0005 + 0.02 * u * u : 0.02 + 0.1 * u * u;
  c->max_level = below(8) == 0 ? below(6) : -1;
  s->options.n_criteria = 1;
  s->options.coarsen_levels = 3 + below(4);
  s->options.mode = TSR_GRID_ADAPTIVE;
  s->options.use_region = 0;
  s->options.buffer_cells = 0;
  s->options.cell_budget = 0;
}

/** What takes several rounds of the guarantee, of which the later ones go from the nodes that are
 * new to what is around them: the interpolation error of a plain scene, in cells that are cut. */
static void make_rounds(scene *s) {
  tsr_grid_options *o = &s->options;
  make_plain(s);
  s->criteria[0].measure = TSR_MEASURE_INTERPOLATION_ERROR;
  s->criteria[0].threshold = 0.002 + 0.02 * uniform();
  s->criteria[0].max_level = below(8) == 0 ? 1 + below(3) : -1;
  o->coarsen_levels = 2 + below(4);
  o->refine_levels = below(4) == 0;
  o->output = below(4) ? TSR_GRID_CONFORMING : below(2) ? TSR_GRID_CELLS : TSR_GRID_TREES;
  o->cell_budget = below(3) == 0 ? 100 + below(4000) : 0;
  o->device_bytes = 0;
  o->use_region = below(6) == 0;
}

/** Input in three slabs and more, with thresholds that are fractions of ranges of all kinds. */
static void make_slabs(scene *s) {
  static const tsr_grid_measure measures[] = {TSR_MEASURE_VALUE_RANGE, TSR_MEASURE_VORTICITY,
                                              TSR_MEASURE_Q, TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_SECOND_DERIVATIVE};
  tsr_grid_criterion *c = &s->criteria[0];
  const int which = 1 + below(ARRAYS - 1);
  tsr_grid_criterion_init(c);
  c->measure = measures[below(5)];
  c->array = s->arrays[c->measure == TSR_MEASURE_INTERPOLATION_ERROR ? 1 : which];
  c->cell_data = c->measure != TSR_MEASURE_INTERPOLATION_ERROR && s->cell_data[which];
  c->component = -1;
  if (c->measure == TSR_MEASURE_VORTICITY || c->measure == TSR_MEASURE_Q) {
    c->cell_data = below(2);
    c->array = make_array(s, TSR_FLOAT, 3, c->cell_data);
  }
  c->relative = 1;
  c->threshold = 0.02 + 0.3 * uniform();
  s->options.n_criteria = 1;
  s->options.coarsen_levels = 1 + below(3);
  s->options.device_bytes = 1000;
  if (below(2)) {
    uint8_t *hidden = keep(s, (size_t)s->n_points);
    for (int64_t k = 0; k < s->n_points; k++) {
      hidden[k] = k / 11 % 40 == 0;
    }
    s->view.hidden_points = hidden;
  }
}

/** n marks as another plan of the grid would hand over: of random nodes, some of them twice, and
 * without those above them. */
static void add_marks(scene *s, int n) {
  tsr_grid_options *o = &s->options;
  const int levels = o->coarsen_levels + o->refine_levels;
  tsr_grid_node *nodes;
  o->keep_marks = below(3) > 0;
  if (levels == 0 || n == 0) {
    return;
  }
  o->cell_budget = 0; /* a budget does not go together with marks */
  o->marks.nodes = nodes = keep(s, (size_t)n * sizeof *nodes);
  o->marks.n = n;
  for (int k = 0; k < n; k++) {
    tsr_grid_node *node = &nodes[k];
    int inner = 0;
    node->level = below(levels);
    for (int a = 0; a < 3; a++) { /* of axes that have cells */
      const int by = o->coarsen_levels - node->level;
      const int64_t cells = s->points[a] - 1;
      if (cells > 0) {
        node->index[inner++] =
            below((int)(by > 0 ? (cells + (1 << by) - 1) >> by : cells * (1 << -by)));
      }
    }
    if (k > 0 && below(8) == 0) {
      *node = nodes[k - 1];
    }
  }
}

/** Set by the argument "small": scenes of an eighth of the nodes, for the emulator, which takes
 * ninety seconds for a budget's many plans of one that is not. */
static int small;

/** How the scenes of the test differ. */
typedef enum kind { ANY, PLAIN, ROUNDS, SLABS, MARKS } kind;

/** All but ANY: in three dimensions, as make_plain, make_rounds and make_slabs have them. MARKS:
 * noise of about the threshold, so that leaves of marks are often further from the input than the
 * leaf was that they divide: the first round of the guarantee must look at them. */
static void make(scene *s, uint64_t seed, int dimension, kind of) {
  static const int64_t most[3] = {400, 90, 34};
  const int plain = of == PLAIN || of == ROUNDS || of == MARKS;
  state = seed * 7919u;
  memset(s, 0, sizeof *s);
  tsr_grid_view_init(&s->view);
  s->n_points = s->n_cells = 1;
  noise = of == MARKS ? 0.1 : plain ? 0.0 : 0.002;
  for (int a = 0; a < 3; a++) {
    const int flat =
        dimension < 3 && (a == (int)(seed % 3) || (dimension < 2 && a != (int)((seed + 1) % 3)));
    s->points[a] = flat          ? 1
                   : of == SLABS ? 18 + below(16) + (a == 2 ? 16 : 0)
                   : of == MARKS ? 18 + below(8)
                   : !plain      ? 2 + below((int)most[dimension - 1])
                   : below(2)    ? (small ? 18 : 34) + below(16)
                                 : 8 * ((small ? 2 : 4) + below(2)) + 1;
    s->view.whole[2 * a + 1] = s->view.extent[2 * a + 1] = s->points[a] - 1;
    s->n_points *= s->points[a];
    s->n_cells *= s->points[a] > 1 ? s->points[a] - 1 : 1;
  }
  geometry(s);
  if (plain || (of == SLABS && s->view.geometry == TSR_GEOMETRY_POINTS)) {
    s->view.geometry = TSR_GEOMETRY_UNIFORM;
  }
  for (int k = 0; k < ARRAYS; k++) {
    const tsr_type type = plain && k == 0 ? TSR_FLOAT
                          : k < 2         ? (below(2) ? TSR_FLOAT : TSR_DOUBLE)
                                          : (tsr_type)below(10);
    s->cell_data[k] = k >= 2 && below(2);
    s->arrays[k] = make_array(s, type, k == 0 ? 1 : 1 + below(3), s->cell_data[k]);
  }
  add_options(s);
  for (int k = 0; k < s->options.n_criteria; k++) {
    add_criterion(s, k);
  }
  if (of == ROUNDS || of == MARKS) {
    make_rounds(s);
  } else if (plain) {
    make_plain(s);
  } else if (of == SLABS) {
    make_slabs(s);
  } else if (below(4) == 0) {
    uint8_t *hidden = keep(s, (size_t)s->n_cells);
    for (int64_t k = 0; k < s->n_cells; k++) {
      hidden[k] = k / 9 % 6 == 0;
    }
    s->view.hidden_cells = hidden;
  }
  if (of == MARKS) {
    s->criteria[0].threshold = 0.031 + 0.008 * uniform();
    s->criteria[0].max_level = -1;
    s->options.coarsen_levels = 4 + below(2);
    s->options.use_region = 0;
    add_marks(s, 400);
  } else if (s->options.cell_budget == 0 && below(2)) {
    add_marks(s, below(3) > 0 ? 1 + below(60) : 0);
  }
  s->points_type = below(2) ? TSR_FLOAT : TSR_DOUBLE;
  s->index_type = below(2) ? TSR_INT32 : TSR_INT64;
  s->hexahedra = below(2);
  s->indicator = below(2);
  s->options.base_levels = below(3) ? 0 : below(s->options.coarsen_levels + 1);
  snprintf(s->text, sizeof s->text,
           "seed %llu, %lld x %lld x %lld points, geometry %d, %d levels (base %d), output %d, "
           "measure %d, "
           "balance %d, buffer %d, region %d, budget %lld, mode %d, %lld marks",
           (unsigned long long)seed, (long long)s->points[0], (long long)s->points[1],
           (long long)s->points[2], (int)s->view.geometry, s->options.coarsen_levels,
           s->options.base_levels, (int)s->options.output, (int)s->criteria[0].measure,
           (int)s->options.balance, s->options.buffer_cells, s->options.use_region,
           (long long)s->options.cell_budget, (int)s->options.mode, (long long)s->options.marks.n);
}

static void scene_free(scene *s) {
  for (int k = 0; k < s->n_memory; k++) {
    free(s->memory[k]);
  }
}

/** All that a fill can make of it. */
static grid_wanted all_of(const scene *s) {
  const grid_wanted want = {
      s->arrays,     s->cell_data, ARRAYS,       s->points_type,
      s->index_type, s->hexahedra, s->indicator, grid_has_states(&s->options)};
  return want;
}

/** Scenes with cut leaves, such with cells of several levels, such in slabs, such with marks that
 *  go out, polygons, and such whose input cells are roots: to see that there are some. */
static int64_t cut, mixed, sliced, marked, polygons, flat;

/** Nothing is left to the CPU, also where the input goes to the device in slabs. */
static void check_report(const scene *s, const tsr_grid_plan *plan) {
  tsr_report report;
  tsr_grid_plan_report(plan, &report);
  CHECK_SAY(report.backend == TSR_BACKEND_CUDA && report.by_cpu[0] == '\0',
            "%s: backend %d; the CPU made %s", s->text, (int)report.backend, report.by_cpu);
  sliced += report.pieces > 1;
}

static void compare_marks(const scene *s, const tsr_grid_plan *cpu, const tsr_grid_plan *cuda) {
  const tsr_grid_marks a = tsr_grid_plan_marks(cpu), b = tsr_grid_plan_marks(cuda);
  CHECK_SAY(a.n == b.n &&
                (a.n == 0 || memcmp(a.nodes, b.nodes, (size_t)a.n * sizeof *a.nodes) == 0),
            "%s: %lld marks, CUDA %lld, or others", s->text, (long long)a.n, (long long)b.n);
  marked += a.n > 0;
  polygons += s->options.output == TSR_GRID_POLYGONS;
  flat += s->options.coarsen_levels == 0;
}

static void compare(const scene *s) {
  tsr_execution on_cpu = execution_cpu(), on_cuda = execution_cuda();
  tsr_grid_plan *cpu = NULL, *cuda = NULL;
  tsr_error error;
  on_cpu.backend = TSR_BACKEND_CPU;
  if (CHECK_SAY(tsr_grid_plan_create(&s->view, &s->options, &on_cpu, &cpu, &error) == TSR_OK,
                "%s: %s", s->text, error.text) &&
      CHECK_SAY(tsr_grid_plan_create(&s->view, &s->options, &on_cuda, &cuda, &error) == TSR_OK,
                "%s: %s", s->text, error.text)) {
    const tsr_grid_sizes *a = tsr_grid_plan_sizes(cpu), *b = tsr_grid_plan_sizes(cuda);
    if (CHECK_SAY(memcmp(a, b, sizeof *a) == 0,
                  "%s: %lld leaves, %lld cells, %lld points, %lld entries, %lld cut, scale %g; "
                  "CUDA: %lld, %lld, %lld, %lld, %lld, %g",
                  s->text, (long long)a->leaves, (long long)a->cells, (long long)a->points,
                  (long long)a->connectivity, (long long)a->cut_leaves, a->threshold_scale,
                  (long long)b->leaves, (long long)b->cells, (long long)b->points,
                  (long long)b->connectivity, (long long)b->cut_leaves, b->threshold_scale)) {
      const grid_wanted want = all_of(s);
      grid_filled x, y;
      CHECK_SAY(grid_fill(cpu, &want, &x) == TSR_OK, "%s: %s", s->text, x.error.text);
      CHECK_SAY(grid_fill(cuda, &want, &y) == TSR_OK, "%s: %s", s->text, y.error.text);
      const char *difference = grid_difference(&want, &x, &y);
      CHECK_SAY(difference == NULL, "%s: %s", s->text, difference);
      compare_marks(s, cpu, cuda);
      check_report(s, cuda);
      grid_filled_free(&x);
      grid_filled_free(&y);
      CHECK_SAY(a->leaves == 0 || memcmp(tsr_grid_plan_nodes(cpu), tsr_grid_plan_nodes(cuda),
                                         (size_t)a->leaves * sizeof(tsr_grid_node)) == 0,
                "%s: the nodes differ", s->text);
    }
    cut += a->cut_leaves > 0;
    mixed += a->leaves > a->leaves_of_level[0] && a->leaves < a->fine_cells;
  }
  tsr_grid_plan_free(cpu);
  tsr_grid_plan_free(cuda);
}

int main(int argc, char **argv) {
  const int missing = gpu_missing();
  const int scenes = argc > 1 ? atoi(argv[1]) : 240;
  small = argc > 2 && strcmp(argv[2], "small") == 0;
  if (missing) {
    return missing;
  }
  static const int dimensions[] = {1, 2, 3};
  for (int k = 0; k < scenes; k++) {
    scene s;
    const kind of = k % 8 == 7   ? PLAIN
                    : k % 4 == 1 ? ROUNDS
                    : k % 8 == 3 ? SLABS
                    : k % 8 == 6 ? MARKS
                                 : ANY;
    make(&s, (uint64_t)k + 1, of != ANY ? 3 : dimensions[k / 2 % 3], of);
    compare(&s);
    scene_free(&s);
  }
  printf("%d scenes, %lld with cut leaves, %lld with leaves of several sizes, %lld in slabs, %lld "
         "with marks, %lld of polygons, %lld without coarse levels\n",
         scenes, (long long)cut, (long long)mixed, (long long)sliced, (long long)marked,
         (long long)polygons, (long long)flat);
  CHECK(cut > scenes / 5 && mixed > scenes / 3 && sliced >= scenes / 8);
  CHECK(scenes < 16 || (marked > 0 && polygons > 0 && flat > 0));
  return check_result();
}
