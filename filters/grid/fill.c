/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the fill and its cells. Every output element is written once, at a place that follows
 *  from the plan. */
#include "grid/fill.h"
#include "grid/octree/octree.h"
#include "grid/output/side_math.h"
#include "grid/output/tree_math.h"

#include <stdlib.h>
#include <string.h>

/* A cell of the lists: a leaf, or a node of trees or patches. */
typedef struct tsr_fill_cell {
  int64_t n, cell; /* its numbers in the lists, and in the output, where it may become several */
  int level, is_leaf;
  int64_t i[3], source;     /* f->needs_source: its first input cell, or -1 */
  const tsr_cut *cut;       /* how the leaf is cut; NULL: it is not */
  const double *const *row; /* the rows of those corners of a leaf that hang, else NULL; NULL: no
                               corner hangs */
} tsr_fill_cell;

/* Numbers of the corners of a leaf, which are all points of the output. */
static void corner_ids(const tsr_grid_filler *f, int level, const int64_t i[3], int64_t id[8]) {
  const tsr_lattice *lattice = &f->plan->input.lattice;
  const tsr_grid_points *points = &f->plan->points;
  int64_t range[3][2], bit[4], along;
  if (level > lattice->coarsen) {
    for (int a = 0; a < 3; ++a)
      tsr_node_lattice(lattice, a, level, i[a], range[a]);
    for (int k = 0; k < 1 << lattice->dimension; ++k) {
      const int64_t x[3] = {range[0][k & 1], range[1][(k >> 1) & 1], range[2][(k >> 2) & 1]};
      id[k] = tsr_point_id(lattice, points, x);
    }
    return;
  }
  along = tsr_corner_bits(lattice, points, level, i, bit);
  for (int k = 0; k < 1 << (lattice->dimension - 1); ++k) {
    id[2 * k] = tsr_bits_rank(&points->at_input, bit[k]);
    id[2 * k + 1] = along == 1 ? id[2 * k] + 1 : tsr_bits_rank(&points->at_input, bit[k] + along);
  }
}

/* Point numbers of a cell, from entry `first` on. */
static void fill_connectivity(const tsr_grid_filler *f, const tsr_fill_cell *of, int64_t first) {
  static const int orders[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 3, 2, 4, 5, 7, 6}};
  const tsr_grid_output *out = f->out;
  const int dimension = f->plan->input.lattice.dimension;
  const int *order = orders[out->hexahedra && dimension > 1];
  int64_t id[8];
  corner_ids(f, of->level, of->i, id);
  for (int k = 0; k < 1 << dimension; ++k)
    tsr_store_index(out->connectivity, out->index_type, first + k, id[order[k]]);
}

/* As tsr_fill_cell.row. Returns 0 where no corner hangs. */
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

/* The error of a component in a leaf. column: the component's in the rows. value: of the cell. */
static double component_error(const tsr_grid_filler *f, const tsr_grid_attribute *attribute, int c,
                              const tsr_fill_cell *of, double value, int64_t column) {
  const tsr_grid_plan *plan = f->plan;
  const int constrained = of->row && !attribute->cell_data;
  double corner[8] = {0.0};
  if (constrained) {
    tsr_node_corner_values(&plan->input.lattice, &attribute->in, c, of->level, of->i, corner);
    for (int k = 0; k < 1 << plan->input.lattice.dimension; ++k)
      corner[k] = of->row[k] ? of->row[k][column] : corner[k];
  }
  return tsr_leaf_error(&plan->input, &attribute->in, attribute->cell_data, c, of->level, of->i,
                        value, constrained ? corner : NULL, of->cut);
}

/* One array in one cell. column: of the first component in the rows. most: raised to the error in
 * the cell. */
static void fill_cell_attribute(const tsr_grid_filler *f, const tsr_grid_attribute *attribute,
                                const tsr_fill_cell *of, int64_t column, double *most) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_array *in = &attribute->in;
  const int by_cells = attribute->cell_data || tsr_grid_has_states(&plan->input);
  const tsr_grid_device_values *found = &f->found[attribute - f->out->attributes];
  const int has_mean = found->done && found->means && of->level < plan->input.lattice.coarsen;
  const int looks = attribute->error && of->is_leaf && !found->done &&
                    (attribute->cell_data || of->row || of->level >= plan->input.lattice.coarsen ||
                     tsr_bounds_get(&plan->criteria.bounds, in, of->level, of->i) > *most);
  if (plan->lists.tree_first && !found->done) /* tsr_grid_fill_trees did it */
    return;
  for (int c = 0; c < in->components; ++c) {
    double value = has_mean ? found->means[of->n * in->components + c] : 0.0, e;
    /* Not-a-number has other bits on a device. */
    if ((!has_mean || value != value) && by_cells && of->source >= 0)
      value = tsr_node_value(&plan->input, in, attribute->cell_data, c, of->level, of->i);
    if (by_cells && attribute->out)
      tsr_store(tsr_value_at(attribute->out, in->type, of->cell * in->components + c), in->type, 1,
                &value, 1);
    e = looks ? component_error(f, attribute, c, of, value, column + c) : 0.0;
    *most = e > *most ? e : *most;
  }
}

