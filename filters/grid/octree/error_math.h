/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: how far what comes out is from the input, the ratio of
 * measures to thresholds, and the guarantee of the interpolation error. */
#ifndef TSR_GRID_OCTREE_ERROR_MATH_H
#define TSR_GRID_OCTREE_ERROR_MATH_H

#include "grid/octree/fill_math.h"

/* ---- Errors */

typedef struct tsr_octree_error_job {
  tsr_octree_put put;
  tsr_octree_rule_job rule; /**< its values and columns are those of the attribute */
  int64_t *looks;           /**< point data in leaves: looks before each entry, and their number */
  double *found;            /**< the largest error that each look has found */
} tsr_octree_error_job;

TSR_FN double tsr_octree_error_none(void) { return 0.0; }

TSR_FN void tsr_octree_error_join(double *all, const double *part) {
  *all = *part > *all ? *part : *all;
}

/** Largest difference between entry i, which has a value of its own, and the cells or points of the
 *  input in it. */
TSR_FN void tsr_octree_error(const tsr_octree_error_job *job, int64_t i, double *most) {
  const tsr_octree_put *put = &job->put;
  const int components = put->array.components;
  const int corners = put->cell_data ? 1 : 1 << put->tree.shape.dimension;
  int64_t end;
  const int64_t first = tsr_octree_cells_of(&put->tree, put->entries.cells.from[i], &end);
  if (put->entries.state && put->entries.state[i] != TSR_STATE_LEAF)
    return;
  for (int c = 0; c < components; ++c) {
    const double v = tsr_octree_entry_value(put, i, c);
    for (int64_t cell = first; cell < end; ++cell)
      for (int k = 0; k < corners; ++k) {
        const int64_t point =
            put->cell_data ? 0 : tsr_octree_point(&put->in, cell, tsr_octree_corner_place(k));
        const double w = put->cell_data ? tsr_octree_cell_value(put, cell, c)
                                        : put->values[point * components + c];
        const double e = fabs(w - v);
        if (tsr_finite(e))
          tsr_octree_error_join(most, &e);
      }
  }
}

/** Counts the looks at the points in leaf i. A leaf with the corners of one cell has no error. */
TSR_FN void tsr_octree_count_error_looks(const tsr_octree_error_job *job, int64_t i) {
  const int64_t from = job->put.entries.cells.from[i];
  int64_t end;
  const int64_t first = tsr_octree_cells_of(&job->put.tree, from, &end);
  job->looks[i] = from >= 0 ? (end - first + TSR_OCTREE_LOOK - 1) / TSR_OCTREE_LOOK : 0;
}

/** Look t at the points in leaves. */
TSR_FN void tsr_octree_error_look(const tsr_octree_error_job *job, int64_t t) {
  const tsr_octree_put *put = &job->put;
  const tsr_octree_entries *entries = &put->entries;
  const int64_t i = tsr_part_at(job->looks, 0, entries->cells.n, t);
  const int64_t from = entries->cells.from[i];
  const uint32_t has = entries->has && put->kind == TSR_GRID_CONFORMING ? entries->has[i] : 0;
  int64_t end;
  const int64_t begin = tsr_octree_look_range(&put->tree.nodes, from, t - job->looks[i], &end);
  job->found[t] = 0.0;
  for (int c = 0; c < put->array.components; ++c) {
    tsr_octree_leaf leaf;
    double e;
    tsr_octree_leaf_set(&job->rule, from, entries->cells.height[i], has, put->array.type, c, &leaf);
    e = tsr_octree_cells_error(&job->rule, &leaf, c, begin, end, TSR_INFINITY, 0.0);
    tsr_octree_error_join(&job->found[t], &e);
  }
}

TSR_FN double tsr_octree_largest_none(void) { return 0.0; }

TSR_FN void tsr_octree_largest_join(double *all, const double *part) {
  tsr_octree_error_join(all, part);
}

/** Raises *most to what look t has found. */
TSR_FN void tsr_octree_largest(const tsr_octree_error_job *job, int64_t t, double *most) {
  tsr_octree_error_join(most, &job->found[t]);
}

/* ---- The indicator */

typedef struct tsr_octree_ratio_job {
  tsr_octree_rule_job rule;
  tsr_octree_entries entries;
  double *ratio; /**< of each entry: the largest measure over threshold so far */
} tsr_octree_ratio_job;

TSR_FN void tsr_octree_clear_ratio(const tsr_octree_ratio_job *job, int64_t i) {
  job->ratio[i] = 0.0;
}

