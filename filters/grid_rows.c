/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: one pass over a field for one rule. A row of nodes is made from the four (2D: two) rows of
 * children below it, down to rows of input cells, so every level up to TSR_ROW_LEVELS above is
 * decided while the field is in the cache; the rows of the coarsest of them are kept for a further
 * pass of the same kind.
 */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

#define TSR_ROW_LEVELS 3
#define TSR_ROW_SIDE ((1 << TSR_ROW_LEVELS) + 1) /* rows of points across a task's rows of cells   \
                                                  */

/* The payloads of all owned nodes of a level: three numbers a node, axis 0 fastest. */
typedef struct tsr_payloads {
  double *values;
  int64_t range[3][2]; /* nodes */
} tsr_payloads;

/* A pass from level `base` up to level `top`; -1: above the roots, so that they are decided. */
typedef struct tsr_pass {
  tsr_grid_plan *plan;
  const tsr_rule *rule;
  tsr_job *job;
  int base, top;
  int64_t top_range[3][2];
  const tsr_payloads *from; /* of base; NULL: it is the level of the input cells */
  tsr_payloads *to;         /* of top; NULL where that is -1 */
  _Atomic int64_t bad, first_bad, flat, first_flat;
} tsr_pass;

/* What one task works with. */
typedef struct tsr_rows {
  tsr_pass *pass;
  double *payload[TSR_GRID_MAX_LEVEL + 2]; /* a row of each level, by level + 1 */
  int64_t range[TSR_GRID_MAX_LEVEL + 1][3][2];
  int64_t origin[2];                                     /* of the point rows: their first y, z */
  double *points[TSR_ROW_SIDE * TSR_ROW_SIDE];           /* samples along a row of points */
  signed char points_state[TSR_ROW_SIDE * TSR_ROW_SIDE]; /* 0 not made, 1 all finite, 2 not all */
  int64_t n_points;
} tsr_rows;

static void tsr_note_least(_Atomic int64_t *least, int64_t value) {
  int64_t now = atomic_load(least);
  while ((now < 0 || value < now) && !atomic_compare_exchange_weak(least, &now, value))
    ;
}

/* Samples along the row of points (y, z), over the owned cells and one point more. */
static const double *tsr_rows_points(tsr_rows *rows, int64_t y, int64_t z, int *finite) {
  const tsr_lattice *lattice = &rows->pass->plan->lattice;
  const tsr_rule *rule = rows->pass->rule;
  const int64_t n = rows->n_points;
  const int64_t slot = (z - rows->origin[1]) * TSR_ROW_SIDE + (y - rows->origin[0]);
  int64_t p[3] = {rows->range[lattice->coarsen][0][0], y, z};
  const int64_t at = tsr_point_at(lattice, p);
  double *to = rows->points[slot];
  int bad = 0;
  if (rows->points_state[slot] == 0) {
    if (rule->measure == TSR_MEASURE_SECOND_DERIVATIVE) {
      for (int64_t k = 0; k < n; ++k, ++p[0])
        to[k] = tsr_second_derivative(lattice, rule, p);
    } else if (rule->array.type == TSR_FLOAT && rule->array.components == 1) {
      const float *from = (const float *)rule->array.data + at;
      for (int64_t k = 0; k < n; ++k)
        to[k] = (double)from[k];
    } else {
      for (int64_t k = 0; k < n; ++k)
        to[k] = tsr_sample(rule, at + k);
    }
    for (int64_t k = 0; k < n; ++k)
      bad |= !(fabs(to[k]) <= TSR_LARGEST_VALUE);
    rows->points_state[slot] = bad ? 2 : 1;
  }
  *finite = rows->points_state[slot] == 1;
  return to;
}

/* Least and largest of each cell from its rows of points; what tsr_payload_corners gives. */
static void tsr_rows_value_range(int64_t n, int n_rows, const double *const v[4], double *out) {
  const double *r0 = v[0], *r1 = v[n_rows > 1 ? 1 : 0], *r2 = v[n_rows > 2 ? 2 : 0],
               *r3 = v[n_rows > 2 ? 3 : 0];
  double lo0 = r0[0], hi0 = r0[0];
  for (int64_t x = 0; x <= n; ++x) {
    const double a = r0[x] < r1[x] ? r0[x] : r1[x], b = r2[x] < r3[x] ? r2[x] : r3[x];
    const double c = r0[x] > r1[x] ? r0[x] : r1[x], d = r2[x] > r3[x] ? r2[x] : r3[x];
    const double lo = a < b ? a : b, hi = c > d ? c : d;
    if (x > 0) {
      out[3 * (x - 1)] = lo0 < lo ? lo0 : lo;
      out[3 * (x - 1) + 1] = hi0 > hi ? hi0 : hi;
    }
    lo0 = lo;
    hi0 = hi;
  }
}

