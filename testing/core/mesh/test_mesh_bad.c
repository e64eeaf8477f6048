/* SPDX-License-Identifier: BSD-3-Clause */
/** Octrees of meshes: bad input, notes, types, and meshes whose octree is known. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mesh_case.h"

static mesh_case cube(mesh_kind kind) {
  const mesh_recipe r = {
      .seed = 1, .kind = kind, .n = {2, 2, 2}, .scale = {1, 1, 1}, .origin = {-3, 2, 10}};
  return mesh_case_make(&r);
}

static void expect(const mesh_case *it, const tsr_mesh_options *options, tsr_status status,
                   int64_t item, const char *words) {
  mesh_out out;
  mesh_run(it, options, NULL, &out);
  CHECK_SAY(out.status == status, "status %d, not %d (%s)", out.status, status, words);
  CHECK_SAY(out.status != status || strstr(out.error.text, words) != NULL, "'%s' lacks '%s'",
            out.error.text, words);
  if (item >= 0)
    CHECK_INT(out.error.item, item);
  mesh_out_free(&out);
}

static void check_faults(void) {
  mesh_case it = cube(MESH_TETS_5), poly = cube(MESH_POLYHEDRA), quads = cube(MESH_QUADS);
  const int64_t id = it.ids[4 * 7 + 2], offset = it.offsets[5];
  it.ids[4 * 7 + 2] = it.n_points;
  expect(&it, NULL, TSR_BAD_INPUT, 7, "cell 7 of the mesh has a point");
  it.ids[4 * 7 + 2] = -1;
  expect(&it, NULL, TSR_BAD_INPUT, 7, "cell 7");
  it.ids[4 * 7 + 2] = id;
  it.offsets[5] = it.n_ids + 100;
  expect(&it, NULL, TSR_BAD_INPUT, 4, "cell 4");
  it.offsets[5] = offset - 1;
  expect(&it, NULL, TSR_BAD_INPUT, 4, "has not the points of its kind");
  it.offsets[5] = offset;
  it.view.n_connectivity = 10;
  expect(&it, NULL, TSR_BAD_INPUT, 2, "leave the connectivity");
  it.view.n_connectivity = it.n_ids;
  it.view.points.components = 2;
  expect(&it, NULL, TSR_BAD_INPUT, -1, "points");
  it.view.points.components = 3;
  poly.face_ids[30] = 1000;
  expect(&poly, NULL, TSR_BAD_INPUT, 1, "cell 1");
  poly.face_ids[30] = 0;
  poly.view.cell_faces = NULL;
  expect(&poly, NULL, TSR_BAD_INPUT, 0, "polyhedron");
  quads.points[2] += 0.5;
  expect(&quads, NULL, TSR_BAD_INPUT, -1, "in a plane");
  mesh_case_free(&it);
  mesh_case_free(&poly);
  mesh_case_free(&quads);
}

static void check_options(void) {
  mesh_case it = cube(MESH_HEXES);
  tsr_mesh_options options;
  tsr_mesh_field field = {{it.front, TSR_DOUBLE, 1, it.n_points - 1}, 0.1, 0};
  tsr_mesh_options_init(&options);
  options.levels = 21;
  expect(&it, &options, TSR_BAD_OPTION, -1, "levels is 21");
  options.levels = 0;
  options.cell_size = -1.0;
  expect(&it, &options, TSR_BAD_OPTION, -1, "size of the finest");
  options.cell_size = 1e-7;
  expect(&it, &options, TSR_TOO_LARGE, -1, "2^20");
  options.cell_size = 0.1;
  options.limit_cells = 7999;
  expect(&it, &options, TSR_TOO_LARGE, -1, "8000 cells, above the limit of 7999");
  options.limit_cells = 8000;
  expect(&it, &options, TSR_OK, -1, "");
  options.fields = &field;
  options.n_fields = 1;
  expect(&it, &options, TSR_BAD_INPUT, -1, "field");
  mesh_case_free(&it);
}

/* Two unit cubes of 8 boxes, and their octree by hand. */
static void check_known(void) {
  static const mesh_kind kinds[3] = {MESH_HEXES, MESH_VOXELS, MESH_TETS_5};
  for (int k = 0; k < 3; ++k) {
    mesh_case it = cube(kinds[k]);
    tsr_mesh_options options;
    mesh_out out;
    tsr_mesh_options_init(&options);
    options.levels = 0;
    options.cell_size = 1.0;
    mesh_run(&it, &options, NULL, &out);
    CHECK_INT(out.status, TSR_OK);
    CHECK_INT(out.sizes.n, 8);
    CHECK_INT(out.sizes.points, 27);
    CHECK_INT(out.sizes.inside, 8);
    CHECK(out.sizes.origin[0] == -3.0 && out.sizes.origin[1] == 2.0 && out.sizes.origin[2] == 10.0);
    for (int64_t p = 0; p < out.sizes.points && out.sizes.points == 27; ++p)
      CHECK_INT(out.inside[p], 1);
    mesh_out_free(&out);
    /* Level 0 of 4: a box around with its corner at a multiple of 4. */
    options.levels = 2;
    options.cell_size = k < 2 ? 0.0 : 1.0;
    mesh_run(&it, &options, NULL, &out);
    CHECK(out.sizes.spacing == 4.0);
    CHECK(out.sizes.origin[0] == -4.0 && out.sizes.origin[1] == 0.0 && out.sizes.origin[2] == 8.0);
    CHECK_INT(out.sizes.cells[0], 1);
    CHECK_INT(out.sizes.inside, 8);
    mesh_out_free(&out);
    /* A side of the mesh on a side of a leaf does not cut it. */
    options.whole_cells = 1;
    mesh_run(&it, &options, NULL, &out);
    CHECK_INT(out.sizes.inside, 8);
    mesh_out_free(&out);
    mesh_case_free(&it);
  }
}

