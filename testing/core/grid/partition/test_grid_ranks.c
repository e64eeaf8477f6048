/* SPDX-License-Identifier: BSD-3-Clause */
/** 2, 4 and 7 processes, played by threads that hold their own part only, give one's cells. The
 *  processes run on CUDA where there is a device, the one runs on the CPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"
#include "grid_part.h"
#include "ranks.h"

/** One process. */
typedef struct process {
  int rank;
  const grid_case *grid; /* the whole */
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  grid_part holds;
  int spoilt; /* this one's array is too short */
  tsr_status status;
  tsr_error error;
  grid_case part;
  tsr_grid_view view;
  grid_out out;
} process;

/** Copies the part that a process holds. */
static void take_part(process *p) {
  const int64_t *n = p->grid->cells;
  tsr_grid_view_init(&p->view);
  grid_part_view(&p->holds, n, &p->options, &p->view);
  grid_case_init(&p->part, p->holds.cells[0], p->holds.cells[1], p->holds.cells[2]);
  p->part.n_cells = grid_part_tuples(&p->holds, n, 1);
  grid_part_copy(&p->holds, n, 0, sizeof *p->part.points, p->grid->points, p->part.points);
  grid_part_copy(&p->holds, n, 1, sizeof *p->part.values, p->grid->values, p->part.values);
  if (p->grid->hidden) {
    p->part.hidden = malloc((size_t)p->part.n_cells);
    grid_part_copy(&p->holds, n, 1, 1, p->grid->hidden, p->part.hidden);
  }
  p->view.hidden_cells = p->part.hidden;
  if (p->rank % 2 && p->holds.owns_nothing) { /* said in another way */
    for (int a = 0; a < 3; a++) {
      p->view.extent[2 * a] = p->view.owned[2 * a] = 0;
      p->view.extent[2 * a + 1] = p->view.owned[2 * a + 1] = -1;
    }
  }
}

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  take_part(p);
  p->criterion = *p->options.criteria;
  p->criterion.array =
      p->criterion.cell_data ? grid_case_cells(&p->part) : grid_case_points(&p->part);
  p->criterion.array.tuples -= p->spoilt;
  p->options.criteria = &p->criterion;
  ranks_take_part(&p->options, processes);
  p->status = grid_run(&p->part, &p->view, &p->options, NULL, &p->out);
}

/** The processes, each with its part. */
static void share_out(process *p, int ranks, const grid_case *grid, const tsr_grid_options *o) {
  grid_part parts[MAX_RANKS];
  memset(p, 0, (size_t)ranks * sizeof *p);
  grid_parts_make(grid->cells, o, ranks, parts);
  for (int r = 0; r < ranks; r++) {
    p[r].rank = r;
    p[r].grid = grid;
    p[r].options = *o;
    p[r].holds = parts[r];
  }
}

/** What a leaf is and carries. */
typedef struct leaf {
  tsr_grid_node node;
  double value, points[8], places[8][3];
} leaf;

static int compare_leaves(const void *a, const void *b) {
  return memcmp(a, b, sizeof(leaf)); /* parts of a leaf share its node */
}

/** Appends the visible leaves of an output. */
static int64_t append(leaf *to, int64_t n, const grid_out *out, int with_points) {
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    if (out->state[c] != TSR_STATE_LEAF) {
      continue;
    }
    memset(&to[n], 0, sizeof to[n]);
    const int conforming = out->sizes.cells > out->sizes.leaves && out->sizes.connectivity > 0;
    to[n].node = out->nodes[conforming ? out->leaf[c] : c];
    to[n].value = out->cell_values[c];
    const int64_t first = with_points ? out->offsets[c] : 0;
    for (int k = 0; with_points && k < out->offsets[c + 1] - first; k++) {
      const int64_t p = out->connectivity[first + k];
      to[n].points[k] = out->point_values[p];
      memcpy(to[n].places[k], out->points + 3 * p, sizeof to[n].places[k]);
    }
    if (out->sizes.points == 0) { /* trees and blocks: the mean of the point array */
      to[n].points[0] = out->point_values[c];
    }
    n++;
  }
  return n;
}

