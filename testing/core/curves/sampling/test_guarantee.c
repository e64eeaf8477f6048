/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The guarantee of what is stored: no point of a curve is farther from the polyline that stands for
 * it than AchievedError says, and that is no more than the chord error. Random and adversarial
 * spans of every kind, every sampling, joints that stay and go, single and double precision, near
 * the origin and far from it; the curves' points and their distances are found here, in long
 * double. Where vertices lie within the tolerance, off the curve, places on the polyline are found
 * for points of the curve in order, from vertex to vertex: the distance holds both ways. Use:
 * test_guarantee [SPANS [SEED [PROCESSES]]]   (default 200,000; a long run takes 100,000,000 or
 * more)
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "curve_set.h"
#include "reference.h"
#include "segment.h"

enum { ITEMS = 300, MOST_POINTS = 64 };

/** One round: what is asked for, and how large and far away the curves are. */
typedef struct scene {
  uint64_t state;
  double scale, offset[3];
  tsr_curve_kind kind;
  int rational, single;
  tsr_curves_options options;
} scene;

/** What was found. */
typedef struct tally {
  int64_t spans, segments, looks, off; /* off: segments of vertices within the tolerance */
  double worst;                        /* distance over what was promised */
} tally;

static int one_of(uint64_t *state, int n) { return (int)(random_bits(state) % (uint64_t)n); }

/** Ends and inner points of cubics that have broken flatteners, from 0 0 on. */
static const double shapes[][3][2] = {{{1, 1}, {0, 1}, {1, 0}},         /* a cusp */
                                      {{1, 1.0001}, {0, 1}, {1, 0}},    /* nearly */
                                      {{1, 0.9999}, {0, 1}, {1, 0}},    /* a tiny loop */
                                      {{3, 1}, {-2, 1}, {1, 0}},        /* a loop */
                                      {{1, 1}, {-1, 1}, {0, 0}},        /* closed */
                                      {{2, 0}, {-1, 0}, {1, 0}},        /* folded twice */
                                      {{2, 1e-9}, {-1, -1e-9}, {1, 0}}, /* nearly */
                                      {{1, 1}, {0, -1}, {1, 0}},        /* an S */
                                      {{0, 0}, {1, 1}, {1, 1}}, /* straight, slow at both ends */
                                      {{0, 0}, {0.5, 0.7}, {1, 1}},       /* a double point */
                                      {{0.5, 1}, {0.5, 1}, {1, 0}},       /* another */
                                      {{0, 0}, {0, 0}, {1, 0}},           /* a triple one */
                                      {{1e3, 1e3}, {-1e3, 1e3}, {1, 0}}}; /* far beyond its ends */

/** Points k + 1 ... k + degree of a chain, from point k on: a span of some hard sort. */
static void add_span(scene *s, double *xyz, int degree) {
  enum { SHAPES = sizeof shapes / sizeof *shapes };
  const int sort = one_of(&s->state, 2 * SHAPES);
  const double thin = one_of(&s->state, 6) ? 1.0 : pow(10.0, random_in(&s->state, -12.0, 0.0));
  const double size = s->scale * (one_of(&s->state, 8) ? 1.0 : random_in(&s->state, 0.0, 1e-3));
  const double noise = one_of(&s->state, 2) ? 1e-7 : 0.0;
  for (int i = 1; i <= degree; i++) {
    double d[3];
    for (int c = 0; c < 3; c++) {
      const double wild = random_in(&s->state, -1.0, 1.0);
      d[c] = degree == 3 && sort < SHAPES ? (c < 2 ? shapes[sort][i - 1][c] : 0.0) + noise * wild
                                          : wild;
    }
    if (sort == SHAPES) { /* a fold */
      d[1] = 0.5 * d[0];
      d[2] = -d[0];
    }
    xyz[3 * i] = xyz[0] + size * d[0];
    xyz[3 * i + 1] = xyz[1] + size * (thin * d[1] + (thin < 1.0 ? 0.25 * d[0] : 0.0));
    xyz[3 * i + 2] = xyz[2] + size * thin * d[2];
    if (sort == SHAPES + 1 && i > 1) {
      memcpy(xyz + 3 * i, xyz + 3 * (i - 1), 3 * sizeof *xyz);
    }
  }
}

