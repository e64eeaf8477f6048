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

#include "grid/cut_field_math.h"
#include "grid/octree/corner_math.h"

/** Cells below a node that one step looks at. */
#define TSR_OCTREE_LOOK 64

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

typedef struct tsr_octree_rule_job {
  tsr_octree_tree tree;
  tsr_octree_space space;
  tsr_octree_corner_job corners; /**< the points of the input's cells */
  const int64_t *node_corner;    /**< nodes x 2^d: points at the corners of complete nodes */
  int64_t *set_corner;           /**< node_corner while it is being made */
  tsr_rule rule;                 /**< its array in the executor's memory */
  const double *values;          /**< points.n x columns; NULL: the rule looks at cell data */
  int columns;
  double *payload; /**< nodes x 3 */
  int mode;        /**< a tsr_grid_mode */
  tsr_octree_limits limits;
  uint8_t *asks, *reached, *refine; /**< of each node */
  int64_t from;                     /**< the first node of the height that is worked on */
  int height;
  int looks;      /**< 1: there are rules that look at points */
  int64_t *tasks; /**< looks before each node of the height, and their number */
  int64_t n;      /**< nodes of the height */
  uint8_t *hits;  /**< of each look: 1 if an error is above the threshold */
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
    if (child == TSR_OCTREE_NOWHERE)
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
  if (job->reached[j]) {
    may = job->mode == TSR_GRID_ADAPTIVE &&
          tsr_octree_within_limits(shape, &job->limits, key, job->height);
    if (job->height > shape->levels || !nodes->complete[j] || job->mode == TSR_GRID_FINE)
      refine = TSR_OCTREE_FORCED;
    else if (may && job->asks[j])
      refine = TSR_OCTREE_ASKED;
  }
  job->refine[j] = refine;
  job->tasks[k] = may && job->looks && refine == TSR_OCTREE_KEEP
                      ? (nodes->end[j] - nodes->first[j] + TSR_OCTREE_LOOK - 1) / TSR_OCTREE_LOOK
                      : 0;
}

/** Refines node from + k if one of its looks has a hit, and lets its children be reached. */
TSR_FN void tsr_octree_settle(const tsr_octree_rule_job *job, int64_t k) {
  const tsr_octree_nodes *nodes = &job->tree.nodes;
  const int64_t j = job->from + k;
  for (int64_t t = job->tasks[k]; t < job->tasks[k + 1]; ++t)
    if (job->hits[t])
      job->refine[j] = TSR_OCTREE_ASKED;
  for (int c = 0; c < tsr_bits_below(nodes->split[j], 8); ++c)
    job->reached[nodes->child[j] + c] = job->refine[j] != TSR_OCTREE_KEEP;
}

/* ---- The interpolation error of a leaf */

/** A leaf made of several cells of the input, one column of the values, and how it is cut. */
typedef struct tsr_octree_leaf {
  int64_t low[3], high[3]; /**< lattice coordinates of its corners */
  double value[TSR_CUT_PLACES];
  double corner[8];
  double rounding; /**< smaller differences count as 0 */
  int n;           /**< parts; 0: the leaf is not cut */
  tsr_cut_part part[TSR_CUT_MOST_CELLS];
} tsr_octree_leaf;

/** Returns the point of the input at a place of node j, which must be complete. */
TSR_FN int64_t tsr_octree_node_point(const tsr_octree_rule_job *job, int64_t j, int place) {
  const int n = 1 << job->tree.shape.dimension;
  int c = 0, corner = 0;
  int64_t child;
  for (int a = 0; a < job->tree.shape.dimension; ++a) {
    const int u = tsr_place_on(place, a);
    c |= (u == 2) << a;
    corner |= (u > 0) << a;
  }
  child = tsr_octree_child(&job->tree, j, c);
  return child >= 0 ? job->node_corner[child * n + corner]
                    : tsr_octree_point(&job->corners, -1 - child, tsr_octree_corner_place(corner));
}

