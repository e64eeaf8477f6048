/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Speed of grids from cells of several sizes: an octree refined around a sphere, as AMR has it, to
 * conforming cells with one array, by its own resolution and coarsened, with cell data kept and
 * moved to the points. The floor is the bytes of the cells and of the output, each touched once.
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
  float *value;
  int64_t n, room;
  int levels;
} tree;

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add(tree *it, int level, const int32_t i[3]) {
  const double size = 1.0 / ((double)it->side * (1 << level));
  double r = 0.0, d;
  for (int a = 0; a < 3; ++a) {
    const double x = ((double)i[a] + 0.5) * size - 0.5;
    r += x * x;
  }
  d = sqrt(r) - 0.3;
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
  it->value[it->n++] = (float)(40.0 * d / (1.0 + fabs(40.0 * d)));
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

/** Plans and fills once; prints the seconds. */
static void run(const tree *it, const tsr_execution *execution, double threshold, int move,
                const char *what) {
  const tsr_grid_octree octree = {
      {it->side, it->side, it->side}, it->n, it->level, it->index, NULL, 0};
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
  c.cell_data = c.relative = 1;
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
  const int64_t tuples = move ? s->points : s->cells;
  out.points = malloc((size_t)s->points * 12 + 8);
  out.offsets = malloc((size_t)s->cells * 8 + 8);
  out.connectivity = malloc((size_t)s->connectivity * 8 + 8);
  out.cell_type = malloc((size_t)s->cells + 8);
  double largest;
  const tsr_grid_attribute value = {
      c.array, move ? 2 : 1, malloc((size_t)tuples * 4 + 8), {0}, &largest};
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
  executor exec = {.threads = argc > 3 ? atoi(argv[3]) : 2};
  tsr_execution execution = executor_execution(&exec);
  execution.backend = argc > 4 && atoi(argv[4]) ? TSR_BACKEND_CUDA : TSR_BACKEND_CPU;
  printf("| %s | cells in, M | cells out, M | plan, s | fill, s | M cells in a second | MB touched "
         "once |\n|---|---|---|---|---|---|---|\n",
         execution.backend == TSR_BACKEND_CUDA ? "CUDA" : "CPU");
  for (int again = 0; again < 2; ++again) {
    run(&it, &execution, 0.0, 0, "own resolution, cell data");
    run(&it, &execution, 0.05, 0, "error 5 %, cell data");
    run(&it, &execution, 0.05, 1, "error 5 %, moved to points");
  }
  free(it.level);
  free(it.index);
  free(it.value);
  return 0;
}