static void add_item(scene *s, curve_set *set) {
  const int cell = s->kind == TSR_KIND_BEZIER || s->kind == TSR_KIND_LAGRANGE;
  const int degree = s->kind == TSR_KIND_BEZIER2_CHAIN   ? 2
                     : s->kind == TSR_KIND_BEZIER3_CHAIN ? 3
                     : cell                              ? 1 + one_of(&s->state, 9)
                                                         : 1;
  const int spans = cell ? 1 : 1 + one_of(&s->state, (MOST_POINTS - 1) / degree);
  const int heavy = one_of(&s->state, 2);
  double xyz[3 * MOST_POINTS], weights[MOST_POINTS];
  for (int c = 0; c < 3; c++) {
    xyz[c] = s->offset[c] + s->scale * random_in(&s->state, -1.0, 1.0);
  }
  for (int k = 0; k < spans; k++) {
    add_span(s, xyz + (size_t)(3 * k * degree), degree);
  }
  for (int i = 0; i <= spans * degree; i++) {
    weights[i] = heavy ? pow(10.0, random_in(&s->state, -3.0, 3.0)) : random_in(&s->state, 0.5, 2);
  }
  curve_set_add(set, s->kind, spans * degree + 1, xyz, s->rational ? weights : NULL, 0);
}

static scene make_scene(uint64_t *state) {
  static const tsr_curve_kind kinds[] = {
      TSR_KIND_BEZIER2_CHAIN, TSR_KIND_BEZIER3_CHAIN, TSR_KIND_CATMULL_ROM, TSR_KIND_STRAIGHT,
      TSR_KIND_BEZIER2_CHAIN, TSR_KIND_BEZIER3_CHAIN, TSR_KIND_CATMULL_ROM, TSR_KIND_BEZIER};
  static const tsr_curve_kind slow[] = {TSR_KIND_BSPLINE2, TSR_KIND_BSPLINE3, TSR_KIND_LAGRANGE};
  scene s = {.state = random_bits(state)};
  const double fine = one_of(&s.state, 8) ? -2.0 : -4.5;
  s.kind = one_of(&s.state, 40) ? kinds[one_of(&s.state, 8)] : slow[one_of(&s.state, 3)];
  s.rational = one_of(&s.state, 3) == 0;
  s.single = one_of(&s.state, 2);
  s.scale = pow(10.0, random_in(&s.state, -6.0, 6.0));
  for (int c = 0; c < 3; c++) {
    const double far = s.scale * pow(10.0, random_in(&s.state, 0.0, s.single ? 6.0 : 8.0));
    s.offset[c] = one_of(&s.state, 2) ? 0.0 : far;
  }
  s.options = options_chord_error((tsr_sampling)one_of(&s.state, 3),
                                  s.scale * pow(10.0, random_in(&s.state, fine, -0.5)));
  s.options.joints = (tsr_joints)one_of(&s.state, 2);
  s.options.knots = (tsr_knots)one_of(&s.state, 3);
  if (s.options.sampling == TSR_SAMPLING_EQUAL_ERROR) {
    s.options.vertices = (tsr_vertices)one_of(&s.state, 2);
  }
  return s;
}

/** A span of a curve: control points of a Bezier piece, homogeneous, in order; or four points of a
 *  Catmull-Rom curve with their knots. */
typedef struct piece {
  int64_t item, span;
  int degree;
  real q[10][4], knots[4];
} piece;

static void load_bezier(piece *it, const curve_set *set, const int64_t *ids, int degree, int cell) {
  const int straight = set->kinds[it->item] == TSR_KIND_STRAIGHT;
  it->degree = degree;
  for (int i = 0; i <= degree; i++) {
    const int64_t k = !cell || i == 0 ? i : i == degree ? 1 : i + 1;
    const real w = set->rational && !straight ? (real)set->weights[ids[k]] : 1.0L;
    for (int c = 0; c < 3; c++) {
      it->q[i][c] = w * (real)set->points[3 * ids[k] + c];
    }
    it->q[i][3] = w;
  }
}

/** An end stands for the point that is missing beside it, one interval outside. */
static void load_catmull_rom(piece *it, const scene *s, const curve_set *set, const int64_t *ids,
                             int64_t n) {
  real interval[3];
  for (int i = 0; i < 4; i++) {
    int64_t k = it->span - 1 + i;
    k = k < 0 ? 0 : k >= n ? n - 1 : k;
    for (int c = 0; c < 3; c++) {
      it->q[i][c] = set->points[3 * ids[k] + c];
    }
  }
  for (int i = 0; i < 3; i++) {
    real square = 0;
    for (int c = 0; c < 3; c++) {
      square += (it->q[i + 1][c] - it->q[i][c]) * (it->q[i + 1][c] - it->q[i][c]);
    }
    interval[i] = s->options.knots == TSR_KNOTS_UNIFORM ? square > 0 : sqrtl(square);
    interval[i] = s->options.knots == TSR_KNOTS_CENTRIPETAL ? sqrtl(interval[i]) : interval[i];
  }
  it->knots[1] = 0;
  it->knots[2] = interval[1];
  it->knots[0] = interval[0] > 0 ? -interval[0] : -interval[1];
  it->knots[3] = interval[1] + (interval[2] > 0 ? interval[2] : interval[1]);
}

