/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids from cells of several sizes: what is written. An entry is a leaf, or, with TREES and
 * PATCHES, a node of the output; where a leaf is cut into several cells, all of them get what the
 * leaf has.
 */
#ifndef TSR_GRID_OCTREE_FILL_MATH_H
#define TSR_GRID_OCTREE_FILL_MATH_H

#include "grid/octree/leaf_math.h"
#include "grid/octree/move_math.h"

/** The entries of the output; arrays of the executor. */
typedef struct tsr_octree_entries {
  tsr_octree_cells cells; /**< `from` is a place in the tree of the input, or TSR_OCTREE_NOWHERE */
  uint32_t *has;          /**< places of each leaf; NULL: no leaf is cut */
  uint8_t *state;         /**< a tsr_grid_state each; NULL: all are leaves */
  int64_t *cell;   /**< n + 1: cells of the output before each entry; NULL: an entry is a cell */
  int64_t *corner; /**< n + 1: entries of connectivity before each */
  int64_t *centre; /**< n + 1: new points at centres before each */
} tsr_octree_entries;

/** What a step of the fill needs. `to` is set by the executor. */
typedef struct tsr_octree_put {
  void *to;
  tsr_type type; /**< of `to`: points, indices */
  tsr_octree_tree tree;
  tsr_octree_space space;
  tsr_octree_entries entries;
  tsr_octree_corner_job out;   /**< points of the output */
  tsr_octree_corner_job in;    /**< points of the input; only for point data */
  int64_t *source;             /**< of each point of `out`: the point of the input, or -2 - (a cell
                                    that holds it) */
  const double *values;        /**< in.points.n x components, as stored: the attribute at points of
                                    the input */
  const int64_t *corner_tuple; /**< as of tsr_octree_tuple_of */
  tsr_array array;
  int cell_data;
  int kind;      /**< a tsr_grid_output_kind */
  int hexahedra; /**< corners in VTK's order of hexahedra and quads */
  uint8_t type_of[4];
  int first_level; /**< counting: the first level that is counted */
  int moved;       /**< 1: the attribute is cell data that are moved */
} tsr_octree_put;

/** Cells of entry i: [first, end). */
TSR_FN int64_t tsr_octree_first_cell(const tsr_octree_entries *entries, int64_t i) {
  return entries->cell ? entries->cell[i] : i;
}

/* ---- Counting */

/** The cells of a leaf that is cut. */
TSR_FN int tsr_octree_parts(int dimension, uint32_t has, tsr_cut_cell parts[TSR_CUT_MOST_CELLS],
                            int *centre) {
  tsr_cut cut;
  cut.dimension = dimension;
  cut.has = has;
  return tsr_cut_cells(&cut, parts, centre);
}

/** Numbers of corners of the cells of a leaf that is cut. Returns the number of cells. */
TSR_FN int tsr_octree_sizes(int dimension, uint32_t has, int sizes[TSR_CUT_MOST_CELLS],
                            int *centre) {
  tsr_cut cut;
  cut.dimension = dimension;
  cut.has = has;
  return tsr_cut_corner_counts(&cut, sizes, centre);
}

/** Counts cells, entries of connectivity and centres of leaf i. */
TSR_FN void tsr_octree_count_parts(const tsr_octree_put *job, int64_t i) {
  const int dimension = job->tree.shape.dimension;
  const uint32_t has = job->entries.has ? job->entries.has[i] : 0;
  int64_t corners = 1 << dimension;
  int n = 1, centre = 0;
  if (has && job->kind == TSR_GRID_POLYGONS) {
    corners = tsr_count_bits(has & 0x1efu); /* without the centre */
  } else if (has) {
    int sizes[TSR_CUT_MOST_CELLS];
    n = tsr_octree_sizes(dimension, has, sizes, &centre);
    corners = 0;
    for (int k = 0; k < n; ++k)
      corners += sizes[k];
  }
  job->entries.cell[i] = n;
  job->entries.corner[i] = corners;
  job->entries.centre[i] = centre;
}

/* ---- Structure */

