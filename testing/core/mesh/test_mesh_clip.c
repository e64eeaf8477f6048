/* SPDX-License-Identifier: BSD-3-Clause */
/** Leaves that are cut at the surface of a mesh: volume and integrals are those of the mesh, linear
 *  values are exact, pieces lie in their leaf and in their cell of the mesh, share their faces, and
 *  do not depend on threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "mesh_case.h"

/* The leaves of a mesh, cut. */
typedef struct clipped {
  tsr_status status;
  tsr_error error;
  tsr_mesh_clip_sizes sizes;
  int64_t n;
  double *leaves; /* n x 4 */
  int64_t *tree;  /* n: number in the octree */
  uint8_t *cut;
  double *points, *places, *linear;
  int64_t *connectivity, *leaf, *source, *number;
} clipped;

static void *take(int64_t n, size_t size) { return calloc((size_t)(n + 1), size); }

static void run(const mesh_case *it, const tsr_mesh_options *options, const mesh_out *tree,
                const tsr_execution *execution, clipped *c) {
  tsr_mesh_clip_options o;
  tsr_mesh_clip_output out;
  tsr_mesh_clip *clip = NULL;
  memset(c, 0, sizeof *c);
  c->leaves = take(tree->sizes.n, 4 * sizeof(double));
  c->tree = take(tree->sizes.n, sizeof(int64_t));
  for (int64_t i = 0; i < tree->sizes.n; ++i) {
    double *leaf = c->leaves + 4 * c->n;
    if (tree->outside[i])
      continue;
    leaf[3] = ldexp(1.0, -tree->level[i]);
    for (int a = 0; a < 3; ++a)
      leaf[a] = tree->index[3 * i + a] * leaf[3];
    c->tree[c->n++] = i;
  }
  tsr_mesh_clip_options_init(&o);
  o.lattice = *options;
  o.leaves = c->leaves;
  o.n_leaves = c->n;
  c->status = tsr_mesh_clip_create(&it->view, &o, execution, &clip, &c->error);
  if (c->status != TSR_OK)
    return;
  c->sizes = *tsr_mesh_clip_plan_sizes(clip);
  c->cut = take(c->n, 1);
  c->points = take(c->sizes.points, 3 * sizeof(double));
  c->places = take(c->sizes.points, 3 * sizeof(double));
  c->linear = take(c->sizes.points, sizeof(double));
  c->connectivity = take(c->sizes.pieces, 4 * sizeof(int64_t));
  c->leaf = take(c->sizes.pieces, sizeof(int64_t));
  c->source = take(c->sizes.pieces, sizeof(int64_t));
  c->number = take(c->sizes.pieces, sizeof(int64_t));
  const tsr_mesh_attribute attributes[2] = {
      {{it->linear, TSR_DOUBLE, 1, it->n_points}, 0, c->linear},
      {{it->number, TSR_INT64, 1, it->n_cells}, 1, c->number}};
  tsr_mesh_clip_output_init(&out);
  out.cut = c->cut;
  out.points = c->points;
  out.places = c->places;
  out.connectivity = c->connectivity;
  out.leaf = c->leaf;
  out.source = c->source;
  out.attributes = attributes;
  out.n_attributes = 2;
  c->status = tsr_mesh_clip_fill(clip, &out, &c->error);
  tsr_mesh_clip_free(clip);
}

static void release(clipped *c) {
  free(c->leaves);
  free(c->tree);
  free(c->cut);
  free(c->points);
  free(c->places);
  free(c->linear);
  free(c->connectivity);
  free(c->leaf);
  free(c->source);
  free(c->number);
}

/* The volume of a simplex, or its area in x and y. */
static double volume_of(const double *const x[4], int dimension) {
  double u[3][3] = {{0.0}};
  for (int k = 0; k < dimension; ++k)
    for (int a = 0; a < 3; ++a)
      u[k][a] = x[k + 1][a] - x[0][a];
  if (dimension == 2)
    return 0.5 * (u[0][0] * u[1][1] - u[0][1] * u[1][0]);
  return (u[0][0] * (u[1][1] * u[2][2] - u[1][2] * u[2][1]) -
          u[0][1] * (u[1][0] * u[2][2] - u[1][2] * u[2][0]) +
          u[0][2] * (u[1][0] * u[2][1] - u[1][1] * u[2][0])) /
         6.0;
}

/* Adds the volume, and the integral of a linear function, over simplices of the mesh. */
static void add_simplices(const mesh_case *it, double sum[2]) {
  const int corners = it->dimension + 1;
  for (int64_t i = 0; i < it->n_cells; ++i) {
    const double *x[4] = {NULL};
    double mean = 0.0;
    for (int k = 0; k < corners; ++k) {
      x[k] = it->points + 3 * it->ids[it->offsets[i] + k];
      mean += mesh_linear(x[k]) / corners;
    }
    const double v = fabs(volume_of(x, it->dimension));
    sum[0] += v;
    sum[1] += v * mean;
  }
}

