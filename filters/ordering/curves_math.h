/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: what is decided about sorted points, one at a time. */
#ifndef TSR_ORDERING_CURVES_MATH_H
#define TSR_ORDERING_CURVES_MATH_H

#include "ordering/ordering_math.h"

/** What a sorted point is. */
enum { TSR_IS_KEPT = 1, TSR_IS_FIRST = 2, TSR_IS_ALONE = 4 };

/** What is counted in sorted points. */
enum {
  TSR_COUNT_POINTS,
  TSR_COUNT_CURVES,
  TSR_COUNT_VERTS, /**< curves of one point */
  TSR_COUNT_REPEATS,
  TSR_COUNT_CUTS,
  TSR_COUNT_SINGLES, /**< that are dropped */
  TSR_COUNTS
};

/** Points of a part, on which one item of a step works. Measured with 4 million points on one
 * thread of the CPU: with parts of one point, a plan that drops repeats takes 1.45 times as long,
 * since a run is looked at again from each of its points. Not measured on a device, where larger
 * parts leave threads without work. */
#define TSR_ORDERING_PART 16

/** Sorted points, as the passes over them see them. */
typedef struct tsr_finder {
  tsr_array points, order;
  tsr_ordering_options options;
  int64_t n;
  const int64_t *sorted; /**< n */
  uint8_t *flags;        /**< n: TSR_FLAG_... */
  uint8_t *repeats;      /**< n: 1 = dropped as a repeat; NULL: none is */
  uint8_t *is;           /**< n: TSR_IS_... */
  int64_t parts;         /**< of TSR_ORDERING_PART points */
  int64_t *before; /**< TSR_COUNTS * parts + 1: what tsr_count_points found, count by count and
                      part by part; then the sums of all numbers that stand before each */
} tsr_finder;

TSR_FN tsr_place tsr_sorted_place(const tsr_finder *f, int64_t i) {
  return tsr_place_of(&f->points, f->sorted[i]);
}

/** 1 where sorted point i is kept whatever came before it; before: the place of i - 1. */
TSR_FN int tsr_starts_anew(const tsr_finder *f, int64_t i, const tsr_place *before,
                           const tsr_place *here) {
  return (f->flags[i] & TSR_FLAG_GROUP) || tsr_is_kept_anyway(before, here, f->options.tolerance);
}

/** 1 where sorted point i is kept whatever came before it. */
TSR_FN int tsr_starts_run(const tsr_finder *f, int64_t i) {
  const tsr_place before = tsr_sorted_place(f, i > 0 ? i - 1 : 0), here = tsr_sorted_place(f, i);
  return tsr_starts_anew(f, i, &before, &here);
}

/** Finds the repeats from sorted point `start`, where a run starts, to where the next run starts,
 * which it returns (n: nowhere). What is a repeat depends on the point that was kept last, so the
 * points of a run are decided one after another. */
TSR_FN int64_t tsr_find_repeats(const tsr_finder *f, int64_t start) {
  tsr_place before = tsr_sorted_place(f, start), kept = before;
  int64_t i = start + 1;
  f->repeats[start] = 0;
  for (; i < f->n; ++i) {
    const tsr_place here = tsr_sorted_place(f, i);
    if (tsr_starts_anew(f, i, &before, &here))
      return i;
    f->repeats[i] = (uint8_t)tsr_is_repeat(&kept, &here, f->options.tolerance);
    if (!f->repeats[i])
      kept = here;
    before = here;
  }
  return i;
}

TSR_FN int64_t tsr_part_end(const tsr_finder *f, int64_t part) {
  const int64_t end = (part + 1) * TSR_ORDERING_PART;
  return end < f->n ? end : f->n;
}

