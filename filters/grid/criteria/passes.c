/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: passes over a field, one rule at a time, from the input cells up. A task makes one row of
 * nodes of the level `top` from the four (2D: two) rows of children below it, those from theirs,
 * and so on down to rows of input cells, so that every level in between is looked at while the
 * field is in the cache:
 *
 *     top     ====    made last; its payloads are stored for the next pass
 *              | combine
 *     top+1  ==1== ==4==            each row as soon as its children's rows are made:
 *              |     |              1 to 4, one row of memory a level
 *     base   == == == ==            rows of payloads: of input cells, or stored by the last pass
 *
 * One pass spans TSR_ROW_LEVELS levels; further passes of the same kind go on to the roots. A row's
 * measures follow from its payloads, and each level's marks (or measures) are written on the way.
 */
#include "grid/criteria/rows.h"

#include <stdlib.h>
#include <string.h>

/* The payloads of all owned nodes of a level: row by row, for each row its parts. */
typedef struct tsr_payloads {
  double *values;
  int64_t range[3][2]; /* nodes */
} tsr_payloads;

/* A pass from level `base` up to level `top`; -1: above the roots, so that they are marked. */
typedef struct tsr_pass {
  const tsr_grid_input *input;
  const tsr_rule *rule;
  const tsr_pass_target *target;
  tsr_job *job;
  int parts; /* numbers of a payload that the measure uses */
  int base, top;
  int64_t top_range[3][2];
  const tsr_payloads *from; /* of base; NULL: it is the level of the input cells */
  tsr_payloads *to;         /* of top; NULL where that is -1 */
  _Atomic int64_t bad, first_bad, flat, first_flat;
} tsr_pass;

/* What one task works with. A row of payloads has n numbers of each of TSR_ROW_PARTS parts. */
typedef struct tsr_pass_worker {
  tsr_pass *pass;
  tsr_rows rows;                           /* where base is the level of the input cells */
  double *payload[TSR_GRID_MAX_LEVEL + 2]; /* a row of each level, by level + 1 */
  double *measure;                         /* a row */
  unsigned char *marks;                    /* a row: flat cells, nodes that ask */
  int64_t range[TSR_GRID_MAX_LEVEL + 1][3][2];
} tsr_pass_worker;

static int64_t row_length(const tsr_pass_worker *worker, int level) {
  return worker->range[level][0][1] - worker->range[level][0][0];
}

static void note_least(_Atomic int64_t *least, int64_t value) {
  int64_t now = atomic_load(least);
  while ((now < 0 || value < now) && !atomic_compare_exchange_weak(least, &now, value))
    ;
}

/* The measure is a constant where this is called, so that compilers leave the others out. */
static inline void row_measure_of(tsr_grid_measure measure, const tsr_lattice *lattice, int level,
                                  int64_t n, const double *restrict in, double *restrict out) {
  for (int64_t x = 0; x < n; ++x) {
    double p[3];
    tsr_row_get(measure, in, n, x, p);
    out[x] = tsr_payload_measure(lattice, measure, level, p);
  }
}

/* The measures of a row of nodes. */
static void row_measure(const tsr_lattice *lattice, tsr_grid_measure measure, int level, int64_t n,
                        const double *in, double *out) {
  if (measure == TSR_MEASURE_VALUE_RANGE)
    row_measure_of(TSR_MEASURE_VALUE_RANGE, lattice, level, n, in, out);
  else if (measure == TSR_MEASURE_STANDARD_DEVIATION)
    row_measure_of(TSR_MEASURE_STANDARD_DEVIATION, lattice, level, n, in, out);
  else if (measure == TSR_MEASURE_GRADIENT)
    row_measure_of(TSR_MEASURE_GRADIENT, lattice, level, n, in, out);
  else
    memcpy(out, in, (size_t)n * sizeof *out);
}