/* The tuple of an input cell, where the cell is no larger than that: no rounding of 64-bit
 * integers. */
static void copy_cell(const tsr_grid_filler *f, const tsr_grid_attribute *attribute,
                      const tsr_fill_cell *of) {
  const size_t bytes = tsr_tuple_bytes(&attribute->in);
  if (attribute->cell_data && attribute->out && of->source >= 0 &&
      of->level >= f->plan->input.lattice.coarsen)
    memcpy((char *)attribute->out + (size_t)of->cell * bytes,
           (const char *)attribute->in.data + (size_t)of->source * bytes, bytes);
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

/* Which points the cells of a leaf have. before: what the leaves before have; the leaf is added. */
static void fill_shape(const tsr_grid_filler *f, const tsr_fill_cell *of, tsr_grid_parts *before) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_grid_output *out = f->out;
  const tsr_grid_output_kind kind = plan->input.options.output;
  const int64_t entry = plan->points.offsets ? plan->points.offsets[of->n] : before->entries;
  if (of->cut) {
    const tsr_part_output parts = {out->offsets, out->connectivity, out->index_type, out->cell_type,
                                   out->cell_type_of};
    const int64_t centre = before->centres;
    tsr_parts_put(&plan->input, &plan->points, of->cut, before, &parts);
    if (before->centres > centre)
      tsr_grid_fill_centre(f, of->cut, plan->points.n + centre);
    return;
  }
  if (out->offsets)
    tsr_store_index(out->offsets, out->index_type, of->cell, entry);
  if (out->cell_type)
    out->cell_type[of->cell] = out->cell_type_of[TSR_GRID_CELL_LEAF];
  if (out->connectivity && kind == TSR_GRID_POLYGONS)
    tsr_sides_put(&plan->input.lattice, &plan->points, &plan->lists.nodes[of->n], out->connectivity,
                  out->index_type, entry);
  if (out->connectivity && (kind == TSR_GRID_CELLS || kind == TSR_GRID_CONFORMING))
    fill_connectivity(f, of, entry);
  ++before->cells;
  before->entries += (int64_t)1 << plan->input.lattice.dimension;
}

/* Cell n of the lists. before: as in fill_shape. */
static void fill_cell(const tsr_grid_filler *f, int64_t n, tsr_grid_parts *before, double *errors) {
  const tsr_grid_plan *plan = f->plan;
  const tsr_grid_output *out = f->out;
  const uint8_t *states = plan->lists.states;
  tsr_fill_cell of = {.n = n, .cell = before->cells, .level = plan->lists.nodes[n].level};
  const double *row[8] = {NULL};
  int64_t column = 0;
  tsr_cut cut;
  of.is_leaf = !states || states[n] == TSR_STATE_LEAF;
  tsr_node_inner(&plan->input.lattice, &plan->lists.nodes[n], of.i);
  if (f->needs_source)
    of.source = tsr_node_source(&plan->input.lattice, of.level, of.i);
  of.row = find_rows(f, of.level, of.i, row) ? row : NULL;
  if (plan->cuts.has && plan->cuts.has[n]) {
    tsr_cut_set(&plan->input.lattice, of.level, of.i, plan->cuts.has[n], &cut);
    of.cut = &cut;
  }
  fill_shape(f, &of, before);
  if (out->level)
    out->level[of.cell] = of.level - tsr_base_levels(&plan->input.options);
  if (out->source_cell)
    out->source_cell[of.cell] = of.source;
  if (out->leaf)
    out->leaf[of.cell] = n;
  if (out->state)
    out->state[of.cell] = states ? states[n] : (uint8_t)TSR_STATE_LEAF;
  if (out->indicator)
    out->indicator[of.cell] =
        of.is_leaf ? tsr_grid_indicator(&plan->input, &plan->criteria, &f->measures, of.level, of.i)
                   : 0.0;
  for (int a = 0; a < out->n_attributes; ++a) {
    const tsr_grid_attribute *attribute = &out->attributes[a];
    fill_cell_attribute(f, attribute, &of, column, &errors[a]);
    copy_cell(f, attribute, &of);
    column += attribute->cell_data ? 0 : attribute->in.components;
  }
  if (of.cut)
    repeat_cell(f, of.cell, before->cells);
}

static void fill_cells_task(void *data, int64_t begin, int64_t end) {
  const tsr_grid_filler *f = data;
  const tsr_grid_plan *plan = f->plan;
  const int64_t piece = begin / TSR_FILL_PIECE;
  double *errors = f->errors + piece * f->out->n_attributes;
  tsr_grid_parts before = {.cells = begin, .entries = begin * (1 << plan->input.lattice.dimension)};
  if (plan->cuts.has)
    before = plan->cuts.before[piece];
  for (int64_t n = begin; n < end; ++n)
    fill_cell(f, n, &before, errors);
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
  f->needs_source = out->source_cell || tsr_grid_has_states(&plan->input);
  for (int a = 0; a < out->n_attributes; ++a)
    f->needs_source = f->needs_source || out->attributes[a].cell_data;
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
