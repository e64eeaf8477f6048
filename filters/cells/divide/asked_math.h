/* SPDX-License-Identifier: BSD-3-Clause */
/** What the criteria ask of the edges and normals of triangles, and how far a division gives it. */
#ifndef TSR_CELLS_DIVIDE_ASKED_MATH_H
#define TSR_CELLS_DIVIDE_ASKED_MATH_H

#include "cells/divide/angle_math.h"
#include "cells/divide/face_bend_math.h"

/** The criteria of shape, with the bounds of one face. */
typedef struct tsr_shape_asked {
  double over_length; /**< 1 / longest edge; 0: not in use */
  double sine;        /**< sine of the largest angle; 0: not in use */
  tsr_face_shape shape;
  int levels; /**< what is known of the angle: by the whole face, then by cuts of a quadrilateral,
                   each finer than the one before */
  tsr_angle_level level[TSR_ANGLE_LEVELS];
} tsr_shape_asked;

/** Steps along an edge of a square, in units of those that its length alone needs, with which the
 *  diagonals of the square's grid are short enough as well: the grid then meets the edges. */
#define TSR_LENGTH_SHARE 1.4142135623730951

/** Bound of the sine of the angle in a triangle with legs h and k along u and v. */
TSR_FN double tsr_grid_angle(const tsr_shape_asked *it, double h, double k) {
  double sine = TSR_BEND_MOST;
  for (int l = 0; l < it->levels; ++l) {
    const double found = tsr_angle_of_grid(&it->level[l], h, k);
    sine = found < sine ? found : sine;
  }
  return sine;
}

/** Cuts a quadrilateral while a cut that is finer may allow fewer steps. */
TSR_FAR_FN void tsr_angle_cuts(const tsr_cells_view *view, const double *forms,
                               const tsr_patch *patch, tsr_shape_asked *it) {
  tsr_face_forms whole;
  tsr_face_forms_set(view, forms, patch, &whole);
  for (int m = 2; m <= TSR_ANGLE_BOXES; m *= 2) {
    const double *part = it->level[it->levels - 1].grid;
    if (part[0] + part[1] <= it->sine * (double)m)
      return;
    it->levels += tsr_angle_cut(&whole, m, it->sine, &it->level[it->levels]);
  }
}

/** Finds the bounds of a face. Returns 1 if the angle is asked for and cannot be bounded, since the
 *  normal may vanish: it is then no longer asked for. */
TSR_FN int tsr_shape_ask(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                         const tsr_patch *patch, tsr_shape_asked *to) {
  to->over_length = criteria->over_length;
  to->sine = criteria->sine;
  to->levels = 0;
  if (!(to->over_length > 0.0) && !(to->sine > 0.0))
    return 0;
  tsr_patch_shape_bounds(view, criteria->forms, patch, to->sine > 0.0, &to->shape);
  if (!(to->sine > 0.0))
    return 0;
  if (!(to->shape.normal > 0.0)) {
    to->sine = 0.0;
    return 1;
  }
  tsr_angle_whole(&to->shape, patch->sides, to->sine, &to->level[to->levels++]);
  if (patch->sides == 4)
    tsr_angle_cuts(view, criteria->forms, patch, to);
  return 0;
}

/** 1 if neither is asked for. */
TSR_FN int tsr_asks_nothing(const tsr_shape_asked *it) {
  return !(it->over_length > 0.0) && !(it->sine > 0.0);
}

/** 1 if the triangles of a grid of a quadrilateral with steps h and k are as asked. */
TSR_FN int tsr_grid_is_asked(const tsr_shape_asked *it, int turned, double h, double k) {
  const double *slope = it->shape.slope[TSR_SHAPE_AXES];
  const double along = slope[0] * h, across = slope[1] * k;
  if (it->over_length > 0.0) {
    const double square =
        (along * along + across * across) + 2.0 * (h * k) * it->shape.dot[turned ? 0 : 1];
    const double most = TSR_FULFILLED / it->over_length;
    if (along > most || across > most || square > most * most)
      return 0;
  }
  return !(it->sine > 0.0) || tsr_grid_angle(it, h, k) <= it->sine * TSR_FULFILLED;
}

/** Least steps along u that a grid of a quadrilateral needs, whatever those along v are. */
TSR_FN int tsr_grid_asks(const tsr_shape_asked *it, int most) {
  double n = it->over_length > 0.0 ? it->shape.slope[TSR_SHAPE_AXES][0] * it->over_length : 1.0;
  double angle = TSR_BEND_MOST;
  for (int l = 0; it->sine > 0.0 && l < it->levels; ++l) {
    const double boxes = (double)it->level[l].boxes, u = it->level[l].grid[0] / it->sine;
    const double steps = u > boxes ? u : boxes;
    angle = steps < angle ? steps : angle;
  }
  n = it->sine > 0.0 && angle > n ? angle : n;
  return (int)tsr_ceil_count(n / TSR_FULFILLED, most);
}

/** 1 if the triangles of a strip along side s, which extend by `along`, have no longer edges than
 *  asked. */