static void compare(const grid_case *grid, const tsr_grid_options *o, int ranks) {
  process p[MAX_RANKS];
  int64_t total = 0, ids = 0, cells = 0;
  grid_out alone;
  tsr_execution on_cpu;
  tsr_report report;
  tsr_grid_view view = grid_case_view(grid);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a] = view.extent[2 * a] = 10 * (a + 1);
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = 10 * (a + 1) + grid->cells[a];
  }
  tsr_execution_init(&on_cpu);
  on_cpu.backend = TSR_BACKEND_CPU;
  CHECK_INT(grid_run(grid, &view, o, &on_cpu, &alone), TSR_OK);
  share_out(p, ranks, grid, o);
  ranks_run(ranks, work, p, sizeof *p);
  for (int r = 0; r < ranks; r++) {
    if (CHECK_SAY(p[r].status == TSR_OK, "rank %d: %s", r, p[r].out.error.text)) {
      tsr_grid_plan_report(p[r].out.plan, &report);
      CHECK_SAY(report.backend == TSR_BACKEND_CUDA || tsr_devices_present() <= 0, "rank %d: %s", r,
                report.fallback);
    }
    total += p[r].out.sizes.leaves;
    cells += p[r].out.sizes.cells;
    ids += p[r].out.sizes.connectivity;
    CHECK_INT(p[r].out.sizes.all_leaves, alone.sizes.all_leaves);
    CHECK_INT(p[r].out.sizes.fine_cells, alone.sizes.fine_cells);
    CHECK(p[r].out.sizes.threshold_scale == alone.sizes.threshold_scale);
  }
  const int conforming = o->output == TSR_GRID_CONFORMING;
  const int with_points = conforming || o->output == TSR_GRID_CELLS;
  CHECK_INT(total, alone.sizes.leaves);
  CHECK_INT(ids, alone.sizes.connectivity); /* polygons: with the points of their neighbours */
  leaf *a = malloc((size_t)(alone.sizes.cells + 1) * sizeof *a);
  leaf *b = malloc((size_t)(cells + 1) * sizeof *b);
  int64_t na = append(a, 0, &alone, with_points), nb = 0;
  for (int r = 0; r < ranks && total == alone.sizes.leaves; r++) {
    nb = append(b, nb, &p[r].out, with_points);
  }
  qsort(a, (size_t)na, sizeof *a, compare_leaves);
  qsort(b, (size_t)nb, sizeof *b, compare_leaves);
  CHECK_INT(na, conforming ? alone.sizes.cells : alone.sizes.leaves);
  CHECK_SAY(na == nb && memcmp(a, b, (size_t)na * sizeof *a) == 0, "%d ranks: other leaves", ranks);
  free(a);
  free(b);
  for (int r = 0; r < ranks; r++) {
    grid_out_free(&p[r].out);
    grid_case_free(&p[r].part);
  }
  grid_out_free(&alone);
}

/** Where one process cannot make its part, all fail, and none waits for ever. */
static void check_failure(const grid_case *grid, const tsr_grid_options *o) {
  process p[4];
  share_out(p, 4, grid, o);
  p[2].spoilt = 1;
  ranks_run(4, work, p, sizeof *p);
  for (int r = 0; r < 4; r++) {
    CHECK_INT(p[r].status, r == 2 ? TSR_BAD_INPUT : TSR_ABORTED);
    CHECK(strstr(p[r].out.error.text, r == 2 ? "criterion 0" : "another process") != NULL);
    grid_out_free(&p[r].out);
    grid_case_free(&p[r].part);
  }
}

static void check_all(grid_case *grid, const tsr_grid_options *o) {
  compare(grid, o, 2);
  compare(grid, o, 4);
  compare(grid, o, 7);
}

/** Budgets that the coarser levels fill, that parts of input cells fill, and that none can keep;
 *  for measures of whole passes and for one that is looked at node by node. */
static void check_budgets(grid_case *grid, const tsr_grid_options *base) {
  static const int64_t budgets[] = {1500, 12000, 7};
  tsr_grid_criterion c = *base->criteria;
  tsr_grid_options o = *base;
  o.criteria = &c;
  for (int k = 0; k < 6; k++) {
    o.cell_budget = budgets[k / 2];
    o.refine_levels = k / 2 == 1 ? 2 : 1;
    c.measure = k % 2 ? TSR_MEASURE_INTERPOLATION_ERROR : TSR_MEASURE_VALUE_RANGE;
    c.threshold = 1e-3;
    check_all(grid, &o);
  }
}