/** Brings the piece to a span. */
static void load(piece *it, const scene *s, const curve_set *set, int64_t item, int64_t span) {
  const int64_t *ids = set->ids + set->offsets[item];
  const int64_t n = set->offsets[item + 1] - set->offsets[item];
  if (it->item == item && it->span == span) {
    return;
  }
  it->item = item;
  it->span = span;
  if (s->kind == TSR_KIND_BEZIER) {
    load_bezier(it, set, ids, (int)n - 1, 1);
  } else if (s->kind == TSR_KIND_BEZIER2_CHAIN) {
    load_bezier(it, set, ids + 2 * span, 2, 0);
  } else if (s->kind == TSR_KIND_BEZIER3_CHAIN) {
    load_bezier(it, set, ids + 3 * span, 3, 0);
  } else if (s->kind == TSR_KIND_STRAIGHT) {
    load_bezier(it, set, ids + span, 1, 0);
  } else if (s->kind == TSR_KIND_CATMULL_ROM) {
    load_catmull_rom(it, s, set, ids, n);
  }
}

/** De Casteljau, by sums of parts: differences would leave heavy weights' digits at light ones. */
static void bezier_at(const piece *it, int components, real u, real *p) {
  real q[10][4];
  memcpy(q, it->q, (size_t)(it->degree + 1) * sizeof *q);
  for (int r = it->degree; r > 0; r--) {
    for (int i = 0; i < r; i++) {
      for (int c = 0; c < components; c++) {
        q[i][c] = (1 - u) * q[i][c] + u * q[i + 1][c];
      }
    }
  }
  for (int c = 0; c < 3; c++) {
    p[c] = components == 4 ? q[0][c] / q[0][3] : q[0][c];
  }
}

/** Barry and Goldman's pyramid. */
static void catmull_rom_at(const piece *it, real u, real *p) {
  const real *k = it->knots, t = u * k[2];
  real a[4][3];
  memset(a, 0, sizeof a);
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < 4; i++) {
      a[i][c] = it->q[i][c];
    }
  }
  if (!(k[2] > 0)) { /* both points are one */
    memcpy(p, a[1], 3 * sizeof *p);
    return;
  }
  for (int r = 1; r <= 3; r++) {
    for (int i = 0; i + r < 4; i++) {
      /* the last step lies between the inner knots */
      const real lo = r == 3 ? k[1] : k[i], hi = r == 3 ? k[2] : k[i + r];
      for (int c = 0; c < 3; c++) {
        a[i][c] += (t - lo) / (hi - lo) * (a[i + 1][c] - a[i][c]);
      }
    }
  }
  memcpy(p, a[0], 3 * sizeof *p);
}

/** Point of the span that is loaded. */
static void curve_at(const piece *it, const scene *s, const curve_set *set, real u, real *p) {
  double found[3];
  switch (s->kind) {
  case TSR_KIND_CATMULL_ROM:
    catmull_rom_at(it, u, p);
    return;
  case TSR_KIND_BSPLINE2:
  case TSR_KIND_BSPLINE3:
  case TSR_KIND_LAGRANGE:
    reference_value(set, it->item, s->options.knots, 0.0, set->points, 3, it->span, (double)u,
                    found);
    for (int c = 0; c < 3; c++) {
      p[c] = found[c];
    }
    return;
  default:
    bezier_at(it, set->rational && s->kind != TSR_KIND_STRAIGHT ? 4 : 3, u, p);
  }
}

/** Largest distance that is found of the curve between two parameters from the segment a b: its
 *  middle, where a short piece is farthest, and places by chance, in every span. */
static double look(piece *it, const scene *s, const curve_set *set, int64_t item, double from,
                   double to, const double *a, const double *b, uint64_t *state, tally *sum) {
  const int more = one_of(state, 32) == 0 ? 25 : 1;
  double most = 0.0;
  for (double begin = from; begin < to;) {
    const double span = floor(begin), end = fmin(to, span + 1.0);
    load(it, s, set, item, (int64_t)span);
    for (int k = 0; k <= more; k++) {
      const double share = k == 0 ? 0.5 : random_in(state, 0.0, 1.0);
      real p[3];
      curve_at(it, s, set, (real)(begin - span) + share * (real)(end - begin), p);
      most = fmax(most, segment_distance(a, b, p));
      sum->looks++;
    }
    begin = end;
  }
  return most;
}

