/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * libFuzzer target: the bytes become a hostile grid, options and outputs, and a jet. Each output
 * array is allocated at exactly the promised size, so that the address sanitizer sees any overrun;
 * then what must always hold is checked.
 */
#include "stream.h"

enum { MAX_SIDE = 6, LONG_SIDE = 40, SHORT_SIDE = 2, MAX_CRITERIA = 3 };

/** Everything that a plan borrows. */
typedef struct input {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criteria[MAX_CRITERIA];
  int64_t points, cells; /* held */
  int broken;            /* the view or options were spoilt on purpose */
  void *point_values, *cell_values, *positions, *along[3];
  uint8_t *hidden_cells, *hidden_points;
} input;

static void *values(stream *s, tsr_type type, int64_t count) {
  const size_t size = tsr_type_size(type);
  uint8_t *data = malloc((size_t)count * size + 1);
  for (int64_t i = 0; i < count; i++) {
    const double v = number(s);
    if (type == TSR_DOUBLE) {
      memcpy(data + (size_t)i * size, &v, size);
    } else if (type == TSR_FLOAT) {
      const float f = fabs(v) < 1e38 ? (float)v : (float)NAN;
      memcpy(data + (size_t)i * size, &f, size);
    } else {
      take(s, data + (size_t)i * size, size);
    }
  }
  return data;
}

static void make_view(stream *s, input *in) {
  tsr_grid_view *v = &in->view;
  tsr_grid_view_init(v);
  in->points = in->cells = 1;
  const int long_axis = byte(s) % 8; /* 3 to 7: there is none */
  for (int a = 0; a < 3; a++) {
    const int most = a == long_axis ? LONG_SIDE : long_axis < 3 ? SHORT_SIDE : MAX_SIDE;
    const int64_t n = byte(s) % (most + 1), first = (int8_t)byte(s);
    v->whole[2 * a] = v->extent[2 * a] = first;
    v->whole[2 * a + 1] = v->extent[2 * a + 1] = first + n;
    v->spacing[a] = byte(s) % 8 ? 1.0 : number(s);
    in->points *= n + 1;
    in->cells *= n > 0 ? n : 1;
    in->along[a] = values(s, TSR_DOUBLE, n + 1);
    v->coordinates[a] = (tsr_array){in->along[a], TSR_DOUBLE, 1, n + 1};
  }
  v->geometry = (tsr_grid_geometry)(byte(s) % 3);
  in->positions = values(s, TSR_FLOAT, v->geometry == TSR_GEOMETRY_POINTS ? 3 * in->points : 0);
  v->points = (tsr_array){in->positions, TSR_FLOAT, 3, in->points};
  if (byte(s) % 4 == 0) {
    in->hidden_cells = malloc((size_t)in->cells);
    take(s, in->hidden_cells, (size_t)in->cells);
    v->hidden_cells = in->hidden_cells;
  }
  if (byte(s) % 8 == 0) {
    in->hidden_points = malloc((size_t)in->points);
    take(s, in->hidden_points, (size_t)in->points);
    v->hidden_points = in->hidden_points;
  }
  if (byte(s) % 32 == 0) { /* a spoilt extent */
    take(s, byte(s) % 2 ? v->owned : v->extent, sizeof v->owned);
    in->broken = 1;
  }
}