static void add_pieces(const mesh_case *it, const clipped *c, double sum[2]) {
  const int corners = it->dimension + 1;
  for (int64_t i = 0; i < c->sizes.pieces; ++i) {
    const double *x[4] = {NULL};
    double mean = 0.0;
    for (int k = 0; k < corners; ++k) {
      const int64_t id = c->connectivity[i * corners + k];
      x[k] = c->points + 3 * id;
      mean += c->linear[id] / corners;
    }
    const double v = volume_of(x, it->dimension);
    CHECK_SAY(v > 0.0, "piece %lld has volume %g", (long long)i, v);
    sum[0] += v;
    sum[1] += v * mean;
  }
}

/* Leaves that are not cut. */
static void add_leaves(const mesh_case *it, const mesh_out *tree, const clipped *c, double sum[2]) {
  const int corners = 1 << it->dimension;
  for (int64_t i = 0; i < c->n; ++i) {
    double mean = 0.0;
    if (c->cut[i])
      continue;
    for (int k = 0; k < corners; ++k)
      mean += tree->linear[tree->corners[c->tree[i] * corners + k]] / corners;
    const double v = pow(c->leaves[4 * i + 3] * tree->sizes.spacing, it->dimension);
    sum[0] += v;
    sum[1] += v * mean;
  }
}

/* A linear function goes on beyond the mesh. */
static void check_corners(const mesh_case *it, const mesh_out *tree, const clipped *c) {
  const int corners = 1 << it->dimension;
  for (int64_t i = 0; i < c->n; ++i)
    for (int k = 0; k < corners; ++k) {
      const double *leaf = c->leaves + 4 * i;
      const double found = tree->linear[tree->corners[c->tree[i] * corners + k]];
      double x[3] = {tree->sizes.origin[0], tree->sizes.origin[1], tree->sizes.origin[2]};
      for (int a = 0; a < it->dimension; ++a)
        x[a] += (leaf[a] + (k >> a & 1) * leaf[3]) * tree->sizes.spacing;
      CHECK_SAY(fabs(found - mesh_linear(x)) < 1e-11, "leaf %lld: %.17g, not %.17g", (long long)i,
                found, mesh_linear(x));
    }
}

/* Values are exact, and pieces lie in their leaf and their cell. */
static void check_pieces(const mesh_case *it, const clipped *c) {
  const int corners = it->dimension + 1;
  for (int64_t i = 0; i < c->sizes.points; ++i)
    CHECK_SAY(fabs(c->linear[i] - mesh_linear(c->points + 3 * i)) < 1e-12,
              "point %lld: %.17g, not %.17g", (long long)i, c->linear[i],
              mesh_linear(c->points + 3 * i));
  for (int64_t i = 0; i < c->sizes.pieces; ++i) {
    const double *leaf = c->leaves + 4 * c->leaf[i];
    CHECK(c->cut[c->leaf[i]]);
    CHECK_INT(c->number[i], it->number[c->source[i]]);
    double middle[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < corners; ++k)
      for (int a = 0; a < 3; ++a)
        middle[a] += c->points[3 * c->connectivity[i * corners + k] + a] / corners;
    for (int k = 0; k < corners; ++k) {
      const int64_t id = c->connectivity[i * corners + k];
      double x[3];
      for (int a = 0; a < 3; ++a) /* the apex of a pyramid has no parameters */
        x[a] = 0.99 * c->points[3 * id + a] + 0.01 * middle[a];
      for (int a = 0; a < it->dimension; ++a) {
        const double t = (c->places[3 * id + a] - leaf[a]) / leaf[3];
        CHECK(t > -1e-12 && t < 1.0 + 1e-12);
      }
      CHECK(i % 5 > 0 || mesh_depth(it, c->source[i], x, NULL) > -1e-9);
    }
  }
}

static int compare(const void *a, const void *b) { return memcmp(a, b, 3 * sizeof(int64_t)); }

/* The corners of a face in rising order, so that equal faces have equal bytes; `own`: its piece. */
typedef struct face {
  int64_t id[3], own;
} face;

static void set_face(face *f, const int64_t *ids, int corners, int without) {
  int n = 0;
  memset(f, 0, sizeof *f);
  for (int k = 0; k < corners; ++k)
    if (k != without) {
      int to = n++;
      for (; to > 0 && f->id[to - 1] > ids[k]; --to)
        f->id[to] = f->id[to - 1];
      f->id[to] = ids[k];
    }
}

