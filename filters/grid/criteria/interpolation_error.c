/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: how far the interpolant of a node's corners is from the input. */
#include "grid/criteria/rows.h"

#define TSR_ERROR_PIECE 64 /* points along a side of a piece, at most */

/* The points of a piece along an axis. */
typedef struct tsr_error_side {
  int64_t begin, n;
  double t[TSR_ERROR_PIECE], rest[TSR_ERROR_PIECE]; /* where each is between the ends; 1 - t */
} tsr_error_side;

/* A piece of the points of a node: all its planes along axis 2, TSR_ERROR_PIECE points along the
 * others. */
typedef struct tsr_error_piece {
  tsr_error_side x, y;
  double low[TSR_ERROR_PIECE][2], high[TSR_ERROR_PIECE][2]; /* by y: the ends of the row in the
                                                               first plane, in the last */
  double value[TSR_ERROR_PIECE];
  double most[TSR_ERROR_PIECE]; /* by x: largest difference so far */
  double sum[TSR_ERROR_PIECE];  /* by x: of all so far; not finite if one is not */
} tsr_error_piece;

/* A node and what is interpolated in it. */
typedef struct tsr_error_node {
  const tsr_lattice *lattice;
  const tsr_space *space;
  const tsr_array *array;
  int component;
  const double *corner;
  int64_t first[3], last[3];
} tsr_error_node;

static double parameter(const tsr_error_node *node, int axis, int64_t i) {
  return tsr_axis_parameter(node->space, node->lattice, axis, node->first[axis], node->last[axis],
                            i);
}

static void set_side(const tsr_error_node *node, int axis, int64_t begin, tsr_error_side *side) {
  const int64_t left = node->last[axis] + 1 - begin;
  side->begin = begin;
  side->n = left < TSR_ERROR_PIECE ? left : TSR_ERROR_PIECE;
  for (int64_t k = 0; k < side->n; ++k) {
    side->t[k] = parameter(node, axis, begin + k);
    side->rest[k] = 1.0 - side->t[k];
  }
}

/* The ends of the rows in the first and the last plane, as tsr_row_ends has them. */
static void set_ends(const tsr_error_node *node, tsr_error_piece *piece) {
  const double *v = node->corner;
  const int dimension = node->lattice->dimension;
  for (int64_t y = 0; y < piece->y.n; ++y) {
    const double t = piece->y.t[y], rest = piece->y.rest[y];
    for (int k = 0; k < 2; ++k) {
      piece->low[y][k] = dimension > 1 ? v[k] * rest + v[k + 2] * t : v[k];
      piece->high[y][k] = dimension > 2 ? v[k + 4] * rest + v[k + 6] * t : 0.0;
    }
  }
}

/* Differences along a row to the interpolant, whose ends are given. The type is a constant where
 * this is called. */
static inline void error_row_of(tsr_type type, const void *values, tsr_error_piece *restrict piece,
                                double low, double high) {
  const int64_t n = piece->x.n;
  for (int64_t x = 0; x < n; ++x) {
    const double value =
        type == TSR_FLOAT ? (double)((const float *)values)[x] : ((const double *)values)[x];
    const double e = fabs(value - (low * piece->x.rest[x] + high * piece->x.t[x]));
    piece->most[x] = e > piece->most[x] ? e : piece->most[x];
    piece->sum[x] += e;
  }
}

/* error_row_of for values of an array, from value `at` on and `components` apart. */
static void error_row(const tsr_array *array, int64_t at, tsr_error_piece *piece, double low,
                      double high) {
  if (array->components == 1 && array->type == TSR_FLOAT) {
    error_row_of(TSR_FLOAT, (const float *)array->data + at, piece, low, high);
    return;
  }
  tsr_row_load(array, at, array->components, piece->x.n, piece->value);
  error_row_of(TSR_DOUBLE, piece->value, piece, low, high);
}

/* The ends of row y of the plane at t along axis 2. */
static void row_ends(const tsr_error_node *node, const tsr_error_piece *piece, int64_t y, double t,
                     double end[2]) {
  for (int k = 0; k < 2; ++k) {
    end[k] = piece->low[y][k];
    if (node->lattice->dimension > 2)
      end[k] = end[k] * (1.0 - t) + piece->high[y][k] * t;
  }
}

static void error_plane(const tsr_error_node *node, tsr_error_piece *piece, int64_t z) {
  const tsr_array *array = node->array;
  const int64_t p[3] = {piece->x.begin, piece->y.begin, z};
  const int64_t step = node->lattice->point_step[1] * array->components;
  const double t = parameter(node, 2, z);
  int64_t at = tsr_point_at(node->lattice, p) * array->components + node->component;
  for (int64_t y = 0; y < piece->y.n; ++y, at += step) {
    double end[2];
    row_ends(node, piece, y, t, end);
    error_row(array, at, piece, end[0], end[1]);
  }
}

