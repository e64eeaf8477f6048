/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Random unstructured meshes: the octree against slow loops over all cells. With a number as an
 * argument: that many random points a mesh.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "mesh_case.h"

static int64_t points_a_case = 100000;
static const char *name;

/* ---- Leaves by a table of the finest cells */

typedef struct table {
  int64_t n[3];
  int32_t *leaf; /**< of each finest cell, or -1 */
  int levels;
} table;

static table make_table(const mesh_out *out, int levels) {
  table t = {{1, 1, 1}, NULL, levels};
  int64_t size = 1;
  for (int a = 0; a < 3; ++a) {
    if (out->sizes.cells[a] > 0)
      t.n[a] = (int64_t)out->sizes.cells[a] << levels;
    size *= t.n[a];
  }
  t.leaf = malloc((size_t)size * sizeof *t.leaf);
  for (int64_t i = 0; i < size; ++i)
    t.leaf[i] = -1;
  for (int64_t i = 0; i < out->sizes.n; ++i) {
    int64_t low[3], high[3], inside = 1;
    CHECK(out->level[i] <= levels);
    for (int a = 0; a < 3; ++a) {
      const int64_t side = (int64_t)1 << (levels - out->level[i]);
      low[a] = out->sizes.cells[a] > 0 ? out->index[3 * i + a] * side : 0;
      high[a] = out->sizes.cells[a] > 0 ? low[a] + side : 1;
      inside = inside && low[a] >= 0 && high[a] <= t.n[a];
    }
    CHECK_SAY(inside != 0, "%s: leaf %lld is outside the domain", name, (long long)i);
    for (int64_t z = low[2]; inside && z < high[2]; ++z)
      for (int64_t y = low[1]; y < high[1]; ++y)
        for (int64_t x = low[0]; x < high[0]; ++x) {
          int32_t *at = &t.leaf[(z * t.n[1] + y) * t.n[0] + x];
          CHECK_SAY(*at < 0, "%s: leaves %d and %lld overlap", name, *at, (long long)i);
          *at = (int32_t)i;
        }
  }
  /* Domains are whole cells of level 0, and these are whole or not there. */
  const int64_t side = (int64_t)1 << levels;
  for (int64_t z = 0; z < t.n[2]; ++z)
    for (int64_t y = 0; y < t.n[1]; ++y)
      for (int64_t x = 0; x < t.n[0]; ++x) {
        const int64_t z0 = t.n[2] > 1 ? z / side * side : 0;
        const int first = t.leaf[(z0 * t.n[1] + y / side * side) * t.n[0] + x / side * side] >= 0;
        CHECK_SAY((t.leaf[(z * t.n[1] + y) * t.n[0] + x] >= 0) == first,
                  "%s: a family is not complete", name);
      }
  return t;
}

static double finest(const mesh_out *out, const table *t) {
  return out->sizes.spacing / (double)((int64_t)1 << t->levels);
}

/* The least level of leaves that are not outside and hold x, within a tolerance; -1: there is none.
 */
