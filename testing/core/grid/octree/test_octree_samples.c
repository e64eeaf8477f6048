/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Random octrees with samples, and with cells that are outside, against slow loops: the
 * interpolation error is kept at each sample in leaves larger than a cell, other leaves that are
 * off are counted, and errors are reported as they are. octree_shape.h checks that nothing of what
 * is outside is in the output.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "octree_check.h"
#include "octree_shape.h"

/** Smallest and largest value of an array at cells that are not outside, and at their samples. */
static void range_of(const octree_case *it, int cell_data, double range[2]) {
  const int corners = 1 << octree_dimension(it);
  range[0] = HUGE_VAL;
  range[1] = -HUGE_VAL;
  for (int64_t i = 0; i < it->octree.n; ++i) {
    if (octree_is_outside(it, i))
      continue;
    for (int k = 0; k < (cell_data ? 1 : corners); ++k) {
      const double v = cell_data ? (double)it->cell[i] : it->point[i * corners + k];
      range[0] = fmin(range[0], v);
      range[1] = fmax(range[1], v);
    }
    for (int64_t s = 0; s < it->octree.at_points.n; ++s)
      if (octree_holds_sample(it, cell_data, s, it->level[i], &it->index[3 * i])) {
        const double v = cell_data ? (double)it->cell_there[s] : it->point_there[s];
        range[0] = fmin(range[0], v);
        range[1] = fmax(range[1], v);
      }
  }
}

/** The leaf, in the output, of each cell of it; and of each leaf the first cell. */
static int64_t *first_cells(const octree_out *out) {
  int64_t *first = malloc((size_t)(out->sizes.leaves + 1) * sizeof *first);
  for (int64_t c = out->sizes.cells; c-- > 0;)
    first[out->leaf[c]] = c;
  first[out->sizes.leaves] = out->sizes.cells;
  return first;
}

/** Value of a leaf at a place, by the cells that it is cut into. Returns 0 where none holds it. */
static int leaf_value(const octree_case *it, const octree_out *out, const int64_t *first,
                      int64_t leaf, const double place[3], double *value) {
  int axis[3];
  octree_axes(it, axis);
  const double x[3] = {place[axis[0]], place[axis[1]], place[axis[2]]};
  for (int64_t c = first[leaf]; c < first[leaf + 1]; ++c) {
    const grid_cell cell = octree_out_cell(it, out, c, out->point);
    if (grid_cell_value(&cell, x, value))
      return 1;
  }
  return 0;
}

/** What a slow loop finds out about a leaf. */
typedef struct slow {
  double most;         /**< largest error at points and samples */
  double most_sampled; /**< at samples alone */
  int cells;           /**< cells of the input that are in the leaf, outside ones too */
  int shown;           /**< cells not outside that are in the leaf, or that it is a part of */
} slow;

static slow look_at_points(const octree_case *it, const octree_out *out, const int64_t *first,
                           int64_t l, int coarsen, uint8_t *in) {
  slow found = {0.0, 0.0, 0, 0};
  for (int64_t i = 0; i < it->octree.n; ++i) {
    const int within = octree_is_within(it, i, &out->nodes[l], coarsen);
    in[i] = (within || octree_is_part(it, i, &out->nodes[l], coarsen)) && !octree_is_outside(it, i);
    found.cells += within;
    found.shown += in[i];
    for (int k = 0, n = 0; k < 8 && in[i] && within; ++k) {
      double x[3], value;
      if (!octree_corner(it, i, k, x))
        continue;
      const double e = it->point[(i << octree_dimension(it)) + n++];
      if (leaf_value(it, out, first, l, x, &value))
        found.most = fmax(found.most, fabs(value - e));
    }
  }
  return found;
}

/** 1 if sample s is a corner of a cell that is not outside: it counts as a point of the input. */
static int is_corner(const octree_case *it, int64_t s) {
  for (int64_t i = 0; i < it->octree.n; ++i) {
    int corner = !octree_is_outside(it, i);
    for (int a = 0; a < 3 && corner; ++a) {
      const double at = ldexp(it->places[0][3 * s + a], it->level[i]) - it->index[3 * i + a];
      corner = it->octree.cells[a] == 0 || at == 0.0 || at == 1.0;
    }
    if (corner)
      return 1;
  }
  return 0;
}

