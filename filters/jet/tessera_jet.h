/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the turbulent jet. A part of the public header; include tessera.h. */
#ifndef TSR_JET_TESSERA_JET_H
#define TSR_JET_TESSERA_JET_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most modes of a jet. */
#define TSR_JET_MAX_MODES 256

/** Most points of an extent: the bytes of their velocities can still be counted. */
#define TSR_JET_MAX_POINTS ((int64_t)1 << 58)

/** Limits of the options; within all four every value of the jet is finite. LARGEST: largest
 *  magnitude of a coordinate or a temperature; 1 / LARGEST is the smallest side of the bounds, and
 *  the smallest speed other than 0. */
#define TSR_JET_LARGEST 1e30
#define TSR_JET_MOST_SPEED 1e15
#define TSR_JET_MOST_STRENGTH 1e6
#define TSR_JET_MOST_RATIO 1e9 /**< of two sides of the bounds, one of them along x */

/**
 * A jet of burning gas along x. Its velocity is a steady stream plus the curl of a potential: a sum
 * of travelling sine waves whose directions, phases and frequencies come from `seed`. The
 * shortest waves are switched on furthest downstream, so that amplitude and wavenumber grow
 * from left to right. Velocity is divergence-free, the waves fade out towards the sides. The scalar
 * is the fuel's share, 1 on the undisturbed axis; temperature is highest where fuel and air mix.
 * A value depends on the options and its own index only. Set up by tsr_jet_options_init; defaults
 * in brackets.
 */
typedef struct tsr_jet_options {
  size_t struct_size;
  int64_t whole[6]; /**< [0 127 0 63 0 63] first and last point index along i, j, k; one point along
                         k: 2D, no velocity along z */
  double bounds[6]; /**< [0 4 -1 1 -1 1] where they are: xmin xmax ymin ymax zmin zmax. An axis of
                         one point lies in the middle. The jet's axis is the middle of y and z */
  double time;      /**< [0] */
  int64_t seed;     /**< [1] */
  int modes;        /**< [32] 0 to TSR_JET_MAX_MODES */
  double speed;     /**< [1] of the stream on the axis, in the units of bounds and time */
  double strength;  /**< [0.5] of the waves, as a fraction of the speed */
  double lowest;    /**< [2] waves of the first mode along the length of x, > 0 */
  double highest;   /**< [24] of the last one */
  double cold, hot; /**< [300, 2200] temperatures */
} tsr_jet_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_jet_options_init(tsr_jet_options *options);

/** The options that the user sets, but for the extent; n: receives how many. */
const tsr_property *tsr_jet_properties(int *n);

/** Where tsr_jet_fill writes, i fastest; NULL members are not wanted. */
typedef struct tsr_jet_output {
  size_t struct_size;
  tsr_type type;     /**< [TSR_FLOAT] FLOAT or DOUBLE */
  void *velocity;    /**< points of the extent x 3 */
  void *temperature; /**< points of the extent */
  void *scalar;      /**< points of the extent */
} tsr_jet_output;

/** Clears *output and sets struct_size and the type. `output` must not be NULL. */
void tsr_jet_output_init(tsr_jet_output *output);

/**
 * Writes the values at the points of an extent.
 * extent: first and last index along i, j, k; within options->whole. A last below the first: empty.
 * execution: NULL = defaults; the backend is the CPU.
 * Fails with BAD_OPTION, TOO_LARGE, NO_MEMORY, NO_BACKEND, ABORTED (outputs are then incomplete).
 */
tsr_status tsr_jet_fill(const tsr_jet_options *options, const int64_t extent[6],
                        const tsr_execution *execution, const tsr_jet_output *output,
                        tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
