/* SPDX-License-Identifier: BSD-3-Clause */
/** Several processes, played by threads, each with its own part of the input: every array that one
 *  gets with CUDA equals what it gets on the CPU, byte for byte, over random grids, geometries,
 *  kinds of output and options. Arguments: how many grids, and which one is the first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_outputs.h"
#include "grid_part.h"
#include "outputs.h"
#include "random_numbers.h"
#include "ranks.h"

enum { ARRAYS = 4, MEMORY = 12 };

/** A grid, and what is asked of it. */
typedef struct scene {
  int64_t cells[3]; /* 0 along an axis without any */
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criterion; /* of array 0 */
  tsr_array arrays[ARRAYS];
  int cell_data[ARRAYS];
  grid_wanted want;
  void *memory[MEMORY];
  int n_memory;
  char text[200];
} scene;

/** One process, and what it gets. */
typedef struct process {
  const scene *s;
  grid_part part;
  int on_cuda;
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  tsr_array arrays[ARRAYS];
  grid_wanted want;
  void *memory[MEMORY];
  int n_memory;
  tsr_status status;
  tsr_error error;
  tsr_grid_sizes sizes;
  tsr_report report;
  grid_filled filled;
} process;

static double noise; /* of the field */

/** A front with a bump, and noise. */
static tsr_array field(scene *s, tsr_type type, int components, int of_cells) {
  int64_t n[3], tuples = 1;
  for (int a = 0; a < 3; a++) {
    n[a] = s->cells[a] + (!of_cells || s->cells[a] == 0);
    tuples *= n[a];
  }
  char *data = s->memory[s->n_memory++] =
      malloc((size_t)(tuples * components) * tsr_type_size(type) + 1);
  for (int64_t k = 0; k < tuples * components; k++) {
    const int64_t at = k / components;
    const double x = (double)(at % n[0]) / (double)n[0],
                 y = (double)(at / n[0] % n[1]) / (double)n[1],
                 z = (double)(at / n[0] / n[1]) / (double)n[2];
    const double f = 1.2 + tanh(9.0 * (x + 0.7 * y * y + 0.4 * z - 0.8)) + 0.2 * sin(7.0 * x * z) +
                     noise * uniform();
    if (type == TSR_FLOAT) {
      ((float *)(void *)data)[k] = (float)f;
    } else if (type == TSR_DOUBLE) {
      ((double *)(void *)data)[k] = f;
    } else if (type == TSR_UINT8) {
      ((uint8_t *)data)[k] = (uint8_t)(100.0 * f);
    } else {
      ((int16_t *)(void *)data)[k] = (int16_t)(1000.0 * f);
    }
  }
  return (tsr_array){data, type, components, tuples};
}

static void geometry(scene *s) {
  s->view.geometry = (tsr_grid_geometry)below(3);
  for (int a = 0; a < 3; a++) {
    const int64_t points = s->cells[a] + 1;
    s->view.origin[a] = uniform() - 0.5;
    s->view.spacing[a] = 0.1 + uniform();
    if (s->view.geometry == TSR_GEOMETRY_RECTILINEAR) {
      double *x = s->memory[s->n_memory++] = malloc((size_t)points * sizeof *x);
      for (int64_t k = 0; k < points; k++) {
        x[k] = (double)k + 0.4 * uniform();
      }
      s->view.coordinates[a] = (tsr_array){x, TSR_DOUBLE, 1, points};
    }
  }
  if (s->view.geometry == TSR_GEOMETRY_POINTS) {
    const int64_t nx = s->cells[0] + 1, ny = s->cells[1] + 1, n = nx * ny * (s->cells[2] + 1);
    float *x = s->memory[s->n_memory++] = malloc((size_t)(3 * n) * sizeof *x);
    for (int64_t k = 0; k < n; k++) {
      x[3 * k] = (float)((double)(k % nx) + 0.2 * uniform());
      x[3 * k + 1] = (float)((double)(k / nx % ny) + 0.2 * uniform());
      x[3 * k + 2] = (float)((double)(k / nx / ny) + 0.2 * uniform());
    }
    s->view.points = (tsr_array){x, TSR_FLOAT, 3, n};
  }
}

