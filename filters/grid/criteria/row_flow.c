/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: vorticity and Q along rows of input cells. */
#include "grid/criteria/rows.h"

#include <string.h>

#define TSR_FLOW_PIECE 64 /* cells of a row at a time */

/* Differences, or vectors, of a piece of a row: by axis and component. */
typedef double tsr_flow_numbers[3][3][TSR_FLOW_PIECE];

/* Differences of one component over the edges of n cells, as tsr_edge_differences. r: the rows of
 * points around them. */
static inline void flow_edges(int dimension, int64_t n, const double *const r[4],
                              double *restrict d0, double *restrict d1, double *restrict d2) {
  const int n_rows = 1 << (dimension - 1);
  for (int64_t x = 0; x < n; ++x) {
    double v[8];
    TSR_UNROLL
    for (int k = 0; k < n_rows; ++k) {
      v[2 * k] = r[k][x];
      v[2 * k + 1] = r[k][x + 1];
    }
    d0[x] = tsr_corners_difference(dimension, 0, v);
    if (dimension > 1)
      d1[x] = tsr_corners_difference(dimension, 1, v);
    if (dimension > 2)
      d2[x] = tsr_corners_difference(dimension, 2, v);
  }
}

/* The vectors of tsr_reciprocal_axes of n cells, from the differences of their positions. */
static inline void flow_axes(int dimension, int64_t n, tsr_flow_numbers dx, tsr_flow_numbers axes,
                             double *restrict spans) {
  for (int64_t x = 0; x < n; ++x) {
    double d[3][3], r[3][3];
    TSR_UNROLL
    for (int a = 0; a < dimension; ++a) {
      TSR_UNROLL
      for (int c = 0; c < 3; ++c)
        d[a][c] = dx[a][c][x];
    }
    spans[x] = tsr_reciprocal_axes(dimension, (const double(*)[3])d, r) ? 1.0 : 0.0;
    TSR_UNROLL
    for (int a = 0; a < dimension; ++a) {
      TSR_UNROLL
      for (int c = 0; c < 3; ++c)
        axes[a][c][x] = r[a][c];
    }
  }
}

/* Measures of n cells. uniform: all have the vectors of the first. */
static inline void flow_row(tsr_grid_measure measure, int dimension, int uniform, int64_t n,
                            tsr_flow_numbers dv, tsr_flow_numbers axes, double *restrict out) {
  for (int64_t x = 0; x < n; ++x) {
    double d[3][3], r[3][3], m;
    TSR_UNROLL
    for (int a = 0; a < dimension; ++a) {
      TSR_UNROLL
      for (int c = 0; c < 3; ++c) {
        d[a][c] = dv[a][c][x];
        r[a][c] = axes[a][c][uniform ? 0 : x];
      }
    }
    m = tsr_flow_measure(measure, dimension, (const double(*)[3])d, (const double(*)[3])r);
    out[x] = tsr_finite(m) ? m : TSR_INFINITY;
  }
}

/* A piece of a row, and what is around it. */
typedef struct tsr_flow {
  const tsr_rows *rows;
  int64_t y, z;
  const double *values[3][4]; /* by component: the rows of points around the first owned cell */
  const double *places[3][4]; /* POINTS geometry: the same of positions */
  const double *low[3][3];    /* cell data: by axis and component, from the first owned cell on */
  const double *high[3][3];
  tsr_flow_numbers dv, dx, axes;
  double spans[TSR_FLOW_PIECE];
} tsr_flow;

/* With dimension and measure as constants compilers know how long the short loops are. */
static void flow_edges_of(int dimension, int64_t n, const double *const r[4],
                          double (*d)[3][TSR_FLOW_PIECE], int c) {
  if (dimension == 3)
    flow_edges(3, n, r, d[0][c], d[1][c], d[2][c]);
  else
    flow_edges(2, n, r, d[0][c], d[1][c], NULL);
}

