/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the fill and its cells. Every output element is written once, at a place that follows
 *  from the plan. */
#include "grid/fill.h"
#include "grid/octree/octree.h"
#include "grid/output/side_math.h"
#include "grid/output/tree_math.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of the corners of a leaf, which are all points of the output. */
static void corner_ids(const tsr_grid_filler *f, int level, const int64_t i[3], int64_t id[8]) {
  const tsr_lattice *lattice = &f->plan->input.lattice;
  const tsr_grid_points *points = &f->plan->points;
  int64_t range[3][2], first[3], last[3];
  if (level > lattice->coarsen) {
    for (int a = 0; a < 3; ++a)
      tsr_node_lattice(lattice, a, level, i[a], range[a]);
    for (int k = 0; k < 1 << lattice->dimension; ++k) {
      const int64_t x[3] = {range[0][k & 1], range[1][(k >> 1) & 1], range[2][(k >> 2) & 1]};
      id[k] = tsr_point_id(lattice, points, x);
    }
    return;
  }
  tsr_node_points(lattice, level, i, first, last);
  for (int row = 0; row < 1 << (lattice->dimension - 1); ++row) {
    const int64_t y =
        lattice->dimension > 1 ? (row & 1 ? last[1] : first[1]) - points->first[1] : 0;
    const int64_t z =
        lattice->dimension > 2 ? (row & 2 ? last[2] : first[2]) - points->first[2] : 0;
    const int64_t bit = (z * points->size[1] + y) * points->size[0] + first[0] - points->first[0];
    const int64_t n = last[0] - first[0];
    id[2 * row] = tsr_bits_rank(&points->at_input, bit);
    id[2 * row + 1] = n == 1 ? id[2 * row] + 1 : tsr_bits_rank(&points->at_input, bit + n);
  }
}

/* Point numbers of a cell, from entry `first` on. */
static void fill_connectivity(const tsr_grid_filler *f, int64_t n, int64_t first,
                              const int64_t i[3]) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_lattice *lattice = &plan->input.lattice;
  const tsr_grid_output *out = f->out;
  const int count = 1 << lattice->dimension;
  int64_t id[8];
  corner_ids(f, plan->lists.nodes[n].level, i, id);
  for (int k = 0; k < count; ++k) {
    const int turned = out->hexahedra && lattice->dimension > 1 && (k & 2);
    tsr_store_index(out->connectivity, out->index_type, first + k, id[turned ? k ^ 1 : k]);
  }
}

/* The rows of those corners of a leaf that hang, else NULL. Returns 0 where no corner hangs. */
static int find_rows(const tsr_grid_filler *f, int level, const int64_t i[3],
                     const double *row[8]) {
  const tsr_lattice *lattice = &f->plan->input.lattice;
  int64_t range[3][2];
  int any = 0;
  if (!f->hanging.values || level > lattice->coarsen)
    return 0;
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(lattice, a, level, i[a], range[a]);
  for (int k = 0; k < 1 << lattice->dimension; ++k) {
    const int64_t x[3] = {range[0][k & 1], range[1][(k >> 1) & 1], range[2][(k >> 2) & 1]};
    row[k] = tsr_hanging_row(&f->hanging, tsr_point_id(lattice, &f->plan->points, x));
    any = any || row[k];
  }
  return any;
}

/* The error of a component in a leaf. row: as find_rows, NULL where no corner hangs. column: the
 * component's in those rows. value: of the cell. */
static double component_error(const tsr_grid_filler *f, const tsr_grid_attribute *attribute, int c,
                              int level, const int64_t i[3], double value, const double *const *row,
                              int64_t column) {
  const tsr_grid_plan *plan = f->plan;
  const int constrained = row && !attribute->cell_data;
  double corner[8] = {0.0};
  if (constrained) {
    tsr_node_corner_values(&plan->input.lattice, &attribute->in, c, level, i, corner);
    for (int k = 0; k < 1 << plan->input.lattice.dimension; ++k)
      corner[k] = row[k] ? row[k][column] : corner[k];
  }
  return tsr_leaf_error(&plan->input, &plan->tree, &attribute->in, attribute->cell_data, c, level,
                        i, value, constrained ? corner : NULL);
}

/* One array in one cell; its error there. row, column: as of component_error, of the first
 * component. */
