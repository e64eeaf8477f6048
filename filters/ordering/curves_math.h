/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: what is decided about sorted points, one at a time. */
#ifndef TSR_ORDERING_CURVES_MATH_H
#define TSR_ORDERING_CURVES_MATH_H

#include "ordering/ordering_math.h"

/** What a sorted point is. */
enum { TSR_IS_KEPT = 1, TSR_IS_FIRST = 2, TSR_IS_ALONE = 4 };

/** Sorted points, as the passes over them see them. */
typedef struct tsr_finder {
  tsr_array points, order;
  tsr_ordering_options options;
  int64_t n;
  const int64_t *sorted; /**< n */
  uint8_t *flags;        /**< n: TSR_FLAG_... */
  uint8_t *repeats;      /**< n: 1 = dropped as a repeat; NULL: none is */
  uint8_t *is;           /**< n: TSR_IS_... */
} tsr_finder;

TSR_FN tsr_place tsr_sorted_place(const tsr_finder *f, int64_t i) {
  return tsr_place_of(&f->points, f->sorted[i]);
}

/** 1 where sorted point i is kept whatever came before it; before: the place of i - 1. */
TSR_FN int tsr_starts_anew(const tsr_finder *f, int64_t i, const tsr_place *before,
                           const tsr_place *here) {
  return (f->flags[i] & TSR_FLAG_GROUP) || tsr_is_kept_anyway(before, here, f->options.tolerance);
}

/** Sorted point i, neither a repeat nor the first of its group, against the one kept before it. */
TSR_FN int tsr_is_cut(const tsr_finder *f, int64_t i) {
  const tsr_ordering_options *o = &f->options;
  int64_t before = i - 1;
  while (f->repeats && f->repeats[before])
    --before;
  if (o->use_gap && tsr_is_gap(&f->order, f->sorted[before], f->sorted[i], o->max_gap))
    return 1;
  if (o->use_distance) {
    const tsr_place a = tsr_sorted_place(f, before), b = tsr_sorted_place(f, i);
    return tsr_distance(&a, &b) > o->max_distance;
  }
  return 0;
}

/** Raises the flags of sorted point i, when all repeats are known. */
TSR_FN void tsr_flag_cut(const tsr_finder *f, int64_t i) {
  const int looks = f->options.use_gap || f->options.use_distance;
  if (f->repeats && f->repeats[i])
    f->flags[i] |= TSR_FLAG_DROPPED;
  else if (!(f->flags[i] & TSR_FLAG_GROUP) && looks && tsr_is_cut(f, i))
    f->flags[i] |= TSR_FLAG_CUT;
}

/** 1 where the curve that sorted point i begins has no other point. */
TSR_FN int tsr_is_alone(const tsr_finder *f, int64_t i) {
  int64_t next = i + 1;
  while (next < f->n && (f->flags[next] & TSR_FLAG_DROPPED))
    ++next;
  return next == f->n || (f->flags[next] & (TSR_FLAG_GROUP | TSR_FLAG_CUT)) != 0;
}

/** What sorted point i is, when all flags are raised; *gone: 1 where it is a single that goes. */
TSR_FN int tsr_what_is(const tsr_finder *f, int64_t i, int *gone) {
  const int flags = f->flags[i];
  const int first = (flags & (TSR_FLAG_GROUP | TSR_FLAG_CUT)) != 0;
  const int alone = first && tsr_is_alone(f, i);
  *gone = alone && f->options.singles == TSR_SINGLES_DROP;
  if ((flags & TSR_FLAG_DROPPED) || *gone)
    return 0;
  return TSR_IS_KEPT | (first ? TSR_IS_FIRST : 0) | (alone ? TSR_IS_ALONE : 0);
}

/** What the step from a to b adds to the length of a curve. */
TSR_FN double tsr_step(const tsr_place *a, const tsr_place *b) {
  const double distance = tsr_distance(a, b);
  return distance > 0.0 ? distance : 0.0;
}

#endif
