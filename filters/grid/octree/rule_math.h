/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids from cells of several sizes: the criteria.
 *
 * All criteria but the interpolation error of point data have a payload for each cell, and payloads
 * of children combine to that of their parent (measure_math.h). The interpolation error is found by
 * looking at the points below a node, in chunks of cells, from the highest nodes down, and only in
 * nodes whose parent is refined.
 */
#ifndef TSR_GRID_OCTREE_RULE_MATH_H
#define TSR_GRID_OCTREE_RULE_MATH_H

#include "grid/cut/cut_field_math.h"
#include "grid/octree/sample_math.h"

/** Values of `refine`. */
enum {
  TSR_OCTREE_KEEP = 0,  /**< a leaf, if the parent is refined */
  TSR_OCTREE_ASKED = 1, /**< a criterion asks to refine the node */
  TSR_OCTREE_FORCED = 2 /**< cells do not cover the node, or it is larger than leaves may be */
};

/** Which nodes criteria may refine, as tsr_grid_options has it. */
typedef struct tsr_octree_limits {
  int use_region, inside_level, outside_level;
  double low[3], high[3]; /**< the region by inner axes, in finest cells */
} tsr_octree_limits;

/** A way in which leaves are cut. */
typedef struct tsr_octree_way {
  int n; /**< parts */
  tsr_cut_part part[TSR_CUT_MOST_CELLS];
} tsr_octree_way;

/** All ways in which leaves are cut, each once. Without it, every look at a leaf makes the parts of
 * the leaf again. */
typedef struct tsr_octree_ways {
  uint8_t *flags;      /**< of each code (tsr_octree_way_code): 1 if a leaf is cut so */
  int64_t *before;     /**< codes + 1: ways before each code */
  tsr_octree_way *way; /**< NULL: there is no list */
} tsr_octree_ways;

typedef struct tsr_octree_rule_job {
  tsr_octree_tree tree;
  tsr_octree_space space;
  tsr_octree_corner_job corners; /**< the points of the input's cells */
  const int64_t *node_corner;    /**< nodes x 2^d: points at the corners of complete nodes */
  int64_t *set_corner;           /**< node_corner while it is being made */
  tsr_rule rule;                 /**< its array in the executor's memory */
  const double *values;          /**< points.n x columns; NULL: the rule looks at cell data */
  int columns;
  tsr_octree_sample_list samples; /**< in the order of the cells; no `begin`: there are none */
  const double *sample_values;    /**< samples.n x sample_columns; NULL: the rule has none */
  int sample_columns;
  double *payload; /**< nodes x 3 */
  int mode;        /**< a tsr_grid_mode */
  tsr_octree_limits limits;
  uint8_t *asks, *reached, *refine; /**< of each node */
  int64_t from;                     /**< the first node of the height that is worked on */
  int height;
  int looks;      /**< 1: there are rules that look at points */
  int64_t *tasks; /**< looks before each node of the height, and their number */
  int64_t n;      /**< nodes of the height */
  uint8_t *hits;  /**< of each node: 1 if a look has found an error above the threshold */
  int first;      /**< tsr_octree_look: 1: looks that come first; 0: the others */
  tsr_octree_ways ways;
} tsr_octree_rule_job;

/** Bytes to be set to a value. */
typedef struct tsr_octree_clear_job {
  uint8_t *to;
  uint8_t value;
} tsr_octree_clear_job;

TSR_FN void tsr_octree_clear(const tsr_octree_clear_job *job, int64_t i) {
  job->to[i] = job->value;
}

/** Sets the points at the corners of node from + k. Those of its children must be set. */
TSR_FN void tsr_octree_find_corners(const tsr_octree_rule_job *job, int64_t k) {
  const tsr_octree_tree *tree = &job->tree;
  const int64_t j = job->from + k;
  const int n = 1 << tree->shape.dimension;
  for (int c = 0; c < n && tree->nodes.complete[j]; ++c) {
    const int64_t child = tsr_octree_child(tree, j, c);
    job->set_corner[j * n + c] =
        child >= 0 ? job->set_corner[child * n + c]
                   : tsr_octree_point(&job->corners, -1 - child, tsr_octree_corner_place(c));
  }
}