static double fill_cell_attribute(const tsr_grid_filler *f, const tsr_grid_attribute *attribute,
                                  int64_t n, int64_t cell, const int64_t i[3], int is_leaf,
                                  const double *const *row, int64_t column) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_array *in = &attribute->in;
  const int level = plan->lists.nodes[n].level;
  const int by_cells = attribute->cell_data || tsr_grid_has_states(&plan->input);
  const tsr_grid_device_values *found = &f->found[attribute - f->out->attributes];
  const int has_mean = found->done && found->means && level < plan->input.lattice.coarsen;
  double most = 0.0;
  if (plan->lists.tree_first && !found->done) /* tsr_grid_fill_trees did it */
    return 0.0;
  for (int c = 0; c < in->components; ++c) {
    double value = has_mean ? found->means[n * in->components + c] : 0.0, e;
    /* Not-a-number has other bits on a device. */
    if ((!has_mean || value != value) && by_cells &&
        tsr_node_source(&plan->input.lattice, level, i) >= 0)
      value = tsr_node_value(&plan->input, in, attribute->cell_data, c, level, i);
    if (by_cells && attribute->out)
      tsr_store(tsr_value_at(attribute->out, in->type, cell * in->components + c), in->type, 1,
                &value, 1);
    if (!attribute->error || !is_leaf || found->done)
      continue;
    e = component_error(f, attribute, c, level, i, value, row, column + c);
    most = e > most ? e : most;
  }
  return most;
}

/* The tuple of an input cell, where the cell is no larger than that: no rounding of 64-bit
 * integers. */
static void copy_cell(const tsr_grid_filler *f, const tsr_grid_attribute *attribute, int64_t n,
                      int64_t cell, int64_t source) {
  const size_t bytes = tsr_tuple_bytes(&attribute->in);
  if (attribute->cell_data && attribute->out && source >= 0 &&
      f->plan->lists.nodes[n].level >= f->plan->input.lattice.coarsen)
    memcpy((char *)attribute->out + (size_t)cell * bytes,
           (const char *)attribute->in.data + (size_t)source * bytes, bytes);
}

/* Copies element `first` of an output array, if it is wanted, to those that follow, up to `end`. */
static void repeat(void *data, size_t bytes, int64_t first, int64_t end) {
  for (int64_t at = first + 1; at < end && data; ++at)
    memcpy((char *)data + (size_t)at * bytes, (const char *)data + (size_t)first * bytes, bytes);
}

/* Gives the parts of a leaf, cells [first, end), what its first one has. */
static void repeat_cell(const tsr_grid_filler *f, int64_t first, int64_t end) {
  const tsr_grid_output *out = f->out;
  repeat(out->level, sizeof *out->level, first, end);
  repeat(out->source_cell, sizeof *out->source_cell, first, end);
  repeat(out->state, sizeof *out->state, first, end);
  repeat(out->leaf, sizeof *out->leaf, first, end);
  repeat(out->indicator, sizeof *out->indicator, first, end);
  for (int a = 0; a < out->n_attributes; ++a) {
    const tsr_grid_attribute *attribute = &out->attributes[a];
    if (attribute->cell_data)
      repeat(attribute->out, tsr_tuple_bytes(&attribute->in), first, end);
  }
}

/* Which points the cells of leaf n have. */
static void fill_shape(const tsr_grid_filler *f, int64_t n, const int64_t i[3]) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_grid_output *out = f->out;
  const tsr_grid_output_kind kind = plan->input.options.output;
  const tsr_grid_cuts *cuts = &plan->cuts;
  const int64_t cell = cuts->cell ? cuts->cell[n] : n;
  const int64_t entry = cuts->cell             ? cuts->entry[n]
                        : plan->points.offsets ? plan->points.offsets[n]
                                               : n * (1 << plan->input.lattice.dimension);
  if (cuts->cell && cuts->cell[n + 1] > cell + 1) {
    const tsr_part_output parts = {out->offsets, out->connectivity, out->index_type, out->cell_type,
                                   out->cell_type_of};
    tsr_parts_put(&plan->input, &plan->tree, &plan->lists, &plan->points, cuts, n, &parts);
    if (cuts->centre[n + 1] > cuts->centre[n])
      tsr_grid_fill_centre(f, n, i);
    return;
  }
  if (out->offsets)
    tsr_store_index(out->offsets, out->index_type, cell, entry);
  if (out->cell_type)
    out->cell_type[cell] = out->cell_type_of[TSR_GRID_CELL_LEAF];
  if (out->connectivity && kind == TSR_GRID_POLYGONS)
    tsr_sides_put(&plan->input.lattice, &plan->points, &plan->lists.nodes[n], out->connectivity,
                  out->index_type, entry);
  if (out->connectivity && (kind == TSR_GRID_CELLS || kind == TSR_GRID_CONFORMING))
    fill_connectivity(f, n, entry, i);
}

