/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the error in the parts of leaves. Which part holds an input point, and the part's forms
 * there, follow from the leaf's places and size alone where points are evenly spaced, and there are
 * few kinds of both. A table keeps them, so that only values are computed for each leaf.
 */
#include "grid/cut/cut_error.h"
#include "grid/criteria/rows.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TSR_CUT_SLOTS 1024
#define TSR_CUT_TRIES 8 /* slots that an entry may be in */
#define TSR_CUT_MOST_SIDE                                                                          \
  16                   /* a larger leaf is not in the table: a way of 32^3 takes a megabyte        \
                        */
#define TSR_CUT_ROW 64 /* points at a time */

/* A way of cutting a leaf, and the leaf's input points, part after part. */
typedef struct tsr_cut_way {
  uint32_t has; /* the places that the leaf has */
  int side;     /* input cells along each of its axes */
  tsr_cut_cells_of cells;
  tsr_cut_part part[TSR_CUT_MOST_CELLS];
  int first[TSR_CUT_MOST_CELLS + 1]; /* of each part: its first point */
  int64_t *offset;                   /* of each point from the leaf's first, in tuples */
  double *form[4]; /* by point: the forms, projected; then 1 minus all three in a tetrahedron, 1
                      minus the first in a pyramid */
} tsr_cut_way;

struct tsr_cut_table {
  _Atomic(tsr_cut_way *) slot[TSR_CUT_SLOTS];
};

/* A leaf that is cut, and one component of an array. */
typedef struct tsr_cut_leaf {
  const tsr_lattice *lattice;
  const tsr_space *space;
  const tsr_array *array;
  int component;
  int64_t first[3], last[3];
  double value[TSR_CUT_PLACES];
  const tsr_cut_part *part;
  int n;
} tsr_cut_leaf;

tsr_cut_table *tsr_cut_table_create(void) { return calloc(1, sizeof(tsr_cut_table)); }

void tsr_cut_table_free(tsr_cut_table *table) {
  for (int k = 0; table && k < TSR_CUT_SLOTS; ++k)
    free(atomic_load(&table->slot[k]));
  free(table);
}

/* Number of input cells along each axis; 0 if they differ, or the points are uneven. */
static int even_side(const tsr_lattice *lattice, const tsr_space *space, const tsr_cut_leaf *leaf,
                     const double middle[3]) {
  const int64_t side = leaf->last[0] - leaf->first[0];
  int even = space->geometry != TSR_GEOMETRY_RECTILINEAR && side <= TSR_CUT_MOST_SIDE;
  for (int a = 0; a < lattice->dimension; ++a)
    even = even && leaf->last[a] - leaf->first[a] == side && middle[a] == 0.5;
  return even ? (int)side : 0;
}

static void list_cells(const tsr_cut *cut, tsr_cut_cells_of *cells) {
  cells->n = tsr_cut_cells(cut, cells->cell, &cells->centre);
  cells->entries = 0;
  for (int k = 0; k < cells->n; ++k)
    cells->entries += cells->cell[k].n;
}

/* The parts of a leaf. Returns how many. */
static int make_parts(const tsr_cut *cut, const double middle[3], tsr_cut_part *part) {
  tsr_cut_cells_of cells;
  list_cells(cut, &cells);
  for (int k = 0; k < cells.n; ++k)
    tsr_cut_part_set(cut->dimension, middle, &cells.cell[k], &part[k]);
  return cells.n;
}

/* Puts input point x of a leaf into the list of points of its part. n: points in the lists; by
 * part, where the next one goes. NULL: counts it in way->first. */
static void put_point(const tsr_lattice *lattice, tsr_cut_way *way, const int x[3], int *n) {
  double t[3] = {0.0, 0.0, 0.0}, f[3];
  int part;
  for (int a = 0; a < lattice->dimension; ++a)
    t[a] = (double)x[a] / way->side;
  part = tsr_cut_part_at(way->part, way->cells.n, t, f);
  if (!n) {
    ++way->first[part + 1];
    return;
  }
  const int pyramid = way->part[part].cell.n == 5, at = n[part]++;
  tsr_cut_part_project(&way->part[part], f);
  if (pyramid && f[0] <= 0.0) /* the apex has no place on the base */
    f[0] = f[1] = f[2] = 0.0;
  for (int k = 0; k < 3; ++k)
    way->form[k][at] = f[k];
  way->form[3][at] = pyramid ? 1.0 - f[0] : ((1.0 - f[0]) - f[1]) - f[2];
  way->offset[at] = 0;
  for (int a = 0; a < lattice->dimension; ++a)
    way->offset[at] += x[a] * lattice->point_step[a];
}

static void put_points(const tsr_lattice *lattice, tsr_cut_way *way, int *n) {
  int x[3];
  for (x[2] = 0; x[2] <= (lattice->dimension > 2 ? way->side : 0); ++x[2])
    for (x[1] = 0; x[1] <= way->side; ++x[1])
      for (x[0] = 0; x[0] <= way->side; ++x[0])
        put_point(lattice, way, x, n);
}

