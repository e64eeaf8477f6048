/* SPDX-License-Identifier: BSD-3-Clause */
#include "octree_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double chance(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 9007199254740992.0;
}

double octree_linear(const double x[3]) { return 0.3 + 2.0 * x[0] - 1.5 * x[1] + 0.75 * x[2]; }

static double front(const double x[3], double sharp) {
  const double d = sharp * (sqrt((x[0] - 0.3) * (x[0] - 0.3) + (x[1] - 0.4) * (x[1] - 0.4) +
                                 (x[2] - 0.2) * (x[2] - 0.2)) -
                            0.7);
  return d / (1.0 + fabs(d)) + 0.05 * x[0];
}

/** Coordinate of side i, which may be between those of level 0, of cells of a level. */
static double coordinate(const octree_case *it, int axis, int64_t i, int level) {
  const int64_t cell = i >> level;
  const double part = (double)(i - cell * ((int64_t)1 << level)) / (double)((int64_t)1 << level);
  const double *x = it->axes[axis];
  return part > 0.0 ? x[cell] + (x[cell + 1] - x[cell]) * part : x[cell];
}

static void box_of(const octree_case *it, int level, const int32_t i[3], double low[3],
                   double high[3]) {
  for (int a = 0; a < 3; ++a) {
    low[a] = high[a] = it->axes[a][0];
    if (it->octree.cells[a] > 0) {
      low[a] = coordinate(it, a, i[a], level);
      high[a] = coordinate(it, a, (int64_t)i[a] + 1, level);
    }
  }
}

void octree_cell_box(const octree_case *it, int64_t i, double centre[3], double half[3]) {
  double low[3], high[3];
  box_of(it, it->level[i], &it->index[3 * i], low, high);
  for (int a = 0; a < 3; ++a) {
    centre[a] = 0.5 * (low[a] + high[a]);
    half[a] = 0.5 * (high[a] - low[a]);
  }
}

typedef struct builder {
  octree_case *it;
  const octree_recipe *recipe;
  uint64_t state;
  int64_t room;
} builder;

static void add_cell(builder *b, int level, const int32_t i[3]) {
  octree_case *it = b->it;
  if (it->octree.n == b->room) {
    b->room = b->room ? 2 * b->room : 256;
    it->level = realloc(it->level, (size_t)b->room);
    it->index = realloc(it->index, 3 * (size_t)b->room * sizeof *it->index);
  }
  it->level[it->octree.n] = (uint8_t)level;
  memcpy(&it->index[3 * it->octree.n], i, 3 * sizeof *i);
  it->octree.n++;
}

static int splits(builder *b, int level, const int32_t i[3]) {
  double low[3], high[3], near[3], size = 0.0;
  if (level >= b->recipe->levels)
    return 0;
  if (!b->recipe->balanced)
    return chance(&b->state) < b->recipe->split;
  box_of(b->it, level, i, low, high);
  for (int a = 0; a < 3; ++a) {
    near[a] = 0.5 * (low[a] + high[a]);
    size = high[a] - low[a] > size ? high[a] - low[a] : size;
  }
  return fabs(front(near, 1e9)) < 2.0 && fabs(front(near, 1.0)) < 1.8 * size;
}

static void build(builder *b, int level, const int32_t i[3]) {
  if (chance(&b->state) < b->recipe->hole)
    return;
  if (!splits(b, level, i)) {
    add_cell(b, level, i);
    return;
  }
  for (int k = 0; k < 8; ++k) {
    int32_t child[3];
    int exists = 1;
    for (int a = 0; a < 3; ++a) {
      const int has = b->it->octree.cells[a] > 0;
      exists = exists && (has || !(k >> a & 1));
      child[a] = has ? 2 * i[a] + (k >> a & 1) : 0;
    }
    if (exists)
      build(b, level + 1, child);
  }
}