/* Payloads of a row of input cells from the rows of points around it. */
static void tsr_rows_corners(tsr_rows *rows, int64_t y, int64_t z, double *out) {
  const int dimension = rows->pass->plan->lattice.dimension;
  const int n_rows = dimension > 0 ? 1 << (dimension - 1) : 1;
  const int64_t n = rows->n_points - 1;
  const double *v[4] = {NULL, NULL, NULL, NULL};
  int all_finite = 1;
  for (int k = 0; k < n_rows; ++k) {
    int finite;
    v[k] = tsr_rows_points(rows, y + (k & 1), z + (k >> 1), &finite);
    all_finite = all_finite && finite;
  }
  if (rows->pass->rule->measure == TSR_MEASURE_VALUE_RANGE && all_finite) {
    tsr_rows_value_range(n, n_rows, v, out);
    return;
  }
  for (int64_t x = 0; x < n; ++x) {
    double corner[8];
    for (int k = 0; k < n_rows; ++k) {
      corner[2 * k] = v[k][x];
      corner[2 * k + 1] = v[k][x + 1];
    }
    tsr_payload_corners(dimension, rows->pass->rule, corner, out + 3 * x);
  }
}

/* Payloads of a row of input cells. */
static void tsr_rows_cells(tsr_rows *rows, int64_t y, int64_t z, double *out) {
  tsr_pass *pass = rows->pass;
  const tsr_grid_plan *plan = pass->plan;
  const tsr_lattice *lattice = &plan->lattice;
  const tsr_rule *rule = pass->rule;
  const int64_t *range = rows->range[lattice->coarsen][0];
  const int by_points =
      !rule->cell_data && rule->measure != TSR_MEASURE_VORTICITY && rule->measure != TSR_MEASURE_Q;
  if (by_points)
    tsr_rows_corners(rows, y, z, out);
  for (int64_t x = range[0]; x < range[1]; ++x) {
    const int64_t c[3] = {x, y, z};
    double *p = out + 3 * (x - range[0]);
    int flat = 0;
    if (plan->hidden && plan->hidden[tsr_cell_at(lattice, c)]) {
      tsr_payload_empty(rule, p);
      continue;
    }
    if (!by_points)
      tsr_cell_payload(lattice, &plan->space, rule, c, p, &flat);
    if (flat) {
      atomic_fetch_add(&pass->flat, 1);
      tsr_note_least(&pass->first_flat, tsr_cell_number_of(lattice, c));
    }
    if (!(fabs(tsr_payload_measure(lattice, rule->measure, lattice->coarsen, p)) <=
          TSR_LARGEST_VALUE)) {
      atomic_fetch_add(&pass->bad, 1);
      tsr_note_least(&pass->first_bad, tsr_cell_number_of(lattice, c));
    }
  }
}

/* Sets the bits of a row of nodes. All rows that share its bytes belong to the same task. */
static void tsr_rows_decide(tsr_rows *rows, int level, int64_t y, int64_t z, const double *in) {
  tsr_grid_plan *plan = rows->pass->plan;
  const tsr_lattice *lattice = &plan->lattice;
  const tsr_rule *rule = rows->pass->rule;
  const int64_t *range = rows->range[level][0];
  if (level >= lattice->levels || !plan->tree.dense[level])
    return;
  for (int64_t x = range[0]; x < range[1]; ++x) {
    const int64_t i[3] = {x, y, z};
    const double measure =
        tsr_payload_measure(lattice, rule->measure, level, in + 3 * (x - range[0]));
    if (tsr_rule_asks(lattice, rule, level, measure))
      plan->tree.dense[level][tsr_tree_dense_at(&plan->tree, level, i)] |=
          (uint8_t)(1u << tsr_child_number(i));
  }
}