static void flow_row_of(tsr_flow *it, int uniform, int64_t n, double *out) {
  const int vorticity = it->rows->rule->measure == TSR_MEASURE_VORTICITY;
  const int dimension = it->rows->input->lattice.dimension;
  if (vorticity && dimension == 3 && uniform)
    flow_row(TSR_MEASURE_VORTICITY, 3, 1, n, it->dv, it->axes, out);
  else if (vorticity && dimension == 3)
    flow_row(TSR_MEASURE_VORTICITY, 3, 0, n, it->dv, it->axes, out);
  else if (vorticity && uniform)
    flow_row(TSR_MEASURE_VORTICITY, 2, 1, n, it->dv, it->axes, out);
  else if (vorticity)
    flow_row(TSR_MEASURE_VORTICITY, 2, 0, n, it->dv, it->axes, out);
  else if (dimension == 3 && uniform)
    flow_row(TSR_MEASURE_Q, 3, 1, n, it->dv, it->axes, out);
  else if (dimension == 3)
    flow_row(TSR_MEASURE_Q, 3, 0, n, it->dv, it->axes, out);
  else if (uniform)
    flow_row(TSR_MEASURE_Q, 2, 1, n, it->dv, it->axes, out);
  else
    flow_row(TSR_MEASURE_Q, 2, 0, n, it->dv, it->axes, out);
}

/* Differences of positions, RECTILINEAR: of cell x of the row and those after it. */
static void flow_lengths(tsr_flow *it, int64_t x, int64_t n) {
  const tsr_lattice *lattice = &it->rows->input->lattice;
  memset(it->dx, 0, sizeof it->dx);
  for (int64_t k = 0; k < n; ++k) {
    const int64_t c[3] = {it->rows->begin + x + k, it->y, it->z};
    double d[3][3];
    tsr_cell_edges(lattice, &it->rows->input->space, c, d);
    for (int a = 0; a < lattice->dimension; ++a)
      it->dx[a][lattice->axis[a]][k] = d[a][lattice->axis[a]];
  }
}

/* The cells [x, x + n) of the row, n at most TSR_FLOW_PIECE. */
static void flow_piece(tsr_flow *it, int uniform, int64_t x, int64_t n, double *out,
                       unsigned char *flat) {
  const tsr_grid_input *input = it->rows->input;
  const int dimension = input->lattice.dimension, cell_data = it->rows->rule->cell_data;
  for (int c = 0; c < 3 && !cell_data; ++c) {
    const double *r[4] = {NULL};
    for (int k = 0; k < 1 << (dimension - 1); ++k)
      r[k] = it->values[c][k] + x;
    flow_edges_of(dimension, n, r, it->dv, c);
  }
  for (int a = 0; a < dimension && cell_data; ++a)
    for (int c = 0; c < 3; ++c)
      for (int64_t k = 0; k < n; ++k)
        it->dv[a][c][k] = it->high[a][c][x + k] - it->low[a][c][x + k];
  for (int c = 0; c < 3 && input->space.geometry == TSR_GEOMETRY_POINTS; ++c) {
    const double *r[4] = {NULL};
    for (int k = 0; k < 1 << (dimension - 1); ++k)
      r[k] = it->places[c][k] + x;
    flow_edges_of(dimension, n, r, it->dx, c);
  }
  if (input->space.geometry == TSR_GEOMETRY_RECTILINEAR)
    flow_lengths(it, x, n);
  if (!uniform && dimension == 3)
    flow_axes(3, n, it->dx, it->axes, it->spans);
  else if (!uniform)
    flow_axes(2, n, it->dx, it->axes, it->spans);
  flow_row_of(it, uniform, n, out + x);
  for (int64_t k = 0; k < n && !uniform; ++k)
    if (it->spans[k] == 0.0) {
      out[x + k] = 0.0;
      flat[x + k] = 1;
    }
}