static void shuffle(builder *b) {
  octree_case *it = b->it;
  for (int64_t i = it->octree.n - 1; i > 0; --i) {
    const int64_t k = (int64_t)(chance(&b->state) * (double)(i + 1));
    const uint8_t level = it->level[i];
    it->level[i] = it->level[k];
    it->level[k] = level;
    for (int a = 0; a < 3; ++a) {
      const int32_t index = it->index[3 * i + a];
      it->index[3 * i + a] = it->index[3 * k + a];
      it->index[3 * k + a] = index;
    }
  }
}

static void make_arrays(octree_case *it, double sharp) {
  const int64_t n = it->octree.n;
  int dimension = 0;
  int64_t p = 0;
  for (int a = 0; a < 3; ++a)
    dimension += it->octree.cells[a] > 0;
  it->octree.points = n << dimension;
  it->linear = malloc((size_t)(n + 1) * sizeof *it->linear);
  it->cell = malloc((size_t)(n + 1) * sizeof *it->cell);
  it->small = malloc(2 * (size_t)(n + 1) * sizeof *it->small);
  it->corners = malloc((size_t)(it->octree.points + 1) * sizeof *it->corners);
  it->point = malloc((size_t)(it->octree.points + 1) * sizeof *it->point);
  it->vector = malloc(3 * (size_t)(it->octree.points + 1) * sizeof *it->vector);
  for (int64_t i = 0; i < n; ++i) {
    double centre[3], half[3];
    octree_cell_box(it, i, centre, half);
    it->linear[i] = octree_linear(centre);
    it->cell[i] = (float)front(centre, sharp);
    it->small[2 * i] = (int16_t)(1000.0 * front(centre, sharp));
    it->small[2 * i + 1] = (int16_t)i;
    for (int k = 0; k < 8; ++k) {
      double x[3];
      int exists = 1;
      for (int a = 0; a < 3; ++a) {
        exists = exists && (it->octree.cells[a] > 0 || !(k >> a & 1));
        x[a] = k >> a & 1 ? centre[a] + half[a] : centre[a] - half[a];
      }
      if (!exists)
        continue;
      it->corners[p] = p;
      /* Equal places have equal values: half sizes are added and taken off the same centre only. */
      for (int a = 0; a < 3; ++a)
        x[a] = floor(x[a] * 1048576.0 + 0.5) / 1048576.0;
      it->point[p] = front(x, sharp);
      for (int c = 0; c < 3; ++c)
        it->vector[3 * p + c] = (float)(front(x, sharp * (c + 1)) * (c - 1));
      ++p;
    }
  }
}

octree_case octree_case_make(const octree_recipe *recipe) {
  octree_case it;
  builder b = {.recipe = recipe, .state = recipe->seed * 2654435761u + 88172645463325252u};
  memset(&it, 0, sizeof it);
  b.it = &it;
  it.deepest = recipe->levels;
  memcpy(it.octree.cells, recipe->cells, sizeof recipe->cells);
  for (int k = 0; k < 5; ++k)
    chance(&b.state);
  for (int a = 0; a < 3; ++a) {
    it.axes[a][0] = -0.5;
    for (int i = 0; i < recipe->cells[a]; ++i)
      it.axes[a][i + 1] = it.axes[a][i] + (recipe->uneven ? 0.25 * (1 + (i * 7 + a) % 3) : 0.5);
  }
  int32_t i[3];
  for (i[2] = 0; i[2] < (recipe->cells[2] ? recipe->cells[2] : 1); ++i[2])
    for (i[1] = 0; i[1] < (recipe->cells[1] ? recipe->cells[1] : 1); ++i[1])
      for (i[0] = 0; i[0] < (recipe->cells[0] ? recipe->cells[0] : 1); ++i[0])
        build(&b, 0, i);
  shuffle(&b);
  it.sharp = recipe->sharp;
  make_arrays(&it, recipe->sharp);
  tsr_grid_view_init(&it.view);
  it.view.geometry = recipe->uneven ? TSR_GEOMETRY_RECTILINEAR : TSR_GEOMETRY_UNIFORM;
  for (int a = 0; a < 3; ++a) {
    it.view.origin[a] = -0.5;
    it.view.spacing[a] = 0.5;
  }
  return it;
}

