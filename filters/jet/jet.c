/* SPDX-License-Identifier: BSD-3-Clause */
/** The turbulent jet: its modes from the seed, and rows of points. */
#include "common/support.h"
#include "jet/jet_math.h"
#include "jet/tessera_jet.h"

#include <stdlib.h>
#include <string.h>

/* A jet at a time, with tables along the axes of the extent. */
typedef struct tsr_jet {
  tsr_jet_options options;
  const tsr_jet_output *out;
  int64_t first[3], n[3]; /* the extent */
  double length, width, time_scale;
  double centre[2], half[2];
  tsr_jet_mode mode[TSR_JET_MAX_MODES];
  double *grow, *slope;        /* mode by mode along x: amplitude and its derivative */
  double *sine[3], *cosine[3]; /* mode by mode along each axis; the phase is in that of x */
  tsr_job *job;
} tsr_jet;

void tsr_jet_output_init(tsr_jet_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
  output->type = TSR_FLOAT;
}

/* Where index i of an axis lies. */
static double place(const tsr_jet_options *o, int axis, int64_t i) {
  const double low = o->bounds[2 * axis], high = o->bounds[2 * axis + 1];
  const int64_t steps = o->whole[2 * axis + 1] - o->whole[2 * axis];
  if (steps == 0)
    return low + 0.5 * (high - low);
  return low + (high - low) * ((double)(i - o->whole[2 * axis]) / (double)steps);
}

/* A number in [0, 1), the next of a sequence (Knuth's multiplier; the upper 32 bits). */
static double next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 32) * (1.0 / 4294967296.0);
}

/* A unit vector of random direction: a point of the unit ball, not too near its centre. */
static void jet_direction(uint64_t *state, int flat, double d[3]) {
  double square = 0.0;
  while (!(square >= 0.01 && square <= 1.0)) {
    square = 0.0;
    for (int a = 0; a < 3; ++a) {
      d[a] = 2.0 * next_random(state) - 1.0;
      if (a == 2 && flat)
        d[a] = 0.0;
      square += d[a] * d[a];
    }
  }
  for (int a = 0; a < 3; ++a)
    d[a] /= sqrt(square);
}

/* The modes: from long waves that begin at once to short ones that begin far downstream. */
static void set_modes(tsr_jet *jet) {
  const tsr_jet_options *o = &jet->options;
  const int flat = o->whole[4] == o->whole[5];
  uint64_t state = (uint64_t)o->seed * 2862933555777941757u + 3037000493u;
  for (int m = 0; m < o->modes; ++m) {
    tsr_jet_mode *mode = &jet->mode[m];
    const double rank = o->modes > 1 ? (double)m / (double)(o->modes - 1) : 0.0;
    const double waves = (o->lowest + (o->highest - o->lowest) * rank * rank) / jet->length;
    double frequency;
    jet_direction(&state, flat, mode->wave);
    for (int a = 0; a < 3; ++a)
      mode->wave[a] *= waves;
    jet_direction(&state, 0, mode->axis);
    if (flat) {
      mode->axis[0] = mode->axis[1] = 0.0;
      mode->axis[2] = 1.0;
    }
    /* The waves ride on half the stream and have a frequency of their own. */
    frequency = 0.5 * o->speed * (mode->wave[0] + waves * (next_random(&state) - 0.5));
    mode->phase = next_random(&state) - frequency * o->time;
    mode->start = 0.75 * rank;
    mode->amplitude =
        o->strength * o->speed / (6.28318530717958647693 * waves) * (2.0 / sqrt((double)o->modes));
  }
}