/** Values of a column at the corners of a cell. */
TSR_FN void tsr_octree_cell_values(const tsr_octree_rule_job *job, int64_t cell, int column,
                                   double v[8]) {
  for (int k = 0; k < 1 << job->tree.shape.dimension; ++k)
    v[k] = job->values[tsr_octree_point(&job->corners, cell, tsr_octree_corner_place(k)) *
                           job->columns +
                       column];
}

/** Vorticity or Q at the centre of a cell. */
TSR_FN double tsr_octree_flow(const tsr_octree_rule_job *job, int64_t cell) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const int64_t size = (int64_t)1 << job->tree.cells.height[cell];
  const double edges = (double)(1 << (shape->dimension - 1));
  double dx[3][3] = {{0.0}}, dv[3][3] = {{0.0}}, r[3][3];
  int64_t low[3];
  tsr_octree_lowest(shape, job->tree.cells.key[cell], low);
  for (int a = 0; a < shape->dimension; ++a) {
    const int axis = shape->axis[a];
    dx[a][axis] = tsr_octree_coordinate(&job->space, axis, low[a] + size) -
                  tsr_octree_coordinate(&job->space, axis, low[a]);
  }
  for (int c = 0; c < 3; ++c) {
    double v[8] = {0.0};
    tsr_octree_cell_values(job, cell, c, v);
    for (int a = 0; a < shape->dimension; ++a) {
      dv[a][c] = tsr_corners_difference(shape->dimension, a, v) / edges;
      if (!tsr_finite(dv[a][c]))
        return TSR_INFINITY;
    }
  }
  return tsr_reciprocal_axes(shape->dimension, (const double(*)[3])dx, r)
             ? tsr_flow_measure(job->rule.measure, shape->dimension, (const double(*)[3])dv,
                                (const double(*)[3])r)
             : 0.0;
}

/** Combines the values at the samples in a cell into its payload. */
TSR_FN void tsr_octree_add_samples(const tsr_octree_rule_job *job, int64_t cell, double p[3]) {
  for (int64_t e = job->samples.begin[cell]; e < job->samples.begin[cell + 1]; ++e) {
    double q[3];
    tsr_payload_value(&job->rule, job->sample_values[e * job->sample_columns], q);
    tsr_payload_combine(job->rule.measure, p, q);
  }
}

/** Payload of a cell. Gradients are per finest cell, and deviations count a cell by its volume. */
TSR_FN void tsr_octree_cell_payload(const tsr_octree_rule_job *job, int64_t cell, double p[3]) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const int height = job->tree.cells.height[cell];
  const double size = (double)((int64_t)1 << height);
  const tsr_grid_measure measure = job->rule.measure;
  if (measure == TSR_MEASURE_VORTICITY || measure == TSR_MEASURE_Q) {
    tsr_payload_value(&job->rule, tsr_octree_flow(job, cell), p);
  } else if (job->values) {
    double v[8] = {0.0};
    tsr_octree_cell_values(job, cell, 0, v);
    tsr_payload_corners(shape->dimension, &job->rule, v, p);
  } else {
    tsr_payload_value(&job->rule, tsr_sample(&job->rule, job->tree.cells.from[cell]), p);
  }
  if (job->sample_values)
    tsr_octree_add_samples(job, cell, p);
  if (measure == TSR_MEASURE_GRADIENT)
    p[0] /= size;
  if (measure == TSR_MEASURE_STANDARD_DEVIATION) {
    const double volume = (double)tsr_octree_size(shape, height);
    p[0] *= volume;
    p[2] *= volume;
  }
}

