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

/** Notes on the points of an item whose offsets are valid. */
TSR_FN unsigned tsr_check_points(const tsr_curves_view *view, int64_t first, int64_t last,
                                 int rational) {
  const double largest = view->single_points ? TSR_LARGEST_SINGLE : TSR_LARGEST_COORDINATE;
  double origin[3] = {0.0, 0.0, 0.0}, x[3];
  int same = 1, beyond = 0;
  for (int64_t k = first; k < last; ++k) {
    const int64_t id = tsr_load_index(view->connectivity, view->index_type, k);
    if ((uint64_t)id >= (uint64_t)view->points.tuples)
      return TSR_NOTE_BIT(TSR_NOTE_BAD_ID);
    tsr_load3(&view->points, id, x);
    if (k == first)
      memcpy(origin, x, sizeof origin);
    if (!(tsr_usable(x[0]) & tsr_usable(x[1]) & tsr_usable(x[2])))
      return TSR_NOTE_BIT(TSR_NOTE_NOT_FINITE);
    beyond |= (fabs(x[0]) > largest) | (fabs(x[1]) > largest) | (fabs(x[2]) > largest);
    same &= (x[0] == origin[0]) & (x[1] == origin[1]) & (x[2] == origin[2]);
    if (rational) {
      const double w = tsr_load(&view->weights, id);
      if (!(w >= 1e-100) || !tsr_usable(w))
        return TSR_NOTE_BIT(TSR_NOTE_BAD_WEIGHT);
    }
  }
  if (beyond)
    return TSR_NOTE_BIT(TSR_NOTE_BEYOND_SINGLE);
  return same ? TSR_NOTE_BIT(TSR_NOTE_ZERO_LENGTH) : 0;
}

/** Notes on item i, from its offsets to its coordinates; TSR_NOTE_LEVEL_LIMIT is never among them.
 */
TSR_FN unsigned tsr_check_item(const tsr_curves_view *view, int64_t i) {
  const tsr_curve_kind kind = view->kinds ? (tsr_curve_kind)view->kinds[i] : view->kind;
  const int64_t first = tsr_load_index(view->offsets, view->index_type, i);
  const int64_t last = tsr_load_index(view->offsets, view->index_type, i + 1);
  int64_t n;
  unsigned notes;
  if (kind == TSR_KIND_NONE)
    return 0;
  if (first < 0 || last < first || last > view->n_connectivity)
    return TSR_NOTE_BIT(TSR_NOTE_BAD_OFFSETS);
  n = last - first;
  if (n == 0)
    return TSR_NOTE_BIT(TSR_NOTE_EMPTY);
  if (tsr_kind_is_cell(kind) && n > TSR_MAX_ORDER)
    return TSR_NOTE_BIT(TSR_NOTE_BAD_DEGREE);
  notes = tsr_check_points(view, first, last, view->weights.data && tsr_kind_is_rational(kind));
  if (notes & TSR_NOTES_BAD)
    return notes;
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

#endif