static void hide(scene *s) {
  int64_t n = 1;
  for (int a = 0; a < 3; a++) {
    n *= s->cells[a] > 0 ? s->cells[a] : 1;
  }
  uint8_t *hidden = s->memory[s->n_memory++] = malloc((size_t)n);
  for (int64_t k = 0; k < n; k++) {
    hidden[k] = k / 9 % 11 == 0;
  }
  s->view.hidden_cells = hidden;
}

static void add_options(scene *s) {
  static const tsr_grid_output_kind kinds[] = {
      TSR_GRID_CELLS, TSR_GRID_CONFORMING, TSR_GRID_CONFORMING, TSR_GRID_TREES, TSR_GRID_PATCHES};
  tsr_grid_options *o = &s->options;
  tsr_grid_options_init(o);
  o->coarsen_levels = below(5);
  o->refine_levels = below(3) == 0 ? 1 + below(2) : 0;
  o->balance = (tsr_balance)below(4);
  o->output = kinds[below(5)];
  o->block_size = 2 << below(3);
  o->constrain = below(4) == 0;
  o->buffer_cells = below(4) == 0;
  o->mode = below(10) == 0 ? (tsr_grid_mode)(1 + below(2)) : TSR_GRID_ADAPTIVE;
  o->cell_budget = below(6) == 0 ? 100 + below(3000) : 0;
  o->use_region = below(5) == 0;
  o->outside_level = below(4);
  if (below(2)) { /* in slabs, where there are enough roots */
    o->device_bytes = 1000;
    o->coarsen_levels = 1 + below(2);
    o->refine_levels = below(2);
  }
  o->base_levels = below(2) ? 0 : below(o->coarsen_levels + 1);
}

/** What takes several rounds of the guarantee: a smooth field, and cells that are cut or balanced.
 */
static void make_rounds(scene *s) {
  tsr_grid_options *o = &s->options;
  s->criterion.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  s->criterion.relative = 0; /* of noise, children are as far as their parents */
  s->criterion.threshold = noise > 0.0 ? (0.7 + 0.3 * uniform()) * noise : 0.002 + 0.02 * uniform();
  o->coarsen_levels = 2 + below(3);
  o->base_levels = 0;
  o->output = below(4) ? TSR_GRID_CONFORMING : TSR_GRID_CELLS;
  o->mode = TSR_GRID_ADAPTIVE;
  o->cell_budget = 0;
  s->want.states = 0;
}

/** rounds: as above. */
static void make(scene *s, uint64_t seed, int dimension, int rounds) {
  static const tsr_type types[] = {TSR_FLOAT, TSR_DOUBLE, TSR_UINT8, TSR_INT16};
  static const tsr_grid_measure measures[] = {TSR_MEASURE_INTERPOLATION_ERROR,
                                              TSR_MEASURE_VALUE_RANGE, TSR_MEASURE_GRADIENT};
  static const int most[3] = {400, 80, 20};
  state = seed * 7919u;
  memset(s, 0, sizeof *s);
  tsr_grid_view_init(&s->view);
  noise = rounds ? 0.02 * below(2) : 0.002;
  add_options(s);
  if (dimension == 2 && below(3) == 0) {
    s->options.output = TSR_GRID_POLYGONS;
  }
  for (int a = 0; a < 3; a++) {
    const int flat = dimension < 3 && a == (int)(seed % 3);
    s->cells[a] = flat ? 0 : 12 + below(most[dimension - 1]);
    s->cells[a] += s->options.device_bytes > 0 && a == 2 && !flat ? 40 : 0;
    s->options.region[2 * a] = 0.3 * (double)s->cells[a];
    s->options.region[2 * a + 1] = 0.7 * (double)s->cells[a];
  }
  geometry(s);
  for (int k = 0; k < ARRAYS; k++) {
    s->cell_data[k] = k > 1;
    s->arrays[k] = field(s, types[k % 2 ? below(4) : below(2)], k % 2 ? 1 + below(3) : 1, k > 1);
  }
  if (below(4) == 0) {
    hide(s);
  }
  tsr_grid_criterion_init(&s->criterion);
  s->criterion.measure = measures[below(3)];
  s->criterion.component = -1;
  s->criterion.relative = 1;
  s->criterion.threshold = 0.02 + 0.1 * uniform();
  s->want = (grid_wanted){s->arrays,
                          s->cell_data,
                          ARRAYS,
                          below(2) ? TSR_FLOAT : TSR_DOUBLE,
                          below(2) ? TSR_INT32 : TSR_INT64,
                          below(2),
                          below(2),
                          grid_has_states(&s->options)};
  if (rounds) {
    make_rounds(s);
  }
}

