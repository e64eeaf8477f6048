/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The output Cells, of a single cell. Known answers: the tetrahedra of a cell tile its parameter
 * domain, whose volume is 1/6, 1 or 1/2; an evaluation of the cell in long double by the textbook
 * formulas of Lagrange and Bernstein, at random places of the tetrahedra and at the nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "cells/form/forms.h"
#include "cells/volumes/solid_bend_math.h"
#include "cells/volumes/tetra_forms.h"
#include "check.h"
#include "solid_mesh.h"

/* How the nodes of a cell are moved: each by noise of its own, or all by one smooth map, as the
 * nodes of a mesh that follows a curved body are. */
typedef enum moved { BY_NOISE, SMOOTHLY, SMOOTHLY_IN_SINGLE, AT_RANDOM } moved;

/* What makes a cell at random hard: a parabola whose second derivatives have one sign all over, as
 * no random numbers do, so that the error comes near its bound; or a place far away. */
typedef enum hard { EASY, PARABOLA, SADDLE, FAR } hard;

/* A cell whose nodes lie at the places of its lattice, moved; row by row. */
typedef struct one_cell {
  cell_mesh mesh;
  int type, d[3], rational;
  moved how;
  double noise;
  int64_t nodes;
  uint64_t seed;      /* AT_RANDOM: of the next random number */
  int at[1331][3];    /* place of each node, by its id */
  double field[1331]; /* the values that are drawn, by the node's id */
  hard kind;          /* AT_RANDOM */
} one_cell;

/* A node of a cell at random. The values carry the parameters: a rational cell interpolates p / w
 * and 1 / w to p / W and 1 / W. */
static int64_t random_node(one_cell *it, const double place[3]) {
  const int bent = it->kind == PARABOLA || it->kind == SADDLE;
  const double u = place[0], v = place[1], w = it->kind == SADDLE ? -place[2] : place[2];
  const double parabola = u * u + u * v + v * v + w * (u + v + place[2]);
  double x[3];
  for (int c = 0; c < 3; c++)
    x[c] = place[c] + (bent ? 0 : it->noise * cell_mesh_between(&it->seed, -1, 1));
  if (bent)
    x[2] += it->noise * parabola;
  if (it->kind == FAR)
    x[0] += 1e5;
  const int64_t id = cell_mesh_add_point(&it->mesh, x);
  double *value = it->mesh.values + CELL_MESH_VALUES * id;
  const double weight = it->rational ? cell_mesh_between(&it->seed, 0.5, 2.0) : 1.0;
  it->mesh.weights[id] = weight;
  it->field[id] = place[0] + it->noise * (bent ? -parabola : cell_mesh_between(&it->seed, -1, 1));
  for (int c = 0; c < 3; c++) {
    it->at[id][c] = (int)(place[c] * it->d[c] + 0.5);
    value[c] = place[c] / weight;
  }
  value[3] = 1.0 / weight;
  it->nodes++;
  return id;
}

static int64_t one_node(void *context, const double place[3]) {
  one_cell *it = context;
  if (it->how == AT_RANDOM)
    return random_node(it, place);
  double x[3], value = 0.3 * sin(place[0] + 2.0 * place[1] + 3.0 * place[2]);
  for (int c = 0; c < 3; c++)
    x[c] = place[c] + (it->how == BY_NOISE
                           ? it->noise * (cell_mesh_random((uint64_t)(3 * it->nodes + c) + 5) - 0.5)
                           : 0.05 * sin(2.0 * place[(c + 1) % 3] + place[c] + 0.3 * c));
  if (it->how == SMOOTHLY_IN_SINGLE) {
    for (int c = 0; c < 3; c++)
      x[c] = (double)(float)x[c];
    value = (double)(float)value;
  }
  const int64_t id = cell_mesh_add_point(&it->mesh, x);
  for (int c = 0; c < 3; c++)
    it->at[id][c] = (int)(place[c] * it->d[c] + 0.5);
  if (it->how == BY_NOISE)
    value = it->noise * cell_mesh_random((uint64_t)id + 99);
  it->mesh.values[CELL_MESH_VALUES * id + 3] = it->field[id] = value;
  it->mesh.weights[id] = 1.0 + it->noise * cell_mesh_random((uint64_t)id + 333);
  it->nodes++;
  return id;
}

/* Lagrange's polynomial of node i of n + 1 in the coordinate x, or x to the power i over i!. */
static long double factor(int bezier, int n, int i, long double x) {
  long double product = 1.0L;
  for (int m = 0; m < i; m++)
    product *= bezier ? x / (m + 1) : (n * x - m) / (m + 1);
  return product;
}

