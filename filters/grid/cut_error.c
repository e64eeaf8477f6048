/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the error in the parts of leaves. Which part holds an input point, and the part's forms
 * there, follow from the leaf's places and size alone where points are evenly spaced, and there are
 * few kinds of both. A table keeps them, so that only values are computed for each leaf.
 */
#include "grid/cut_error.h"
#include "grid/criteria/rows.h"

#include <stdatomic.h>
#include <stdlib.h>

#define TSR_CUT_SLOTS 1024
#define TSR_CUT_TRIES 8 /* slots that an entry may be in */
#define TSR_CUT_MOST_SIDE                                                                          \
  16                   /* a larger leaf is not in the table: a way of 32^3 takes a megabyte        \
                        */
#define TSR_CUT_ROW 64 /* points of a row at a time */

/* The part that holds an input point, and its forms there, projected. */
typedef struct tsr_cut_point {
  double form[3];
  int part;
} tsr_cut_point;

/* A way of cutting a leaf. */
typedef struct tsr_cut_way {
  uint32_t has; /* the places that the leaf has */
  int side;     /* input cells along each of its axes */
  int n;
  tsr_cut_part part[TSR_CUT_MOST_CELLS];
  tsr_cut_point point[]; /* the leaf's input points; x fastest */
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
  const tsr_cut_point *point; /* as of the way; NULL: each point's part is searched */
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

/* The parts of a leaf. Returns how many. */
static int make_parts(const tsr_cut *cut, const double middle[3], tsr_cut_part *part) {
  tsr_cut_cell cells[TSR_CUT_MOST_CELLS];
  int has_centre;
  const int n = tsr_cut_cells(cut, cells, &has_centre);
  for (int k = 0; k < n; ++k)
    tsr_cut_part_set(cut->dimension, middle, &cells[k], &part[k]);
  return n;
}

/* The part of the input point at t. */
static tsr_cut_point find_point(const tsr_cut_part *part, int n, const double t[3]) {
  tsr_cut_point point;
  point.part = tsr_cut_part_at(part, n, t, point.form);
  tsr_cut_part_project(&part[point.part], point.form);
  return point;
}

/* A new way, or NULL without memory. */
static tsr_cut_way *make_way(const tsr_cut *cut, const double middle[3], int side) {
  const int along = side + 1, depth = cut->dimension > 2 ? along : 1;
  tsr_cut_way *way = malloc(sizeof *way + (size_t)(along * along * depth) * sizeof *way->point);
  tsr_cut_point *to;
  if (!way)
    return NULL;
  way->has = cut->has;
  way->side = side;
  way->n = make_parts(cut, middle, way->part);
  to = way->point;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < along; ++y)
      for (int x = 0; x < along; ++x) {
        const double t[3] = {(double)x / side, (double)y / side,
                             depth > 1 ? (double)z / side : 0.0};
        *to++ = find_point(way->part, way->n, t);
      }
  return way;
}

/* The way of a leaf from the table, to which it is added. NULL if its slots are taken. */
static const tsr_cut_way *find_way(tsr_cut_table *table, const tsr_cut *cut, const double middle[3],
                                   int side) {
  const uint32_t hash = (cut->has * 32u + (uint32_t)side) * 2654435761u;
  for (uint32_t k = 0; k < TSR_CUT_TRIES; ++k) {
    _Atomic(tsr_cut_way *) *slot = &table->slot[((hash >> 20) + k) % TSR_CUT_SLOTS];
    tsr_cut_way *way = atomic_load(slot);
    if (!way) {
      tsr_cut_way *made = make_way(cut, middle, side);
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

/* The values at the leaf's places. */
static void set_values(tsr_cut_leaf *leaf, const tsr_cut *cut) {
  for (int place = 0; place < TSR_CUT_PLACES; ++place)
    if ((cut->has >> place) & 1)
      leaf->value[place] =
          tsr_cut_place_value(leaf->lattice, leaf->array, leaf->component, cut, place);
  leaf->value[TSR_CUT_CENTRE] =
      tsr_cut_centre_value(cut->dimension, leaf->array->type, leaf->value);
}

/* Where input point i is between the ends of the leaf, along an axis. */
static double parameter(const tsr_cut_leaf *leaf, int axis, int64_t i) {
  return tsr_axis_parameter(leaf->space, leaf->lattice, axis, leaf->first[axis], leaf->last[axis],
                            i);
}

/* The largest difference in n points of a row from `p` on, and `most`. points: as of the way, or
 * NULL. */
static double row_error(const tsr_cut_leaf *leaf, const int64_t p[3], int64_t n,
                        const tsr_cut_point *points, double most, double odd) {
  const int components = leaf->array->components;
  double input[TSR_CUT_ROW], t[3] = {0.0, 0.0, 0.0};
  tsr_row_load(leaf->array, tsr_point_at(leaf->lattice, p) * components + leaf->component,
               components, n, input);
  for (int a = 1; a < 3 && !points; ++a)
    t[a] = parameter(leaf, a, p[a]);
  for (int64_t x = 0; x < n; ++x) {
    tsr_cut_point searched;
    const tsr_cut_point *point = points ? &points[x] : &searched;
    double e;
    if (!points) {
      t[0] = parameter(leaf, 0, p[0] + x);
      searched = find_point(leaf->part, leaf->n, t);
    }
    e = fabs(input[x] - tsr_cut_part_mix(&leaf->part[point->part], point->form, leaf->value));
    e = tsr_finite(e) ? e : odd;
    most = e > most ? e : most;
  }
  return most;
}

/* The largest difference in the rows' points from `begin` on, TSR_CUT_ROW of each at most. */
static double rows_error(const tsr_cut_leaf *leaf, int64_t begin, double enough, double odd) {
  const int64_t *first = leaf->first, *last = leaf->last, left = last[0] + 1 - begin;
  const int64_t n = left < TSR_CUT_ROW ? left : TSR_CUT_ROW;
  const tsr_cut_point *points = leaf->point;
  int64_t p[3] = {begin, 0, 0};
  double most = 0.0;
  for (p[2] = first[2]; p[2] <= last[2] && most <= enough; ++p[2])
    for (p[1] = first[1]; p[1] <= last[1]; ++p[1]) {
      most = row_error(leaf, p, n, points, most, odd);
      points = points ? points + n : NULL;
    }
  return most;
}

double tsr_cut_error(tsr_cut_table *table, const tsr_lattice *lattice, const tsr_space *space,
                     const tsr_array *array, int component, const tsr_cut *cut, double enough,
                     double odd) {
  tsr_cut_leaf leaf = {lattice, space, array, component, {0}, {0}, {0.0}, NULL, 0, NULL};
  tsr_cut_part own[TSR_CUT_MOST_CELLS];
  const tsr_cut_way *way = NULL;
  double middle[3], most = 0.0;
  int side;
  tsr_cut_box(lattice, space, cut, leaf.first, leaf.last, middle);
  side = even_side(lattice, space, &leaf, middle);
  if (table && side > 0)
    way = find_way(table, cut, middle, side);
  leaf.part = way ? way->part : own;
  leaf.n = way ? way->n : make_parts(cut, middle, own);
  leaf.point = way ? way->point : NULL;
  set_values(&leaf, cut);
  for (int64_t begin = leaf.first[0]; begin <= leaf.last[0] && most <= enough;
       begin += TSR_CUT_ROW) {
    const double e = rows_error(&leaf, begin, enough, odd);
    most = e > most ? e : most;
  }
  return most;
}