/** Writes the coordinates of point i. Centres come last. */
TSR_FN void tsr_octree_put_point(const tsr_octree_put *job, int64_t i) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const int64_t n = job->out.points.n;
  int64_t at[3], size = 0;
  double x[3];
  if (i < n) {
    tsr_octree_lowest(shape, job->out.points.key[i], at);
  } else {
    const int64_t leaf = tsr_part_at(job->entries.centre, 0, job->entries.cells.n, i - n);
    tsr_octree_lowest(shape, job->entries.cells.key[leaf], at);
    size = (int64_t)1 << job->entries.cells.height[leaf];
  }
  for (int a = 0; a < 3; ++a) {
    const int axis = shape->axis[a];
    x[axis] = tsr_octree_coordinate(&job->space, axis, a < shape->dimension ? at[a] : 0);
    if (a < shape->dimension && size > 0)
      x[axis] = 0.5 * (x[axis] + tsr_octree_coordinate(&job->space, axis, at[a] + size));
  }
  for (int c = 0; c < 3; ++c)
    if (job->type == TSR_FLOAT)
      ((float *)job->to)[3 * i + c] = tsr_to_float(x[c]);
    else
      ((double *)job->to)[3 * i + c] = tsr_to_double(x[c]);
}

/** Writes the points of a polygon, counter-clockwise. */
TSR_FN void tsr_octree_put_polygon(const tsr_octree_put *job, int64_t i, uint32_t has) {
  static const int ring[8] = {0, 1, 2, 5, 8, 7, 6, 3};
  int64_t at = job->entries.corner[i];
  for (int k = 0; k < 8; ++k)
    if (has >> ring[k] & 1)
      tsr_store_index(job->to, job->type, at++, tsr_octree_point(&job->out, i, ring[k]));
}

/** Writes the point numbers of the cells of leaf i. */
TSR_FN void tsr_octree_put_connectivity(const tsr_octree_put *job, int64_t i) {
  const int dimension = job->tree.shape.dimension;
  const uint32_t has = job->entries.has ? job->entries.has[i] : 0;
  int64_t at = job->entries.corner[i];
  if (job->kind == TSR_GRID_POLYGONS) {
    tsr_octree_put_polygon(job, i, has ? has : TSR_CUT_CORNERS & 0x1ffu);
  } else if (has) {
    tsr_cut_cell parts[TSR_CUT_MOST_CELLS];
    int centre;
    const int n = tsr_octree_parts(dimension, has, parts, &centre);
    for (int k = 0; k < n; ++k)
      for (int c = 0; c < parts[k].n; ++c) {
        const int place = parts[k].at[c];
        const int64_t id = centre && place == TSR_CUT_CENTRE
                               ? job->out.points.n + job->entries.centre[i]
                               : tsr_octree_point(&job->out, i, place);
        tsr_store_index(job->to, job->type, at++, id);
      }
  } else {
    int64_t points[8];
    tsr_octree_corner_points(&job->out, i, points);
    for (int k = 0; k < 1 << dimension; ++k) {
      const int turned = job->hexahedra && dimension > 1 && (k & 2);
      tsr_store_index(job->to, job->type, at++, points[turned ? k ^ 1 : k]);
    }
  }
}

/** Writes the offsets of the cells of leaf i, and behind the last leaf the end. */
TSR_FN void tsr_octree_put_offsets(const tsr_octree_put *job, int64_t i) {
  const int64_t first = job->entries.cell[i];
  int64_t at = job->entries.corner[i];
  tsr_store_index(job->to, job->type, first, at);
  if (i < job->entries.cells.n && job->entries.cell[i + 1] > first + 1) {
    int sizes[TSR_CUT_MOST_CELLS], centre;
    const int n = tsr_octree_sizes(job->tree.shape.dimension, job->entries.has[i], sizes, &centre);
    for (int k = 0; k < n; ++k) {
      tsr_store_index(job->to, job->type, first + k, at);
      at += sizes[k];
    }
  }
}