/** Finds the repeats of the runs that start in a part. */
TSR_FN void tsr_find_repeats_of(const tsr_finder *f, int64_t part) {
  const int64_t end = tsr_part_end(f, part);
  int64_t i = part * TSR_ORDERING_PART;
  while (i < end && !tsr_starts_run(f, i))
    ++i;
  while (i < end)
    i = tsr_find_repeats(f, i);
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
  const int cuts = f->options.use_gap || f->options.use_distance;
  if (f->repeats && f->repeats[i])
    f->flags[i] |= TSR_FLAG_DROPPED;
  else if (!(f->flags[i] & TSR_FLAG_GROUP) && cuts && tsr_is_cut(f, i))
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

/** Decides what the points of a part are, and counts them. */
TSR_FN void tsr_count_points(const tsr_finder *f, int64_t part) {
  int64_t counts[TSR_COUNTS] = {0};
  for (int64_t i = part * TSR_ORDERING_PART; i < tsr_part_end(f, part); ++i) {
    int gone;
    const int is = tsr_what_is(f, i, &gone);
    f->is[i] = (uint8_t)is;
    counts[TSR_COUNT_POINTS] += (is & TSR_IS_KEPT) != 0;
    counts[TSR_COUNT_CURVES] += (is & TSR_IS_FIRST) != 0;
    counts[TSR_COUNT_VERTS] += (is & TSR_IS_ALONE) != 0;
    counts[TSR_COUNT_REPEATS] += (f->flags[i] & TSR_FLAG_DROPPED) != 0;
    counts[TSR_COUNT_CUTS] += (f->flags[i] & TSR_FLAG_CUT) != 0;
    counts[TSR_COUNT_SINGLES] += gone;
  }
  for (int k = 0; k < TSR_COUNTS; ++k)
    f->before[k * f->parts + part] = counts[k];
}

/** Count k in the parts before this one, once `before` has sums. */
TSR_FN int64_t tsr_count_before(const tsr_finder *f, int k, int64_t part) {
  return f->before[k * f->parts + part] - f->before[k * f->parts];
}

/** Where to put the totals. */
typedef struct tsr_finder_totals {
  tsr_finder finder;
  int64_t *totals; /**< TSR_COUNTS */
} tsr_finder_totals;

/** Total of count k. */
TSR_FN void tsr_put_total(const tsr_finder_totals *job, int64_t k) {
  job->totals[k] = tsr_count_before(&job->finder, (int)k, job->finder.parts);
}

/** The curves of a plan. */
typedef struct tsr_curve_list {
  int64_t n;
  int64_t verts;      /**< curves of one point */
  int64_t *point_ids; /**< input point of each output point */
  int64_t *start;     /**< n + 1: first output point of each curve */
  int64_t *cell;      /**< n: number of each curve among the cells, vertices first */
} tsr_curve_list;

/** How to place the points in the curves. */
typedef struct tsr_placer {
  tsr_finder finder;
  tsr_curve_list to;
} tsr_placer;

/** Places the points of a part that are kept. The first part also ends the list of starts. */
TSR_FN void tsr_place_points(const tsr_placer *job, int64_t part) {
  const tsr_finder *f = &job->finder;
  const tsr_curve_list *to = &job->to;
  int64_t points = tsr_count_before(f, TSR_COUNT_POINTS, part);
  int64_t curves = tsr_count_before(f, TSR_COUNT_CURVES, part);
  int64_t verts = tsr_count_before(f, TSR_COUNT_VERTS, part);
  if (part == 0)
    to->start[to->n] = tsr_count_before(f, TSR_COUNT_POINTS, f->parts);
  for (int64_t i = part * TSR_ORDERING_PART; i < tsr_part_end(f, part); ++i) {
    const int is = f->is[i];
    if (!(is & TSR_IS_KEPT))
      continue;
    if (is & TSR_IS_FIRST) {
      to->start[curves] = points;
      to->cell[curves] = is & TSR_IS_ALONE ? verts : to->verts + (curves - verts);
      ++curves;
      verts += (is & TSR_IS_ALONE) != 0;
    }
    to->point_ids[points++] = f->sorted[i];
  }
}

/** Writes the offsets, the vertex and the ends of curve i, where they are wanted. */
TSR_FN void tsr_fill_cell(const tsr_curve_list *c, const tsr_ordering_output *out, int64_t i) {
  const int64_t begin = c->start[i], end = c->start[i + 1], cell = c->cell[i];
  if (end - begin == 1) {
    if (out->vert_offsets)
      out->vert_offsets[cell] = cell;
    if (out->vert_connectivity)
      out->vert_connectivity[cell] = begin;
  } else if (out->line_offsets) {
    const int64_t line = cell - c->verts;
    out->line_offsets[line] = begin - (i - line);
  }
  if (out->first_ids)
    out->first_ids[cell] = c->point_ids[begin];
  if (out->last_ids)
    out->last_ids[cell] = c->point_ids[end - 1];
}

/** Writes the ends of the offsets, where they are wanted. */
TSR_FN void tsr_fill_last_offsets(const tsr_curve_list *c, const tsr_ordering_output *out) {
  if (out->vert_offsets)
    out->vert_offsets[c->verts] = c->verts;
  if (out->line_offsets)
    out->line_offsets[c->n - c->verts] = c->start[c->n] - c->verts;
}

/** Output points before curve i that are vertices: the connectivity of lines leaves them out. */
TSR_FN int64_t tsr_verts_before(const tsr_curve_list *c, int64_t i) {
  return i - (c->cell[i] - c->verts);
}

/** What the step from a to b adds to the length of a curve. */
TSR_FN double tsr_step(const tsr_place *a, const tsr_place *b) {
  const double distance = tsr_distance(a, b);
  return distance > 0.0 ? distance : 0.0;
}

/** Segments whose lengths are added up one after the other, before their sums are, so that several
 *  threads can share a long curve and still give the same bits. */
#define TSR_LENGTH_BLOCK 256

/** Length of block number `block` of the curve through the points ids[begin..end). ids NULL: the
 * points begin, begin + 1 and so on. 0 beyond the end of the curve. */
TSR_FN double tsr_block_length(const tsr_array *points, const int64_t *ids, int64_t begin,
                               int64_t end, int64_t block) {
  const int64_t first = begin + block * TSR_LENGTH_BLOCK;
  const int64_t last = end - first <= TSR_LENGTH_BLOCK ? end : first + TSR_LENGTH_BLOCK + 1;
  double sum = 0.0;
  tsr_place before;
  if (first >= end - 1)
    return 0.0;
  before = tsr_place_of(points, ids ? ids[first] : first);
  for (int64_t i = first + 1; i < last; ++i) {
    const tsr_place here = tsr_place_of(points, ids ? ids[i] : i);
    sum += tsr_step(&before, &here);
    before = here;
  }
  return sum;
}

#endif