static void make_options(stream *s, input *in) {
  tsr_grid_options *o = &in->options;
  const tsr_type type = (tsr_type)(byte(s) % 10);
  const int components = 1 + byte(s) % 3;
  tsr_grid_options_init(o);
  in->point_values = values(s, type, in->points * components);
  in->cell_values = values(s, type, in->cells * components);
  o->coarsen_levels = byte(s) % 8 ? byte(s) % 4 : byte(s) % 32;
  o->refine_levels = byte(s) % 3;
  o->mode = (tsr_grid_mode)(byte(s) % 16 < 14 ? 0 : byte(s) % 4);
  o->n_criteria = byte(s) % (MAX_CRITERIA + 1);
  o->criteria = in->criteria;
  o->buffer_cells = byte(s) % 3;
  o->balance = (tsr_balance)(byte(s) % 4);
  o->cell_budget = byte(s) % 8 ? 0 : byte(s) * 4;
  o->use_region = byte(s) % 4 == 0;
  for (int k = 0; k < 6; k++) {
    o->region[k] = number(s);
  }
  o->inside_level = byte(s) % 8;
  o->outside_level = byte(s) % 8;
  o->output = (tsr_grid_output_kind)(byte(s) % 5);
  o->block_size = 2 << byte(s) % 5;
  o->constrain = byte(s) % 2;
  for (int c = 0; c < MAX_CRITERIA; c++) {
    tsr_grid_criterion *criterion = &in->criteria[c];
    tsr_grid_criterion_init(criterion);
    criterion->measure = (tsr_grid_measure)(byte(s) % 8);
    criterion->cell_data = byte(s) % 2;
    criterion->component = byte(s) % 4 - 1;
    criterion->array = (tsr_array){criterion->cell_data ? in->cell_values : in->point_values, type,
                                   components, criterion->cell_data ? in->cells : in->points};
    criterion->threshold = fabs(number(s));
    criterion->lower = number(s);
    criterion->upper = criterion->lower + fabs(number(s));
    criterion->relative = byte(s) % 2;
    criterion->max_level = byte(s) % 8 - 1;
  }
  if (byte(s) % 16 == 0) {
    take(s, (char *)o + sizeof(size_t), 12);
    o->refine_levels = o->refine_levels > 3 && o->refine_levels < 31 ? 3 : o->refine_levels;
    in->broken = 1;
  }
}

/** Sizes of the leaves in cells of the finest level add up. */
static void check_leaves(const input *in, const tsr_grid_sizes *sizes, const tsr_grid_node *nodes,
                         const uint8_t *state) {
  const int deep = in->options.refine_levels;
  /* Of conforming grids the nodes are the leaves, however these are cut. */
  const int conforming = in->options.output == TSR_GRID_CONFORMING;
  int64_t sum = 0, leaves = 0;
  for (int64_t c = 0; c < (conforming ? sizes->leaves : sizes->cells); c++) {
    int64_t volume = 1;
    if (state[c] != TSR_STATE_LEAF) {
      continue;
    }
    for (int a = 0; a < 3; a++) {
      const int64_t n = in->view.whole[2 * a + 1] - in->view.whole[2 * a];
      if (n > 0) {
        const int64_t side = (int64_t)1 << (sizes->levels - nodes[c].level);
        const int64_t begin = nodes[c].index[a] * side, last = n << deep;
        must(begin >= 0 && begin < last, "a leaf lies outside");
        volume *= begin + side < last ? side : last - begin;
      }
    }
    sum += volume;
    leaves++;
  }
  must(leaves == sizes->leaves, "there are other leaves than promised");
  must(sum == sizes->fine_cells, "the leaves do not fill the grid");
}