static void scene_free(scene *s) {
  for (int k = 0; k < s->n_memory; k++) {
    free(s->memory[k]);
  }
}

/** The part of an array that the process holds. */
static tsr_array cut(process *p, const tsr_array *all, int of_cells) {
  const size_t tuple = tsr_type_size(all->type) * (size_t)all->components;
  const int64_t n = grid_part_tuples(&p->part, p->s->cells, of_cells);
  void *data = p->memory[p->n_memory++] = malloc((size_t)n * tuple + 1);
  grid_part_copy(&p->part, p->s->cells, of_cells, tuple, all->data, data);
  return (tsr_array){data, all->type, all->components, n};
}

/** All that the process holds. */
static void take_part(process *p) {
  const scene *s = p->s;
  p->view = s->view;
  p->criterion = s->criterion;
  grid_part_view(&p->part, s->cells, &p->options, &p->view);
  for (int a = 0; a < 3 && s->view.geometry == TSR_GEOMETRY_RECTILINEAR; a++) {
    p->view.coordinates[a].data = (const double *)s->view.coordinates[a].data + p->part.first[a];
    p->view.coordinates[a].tuples = p->part.cells[a] + 1;
  }
  if (s->view.geometry == TSR_GEOMETRY_POINTS) {
    p->view.points = cut(p, &s->view.points, 0);
  }
  if (s->view.hidden_cells) {
    const tsr_array hidden = {s->view.hidden_cells, TSR_UINT8, 1, 0};
    p->view.hidden_cells = cut(p, &hidden, 1).data;
  }
  for (int k = 0; k < ARRAYS; k++) {
    p->arrays[k] = cut(p, &s->arrays[k], s->cell_data[k]);
  }
  p->criterion.array = p->arrays[0];
  p->want = s->want;
  p->want.arrays = p->arrays;
}

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  tsr_execution execution;
  tsr_grid_plan *plan = NULL;
  p->options = p->s->options;
  take_part(p);
  p->options.criteria = &p->criterion;
  p->options.n_criteria = 1;
  ranks_take_part(&p->options, processes);
  tsr_execution_init(&execution);
  execution.backend = p->on_cuda ? TSR_BACKEND_CUDA : TSR_BACKEND_CPU;
  p->status = tsr_grid_plan_create(&p->view, &p->options, &execution, &plan, &p->error);
  if (p->status == TSR_OK) {
    p->sizes = *tsr_grid_plan_sizes(plan);
    p->status = grid_fill(plan, &p->want, &p->filled);
    p->error = p->filled.error;
    tsr_grid_plan_report(plan, &p->report);
  }
  tsr_grid_plan_free(plan);
}

/** To see that there are some: processes with cut leaves, and with their input in slabs. */
static int64_t cut_some, sliced;

/** What the CPU is to have done: of several processes the tree below the decisions, and all of
 *  polygons and of points that are constrained. */
static const char *expected_by_cpu(const scene *s, const process *p, char text[120]) {
  const int several = p->options.n_ranks > 1;
  const tsr_grid_output_kind output = s->options.output;
  const int crosses =
      output == TSR_GRID_POLYGONS || (s->options.constrain && output == TSR_GRID_CELLS);
  snprintf(text, 120, "%s%s%s",
           several && s->options.refine_levels > 0 ? "levels below the input cells, " : "",
           several ? "buffer and balance" : "",
           several && crosses && p->sizes.leaves > 0 ? ", cells, points and their arrays" : "");
  return text;
}