/** Sets up node j, of this height, as a leaf with the places `has`; 0: it is not cut. type: of the
 *  array. */
TSR_FN void tsr_octree_leaf_set(const tsr_octree_rule_job *job, int64_t j, int height, uint32_t has,
                                tsr_type type, int column, tsr_octree_leaf *leaf) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const int dimension = shape->dimension;
  const int64_t size = (int64_t)1 << height;
  tsr_octree_lowest(shape, job->tree.nodes.number[j] << tsr_octree_shift(shape, height), leaf->low);
  for (int a = 0; a < 3; ++a)
    leaf->high[a] = leaf->low[a] + (a < dimension ? size : 0);
  for (int k = 0; k < 1 << dimension; ++k) {
    const int64_t point = job->node_corner[(j << dimension) + k];
    leaf->corner[k] = job->values[point * job->columns + column];
    leaf->value[tsr_octree_corner_place(k)] = leaf->corner[k];
  }
  leaf->rounding = tsr_corners_rounding(dimension, leaf->corner);
  leaf->n = 0;
  leaf->part[0].cell.n = 0; /* gcc takes it for unset where `has` is 0 */
  if (!has)
    return;
  {
    tsr_cut cut;
    tsr_cut_cell cells[TSR_CUT_MOST_CELLS];
    double middle[3] = {0.0, 0.0, 0.0};
    int centre;
    cut.dimension = dimension;
    cut.has = has;
    for (int place = 0; place < TSR_CUT_PLACES; ++place)
      if (has >> place & 1)
        leaf->value[place] =
            job->values[tsr_octree_node_point(job, j, place) * job->columns + column];
    leaf->value[TSR_CUT_CENTRE] = tsr_cut_centre_value(dimension, type, leaf->value);
    for (int a = 0; a < dimension; ++a)
      middle[a] = tsr_octree_parameter(&job->space, shape, a, leaf->low[a], leaf->high[a],
                                       leaf->low[a] + size / 2);
    leaf->n = tsr_cut_cells(&cut, cells, &centre);
    for (int k = 0; k < leaf->n; ++k)
      tsr_cut_part_set(dimension, middle, &cells[k], &leaf->part[k]);
  }
}

/** Difference between the leaf's interpolation and a point of the input in it. */
TSR_FN double tsr_octree_point_error(const tsr_octree_rule_job *job, const tsr_octree_leaf *leaf,
                                     int64_t point, int column) {
  const tsr_octree_shape *shape = &job->tree.shape;
  double t[3] = {0.0, 0.0, 0.0}, f[3], v, e;
  int64_t at[3];
  tsr_octree_lowest(shape, job->corners.points.key[point], at);
  for (int a = 0; a < shape->dimension; ++a)
    t[a] = tsr_octree_parameter(&job->space, shape, a, leaf->low[a], leaf->high[a], at[a]);
  if (leaf->n > 0) {
    const int part = tsr_cut_part_at(leaf->part, leaf->n, t, f);
    v = tsr_cut_part_value(&leaf->part[part], f, leaf->value);
  } else {
    v = tsr_multilinear(shape->dimension, leaf->corner, t);
  }
  e = fabs(job->values[point * job->columns + column] - v);
  return e <= leaf->rounding ? 0.0 : e;
}

/** Largest error in cells [begin, end) of the input, which lie in the leaf. Stops above `enough`.
 *  odd: what an error that is not finite counts as. */
TSR_FN double tsr_octree_cells_error(const tsr_octree_rule_job *job, const tsr_octree_leaf *leaf,
                                     int column, int64_t begin, int64_t end, double enough,
                                     double odd) {
  double most = 0.0;
  for (int64_t cell = begin; cell < end && most <= enough; ++cell)
    for (int k = 0; k < 1 << job->tree.shape.dimension; ++k) {
      const int64_t point = tsr_octree_point(&job->corners, cell, tsr_octree_corner_place(k));
      double e = tsr_octree_point_error(job, leaf, point, column);
      e = tsr_finite(e) ? e : odd;
      most = e > most ? e : most;
    }
  return most;
}