static long double line(int bezier, int n, int i, long double x) {
  long double scale = 1.0L;
  for (int k = 2; bezier && k <= n; k++)
    scale *= k;
  return scale * factor(bezier, n, i, x) * factor(bezier, n, n - i, 1.0L - x);
}

/* Factors of the shape functions at p: for each coordinate those of the nodes 0, 1, ...; the last
 * coordinate is 1 minus the others, of a wedge 1 minus the first two. */
static void factors(const one_cell *it, const long double p[3], long double to[4][11]) {
  const int bezier = it->type >= 78, kind = it->type - (bezier ? 78 : 71);
  const long double left = 1.0L - p[0] - p[1] - (kind == 0 ? p[2] : 0.0L);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i <= it->d[c]; i++)
      to[c][i] = kind == 1 || (kind == 2 && c == 2) ? line(bezier, it->d[c], i, p[c])
                                                    : factor(bezier, it->d[c], i, p[c]);
  for (int i = 0; i <= it->d[0]; i++) {
    to[3][i] = kind == 1 ? 1.0L : factor(bezier, it->d[0], i, left);
    for (int k = 2; kind != 1 && bezier && k <= it->d[0]; k++)
      to[3][i] *= k;
  }
}

/* The cell's point at p, its field, and its weight. */
static void evaluate(const one_cell *it, int rational, const long double p[3], long double to[5]) {
  const int kind = (it->type - 71) % 7;
  long double part[4][11];
  factors(it, p, part);
  memset(to, 0, 5 * sizeof *to);
  for (int64_t k = 0; k < it->nodes; k++) {
    const int *at = it->at[k];
    const int left = kind == 1 ? 0 : it->d[0] - at[0] - at[1] - (kind == 0 ? at[2] : 0);
    const long double w = part[0][at[0]] * part[1][at[1]] * part[2][at[2]] * part[3][left] *
                          (rational ? (long double)it->mesh.weights[k] : 1.0L);
    for (int c = 0; c < 3; c++)
      to[c] += w * it->mesh.points[3 * k + c];
    to[3] += w * it->field[k];
    to[4] += w;
  }
  for (int c = 0; c < 4; c++)
    to[c] /= to[4];
}

/* The parameters of the point x, by Newton's method with divided differences. */
static void invert(const one_cell *it, int rational, const double x[3], long double p[3]) {
  long double here[5], there[5], m[3][3], off[3], step[3];
  for (int c = 0; c < 3; c++)
    p[c] = x[c];
  for (int round = 0; round < 40; round++) {
    evaluate(it, rational, p, here);
    for (int a = 0; a < 3; a++) {
      long double q[3] = {p[0], p[1], p[2]};
      q[a] += 1e-7L;
      evaluate(it, rational, q, there);
      for (int c = 0; c < 3; c++)
        m[c][a] = (there[c] - here[c]) / 1e-7L;
    }
    for (int c = 0; c < 3; c++)
      off[c] = x[c] - here[c];
    const long double whole = solid_mesh_det(m);
    for (int a = 0; a < 3; a++) {
      long double n[3][3];
      memcpy(n, m, sizeof n);
      for (int c = 0; c < 3; c++)
        n[c][a] = off[c];
      step[a] = solid_mesh_det(n) / whole;
    }
    for (int a = 0; a < 3; a++)
      p[a] += step[a];
    if (fabsl(step[0]) + fabsl(step[1]) + fabsl(step[2]) < 1e-13L)
      return;
  }
}

/* Compares random places of tetrahedron t with the cell; place: parameters of the points. */
static void check_tetra(const one_cell *it, int rational, const solid_mesh *out,
                        const long double *place, int64_t t, double chord, double field) {
  const int64_t *ids = out->ids + 4 * t;
  long double w[4], value[4], ends[5];
  for (int k = 0; k < 4; k++) {
    evaluate(it, rational, place + 3 * ids[k], ends);
    w[k] = ends[4];
    value[k] = it->how == AT_RANDOM ? ends[3] : out->values[CELL_MESH_VALUES * ids[k] + 3];
  }
  for (int trial = 0; trial < 6; trial++) {
    long double l[4], sum = 0.0L, heavy = 0.0L, p[3] = {0}, x[4] = {0}, is[5], off = 0.0L;
    for (int k = 0; k < 4; k++)
      sum += l[k] =
          (trial == 0 ? 1.0L : 1e-9L + cell_mesh_random((uint64_t)(t * 64 + trial * 4 + k)));
    for (int k = 0; k < 4; k++) {
      l[k] /= sum;
      heavy += l[k] * w[k];
    }
    for (int k = 0; k < 4; k++) {
      for (int c = 0; c < 3; c++) {
        p[c] += l[k] * place[3 * ids[k] + c];
        x[c] += l[k] * w[k] / heavy * out->points[3 * ids[k] + c];
      }
      x[3] += l[k] * w[k] / heavy * value[k];
    }
    evaluate(it, rational, p, is);
    for (int c = 0; c < 3; c++)
      off += (x[c] - is[c]) * (x[c] - is[c]);
    CHECK_AT_MOST((double)sqrtl(off), chord);
    CHECK_AT_MOST((double)sqrtl(off), out->achieved[t]);
    CHECK_AT_MOST((double)fabsl(x[3] - is[3]), field);
  }
}

