/* SPDX-License-Identifier: BSD-3-Clause */
/** Bad input of curved cells: a sentence, or a note, and nothing else lost. Cells that are
 * degenerate: what comes out. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cell_mesh.h"
#include "check.h"

static tsr_cells_options defaults(void) {
  tsr_cells_options o;
  tsr_cells_options_init(&o);
  return o;
}

/* Two quadratic triangles of 6 points that share the edge of 0 and 1. */
static cell_mesh two_triangles(void) {
  static const double x[9][3] = {{0, 0, 0},     {1, 0, 0},      {0, 1, 0},
                                 {0.5, 0, 0.1}, {0.6, 0.6, 0},  {-0.1, 0.5, 0},
                                 {0.5, -1, 0},  {0.2, -0.5, 0}, {0.8, -0.5, 0.1}};
  static const int64_t upper[6] = {0, 1, 2, 3, 4, 5}, lower[6] = {1, 0, 6, 3, 7, 8};
  static const int d[3] = {2, 2, 1};
  cell_mesh mesh = {0};
  for (int k = 0; k < 9; k++)
    cell_mesh_add_point(&mesh, x[k]);
  cell_mesh_add_cell(&mesh, 22, d, upper, 6);
  cell_mesh_add_cell(&mesh, 22, d, lower, 6);
  return mesh;
}

static void refused(tsr_cells_view view, tsr_cells_options o, tsr_status status,
                    const char *sentence) {
  tsr_cells_plan *plan = NULL;
  tsr_error error;
  CHECK_INT(tsr_cells_plan_create(&view, &o, NULL, &plan, &error), status);
  CHECK_SAY(strstr(error.text, sentence) != NULL, "not '%s', but: %s", sentence, error.text);
  CHECK(plan == NULL);
}

static void options_out_of_range(void) {
  cell_mesh mesh = two_triangles();
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  const double range = -1.0;
  tsr_array field = {mesh.points, TSR_DOUBLE, 3, mesh.n_points};
  tsr_cells_options o = defaults();
  o.chord_error = 0.0;
  refused(view, o, TSR_BAD_OPTION, "the chord error must be a finite number above 0, but is 0");
  o = defaults();
  o.field_error = NAN;
  refused(view, o, TSR_BAD_OPTION, "the field error must be a finite number above 0, but is nan");
  o = defaults();
  o.reference_length = -1.0;
  refused(view, o, TSR_BAD_OPTION, "the reference length");
  o = defaults();
  o.max_segments = 4097;
  refused(view, o, TSR_BAD_OPTION, "between 1 and 4096, not be 4097");
  o = defaults();
  o.limit_points = 3;
  refused(view, o, TSR_TOO_LARGE, "but at most 3 are allowed");
  o = defaults();
  o.n_fields = 1;
  o.fields = &field;
  o.field_ranges = &range;
  refused(view, o, TSR_BAD_OPTION, "the range of field 0");
  field.tuples = 4;
  refused(view, o, TSR_BAD_INPUT, "field 0");
  o = defaults();
  o.struct_size = 0;
  refused(view, o, TSR_BAD_OPTION, "was not set up by its init function");
  cell_mesh_free(&mesh);
}

static void views_that_cannot_be(void) {
  cell_mesh mesh = two_triangles();
  tsr_cells_view view = cell_mesh_view(&mesh, 0);
  view.points.components = 2;
  refused(view, defaults(), TSR_BAD_INPUT, "the array of points");
  view = cell_mesh_view(&mesh, 0);
  view.points.type = TSR_INT32;
  refused(view, defaults(), TSR_BAD_INPUT, "neither float nor double");
  view = cell_mesh_view(&mesh, 0);
  view.types = NULL;
  refused(view, defaults(), TSR_BAD_INPUT, "cell types");
  view = cell_mesh_view(&mesh, 1);
  view.weights.tuples = 3;
  refused(view, defaults(), TSR_BAD_INPUT, "rational weights");
  view = cell_mesh_view(&mesh, 0);
  view.index_type = TSR_FLOAT;
  refused(view, defaults(), TSR_BAD_INPUT, "32-bit nor 64-bit");
  cell_mesh_free(&mesh);
}