/** What one process got. */
static void compare(const scene *s, const process *cpu, const process *cuda) {
  char by_cpu[120];
  if (!CHECK_SAY(cpu->status == TSR_OK, "%s: %s", s->text, cpu->error.text) ||
      !CHECK_SAY(cuda->status == TSR_OK, "%s: %s", s->text, cuda->error.text) ||
      !CHECK_SAY(memcmp(&cpu->sizes, &cuda->sizes, sizeof cpu->sizes) == 0,
                 "%s: %lld leaves, %lld cells, %lld points, scale %g; CUDA: %lld, %lld, %lld, %g",
                 s->text, (long long)cpu->sizes.leaves, (long long)cpu->sizes.cells,
                 (long long)cpu->sizes.points, cpu->sizes.threshold_scale,
                 (long long)cuda->sizes.leaves, (long long)cuda->sizes.cells,
                 (long long)cuda->sizes.points, cuda->sizes.threshold_scale)) {
    return;
  }
  const char *difference = grid_difference(&cuda->want, &cpu->filled, &cuda->filled);
  CHECK_SAY(difference == NULL, "%s: %s", s->text, difference);
  CHECK_SAY(cuda->report.backend == TSR_BACKEND_CUDA &&
                strcmp(cuda->report.by_cpu, expected_by_cpu(s, cuda, by_cpu)) == 0,
            "%s: backend %d; the CPU made '%s', not '%s'", s->text, (int)cuda->report.backend,
            cuda->report.by_cpu, by_cpu);
  cut_some += cuda->sizes.cut_leaves > 0;
  sliced += cuda->report.pieces > 1;
}

static void run(scene *s, uint64_t seed, int ranks) {
  process p[2][MAX_RANKS];
  grid_part parts[MAX_RANKS];
  grid_parts_make(s->cells, &s->options, ranks, parts);
  memset(p, 0, sizeof p);
  for (int on_cuda = 0; on_cuda < 2; on_cuda++) {
    for (int r = 0; r < ranks; r++) {
      p[on_cuda][r].s = s;
      p[on_cuda][r].part = parts[r];
      p[on_cuda][r].on_cuda = on_cuda;
    }
    ranks_run(ranks, work, p[on_cuda], sizeof **p);
  }
  for (int r = 0; r < ranks; r++) {
    snprintf(s->text, sizeof s->text,
             "seed %llu, rank %d of %d, %lld x %lld x %lld cells, geometry %d, levels %d + %d, "
             "output %d, measure %d, hidden %d, slabs %lld",
             (unsigned long long)seed, r, ranks, (long long)s->cells[0], (long long)s->cells[1],
             (long long)s->cells[2], (int)s->view.geometry, s->options.coarsen_levels,
             s->options.refine_levels, (int)s->options.output, (int)s->criterion.measure,
             s->view.hidden_cells != NULL, (long long)p[1][r].report.pieces);
    compare(s, &p[0][r], &p[1][r]);
    for (int on_cuda = 0; on_cuda < 2; on_cuda++) {
      grid_filled_free(&p[on_cuda][r].filled);
      for (int k = 0; k < p[on_cuda][r].n_memory; k++) {
        free(p[on_cuda][r].memory[k]);
      }
    }
  }
}

int main(int argc, char **argv) {
  static const int ranks[] = {2, 4, 7, 1};
  const int missing = gpu_missing();
  const int scenes = argc > 1 ? atoi(argv[1]) : 160, first = argc > 2 ? atoi(argv[2]) : 0;
  if (missing) {
    return missing;
  }
  for (int k = first; k < first + scenes; k++) {
    scene s;
    make(&s, (uint64_t)k + 1, k % 5 == 4 ? 2 : 3, k % 3 == 1);
    run(&s, (uint64_t)k + 1, ranks[k % 4]);
    scene_free(&s);
  }
  printf("%d scenes; %lld processes with cut leaves, %lld with slabs\n", scenes,
         (long long)cut_some, (long long)sliced);
  CHECK(cut_some > scenes / 4 && sliced > scenes / 8);
  return check_result();
}