/** Writes the types of the cells of leaf i. */
TSR_FN void tsr_octree_put_types(const tsr_octree_put *job, int64_t i) {
  const int64_t first = job->entries.cell[i];
  uint8_t *to = (uint8_t *)job->to + first;
  to[0] = job->type_of[TSR_GRID_CELL_LEAF];
  if (job->entries.has && job->entries.has[i] && job->kind == TSR_GRID_CONFORMING) {
    int sizes[TSR_CUT_MOST_CELLS], centre;
    const int n = tsr_octree_sizes(job->tree.shape.dimension, job->entries.has[i], sizes, &centre);
    for (int k = 0; k < n; ++k)
      to[k] = job->type_of[sizes[k] == 3   ? TSR_GRID_CELL_TRIANGLE
                           : sizes[k] == 4 ? TSR_GRID_CELL_TETRAHEDRON
                                           : TSR_GRID_CELL_PYRAMID];
  }
}

/** Runs STORE for each cell of entry i. */
#define TSR_OCTREE_EACH_CELL(STORE)                                                                \
  const int64_t end = tsr_octree_first_cell(&job->entries, i + 1);                                 \
  for (int64_t cell = tsr_octree_first_cell(&job->entries, i); cell < end; ++cell) {               \
    STORE;                                                                                         \
  }

/** Writes the level of the cells of entry i. */
TSR_FN void tsr_octree_put_level(const tsr_octree_put *job, int64_t i) {
  const int32_t level = job->tree.shape.levels - job->entries.cells.height[i];
  TSR_OCTREE_EACH_CELL(((int32_t *)job->to)[cell] = level)
}

/** Writes the number of the entry of the cells of entry i. */
TSR_FN void tsr_octree_put_leaf_number(const tsr_octree_put *job, int64_t i){
    TSR_OCTREE_EACH_CELL(((int64_t *)job->to)[cell] = i)}

/** Writes the state of the cells of entry i. */
TSR_FN void tsr_octree_put_state(const tsr_octree_put *job, int64_t i) {
  const uint8_t state = job->entries.state ? job->entries.state[i] : (uint8_t)TSR_STATE_LEAF;
  TSR_OCTREE_EACH_CELL(((uint8_t *)job->to)[cell] = state)
}

/** Cells of the input at a place: [first, end). */
TSR_FN int64_t tsr_octree_cells_of(const tsr_octree_tree *tree, int64_t place, int64_t *end) {
  if (place >= 0) {
    *end = tree->nodes.end[place];
    return tree->nodes.first[place];
  }
  *end = place == TSR_OCTREE_NOWHERE ? 0 : -place;
  return place == TSR_OCTREE_NOWHERE ? 0 : -1 - place;
}

/** Writes, for the cells of entry i, the index in the view of its first cell that is not outside;
 *  -1: it has none. */
TSR_FN void tsr_octree_put_source(const tsr_octree_put *job, int64_t i) {
  int64_t last;
  int64_t first = tsr_octree_cells_of(&job->tree, job->entries.cells.from[i], &last);
  while (first < last && tsr_octree_is_outside(&job->tree, first))
    ++first;
  const int64_t source = first < last ? job->tree.cells.from[first] : -1;
  TSR_OCTREE_EACH_CELL(((int64_t *)job->to)[cell] = source)
}

/** Writes the node of entry i. */
TSR_FN void tsr_octree_put_node(const tsr_octree_put *job, int64_t i) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const int height = job->entries.cells.height[i];
  tsr_grid_node *node = (tsr_grid_node *)job->to + i;
  int64_t at[3];
  tsr_octree_lowest(shape, job->entries.cells.key[i], at);
  node->level = shape->levels - height;
  node->index[0] = node->index[1] = node->index[2] = 0;
  for (int a = 0; a < shape->dimension; ++a)
    node->index[shape->axis[a]] = (int32_t)(at[a] >> height);
}