/** Measure of the rule in entry i, which is a leaf. */
TSR_FN double tsr_octree_leaf_measure(const tsr_octree_ratio_job *job, int64_t i) {
  const tsr_octree_rule_job *rule = &job->rule;
  const int64_t from = job->entries.cells.from[i];
  const int height = job->entries.cells.height[i];
  double p[3], most = 0.0;
  int64_t end;
  const int64_t first = tsr_octree_cells_of(&rule->tree, from, &end);
  if (rule->payload && from < 0)
    tsr_octree_cell_payload(rule, first, p);
  if (rule->payload)
    return tsr_octree_measure(rule, height, from < 0 ? p : &rule->payload[3 * from]);
  for (int c = 0; c < rule->columns && from >= 0; ++c) {
    tsr_octree_leaf leaf;
    double e;
    tsr_octree_leaf_set(rule, from, height, 0, rule->rule.array.type, c, &leaf);
    e = tsr_octree_cells_error(rule, &leaf, c, first, end, TSR_INFINITY, TSR_INFINITY);
    most = e > most ? e : most;
  }
  return most;
}

/** Raises the ratio of entry i to that of the rule. */
TSR_FN void tsr_octree_raise_ratio(const tsr_octree_ratio_job *job, int64_t i) {
  const double threshold = job->rule.rule.threshold;
  double measure, ratio;
  if ((job->entries.state && job->entries.state[i] != TSR_STATE_LEAF) ||
      job->entries.cells.from[i] == TSR_OCTREE_NOWHERE)
    return;
  measure = tsr_octree_leaf_measure(job, i);
  ratio = measure > 0.0 ? measure / threshold : 0.0;
  if (ratio > job->ratio[i])
    job->ratio[i] = ratio;
}

/** Writes the ratio of the cells of entry i. */
TSR_FN void tsr_octree_put_indicator(const tsr_octree_put *job, int64_t i) {
  TSR_OCTREE_EACH_CELL(((double *)job->to)[cell] = job->values[i])
}

/* ---- The guarantee */

/** Leaves whose interpolation error is looked at: those that are cut, or that closure made. */
typedef struct tsr_octree_guard_job {
  tsr_octree_rule_job rule; /**< tasks, n, hits: of the leaves */
  tsr_octree_close_job close;
  tsr_octree_cells leaves;
  const uint32_t *has; /**< NULL: no leaf is cut */
  int64_t *before;     /**< counts, then sums, of words */
} tsr_octree_guard_job;

/** Counts the looks that leaf i needs. */
TSR_FN void tsr_octree_count_looks(const tsr_octree_guard_job *job, int64_t i) {
  const tsr_octree_shape *shape = &job->rule.tree.shape;
  const int64_t from = job->leaves.from[i];
  int64_t end, looks = 0;
  const int64_t first = tsr_octree_cells_of(&job->rule.tree, from, &end);
  const int height = job->leaves.height[i];
  if (from >= 0 && ((job->has && job->has[i]) || !job->rule.reached[from]) &&
      tsr_octree_looks_at(&job->rule, height) &&
      tsr_octree_within_limits(shape, &job->rule.limits, job->leaves.key[i], height))
    looks = (end - first + TSR_OCTREE_LOOK - 1) / TSR_OCTREE_LOOK;
  job->rule.tasks[i] = looks;
}

/** Look t at the leaves. */
TSR_FN void tsr_octree_look_again(const tsr_octree_guard_job *job, int64_t t) {
  const tsr_octree_rule_job *rule = &job->rule;
  const int64_t i = tsr_part_at(rule->tasks, 0, job->leaves.n, t), from = job->leaves.from[i];
  int64_t end;
  const int64_t begin = tsr_octree_look_range(&rule->tree.nodes, from, t - rule->tasks[i], &end);
  const int may = tsr_octree_looks_at(rule, job->leaves.height[i]);
  for (int c = 0; may && c < rule->columns && !rule->hits[t]; ++c) {
    tsr_octree_leaf leaf;
    tsr_octree_leaf_set(rule, from, job->leaves.height[i], job->has ? job->has[i] : 0,
                        rule->rule.array.type, c, &leaf);
    rule->hits[t] = tsr_octree_cells_error(rule, &leaf, c, begin, end, rule->rule.threshold,
                                           TSR_INFINITY) > rule->rule.threshold;
  }
}

/** Counts leaf i if one of its looks has a hit. */
TSR_FN void tsr_octree_count_hit(const tsr_octree_guard_job *job, int64_t i) {
  int hit = 0;
  for (int64_t t = job->rule.tasks[i]; t < job->rule.tasks[i + 1]; ++t)
    hit = hit || job->rule.hits[t];
  job->before[i] = hit;
}

/** Writes leaf i behind the words of the split nodes if it has a hit: its node is to be split. What
 *  lies above a leaf is split already. */
TSR_FN void tsr_octree_put_hit(const tsr_octree_guard_job *job, int64_t i) {
  const int height = job->leaves.height[i];
  if (job->before[i + 1] > job->before[i])
    job->close.words[job->close.splits.n + job->before[i]] = tsr_octree_word(
        height, job->leaves.key[i] >> tsr_octree_shift(&job->rule.tree.shape, height));
}

#endif