static void fill_cell(const tsr_grid_filler *f, int64_t n, double *errors) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_lattice *lattice = &plan->input.lattice;
  const tsr_grid_output *out = f->out;
  const int64_t cell = plan->cuts.cell ? plan->cuts.cell[n] : n;
  const int level = plan->lists.nodes[n].level;
  const int is_leaf = !plan->lists.states || plan->lists.states[n] == TSR_STATE_LEAF;
  const double *row[8] = {NULL};
  int64_t i[3], source, column = 0;
  int hangs;
  tsr_node_inner(lattice, &plan->lists.nodes[n], i);
  source = tsr_node_source(lattice, level, i);
  fill_shape(f, n, i);
  if (out->level)
    out->level[cell] = level - tsr_base_levels(&plan->input.options);
  if (out->source_cell)
    out->source_cell[cell] = source;
  if (out->leaf)
    out->leaf[cell] = n;
  if (out->state)
    out->state[cell] = plan->lists.states ? plan->lists.states[n] : (uint8_t)TSR_STATE_LEAF;
  if (out->indicator)
    out->indicator[cell] =
        is_leaf ? tsr_grid_indicator(&plan->input, &plan->criteria, &f->measures, level, i) : 0.0;
  hangs = find_rows(f, level, i, row);
  for (int a = 0; a < out->n_attributes; ++a) {
    const tsr_grid_attribute *attribute = &out->attributes[a];
    const double e =
        fill_cell_attribute(f, attribute, n, cell, i, is_leaf, hangs ? row : NULL, column);
    if (errors && e > errors[a])
      errors[a] = e;
    copy_cell(f, attribute, n, cell, source);
    column += attribute->cell_data ? 0 : attribute->in.components;
  }
  if (plan->cuts.cell)
    repeat_cell(f, cell, plan->cuts.cell[n + 1]);
}

static void fill_cells_task(void *data, int64_t begin, int64_t end) {
  const tsr_grid_filler *f = data;
  const tsr_grid_output *out = f->out;
  double *errors = f->errors ? f->errors + begin / TSR_FILL_PIECE * out->n_attributes : NULL;
  for (int64_t n = begin; n < end; ++n)
    fill_cell(f, n, errors);
}

/* Trees and patches: what does not belong to single cells. */
static void fill_lists(const tsr_grid_filler *f) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_grid_output *out = f->out;
  if (out->tree_first && plan->lists.tree_first)
    memcpy(out->tree_first, plan->lists.tree_first,
           (size_t)(plan->sizes.trees + 1) * sizeof *out->tree_first);
  if (out->tree_root) {
    const tsr_trees_roots roots = {out->tree_root, plan->lists.nodes, plan->lists.tree_first};
    for (int64_t t = 0; t < plan->sizes.trees; ++t)
      tsr_trees_root(&roots, t);
  }
  if (out->patches && plan->lists.patches)
    memcpy(out->patches, plan->lists.patches, (size_t)plan->sizes.patches * sizeof *out->patches);
}

static tsr_status check_output(const tsr_grid_plan *plan, const tsr_grid_output *out,
                               tsr_error *error) {
  int64_t tuples[2] = {1, 1};
  if (tsr_check_output_types(out->points_type, out->index_type, error))
    return TSR_BAD_OPTION;
  if (out->index_type == TSR_INT32 && (out->offsets || out->connectivity) &&
      (plan->sizes.connectivity > INT32_MAX || plan->sizes.points > INT32_MAX))
    return tsr_fail(error, TSR_TOO_LARGE, -1, "%lld entries of connectivity do not fit 32-bit ids",
                    (long long)plan->sizes.connectivity);
  if (tsr_check_list(out->attributes, out->n_attributes, "attributes", TSR_BAD_OPTION, error))
    return TSR_BAD_OPTION;
  for (int a = 0; a < plan->input.lattice.dimension; ++a) {
    const int64_t n = plan->input.lattice.held[a][1] - plan->input.lattice.held[a][0];
    tuples[0] *= n + 1;
    tuples[1] *= n;
  }
  for (int a = 0; a < out->n_attributes && plan->sizes.cells > 0; ++a) {
    const tsr_array *in = &out->attributes[a].in;
    const int64_t expected = tuples[out->attributes[a].cell_data ? 1 : 0];
    if (!in->data || in->components < 1 || tsr_type_size(in->type) == 0 || in->tuples != expected)
      return tsr_fail(error, TSR_BAD_OPTION, a,
                      "attribute %d has no data, an unknown type, or %lld instead of %lld tuples",
                      a, (long long)in->tuples, (long long)expected);
  }
  return TSR_OK;
}