static void check_notes(void) {
  mesh_case it = cube(MESH_TETS_6);
  tsr_mesh_options options;
  uint8_t *hidden = calloc((size_t)it.n_cells, 1);
  mesh_out out;
  char text[200] = "";
  tsr_mesh_options_init(&options);
  it.points[0] = NAN;
  it.types[40] = 24; /* a quadratic tetrahedron */
  it.types[41] = 1;  /* a vertex */
  hidden[47] = 1;
  it.view.hidden_cells = hidden;
  mesh_run(&it, &options, NULL, &out);
  CHECK_INT(out.status, TSR_OK);
  CHECK_INT(out.sizes.notes[TSR_MESH_NOTE_NOT_FINITE].count, 6);
  CHECK_INT(out.sizes.notes[TSR_MESH_NOTE_NOT_FINITE].first, 0);
  CHECK_INT(out.sizes.notes[TSR_MESH_NOTE_KIND].count, 1);
  CHECK_INT(out.sizes.notes[TSR_MESH_NOTE_KIND].first, 40);
  tsr_mesh_note_sentence(TSR_MESH_NOTE_KIND, out.sizes.notes[TSR_MESH_NOTE_KIND], text,
                         sizeof text);
  CHECK(strstr(text, "cell 40") != NULL);
  CHECK(out.point_places[0] != out.point_places[0]);
  CHECK(out.cell_places[0] != out.cell_places[0]);
  CHECK(out.cell_places[3 * 47] != out.cell_places[3 * 47]);
  CHECK(out.cell_places[3 * 46] == out.cell_places[3 * 46]);
  mesh_out_free(&out);
  memset(hidden, 1, (size_t)it.n_cells);
  mesh_run(&it, &options, NULL, &out);
  CHECK_INT(out.status, TSR_OK);
  CHECK_INT(out.sizes.dimension, 0);
  CHECK_INT(out.sizes.n, 0);
  mesh_out_free(&out);
  free(hidden);
  mesh_case_free(&it);
}

/* Cells that are turned round are told of unless all are, as in a mirrored mesh. */
static void check_inverted(void) {
  mesh_case it = cube(MESH_HEXES);
  mesh_out out;
  for (int64_t i = 0; i < it.n_points; ++i)
    it.points[3 * i] *= -1.0;
  mesh_run(&it, NULL, NULL, &out);
  CHECK_INT(out.status, TSR_OK);
  CHECK_INT(out.sizes.notes[TSR_MESH_NOTE_INVERTED].count, 0);
  mesh_out_free(&out);
  for (int k = 0; k < 4; ++k) {
    const int64_t lower = it.ids[k];
    it.ids[k] = it.ids[4 + k];
    it.ids[4 + k] = lower;
  }
  mesh_run(&it, NULL, NULL, &out);
  CHECK_INT(out.sizes.notes[TSR_MESH_NOTE_INVERTED].count, it.n_cells - 1);
  CHECK_INT(out.sizes.notes[TSR_MESH_NOTE_INVERTED].first, 1);
  mesh_out_free(&out);
  mesh_case_free(&it);
}

/* Float points and 32-bit ids make the octree of the same numbers in double and 64 bits. */
static void check_types(void) {
  mesh_case it = cube(MESH_MIXED);
  float *points = malloc((size_t)it.n_points * 3 * sizeof *points);
  int32_t *ids = malloc((size_t)(it.n_ids + it.n_cells * 2 + it.n_faces + it.n_face_ids + 4) * 4);
  int32_t *next = ids;
  mesh_out one, other;
  for (int64_t i = 0; i < 3 * it.n_points; ++i)
    points[i] = (float)it.points[i];
  mesh_run(&it, NULL, NULL, &one);
#define NARROW(MEMBER, FROM, N)                                                                    \
  it.view.MEMBER = it.view.MEMBER ? next : NULL;                                                   \
  for (int64_t i = 0; i < (N) && it.view.MEMBER; ++i)                                              \
  *next++ = (int32_t)FROM[i]
  NARROW(offsets, it.offsets, it.n_cells + 1);
  NARROW(connectivity, it.ids, it.n_ids);
  NARROW(cell_faces, it.cell_faces, it.n_cells + 1);
  NARROW(face_offsets, it.face_offsets, it.n_faces + 1);
  NARROW(face_ids, it.face_ids, it.n_face_ids);
#undef NARROW
  it.view.index_type = TSR_INT32;
  it.view.points = (tsr_array){points, TSR_FLOAT, 3, it.n_points};
  mesh_run(&it, NULL, NULL, &other);
  CHECK_INT(one.status, TSR_OK);
  const char *difference = mesh_difference(&it, &one, &other);
  CHECK_SAY(!difference, "%s differs: %s", difference ? difference : "", other.error.text);
  mesh_out_free(&one);
  mesh_out_free(&other);
  free(points);
  free(ids);
  mesh_case_free(&it);
}

int main(void) {
  check_faults();
  check_options();
  check_known();
  check_notes();
  check_inverted();
  check_types();
  return check_result();
}
