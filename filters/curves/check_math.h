/* SPDX-License-Identifier: BSD-3-Clause */
/** What can be wrong with an item: the same answer on every backend. */
#ifndef TSR_CURVES_CHECK_MATH_H
#define TSR_CURVES_CHECK_MATH_H

#include "curves/span/span_math.h"

/** Bit of a note in an item's mask. */
#define TSR_NOTE_BIT(NOTE) (1u << (unsigned)(NOTE))

/** Notes that leave an item out. */
#define TSR_NOTES_BAD (TSR_NOTE_BIT(TSR_NOTE_EMPTY + 1) - 1u)

/** 1 if the item with these notes has an output. */
TSR_FN int tsr_item_good(unsigned notes, const tsr_item *item) {
  return !(notes & TSR_NOTES_BAD) && item->kind != TSR_KIND_NONE;
}

/** The look at an item: its entries of the connectivity, and what its points have in common. */
typedef struct tsr_item_look {
  tsr_curve_kind kind;
  int64_t first, last; /**< entries; none if there is nothing to look at */
  double largest;      /**< coordinate that counts */
  double origin[3];    /**< the first point */
  int rational;        /**< 1: its weights count */
  int same, beyond;    /**< all points seen are the first one; one is beyond `largest` */
} tsr_item_look;

/** Begins the look at item i. Returns notes on its offsets; if there are any, there is nothing to
 *  look at. */
TSR_FN unsigned tsr_check_offsets(const tsr_curves_view *view, int64_t i, tsr_item_look *look) {
  const int64_t first = tsr_load_index(view->offsets, view->index_type, i);
  const int64_t last = tsr_load_index(view->offsets, view->index_type, i + 1);
  int64_t id;
  look->kind = view->kinds ? (tsr_curve_kind)view->kinds[i] : view->kind;
  look->first = look->last = 0;
  look->largest = view->single_points ? TSR_LARGEST_SINGLE : TSR_LARGEST_COORDINATE;
  look->origin[0] = look->origin[1] = look->origin[2] = 0.0;
  look->rational = view->weights.data && tsr_kind_is_rational(look->kind);
  look->same = 1;
  look->beyond = 0;
  if (look->kind == TSR_KIND_NONE)
    return 0;
  if (first < 0 || last < first || last > view->n_connectivity)
    return TSR_NOTE_BIT(TSR_NOTE_BAD_OFFSETS);
  if (last == first)
    return TSR_NOTE_BIT(TSR_NOTE_EMPTY);
  if (tsr_kind_is_cell(look->kind) && last - first > TSR_MAX_ORDER)
    return TSR_NOTE_BIT(TSR_NOTE_BAD_DEGREE);
  look->first = first;
  look->last = last;
  id = tsr_load_index(view->connectivity, view->index_type, first);
  if ((uint64_t)id < (uint64_t)view->points.tuples)
    tsr_load3(&view->points, id, look->origin);
  return 0;
}

/** Looks at entry k of the item. x: receives its point. Returns a note that leaves the item out, or
 *  0; of several such entries, the first one counts. */
TSR_FN unsigned tsr_check_point(const tsr_curves_view *view, int64_t k, tsr_item_look *look,
                                double x[3]) {
  const double largest = look->largest, *const origin = look->origin;
  const int64_t id = tsr_load_index(view->connectivity, view->index_type, k);
  if ((uint64_t)id >= (uint64_t)view->points.tuples)
    return TSR_NOTE_BIT(TSR_NOTE_BAD_ID);
  tsr_load3(&view->points, id, x);
  if (!(tsr_usable(x[0]) & tsr_usable(x[1]) & tsr_usable(x[2])))
    return TSR_NOTE_BIT(TSR_NOTE_NOT_FINITE);
  look->beyond |= (fabs(x[0]) > largest) | (fabs(x[1]) > largest) | (fabs(x[2]) > largest);
  look->same &= (x[0] == origin[0]) & (x[1] == origin[1]) & (x[2] == origin[2]);
  if (look->rational) {
    const double w = tsr_load(&view->weights, id);
    if (!(w >= 1e-100) || !tsr_usable(w))
      return TSR_NOTE_BIT(TSR_NOTE_BAD_WEIGHT);
  }
  return 0;
}

/** Ends the look at item i, whose points have no note. Returns the item's notes. */
TSR_FN unsigned tsr_check_shape(const tsr_curves_view *view, int64_t i, const tsr_item_look *look) {
  const int64_t n = look->last - look->first;
  const tsr_curve_kind kind = look->kind;
  unsigned notes = look->same ? TSR_NOTE_BIT(TSR_NOTE_ZERO_LENGTH) : 0;
  if (n == 0)
    return 0;
  if (look->beyond)
    return TSR_NOTE_BIT(TSR_NOTE_BEYOND_SINGLE);
  if (n == 1)
    return TSR_NOTE_BIT(TSR_NOTE_ONE_POINT);
  if ((kind == TSR_KIND_BEZIER2_CHAIN && (n - 1) % 2 != 0) ||
      (kind == TSR_KIND_BEZIER3_CHAIN && (n - 1) % 3 != 0))
    notes |= TSR_NOTE_BIT(TSR_NOTE_LOWER_DEGREE);
  if ((kind == TSR_KIND_BSPLINE2 && n < 3) ||
      (kind == TSR_KIND_BSPLINE3 && n < 4 && !tsr_item_at(view, i).closed))
    notes |= TSR_NOTE_BIT(TSR_NOTE_LOWER_DEGREE);
  return notes;
}

/** Notes on item i, from its offsets to its coordinates; TSR_NOTE_LEVEL_LIMIT is never among them.
 */
TSR_FN unsigned tsr_check_item(const tsr_curves_view *view, int64_t i) {
  tsr_item_look look;
  double x[3];
  unsigned notes = tsr_check_offsets(view, i, &look);
  for (int64_t k = look.first; !notes && k < look.last; ++k)
    notes = tsr_check_point(view, k, &look, x);
  return notes ? notes : tsr_check_shape(view, i, &look);
}

#endif
