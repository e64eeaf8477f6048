/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: how far what comes out is from the input, the ratio of
 * measures to thresholds, the guarantee of the interpolation error, and where it cannot be kept. */
#ifndef TSR_GRID_OCTREE_ERROR_MATH_H
#define TSR_GRID_OCTREE_ERROR_MATH_H

#include "grid/octree/fill_math.h"

/* ---- Ways to cut leaves */

/** Lists the ways in which leaves are cut, of an octree with cells of even spacing. */
typedef struct tsr_octree_way_job {
  tsr_octree_ways ways;
  int dimension;
  const uint32_t *has; /**< of each leaf; 0: it is not cut */
} tsr_octree_way_job;

/** Notes how leaf i is cut. */
TSR_FN void tsr_octree_flag_way(const tsr_octree_way_job *job, int64_t i) {
  if (job->has[i])
    tsr_set_flag(&job->ways.flags[tsr_octree_way_code(job->has[i])]);
}

/** Counts the ways of a code. */
TSR_FN void tsr_octree_count_way(const tsr_octree_way_job *job, int64_t code) {
  job->ways.before[code] = job->ways.flags[code];
}

/** Makes the parts of the way with a code. */
TSR_FN void tsr_octree_make_way(const tsr_octree_way_job *job, int64_t code) {
  double middle[3];
  for (int a = 0; a < 3; ++a)
    middle[a] = a < job->dimension ? 0.5 : 0.0;
  if (job->ways.flags[code])
    tsr_octree_way_set(job->dimension, tsr_octree_way_places((int)code) | TSR_CUT_CORNERS, middle,
                       &job->ways.way[job->ways.before[code]]);
}

/* ---- Errors */

/** Looks at what is in entries. */
typedef struct tsr_octree_error_job {
  tsr_octree_put put;
  tsr_octree_rule_job rule; /**< its values and columns are those that are looked at */
  int cuts;                 /**< 1: leaves are cut as in the output */
  double odd;               /**< what an error that is not finite counts as */
  int64_t *looks;           /**< point data in leaves: looks before each entry, and their number */
  int64_t n_looks;
  double *found; /**< the largest error that each look has found */
  int small;     /**< 1: looks only at leaves no larger than a cell of the input */
} tsr_octree_error_job;

TSR_FN double tsr_octree_error_none(void) { return 0.0; }

TSR_FN void tsr_octree_error_join(double *all, const double *part) {
  *all = *part > *all ? *part : *all;
}

/** 1 if entry i is a leaf with cells. */
TSR_FN int tsr_octree_is_leaf(const tsr_octree_entries *entries, int64_t i) {
  return (!entries->state || entries->state[i] == TSR_STATE_LEAF) &&
         entries->cells.from[i] != TSR_OCTREE_NOWHERE;
}

/** Largest difference between the value of entry i, a leaf, and a column of the samples in it. */
TSR_FN double tsr_octree_samples_error(const tsr_octree_rule_job *rule,
                                       const tsr_octree_entries *entries, int64_t i, int column,
                                       double value) {
  const int64_t size = (int64_t)1 << entries->cells.height[i];
  int64_t low[3], high[3], end;
  const int64_t first = tsr_octree_cells_of(&rule->tree, entries->cells.from[i], &end);
  double most = 0.0;
  if (!rule->sample_values)
    return 0.0;
  tsr_octree_lowest(&rule->tree.shape, entries->cells.key[i], low);
  for (int a = 0; a < 3; ++a)
    high[a] = low[a] + size;
  for (int64_t e = rule->samples.begin[first]; e < rule->samples.begin[end]; ++e) {
    const double d = fabs(rule->sample_values[e * rule->sample_columns + column] - value);
    if (d > most && tsr_finite(d) && tsr_octree_holds_sample(rule, low, high, e))
      most = d;
  }
  return most;
}

/** Largest difference between entry i, which has a value of its own, and the cells, or points, and
 *  the samples of the input in it. */