/** Payload of node from + k. Those of its children must be known. */
TSR_FN void tsr_octree_find_payload(const tsr_octree_rule_job *job, int64_t k) {
  const int64_t j = job->from + k;
  double *p = &job->payload[3 * j];
  tsr_payload_empty(&job->rule, p);
  for (int c = 0; c < 1 << job->tree.shape.dimension; ++c) {
    const int64_t child = tsr_octree_child(&job->tree, j, c);
    double q[3];
    if (!(job->tree.nodes.shown[j] >> c & 1))
      continue;
    if (child < 0)
      tsr_octree_cell_payload(job, -1 - child, q);
    tsr_payload_combine(job->rule.measure, p, child < 0 ? q : &job->payload[3 * child]);
  }
}

/** What tsr_payload_measure and tsr_rule_asks need of the lattice: finest cells count as the
 * input's cells. */
TSR_FN tsr_lattice tsr_octree_lattice(const tsr_octree_shape *shape) {
  tsr_lattice lattice;
  memset(&lattice, 0, sizeof lattice);
  lattice.dimension = shape->dimension;
  lattice.coarsen = lattice.levels = shape->levels;
  return lattice;
}

/** Measure of a node of this height from its payload. */
TSR_FN double tsr_octree_measure(const tsr_octree_rule_job *job, int height, const double p[3]) {
  const tsr_lattice lattice = tsr_octree_lattice(&job->tree.shape);
  return tsr_payload_measure(&lattice, job->rule.measure, job->tree.shape.levels - height, p);
}

/** Notes in asks[j] whether the rule asks to refine node j, by its payload. */
TSR_FN void tsr_octree_ask(const tsr_octree_rule_job *job, int64_t j) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const tsr_lattice lattice = tsr_octree_lattice(shape);
  const int height = (int)tsr_part_at(job->tree.nodes.at, 0, shape->top + 1, j);
  const double measure = tsr_octree_measure(job, height, &job->payload[3 * j]);
  if (height <= shape->levels &&
      tsr_rule_asks(&lattice, &job->rule, shape->levels - height, measure))
    job->asks[j] = 1;
}

/** 1 if criteria may refine a node with this key and height. */
TSR_FN int tsr_octree_within_limits(const tsr_octree_shape *shape, const tsr_octree_limits *limits,
                                    uint64_t key, int height) {
  const double size = (double)((int64_t)1 << height);
  int64_t low[3];
  int inside = 1;
  if (!limits->use_region)
    return 1;
  tsr_octree_lowest(shape, key, low);
  for (int a = 0; a < shape->dimension; ++a) {
    const double x0 = (double)low[a], x1 = x0 + size;
    const int overlaps = x0 < limits->high[a] && limits->low[a] < x1;
    const int touches =
        limits->low[a] == limits->high[a] && x0 <= limits->low[a] && limits->low[a] <= x1;
    inside = inside && (overlaps || touches);
  }
  return shape->levels - height < (inside ? limits->inside_level : limits->outside_level);
}

/** 1 if the interpolation error of the rule may refine nodes of this height. */
TSR_FN int tsr_octree_looks_at(const tsr_octree_rule_job *job, int height) {
  const int level = job->tree.shape.levels - height;
  return level >= 0 && (job->rule.max_level < 0 || level < job->rule.max_level);
}

/** Decides about node from + k as far as payloads tell, and counts the looks that it needs. */
TSR_FN void tsr_octree_decide(const tsr_octree_rule_job *job, int64_t k) {
  const tsr_octree_nodes *nodes = &job->tree.nodes;
  const tsr_octree_shape *shape = &job->tree.shape;
  const int64_t j = job->from + k;
  const uint64_t key = nodes->number[j] << tsr_octree_shift(shape, job->height);
  uint8_t refine = TSR_OCTREE_KEEP;
  int may = 0;
  if (job->reached[j] && nodes->shown[j]) {
    may = job->mode == TSR_GRID_ADAPTIVE &&
          tsr_octree_within_limits(shape, &job->limits, key, job->height);
    if (job->height > shape->levels || !nodes->complete[j] || job->mode == TSR_GRID_FINE)
      refine = TSR_OCTREE_FORCED;
    else if (may && job->asks[j])
      refine = TSR_OCTREE_ASKED;
  }
  job->refine[j] = refine;
  job->tasks[k] = may && job->looks && refine == TSR_OCTREE_KEEP
                      ? tsr_octree_looks_in(&job->samples, nodes->first[j], nodes->end[j], 1)
                      : 0;
}