/* The tables, in one piece of memory that starts at jet->grow. */
static tsr_status set_tables(tsr_jet *jet, tsr_error *error) {
  const tsr_jet_options *o = &jet->options;
  const int64_t rows = (int64_t)o->modes;
  double *at = tsr_alloc(rows * (4 * jet->n[0] + 2 * jet->n[1] + 2 * jet->n[2]) + 1, sizeof *at,
                         "the waves of the jet", error);
  if (!at)
    return TSR_NO_MEMORY;
  jet->grow = at;
  jet->slope = at + rows * jet->n[0];
  at += 2 * rows * jet->n[0];
  for (int a = 0; a < 3; ++a) {
    jet->sine[a] = at;
    jet->cosine[a] = at + rows * jet->n[a];
    at += 2 * rows * jet->n[a];
    for (int64_t k = 0; k < rows * jet->n[a]; ++k) {
      const tsr_jet_mode *mode = &jet->mode[k / jet->n[a]];
      const double x = place(o, a, jet->first[a] + k % jet->n[a]) - o->bounds[2 * a];
      tsr_turns(mode->wave[a] * x + (a == 0 ? mode->phase : 0.0), &jet->sine[a][k],
                &jet->cosine[a][k]);
      if (a > 0)
        continue;
      jet->grow[k] =
          mode->amplitude * tsr_ramp((x / jet->length - mode->start) / 0.25, &jet->slope[k]);
      jet->slope[k] *= mode->amplitude / (0.25 * jet->length);
    }
  }
  return TSR_OK;
}

/* Velocities of the waves along a row, component by component. */
static void jet_waves(const tsr_jet *jet, int64_t j, int64_t k, const tsr_jet_row *row,
                      double *restrict u, double *restrict v, double *restrict w) {
  const int64_t n = jet->n[0];
  for (int64_t i = 0; i < n; ++i)
    u[i] = v[i] = w[i] = 0.0;
  if (row->fade == 0.0)
    return;
  for (int m = 0; m < jet->options.modes; ++m) {
    const double sy = jet->sine[1][m * jet->n[1] + j], cy = jet->cosine[1][m * jet->n[1] + j];
    const double sz = jet->sine[2][m * jet->n[2] + k], cz = jet->cosine[2][m * jet->n[2] + k];
    const double sr = sy * cz + cy * sz, cr = cy * cz - sy * sz;
    const double *sx = jet->sine[0] + m * n, *cx = jet->cosine[0] + m * n;
    const double *grow = jet->grow + m * n, *slope = jet->slope + m * n;
    for (int64_t i = 0; i < n; ++i) {
      double velocity[3];
      tsr_jet_velocity(&jet->mode[m], row, grow[i], slope[i], sx[i], cx[i], sr, cr, velocity);
      u[i] += velocity[0];
      v[i] += velocity[1];
      w[i] += velocity[2];
    }
  }
}

/* One row of points: buffer has room for 4 rows. */
static void make_row(const tsr_jet *jet, int64_t j, int64_t k, double *buffer) {
  const tsr_jet_options *o = &jet->options;
  const tsr_jet_output *out = jet->out;
  const int64_t n = jet->n[0], at = (k * jet->n[1] + j) * n;
  const double offset[2] = {place(o, 1, jet->first[1] + j) - jet->centre[0],
                            place(o, 2, jet->first[2] + k) - jet->centre[1]};
  double *u = buffer, *v = u + n, *w = v + n, *scalar = w + n;
  tsr_jet_row row;
  tsr_jet_set_row(&row, offset, jet->half);
  jet_waves(jet, j, k, &row, u, v, w);
  for (int64_t i = 0; i < n; ++i) {
    scalar[i] = tsr_jet_scalar(offset, v[i], w[i], jet->width, jet->time_scale);
    u[i] += o->speed * tsr_jet_scalar(offset, 0.0, 0.0, jet->width, 0.0);
  }
  for (int c = 0; out->velocity && c < 3; ++c)
    tsr_store(tsr_value_at(out->velocity, out->type, 3 * at + c), out->type, 3, buffer + c * n, n);
  if (out->scalar)
    tsr_store(tsr_value_at(out->scalar, out->type, at), out->type, 1, scalar, n);
  for (int64_t i = 0; out->temperature && i < n; ++i) {
    const double x = place(o, 0, jet->first[0] + i) - o->bounds[0];
    scalar[i] = tsr_jet_temperature(scalar[i], x / jet->length, o->cold, o->hot);
  }
  if (out->temperature)
    tsr_store(tsr_value_at(out->temperature, out->type, at), out->type, 1, scalar, n);
}