/* UNIFORM: the vectors of cell x of the row, which others share; 0 if it is flat. */
static int flow_uniform(tsr_flow *it, int64_t x) {
  const tsr_grid_input *input = it->rows->input;
  const int64_t c[3] = {it->rows->begin + x, it->y, it->z};
  double dx[3][3], dv[3][3], r[3][3];
  tsr_cell_differences(&input->lattice, &input->space, it->rows->rule, c, dx, dv);
  if (!tsr_reciprocal_axes(input->lattice.dimension, (const double(*)[3])dx, r))
    return 0;
  for (int a = 0; a < input->lattice.dimension; ++a)
    for (int k = 0; k < 3; ++k)
      it->axes[a][k][0] = r[a][k];
  return 1;
}

/* The rows of points around the row of cells; 0 if they are not usable. */
static int flow_points(tsr_flow *it, tsr_rows *rows) {
  const int points = rows->input->space.geometry == TSR_GEOMETRY_POINTS;
  for (int k = 0; k < 1 << (rows->input->lattice.dimension - 1); ++k) {
    const int64_t y = it->y + (k & 1), z = it->z + (k >> 1);
    const tsr_row row = tsr_rows_samples(rows, y, z);
    const double *places = points ? tsr_rows_places(rows, y, z) : NULL;
    if (!row.usable)
      return 0;
    for (int c = 0; c < 3; ++c)
      it->values[c][k] = row.values + c * rows->samples.n + (rows->begin - rows->samples.first);
    for (int c = 0; c < 3 && points; ++c)
      it->places[c][k] = places + c * rows->places.n + (rows->begin - rows->places.first);
  }
  return 1;
}

/* Cell data: the rows of neighbours along each axis; 0 if they are not usable. */
static int flow_neighbours(tsr_flow *it, tsr_rows *rows) {
  const tsr_lattice *lattice = &rows->input->lattice;
  for (int a = 0; a < lattice->dimension; ++a) {
    const int64_t c[3] = {rows->begin, it->y, it->z};
    int64_t low[3], high[3];
    tsr_row l, h;
    tsr_cell_neighbours(lattice, a, c, low, high);
    l = tsr_rows_samples(rows, low[1], low[2]);
    h = tsr_rows_samples(rows, high[1], high[2]);
    if (!l.usable || !h.usable)
      return 0;
    for (int k = 0; k < 3; ++k) {
      const int64_t at = k * rows->samples.n + (rows->begin - rows->samples.first);
      it->low[a][k] = l.values + at - (a == 0);
      it->high[a][k] = h.values + at + (a == 0);
    }
  }
  return 1;
}

int tsr_rows_flow(tsr_rows *rows, int64_t y, int64_t z, double *out, unsigned char *flat) {
  const tsr_grid_input *input = rows->input;
  const int cell_data = rows->rule->cell_data;
  const int uniform = input->space.geometry == TSR_GEOMETRY_UNIFORM;
  const int64_t last = input->lattice.cells[0] - 1 - rows->begin;
  const int64_t first = cell_data && rows->begin == 0 ? 1 : 0;
  const int64_t end = cell_data && last < rows->n ? last : rows->n;
  tsr_flow it;
  it.rows = rows;
  it.y = y;
  it.z = z;
  if (input->lattice.dimension < 2 || (cell_data && !uniform) || first >= end ||
      (uniform && !flow_uniform(&it, first)) ||
      !(cell_data ? flow_neighbours(&it, rows) : flow_points(&it, rows)))
    return 0;
  memset(flat, 0, (size_t)rows->n);
  for (int64_t x = first; x < end; x += TSR_FLOW_PIECE)
    flow_piece(&it, uniform, x, end - x < TSR_FLOW_PIECE ? end - x : TSR_FLOW_PIECE, out, flat);
  tsr_rows_one_by_one(rows, y, z, 0, first, out, flat);
  tsr_rows_one_by_one(rows, y, z, end, rows->n, out, flat);
  return 1;
}
