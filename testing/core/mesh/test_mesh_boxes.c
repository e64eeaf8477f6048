/* SPDX-License-Identifier: BSD-3-Clause */
/** Boxes of unstructured grids: cells of random octrees come back at their places, whatever the
 * order of their points and the number of processes; what is no octree is refused with a sentence.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

enum { MOST_CELLS = 60000, VOXEL = 11, HEXAHEDRON = 12, PIXEL = 8, TETRAHEDRON = 10 };

/** Boxes with 2^dimension points of their own each. */
typedef struct {
  int dimension;
  int turn; /* axis a of the recipe is axis (a + turn) % 3 of the points */
  int64_t n;
  double *points;
  uint8_t *types;
  int64_t *offsets, *ids;
  tsr_mesh_view view;
} boxes_case;

static uint64_t state = 1;

static int below(int n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)n);
}

/** Adds a box with the lowest corner and the sides given, as a voxel, a pixel or a hexahedron. */
static void add_box(boxes_case *it, const double low[3], const double side[3], int kind) {
  const int corners = 1 << it->dimension;
  const int64_t first = it->offsets[it->n];
  for (int k = 0; k < corners; ++k) {
    /* Of a hexahedron, the points of a face go around it. */
    const int corner = kind == HEXAHEDRON && (k & 2) ? k ^ 1 : k;
    for (int a = 0; a < 3; ++a)
      it->points[3 * (first + k) + (a + it->turn) % 3] = low[a] + (corner >> a & 1) * side[a];
    it->ids[first + k] = first + k;
  }
  it->types[it->n] = (uint8_t)kind;
  it->offsets[++it->n] = first + corners;
}

static void split(boxes_case *it, const double low[3], const double side[3], int levels) {
  if (levels > 0 && below(3) == 0) {
    for (int child = 0; child < 1 << it->dimension; ++child) {
      double corner[3] = {0, 0, 0}, half[3] = {0, 0, 0};
      for (int a = 0; a < 3; ++a) {
        half[a] = side[a] / 2;
        corner[a] = low[a] + (child >> a & 1) * half[a];
      }
      split(it, corner, half, levels - 1);
    }
  } else if (below(10) > 0 && it->n < MOST_CELLS - 2 && low[0] > -6.8) {
    add_box(it, low, side, it->dimension == 2 ? PIXEL : below(2) ? VOXEL : HEXAHEDRON);
  }
}

/** The lowest half of the first layer of roots along x is left out: the lattice begins beside all
 *  cells. */
static boxes_case make(int dimension, uint64_t seed, int levels) {
  boxes_case it = {.dimension = dimension, .turn = dimension == 2 ? 1 : 0};
  const double side[3] = {0.5, 0.25, dimension == 3 ? 2.0 : 0.0};
  state = seed;
  it.points = calloc((size_t)MOST_CELLS * 24, sizeof *it.points);
  it.types = calloc(MOST_CELLS, 1);
  it.offsets = calloc(MOST_CELLS + 1, sizeof *it.offsets);
  it.ids = calloc((size_t)MOST_CELLS * 8, sizeof *it.ids);
  for (int root = 0; root < 60; ++root) {
    const double low[3] = {-7.0 + root % 5 * side[0], 3.0 + root / 5 % 4 * side[1],
                           1.0 + root / 20 * side[2]};
    if (root == 31 || root == 7)
      add_box(&it, low, side, dimension == 2 ? PIXEL : VOXEL); /* at least one of level 0 */
    else if (dimension == 3 || root < 20)
      split(&it, low, side, levels);
    if (root == 19 && dimension == 2)
      break;
  }
  tsr_mesh_view_init(&it.view);
  it.view.points = (tsr_array){it.points, TSR_DOUBLE, 3, it.offsets[it.n]};
  it.view.n_cells = it.n;
  it.view.types = it.types;
  it.view.offsets = it.offsets;
  it.view.connectivity = it.ids;
  it.view.n_connectivity = it.offsets[it.n];
  return it;
}

static void free_case(boxes_case *it) {
  free(it->points);
  free(it->types);
  free(it->offsets);
  free(it->ids);
}

/** What one process finds. */
typedef struct {
  tsr_mesh_view view;
  tsr_mesh_boxes boxes;
  tsr_status status;
  tsr_error error;
  uint8_t *level;
  int32_t *index;
  int64_t *corners;
} boxes_out;

static void work(void *data, const tsr_processes *processes) {
  boxes_out *out = data;
  out->level = calloc((size_t)out->view.n_cells + 1, 1);
  out->index = calloc((size_t)out->view.n_cells + 1, 3 * sizeof *out->index);
  out->corners = calloc((size_t)out->view.n_cells + 1, 8 * sizeof *out->corners);
  out->status = tsr_mesh_boxes_find(&out->view, processes, NULL, &out->boxes, &out->error);
  if (out->status == TSR_OK)
    out->status = tsr_mesh_boxes_fill(&out->view, &out->boxes, NULL, out->level, out->index,
                                      out->corners, &out->error);
}

static void free_out(boxes_out *out) {
  free(out->level);
  free(out->index);
  free(out->corners);
}