static int leaf_level(const mesh_out *out, const table *t, const double x[3]) {
  const double h = finest(out, t);
  int level = -1;
  for (int k = 0; k < 8; ++k) {
    int64_t at[3];
    int there = 1;
    for (int a = 0; a < 3; ++a) {
      at[a] = 0;
      if (out->sizes.cells[a] > 0)
        at[a] = (int64_t)floor((x[a] - out->sizes.origin[a]) / h + (k >> a & 1 ? 1e-7 : -1e-7));
      there = there && at[a] >= 0 && at[a] < t->n[a];
    }
    const int32_t leaf = there ? t->leaf[(at[2] * t->n[1] + at[1]) * t->n[0] + at[0]] : -1;
    if (leaf >= 0 && !out->outside[leaf] && (level < 0 || out->level[leaf] < level))
      level = out->level[leaf];
  }
  return level;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median edge of a tetrahedron or hexahedron; of other kinds a number above all. */
static double median(const mesh_case *it, int64_t c) {
  static const int hexahedron[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                        {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  static const int tetrahedron[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const int(*edges)[2] = it->types[c] == 10 ? tetrahedron : hexahedron;
  const int n = it->types[c] == 10 ? 6 : 12;
  double length[12];
  if (it->types[c] != 10 && it->types[c] != 12)
    return HUGE_VAL;
  for (int k = 0; k < n; ++k) {
    const double *a = it->points + 3 * it->ids[it->offsets[c] + edges[k][0]];
    const double *b = it->points + 3 * it->ids[it->offsets[c] + edges[k][1]];
    length[k] = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                     (a[2] - b[2]) * (a[2] - b[2]));
  }
  qsort(length, (size_t)n, sizeof *length, ascending);
  return length[(n - 1) / 2];
}

static void check_points(const mesh_case *it, const mesh_out *out, const table *t) {
  unsigned random = 7;
  int64_t lost = 0, coarse = 0;
  for (int64_t i = 0; i < points_a_case && it->n_cells > 0; ++i) {
    const int64_t c = (int64_t)(mesh_uniform(&random) * (double)it->n_cells);
    double x[3];
    mesh_random_place(it, c, &random, x);
    const int level = leaf_level(out, t, x);
    lost += level < 0;
    coarse += level >= 0 && level < t->levels &&
              out->sizes.spacing / (double)((int64_t)1 << level) > median(it, c) * (1.0 + 1e-6);
  }
  CHECK_SAY(lost == 0, "%s: %lld random points in no leaf", name, (long long)lost);
  CHECK_SAY(coarse == 0, "%s: %lld random points in leaves larger than their cell's median edge",
            name, (long long)coarse);
  for (int64_t i = 0; i < it->n_ids; ++i)
    lost += leaf_level(out, t, it->points + 3 * it->ids[i]) < 0;
  CHECK_SAY(lost == 0, "%s: %lld points of the mesh in no leaf", name, (long long)lost);
}

/* ---- Values */

static void corner_place(const mesh_out *out, int64_t leaf, int k, double x[3]) {
  const double side = out->sizes.spacing / (double)((int64_t)1 << out->level[leaf]);
  for (int a = 0, inner = 0; a < 3; ++a) {
    x[a] = out->sizes.origin[a];
    if (out->sizes.cells[a] > 0)
      x[a] += side * (double)(out->index[3 * leaf + a] + (k >> inner++ & 1));
  }
}

/* Each corner has one place, and each place one corner. */
static double *places_of(const mesh_out *out) {
  const int corners = 1 << out->sizes.dimension;
  double *place = malloc((size_t)(3 * out->sizes.points + 3) * sizeof *place);
  char *seen = calloc((size_t)out->sizes.points + 1, 1);
  int64_t used = 0;
  for (int64_t i = 0; i < out->sizes.n; ++i)
    for (int k = 0; k < corners; ++k) {
      const int64_t p = out->corners[i * corners + k];
      double x[3];
      CHECK(p >= 0 && p < out->sizes.points);
      if (p < 0 || p >= out->sizes.points)
        continue;
      corner_place(out, i, k, x);
      for (int a = 0; a < 3 && seen[p]; ++a)
        CHECK_SAY(fabs(place[3 * p + a] - x[a]) <= 1e-9 * (1.0 + fabs(x[a])),
                  "%s: corner %lld has two places", name, (long long)p);
      memcpy(place + 3 * p, x, sizeof x);
      used += !seen[p];
      seen[p] = 1;
    }
  CHECK_INT(used, out->sizes.points);
  free(seen);
  return place;
}

/* The lowest cell that holds x; -2: x is too near a border to say. */
static int64_t lowest(const mesh_case *it, const double x[3], double *value) {
  double v = 0.0;
  int64_t found = -1;
  for (int64_t c = 0; c < it->n_cells; ++c) {
    const double depth = mesh_depth(it, c, x, &v);
    if (fabs(depth) < 1e-6)
      return -2;
    if (depth > 0.0 && found < 0) {
      found = c;
      *value = v;
    }
  }
  return found;
}

static void check_values(const mesh_case *it, const mesh_out *out, const double *place) {
  const int64_t step = out->sizes.points > 3000 ? out->sizes.points / 3000 : 1;
  double low = HUGE_VAL, high = -HUGE_VAL;
  int64_t inside = 0;
  for (int64_t i = 0; i < it->n_points; ++i) {
    low = fmin(low, it->linear[i]);
    high = fmax(high, it->linear[i]);
  }
  for (int64_t p = 0; p < out->sizes.points; ++p) {
    const double *x = place + 3 * p, size = fmax(fabs(low), fabs(high));
    inside += out->inside[p];
    CHECK_SAY(out->linear[p] >= low - 1e-9 * size && out->linear[p] <= high + 1e-9 * size,
              "%s: corner %lld has %g, outside %g to %g", name, (long long)p, out->linear[p], low,
              high);
    if (out->inside[p])
      CHECK_SAY(fabs(out->linear[p] - mesh_linear(x)) <= 1e-7 * (1.0 + size),
                "%s: corner %lld has %.12g, not %.12g", name, (long long)p, out->linear[p],
                mesh_linear(x));
    if (p % step)
      continue;
    double value = 0.0;
    const int64_t cell = lowest(it, x, &value);
    if (cell == -2)
      continue;
    CHECK_SAY(out->inside[p] == (cell >= 0), "%s: corner %lld at %g %g %g inside: %d, not %d", name,
              (long long)p, x[0], x[1], x[2], out->inside[p], cell >= 0);
    if (cell >= 0 && out->inside[p]) {
      CHECK_SAY(fabs(out->front[p] - value) <= 1e-7 * (1.0 + fabs(value)),
                "%s: corner %lld has %g, not %g of cell %lld", name, (long long)p, out->front[p],
                value, (long long)cell);
      CHECK(abs(out->pair[2 * p] - (int32_t)(1000.0 * value)) <= 2);
    }
  }
  CHECK_SAY(inside > 0, "%s: no corner is inside", name);
}

/* A linear field goes on outside the mesh, within its range, where the mesh touches the leaf. */
static void check_outside(const mesh_case *it, const mesh_out *out, const double *place) {
  const int corners = 1 << out->sizes.dimension;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int64_t i = 0; i < it->n_points; ++i) {
    low = fmin(low, it->linear[i]);
    high = fmax(high, it->linear[i]);
  }
  for (int64_t k = 0; k < out->sizes.n * corners; ++k) {
    const int64_t p = out->corners[k];
    const double value = fmin(fmax(mesh_linear(place + 3 * p), low), high);
    if (!out->outside[k / corners] && !out->inside[p])
      CHECK_SAY(fabs(out->linear[p] - value) <= 1e-5 * (1.0 + fabs(low) + fabs(high)),
                "%s: corner %lld outside has %g, not %g", name, (long long)p, out->linear[p],
                value);
  }
}

static void check_sources(const mesh_case *it, const mesh_out *out) {
  const int64_t step = out->sizes.n > 3000 ? out->sizes.n / 3000 : 1;
  for (int64_t i = 0; i < out->sizes.n; ++i) {
    double low[3], high[3], x[3], value;
    CHECK_SAY(out->source[i] >= 0 && out->source[i] < it->n_cells, "%s: leaf %lld has cell %lld",
              name, (long long)i, (long long)out->source[i]);
    CHECK_INT(out->number[i], out->source[i] - ((int64_t)1 << 60));
    if (i % step)
      continue;
    corner_place(out, i, 0, low);
    corner_place(out, i, (1 << out->sizes.dimension) - 1, high);
    for (int a = 0; a < 3; ++a)
      x[a] = 0.5 * (low[a] + high[a]);
    const int64_t cell = lowest(it, x, &value);
    if (cell >= 0) {
      CHECK_SAY(out->source[i] == cell, "%s: leaf %lld has cell %lld, not %lld", name, (long long)i,
                (long long)out->source[i], (long long)cell);
      CHECK(!out->outside[i]);
    }
  }
}

static void check_places(const mesh_case *it, const mesh_out *out) {
  for (int64_t i = 0; i < it->n_points; ++i)
    for (int a = 0; a < 3; ++a) {
      const double place = out->point_places[3 * i + a];
      if (place == place && out->sizes.cells[a] > 0)
        CHECK(fabs(place * out->sizes.spacing + out->sizes.origin[a] - it->points[3 * i + a]) <=
              1e-9 * (1.0 + fabs(it->points[3 * i + a])));
    }
  for (int64_t i = 0; i < it->n_ids; ++i)
    CHECK(out->point_places[3 * it->ids[i]] == out->point_places[3 * it->ids[i]]);
}

static void check_threads(const mesh_case *it, const tsr_mesh_options *options,
                          const mesh_out *out) {
  static const int counts[2] = {2, 7};
  for (int k = 0; k < 2; ++k) {
    executor exec = {.threads = counts[k]};
    const tsr_execution execution = executor_execution(&exec);
    mesh_out other;
    mesh_run(it, options, &execution, &other);
    const char *difference = mesh_difference(it, out, &other);
    CHECK_SAY(!difference, "%s: %s differs with %d threads", name, difference ? difference : "",
              counts[k]);
    mesh_out_free(&other);
  }
}

static void check_case(const char *title, const mesh_recipe *recipe, double size, int levels) {
  mesh_case it = mesh_case_make(recipe);
  tsr_mesh_options options;
  mesh_out out;
  name = title;
  tsr_mesh_options_init(&options);
  options.cell_size = size;
  options.levels = levels;
  mesh_run(&it, &options, NULL, &out);
  CHECK_SAY(out.status == TSR_OK, "%s: %s", name, out.error.text);
  if (out.status == TSR_OK) {
    table t = make_table(&out, levels);
    double *place = places_of(&out);
    check_points(&it, &out, &t);
    check_values(&it, &out, place);
    check_sources(&it, &out);
    if (recipe->flat == 0.0)
      check_outside(&it, &out, place);
    check_places(&it, &out);
    check_threads(&it, &options, &out);
    printf("%s: %lld cells, %lld leaves (%lld inside), %lld corners, flat %lld, inverted %lld\n",
           name, (long long)it.n_cells, (long long)out.sizes.n, (long long)out.sizes.inside,
           (long long)out.sizes.points, (long long)out.sizes.notes[TSR_MESH_NOTE_FLAT].count,
           (long long)out.sizes.notes[TSR_MESH_NOTE_INVERTED].count);
    free(place);
    free(t.leaf);
  }
  mesh_out_free(&out);
  mesh_case_free(&it);
}

int main(int argc, char **argv) {
  static const char *const kinds[MESH_KINDS] = {
      "tetrahedra by 5", "tetrahedra by 6", "hexahedra", "voxels", "wedges",
      "pyramids",        "polyhedra",       "prisms",    "mixed",  "triangles",
      "quads",           "pixels",          "polygons",  "strips"};
  if (argc > 1)
    points_a_case = strtoll(argv[1], NULL, 10);
  for (int kind = 0; kind < MESH_KINDS; ++kind) {
    mesh_recipe r = {.seed = 11u + (unsigned)kind,
                     .kind = (mesh_kind)kind,
                     .n = {6, 5, 7},
                     .scale = {0.21, 0.2, 0.19},
                     .origin = {-0.53, -0.31, 0.17}};
    const int straight =
        kind == MESH_VOXELS || kind == MESH_PIXELS || kind == MESH_PRISMS || kind == MESH_POLYGONS;
    r.jitter = straight ? 0.0 : 0.3;
    check_case(kinds[kind], &r, 0.0, 4);
    r.hole = 0.2;
    check_case(kinds[kind], &r, 0.07, 3);
    r.grading = straight ? 0.0 : 30.0;
    check_case(kinds[kind], &r, 0.03, 3);
  }
  const mesh_recipe odd[] = {
      {.seed = 1,
       .kind = MESH_TETS_6,
       .n = {5, 5, 5},
       .jitter = 0.3,
       .scale = {0.2, 0.2, 0.2},
       .repeat = 0.2,
       .invert = 0.3,
       .flat = 0.1,
       .hole = 0.1},
      {.seed = 2, .kind = MESH_HEXES, .n = {8, 8, 8}, .scale = {0.1, 0.1, 0.0001}, .jitter = 0.3},
      {.seed = 3,
       .kind = MESH_TETS_5,
       .n = {6, 6, 6},
       .scale = {0.1, 0.1, 0.1},
       .jitter = 0.3,
       .origin = {1e6, -1e6, 1e6}},
      {.seed = 4,
       .kind = MESH_TETS_6,
       .n = {16, 4, 4},
       .scale = {0.1, 0.1, 0.1},
       .jitter = 0.2,
       .grading = 100.0},
      {.seed = 5,
       .kind = MESH_HEXES,
       .n = {5, 5, 5},
       .scale = {0.2, 0.2, 0.2},
       .jitter = 0.3,
       .parts = 3},
      {.seed = 6,
       .kind = MESH_TETS_6,
       .n = {8, 4, 4},
       .jitter = 0.3,
       .scale = {0.1, 0.1, 0.1},
       .grading = 30.0,
       .parts = 3},
      {.seed = 7, .kind = MESH_QUADS, .n = {24, 24, 1}, .jitter = 0.1, .scale = {0.6, 0.6, 0.6}}};
  check_case("repeated, inverted, flat", &odd[0], 0.0, 4);
  check_case("thin layers", &odd[1], 0.02, 4);
  check_case("far away", &odd[2], 0.0, 3);
  check_case("graded", &odd[3], 0.05, 5);
  check_case("parts that overlap", &odd[4], 0.0, 2);
  check_case("graded parts that overlap", &odd[5], 0.05, 4);
  /* More nodes than the first table of them has room for. */
  check_case("few cells of many nodes", &odd[6], 0.1, 0);
  return check_result();
}