static void run(input *in, stream *s) {
  tsr_grid_plan *plan;
  tsr_error error = {TSR_OK, -1, ""};
  tsr_grid_output out;
  const tsr_status status = tsr_grid_plan_create(&in->view, &in->options, NULL, &plan, &error);
  must(status == TSR_OK ? plan != NULL : plan == NULL && error.status == status && error.text[0],
       "status, plan and error do not fit each other");
  if (status != TSR_OK) {
    return;
  }
  const tsr_grid_sizes *sizes = tsr_grid_plan_sizes(plan);
  const size_t cells = (size_t)sizes->cells, points = (size_t)sizes->points;
  tsr_grid_output_init(&out);
  out.points_type = byte(s) % 2 ? TSR_FLOAT : TSR_DOUBLE;
  out.index_type = byte(s) % 2 ? TSR_INT32 : TSR_INT64;
  out.hexahedra = byte(s) % 2;
  const size_t index_size = tsr_type_size(out.index_type);
  const size_t tuple =
      tsr_type_size(in->criteria[0].array.type) * (size_t)in->criteria[0].array.components;
  const int trees = in->options.output == TSR_GRID_TREES;
  void *const arrays[] = {
      out.points = malloc(3 * points * tsr_type_size(out.points_type)),
      out.offsets = malloc((cells + 1) * index_size),
      out.connectivity = malloc((size_t)sizes->connectivity * index_size),
      out.level = malloc(cells * sizeof(int32_t)),
      out.indicator = malloc(cells * sizeof(double)),
      out.source_cell = malloc(cells * sizeof(int64_t)),
      out.state = malloc(cells),
      out.hanging = malloc(points),
      out.cell_type = malloc(cells),
      out.leaf = malloc(cells * sizeof(int64_t)),
      out.tree_first = trees ? malloc((size_t)(sizes->trees + 1) * sizeof(int64_t)) : NULL,
      out.tree_root = trees ? malloc((size_t)sizes->trees * 3 * sizeof(int32_t)) : NULL,
      out.patches = malloc((size_t)sizes->patches * sizeof(tsr_grid_patch))};
  void *const point_out = malloc((sizes->points > 0 ? points : cells) * tuple);
  void *const cell_out = malloc(cells * tuple);
  double errors[2];
  const tsr_array example = in->criteria[0].array;
  const tsr_grid_attribute attributes[2] = {
      {{in->point_values, example.type, example.components, in->points},
       0,
       point_out,
       &errors[0],
       {0}},
      {{in->cell_values, example.type, example.components, in->cells},
       1,
       cell_out,
       &errors[1],
       {0}}};
  out.attributes = attributes;
  out.n_attributes = 2;
  must(tsr_grid_fill(plan, &out, &error) == TSR_OK || in->broken, "a plan does not fill");
  if (!in->broken) {
    check_leaves(in, sizes, tsr_grid_plan_nodes(plan), out.state);
    for (int64_t k = 0; k < sizes->connectivity; k++) {
      const int64_t id = out.index_type == TSR_INT32 ? ((int32_t *)out.connectivity)[k]
                                                     : ((int64_t *)out.connectivity)[k];
      must(id >= 0 && id < sizes->points, "a point number is out of range");
    }
  }
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    free(arrays[k]);
  }
  free(point_out);
  free(cell_out);
  tsr_grid_plan_free(plan);
}

static void run_jet(stream *s) {
  tsr_jet_options o;
  tsr_jet_output out;
  tsr_error error;
  double velocity[3 * 27], temperature[27], scalar[27];
  tsr_jet_options_init(&o);
  int64_t extent[6];
  for (int a = 0; a < 6; a += 2) { /* three points anywhere in a whole of any size, or nonsense */
    take(s, &o.whole[a], 12);
    o.whole[a] >>= byte(s) % 64;
    o.whole[a + 1] += o.whole[a] >> 1;
    extent[a] = o.whole[a];
    extent[a + 1] = o.whole[a] < INT64_MAX - 2 ? o.whole[a] + byte(s) % 3 : o.whole[a];
  }
  for (int a = 0; a < 6; a++) {
    o.bounds[a] = number(s);
  }
  o.time = number(s);
  o.seed = byte(s);
  o.modes = byte(s) % 40;
  o.speed = number(s);
  o.lowest = number(s);
  o.highest = number(s);
  tsr_jet_output_init(&out);
  out.type = TSR_DOUBLE;
  out.velocity = velocity;
  out.temperature = temperature;
  out.scalar = scalar;
  tsr_jet_fill(&o, extent, NULL, &out, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stream s = {data, size};
  input in;
  memset(&in, 0, sizeof in);
  if (byte(&s) % 16 == 0) {
    run_jet(&s);
    return 0;
  }
  make_view(&s, &in);
  make_options(&s, &in);
  run(&in, &s);
  free(in.point_values);
  free(in.cell_values);
  free(in.positions);
  free(in.hidden_cells);
  free(in.hidden_points);
  for (int a = 0; a < 3; a++) {
    free(in.along[a]);
  }
  return 0;
}