/** Range of cells that a look has below node j. number: of the look in the node. */
TSR_FN int64_t tsr_octree_look_range(const tsr_octree_nodes *nodes, int64_t j, int64_t number,
                                     int64_t *end) {
  const int64_t begin = nodes->first[j] + number * TSR_OCTREE_LOOK;
  *end = begin + TSR_OCTREE_LOOK < nodes->end[j] ? begin + TSR_OCTREE_LOOK : nodes->end[j];
  return begin;
}

/** Look t at the nodes of a height: sets hits[t] if the error in its cells is above the threshold.
 */
TSR_FN void tsr_octree_look(const tsr_octree_rule_job *job, int64_t t) {
  const int64_t k = tsr_part_at(job->tasks, 0, job->n, t), j = job->from + k;
  int64_t end;
  const int64_t begin = tsr_octree_look_range(&job->tree.nodes, j, t - job->tasks[k], &end);
  for (int c = 0; c < job->columns && !job->hits[t]; ++c) {
    tsr_octree_leaf leaf;
    tsr_octree_leaf_set(job, j, job->height, 0, job->rule.array.type, c, &leaf);
    job->hits[t] = tsr_octree_cells_error(job, &leaf, c, begin, end, job->rule.threshold,
                                          TSR_INFINITY) > job->rule.threshold;
  }
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

/** 1 if the rule measures a flow. */
TSR_FN int tsr_octree_is_flow(const tsr_rule *rule) {
  return rule->measure == TSR_MEASURE_VORTICITY || rule->measure == TSR_MEASURE_Q;
}

/** Adds item i of the rule: the measure of a flow in cell i, the value of cell i, or the values at
 *  point i. */
TSR_FN void tsr_octree_bounds(const tsr_octree_rule_job *job, int64_t i, tsr_octree_range *range) {
  if (tsr_octree_is_flow(&job->rule))
    tsr_octree_add_value(range, tsr_octree_flow(job, i));
  else if (!job->values)
    tsr_octree_add_value(range, tsr_sample(&job->rule, job->tree.cells.from[i]));
  for (int c = 0; c < job->columns && !tsr_octree_is_flow(&job->rule); ++c)
    tsr_octree_add_value(range, job->values[i * job->columns + c]);
}

/** Counts cell i if a value of the rule in it is not finite. */
TSR_FN tsr_note_count tsr_octree_odd_none(void) {
  const tsr_note_count none = {0, 0};
  return none;
}

TSR_FN void tsr_octree_odd_join(tsr_note_count *all, const tsr_note_count *part) {
  tsr_note_join(all, *part);
}

TSR_FN void tsr_octree_odd(const tsr_octree_rule_job *job, int64_t i, tsr_note_count *notes) {
  const int corners = job->values ? 1 << job->tree.shape.dimension : 1;
  int odd = 0;
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
  const int64_t *corner_tuple; /**< the view's cells x 2^d */
  tsr_array array;             /**< in the executor's memory */
  const double *moved;         /**< points x components, of a cell array; NULL: a point array */
  int component;               /**< as of the rule */
  int columns;                 /**< 1, or a column for each component */
  double *to;                  /**< points x columns */
} tsr_octree_column_job;

/** Returns the tuple of point i in point arrays: that of the first cell that has the point. */
TSR_FN int64_t tsr_octree_tuple_of(const tsr_octree_corner_job *job, const int64_t *corner_tuple,
                                   int64_t i) {
  const int dimension = job->shape.dimension;
  const int64_t slot = job->points.slots[job->points.begin[i]];
  int64_t cell = job->points.owner[slot];
  int k = (int)(slot - job->points.first[cell]);
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