/** in: 1 for the cells of the leaf that are not outside. lost: raised where a leaf has no value. */
static void look_at_samples(const octree_case *it, const octree_out *out, const int64_t *first,
                            int64_t l, int coarsen, const uint8_t *in, slow *found, int64_t *lost) {
  const tsr_grid_node *leaf = &out->nodes[l];
  for (int64_t s = 0; s < it->octree.at_points.n; ++s) {
    double x[3], value;
    int holds = octree_holds_sample(it, 0, s, leaf->level - coarsen, leaf->index);
    if (holds) {
      holds = 0;
      for (int64_t i = 0; i < it->octree.n && !holds; ++i)
        holds = in[i] && octree_holds_sample(it, 0, s, it->level[i], &it->index[3 * i]);
    }
    if (!holds || is_corner(it, s) || !octree_sample_at(it, s, x))
      continue;
    if (leaf_value(it, out, first, l, x, &value))
      found->most_sampled = fmax(found->most_sampled, fabs(value - it->point_there[s]));
    else
      ++*lost;
  }
  found->most = fmax(found->most, found->most_sampled);
}

static void check_samples(const octree_case *it, const octree_out *out, int coarsen,
                          double threshold) {
  const tsr_note_count *note = &out->sizes.notes[TSR_GRID_NOTE_SAMPLES];
  const double above = threshold * (1.0 + 1e-9) + 1e-12;
  uint8_t *in = malloc((size_t)it->octree.n);
  int64_t *first = first_cells(out);
  int64_t lost = 0, off = 0, broken = 0, empty = 0, first_off = -1;
  double most = 0.0;
  for (int64_t l = 0; l < out->sizes.leaves; ++l) {
    slow found = look_at_points(it, out, first, l, coarsen, in);
    look_at_samples(it, out, first, l, coarsen, in, &found, &lost);
    const int single = found.cells < 2;
    empty += found.shown == 0;
    broken += !single && found.most > above;
    off += single && found.most_sampled > above;
    for (int64_t i = 0; i < it->octree.n && single && found.most_sampled > above; ++i)
      if (octree_is_part(it, i, &out->nodes[l], coarsen) && (first_off < 0 || i < first_off))
        first_off = i;
    most = fmax(most, found.most);
  }
  CHECK_INT(lost, 0);
  CHECK_INT(empty, 0);
  CHECK_SAY(broken == 0, "%lld leaves break the threshold", (long long)broken);
  CHECK_INT(note->count, off);
  CHECK_INT(note->first, first_off);
  CHECK_SAY(fabs(most - out->errors[0]) <= 1e-6, "reported %g, found %g", out->errors[0], most);
  free(first);
  free(in);
}

/** Values of leaves of cell data are means by volume, and within the threshold of the samples in
 * them.
 */
static void check_cell_data(const octree_case *it, const octree_out *out, int coarsen,
                            double threshold) {
  int64_t off = 0, broken = 0;
  double most = 0.0;
  for (int64_t l = 0; l < out->sizes.cells; ++l) {
    double sampled = 0.0, own = 0.0, sum = 0.0, volume = 0.0;
    int cells = 0;
    if (out->state[l] != TSR_STATE_LEAF)
      continue;
    for (int64_t i = 0; i < it->octree.n; ++i) {
      const int within = octree_is_within(it, i, &out->nodes[l], coarsen);
      cells += within;
      if (octree_is_outside(it, i) || !(within || octree_is_part(it, i, &out->nodes[l], coarsen)))
        continue;
      own = fmax(own, fabs((double)it->cell[i] - (double)out->cell[l]));
      sum += ldexp((double)it->cell[i], -it->level[i] * octree_dimension(it));
      volume += ldexp(1.0, -it->level[i] * octree_dimension(it));
      for (int64_t s = 0; s < it->octree.at_cells.n; ++s)
        if (octree_holds_sample(it, 1, s, it->level[i], &it->index[3 * i]) &&
            octree_holds_sample(it, 1, s, out->nodes[l].level - coarsen, out->nodes[l].index))
          sampled = fmax(sampled, fabs((double)it->cell_there[s] - (double)out->cell[l]));
    }
    CHECK_SAY(fabs(sum / volume - (double)out->cell[l]) < 1e-6, "leaf %lld has %g, not %g",
              (long long)l, (double)out->cell[l], sum / volume);
    off += cells < 2 && sampled > threshold;
    broken += cells > 1 && fmax(own, sampled) > threshold * (1.0 + 1e-6);
    most = fmax(most, fmax(own, sampled));
  }
  CHECK_INT(broken, 0);
  CHECK_INT(out->sizes.notes[TSR_GRID_NOTE_SAMPLES].count, off);
  CHECK_SAY(fabs(most - out->errors[3]) <= 1e-6, "reported %g, found %g", out->errors[3], most);
}