/* Starts loading a plane of a piece, if the node has it. */
static void fetch_plane(const tsr_error_node *node, const tsr_error_piece *piece, int64_t z) {
  const int64_t first[3] = {piece->x.begin, piece->y.begin, z};
  const int64_t last[3] = {first[0] + piece->x.n - 1, first[1] + piece->y.n - 1, z};
  if (z <= node->last[2])
    tsr_rows_prefetch(node->lattice, node->array, first, last);
}

/* The largest so far. *finite: receives 0 if a difference may not be finite. */
static double error_most(const tsr_error_piece *piece, int *finite) {
  double most = 0.0, sum = 0.0;
  for (int64_t x = 0; x < piece->x.n; ++x) {
    most = piece->most[x] > most ? piece->most[x] : most;
    sum += piece->sum[x];
  }
  *finite = tsr_finite(sum);
  return most;
}

/* The largest difference of a plane of a piece, where some are not finite and count as `odd`. */
static double odd_plane(const tsr_error_node *node, tsr_error_piece *piece, int64_t z, double odd) {
  const tsr_array *array = node->array;
  const double t = parameter(node, 2, z);
  double most = 0.0;
  for (int64_t y = 0; y < piece->y.n; ++y) {
    const int64_t p[3] = {piece->x.begin, piece->y.begin + y, z};
    double end[2];
    row_ends(node, piece, y, t, end);
    tsr_row_load(array, tsr_point_at(node->lattice, p) * array->components + node->component,
                 array->components, piece->x.n, piece->value);
    for (int64_t x = 0; x < piece->x.n; ++x) {
      const double e = fabs(piece->value[x] - (end[0] * piece->x.rest[x] + end[1] * piece->x.t[x]));
      const double counts = tsr_finite(e) ? e : odd;
      most = counts > most ? counts : most;
    }
  }
  return most;
}

/* The largest difference of a piece; stops above `enough`, after a plane. */
static double error_piece(const tsr_error_node *node, tsr_error_piece *piece, double enough,
                          double odd) {
  const int64_t first = node->first[2], last = node->last[2];
  double most = 0.0;
  int finite = 1;
  set_ends(node, piece);
  for (int64_t x = 0; x < piece->x.n; ++x)
    piece->most[x] = piece->sum[x] = 0.0;
  for (int64_t z = first; z <= last && most <= enough && finite; ++z) {
    fetch_plane(node, piece, z + 1);
    error_plane(node, piece, z);
    if (enough < TSR_INFINITY || z == last)
      most = error_most(piece, &finite);
  }
  if (finite)
    return most;
  most = 0.0;
  for (int64_t z = first; z <= last && most <= enough; ++z) {
    const double e = odd_plane(node, piece, z, odd);
    most = e > most ? e : most;
  }
  return most;
}

double tsr_node_error(const tsr_grid_input *input, const tsr_array *array, int component, int level,
                      const int64_t i[3], const double corner[8], double enough, double odd) {
  tsr_error_node node = {&input->lattice, &input->space, array, component, corner, {0}, {0}};
  tsr_error_piece piece;
  double most = 0.0;
  tsr_node_points(&input->lattice, level, i, node.first, node.last);
  for (int64_t y = node.first[1]; y <= node.last[1] && most <= enough; y += TSR_ERROR_PIECE) {
    set_side(&node, 1, y, &piece.y);
    for (int64_t x = node.first[0]; x <= node.last[0] && most <= enough; x += TSR_ERROR_PIECE) {
      double e;
      set_side(&node, 0, x, &piece.x);
      e = error_piece(&node, &piece, enough, odd);
      most = e > most ? e : most;
    }
  }
  return most;
}

double tsr_interpolation_error(const tsr_grid_input *input, const tsr_rule *rule, int level,
                               const int64_t i[3], double enough, double *largest) {
  double most = 0.0, all = 0.0;
  if (level >= input->lattice.coarsen)
    return 0.0;
  for (int c = 0; c < rule->array.components && most <= enough; ++c) {
    double v[8] = {0.0}, rounding, e;
    if (rule->component >= 0 && c != rule->component)
      continue;
    tsr_node_corner_values(&input->lattice, &rule->array, c, level, i, v);
    rounding = tsr_corners_rounding(input->lattice.dimension, v);
    e = tsr_node_error(input, &rule->array, c, level, i, v, enough > rounding ? enough : rounding,
                       TSR_INFINITY);
    all = e > all ? e : all;
    most = e > most && e > rounding ? e : most;
  }
  if (largest)
    *largest = all;
  return most;
}