/* A new way, or NULL without memory. side 0: its cells alone. */
static tsr_cut_way *make_way(const tsr_lattice *lattice, const tsr_cut *cut, int side) {
  const double middle[3] = {0.5, 0.5, 0.5};
  const int along = side + 1, depth = cut->dimension > 2 ? along : 1;
  const size_t points = side > 0 ? (size_t)(along * along * depth) : 0;
  tsr_cut_way *way = malloc(sizeof *way + points * (sizeof(int64_t) + 4 * sizeof(double)));
  int n[TSR_CUT_MOST_CELLS];
  if (!way)
    return NULL;
  memset(way->first, 0, sizeof way->first);
  way->has = cut->has;
  way->side = side;
  list_cells(cut, &way->cells);
  if (side == 0)
    return way;
  make_parts(cut, middle, way->part);
  way->offset = (int64_t *)(way + 1);
  for (size_t k = 0; k < 4; ++k)
    way->form[k] = (double *)(way->offset + points) + k * points;
  put_points(lattice, way, NULL);
  for (int k = 0; k < TSR_CUT_MOST_CELLS; ++k)
    way->first[k + 1] += n[k] = way->first[k];
  put_points(lattice, way, n);
  return way;
}

/* The way of a leaf from the table, to which it is added. NULL if its slots are taken. */
static const tsr_cut_way *find_way(tsr_cut_table *table, const tsr_lattice *lattice,
                                   const tsr_cut *cut, int side) {
  const uint32_t hash = (cut->has * 32u + (uint32_t)side) * 2654435761u;
  for (uint32_t k = 0; k < TSR_CUT_TRIES; ++k) {
    _Atomic(tsr_cut_way *) *slot = &table->slot[((hash >> 20) + k) % TSR_CUT_SLOTS];
    tsr_cut_way *way = atomic_load(slot);
    if (!way) {
      tsr_cut_way *made = make_way(lattice, cut, side);
      if (!made)
        return NULL;
      if (atomic_compare_exchange_strong(slot, &way, made))
        return made;
      free(made); /* another thread was faster */
    }
    if (way->has == cut->has && way->side == side)
      return way;
  }
  return NULL;
}

const tsr_cut_cells_of *tsr_cut_cells_find(tsr_cut_table *table, const tsr_lattice *lattice,
                                           const tsr_cut *cut, tsr_cut_cells_of *own) {
  const tsr_cut_way *way = table ? find_way(table, lattice, cut, 0) : NULL;
  if (way)
    return &way->cells;
  list_cells(cut, own);
  return own;
}

/* The values at the leaf's places. */
static void set_values(tsr_cut_leaf *leaf, const tsr_cut *cut) {
  for (int place = 0; place < TSR_CUT_PLACES; ++place)
    if ((cut->has >> place) & 1)
      leaf->value[place] =
          tsr_cut_place_value(leaf->lattice, leaf->array, leaf->component, cut, place);
  leaf->value[TSR_CUT_CENTRE] =
      tsr_cut_centre_value(cut->dimension, leaf->array->type, leaf->value);
}

/* Loads the points [first, first + n) of a way. at: the leaf's first point, in values. */
static void load_points(const tsr_array *array, const tsr_cut_way *way, int64_t at, int first,
                        int n, double *to) {
  const int64_t *offset = way->offset + first, step = array->components;
  if (array->type == TSR_FLOAT)
    for (int k = 0; k < n; ++k)
      to[k] = (double)((const float *)array->data)[at + offset[k] * step];
  else if (array->type == TSR_DOUBLE)
    for (int k = 0; k < n; ++k)
      to[k] = ((const double *)array->data)[at + offset[k] * step];
  else
    for (int k = 0; k < n; ++k)
      to[k] = tsr_load(array, at + offset[k] * step);
}

/* Differences of n inputs of a part to what tsr_cut_part_mix() gives there; `input` receives them.
 * form: of the first point. v: values at the part's corners. */
static void part_differences(int corners, const double *const form[4], const double v[5], int n,
                             double *restrict input) {
  const double *a = form[0], *b = form[1], *c = form[2], *d = form[3];
  if (corners == 5)
    for (int k = 0; k < n; ++k) {
      const double s = b[k], t = c[k];
      const double base =
          (v[0] * (1.0 - s) + v[1] * s) * (1.0 - t) + (v[3] * (1.0 - s) + v[2] * s) * t;
      input[k] = fabs(input[k] - (a[k] * base + v[4] * d[k]));
    }
  else
    for (int k = 0; k < n; ++k)
      input[k] = fabs(input[k] - (((a[k] * v[1] + b[k] * v[2]) + c[k] * v[3]) + d[k] * v[0]));
}