/* Adds a row of children to the row of their parents. */
static void tsr_rows_add(const tsr_rows *rows, int level, const double *children, double *out) {
  const tsr_lattice *lattice = &rows->pass->plan->lattice;
  const int64_t *range = rows->range[level + 1][0];
  const int64_t first = rows->range[level][0][0];
  const tsr_grid_measure measure = rows->pass->rule->measure;
  for (int64_t x = range[0]; x < range[1]; ++x)
    tsr_payload_combine(measure, out + 3 * (tsr_shift(lattice, 0, x, 1) - first),
                        children + 3 * (x - range[0]));
}

/* Payloads of the row (y, z) of `level` (-1: of nothing), deciding every row below it. */
static void tsr_rows_make(tsr_rows *rows, int level, int64_t y, int64_t z, double *out) {
  tsr_pass *pass = rows->pass;
  const int dimension = pass->plan->lattice.dimension;
  if (level == pass->base && pass->from) {
    const tsr_payloads *from = pass->from;
    const int64_t *nx = from->range[0], *ny = from->range[1], *nz = from->range[2];
    memcpy(out,
           from->values + 3 * (((z - nz[0]) * (ny[1] - ny[0]) + (y - ny[0])) * (nx[1] - nx[0])),
           (size_t)(nx[1] - nx[0]) * 3 * sizeof *out);
    return;
  }
  if (level == pass->base) {
    tsr_rows_cells(rows, y, z, out);
    return;
  }
  if (level >= 0)
    for (int64_t x = 0; x < rows->range[level][0][1] - rows->range[level][0][0]; ++x)
      tsr_payload_empty(pass->rule, out + 3 * x);
  for (int k = 0; k < 4; ++k) {
    const int64_t cy = dimension > 1 ? 2 * y + (k & 1) : y,
                  cz = dimension > 2 ? 2 * z + (k >> 1) : z;
    const int64_t(*range)[2] = (const int64_t(*)[2])rows->range[level + 1];
    double *child = rows->payload[level + 2];
    if (((k & 1) && dimension < 2) || ((k >> 1) && dimension < 3) || cy < range[1][0] ||
        cy >= range[1][1] || cz < range[2][0] || cz >= range[2][1])
      continue;
    tsr_rows_make(rows, level + 1, cy, cz, child);
    tsr_rows_decide(rows, level + 1, cy, cz, child);
    if (level >= 0)
      tsr_rows_add(rows, level, child, out);
  }
}

/* Memory for the rows of a task; NULL where there is none. */
static double *tsr_rows_init(tsr_rows *rows, tsr_pass *pass) {
  const tsr_lattice *lattice = &pass->plan->lattice;
  const int points = !pass->from;
  int64_t total = 0;
  double *memory, *at;
  memset(rows, 0, sizeof *rows);
  rows->pass = pass;
  for (int level = pass->top < 0 ? 0 : pass->top; level <= pass->base; ++level) {
    for (int a = 0; a < 3; ++a)
      tsr_level_range(lattice, a, level, lattice->owned[a], rows->range[level][a]);
    total += 3 * (rows->range[level][0][1] - rows->range[level][0][0]);
  }
  rows->n_points = rows->range[pass->base][0][1] - rows->range[pass->base][0][0] + 1;
  if (lattice->dimension == 0)
    return NULL;
  if (points)
    total += rows->n_points * TSR_ROW_SIDE * TSR_ROW_SIDE;
  memory = at = malloc((size_t)total * sizeof *memory);
  if (!memory)
    return NULL;
  for (int level = pass->top < 0 ? 0 : pass->top; level <= pass->base; ++level) {
    rows->payload[level + 1] = at;
    at += 3 * (rows->range[level][0][1] - rows->range[level][0][0]);
  }
  for (int k = 0; points && k < TSR_ROW_SIDE * TSR_ROW_SIDE; ++k)
    rows->points[k] = at + k * rows->n_points;
  return memory;
}