/* A face of one piece alone lies on a side of its leaf, or on the box of the mesh. */
static void check_faces(const mesh_case *it, const mesh_recipe *r, const clipped *c) {
  const int corners = it->dimension + 1;
  const int64_t n = c->sizes.pieces * corners;
  face *faces = take(n, sizeof *faces);
  for (int64_t i = 0; i < n; ++i) {
    set_face(&faces[i], c->connectivity + i / corners * corners, corners, (int)(i % corners));
    faces[i].own = i / corners;
  }
  qsort(faces, (size_t)n, sizeof *faces, compare);
  for (int64_t i = 0; i < n; ++i) {
    int same = (i > 0 && compare(&faces[i - 1], &faces[i]) == 0) +
               (i + 1 < n && compare(&faces[i + 1], &faces[i]) == 0);
    const double *leaf = c->leaves + 4 * c->leaf[faces[i].own];
    for (int a = 0; a < it->dimension && same == 0; ++a)
      for (int side = 0; side < 2 && same == 0; ++side) {
        int on_leaf = 0, on_box = 0;
        for (int k = 0; k < corners - 1; ++k) {
          const int64_t id = faces[i].id[k];
          on_leaf += c->places[3 * id + a] == leaf[a] + side * leaf[3];
          on_box +=
              fabs(c->points[3 * id + a] - r->origin[a] - side * r->n[a] * r->scale[a]) < 1e-12;
        }
        same = on_leaf == corners - 1 || on_box == corners - 1;
      }
    CHECK_SAY(same == 1, "kind %d, jitter %g: piece %lld: a face is shared %d times", (int)r->kind,
              r->jitter, (long long)faces[i].own, same);
  }
  free(faces);
}

/* No two points are at one place: pieces of different cells and leaves have one point there. */
static void check_points(int kind, const clipped *c) {
  const int64_t n = c->sizes.points;
  face *places = take(n, sizeof *places);
  for (int64_t i = 0; i < n; ++i)
    for (int a = 0; a < 3; ++a)
      places[i].id[a] = llround(1e9 * c->places[3 * i + a]);
  qsort(places, (size_t)n, sizeof *places, compare);
  for (int64_t i = 1; i < n; ++i)
    CHECK_SAY(compare(&places[i - 1], &places[i]) != 0, "kind %d: two points at %.9f %.9f %.9f",
              kind, 1e-9 * (double)places[i].id[0], 1e-9 * (double)places[i].id[1],
              1e-9 * (double)places[i].id[2]);
  free(places);
}

static void compare_runs(const mesh_case *it, const clipped *one, const clipped *other) {
  const size_t points = (size_t)one->sizes.points, pieces = (size_t)one->sizes.pieces;
  CHECK(memcmp(&one->sizes, &other->sizes, sizeof one->sizes) == 0);
  if (memcmp(&one->sizes, &other->sizes, sizeof one->sizes) != 0)
    return;
  CHECK(memcmp(one->points, other->points, points * 3 * sizeof(double)) == 0);
  CHECK(memcmp(one->linear, other->linear, points * sizeof(double)) == 0);
  CHECK(memcmp(one->connectivity, other->connectivity,
               pieces * (size_t)(it->dimension + 1) * sizeof(int64_t)) == 0);
  CHECK(memcmp(one->source, other->source, pieces * sizeof(int64_t)) == 0);
}

/* simplices: the mesh is made of them, and their sums are the answer; otherwise the answer is that
 * of the box that the mesh fills. */