/** Each corner of a cell of the result has the coordinates that level and index say. */
static void check_places(const boxes_case *it, const boxes_out *out) {
  const int corners = 1 << it->dimension;
  CHECK_INT(out->status, TSR_OK);
  CHECK_INT(out->boxes.dimension, it->dimension);
  for (int64_t cell = 0; out->status == TSR_OK && cell < out->view.n_cells; ++cell)
    for (int k = 0; k < corners; ++k) {
      const double *at = it->points + 3 * out->corners[corners * cell + k];
      for (int a = 0, bit = 0; a < 3; ++a) {
        const double side = ldexp(out->boxes.spacing[a], -out->level[cell]);
        const double place =
            out->boxes.origin[a] +
            (out->index[3 * cell + a] + (out->boxes.cells[a] > 0 && k >> bit++ & 1)) * side;
        CHECK_NEAR(place, at[a], 1e-9);
      }
    }
}

static void check_random(int dimension, uint64_t seed) {
  boxes_case it = make(dimension, seed, 4);
  boxes_out whole = {.view = it.view}, part[3];
  work(&whole, NULL);
  check_places(&it, &whole);
  memset(part, 0, sizeof part);
  for (int64_t k = 0; k < 3; ++k) {
    const int64_t begin = it.n * k / 3, end = it.n * (k + 1) / 3;
    part[k].view = it.view;
    part[k].view.n_cells = end - begin;
    part[k].view.types = it.types + begin;
    part[k].view.offsets = it.offsets + begin;
  }
  ranks_run(3, work, part, sizeof *part);
  for (int64_t k = 0; k < 3; ++k) {
    const int64_t begin = it.n * k / 3, n = part[k].view.n_cells;
    CHECK_INT(part[k].status, TSR_OK);
    CHECK(memcmp(part[k].boxes.origin, whole.boxes.origin, sizeof whole.boxes.origin) == 0);
    CHECK(memcmp(part[k].level, whole.level + begin, (size_t)n) == 0);
    CHECK(memcmp(part[k].index, whole.index + 3 * begin, (size_t)n * 12) == 0);
    free_out(&part[k]);
  }
  free_out(&whole);
  free_case(&it);
}

static void expect(const boxes_case *it, int64_t item, const char *words) {
  boxes_out out = {.view = it->view};
  work(&out, NULL);
  CHECK_INT(out.status, TSR_BAD_INPUT);
  CHECK_INT(out.error.item, item);
  CHECK_SAY(strstr(out.error.text, words) != NULL, "'%s' lacks '%s'", out.error.text, words);
  free_out(&out);
}

static void check_faults(void) {
  boxes_case it = make(3, 5, 7), flat = make(2, 5, 3);
  double *x = it.points + 24 * 9;
  const double kept = x[0];
  const uint8_t kinds[3] = {it.types[9], it.types[40], it.types[30000]};
  CHECK(it.n > 40000); /* several pieces of work */
  it.types[30000] = it.types[40] = it.types[9] = TETRAHEDRON;
  expect(&it, 9, "cell 9 is a tetrahedron: unstructured grids must have cells of two or three");
  it.types[9] = kinds[0];
  it.types[40] = kinds[1];
  it.types[30000] = kinds[2];
  it.ids[8 * 9 + 3] = it.view.points.tuples;
  expect(&it, 9, "cell 9 has a point that the grid does not have");
  it.ids[8 * 9 + 3] = 8 * 9 + 3;
  x[0] = NAN;
  expect(&it, 9, "cell 9 is a voxel two of whose opposite corners lie in one plane");
  x[0] = kept;
  x[3 * 3] += 0.01;
  expect(&it, 9, "that is no box along the axes");
  x[3 * 3] -= 0.01;
  for (int k = 0; k < 8; ++k)
    x[3 * k] += 0.003;
  expect(&it, 9, "cell 9 begins at x = ");
  for (int k = 0; k < 8; ++k)
    x[3 * k] = kept + (x[3 * k] > kept + 0.01 ? 0.3 : 0.0);
  expect(&it, 9, "the sides of cells must be 1, 1/2, 1/4, ...");
  /* A cell far from a box is told before one of another kind behind it. */
  x = it.points + 24 * 128;
  x[3] += 0.5 * (x[3] - x[0]);
  it.types[30000] = TETRAHEDRON;
  expect(&it, 128, "cell 128 is a hexahedron that is no box along the axes");
  flat.points[3 * 4] += 0.5; /* across x */
  expect(&flat, -1, "flat cells must lie in one plane across an axis");
  free_case(&it);
  free_case(&flat);
}

static void check_ghosts(void) {
  boxes_case it = make(3, 8, 2);
  uint8_t *cells = calloc((size_t)it.n, 1), *points = calloc((size_t)it.view.points.tuples, 1);
  uint8_t *hidden = calloc((size_t)it.n, 1), *copies = calloc((size_t)it.n, 1);
  cells[2] = 32; /* hidden */
  cells[3] = 8;  /* refined */
  cells[4] = 1;  /* a copy */
  cells[5] = 4;  /* of no meaning here */
  points[8 * 7 + 6] = 2;
  CHECK_INT(tsr_mesh_read_ghosts(&it.view, cells, points, NULL, hidden, copies, NULL), TSR_OK);
  for (int64_t cell = 0; cell < it.n; ++cell) {
    CHECK_INT(hidden[cell], cell == 2 || cell == 3 || cell == 7);
    CHECK_INT(copies[cell], cell == 4);
  }
  CHECK_INT(tsr_mesh_read_ghosts(&it.view, cells, NULL, NULL, NULL, NULL, NULL), TSR_BAD_INPUT);
  free(cells);
  free(points);
  free(hidden);
  free(copies);
  free_case(&it);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    check_random(3, seed);
    check_random(2, seed);
  }
  check_faults();
  check_ghosts();
  return check_result();
}