/* Largest error of each attribute over all pieces. */
static void fill_errors(const tsr_grid_filler *f, int64_t pieces) {
  const int n = f->out->n_attributes;
  for (int a = 0; a < n; ++a) {
    double most = f->found[a].done ? f->found[a].error : 0.0;
    if (f->errors)
      for (int64_t p = 0; p < pieces; ++p)
        most = f->errors[p * n + a] > most ? f->errors[p * n + a] : most;
    if (f->out->attributes[a].error)
      *f->out->attributes[a].error = most;
  }
}

static tsr_status fill_all(tsr_grid_filler *f, tsr_error *error) {
  tsr_grid_plan *plan = f->plan;
  tsr_status status = TSR_OK;
  if (!tsr_grid_has_states(&plan->input))
    status = tsr_points_visit(&plan->input, &plan->points, tsr_grid_fill_point, f);
  else if (plan->lists.tree_first)
    status = tsr_grid_fill_trees(f, error);
  if (status == TSR_OK)
    status = tsr_run_task(&plan->input.execution, fill_cells_task, f, plan->lists.n, TSR_FILL_PIECE,
                          0.7, 1.0);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the cells were made");
  fill_lists(f);
  return TSR_OK;
}

/* Room for the values at hanging points, where errors are made of them. */
static tsr_status keep_hanging(tsr_grid_filler *f, tsr_error *error) {
  const tsr_grid_input *input = &f->plan->input;
  int64_t columns = 0;
  int wanted = 0;
  for (int a = 0; a < f->out->n_attributes; ++a) {
    const tsr_grid_attribute *attribute = &f->out->attributes[a];
    columns += attribute->cell_data ? 0 : attribute->in.components;
    wanted = wanted || (!attribute->cell_data && attribute->error && !f->found[a].done);
  }
  if (!wanted || !input->options.constrain || tsr_grid_has_states(input) ||
      f->plan->sizes.cells == 0)
    return TSR_OK;
  return tsr_hanging_create(input, &f->plan->tree, &f->plan->points, columns, &f->hanging, error);
}

/* What the cells need beside the plan: measures, places for the errors, and what a device knows.
 */
static tsr_status fill_prepare(tsr_grid_filler *f, int64_t pieces, tsr_error *error) {
  tsr_grid_plan *plan = f->plan;
  const tsr_grid_output *out = f->out;
  const tsr_pass_target target = {.notes = plan->sizes.notes, .done_first = 0.5, .done_last = 0.5};
  tsr_status status = TSR_OK;
  f->errors = tsr_alloc(pieces * out->n_attributes, sizeof *f->errors, "the errors", error);
  f->found = tsr_alloc(out->n_attributes, sizeof *f->found, "the attributes", error);
  if (f->found)
    memset(f->found, 0, (size_t)out->n_attributes * sizeof *f->found);
  if (!f->errors || !f->found)
    return TSR_NO_MEMORY;
  for (int64_t k = 0; k < pieces * out->n_attributes; ++k)
    f->errors[k] = 0.0;
  for (int a = 0; a < out->n_attributes && plan->sizes.cells > 0 && status == TSR_OK; ++a)
    status = tsr_grid_device_measure(plan, &out->attributes[a], &f->found[a], error);
  if (status == TSR_OK)
    status = keep_hanging(f, error);
  if (status == TSR_OK && out->indicator && plan->sizes.cells > 0)
    status = tsr_measures_create(&plan->input, &plan->criteria, target, &f->measures, error);
  return status;
}