/* Notes visible cells of a row that are flat or whose measure is not finite. */
static void note_row(tsr_pass_worker *worker, int64_t y, int64_t z) {
  tsr_pass *pass = worker->pass;
  const tsr_lattice *lattice = &pass->input->lattice;
  const int flow = tsr_rows_are_flow(pass->rule->measure);
  int64_t c[3] = {0, y, z}, bad = 0, flat = 0;
  for (int64_t x = 0; x < worker->rows.n; ++x) {
    bad += fabs(worker->measure[x]) <= TSR_LARGEST_VALUE ? 0 : 1;
    flat += flow && worker->marks[x];
  }
  for (int64_t x = 0; x < worker->rows.n && bad + flat > 0; ++x) {
    c[0] = worker->rows.begin + x;
    if (pass->input->hidden && pass->input->hidden[tsr_cell_at(lattice, c)])
      continue;
    if (flow && worker->marks[x]) {
      atomic_fetch_add(&pass->flat, 1);
      note_least(&pass->first_flat, tsr_cell_number_of(lattice, c));
    }
    if (!tsr_finite(worker->measure[x])) {
      atomic_fetch_add(&pass->bad, 1);
      note_least(&pass->first_bad, tsr_cell_number_of(lattice, c));
    }
  }
}

/* Payloads of a row of input cells. */
static void make_cells(tsr_pass_worker *worker, int64_t y, int64_t z, double *out) {
  const tsr_pass *pass = worker->pass;
  const tsr_lattice *lattice = &pass->input->lattice;
  const int64_t n = worker->rows.n;
  const int64_t c[3] = {worker->rows.begin, y, z};
  const uint8_t *hidden =
      pass->input->hidden ? pass->input->hidden + tsr_cell_at(lattice, c) : NULL;
  double empty[3];
  tsr_rows_cells(&worker->rows, y, z, out, worker->marks);
  row_measure(lattice, pass->rule->measure, pass->base, n, out, worker->measure);
  note_row(worker, y, z);
  tsr_payload_empty(pass->rule, empty);
  if (hidden)
    for (int64_t x = 0; x < n; ++x)
      if (hidden[x])
        tsr_row_put(pass->rule->measure, out, n, x, empty);
}

/* Sets the bits of a row of nodes. All rows that share its bytes belong to the same task. */
static void mark_row(tsr_pass_worker *worker, int level, int64_t y, int64_t z, const double *in) {
  const tsr_pass_target *target = worker->pass->target;
  const tsr_lattice *lattice = &worker->pass->input->lattice;
  const tsr_rule *rule = worker->pass->rule;
  const int64_t n = row_length(worker, level);
  const int64_t i[3] = {worker->range[level][0][0], y, z};
  const int64_t low[3] = {i[0] & ~(int64_t)1, y, z};
  const int to_measures = target->measures && level < lattice->coarsen;
  uint8_t *bytes;
  if (level >= lattice->levels || n == 0 || !(to_measures || target->tree))
    return;
  row_measure(lattice, rule->measure, level, n, in, worker->measure);
  if (to_measures) {
    const int64_t(*r)[2] = (const int64_t(*)[2])worker->range[level];
    memcpy(target->measures[level] + ((z - r[2][0]) * (r[1][1] - r[1][0]) + (y - r[1][0])) * n,
           worker->measure, (size_t)n * sizeof *worker->measure);
    return;
  }
  for (int64_t x = 0; x < n; ++x)
    worker->marks[x] = (unsigned char)tsr_rule_asks(lattice, rule, level, worker->measure[x]);
  bytes = target->tree->dense[level] + tsr_tree_dense_at(target->tree, level, i);
  for (int64_t x = 0, at = i[0] & 1; x < n; ++x, ++at)
    bytes[at >> 1] |= (uint8_t)(worker->marks[x] << (tsr_child_number(low) + (at & 1)));
}

static inline void row_combine_of(tsr_grid_measure measure, int64_t n, int64_t n_out,
                                  const double *restrict children, double *restrict out) {
  for (int64_t x = 0; x < n / 2; ++x) {
    double p[3], low[3], high[3];
    tsr_row_get(measure, out, n_out, x, p);
    tsr_row_get(measure, children, n, 2 * x, low);
    tsr_row_get(measure, children, n, 2 * x + 1, high);
    tsr_payload_combine(measure, p, low);
    tsr_payload_combine(measure, p, high);
    tsr_row_put(measure, out, n_out, x, p);
  }
}