/** Writes 1 for point i if it hangs: a leaf has it on a side or an edge, but not as a corner. */
TSR_FN void tsr_octree_put_hanging(const tsr_octree_put *job, int64_t i) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const tsr_octree_cells *cells = &job->entries.cells;
  int64_t p[3];
  int hangs = 0;
  tsr_octree_lowest(shape, job->out.points.key[i], p);
  for (int k = 0; k < 1 << shape->dimension; ++k) {
    uint64_t at[3] = {0, 0, 0}, key;
    int64_t leaf, low[3];
    int inside = 1, corner = 1;
    for (int a = 0; a < shape->dimension; ++a) {
      const int64_t x = p[a] - 1 + (k >> a & 1);
      inside = inside && x >= 0 && x < shape->finest[a];
      at[a] = (uint64_t)x;
    }
    if (!inside)
      continue;
    key = tsr_morton(at, shape->dimension);
    leaf = tsr_first_not_below(cells->key, 0, cells->n, key + 1) - 1;
    if (leaf < 0 || key - cells->key[leaf] >= tsr_octree_size(shape, cells->height[leaf]))
      continue;
    tsr_octree_lowest(shape, cells->key[leaf], low);
    for (int a = 0; a < shape->dimension; ++a)
      corner = corner && (p[a] == low[a] || p[a] == low[a] + ((int64_t)1 << cells->height[leaf]));
    hangs = hangs || !corner;
  }
  ((uint8_t *)job->to)[i] = (uint8_t)hangs;
}

/* ---- Values of cells */

/** Value of a component in a cell of the input: of the cell, or the mean of its corners. */
TSR_FN double tsr_octree_cell_value(const tsr_octree_put *job, int64_t cell, int component) {
  const int n = 1 << job->tree.shape.dimension, components = job->array.components;
  double sum = 0.0;
  if (job->cell_data)
    return tsr_load(&job->array, job->tree.cells.from[cell] * components + component);
  for (int k = 0; k < n; ++k)
    sum += job->values[tsr_octree_point(&job->in, cell, tsr_octree_corner_place(k)) * components +
                       component];
  return sum / (double)n;
}

/** Value of a component in an entry: the mean over its cells that are not outside, weighted by
 * their volumes. */
TSR_FN double tsr_octree_entry_value(const tsr_octree_put *job, int64_t i, int component) {
  int64_t end;
  const int64_t first = tsr_octree_cells_of(&job->tree, job->entries.cells.from[i], &end);
  double sum = 0.0, volume = 0.0;
  if (end - first == 1)
    return tsr_octree_cell_value(job, first, component);
  for (int64_t cell = first; cell < end; ++cell) {
    const double one = (double)tsr_octree_size(&job->tree.shape, job->tree.cells.height[cell]);
    if (tsr_octree_is_outside(&job->tree, cell))
      continue;
    sum += one * tsr_octree_cell_value(job, cell, component);
    volume += one;
  }
  return volume > 0.0 ? sum / volume : 0.0;
}

/** Copies a tuple of `bytes` bytes. */
TSR_FN void tsr_octree_copy(void *to, int64_t at, const void *from, int64_t source, int64_t bytes) {
  memcpy((char *)to + at * bytes, (const char *)from + source * bytes, (size_t)bytes);
}

/** Bytes of a tuple of the job's array. */
TSR_FN int64_t tsr_octree_tuple_bytes(const tsr_array *array) {
  const int size =
      array->type == TSR_DOUBLE || array->type == TSR_INT64 || array->type == TSR_UINT64  ? 8
      : array->type == TSR_FLOAT || array->type == TSR_INT32 || array->type == TSR_UINT32 ? 4
      : array->type == TSR_INT16 || array->type == TSR_UINT16                             ? 2
                                                                                          : 1;
  return (int64_t)size * array->components;
}

/** Writes a tuple of the array to the cells of entry i. */
TSR_FN void tsr_octree_put_cell_tuple(const tsr_octree_put *job, int64_t i) {
  const int64_t bytes = tsr_octree_tuple_bytes(&job->array);
  const int components = job->array.components;
  int64_t last;
  const int64_t first = tsr_octree_cells_of(&job->tree, job->entries.cells.from[i], &last);
  const int64_t to = tsr_octree_first_cell(&job->entries, i);
  if (job->cell_data && last - first == 1) {
    tsr_octree_copy(job->to, to, job->array.data, job->tree.cells.from[first], bytes);
  } else {
    for (int c = 0; c < components; ++c) {
      const double v = tsr_octree_entry_value(job, i, c);
      tsr_store((char *)job->to + to * bytes + c * (bytes / components), job->array.type, 1, &v, 1);
    }
  }
  TSR_OCTREE_EACH_CELL(if (cell > to) tsr_octree_copy(job->to, cell, job->to, to, bytes))
}

