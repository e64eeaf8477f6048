/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the reductions of the tree: the box of the points, and the numbers of the leaves.
 */
#ifndef TSR_POINTGRID_TREE_TREE_MATH_H
#define TSR_POINTGRID_TREE_TREE_MATH_H

#include "pointgrid/pointgrid_math.h"

/** What becomes of a point. */
typedef enum tsr_pointgrid_use {
  TSR_POINTGRID_HIDDEN = 0,
  TSR_POINTGRID_COUNTS,
  TSR_POINTGRID_NOT_FINITE /**< or beyond 1e100 */
} tsr_pointgrid_use;

/** Loads point i. */
TSR_FN tsr_pointgrid_use tsr_pointgrid_load(const tsr_array *points, const uint8_t *hidden,
                                            int64_t i, double xyz[3]) {
  if (hidden && hidden[i])
    return TSR_POINTGRID_HIDDEN;
  tsr_load3(points, i, xyz);
  return tsr_usable(xyz[0]) && tsr_usable(xyz[1]) && tsr_usable(xyz[2]) ? TSR_POINTGRID_COUNTS
                                                                        : TSR_POINTGRID_NOT_FINITE;
}

/** The box of the points that count. */
typedef struct tsr_pointgrid_box {
  double low[3], high[3]; /**< high below low: there is no point */
  int64_t bad, first_bad; /**< points that are not finite: their number, and the first; -1: none */
  int64_t kept;           /**< points that count */
} tsr_pointgrid_box;

typedef struct tsr_pointgrid_bound_job {
  tsr_array points;
  const uint8_t *hidden;
} tsr_pointgrid_bound_job;

TSR_FN tsr_pointgrid_box tsr_pointgrid_bound_none(void) {
  tsr_pointgrid_box box;
  for (int a = 0; a < 3; ++a) {
    box.low[a] = INFINITY;
    box.high[a] = -INFINITY;
  }
  box.bad = box.kept = 0;
  box.first_bad = -1;
  return box;
}

/** Adds point i to the box. Points come in ascending order. */
TSR_FN void tsr_pointgrid_bound(const tsr_pointgrid_bound_job *job, int64_t i,
                                tsr_pointgrid_box *box) {
  double xyz[3];
  const tsr_pointgrid_use use = tsr_pointgrid_load(&job->points, job->hidden, i, xyz);
  if (use == TSR_POINTGRID_NOT_FINITE)
    box->first_bad = box->bad++ == 0 ? i : box->first_bad;
  if (use != TSR_POINTGRID_COUNTS)
    return;
  for (int a = 0; a < 3; ++a) {
    box->low[a] = xyz[a] < box->low[a] ? xyz[a] : box->low[a];
    box->high[a] = xyz[a] > box->high[a] ? xyz[a] : box->high[a];
  }
  box->kept++;
}

TSR_FN void tsr_pointgrid_bound_join(tsr_pointgrid_box *box, const tsr_pointgrid_box *other) {
  for (int a = 0; a < 3; ++a) {
    box->low[a] = other->low[a] < box->low[a] ? other->low[a] : box->low[a];
    box->high[a] = other->high[a] > box->high[a] ? other->high[a] : box->high[a];
  }
  if (other->bad > 0 && (box->bad == 0 || other->first_bad < box->first_bad))
    box->first_bad = other->first_bad;
  box->bad += other->bad;
  box->kept += other->kept;
}

/** Numbers of leaves, for sizes and warnings. */
typedef struct tsr_pointgrid_summary {
  int64_t of_level[TSR_POINTGRID_MAX_LEVEL + 1]; /**< leaves of each level */
  int64_t full, first_full; /**< leaves of the highest level with more than max_points: their
                                 number, and the first; -1: none */
} tsr_pointgrid_summary;

typedef struct tsr_pointgrid_summarise_job {
  const tsr_pointgrid_leaf *leaves;
  tsr_pointgrid_rule rule;
} tsr_pointgrid_summarise_job;

TSR_FN tsr_pointgrid_summary tsr_pointgrid_summarise_none(void) {
  tsr_pointgrid_summary none;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    none.of_level[level] = 0;
  none.full = 0;
  none.first_full = -1;
  return none;
}

/** Adds leaf i to the summary. Leaves come in ascending order. */
TSR_FN void tsr_pointgrid_summarise(const tsr_pointgrid_summarise_job *job, int64_t i,
                                    tsr_pointgrid_summary *summary) {
  const tsr_pointgrid_leaf *leaf = &job->leaves[i];
  summary->of_level[leaf->level]++;
  if (tsr_pointgrid_is_full(&job->rule, leaf->level, leaf->count))
    summary->first_full = summary->full++ == 0 ? i : summary->first_full;
}

TSR_FN void tsr_pointgrid_summarise_join(tsr_pointgrid_summary *summary,
                                         const tsr_pointgrid_summary *other) {
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
    summary->of_level[level] += other->of_level[level];
  if (other->full > 0 && (summary->full == 0 || other->first_full < summary->first_full))
    summary->first_full = other->first_full;
  summary->full += other->full;
}

#endif