/** 1 if some look has set a flag, which others may do at this moment: then the rest is not looked
 * at. A relaxed load, as tsr_set_flag is a relaxed store. */
TSR_FN int tsr_octree_is_hit(const uint8_t *flag) {
#ifdef __cplusplus
  return *(const volatile uint8_t *)flag;
#else
  return atomic_load_explicit((const _Atomic uint8_t *)flag, memory_order_relaxed);
#endif
}

/** Refines node from + k if one of its looks has a hit, and lets its children be reached. */
TSR_FN void tsr_octree_settle(const tsr_octree_rule_job *job, int64_t k) {
  const tsr_octree_nodes *nodes = &job->tree.nodes;
  const int64_t j = job->from + k;
  if (job->hits[k])
    job->refine[j] = TSR_OCTREE_ASKED;
  for (int c = 0; c < tsr_bits_below(nodes->split[j], 8); ++c)
    job->reached[nodes->child[j] + c] = job->refine[j] != TSR_OCTREE_KEEP;
}

/* ---- Ranges of arrays */

/** Smallest and largest finite value, and how many values are not finite. */
typedef struct tsr_octree_range {
  double low, high;
  int64_t odd;
} tsr_octree_range;

TSR_FN tsr_octree_range tsr_octree_bounds_none(void) {
  const tsr_octree_range none = {TSR_INFINITY, -TSR_INFINITY, 0};
  return none;
}

TSR_FN void tsr_octree_bounds_join(tsr_octree_range *all, const tsr_octree_range *part) {
  all->low = part->low < all->low ? part->low : all->low;
  all->high = part->high > all->high ? part->high : all->high;
  all->odd += part->odd;
}

TSR_FN void tsr_octree_add_value(tsr_octree_range *range, double v) {
  if (tsr_finite(v)) {
    range->low = v < range->low ? v : range->low;
    range->high = v > range->high ? v : range->high;
  } else {
    range->odd++;
  }
}

/** Values whose range is looked for. */
typedef struct tsr_octree_span_job {
  const double *values;
} tsr_octree_span_job;

/** 1 if the rule measures a flow. */
TSR_FN int tsr_octree_is_flow(const tsr_rule *rule) {
  return rule->measure == TSR_MEASURE_VORTICITY || rule->measure == TSR_MEASURE_Q;
}

/** Adds cell i, if it is not outside, to the range of a rule: the measure of a flow, the value, or
 * the values at its corners. */
TSR_FN void tsr_octree_bounds(const tsr_octree_rule_job *job, int64_t i, tsr_octree_range *range) {
  if (tsr_octree_is_outside(&job->tree, i))
    return;
  if (tsr_octree_is_flow(&job->rule))
    tsr_octree_add_value(range, tsr_octree_flow(job, i));
  else if (!job->values)
    tsr_octree_add_value(range, tsr_sample(&job->rule, job->tree.cells.from[i]));
  for (int c = 0; c < job->columns && !tsr_octree_is_flow(&job->rule); ++c) {
    double v[8] = {0.0};
    tsr_octree_cell_values(job, i, c, v);
    for (int k = 0; k < 1 << job->tree.shape.dimension; ++k)
      tsr_octree_add_value(range, v[k]);
  }
}

/** Adds number i of a list of values. */
TSR_FN void tsr_octree_span(const tsr_octree_span_job *job, int64_t i, tsr_octree_range *range) {
  tsr_octree_add_value(range, job->values[i]);
}
TSR_FN tsr_octree_range tsr_octree_span_none(void) { return tsr_octree_bounds_none(); }
TSR_FN void tsr_octree_span_join(tsr_octree_range *all, const tsr_octree_range *part) {
  tsr_octree_bounds_join(all, part);
}