/* The second triangle is spoilt: it alone is left out, with one note. */
static void check_note(cell_mesh *mesh, tsr_cells_note note, const char *sentence) {
  const tsr_cells_view view = cell_mesh_view(mesh, 1);
  const tsr_cells_options o = defaults();
  char text[300] = "";
  cell_surface out;
  tsr_error error;
  CHECK_INT(cell_surface_make(mesh, &view, &o, NULL, &out, &error), TSR_OK);
  for (int k = 0; k < TSR_CELLS_NOTES; k++)
    CHECK_INT(out.sizes.notes[k].count, k == (int)note);
  CHECK_INT(out.sizes.notes[note].first, 1);
  CHECK_INT(out.sizes.faces, 1);
  tsr_cells_note_sentence(note, out.sizes.notes[note], text, sizeof text);
  CHECK_SAY(strstr(text, sentence) != NULL, "not '%s', but: %s", sentence, text);
  cell_surface_free(&out);
  cell_mesh_free(mesh);
}

static void cells_that_are_left_out(void) {
  static const int64_t ids[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const int far_too_high[3] = {11, 1, 1};
  cell_mesh mesh = two_triangles();
  mesh.types[1] = 42;
  check_note(&mesh, TSR_CELLS_NOTE_TYPE, "1 cell (of cell 1) is left out: the type");
  mesh = two_triangles();
  mesh.types[1] = 34;
  check_note(&mesh, TSR_CELLS_NOTE_COUNT, "does not fit the cell's type");
  mesh = two_triangles();
  mesh.n_cells = 1;
  mesh.n_ids = 6;
  cell_mesh_add_cell(&mesh, 70, far_too_high, ids, 8);
  check_note(&mesh, TSR_CELLS_NOTE_DEGREE, "from 1 to 10");
  mesh = two_triangles();
  mesh.ids[9] = 9;
  check_note(&mesh, TSR_CELLS_NOTE_ID, "out of range");
  mesh = two_triangles();
  mesh.ids[9] = INT64_MIN;
  check_note(&mesh, TSR_CELLS_NOTE_ID, "out of range");
  mesh = two_triangles();
  mesh.points[3 * 8 + 1] = NAN;
  check_note(&mesh, TSR_CELLS_NOTE_PLACE, "not finite");
  mesh = two_triangles();
  mesh.n_cells = 1;
  mesh.n_ids = 6;
  mesh.weights[7] = 0.0;
  cell_mesh_add_cell(&mesh, 77, (const int[3]){3, 1, 1}, ids, 8);
  check_note(&mesh, TSR_CELLS_NOTE_WEIGHT, "weight");
  mesh = two_triangles();
  mesh.offsets[2] = 13;
  check_note(&mesh, TSR_CELLS_NOTE_COUNT, "does not fit");
}

/* Linear cells of all kinds go along as they are; curves become lines. */
static void linear_cells(void) {
  static const int types[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  static const int64_t n[] = {1, 3, 2, 5, 3, 5, 6, 4, 4, 4, 8, 8, 6, 5, 10, 12};
  static const int d[3] = {1, 1, 1};
  const tsr_cells_options o = defaults();
  cell_mesh mesh = {0};
  cell_surface out;
  tsr_error error;
  for (size_t k = 0; k < sizeof n / sizeof n[0]; k++) {
    int64_t ids[12];
    for (int64_t p = 0; p < n[k]; p++) {
      const uint64_t seed = 100 * k + 3 * (uint64_t)p;
      const double x[3] = {cell_mesh_random(seed), cell_mesh_random(seed + 1),
                           cell_mesh_random(seed + 2)};
      ids[p] = cell_mesh_add_point(&mesh, x);
    }
    cell_mesh_add_cell(&mesh, types[k], d, ids, n[k]);
  }
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.verts, 2);
  CHECK_INT(out.sizes.vert_connectivity, 4);
  CHECK_INT(out.sizes.lines, 2);
  CHECK_INT(out.sizes.line_connectivity, 7);
  /* triangle, strip of 3, polygon, pixel, quad; faces of 4 + 6 + 6 + 5 + 5 + 7 + 8. */
  CHECK_INT(out.sizes.polys, 1 + 3 + 1 + 1 + 1 + 41);
  CHECK_INT(out.sizes.poly_connectivity,
            3 + 9 + 6 + 4 + 4 + 12 + 24 + 24 + 18 + 16 + (2 * 5 + 5 * 4) + (2 * 6 + 6 * 4));
  CHECK_INT(out.sizes.points, mesh.n_points);
  CHECK_INT(out.sizes.edges, 0);
  for (int64_t k = 0; k < out.sizes.points; k++)
    CHECK(memcmp(out.points + 3 * k, mesh.points + 3 * k, 24) == 0);
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

/* A quadratic edge, an arc of height 0.1 over length 2: off by 0.1 / n^2. */
static void one_curve(void) {
  static const double x[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0.1, 0}};
  static const int64_t ids[3] = {0, 1, 2};
  static const int d[3] = {2, 1, 1};
  cell_mesh mesh = {0};
  tsr_cells_options o = defaults();
  cell_surface out;
  tsr_error error;
  for (int k = 0; k < 3; k++)
    cell_mesh_add_point(&mesh, x[k]);
  cell_mesh_add_cell(&mesh, 21, d, ids, 3);
  o.chord_relative = 0;
  o.chord_error = 1e-3;
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.lines, 1);
  CHECK_INT(out.sizes.line_connectivity, 1 + (int)ceil(sqrt(0.1 / (0.75 * 1e-3))));
  for (int64_t k = 0; k < out.sizes.line_connectivity; k++) {
    const double *p = out.points + 3 * out.lines[k];
    CHECK_NEAR(p[0], -1.0 + 2.0 * (double)k / (double)(out.sizes.line_connectivity - 1), 1e-14);
    CHECK_NEAR(p[1], 0.1 * (1.0 - p[0] * p[0]), 1e-14);
  }
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

/* Degenerate faces: all nodes in one point, a side of no length, a face turned over, far away. */
static void degenerate(int which) {
  double x[9][3];
  static const int d[2] = {2, 2};
  const tsr_cells_options o = defaults();
  cell_mesh mesh = {0};
  cell_surface out;
  tsr_error error;
  for (int k = 0; k < 9; k++) {
    const double u = k % 3 / 2.0, v = k / 3 / 2.0;
    x[k][0] = which == 0 ? 3.0 : which == 1 ? u * v : which == 2 ? -u : 1e12 + u;
    x[k][1] = which == 0 ? 4.0 : v;
    x[k][2] = which == 0 ? 5.0 : k == 4 ? 0.25 : 0.0;
  }
  cell_mesh_add_face(&mesh, 4, 0, d, (const double(*)[3])x);
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  for (int k = 0; k < TSR_CELLS_NOTES; k++)
    CHECK_INT(out.sizes.notes[k].count, 0);
  CHECK(which == 0 ? out.sizes.polys == 2 : out.sizes.polys > 8);
  for (int64_t p = 0; p < out.sizes.points; p++)
    CHECK(isfinite(out.points[3 * p]) && isfinite(out.points[3 * p + 2]));
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

/* Values that are no numbers ask for nothing; at their node they stay. */
static void field_with_nan(void) {
  cell_mesh mesh = two_triangles();
  double values[9] = {0, 1, NAN, 0, INFINITY, 0, 0, 0, 0};
  const tsr_array field = {values, TSR_DOUBLE, 1, 9};
  tsr_cells_options o = defaults();
  cell_surface out;
  tsr_error error;
  o.use_chord_error = 0;
  o.fields = &field;
  o.n_fields = 1;
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK(out.sizes.polys < 1000);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_LIMIT].count, 0);
  cell_surface_free(&out);
  o.max_segments = 2;
  o.use_chord_error = 1;
  o.chord_error = 1e-6;
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_LIMIT].count, 2);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_LIMIT].first, 0);
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

static void nothing_at_all(void) {
  cell_mesh mesh = {0};
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  const tsr_cells_options o = defaults();
  cell_surface out;
  tsr_error error;
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.points + out.sizes.polys, 0);
  CHECK_INT(out.poly_offsets[0], 0);
  cell_surface_free(&out);
}

int main(void) {
  options_out_of_range();
  views_that_cannot_be();
  cells_that_are_left_out();
  linear_cells();
  one_curve();
  for (int which = 0; which < 4; which++)
    degenerate(which);
  field_with_nan();
  nothing_at_all();
  return check_result();
}