/* Range: rows of the level `top`. */
static void tsr_pass_task(void *data, int64_t begin, int64_t end) {
  tsr_pass *pass = data;
  const tsr_lattice *lattice = &pass->plan->lattice;
  const int64_t ny = pass->top_range[1][1] - pass->top_range[1][0];
  tsr_rows rows;
  double *memory = tsr_rows_init(&rows, pass);
  if (!memory) {
    atomic_store(&pass->job->stop, TSR_NO_MEMORY);
    return;
  }
  for (int64_t n = begin; n < end; ++n) {
    const int64_t y = pass->top_range[1][0] + n % ny, z = pass->top_range[2][0] + n / ny;
    double *out = pass->top >= 0 ? rows.payload[pass->top + 1] : NULL;
    rows.origin[0] = tsr_shift(lattice, 1, y, pass->top - pass->base);
    rows.origin[1] = tsr_shift(lattice, 2, z, pass->top - pass->base);
    memset(rows.points_state, 0, sizeof rows.points_state);
    tsr_rows_make(&rows, pass->top, y, z, out);
    if (pass->to) {
      const int64_t nx = pass->top_range[0][1] - pass->top_range[0][0];
      memcpy(pass->to->values + 3 * n * nx, out, (size_t)nx * 3 * sizeof *out);
    }
  }
  free(memory);
}

/* Runs one pass; pass->to gets memory where it is wanted. */
static tsr_status tsr_pass_run(tsr_pass *pass, tsr_error *error) {
  const tsr_lattice *lattice = &pass->plan->lattice;
  tsr_job job = {.execution = &pass->plan->execution, .task = tsr_pass_task, .data = pass};
  tsr_status status;
  for (int a = 0; a < 3; ++a) {
    tsr_level_range(lattice, a, pass->top < 0 ? 0 : pass->top, lattice->owned[a],
                    pass->top_range[a]);
    if (pass->top < 0 && pass->top_range[a][1] > pass->top_range[a][0] && a < lattice->dimension) {
      pass->top_range[a][0] >>= 1;
      pass->top_range[a][1] = ((pass->top_range[a][1] - 1) >> 1) + 1;
    }
    if (pass->to)
      memcpy(pass->to->range[a], pass->top_range[a], sizeof pass->to->range[a]);
  }
  job.n = (pass->top_range[1][1] - pass->top_range[1][0]) *
          (pass->top_range[2][1] - pass->top_range[2][0]);
  if (pass->top_range[0][1] <= pass->top_range[0][0])
    job.n = 0;
  if (pass->to) {
    pass->to->values = tsr_alloc(3 * job.n * (pass->top_range[0][1] - pass->top_range[0][0]),
                                 sizeof(double), "the coarse levels of a criterion", error);
    if (!pass->to->values)
      return TSR_NO_MEMORY;
  }
  pass->job = &job;
  job.done_first = 0.05;
  job.done_last = 0.4;
  status = tsr_job_run(&job, 1);
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for rows of the grid");
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while a criterion was evaluated");
  return TSR_OK;
}

/* Notes are of the rule that has most. */
static void tsr_pass_note(tsr_grid_plan *plan, tsr_grid_note note, int64_t count, int64_t first) {
  tsr_note_count *n = &plan->sizes.notes[note];
  if (count > n->count) {
    n->count = count;
    n->first = first;
  }
}

tsr_status tsr_grid_apply_rule(tsr_grid_plan *plan, const tsr_rule *rule, tsr_error *error) {
  tsr_payloads kept[2] = {{NULL, {{0, 0}}}, {NULL, {{0, 0}}}};
  tsr_status status = TSR_OK;
  int base = plan->lattice.coarsen;
  for (int k = 0; status == TSR_OK && base >= 0; ++k) {
    tsr_pass pass = {.plan = plan, .rule = rule, .base = base, .first_bad = -1, .first_flat = -1};
    pass.top = base - TSR_ROW_LEVELS > -1 ? base - TSR_ROW_LEVELS : -1;
    pass.from = k > 0 ? &kept[(k + 1) % 2] : NULL;
    pass.to = pass.top >= 0 ? &kept[k % 2] : NULL;
    status = tsr_pass_run(&pass, error);
    if (k > 0) {
      free(kept[(k + 1) % 2].values);
      kept[(k + 1) % 2].values = NULL;
    } else {
      tsr_pass_note(plan, TSR_GRID_NOTE_NOT_FINITE, pass.bad, pass.first_bad);
      tsr_pass_note(plan, TSR_GRID_NOTE_FLAT_CELL, pass.flat, pass.first_flat);
    }
    base = pass.top;
  }
  free(kept[0].values);
  free(kept[1].values);
  return status;
}