/* A single cell with moved nodes. Returns how many tetrahedra it becomes. */
static int64_t check_one(moved how, int type, int d0, int d1, int d2, int rational, double chord,
                         double field) {
  static const double whole[3] = {1.0 / 6.0, 1.0, 0.5};
  one_cell it = {.how = how,
                 .type = type,
                 .d = {d0, d1, d2},
                 .noise = (d0 > 4 ? 0.03 : 0.3) / (d0 > d2 ? d0 * d0 : d2 * d2)};
  tsr_cells_options o;
  solid_mesh out;
  tsr_error error;
  long double sum = 0.0L;
  cell_mesh_add_lattice(&it.mesh, type, it.d, one_node, &it);
  tsr_cells_options_init(&o);
  o.output = TSR_CELLS_VOLUMES;
  o.chord_relative = o.field_relative = 0;
  o.chord_error = chord;
  o.field_error = field;
  double *values = solid_mesh_room(it.nodes, sizeof *values);
  for (int64_t k = 0; k < it.nodes; k++)
    values[k] = it.mesh.values[CELL_MESH_VALUES * k + 3];
  const tsr_array array = {values, TSR_DOUBLE, 1, it.nodes};
  o.fields = &array;
  o.n_fields = 1;
  const tsr_cells_view view = cell_mesh_view(&it.mesh, rational);
  CHECK_INT(solid_mesh_make(&it.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  for (int k = 0; k < TSR_CELLS_NOTES; k++)
    CHECK_INT(out.sizes.notes[k].count, 0);
  CHECK_INT(out.sizes.polys, 0);
  CHECK_INT(out.sizes.solid_connectivity, 4 * out.sizes.solids);
  long double *place = solid_mesh_room(3 * out.sizes.points, sizeof *place);
  for (int64_t p = 0; p < out.sizes.points; p++)
    invert(&it, rational, out.points + 3 * p, place + 3 * p);
  const int64_t every = out.sizes.solids / 200 + 1;
  for (int64_t t = 0; t < out.sizes.solids; t++) {
    const int64_t *ids = out.ids + 4 * t;
    const long double *at[4];
    for (int k = 0; k < 4; k++)
      at[k] = place + 3 * ids[k];
    const long double volume = solid_mesh_volume(at);
    CHECK_SAY(volume > 0.0L, "type %d degree %d: tetrahedron %lld of %lld has volume %Lg", type, d0,
              (long long)t, (long long)out.sizes.solids, volume);
    CHECK_INT(out.types[t], 10);
    sum += volume;
    if (t % every == 0)
      check_tetra(&it, rational, &out, place, t, chord, field);
  }
  CHECK_NEAR((double)sum, whole[(type - 71) % 7], 1e-10);
  const int64_t n = out.sizes.solids;
  printf("type %d, degrees %d %d %d, %s: %lld tetrahedra\n", type, d0, d1, d2,
         rational ? "rational" : "polynomial", (long long)n);
  free(values);
  free(place);
  solid_mesh_free(&out);
  cell_mesh_free(&it.mesh);
  return n;
}

/* Smooth cells of high degrees. The nearer a cell comes to the map, the more its needs are those
 * of the map, and the Bernstein coefficients come nearer to the second derivatives: so no high
 * degree needs more tetrahedra than degree 4 does. */
static void check_smooth(void) {
  for (int kind = 0; kind < 3; kind++) {
    const int64_t most = check_one(SMOOTHLY, 71 + kind, 4, 4, 4, 0, 0.1, 0.1);
    for (int d = 8; d <= 10; d++)
      CHECK_AT_MOST(check_one(SMOOTHLY, 71 + kind, d, d, d, 0, 0.1, 0.1), most);
    CHECK_AT_MOST(check_one(SMOOTHLY_IN_SINGLE, 71 + kind, 8, 8, 8, 0, 0.1, 0.1), most);
  }
  check_one(SMOOTHLY_IN_SINGLE, 71, 10, 10, 10, 0, 0.1, 0.1);
}

/* Bernstein coefficients of a cell of Lagrange: as those of a Bezier cell, they give the values at
 * the nodes again. Bounds of the error are so wide that no output shows whether they come from
 * these coefficients or from the values at the nodes. */
static void check_coefficients(const tsr_cells_criteria *criteria, int type, int d0, int d1,
                               int d2) {
  one_cell it = {.how = BY_NOISE, .type = type, .d = {d0, d1, d2}, .noise = 1.0};
  static double value[TSR_SOLID_NODES], q[TSR_SOLID_NODES];
  tsr_solid solid;
  tsr_cell cell;
  cell_mesh_add_lattice(&it.mesh, type, it.d, one_node, &it);
  const tsr_cells_view view = cell_mesh_view(&it.mesh, 0);
  tsr_cell_at(&view, 0, &cell);
  tsr_solid_of(&view, &cell, &solid);
  CHECK_INT(solid.n, it.nodes);
  for (int k = 0; k < solid.n; k++)
    q[k] = value[k] = it.mesh.values[CELL_MESH_VALUES * solid.id[k] + 3];
  tsr_solid_to_bernstein(criteria, &solid, q);
  for (int k = 0; k < solid.n; k++)
    it.field[solid.id[k]] = q[k];
  it.type = type + 7;
  for (int k = 0; k < solid.n; k++) {
    const int *at = it.at[solid.id[k]];
    const long double p[3] = {(long double)at[0] / d0, (long double)at[1] / d1,
                              (long double)at[2] / d2};
    long double is[5];
    evaluate(&it, 0, p, is);
    CHECK_NEAR((double)is[3], value[k], 1e-9);
  }
  cell_mesh_free(&it.mesh);
}

static void check_all_coefficients(void) {
  double *forms = solid_mesh_room(tsr_forms_size(), sizeof *forms);
  double *tetra_forms =
      solid_mesh_room(tsr_tetra_form(TSR_CELLS_MAX_DEGREE + 1), sizeof *tetra_forms);
  const tsr_cells_criteria criteria = {.forms = forms, .tetra_forms = tetra_forms};
  tsr_forms_make(TSR_FORMS_ALL, forms);
  tsr_tetra_forms_make(TSR_FORMS_ALL, tetra_forms);
  for (int d = 1; d <= TSR_CELLS_MAX_DEGREE; d++) {
    const int other = 11 - d;
    check_coefficients(&criteria, 71, d, d, d);
    check_coefficients(&criteria, 72, d, other, d < 6 ? 2 : d);
    check_coefficients(&criteria, 73, d, d, other);
  }
  free(forms);
  free(tetra_forms);
}

/* A cell at random: of any shape, mostly of low degrees (a wedge of the degrees 1 and 6 would have
 * the 21 nodes of VTK's wedge of degree 2), its nodes moved by up to twice the distance between
 * them, so that it may be inside out. */
static one_cell random_cell(uint64_t *seed) {
  static const double noises[] = {0.0, 0.01, 0.1, 0.5, 2.0};
  const int bezier = cell_mesh_random((*seed)++) < 0.5, kind = (int)cell_mesh_between(seed, 0, 3);
  const double many = cell_mesh_random((*seed)++) < 0.05 ? 5.0 : 3.0;
  one_cell it = {.how = AT_RANDOM, .type = 71 + 7 * bezier + kind};
  it.rational = bezier && cell_mesh_random((*seed)++) < 0.5;
  for (int c = 0; c < 3; c++)
    it.d[c] = 1 + (int)cell_mesh_between(seed, 0, many);
  it.d[1] = kind == 1 ? it.d[1] : it.d[0];
  it.d[2] = kind == 0 ? it.d[0] : it.d[2];
  it.noise = noises[(int)cell_mesh_between(seed, 0, 5)] / (it.d[0] > it.d[2] ? it.d[0] : it.d[2]);
  const double hardness = cell_mesh_between(seed, 0, 8); /* half of all cells are easy */
  it.kind = hardness < 2 ? PARABOLA : hardness < 3 ? SADDLE : hardness < 4 ? FAR : EASY;
  it.seed = *seed;
  cell_mesh_add_lattice(&it.mesh, it.type, it.d, one_node, &it);
  *seed = it.seed;
  return it;
}

/* Parameters of the points, as the values carry them. */
static long double *carried(const solid_mesh *out) {
  long double *place = solid_mesh_room(3 * out->sizes.points, sizeof *place);
  for (int64_t p = 0; p < out->sizes.points; p++)
    for (int c = 0; c < 3; c++)
      place[3 * p + c] = (long double)out->values[CELL_MESH_VALUES * p + c] /
                         (long double)out->values[CELL_MESH_VALUES * p + 3];
  return place;
}

/* Checks all tetrahedra of a random cell by their volumes, and `sample` of them by their errors.
 * Returns their number. */
static int64_t check_random_cell(const one_cell *it, uint64_t *seed, int64_t sample) {
  static const double whole[3] = {1.0 / 6.0, 1.0, 0.5};
  const double size = it->noise * (1 + it->noise) + 1e-3;
  const tsr_cells_view view = cell_mesh_view(&it->mesh, it->rational);
  const tsr_array array = {it->field, TSR_DOUBLE, 1, it->nodes};
  tsr_cells_options o;
  solid_mesh out;
  tsr_error error;
  long double sum = 0.0L;
  tsr_cells_options_init(&o);
  o.output = TSR_CELLS_VOLUMES;
  o.chord_relative = o.field_relative = 0;
  o.chord_error = size * exp(cell_mesh_between(seed, -1.0, 4.0));
  o.field_error = size * exp(cell_mesh_between(seed, -1.0, 4.0));
  o.fields = &array;
  o.n_fields = 1;
  o.max_segments = 6;
  CHECK_INT(solid_mesh_make(&it->mesh, &view, &o, NULL, &out, &error), TSR_OK);
  const int fulfilled = out.sizes.notes[TSR_CELLS_NOTE_LIMIT].count == 0;
  const double chord = fulfilled ? o.chord_error : 1e300, field = fulfilled ? o.field_error : 1e300;
  const int64_t n = out.sizes.solids, step = n / sample + 1;
  long double *place = carried(&out);
  for (int64_t t = 0; t < n; t++) {
    const int64_t *ids = out.ids + 4 * t;
    const long double *at[4] = {place + 3 * ids[0], place + 3 * ids[1], place + 3 * ids[2],
                                place + 3 * ids[3]};
    const long double volume = solid_mesh_volume(at);
    CHECK_SAY(volume > 0.0L, "type %d: tetrahedron %lld has volume %Lg", it->type, (long long)t,
              volume);
    sum += volume;
    if (t % step == n % step)
      check_tetra(it, it->rational, &out, place, t, chord, field);
  }
  CHECK_NEAR((double)sum, whole[(it->type - 71) % 7], 1e-10);
  free(place);
  solid_mesh_free(&out);
  return n;
}

static void random_cells(int64_t n, uint64_t seed) {
  int64_t tetrahedra = 0;
  seed <<= 40; /* a cell takes fewer than 10,000 random numbers */
  for (int64_t k = 0; k < n; k++) {
    one_cell it = random_cell(&seed);
    tetrahedra += check_random_cell(&it, &seed, 4);
    cell_mesh_free(&it.mesh);
  }
  printf("%lld random cells, %lld tetrahedra\n", (long long)n, (long long)tetrahedra);
}

/* Use: test_cells_volumes [cells at random, 200 [seed, 1]]; with arguments nothing else is checked.
 */
int main(int argc, char **arguments) {
  random_cells(argc > 1 ? atoll(arguments[1]) : 200, argc > 2 ? (uint64_t)atoll(arguments[2]) : 1);
  if (argc > 1)
    return check_result();
  static const double coarse[3] = {1.0, 8.0, 3.0};
  for (int bezier = 0; bezier < 2; bezier++)
    for (int k = 0; k < 5; k++)
      for (int kind = 0; kind < 3; kind++)
        for (int rational = 0; rational <= bezier; rational++) {
          static const int degrees[5] = {1, 2, 3, 5, 10};
          static const double looser[5] = {1.0, 1.0, 16.0, 100.0, 4000.0};
          const int d = degrees[k];
          /* Noise at all nodes of Lagrange's polynomial of a high degree is amplified so that it
           * folds the cell, whose points then have several parameters. */
          if (d > 4 && !bezier && (kind == 1 || d == 10))
            continue;
          const double polynomial = 0.3 / (d * d) * coarse[kind] * looser[k];
          const double chord = bezier ? (d > 5 ? 3.0 : (d > 3 ? 0.06 : 0.1)) / (d * d) *
                                            coarse[kind] * (rational ? 4.0 : 1.0)
                                      : polynomial;
          check_one(BY_NOISE, 71 + 7 * bezier + kind, d, d, d, rational, chord, 2.0 * chord);
        }
  check_one(BY_NOISE, 79, 1, 2, 3, 1, 0.5, 0.5);
  check_one(BY_NOISE, 73, 3, 3, 1, 0, 0.3, 0.3);
  check_smooth();
  check_all_coefficients();
  return check_result();
}