/** That the output is where cells are not outside. */
static void check_shape(const octree_case *it, const octree_out *out, int output, int coarsen) {
  const char *wrong = NULL;
  if (output == TSR_GRID_TREES || output == TSR_GRID_PATCHES)
    wrong = octree_states_wrong(it, out, coarsen);
  else if (output == TSR_GRID_CELLS || output == TSR_GRID_CONFORMING)
    wrong = octree_cover_wrong(it, out, coarsen);
  if (!wrong && output == TSR_GRID_CONFORMING && octree_dimension(it) > 1)
    wrong = octree_conforming_wrong(it, out);
  CHECK_SAY(wrong == NULL, "output %d: %s", output, wrong);
}

static void check_output(const octree_case *it, int output, int cell_data, int balance,
                         double threshold, int coarsen) {
  tsr_grid_criterion c = octree_sampled_criterion(it, cell_data, threshold);
  tsr_grid_options o = octree_options(&c, output, coarsen);
  double range[2];
  octree_out out;
  range_of(it, cell_data, range);
  c.relative = balance == TSR_BALANCE_CORNER && range[1] > range[0];
  c.threshold /= c.relative ? range[1] - range[0] : 1.0;
  o.buffer_cells = coarsen == 1;
  if (output == TSR_GRID_POLYGONS && octree_dimension(it) != 2)
    return;
  o.balance = (tsr_balance)balance;
  if (!CHECK_SAY(octree_run(it, &o, NULL, &out) == TSR_OK, "%s", out.error.text))
    return;
  const int flat = output == TSR_GRID_CELLS || output == TSR_GRID_CONFORMING;
  if (flat && !cell_data && octree_dimension(it) > 1)
    check_samples(it, &out, coarsen, threshold);
  if (cell_data && (output == TSR_GRID_CELLS || output == TSR_GRID_TREES))
    check_cell_data(it, &out, coarsen, threshold);
  check_shape(it, &out, output, coarsen);
  const char *differ = octree_parts_differ(it, &o, &out, 2 + balance);
  CHECK_SAY(differ == NULL, "%d processes: %s", 2 + balance, differ);
  octree_out_free(&out);
}

/** Samples at the corners of cells that are not outside, with the values there, change nothing; but
 * where leaves have one value, that is not the one at their corners, and the note says so. */
static void check_corners(octree_case *it, int output, double threshold, int coarsen) {
  const int dimension = octree_dimension(it);
  if (output == TSR_GRID_POLYGONS && dimension != 2)
    return;
  const int64_t n = it->octree.points;
  tsr_grid_criterion c = octree_sampled_criterion(it, 0, threshold);
  const tsr_grid_options o = octree_options(&c, output, coarsen);
  octree_out with, without;
  double *places = calloc(3 * (size_t)n + 1, sizeof *places), *given = it->places[0];
  double *values = it->point_there;
  const int64_t given_n = it->octree.at_points.n;
  for (int64_t p = 0; p < n; ++p)
    for (int a = 0, k = 0; a < 3; ++a)
      if (it->octree.cells[a] > 0) {
        const int64_t i = p >> dimension;
        places[3 * p + a] = octree_is_outside(it, i)
                                ? NAN
                                : ldexp(it->index[3 * i + a] + (int)(p >> k++ & 1), -it->level[i]);
      }
  it->places[0] = places;
  it->point_there = it->point;
  it->octree.at_points.n = n;
  c.samples = (tsr_array){it->point, TSR_DOUBLE, 1, n};
  float *vector = it->vector_there;
  it->vector_there = it->vector;
  octree_run(it, &o, NULL, &with);
  it->octree.at_points.n = 0;
  it->point_there = NULL;
  it->vector_there = NULL;
  c.samples = (tsr_array){NULL, TSR_DOUBLE, 0, 0};
  octree_run(it, &o, NULL, &without);
  if (output == TSR_GRID_TREES || output == TSR_GRID_PATCHES)
    with.sizes.notes[TSR_GRID_NOTE_SAMPLES] = without.sizes.notes[TSR_GRID_NOTE_SAMPLES];
  const char *differ = octree_difference(&with, &without);
  CHECK_SAY(differ == NULL && with.status == TSR_OK, "%s differ (%s)", differ, with.error.text);
  it->places[0] = given;
  it->point_there = values;
  it->vector_there = vector;
  it->octree.at_points.n = given_n;
  octree_out_free(&with);
  octree_out_free(&without);
  free(places);
}

