/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: evaluates measures row by row, along axis 0. A *sample* is a value at a point or cell; a
 * *payload* is what a measure keeps of a cell. Every function here gives the same bits as
 * measure_math.h gives cell by cell, but in loops along the row, which compilers vectorise. Not
 * public.
 */
#ifndef TSR_GRID_CRITERIA_ROWS_H
#define TSR_GRID_CRITERIA_ROWS_H

#include "grid/criteria/criteria.h"

/** Levels that one pass makes from its rows. */
#define TSR_ROW_LEVELS 3

/** Rows of samples across a task's rows of cells: those of points, and one more on each side. */
#define TSR_ROW_SIDE ((1 << TSR_ROW_LEVELS) + 3)

/** Most numbers of a payload. */
#define TSR_ROW_PARTS 3

/** Rows of numbers along axis 0 that several rows of cells need; each is made once. */
typedef struct tsr_row_cache {
  double *values;                                 /**< slot by slot: `parts` rows of n numbers */
  signed char state[TSR_ROW_SIDE * TSR_ROW_SIDE]; /**< 0 not made, 1 all usable, 2 not all */
  int64_t first, n;                               /**< index along axis 0 of the first; how many */
  int parts;
} tsr_row_cache;

/** What one task works with. */
typedef struct tsr_rows {
  const tsr_grid_input *input;
  const tsr_rule *rule;
  int64_t begin, n;        /**< owned input cells along axis 0 */
  int64_t origin[2];       /**< along axes 1 and 2: the first row of cells of the tile in work */
  tsr_row_cache samples;   /**< values; three parts for vorticity and Q */
  tsr_row_cache estimates; /**< SECOND_DERIVATIVE: the estimator at the samples */
  tsr_row_cache places;    /**< vorticity and Q with POINTS geometry: the points */
  double *spare;           /**< room for a row */
} tsr_rows;

/** A row of samples or estimates. */
typedef struct tsr_row {
  const double *values; /**< from index `first` of its cache on; parts are n numbers apart */
  int usable;           /**< all are finite; for vorticity and Q: far from overflow */
} tsr_row;

/** Size, in doubles, of the buffer that tsr_rows_init takes for this rule. */
int64_t tsr_rows_doubles(const tsr_grid_input *input, const tsr_rule *rule);
void tsr_rows_init(tsr_rows *rows, const tsr_grid_input *input, const tsr_rule *rule,
                   double *memory);

/** Forgets all rows: the next rows of cells are near row (y, z). */
void tsr_rows_move(tsr_rows *rows, int64_t y, int64_t z);

/** Starts loading the input points of the box [first, last], in inner indices, of a point array.
 * The rows of a box lie far apart in memory, where processors that load ahead do not find them by
 *  themselves. A hint: it changes no value. */
static inline void tsr_rows_prefetch(const tsr_lattice *lattice, const tsr_array *array,
                                     const int64_t first[3], const int64_t last[3]) {
#ifdef __GNUC__
  const int64_t tuple = array->components * (int64_t)tsr_type_size(array->type);
  const int64_t bytes = (last[0] - first[0]) * lattice->point_step[0] * tuple, line = 64;
  int64_t p[3] = {first[0], 0, 0};
  for (p[2] = first[2]; p[2] <= last[2]; ++p[2])
    for (p[1] = first[1]; p[1] <= last[1]; ++p[1]) {
      const char *row = (const char *)array->data + tsr_point_at(lattice, p) * tuple;
      for (int64_t at = 0; at < bytes; at += line)
        __builtin_prefetch(row + at);
      __builtin_prefetch(row + bytes);
    }
#else
  (void)lattice, (void)array, (void)first, (void)last;
#endif
}

/** Numbers of a payload that the measure uses. */
static inline int tsr_row_parts(tsr_grid_measure measure) {
  return measure == TSR_MEASURE_STANDARD_DEVIATION ? 3 : measure == TSR_MEASURE_VALUE_RANGE ? 2 : 1;
}

/** Reads payload x of a row of n; tsr_row_put writes it. */
static inline void tsr_row_get(tsr_grid_measure measure, const double *row, int64_t n, int64_t x,
                               double p[3]) {
  p[0] = row[x];
  p[1] = tsr_row_parts(measure) > 1 ? row[n + x] : 0.0;
  p[2] = tsr_row_parts(measure) > 2 ? row[2 * n + x] : 0.0;
}

static inline void tsr_row_put(tsr_grid_measure measure, double *row, int64_t n, int64_t x,
                               const double p[3]) {
  row[x] = p[0];
  if (tsr_row_parts(measure) > 1)
    row[n + x] = p[1];
  if (tsr_row_parts(measure) > 2)
    row[2 * n + x] = p[2];
}

/** Samples along the row (y, z), which the view holds. */
tsr_row tsr_rows_samples(tsr_rows *rows, int64_t y, int64_t z);

/** SECOND_DERIVATIVE: the estimator along the row, at the samples of the owned cells. */
tsr_row tsr_rows_estimates(tsr_rows *rows, int64_t y, int64_t z);

/** Positions of the points of the row: three parts. */
const double *tsr_rows_places(tsr_rows *rows, int64_t y, int64_t z);

/** Payloads of the cells [begin, end) of the row (y, z), as of tsr_rows_cells, cell by cell. */
void tsr_rows_one_by_one(tsr_rows *rows, int64_t y, int64_t z, int64_t begin, int64_t end,
                         double *out, unsigned char *flat);

/** 1 for vorticity and Q, which need three components and space. */
int tsr_rows_are_flow(tsr_grid_measure measure);

/** n values of an array from value `at` on, `step` apart. */
void tsr_row_load(const tsr_array *array, int64_t at, int64_t step, int64_t n, double *to);

/* ---- row_cells.c, and what it calls: row_flow.c */

/**
 * Payloads of the owned input cells of the row (y, z), hidden or not, laid
 * out for tsr_row_get. flat: one a cell, 1 where it is flat; written for vorticity and Q only.
 */
void tsr_rows_cells(tsr_rows *rows, int64_t y, int64_t z, double *out, unsigned char *flat);

/** tsr_rows_cells for vorticity and Q. Returns 0, with nothing written, if the row cannot be done
 * in loops along it: then tsr_rows_one_by_one is to do it. */
int tsr_rows_flow(tsr_rows *rows, int64_t y, int64_t z, double *out, unsigned char *flat);

#endif