/* The largest of n differences; the ones that are not finite count as `odd`. */
static double largest_of(const double *difference, int n, double odd) {
  double most[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0}; /* a sum that is finite has no other terms */
  int k = 0;
  for (; k + 2 <= n; k += 2)
    for (int lane = 0; lane < 2; ++lane) {
      const double e = difference[k + lane];
      most[lane] = e > most[lane] ? e : most[lane];
      sum[lane] += e;
    }
  if (k < n) {
    most[0] = difference[k] > most[0] ? difference[k] : most[0];
    sum[0] += difference[k];
  }
  if (tsr_finite(sum[0] + sum[1]))
    return most[0] > most[1] ? most[0] : most[1];
  most[0] = 0.0;
  for (k = 0; k < n; ++k) {
    const double e = tsr_finite(difference[k]) ? difference[k] : odd;
    most[0] = e > most[0] ? e : most[0];
  }
  return most[0];
}

/* The largest difference in the points of a way. */
static double way_error(const tsr_cut_leaf *leaf, const tsr_cut_way *way, double enough,
                        double odd) {
  const int64_t at =
      tsr_point_at(leaf->lattice, leaf->first) * leaf->array->components + leaf->component;
  double difference[TSR_CUT_ROW], most = 0.0;
  for (int part = 0; part < way->cells.n && most <= enough; ++part) {
    const tsr_cut_cell *cell = &way->cells.cell[part];
    double v[5] = {0.0};
    for (int k = 0; k < cell->n; ++k)
      v[k] = leaf->value[cell->at[k]];
    for (int first = way->first[part], end = way->first[part + 1]; first < end;
         first += TSR_CUT_ROW) {
      const int n = end - first < TSR_CUT_ROW ? end - first : TSR_CUT_ROW;
      const double *form[4], *e = difference;
      double largest;
      for (int k = 0; k < 4; ++k)
        form[k] = way->form[k] + first;
      load_points(leaf->array, way, at, first, n, difference);
      part_differences(cell->n, form, v, n, difference);
      largest = largest_of(e, n, odd);
      most = largest > most ? largest : most;
    }
  }
  return most;
}

/* Where input point i is between the ends of the leaf, along an axis. */
static double parameter(const tsr_cut_leaf *leaf, int axis, int64_t i) {
  return tsr_axis_parameter(leaf->space, leaf->lattice, axis, leaf->first[axis], leaf->last[axis],
                            i);
}

/* The largest difference in n points of a row from `p` on, and `most`. */
static double row_error(const tsr_cut_leaf *leaf, const int64_t p[3], int64_t n, double most,
                        double odd) {
  const int components = leaf->array->components;
  double input[TSR_CUT_ROW], t[3] = {0.0, 0.0, 0.0};
  tsr_row_load(leaf->array, tsr_point_at(leaf->lattice, p) * components + leaf->component,
               components, n, input);
  for (int a = 1; a < 3; ++a)
    t[a] = parameter(leaf, a, p[a]);
  for (int64_t x = 0; x < n; ++x) {
    double f[3], e;
    int part;
    t[0] = parameter(leaf, 0, p[0] + x);
    part = tsr_cut_part_at(leaf->part, leaf->n, t, f);
    e = fabs(input[x] - tsr_cut_part_value(&leaf->part[part], f, leaf->value));
    e = tsr_finite(e) ? e : odd;
    most = e > most ? e : most;
  }
  return most;
}

/* The largest difference in the rows' points from `begin` on, TSR_CUT_ROW of each at most. */
static double rows_error(const tsr_cut_leaf *leaf, int64_t begin, double enough, double odd) {
  const int64_t *first = leaf->first, *last = leaf->last, left = last[0] + 1 - begin;
  const int64_t n = left < TSR_CUT_ROW ? left : TSR_CUT_ROW;
  int64_t p[3] = {begin, 0, 0};
  double most = 0.0;
  for (p[2] = first[2]; p[2] <= last[2] && most <= enough; ++p[2])
    for (p[1] = first[1]; p[1] <= last[1]; ++p[1])
      most = row_error(leaf, p, n, most, odd);
  return most;
}

double tsr_cut_error(tsr_cut_table *table, const tsr_lattice *lattice, const tsr_space *space,
                     const tsr_array *array, int component, const tsr_cut *cut, double enough,
                     double odd) {
  tsr_cut_leaf leaf = {lattice, space, array, component, {0}, {0}, {0.0}, NULL, 0};
  tsr_cut_part own[TSR_CUT_MOST_CELLS];
  const tsr_cut_way *way = NULL;
  double middle[3], most = 0.0;
  int side;
  tsr_cut_box(lattice, space, cut, leaf.first, leaf.last, middle);
  side = even_side(lattice, space, &leaf, middle);
  if (table && side > 0) {
    tsr_rows_prefetch(lattice, array, leaf.first, leaf.last);
    way = find_way(table, lattice, cut, side);
  }
  set_values(&leaf, cut);
  if (way)
    return way_error(&leaf, way, enough, odd);
  leaf.part = own;
  leaf.n = make_parts(cut, middle, own);
  for (int64_t begin = leaf.first[0]; begin <= leaf.last[0] && most <= enough;
       begin += TSR_CUT_ROW) {
    const double e = rows_error(&leaf, begin, enough, odd);
    most = e > most ? e : most;
  }
  return most;
}