/* Adds a row of n children, of which the first is a lower one, to the row of their parents. */
static void row_combine(tsr_grid_measure measure, int64_t n, const double *children, double *out) {
  const int64_t n_out = (n + 1) / 2;
  if (measure == TSR_MEASURE_VALUE_RANGE)
    row_combine_of(TSR_MEASURE_VALUE_RANGE, n, n_out, children, out);
  else if (measure == TSR_MEASURE_STANDARD_DEVIATION)
    row_combine_of(TSR_MEASURE_STANDARD_DEVIATION, n, n_out, children, out);
  else
    row_combine_of(TSR_MEASURE_GRADIENT, n, n_out, children, out);
  if (n % 2 != 0) {
    double p[3], last[3];
    tsr_row_get(measure, out, n_out, n_out - 1, p);
    tsr_row_get(measure, children, n, n - 1, last);
    tsr_payload_combine(measure, p, last);
    tsr_row_put(measure, out, n_out, n_out - 1, p);
  }
}

/* Payloads of the row (y, z) of `level` (-1: of nothing), marking every row below it. */
static void make_row(tsr_pass_worker *worker, int level, int64_t y, int64_t z, double *out) {
  const tsr_pass *pass = worker->pass;
  const int dimension = pass->input->lattice.dimension;
  const int64_t(*below)[2] = (const int64_t(*)[2])worker->range[level + 1];
  if (level == pass->base && pass->from) {
    const int64_t *ny = pass->from->range[1], *nz = pass->from->range[2];
    const int64_t n = row_length(worker, level) * pass->parts;
    memcpy(out, pass->from->values + ((z - nz[0]) * (ny[1] - ny[0]) + (y - ny[0])) * n,
           (size_t)n * sizeof *out);
    return;
  }
  if (level == pass->base) {
    make_cells(worker, y, z, out);
    return;
  }
  if (level >= 0)
    for (int64_t x = 0; x < row_length(worker, level); ++x) {
      double p[3];
      tsr_payload_empty(pass->rule, p);
      tsr_row_put(pass->rule->measure, out, row_length(worker, level), x, p);
    }
  for (int k = 0; k < 4; ++k) {
    const int64_t cy = dimension > 1 ? 2 * y + (k & 1) : y,
                  cz = dimension > 2 ? 2 * z + (k >> 1) : z;
    double *child = worker->payload[level + 2];
    if (((k & 1) && dimension < 2) || ((k >> 1) && dimension < 3) || cy < below[1][0] ||
        cy >= below[1][1] || cz < below[2][0] || cz >= below[2][1])
      continue;
    make_row(worker, level + 1, cy, cz, child);
    mark_row(worker, level + 1, cy, cz, child);
    if (level >= 0)
      row_combine(pass->rule->measure, row_length(worker, level + 1), child, out);
  }
}

/* Memory for the rows of a task; NULL where there is none. */
static double *worker_init(tsr_pass_worker *worker, tsr_pass *pass) {
  const tsr_lattice *lattice = &pass->input->lattice;
  const int top = pass->top < 0 ? 0 : pass->top;
  int64_t total = 0, widest;
  double *memory, *at;
  memset(worker, 0, sizeof *worker);
  worker->pass = pass;
  for (int level = top; level <= pass->base; ++level) {
    for (int a = 0; a < 3; ++a)
      tsr_level_range(lattice, a, level, lattice->owned[a], worker->range[level][a]);
    total += TSR_ROW_PARTS * row_length(worker, level);
  }
  widest = row_length(worker, pass->base);
  total += 2 * widest + 1; /* the marks are bytes */
  memory = at =
      malloc((size_t)(total + (pass->from ? 0 : tsr_rows_doubles(pass->input, pass->rule))) *
             sizeof *memory);
  if (!memory)
    return NULL;
  for (int level = top; level <= pass->base; ++level) {
    worker->payload[level + 1] = at;
    at += TSR_ROW_PARTS * row_length(worker, level);
  }
  worker->measure = at;
  worker->marks = (unsigned char *)(at + widest);
  if (!pass->from)
    tsr_rows_init(&worker->rows, pass->input, pass->rule, memory + total);
  return memory;
}