TSR_FN int tsr_strip_is_short(const tsr_shape_asked *it, int s, double along, double depth) {
  const tsr_rows *slope = it->shape.slope_rows[s];
  return !(it->over_length > 0.0) ||
         (tsr_rows_most(&slope[0], depth) * along + tsr_rows_most(&slope[1], depth) * depth) *
                 it->over_length <=
             TSR_FULFILLED;
}

/** 1 if their normals are as asked. */
TSR_FN int tsr_strip_is_even(const tsr_shape_asked *it, int s, const tsr_strip_reach *reach) {
  if (!(it->sine > 0.0))
    return 1;
  for (int l = 0; l < it->levels; ++l)
    if (tsr_angle_of_strip(&it->level[l], s, reach) <= it->sine * TSR_FULFILLED)
      return 1;
  return 0;
}

/** Steps that the angle needs along one axis of a quadrilateral, by a factor; at least `least`. */
TSR_FN int tsr_axis_steps(const tsr_shape_asked *it, double factor, int least, int most) {
  const int steps = (int)tsr_ceil_count(factor / (it->sine * TSR_FULFILLED), most);
  return steps > least ? steps : (least < most ? least : most);
}

/** Steps along u and v of a grid with few cells that has the angle by level l: one axis takes a
 * half of the angle, or as little as one step or box leaves to it. */
TSR_FN void tsr_level_steps(const tsr_shape_asked *it, int l, int most, int best[2]) {
  const tsr_angle_level *level = &it->level[l];
  best[0] = best[1] = most;
  for (int way = 0; way < 4; ++way) {
    const int first = way / 2;
    const double part = level->grid[first], other = level->grid[1 - first];
    int steps[2];
    double left;
    steps[first] = way % 2 ? level->boxes : tsr_axis_steps(it, 2.0 * part, level->boxes, most);
    left = 1.0 - part / (it->sine * TSR_FULFILLED) / (double)steps[first];
    if (!(left > 0.0))
      continue;
    steps[1 - first] = tsr_axis_steps(it, other / left, level->boxes, most);
    if ((int64_t)steps[0] * steps[1] < (int64_t)best[0] * best[1]) {
      best[0] = steps[0];
      best[1] = steps[1];
    }
  }
}

/** Steps that the angle needs along side s of a face: those of a regular grid with few cells. */
TSR_FN int tsr_angle_steps(const tsr_shape_asked *it, int sides, int s, int most) {
  int best[2] = {most, most};
  if (!(it->sine > 0.0))
    return 1;
  if (sides == 3)
    return (int)tsr_ceil_count(tsr_grid_angle(it, 1.0, 1.0) / it->sine, most);
  for (int l = 0; l < it->levels; ++l) {
    int steps[2];
    tsr_level_steps(it, l, most, steps);
    if ((int64_t)steps[0] * steps[1] < (int64_t)best[0] * best[1]) {
      best[0] = steps[0];
      best[1] = steps[1];
    }
  }
  return best[s % 2];
}

/** Steps that a triangle needs, all sides alike. */
TSR_FN int tsr_triangle_asks(const tsr_shape_asked *it, int most) {
  double n = 1.0;
  for (int s = 0; it->over_length > 0.0 && s < 3; ++s) {
    const double length = it->shape.slope[s][0] * it->over_length;
    n = length > n ? length : n;
  }
  if (it->sine > 0.0 && tsr_grid_angle(it, 1.0, 1.0) / it->sine > n)
    n = tsr_grid_angle(it, 1.0, 1.0) / it->sine;
  return (int)tsr_ceil_count(n / TSR_FULFILLED, most);
}

/** 1 if n steps of each side of a triangle are enough. */
TSR_FN int tsr_triangle_is_asked(const tsr_shape_asked *it, int n) {
  return tsr_asks_nothing(it) || tsr_triangle_asks(it, n + 1) <= n;
}

/** Bound of the length of an edge, in units of the longest that is allowed; 0: not in use. */
TSR_FN double tsr_edge_length(const tsr_cells_view *view, const tsr_cells_criteria *criteria,
                              const tsr_edge *edge) {
  const int d = edge->degree;
  double q[TSR_EDGE_NODES];
  tsr_homogeneous it;
  tsr_derivative derived;
  tsr_patch patch;
  if (!(criteria->over_length > 0.0))
    return 0.0;
  tsr_edge_patch(edge, &patch);
  it.components = 3;
  it.over = criteria->over_length;
  for (int k = 0; k <= d; ++k)
    q[k] = edge->rational ? tsr_load(&view->weights, edge->id[k]) : 1.0;
  tsr_scaled_set(&it.w, 4, d, 0, q);
  for (int c = 0; c < 3; ++c) {
    tsr_load_nodes(view, &view->points, c, d + 1, edge->id, edge->rational, q);
    tsr_patch_to_bernstein(criteria->forms, &patch, q);
    tsr_scaled_set(&it.x[c], 4, d, 0, q);
  }
  tsr_derive(3, it.x, &it.w, 0, &derived);
  return tsr_derived_most(&it, edge->rational, &derived, NULL, NULL);
}

#endif