static void jet_task(void *data, int64_t begin, int64_t end) {
  const tsr_jet *jet = data;
  double *buffer = malloc((size_t)jet->n[0] * 4 * sizeof *buffer);
  if (!buffer) {
    tsr_job_stop(jet->job, TSR_NO_MEMORY);
    return;
  }
  for (int64_t row = begin; row < end; ++row)
    make_row(jet, row % jet->n[1], row / jet->n[1], buffer);
  free(buffer);
}

/* A number of the options and the largest magnitude that it may have. */
typedef struct jet_number {
  const char *name;
  double value, most;
} jet_number;

/* Within these bounds, and those of check_waves, no sum, product or angle overflows, not even in
 * single precision. */
static tsr_status check_numbers(const tsr_jet_options *o, tsr_error *error) {
  const jet_number numbers[] = {
      {"time", o->time, 1e100},
      {"speed", o->speed, TSR_JET_MOST_SPEED},
      {"strength", o->strength, TSR_JET_MOST_STRENGTH},
      {"cold temperature", o->cold, TSR_JET_LARGEST},
      {"hot temperature", o->hot, TSR_JET_LARGEST},
      {"lowest x", o->bounds[0], TSR_JET_LARGEST},
      {"highest x", o->bounds[1], TSR_JET_LARGEST},
      {"lowest y", o->bounds[2], TSR_JET_LARGEST},
      {"highest y", o->bounds[3], TSR_JET_LARGEST},
      {"lowest z", o->bounds[4], TSR_JET_LARGEST},
      {"highest z", o->bounds[5], TSR_JET_LARGEST},
  };
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
    if (!(fabs(numbers[k].value) <= numbers[k].most))
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "the %s must be a finite number of at most %g either way, but is %g",
                      numbers[k].name, numbers[k].most, numbers[k].value);
  if (o->speed != 0.0 && fabs(o->speed) < 1.0 / TSR_JET_LARGEST)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the speed must be 0 or at least %g either way, but is %g",
                    1.0 / TSR_JET_LARGEST, o->speed);
  if (o->modes < 0 || o->modes > TSR_JET_MAX_MODES)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the modes must lie between 0 and %d, but are %d",
                    TSR_JET_MAX_MODES, o->modes);
  if (!(o->lowest >= 1e-6 && o->highest >= 1e-6 && o->lowest <= 1e9 && o->highest <= 1e9))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the lowest and highest wave numbers must lie between 1e-6 and 1e9, but are %g "
                    "and %g",
                    o->lowest, o->highest);
  return TSR_OK;
}

/* The sides of the box, and how many waves lie along them and pass by in the time. */
static tsr_status check_waves(const tsr_jet_options *o, tsr_error *error) {
  const double length = o->bounds[1] - o->bounds[0];
  const double waves = o->lowest > o->highest ? o->lowest : o->highest;
  for (int a = 0; a < 3; ++a) {
    const double low = o->bounds[2 * a], high = o->bounds[2 * a + 1], side = high - low;
    if (!(high > low))
      return tsr_fail(error, TSR_BAD_OPTION, -1, "the bounds %g to %g are empty", low, high);
    if (!(side >= 1.0 / TSR_JET_LARGEST))
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "the bounds %g to %g must be at least %g apart, but are %g", low, high,
                      1.0 / TSR_JET_LARGEST, side);
    if (a == 2 && o->whole[4] == o->whole[5])
      continue; /* nothing depends on z */
    if (!(side <= TSR_JET_MOST_RATIO * length && length <= TSR_JET_MOST_RATIO * side))
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "the sides of the bounds must not differ by more than a factor of %g from "
                      "that along x, %g, but that along %c is %g",
                      TSR_JET_MOST_RATIO, length, "xyz"[a], side);
    if (!(waves * side <= 1e12 * length))
      return tsr_fail(
          error, TSR_BAD_OPTION, -1,
          "the jet would have %g waves along %c, and at most 1e12 can be: lower the wave numbers",
          waves * (side / length), "xyz"[a]);
  }
  if (!(fabs(o->time * o->speed) * (o->lowest + o->highest) <= 1e12 * length))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the time %g is too far away", o->time);
  return TSR_OK;
}