/* ---- Values of points */

/** Finds where point i of the output is in the input. */
TSR_FN void tsr_octree_find_source(const tsr_octree_put *job, int64_t i) {
  job->source[i] = tsr_octree_source_at(&job->tree, &job->in.points, job->out.points.key[i]);
}

/** Value of a component at point i of the output, no centre, as it is stored. */
TSR_FN double tsr_octree_point_value(const tsr_octree_put *job, int64_t i, int component) {
  const tsr_octree_column column = {job->values, job->array.components, component, job->array.type};
  return tsr_octree_source_value(&job->tree, &job->space, &job->in, &column, job->source[i],
                                 job->out.points.key[i]);
}

/** Value of a component at the centre of a leaf: the mean of its corners. */
TSR_FN double tsr_octree_centre_value(const tsr_octree_put *job, int64_t leaf, int component) {
  const int n = 1 << job->tree.shape.dimension;
  double sum = 0.0;
  for (int k = 0; k < n; ++k)
    sum += tsr_octree_point_value(
        job, tsr_octree_point(&job->out, leaf, tsr_octree_corner_place(k)), component);
  return sum / (double)n;
}

/** Writes a tuple of the array to point i of the output. */
TSR_FN void tsr_octree_put_point_tuple(const tsr_octree_put *job, int64_t i) {
  const int64_t n = job->out.points.n, bytes = tsr_octree_tuple_bytes(&job->array);
  const int components = job->array.components;
  if (i < n && job->source[i] >= 0 && !job->moved) {
    tsr_octree_copy(job->to, i, job->array.data,
                    tsr_octree_tuple_of(&job->in, job->corner_tuple, job->source[i]), bytes);
    return;
  }
  for (int c = 0; c < components; ++c) {
    const double v =
        i < n ? tsr_octree_point_value(job, i, c)
              : tsr_octree_centre_value(
                    job, tsr_part_at(job->entries.centre, 0, job->entries.cells.n, i - n), c);
    tsr_store((char *)job->to + i * bytes + c * (bytes / components), job->array.type, 1, &v, 1);
  }
}

/* ---- Sizes */

/** Heights that are counted at a time: a block of a device keeps a result for each thread. */
#define TSR_OCTREE_COUNTED 16

/** Leaves among the entries. */
typedef struct tsr_octree_tally {
  int64_t leaves, cut;
  int64_t of_level[TSR_OCTREE_COUNTED]; /**< of levels from the job's first_level on */
} tsr_octree_tally;

TSR_FN tsr_octree_tally tsr_octree_count_none(void) {
  tsr_octree_tally none;
  memset(&none, 0, sizeof none);
  return none;
}

TSR_FN void tsr_octree_count_join(tsr_octree_tally *all, const tsr_octree_tally *part) {
  all->leaves += part->leaves;
  all->cut += part->cut;
  for (int k = 0; k < TSR_OCTREE_COUNTED; ++k)
    all->of_level[k] += part->of_level[k];
}

/** Counts entry i if it is a leaf. */
TSR_FN void tsr_octree_count(const tsr_octree_put *job, int64_t i, tsr_octree_tally *tally) {
  const tsr_octree_entries *entries = &job->entries;
  const int k = job->tree.shape.levels - entries->cells.height[i] - job->first_level;
  if (entries->state && entries->state[i] != TSR_STATE_LEAF)
    return;
  tally->leaves++;
  tally->cut += entries->cell && entries->cell[i + 1] - entries->cell[i] > 1;
  if (k >= 0 && k < TSR_OCTREE_COUNTED)
    tally->of_level[k]++;
}

#endif