TSR_FN tsr_note_count tsr_octree_odd_none(void) {
  const tsr_note_count none = {0, 0};
  return none;
}

TSR_FN void tsr_octree_odd_join(tsr_note_count *all, const tsr_note_count *part) {
  tsr_note_join(all, *part);
}

/** 1 if a value of the rule at a sample in cell i is not finite. */
TSR_FN int tsr_octree_odd_samples(const tsr_octree_rule_job *job, int64_t i) {
  int odd = 0;
  if (!job->sample_values)
    return 0;
  for (int64_t e = job->samples.begin[i]; e < job->samples.begin[i + 1]; ++e)
    for (int c = 0; c < job->sample_columns; ++c)
      odd = odd || !tsr_finite(job->sample_values[e * job->sample_columns + c]);
  return odd;
}

/** Counts cell i, if it is not outside, where a value of the rule in it is not finite. */
TSR_FN void tsr_octree_odd(const tsr_octree_rule_job *job, int64_t i, tsr_note_count *notes) {
  const int corners = job->values ? 1 << job->tree.shape.dimension : 1;
  int odd = tsr_octree_odd_samples(job, i);
  if (tsr_octree_is_outside(&job->tree, i))
    return;
  for (int c = 0; c < (job->values ? job->columns : 1); ++c) {
    double v[8] = {0.0};
    if (job->values)
      tsr_octree_cell_values(job, i, c, v);
    else
      v[0] = tsr_sample(&job->rule, job->tree.cells.from[i]);
    for (int k = 0; k < corners; ++k)
      odd = odd || !tsr_finite(v[k]);
  }
  if (odd) {
    const tsr_note_count one = {1, job->tree.cells.from[i]};
    tsr_note_join(notes, one);
  }
}

/* ---- Values of a rule at points */

typedef struct tsr_octree_column_job {
  tsr_octree_corner_job corners;
  const int64_t *corner_tuple; /**< as of tsr_octree_tuple_of */
  tsr_array array;             /**< in the executor's memory */
  const double *moved;         /**< points x components, of a cell array; NULL: a point array */
  int component;               /**< as of the rule */
  int columns;                 /**< 1, or a column for each component */
  double *to;                  /**< points x columns */
} tsr_octree_column_job;

/** Returns the tuple of point i in point arrays: that of the first cell that has the point.
 * corner_tuple: the view's cells x 2^d; NULL: the tuples are in the order of the points. */
TSR_FN int64_t tsr_octree_tuple_of(const tsr_octree_corner_job *job, const int64_t *corner_tuple,
                                   int64_t i) {
  const int dimension = job->shape.dimension;
  int64_t cell;
  int k;
  if (!corner_tuple)
    return i;
  cell = job->points.holder[job->points.begin[i]];
  k = job->points.place[job->points.begin[i]];
  if (job->points.family[cell]) { /* the slot is one of the family */
    int place = k, c = 0;
    k = 0;
    for (int a = 0; a < dimension; ++a) {
      c |= (place % 3 == 2) << a;
      k |= (place % 3 > 0) << a;
      place /= 3;
    }
    cell += c;
  }
  return corner_tuple[(job->cells.from[cell] << dimension) + k];
}

/** Computes the columns of point i. */
TSR_FN void tsr_octree_put_columns(const tsr_octree_column_job *job, int64_t i) {
  const int n = job->array.components;
  const int64_t tuple = job->moved ? i : tsr_octree_tuple_of(&job->corners, job->corner_tuple, i);
  double squares = 0.0;
  for (int c = 0; c < n; ++c) {
    const double v = job->moved ? job->moved[tuple * n + c] : tsr_load(&job->array, tuple * n + c);
    if (job->columns == n)
      job->to[i * n + c] = v;
    else if (job->component == c)
      job->to[i] = v;
    squares += v * v;
  }
  if (job->columns != n && job->component < 0)
    job->to[i] = sqrt(squares);
}

#endif