void octree_case_add_outside(octree_case *it, double radius) {
  it->outside = malloc((size_t)it->octree.n + 1);
  for (int64_t i = 0; i < it->octree.n; ++i) {
    double x[3], half[3];
    octree_cell_box(it, i, x, half);
    it->outside[i] =
        (x[0] - 0.3) * (x[0] - 0.3) + (x[1] - 0.4) * (x[1] - 0.4) + (x[2] - 0.2) * (x[2] - 0.2) >
        radius * radius;
  }
}

/** A random place, in cells of level 0. kind: see the cases. Returns the corner of a cell that it
 * is, or -1. */
static int64_t random_place(const octree_case *it, int kind, uint64_t *state, double place[3]) {
  const int64_t cell = (int64_t)(chance(state) * (double)it->octree.n);
  const int corner = (int)(chance(state) * 8.0);
  int64_t p = cell;
  int axes = 0;
  for (int a = 0; a < 3; ++a) {
    const double size = (double)it->octree.cells[a], whole = ldexp(1.0, (int)(chance(state) * 6.0));
    const double u = size * chance(state);
    place[a] = 0.0;
    if (size == 0.0)
      continue;
    place[a] = kind == 0   ? size * (3.0 * chance(state) - 1.0)
               : kind == 1 ? ldexp(it->index[3 * cell + a] + (corner >> axes & 1), -it->level[cell])
               : kind == 2 || (kind == 3 && axes == 0) ? floor(u * whole) / whole
                                                       : u;
    if (kind == 0 && corner == 0)
      place[a] = NAN;
    p = 2 * p;
    ++axes;
  }
  return kind == 1 ? p + (corner & ((1 << axes) - 1)) : -1;
}

int octree_sample_at(const octree_case *it, int64_t s, double x[3]) {
  int within = 1;
  for (int a = 0; a < 3; ++a) {
    const double place = it->places[0][3 * s + a];
    const int64_t cell = place >= 0.0 && place < 64.0 ? (int64_t)place : 0;
    const double part = place - (double)cell;
    within = within && place >= 0.0 && place <= (double)it->octree.cells[a];
    x[a] = it->axes[a][cell];
    if (within && part > 0.0)
      x[a] += (it->axes[a][cell + 1] - it->axes[a][cell]) * part;
  }
  return within;
}

int octree_holds_sample(const octree_case *it, int cell_data, int64_t s, int level,
                        const int32_t index[3]) {
  int holds = 1;
  for (int a = 0; a < 3; ++a) {
    const double at = ldexp(it->places[cell_data][3 * s + a], level);
    holds = holds && (it->octree.cells[a] == 0 || (at >= index[a] && at <= index[a] + 1.0));
  }
  return holds;
}

void octree_case_add_samples(octree_case *it, int64_t n, double noise) {
  uint64_t state = (uint64_t)it->octree.n * 2654435761u + 88172645463325252u;
  it->octree.at_points.n = it->octree.at_cells.n = n;
  for (int k = 0; k < 2; ++k)
    it->places[k] = malloc(3 * (size_t)(n + 1) * sizeof(double));
  it->point_there = malloc((size_t)(n + 1) * sizeof(double));
  it->vector_there = malloc(3 * (size_t)(n + 1) * sizeof(float));
  it->cell_there = malloc((size_t)(n + 1) * sizeof(float));
  for (int64_t s = 0; s < n; ++s) {
    const int kind = (int)(chance(&state) * 8.0);
    const double by = kind > 5 ? noise * (chance(&state) - 0.5) : 0.0;
    const int64_t corner = random_place(it, kind, &state, &it->places[0][3 * s]);
    double x[3];
    random_place(it, kind, &state, &it->places[1][3 * s]);
    octree_sample_at(it, s, x);
    for (int a = 0; a < 3; ++a)
      x[a] = floor(x[a] * 1048576.0 + 0.5) / 1048576.0;
    it->point_there[s] = corner < 0 ? front(x, it->sharp) + by : it->point[corner];
    it->cell_there[s] = (float)(it->cell[s % it->octree.n] + by);
    for (int c = 0; c < 3; ++c)
      it->vector_there[3 * s + c] = corner < 0
                                        ? (float)(front(x, it->sharp * (c + 1)) * (c - 1) + by)
                                        : it->vector[3 * corner + c];
  }
}

