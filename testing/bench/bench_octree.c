/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Speed of grids from cells of several sizes: an octree refined around a sphere, as AMR has it, to
 * conforming cells with one array, by its own resolution and coarsened, with cell data kept and
 * moved to the points, and with point data and as many samples as cells. The floor is the bytes of
 * the cells and of the output, each touched once.
 *
 * Use: bench_octree [cells of level 0 along an axis, 64] [levels, 3] [threads, 2] [cuda: 0 or 1]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "executor.h"
#include "tessera.h"

typedef struct tree {
  uint8_t *level;
  int32_t *index, side;
  float *value, *point, *there;
  int64_t *corners;
  double *places;
  int64_t n, room;
  int levels;
} tree;

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float front(const double x[3]) {
  const double d = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 0.3;
  return (float)(40.0 * d / (1.0 + fabs(40.0 * d)));
}

/** Values at the corners of cells, and at a place in each. */
static void make_points(tree *it) {
  it->corners = malloc(8 * (size_t)it->n * sizeof *it->corners);
  it->point = malloc(8 * (size_t)it->n * sizeof *it->point);
  it->there = malloc((size_t)it->n * sizeof *it->there);
  it->places = malloc(3 * (size_t)it->n * sizeof *it->places);
  for (int64_t i = 0; i < it->n; ++i)
    for (int k = 0; k < 9; ++k) {
      double x[3];
      for (int a = 0; a < 3; ++a) {
        const double part =
            k < 8 ? k >> a & 1 : 0.1 + 0.8 * (double)((i * (7 + 4 * a)) % 101) / 101;
        const double place = ldexp(it->index[3 * i + a] + part, -it->level[i]);
        x[a] = place / it->side - 0.5;
        if (k == 8)
          it->places[3 * i + a] = place;
      }
      if (k < 8) {
        it->corners[8 * i + k] = 8 * i + k;
        it->point[8 * i + k] = front(x);
      } else {
        it->there[i] = front(x);
      }
    }
}

static void add(tree *it, int level, const int32_t i[3]) {
  const double size = 1.0 / ((double)it->side * (1 << level));
  double x[3], d;
  for (int a = 0; a < 3; ++a)
    x[a] = ((double)i[a] + 0.5) * size - 0.5;
  d = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 0.3;
  if (level < it->levels && fabs(d) < 2.5 * size) {
    for (int k = 0; k < 8; ++k) {
      const int32_t child[3] = {2 * i[0] + (k & 1), 2 * i[1] + (k >> 1 & 1), 2 * i[2] + (k >> 2)};
      add(it, level + 1, child);
    }
    return;
  }
  if (it->n == it->room) {
    it->room = it->room ? 2 * it->room : 1 << 20;
    it->level = realloc(it->level, (size_t)it->room);
    it->index = realloc(it->index, (size_t)it->room * sizeof(int32_t[3]));
    it->value = realloc(it->value, (size_t)it->room * sizeof(float));
  }
  it->level[it->n] = (uint8_t)level;
  memcpy(&it->index[3 * it->n], i, sizeof(int32_t[3]));
  it->value[it->n++] = front(x);
}

static tree make_tree(int side, int levels) {
  tree it = {.side = side, .levels = levels};
  int32_t i[3];
  for (i[2] = 0; i[2] < side; ++i[2])
    for (i[1] = 0; i[1] < side; ++i[1])
      for (i[0] = 0; i[0] < side; ++i[0])
        add(&it, 0, i);
  return it;
}

typedef enum data { CELL_DATA, MOVED, SAMPLED } data;