/* Range: rows of the level `top`. */
static void pass_task(void *data, int64_t begin, int64_t end) {
  tsr_pass *pass = data;
  const tsr_lattice *lattice = &pass->input->lattice;
  const int64_t ny = pass->top_range[1][1] - pass->top_range[1][0];
  tsr_pass_worker worker;
  double *memory = worker_init(&worker, pass);
  if (!memory) {
    tsr_job_stop(pass->job, TSR_NO_MEMORY);
    return;
  }
  for (int64_t n = begin; n < end; ++n) {
    const int64_t y = pass->top_range[1][0] + n % ny, z = pass->top_range[2][0] + n / ny;
    double *out = pass->top >= 0 ? worker.payload[pass->top + 1] : NULL;
    if (!pass->from)
      tsr_rows_move(&worker.rows, tsr_shift(lattice, 1, y, pass->top - pass->base),
                    tsr_shift(lattice, 2, z, pass->top - pass->base));
    make_row(&worker, pass->top, y, z, out);
    if (pass->to) {
      const int64_t count = row_length(&worker, pass->top) * pass->parts;
      memcpy(pass->to->values + n * count, out, (size_t)count * sizeof *out);
    }
  }
  free(memory);
}

/* Runs one pass; pass->to gets memory where it is wanted. */
static tsr_status pass_run(tsr_pass *pass, tsr_error *error) {
  const tsr_lattice *lattice = &pass->input->lattice;
  tsr_job job = {.execution = &pass->input->execution, .task = pass_task, .data = pass};
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
    pass->to->values =
        tsr_alloc(pass->parts * job.n * (pass->top_range[0][1] - pass->top_range[0][0]),
                  sizeof(double), "the coarse levels of a criterion", error);
    if (!pass->to->values)
      return TSR_NO_MEMORY;
  }
  pass->job = &job;
  job.done_first = pass->target->done_first;
  job.done_last = pass->target->done_last;
  status = tsr_job_run(&job, 1);
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for rows of the grid");
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while a criterion was evaluated");
  return TSR_OK;
}

/* A note is of the rule that has most. */
static void raise_note(tsr_note_count *note, int64_t count, int64_t first) {
  if (count > note->count) {
    note->count = count;
    note->first = first;
  }
}

tsr_status tsr_rule_evaluate(const tsr_grid_input *input, const tsr_rule *asked,
                             const tsr_pass_target *target, tsr_error *error) {
  tsr_rule rule = *asked;
  tsr_payloads stored[2] = {{NULL, {{0, 0}}}, {NULL, {{0, 0}}}};
  tsr_status status = TSR_OK;
  int base = input->lattice.coarsen;
  if (rule.measure == TSR_MEASURE_INTERPOLATION_ERROR) {
    if (rule.tame)
      return TSR_OK;
    rule.measure = TSR_MEASURE_VALUE_RANGE;
    rule.threshold = TSR_INFINITY;
  }
  for (int k = 0; status == TSR_OK && base >= 0; ++k) {
    tsr_payloads *from = &stored[(k + 1) % 2], *to = &stored[k % 2];
    tsr_pass pass = {.input = input,
                     .rule = &rule,
                     .target = target,
                     .base = base,
                     .first_bad = -1,
                     .first_flat = -1};
    pass.parts = tsr_row_parts(rule.measure);
    pass.top = base - TSR_ROW_LEVELS > -1 ? base - TSR_ROW_LEVELS : -1;
    pass.from = k > 0 ? from : NULL;
    pass.to = pass.top >= 0 ? to : NULL;
    status = pass_run(&pass, error);
    if (k > 0) {
      free(from->values);
      from->values = NULL;
    } else {
      raise_note(&target->notes[TSR_GRID_NOTE_NOT_FINITE], pass.bad, pass.first_bad);
      raise_note(&target->notes[TSR_GRID_NOTE_FLAT_CELL], pass.flat, pass.first_flat);
    }
    base = pass.top;
  }
  free(stored[0].values);
  free(stored[1].values);
  return status;
}