/** 1 if points of the curve between two parameters have places on the segment a b in order, the
 * ends at its ends. */
static int in_order(piece *it, const scene *s, const curve_set *set, int64_t item, double from,
                    double to, const double *a, const double *b, double reach) {
  enum { POINTS = 11 };
  real place = 0, first = 0, last = 0, p[3];
  for (double begin = from; begin < to;) {
    const double span = floor(begin), end = fmin(to, span + 1.0);
    load(it, s, set, item, (int64_t)span);
    for (int k = 0; k <= POINTS; k++) {
      curve_at(it, s, set, (real)(begin - span) + (real)k / POINTS * (real)(end - begin), p);
      if (!segment_within(a, b, p, reach, &first, &last) || last < place ||
          (k == 0 && begin == from && first > 0)) {
        return 0;
      }
      place = fmaxl(place, first);
    }
    begin = end;
  }
  return last >= 1;
}

/** Points as they are stored, parameters in full, and what was promised. */
typedef struct stored {
  tsr_curves_sizes sizes;
  void *points;
  double *parameter, *reached;
  int64_t *offsets;
} stored;

static int store(const scene *s, const tsr_curves_view *view, stored *out) {
  tsr_curves_plan *plan = NULL;
  tsr_curves_output first, second;
  tsr_error error;
  memset(out, 0, sizeof *out);
  if (!CHECK_INT(tsr_curves_plan_create(view, &s->options, NULL, &plan, &error), TSR_OK)) {
    printf("%s\n", error.text);
    return 0;
  }
  out->sizes = *tsr_curves_plan_sizes(plan);
  const size_t n = (size_t)out->sizes.points, cells = (size_t)out->sizes.cells;
  tsr_curves_output_init(&first);
  tsr_curves_output_init(&second);
  first.points_type = s->single ? TSR_FLOAT : TSR_DOUBLE;
  first.points = out->points = malloc(n * 3 * sizeof(double));
  first.offsets = out->offsets = malloc((cells + 1) * sizeof(int64_t));
  first.achieved_error = out->reached = malloc(cells * sizeof(double));
  second.points_type = TSR_DOUBLE;
  second.parameter = out->parameter = malloc(n * sizeof(double));
  const int good = CHECK_INT(tsr_curves_fill(plan, &first, &error), TSR_OK) &&
                   CHECK_INT(tsr_curves_fill(plan, &second, &error), TSR_OK);
  tsr_curves_plan_free(plan);
  return good;
}

static void stored_free(stored *out) {
  free(out->points);
  free(out->parameter);
  free(out->reached);
  free(out->offsets);
}

static void point_of(const scene *s, const stored *out, int64_t k, double *x) {
  for (int c = 0; c < 3; c++) {
    x[c] = s->single ? (double)((const float *)out->points)[3 * k + c]
                     : ((const double *)out->points)[3 * k + c];
  }
}

static void check_item(const scene *s, const curve_set *set, const stored *out, int64_t item,
                       double digits, uint64_t *state, tally *sum) {
  /* No item is closed or left out: point k of the output is entry k - item of the offsets. */
  const double promised = out->reached[item] + digits;
  const int64_t spans = reference_spans(set, item);
  piece it = {.item = -1};
  for (int64_t k = out->offsets[item]; k + 1 < out->offsets[item + 1]; k++) {
    double a[3], b[3];
    point_of(s, out, k, a);
    point_of(s, out, k + 1, b);
    CHECK_SAY(out->parameter[k + 1] > out->parameter[k], "item %lld: a step back", (long long)item);
    const double far =
        look(&it, s, set, item, out->parameter[k], out->parameter[k + 1], a, b, state, sum);
    sum->worst = fmax(sum->worst, far / promised);
    CHECK_SAY(far <= promised, "kind %d, sampling %d, joints %d, item %lld: %.17g, and %.17g said",
              s->kind, s->options.sampling, s->options.joints, (long long)item, far, promised);
    sum->segments++;
    if (s->options.vertices == TSR_VERTICES_WITHIN_TOLERANCE) {
      sum->off++;
      CHECK_SAY(
          in_order(&it, s, set, item, out->parameter[k], out->parameter[k + 1], a, b, promised),
          "kind %d, joints %d, item %lld: not in order", s->kind, s->options.joints,
          (long long)item);
    }
  }
  CHECK(out->parameter[out->offsets[item + 1] - 1] >= (double)spans);
  sum->spans += spans;
}