void octree_case_free(octree_case *it) {
  free(it->level);
  free(it->index);
  free(it->corners);
  free(it->linear);
  free(it->cell);
  free(it->small);
  free(it->point);
  free(it->vector);
  free(it->outside);
  free(it->places[0]);
  free(it->places[1]);
  free(it->point_there);
  free(it->vector_there);
  free(it->cell_there);
}

/** The view, with pointers into the case. */
static tsr_grid_view view_of(const octree_case *it, tsr_grid_octree *octree) {
  tsr_grid_view view = it->view;
  *octree = it->octree;
  octree->level = it->level;
  octree->index = it->index;
  octree->corners = it->corners;
  octree->outside = it->outside;
  octree->at_points.places = it->places[0];
  octree->at_cells.places = it->places[1];
  view.octree = octree;
  for (int a = 0; a < 3; ++a)
    view.coordinates[a] = (tsr_array){it->axes[a], TSR_DOUBLE, 1, (int64_t)it->octree.cells[a] + 1};
  return view;
}

/** n values that no fill leaves as they are. */
static void *poisoned(int64_t n, size_t size) {
  void *memory = malloc((size_t)(n + 1) * size);
  memset(memory, 0xa5, (size_t)(n + 1) * size);
  return memory;
}

static void fill(const octree_case *it, tsr_grid_plan *plan, const tsr_grid_options *options,
                 octree_out *out) {
  const tsr_grid_sizes *s = &out->sizes;
  const int states = options->output == TSR_GRID_TREES || options->output == TSR_GRID_PATCHES;
  const int64_t n = s->cells, p = states ? s->cells : s->points;
  const int64_t cells = it->octree.n, points = it->octree.points;
  tsr_grid_output core;
  tsr_grid_output_init(&core);
  core.points_type = TSR_DOUBLE;
  core.points = out->points = poisoned(3 * s->points, sizeof(double));
  core.offsets = out->offsets = poisoned(n + 1, sizeof(int64_t));
  core.connectivity = out->connectivity = poisoned(s->connectivity, sizeof(int64_t));
  core.leaf = out->leaf = poisoned(n, sizeof(int64_t));
  core.source_cell = out->source = poisoned(n, sizeof(int64_t));
  core.level = out->level = poisoned(n, sizeof(int32_t));
  core.cell_type = out->type = poisoned(n, 1);
  core.state = out->state = poisoned(n, 1);
  core.hanging = out->hanging = poisoned(s->points, 1);
  core.indicator = out->indicator = poisoned(n, sizeof(double));
  core.tree_first = out->tree_first = poisoned(s->trees + 1, sizeof(int64_t));
  core.tree_root = out->tree_root = poisoned(3 * s->trees, sizeof(int32_t));
  core.patches = out->patches = calloc((size_t)s->patches + 1, sizeof *out->patches);
  out->point = poisoned(p, sizeof(double));
  out->moved = poisoned(p, sizeof(double));
  out->linear = poisoned(n, sizeof(double));
  out->cell = poisoned(n, sizeof(float));
  out->small = poisoned(2 * n, sizeof(int16_t));
  out->vector = poisoned(3 * p, sizeof(float));
  const tsr_grid_attribute attributes[] = {
      {{it->point, TSR_DOUBLE, 1, points},
       0,
       out->point,
       &out->errors[0],
       {it->point_there, TSR_DOUBLE, 1, it->octree.at_points.n}},
      {{it->linear, TSR_DOUBLE, 1, cells}, 2, out->moved, &out->errors[1], {0}},
      {{it->linear, TSR_DOUBLE, 1, cells}, 1, out->linear, &out->errors[2], {0}},
      {{it->cell, TSR_FLOAT, 1, cells},
       1,
       out->cell,
       &out->errors[3],
       {it->cell_there, TSR_FLOAT, 1, it->octree.at_cells.n}},
      {{it->small, TSR_INT16, 2, cells}, 1, out->small, &out->errors[4], {0}},
      {{it->vector, TSR_FLOAT, 3, points},
       0,
       out->vector,
       &out->errors[5],
       {it->vector_there, TSR_FLOAT, 3, it->octree.at_points.n}}};
  core.attributes = attributes;
  core.n_attributes = 6;
  out->status = tsr_grid_fill(plan, &core, &out->error);
  const int64_t nodes = states ? n : s->leaves;
  out->nodes = calloc((size_t)nodes + 1, sizeof *out->nodes);
  if (tsr_grid_plan_nodes(plan))
    memcpy(out->nodes, tsr_grid_plan_nodes(plan), (size_t)nodes * sizeof *out->nodes);
  tsr_grid_plan_report(plan, &out->report);
}