static void check_mesh(const mesh_recipe *r, double cell_size, int simplices) {
  mesh_case it = mesh_case_make(r);
  tsr_mesh_options options;
  mesh_out tree;
  clipped c, threaded;
  executor exec = {.threads = 3};
  const tsr_execution execution = executor_execution(&exec);
  double found[2] = {0.0, 0.0}, right[2] = {0.0, 0.0};
  tsr_mesh_options_init(&options);
  options.cell_size = cell_size;
  options.levels = 2;
  options.extrapolate = 1;
  mesh_run(&it, &options, NULL, &tree);
  CHECK_INT(tree.status, TSR_OK);
  run(&it, &options, &tree, NULL, &c);
  CHECK_SAY(c.status == TSR_OK, "kind %d: %s", (int)r->kind, c.error.text);
  if (simplices) {
    add_simplices(&it, right);
  } else {
    double middle[3] = {0.0, 0.0, 0.0};
    right[0] = 1.0;
    for (int a = 0; a < it.dimension; ++a) {
      right[0] *= r->n[a] * r->scale[a];
      middle[a] = r->origin[a] + 0.5 * r->n[a] * r->scale[a];
    }
    if (it.dimension == 2)
      middle[2] = r->origin[2];
    right[1] = right[0] * mesh_linear(middle);
  }
  if (cell_size < 0.1) /* some leaves lie within the mesh */
    CHECK(c.sizes.cut > 0 && c.sizes.cut < c.n);
  if (r->origin[0] == cell_size) /* its cells end where leaves end */
    CHECK_INT(c.sizes.cut, 0);
  add_pieces(&it, &c, found);
  add_leaves(&it, &tree, &c, found);
  CHECK_SAY(fabs(found[0] - right[0]) < 1e-12 * right[0], "kind %d: volume %.17g, not %.17g",
            (int)r->kind, found[0], right[0]);
  CHECK_SAY(fabs(found[1] - right[1]) < 1e-12 * (right[0] + fabs(right[1])),
            "kind %d: integral %.17g, not %.17g", (int)r->kind, found[1], right[1]);
  check_pieces(&it, &c);
  check_corners(&it, &tree, &c);
  /* Prisms, polygons and mixed cells have sides that their neighbours cut in another way. */
  if (r->kind != MESH_PRISMS && r->kind != MESH_MIXED && r->kind != MESH_POLYGONS) {
    check_points((int)r->kind, &c);
    if (r->hole == 0.0)
      check_faces(&it, r, &c);
  }
  run(&it, &options, &tree, &execution, &threaded);
  compare_runs(&it, &c, &threaded);
  release(&threaded);
  release(&c);
  mesh_out_free(&tree);
  mesh_case_free(&it);
}

static void expect(const mesh_case *it, const tsr_mesh_clip_options *options, const char *words) {
  tsr_mesh_clip *clip = NULL;
  tsr_error error;
  CHECK_INT(tsr_mesh_clip_create(&it->view, options, NULL, &clip, &error), TSR_BAD_OPTION);
  CHECK(clip == NULL);
  CHECK_SAY(strstr(error.text, words) != NULL, "'%s' lacks '%s'", error.text, words);
}

static void check_bad(void) {
  const mesh_recipe r = {.seed = 1, .kind = MESH_HEXES, .n = {2, 2, 2}, .scale = {1, 1, 1}};
  double leaves[8] = {0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.5};
  mesh_case it = mesh_case_make(&r);
  tsr_mesh_clip_options options;
  tsr_mesh_clip *clip = NULL;
  tsr_error error;
  tsr_mesh_clip_options_init(&options);
  options.lattice.cell_size = 0.25;
  options.lattice.levels = 2;
  options.n_leaves = 2;
  expect(&it, &options, "leaves");
  options.leaves = leaves;
  leaves[7] = 0.3;
  expect(&it, &options, "leaf 1 is no cell of the lattice");
  leaves[7] = 0.125; /* below the finest cell */
  expect(&it, &options, "leaf 1 is no cell of the lattice");
  leaves[7] = 1.0; /* not at a multiple of its side */
  expect(&it, &options, "leaf 1 is no cell of the lattice");
  leaves[3] = 0.0;
  expect(&it, &options, "leaf 0 is no cell of the lattice");
  options.n_leaves = 0;
  CHECK_INT(tsr_mesh_clip_create(&it.view, &options, NULL, &clip, &error), TSR_OK);
  CHECK(clip && tsr_mesh_clip_plan_sizes(clip)->pieces == 0);
  tsr_mesh_clip_free(clip);
  tsr_mesh_clip_free(NULL);
  mesh_case_free(&it);
}

int main(void) {
  check_bad();
  for (int kind = MESH_TETS_5; kind < MESH_KINDS; ++kind) {
    const int simplices =
        kind == MESH_TETS_5 || kind == MESH_TETS_6 || kind == MESH_TRIANGLES || kind == MESH_STRIPS;
    mesh_recipe r = {.seed = 3,
                     .kind = (mesh_kind)kind,
                     .n = {4, 5, 4},
                     .scale = {0.17, 0.13, 0.21},
                     .origin = {0.013, 0.027, 0.031}};
    check_mesh(&r, 0.07, 0);
    r.scale[0] = r.scale[1] = r.scale[2] = 0.25; /* middles of cells on sides of leaves */
    r.origin[0] = r.origin[1] = r.origin[2] = 0.125;
    check_mesh(&r, 0.25, 0);
    if (kind != MESH_PRISMS && kind != MESH_MIXED && kind != MESH_POLYGONS) {
      r.origin[0] = r.origin[1] = r.origin[2] = 0.25;
      check_mesh(&r, 0.25, 0);
    }
    if (simplices && kind != MESH_STRIPS) {
      r.jitter = 0.5;
      r.scale[0] = 0.17;
      check_mesh(&r, 0.1, 1);
      r.hole = 0.1;
      check_mesh(&r, 0.1, 1);
    }
  }
  return check_result();
}