static void run_scene(uint64_t *state, tally *sum) {
  scene s = make_scene(state);
  curve_set set;
  stored out;
  double place = 0.0, bounds[6];
  curve_set_init(&set);
  set.rational = s.rational;
  for (int i = 0; i < ITEMS; i++) {
    add_item(&s, &set);
  }
  for (int64_t i = 0; i < 3 * set.n_points; i++) {
    place = fmax(place, fabs(set.points[i]));
  }
  tsr_curves_view view = curve_set_view(&set);
  tsr_error error;
  view.single_points = s.single;
  CHECK_INT(tsr_curves_bounds(&view, NULL, bounds, &error), TSR_OK);
  const double rounding = s.single ? tsr_curves_rounding(tsr_curves_largest_place(bounds)) : 0.0;
  if (store(&s, &view, &out)) {
    CHECK_INT(out.sizes.cells, ITEMS);
    CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 0);
    for (int64_t i = 0; i < out.sizes.cells; i++) {
      /* Doubles, too, are rounded: some of their last digits. */
      check_item(&s, &set, &out, i, place * 0x1p-48, &s.state, sum);
      if (rounding < 0.5 * s.options.chord_error) {
        CHECK_AT_MOST(out.reached[i], s.options.chord_error * (1.0 + 1e-12));
      }
    }
  }
  stored_free(&out);
  curve_set_free(&set);
}

/** Runs scenes until so many spans have been looked at; `say`: with lines in between. */
static tally run(int64_t spans, uint64_t state, int say) {
  const int64_t said = spans / 20;
  tally sum = {0};
  for (int64_t next = said; sum.spans < spans;) {
    run_scene(&state, &sum);
    if (say && sum.spans >= next && spans > 1000000) {
      printf("%lld spans, %lld segments, %lld failed\n", (long long)sum.spans,
             (long long)sum.segments, (long long)check_failures);
      fflush(stdout);
      next += said;
    }
  }
  return sum;
}

/** What a process tells the one that began it. */
typedef struct told {
  tally sum;
  int64_t checks, failures;
} told;

/** As run, divided among several processes, each with random numbers of its own. The processes
 * share nothing else. */
static tally run_processes(int64_t spans, uint64_t state, int processes) {
  tally sum = {0};
  int ends[2];
  if (!CHECK_INT(pipe(ends), 0)) {
    return sum;
  }
  fflush(stdout);
  for (int k = 0; k < processes; k++) {
    if (fork() == 0) {
      const tally own = run(spans / processes, state + 1000003 * (uint64_t)k, k == 0);
      const told tell = {own, check_count, check_failures};
      fflush(stdout);
      _exit(write(ends[1], &tell, sizeof tell) == (ssize_t)sizeof tell ? 0 : 1);
    }
  }
  close(ends[1]);
  for (int k = 0; k < processes; k++) {
    told tell;
    if (!CHECK_INT(read(ends[0], &tell, sizeof tell), (int64_t)sizeof tell)) {
      break;
    }
    sum.spans += tell.sum.spans;
    sum.segments += tell.sum.segments;
    sum.looks += tell.sum.looks;
    sum.off += tell.sum.off;
    sum.worst = fmax(sum.worst, tell.sum.worst);
    check_count += tell.checks;
    check_failures += tell.failures;
  }
  close(ends[0]);
  while (wait(NULL) > 0) {
  }
  return sum;
}

/** Every curve runs into its last point, however heavy the others are: what is measured with has to
 *  find it there. */
static void check_ends(void) {
  piece it = {.degree = 9};
  real p[3];
  for (int i = 0; i < 10; i++) {
    it.q[i][3] = i < 9 ? 691.11762043437864L : 0.003229969388893058L;
    for (int c = 0; c < 3; c++) {
      it.q[i][c] = it.q[i][3] * (i < 9 ? 69.072209389103875L : 69.071699623679223L);
    }
  }
  bezier_at(&it, 4, 1, p);
  CHECK_AT_MOST(fabsl(p[0] - 69.071699623679223L), 69 * 0x1p-62L);
}

int main(int argc, char **argv) {
  check_ends();
  const int64_t spans = argc > 1 ? strtoll(argv[1], NULL, 10) : 200000;
  const uint64_t state = argc > 2 ? (uint64_t)strtoll(argv[2], NULL, 10) : 12;
  const int processes = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 1;
  const tally sum = processes > 1 ? run_processes(spans, state, processes) : run(spans, state, 1);
  printf("%lld spans, %lld segments, %lld of them with vertices within the tolerance, looked at in "
         "%lld places; farthest %.9f of what was said\n",
         (long long)sum.spans, (long long)sum.segments, (long long)sum.off, (long long)sum.looks,
         sum.worst);
  return check_result();
}