tsr_status octree_run(const octree_case *it, const tsr_grid_options *options,
                      const tsr_execution *execution, octree_out *out) {
  tsr_grid_octree octree;
  const tsr_grid_view view = view_of(it, &octree);
  tsr_grid_plan *plan;
  memset(out, 0, sizeof *out);
  out->status = tsr_grid_plan_create(&view, options, execution, &plan, &out->error);
  if (out->status != TSR_OK)
    return out->status;
  out->sizes = *tsr_grid_plan_sizes(plan);
  fill(it, plan, options, out);
  tsr_grid_plan_free(plan);
  return out->status;
}

void octree_out_free(octree_out *out) {
  void *const all[] = {out->points,     out->offsets,   out->connectivity, out->leaf,   out->source,
                       out->tree_first, out->level,     out->tree_root,    out->type,   out->state,
                       out->hanging,    out->indicator, out->patches,      out->nodes,  out->point,
                       out->moved,      out->linear,    out->cell,         out->vector, out->small};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    free(all[k]);
}

/** Do blocks differ? Their structs have bytes that no member owns. */
static int patches_differ(const tsr_grid_patch *one, const tsr_grid_patch *other, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    if (one[i].level != other[i].level || one[i].first != other[i].first ||
        memcmp(one[i].begin, other[i].begin, sizeof one[i].begin) != 0 ||
        memcmp(one[i].end, other[i].end, sizeof one[i].end) != 0)
      return 1;
  return 0;
}

const char *octree_difference(const octree_out *one, const octree_out *other) {
  const tsr_grid_sizes *s = &one->sizes;
  const int states = s->points == 0;
  const int64_t n = s->cells, p = states ? s->cells : s->points;
  if (one->status != other->status)
    return "status";
  if (one->status != TSR_OK)
    return NULL;
  if (memcmp(s, &other->sizes, sizeof *s) != 0)
    return "sizes";
  if (memcmp(one->errors, other->errors, sizeof one->errors) != 0)
    return "errors";
#define SAME(MEMBER, N)                                                                            \
  if (memcmp(one->MEMBER, other->MEMBER, (size_t)(N) * sizeof *one->MEMBER) != 0)                  \
  return #MEMBER
  SAME(points, 3 * s->points);
  SAME(offsets, n + 1);
  SAME(connectivity, s->connectivity);
  SAME(leaf, n);
  SAME(source, n);
  SAME(level, n);
  SAME(type, n);
  SAME(state, n);
  SAME(hanging, s->points);
  SAME(indicator, n);
  SAME(tree_first, s->trees + 1);
  SAME(tree_root, 3 * s->trees);
  if (patches_differ(one->patches, other->patches, s->patches))
    return "patches";
  SAME(nodes, states ? n : s->leaves);
  SAME(point, p);
  SAME(moved, p);
  SAME(linear, n);
  SAME(cell, n);
  SAME(small, 2 * n);
  SAME(vector, 3 * p);
#undef SAME
  return NULL;
}