static tsr_status check_extent(const tsr_jet_options *o, const int64_t extent[6],
                               tsr_error *error) {
  double points = 1.0;
  for (int a = 0; a < 3; ++a) {
    const int64_t *w = o->whole + 2 * a, *e = extent + 2 * a;
    if (w[1] < w[0] || w[0] < -((int64_t)1 << 40) || w[1] > (int64_t)1 << 40)
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "the whole extent, %lld to %lld, is empty or too large", (long long)w[0],
                      (long long)w[1]);
    if (e[1] >= e[0] && (e[0] < w[0] || e[1] > w[1]))
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "the extent %lld to %lld is not within the whole, %lld to %lld",
                      (long long)e[0], (long long)e[1], (long long)w[0], (long long)w[1]);
    points *= e[1] >= e[0] ? (double)(e[1] - e[0] + 1) : 0.0;
  }
  if (points > (double)TSR_JET_MAX_POINTS)
    return tsr_fail(error, TSR_TOO_LARGE, -1, "the extent has %g points, and at most %lld can be",
                    points, (long long)TSR_JET_MAX_POINTS);
  return TSR_OK;
}

static tsr_status check_jet(const tsr_jet_options *o, const int64_t extent[6], tsr_error *error) {
  tsr_status status = check_numbers(o, error);
  if (status == TSR_OK)
    status = check_waves(o, error);
  return status == TSR_OK ? check_extent(o, extent, error) : status;
}

/* Everything after the structs were copied. */
static tsr_status make(tsr_jet *jet, const tsr_execution *execution, tsr_error *error) {
  const tsr_jet_options *o = &jet->options;
  tsr_job job = {.execution = execution, .task = jet_task, .data = jet};
  tsr_status status;
  jet->length = o->bounds[1] - o->bounds[0];
  for (int a = 0; a < 2; ++a) {
    jet->half[a] = 0.5 * (o->bounds[2 * a + 3] - o->bounds[2 * a + 2]);
    jet->centre[a] = o->bounds[2 * a + 2] + jet->half[a];
  }
  jet->width = 0.4 * jet->half[0];
  jet->time_scale = o->speed != 0.0 ? 0.6 * jet->half[0] / fabs(o->speed) : 0.0;
  set_modes(jet);
  status = set_tables(jet, error);
  if (status != TSR_OK)
    return status;
  job.n = jet->n[1] * jet->n[2];
  job.done_last = 1.0;
  jet->job = &job;
  status = tsr_job_run(&job, 8);
  free(jet->grow);
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for a row of the jet");
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the jet was made");
  return TSR_OK;
}

tsr_status tsr_jet_fill(const tsr_jet_options *options, const int64_t extent[6],
                        const tsr_execution *execution, const tsr_jet_output *output,
                        tsr_error *error) {
  tsr_execution own;
  tsr_jet_output out;
  tsr_jet *jet;
  tsr_status status;
  if (tsr_need(options && extent && output, "one of the options, the extent and the output", error))
    return TSR_BAD_INPUT;
  tsr_jet_output_init(&out);
  status = tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_take_execution(&own, execution, error);
  if (status != TSR_OK)
    return status;
  if (own.backend == TSR_BACKEND_CUDA)
    return tsr_fail(error, TSR_NO_BACKEND, -1, "the jet is made on the CPU only");
  if (out.type != TSR_FLOAT && out.type != TSR_DOUBLE)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the type of the jet is neither float nor double");
  jet = tsr_alloc(1, sizeof *jet, "the jet", error);
  if (!jet)
    return TSR_NO_MEMORY;
  memset(jet, 0, sizeof *jet);
  tsr_jet_options_init(&jet->options);
  status = tsr_copy_versioned(&jet->options, sizeof jet->options, options, "options",
                              TSR_BAD_OPTION, error);
  jet->out = &out;
  if (status == TSR_OK)
    status = check_jet(&jet->options, extent, error);
  for (int a = 0; a < 3; ++a) {
    jet->first[a] = extent[2 * a];
    jet->n[a] = status == TSR_OK && extent[2 * a + 1] >= extent[2 * a]
                    ? extent[2 * a + 1] - extent[2 * a] + 1
                    : 0;
  }
  if (status == TSR_OK && jet->n[0] > 0 && jet->n[1] > 0 && jet->n[2] > 0)
    status = make(jet, &own, error);
  free(jet);
  return status;
}