/** Trees and blocks, and the means that they carry; at last with a hidden cell in a corner, so that
 *  most processes hold none. */
static void check_means(grid_case *grid, const tsr_grid_options *base) {
  tsr_grid_options o = *base;
  o.block_size = 4;
  for (int k = 0; k < 4; k++) {
    o.output = k % 2 ? TSR_GRID_PATCHES : TSR_GRID_TREES;
    if (k == 2) {
      grid->hidden = calloc((size_t)grid->n_cells, 1);
      grid->hidden[3] = 1;
    }
    check_all(grid, &o);
  }
  free(grid->hidden);
  grid->hidden = NULL;
}

/** Cells that meet in whole faces, across the borders of processes as well; made by a criterion
 * that looks at parts of leaves, and by one that does not, with hidden cells. */
static void check_conforming(grid_case *grid, const tsr_grid_options *base) {
  tsr_grid_options o = *base;
  tsr_grid_criterion c = *base->criteria;
  o.output = TSR_GRID_CONFORMING;
  o.criteria = &c;
  for (int k = 0; k < 4; k++) {
    o.balance = (tsr_balance)k;
    o.refine_levels = k % 3;
    o.coarsen_levels = 1 + k % 3;
    c.measure = k % 2 ? TSR_MEASURE_INTERPOLATION_ERROR : TSR_MEASURE_VALUE_RANGE;
    c.threshold = k % 2 ? 0.02 : 0.15;
    if (k == 2) {
      grid->hidden = calloc((size_t)grid->n_cells, 1);
      for (int64_t n = 0; n < grid->n_cells; n++) {
        grid->hidden[n] = n % 1013 < 40;
      }
    }
    check_all(grid, &o);
    free(grid->hidden);
    grid->hidden = NULL;
  }
}

int main(void) {
  grid_case grid;
  grid_case_init(&grid, 45, 38, 26);
  grid_case_fill(&grid, 12);
  tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_VALUE_RANGE, 0.15);
  c.relative = 1;
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 2;
  for (int balance = 0; balance < 4; balance++) {
    o.balance = (tsr_balance)balance;
    o.buffer_cells = balance % 3;
    o.refine_levels = balance;
    check_all(&grid, &o);
  }
  check_failure(&grid, &o);
  o.refine_levels = 1;
  o.constrain = 1;
  check_all(&grid, &o);
  o.constrain = 0;
  check_conforming(&grid, &o);
  o.buffer_cells = 1;
  check_means(&grid, &o);
  o.output = TSR_GRID_CELLS;
  o.buffer_cells = 0;
  check_budgets(&grid, &o);
  o.refine_levels = 0;
  c.measure = TSR_MEASURE_SECOND_DERIVATIVE;
  c.threshold = 0.6;
  check_all(&grid, &o);
  c.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  c.threshold = 0.01;
  grid.hidden = calloc((size_t)grid.n_cells, 1);
  for (int64_t k = 0; k < grid.n_cells; k++) {
    grid.hidden[k] = k % 1013 < 40;
  }
  check_all(&grid, &o);
  c.cell_data = 1;
  c.array = grid_case_cells(&grid);
  c.measure = TSR_MEASURE_GRADIENT;
  c.threshold = 0.05;
  check_all(&grid, &o);
  grid_case_free(&grid);
  grid_case_init(&grid, 9, 5, 4); /* more processes than roots */
  grid_case_fill(&grid, 14);
  c = grid_criterion(&grid, TSR_MEASURE_VALUE_RANGE, 0.2);
  o.coarsen_levels = 3;
  check_all(&grid, &o);
  grid_case_free(&grid);
  o.coarsen_levels = 2;
  grid_case_init(&grid, 61, 47, 0);
  grid_case_fill(&grid, 13);
  c = grid_criterion(&grid, TSR_MEASURE_VALUE_RANGE, 0.2);
  o.output = TSR_GRID_POLYGONS;
  o.refine_levels = 2;
  o.balance = TSR_BALANCE_NONE;
  check_all(&grid, &o);
  o.output = TSR_GRID_CONFORMING;
  check_all(&grid, &o);
  grid_case_free(&grid);
  return check_result();
}