/** Plans and fills once; prints the seconds. */
static void run(const tree *it, const tsr_execution *execution, double threshold, data of,
                const char *what) {
  const int at_points = of != CELL_DATA, move = of == MOVED;
  tsr_grid_octree octree = {
      .cells = {it->side, it->side, it->side}, .n = it->n, .level = it->level, .index = it->index};
  tsr_grid_view view;
  tsr_grid_options o;
  tsr_grid_criterion c;
  tsr_grid_output out;
  tsr_grid_plan *plan;
  tsr_error error;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&o);
  tsr_grid_criterion_init(&c);
  tsr_grid_output_init(&out);
  view.octree = &octree;
  c.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  c.array = (tsr_array){it->value, TSR_FLOAT, 1, it->n};
  c.cell_data = of != SAMPLED;
  c.relative = 1;
  if (of == SAMPLED) {
    octree.corners = it->corners;
    octree.points = 8 * it->n;
    octree.at_points = (tsr_grid_samples){it->n, it->places};
    c.array = (tsr_array){it->point, TSR_FLOAT, 1, 8 * it->n};
    c.samples = (tsr_array){it->there, TSR_FLOAT, 1, it->n};
  }
  c.threshold = threshold;
  o.criteria = &c;
  o.n_criteria = 1;
  o.output = TSR_GRID_CONFORMING;
  o.move_cells = move;
  const double start = seconds();
  if (tsr_grid_plan_create(&view, &o, execution, &plan, &error) != TSR_OK) {
    printf("%s\n", error.text);
    exit(1);
  }
  const double planned = seconds();
  const tsr_grid_sizes *s = tsr_grid_plan_sizes(plan);
  const int64_t tuples = at_points ? s->points : s->cells;
  out.points = malloc((size_t)s->points * 12 + 8);
  out.offsets = malloc((size_t)s->cells * 8 + 8);
  out.connectivity = malloc((size_t)s->connectivity * 8 + 8);
  out.cell_type = malloc((size_t)s->cells + 8);
  double largest;
  const tsr_grid_attribute value = {c.array, move ? 2 : c.cell_data, malloc((size_t)tuples * 4 + 8),
                                    &largest, c.samples};
  out.attributes = &value;
  out.n_attributes = 1;
  const double before = seconds();
  if (tsr_grid_fill(plan, &out, &error) != TSR_OK)
    printf("%s\n", error.text);
  const double filled = seconds();
  const double bytes = (double)it->n * 17.0 + (double)s->points * 12.0 + (double)s->cells * 9.0 +
                       (double)s->connectivity * 8.0 + (double)tuples * 4.0;
  printf("| %s | %.2f | %.2f | %.3f | %.3f | %.2f | %.1f |\n", what, 1e-6 * (double)it->n,
         1e-6 * (double)s->cells, planned - start, filled - before,
         1e-6 * (double)it->n / (planned - start + filled - before), 1e-6 * bytes);
  tsr_grid_plan_free(plan);
  free(out.points);
  free(out.offsets);
  free(out.connectivity);
  free(out.cell_type);
  free(value.out);
}

int main(int argc, char **argv) {
  tree it = make_tree(argc > 1 ? atoi(argv[1]) : 64, argc > 2 ? atoi(argv[2]) : 3);
  make_points(&it);
  executor exec = {.threads = argc > 3 ? atoi(argv[3]) : 2};
  tsr_execution execution = executor_execution(&exec);
  execution.backend = argc > 4 && atoi(argv[4]) ? TSR_BACKEND_CUDA : TSR_BACKEND_CPU;
  printf("| %s | cells in, M | cells out, M | plan, s | fill, s | M cells in a second | MB touched "
         "once |\n|---|---|---|---|---|---|---|\n",
         execution.backend == TSR_BACKEND_CUDA ? "CUDA" : "CPU");
  for (int again = 0; again < 2; ++again) {
    run(&it, &execution, 0.0, CELL_DATA, "own resolution, cell data");
    run(&it, &execution, 0.05, CELL_DATA, "error 5 %, cell data");
    run(&it, &execution, 0.05, MOVED, "error 5 %, moved to points");
    run(&it, &execution, 0.05, SAMPLED, "error 5 %, points and samples");
  }
  free(it.level);
  free(it.index);
  free(it.value);
  free(it.corners);
  free(it.point);
  free(it.there);
  free(it.places);
  return 0;
}