TSR_FN void tsr_octree_error(const tsr_octree_error_job *job, int64_t i, double *most) {
  const tsr_octree_put *put = &job->put;
  const int components = put->array.components;
  const int corners = put->cell_data ? 1 : 1 << put->tree.shape.dimension;
  int64_t end;
  const int64_t first = tsr_octree_cells_of(&put->tree, put->entries.cells.from[i], &end);
  if (!tsr_octree_is_leaf(&put->entries, i))
    return;
  if (put->cell_data && end - first == 1 && !job->rule.sample_values)
    return; /* it has the value of its one cell */
  for (int c = 0; c < components; ++c) {
    const double v = tsr_octree_entry_value(put, i, c);
    const double at_samples = tsr_octree_samples_error(&job->rule, &put->entries, i, c, v);
    tsr_octree_error_join(most, &at_samples);
    for (int64_t cell = first; cell < end; ++cell)
      for (int k = 0; k < corners && !tsr_octree_is_outside(&put->tree, cell); ++k) {
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

/** Counts the looks at the points and samples in leaf i. At its points, a leaf with the corners of
 * one cell has no error. */
TSR_FN void tsr_octree_count_error_looks(const tsr_octree_error_job *job, int64_t i) {
  const tsr_octree_entries *entries = &job->put.entries;
  const int64_t from = entries->cells.from[i];
  int64_t end;
  const int64_t first = tsr_octree_cells_of(&job->put.tree, from, &end);
  job->looks[i] = tsr_octree_is_leaf(entries, i) && (from < 0 || !job->small)
                      ? tsr_octree_looks_in(&job->rule.samples, first, end, from >= 0)
                      : 0;
}

/** Look t at the points and samples in leaves. */
TSR_FN void tsr_octree_error_look(const tsr_octree_error_job *job, int64_t t) {
  const tsr_octree_rule_job *rule = &job->rule;
  const tsr_octree_entries *entries = &job->put.entries;
  const int64_t i = tsr_part_at(job->looks, 0, entries->cells.n, t);
  const int64_t from = entries->cells.from[i];
  const uint32_t has = entries->has && job->cuts ? entries->has[i] : 0;
  int64_t end;
  const int64_t first = tsr_octree_cells_of(&rule->tree, from, &end);
  const tsr_octree_stretch stretch =
      tsr_octree_stretch_of(&rule->samples, first, end, from >= 0, t - job->looks[i]);
  job->found[t] = 0.0;
  for (int c = 0; c < rule->columns && tsr_octree_sees(rule, &stretch); ++c) {
    tsr_octree_leaf leaf;
    double e;
    tsr_octree_leaf_set(rule, from, entries->cells.key[i], entries->cells.height[i], has,
                        rule->rule.array.type, c, &leaf);
    e = tsr_octree_stretch_error(rule, &leaf, c, &stretch, TSR_INFINITY, job->odd);
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
  const int64_t *looks; /**< of a rule that looks at points: what was found in each leaf */
  const double *found;
  double *ratio; /**< of each entry: the largest measure over threshold so far */
} tsr_octree_ratio_job;

TSR_FN void tsr_octree_clear_ratio(const tsr_octree_ratio_job *job, int64_t i) {
  job->ratio[i] = 0.0;
}

/** Returns the largest error that the looks at entry i have found. */
TSR_FN double tsr_octree_found_in(const int64_t *looks, const double *found, int64_t i) {
  double most = 0.0;
  for (int64_t t = looks[i]; t < looks[i + 1]; ++t)
    most = found[t] > most ? found[t] : most;
  return most;
}

/** Measure of the rule in entry i, which is a leaf. */
TSR_FN double tsr_octree_leaf_measure(const tsr_octree_ratio_job *job, int64_t i) {
  const tsr_octree_rule_job *rule = &job->rule;
  const int64_t from = job->entries.cells.from[i];
  double p[3];
  if (!rule->payload)
    return tsr_octree_found_in(job->looks, job->found, i);
  if (from < 0)
    tsr_octree_cell_payload(rule, -1 - from, p);
  return tsr_octree_measure(rule, job->entries.cells.height[i],
                            from < 0 ? p : &rule->payload[3 * from]);
}

/** Raises the ratio of entry i to that of the rule. */
TSR_FN void tsr_octree_raise_ratio(const tsr_octree_ratio_job *job, int64_t i) {
  const double threshold = job->rule.rule.threshold;
  double measure, ratio;
  if (!tsr_octree_is_leaf(&job->entries, i))
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
  uint32_t *seen; /**< of each node of the input: how it was cut when it was looked at, as `has`; or
                       TSR_OCTREE_UNSEEN */
} tsr_octree_guard_job;

/** No leaf is cut like this. */
#define TSR_OCTREE_UNSEEN 0xffffffffu

/** Criteria looked at the nodes that they reached as at leaves that are not cut. */
TSR_FN void tsr_octree_begin_seen(const tsr_octree_guard_job *job, int64_t j) {
  job->seen[j] = job->rule.reached[j] ? 0 : TSR_OCTREE_UNSEEN;
}

/** Counts the looks that leaf i needs: none if it was looked at before, cut as now. */
TSR_FN void tsr_octree_count_looks(const tsr_octree_guard_job *job, int64_t i) {
  const tsr_octree_shape *shape = &job->rule.tree.shape;
  const int64_t from = job->leaves.from[i];
  int64_t end, looks = 0;
  const int64_t first = tsr_octree_cells_of(&job->rule.tree, from, &end);
  const int height = job->leaves.height[i];
  if (from >= 0 && job->seen[from] != (job->has ? job->has[i] : 0) &&
      tsr_octree_looks_at(&job->rule, height) &&
      tsr_octree_within_limits(shape, &job->rule.limits, job->leaves.key[i], height))
    looks = tsr_octree_looks_in(&job->rule.samples, first, end, 1);
  job->rule.tasks[i] = looks;
}

/** Look t at the leaves: flags its leaf if the error there is above the threshold. */
TSR_FN void tsr_octree_look_again(const tsr_octree_guard_job *job, int64_t t) {
  const tsr_octree_rule_job *rule = &job->rule;
  const tsr_octree_nodes *nodes = &rule->tree.nodes;
  const int64_t i = tsr_part_at(rule->tasks, 0, job->leaves.n, t), from = job->leaves.from[i];
  const tsr_octree_stretch stretch = tsr_octree_stretch_of(&rule->samples, nodes->first[from],
                                                           nodes->end[from], 1, t - rule->tasks[i]);
  const int may =
      tsr_octree_looks_at(rule, job->leaves.height[i]) && tsr_octree_sees(rule, &stretch);
  for (int c = 0; may && c < rule->columns && !tsr_octree_is_hit(&rule->hits[i]); ++c) {
    tsr_octree_leaf leaf;
    tsr_octree_leaf_set(rule, from, job->leaves.key[i], job->leaves.height[i],
                        job->has ? job->has[i] : 0, rule->rule.array.type, c, &leaf);
    if (tsr_octree_stretch_error(rule, &leaf, c, &stretch, rule->rule.threshold, TSR_INFINITY) >
        rule->rule.threshold)
      tsr_set_flag(&rule->hits[i]);
  }
}

/** Counts leaf i if one of its looks has a hit, and notes how it was cut. */
TSR_FN void tsr_octree_count_hit(const tsr_octree_guard_job *job, int64_t i) {
  job->before[i] = job->rule.hits[i];
  if (job->leaves.from[i] >= 0)
    job->seen[job->leaves.from[i]] = job->has ? job->has[i] : 0;
}

/** Writes leaf i behind the words of the split nodes if it has a hit: its node is to be split. What
 *  lies above a leaf is split already. */
TSR_FN void tsr_octree_put_hit(const tsr_octree_guard_job *job, int64_t i) {
  const int height = job->leaves.height[i];
  if (job->before[i + 1] > job->before[i])
    job->close.words[job->close.splits.n + job->before[i]] = tsr_octree_word(
        height, job->leaves.key[i] >> tsr_octree_shift(&job->rule.tree.shape, height));
}

/* ---- What samples say about leaves that cannot be refined */

/** Leaves no larger than a cell of the input whose error at a sample is above the threshold. */
typedef struct tsr_octree_off_job {
  tsr_octree_rule_job rule;
  tsr_octree_entries entries;
  const int64_t *looks; /**< what was found in each leaf; NULL: leaves have values of their own */
  const double *found;
  uint8_t *off; /**< of each entry: 1: it is such a leaf */
} tsr_octree_off_job;

/** Notes whether entry i is such a leaf by the rule. */
TSR_FN void tsr_octree_flag_off(const tsr_octree_off_job *job, int64_t i) {
  const tsr_octree_rule_job *rule = &job->rule;
  const int64_t from = job->entries.cells.from[i];
  double e, v[8] = {0.0};
  if (from >= 0 || !tsr_octree_is_leaf(&job->entries, i))
    return;
  if (job->looks) {
    e = tsr_octree_found_in(job->looks, job->found, i);
  } else {
    if (rule->values)
      tsr_octree_cell_values(rule, -1 - from, 0, v);
    v[0] = rule->values ? tsr_corners_mean(rule->tree.shape.dimension, v)
                        : tsr_sample(&rule->rule, rule->tree.cells.from[-1 - from]);
    e = tsr_octree_samples_error(rule, &job->entries, i, 0, v[0]);
  }
  if (e > rule->rule.threshold)
    job->off[i] = 1;
}

TSR_FN tsr_note_count tsr_octree_off_none(void) {
  const tsr_note_count none = {0, 0};
  return none;
}

TSR_FN void tsr_octree_off_join(tsr_note_count *all, const tsr_note_count *part) {
  tsr_note_join(all, *part);
}

/** Counts entry i if it is such a leaf. */
TSR_FN void tsr_octree_off(const tsr_octree_off_job *job, int64_t i, tsr_note_count *notes) {
  if (job->off[i]) {
    const tsr_note_count one = {1, job->rule.tree.cells.from[-1 - job->entries.cells.from[i]]};
    tsr_note_join(notes, one);
  }
}

#endif