/** A linear function, at corners and samples, is exact in leaves as large as they may be. */
static void check_linear(octree_case *it, int output) {
  tsr_grid_criterion c = octree_sampled_criterion(it, 0, 1e-9);
  tsr_grid_options o = octree_options(&c, output, 2);
  octree_out out, coarse;
  for (int64_t i = 0, p = 0; i < it->octree.n; ++i)
    for (int k = 0; k < 8; ++k) {
      double x[3];
      if (octree_corner(it, i, k, x))
        it->point[p++] = octree_linear(x);
    }
  for (int64_t s = 0; s < it->octree.at_points.n; ++s) {
    double x[3];
    octree_sample_at(it, s, x);
    it->point_there[s] = octree_linear(x);
  }
  CHECK_INT(octree_run(it, &o, NULL, &out), TSR_OK);
  o.mode = TSR_GRID_COARSE;
  CHECK_INT(octree_run(it, &o, NULL, &coarse), TSR_OK);
  CHECK_INT(out.sizes.leaves, coarse.sizes.leaves);
  CHECK_SAY(out.errors[0] < 1e-13, "an error of %g", out.errors[0]);
  CHECK_INT(out.sizes.notes[TSR_GRID_NOTE_SAMPLES].count, 0);
  for (int64_t p = 0; p < out.sizes.points; ++p)
    CHECK(fabs(out.point[p] - octree_linear(&out.points[3 * p])) < 1e-13);
  octree_out_free(&out);
  octree_out_free(&coarse);
}

static void check_recipe(const octree_recipe *recipe, double threshold, int coarsen, double ball) {
  octree_case it = octree_case_make(recipe);
  if (ball > 0.0)
    octree_case_add_outside(&it, ball);
  /* Noise below the threshold may be within it in a leaf, and above it in the leaf's children. */
  octree_case_add_samples(&it, 300, (recipe->seed % 2 ? 4.0 : 1.9) * threshold);
  for (int output = 0; output <= TSR_GRID_CONFORMING; ++output) {
    for (int cell_data = 0; cell_data < 2; ++cell_data)
      for (int balance = TSR_BALANCE_NONE; balance <= TSR_BALANCE_CORNER; balance += 3)
        check_output(&it, output, cell_data, balance, cell_data ? 10.0 * threshold : threshold,
                     coarsen);
    check_corners(&it, output, threshold, coarsen);
  }
  for (int output = 0; output <= TSR_GRID_CONFORMING; ++output)
    if (output == TSR_GRID_CELLS || output == TSR_GRID_CONFORMING)
      check_linear(&it, output);
  octree_case_free(&it);
}

/** Leaves that balance makes, and cut ones, are off at samples where what they are made of was not:
 *  the samples scatter by nearly the threshold. */
static void check_guarantee(int output) {
  static const octree_recipe recipe = {11, {16, 16, 0}, 2, 0.2, 0.0, 0, 0, 2.0};
  octree_case it = octree_case_make(&recipe);
  octree_case_add_samples(&it, 4000, 1.9 * 0.04);
  check_output(&it, output, 0, TSR_BALANCE_CORNER, 0.04, 3);
  octree_case_free(&it);
}

int main(int argc, char **argv) {
  static const octree_recipe recipes[] = {
      {1, {2, 2, 2}, 2, 0.5, 0.05, 0, 0, 4.0}, {2, {3, 2, 2}, 2, 0.0, 0.0, 1, 0, 3.0},
      {3, {0, 4, 4}, 4, 0.5, 0.03, 0, 1, 3.0}, {4, {5, 0, 4}, 4, 0.0, 0.0, 1, 1, 2.0},
      {5, {0, 0, 9}, 5, 0.5, 0.02, 0, 0, 4.0}, {6, {4, 4, 4}, 1, 0.1, 0.0, 0, 1, 1.0},
      {7, {4, 4, 0}, 3, 0.3, 0.0, 0, 0, 1.0},  {8, {3, 3, 3}, 1, 0.6, 0.0, 0, 0, 0.5}};
  for (size_t r = 0; r < sizeof recipes / sizeof *recipes; ++r)
    for (int k = 0; k < 2; ++k)
      check_recipe(&recipes[r], r % 2 ? 0.05 : 0.02, k ? 2 : (int)(r % 2), k ? 0.55 : 0.0);
  check_guarantee(TSR_GRID_CELLS);
  check_guarantee(TSR_GRID_CONFORMING);
  for (unsigned k = 0; k < (unsigned)(argc > 1 ? atoi(argv[1]) : 20); ++k) {
    const octree_recipe recipe = octree_recipe_of(k);
    check_recipe(&recipe, 0.005 * (1 + k % 20), (int)(k / 3 % 3),
                 k % 2 ? 0.4 + 0.05 * (k % 7) : 0.0);
  }
  return check_result();
}
