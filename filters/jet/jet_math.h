/* SPDX-License-Identifier: BSD-3-Clause */
/** The turbulent jet at one point. */
#ifndef TSR_JET_JET_MATH_H
#define TSR_JET_JET_MATH_H

#include "common/common_math.h"

/** Sine of x in [-1/8, 1/8] turns; Taylor's polynomial, to within 1e-15. */
TSR_FN double tsr_eighth_sine(double x) {
  const double t = x * 6.28318530717958647693, s = t * t;
  return t * (1.0 - s * (1.0 / 6.0 -
                         s * (1.0 / 120.0 -
                              s * (1.0 / 5040.0 - s * (1.0 / 362880.0 -
                                                       s * (1.0 / 39916800.0 -
                                                            s * (1.0 / 6227020800.0 -
                                                                 s * (1.0 / 1307674368000.0))))))));
}

/** Cosine of x in [-1/8, 1/8] turns. */
TSR_FN double tsr_eighth_cosine(double x) {
  const double t = x * 6.28318530717958647693, s = t * t;
  return 1.0 -
         s * (1.0 / 2.0 -
              s * (1.0 / 24.0 - s * (1.0 / 720.0 -
                                     s * (1.0 / 40320.0 - s * (1.0 / 3628800.0 -
                                                               s * (1.0 / 479001600.0 -
                                                                    s * (1.0 / 87178291200.0)))))));
}

/** Sine and cosine of x turns, |x| < 1e15: the checks of the options see to that. */
TSR_FN void tsr_turns(double x, double *sine, double *cosine) {
  const int64_t quarters = (int64_t)(x * 4.0 + (x < 0.0 ? -0.5 : 0.5));
  const double rest = x - (double)quarters * 0.25;
  const double s = tsr_eighth_sine(rest), c = tsr_eighth_cosine(rest);
  switch ((int)(quarters & 3)) {
  case 0:
    *sine = s;
    *cosine = c;
    break;
  case 1:
    *sine = c;
    *cosine = -s;
    break;
  case 2:
    *sine = -s;
    *cosine = -c;
    break;
  default:
    *sine = -c;
    *cosine = s;
    break;
  }
}

/** Rises from 0 at t = 0 to 1 at t = 1, twice differentiable; *slope: its derivative. */
TSR_FN double tsr_ramp(double t, double *slope) {
  if (t <= 0.0 || t >= 1.0) {
    *slope = 0.0;
    return t <= 0.0 ? 0.0 : 1.0;
  }
  *slope = 30.0 * t * t * (1.0 - t) * (1.0 - t);
  return t * t * t * (10.0 - t * (15.0 - 6.0 * t));
}

/** One wave of the potential: amplitude(x) fade(y, z) axis sin(wave . position + phase). */
typedef struct tsr_jet_mode {
  double wave[3];   /**< turns a unit of length */
  double phase;     /**< turns, at the time asked for */
  double axis[3];   /**< unit vector */
  double amplitude; /**< downstream */
  double start;     /**< fraction of the length from which on it grows */
} tsr_jet_mode;

/** What is known of a row of points along x. */
typedef struct tsr_jet_row {
  double fade, fade_y, fade_z; /**< of the waves towards the sides, and its derivatives */
} tsr_jet_row;

/** The fade at distances y and z from the axis, in units of half the box. */
TSR_FN void tsr_jet_set_row(tsr_jet_row *row, const double offset[2], const double half[2]) {
  const double u = half[0] > 0.0 ? offset[0] / half[0] : 0.0;
  const double v = half[1] > 0.0 ? offset[1] / half[1] : 0.0;
  const double b = 1.0 - (u * u + v * v);
  row->fade = row->fade_y = row->fade_z = 0.0;
  if (b <= 0.0)
    return;
  row->fade = b * b * b;
  row->fade_y = half[0] > 0.0 ? -6.0 * b * b * u / half[0] : 0.0;
  row->fade_z = half[1] > 0.0 ? -6.0 * b * b * v / half[1] : 0.0;
}

/** Velocity of a mode: gradient of its amplitude times sine, cross its axis. grow and slope: its
 *  amplitude at x and the derivative. sx, cx: of wave[0] x; sr, cr: of the rest of the angle. */
TSR_FN void tsr_jet_velocity(const tsr_jet_mode *mode, const tsr_jet_row *row, double grow,
                             double slope, double sx, double cx, double sr, double cr,
                             double velocity[3]) {
  const double turn = 6.28318530717958647693;
  const double s = sx * cr + cx * sr, c = (cx * cr - sx * sr) * turn;
  const double here = grow * row->fade;
  const double px = slope * row->fade * s + here * mode->wave[0] * c;
  const double py = grow * row->fade_y * s + here * mode->wave[1] * c;
  const double pz = grow * row->fade_z * s + here * mode->wave[2] * c;
  velocity[0] = py * mode->axis[2] - pz * mode->axis[1];
  velocity[1] = pz * mode->axis[0] - px * mode->axis[2];
  velocity[2] = px * mode->axis[1] - py * mode->axis[0];
}

/** Fuel's share at distances y and z from the axis, disturbed by the velocity v, w of the waves. */
TSR_FN double tsr_jet_scalar(const double offset[2], double v, double w, double width,
                             double time_scale) {
  const double y = offset[0] - v * time_scale, z = offset[1] - w * time_scale;
  const double q = 1.0 + (y * y + z * z) / (width * width);
  return 1.0 / (q * q);
}

/** Temperature for a share of fuel, `downstream` the fraction of the length. */
TSR_FN double tsr_jet_temperature(double scalar, double downstream, double cold, double hot) {
  double slope;
  const double burning = tsr_ramp(downstream / 0.3, &slope);
  return cold + (hot - cold) * burning * (4.0 * scalar * (1.0 - scalar));
}

#endif