static void fill_release(tsr_grid_filler *f) {
  if (f->found)
    for (int a = 0; a < f->out->n_attributes; ++a)
      free(f->found[a].means);
  free(f->found);
  tsr_hanging_free(&f->hanging);
  tsr_measures_free(&f->measures);
  free(f->errors);
}

/* The CPU's fill. */
static tsr_status fill_here(tsr_grid_plan *plan, const tsr_grid_output *out, tsr_error *error) {
  tsr_grid_filler f = {.plan = plan, .out = out};
  const int64_t pieces = (plan->lists.n + TSR_FILL_PIECE - 1) / TSR_FILL_PIECE;
  tsr_status status = fill_prepare(&f, pieces, error);
  if (status == TSR_OK && plan->sizes.cells > 0)
    status = fill_all(&f, error);
  if (status == TSR_OK)
    fill_errors(&f, pieces);
  fill_release(&f);
  return status;
}

/* The fill where the cells are listed; where a device gives up, by the CPU. */
static tsr_status fill_by_either(tsr_grid_plan *plan, const tsr_grid_output *out,
                                 tsr_error *error) {
  const int by_device = plan->on_device.output && plan->sizes.cells > 0;
  tsr_status status = TSR_OK;
  if (!by_device && plan->sizes.cells > 0 && !plan->lists.nodes) /* a fill before had no memory */
    status = tsr_grid_make_here(plan, error);
  if (status == TSR_OK)
    status = by_device ? tsr_grid_device_fill(plan, out, error) : fill_here(plan, out, error);
  if (!tsr_grid_device_gave_up(plan, status, error))
    return status;
  status = tsr_grid_make_here(plan, error);
  return status == TSR_OK ? fill_here(plan, out, error) : status;
}

/* The last offset. */
static tsr_status store_end(const tsr_grid_plan *plan, const tsr_grid_output *out,
                            tsr_error *error) {
  int64_t end;
  tsr_store_index(&end, out->index_type, 0, plan->sizes.connectivity);
  return tsr_copy_anywhere(&plan->input.execution,
                           tsr_value_at(out->offsets, out->index_type, plan->sizes.cells), &end,
                           (int64_t)tsr_type_size(out->index_type), error);
}

static tsr_status fill_once(tsr_grid_plan *plan, const tsr_grid_output *out, tsr_error *error) {
  tsr_error why;
  const tsr_status status = fill_by_either(plan, out, &why);
  if (status != TSR_OK)
    return tsr_grid_tell(plan, status, &why, error);
  return out->offsets ? store_end(plan, out, error) : TSR_OK;
}

/* fill_once, then the corners of cells of negative volume are put into a valid order. */
static tsr_status fill_and_turn(tsr_grid_plan *plan, const tsr_grid_output *out, tsr_error *error) {
  tsr_grid_output with_offsets = *out;
  void *offsets = NULL;
  tsr_status status;
  if (!out->offsets && plan->input.options.output == TSR_GRID_CONFORMING) {
    offsets = tsr_alloc(plan->sizes.cells + 1, sizeof(int64_t), "the offsets", error);
    if (!offsets)
      return TSR_NO_MEMORY;
    with_offsets.offsets = offsets;
  }
  status = fill_once(plan, &with_offsets, error);
  if (status == TSR_OK) {
    status = tsr_cells_turn(&plan->input, plan->sizes.cells, &with_offsets);
    if (status != TSR_OK)
      tsr_fail(error, status, -1, "stopped while the cells were made");
  }
  free(offsets);
  return status;
}

tsr_status tsr_grid_fill(tsr_grid_plan *plan, const tsr_grid_output *output, tsr_error *error) {
  tsr_grid_output out;
  tsr_status status;
  double start;
  if (tsr_need(plan != NULL, "the plan", error))
    return TSR_BAD_INPUT;
  if (plan->octree)
    return tsr_octree_plan_fill(plan->octree, output, error);
  tsr_grid_output_init(&out);
  status = tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = check_output(plan, &out, error);
  if (status != TSR_OK)
    return status;
  start = tsr_now(&plan->input.execution);
  status = out.connectivity && tsr_cells_are_turned(&plan->input) ? fill_and_turn(plan, &out, error)
                                                                  : fill_once(plan, &out, error);
  plan->report.fill_seconds = tsr_now(&plan->input.execution) - start;
  return status;
}
