/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the table of what the user sets. Where a bound depends on another option or is not
 *  included, check.c has the rule. */
#include "common/support.h"
#include "curves/tessera_curves.h"

#include <math.h>

/* Property, member, type, unit, bounds, default. */
#define ONE(NAME, MEMBER, TYPE, UNIT, LEAST, MOST, VALUE)                                          \
  TSR_PROPERTY(tsr_curves_options, NAME, MEMBER, TYPE, 1, UNIT, LEAST, MOST, VALUE)

static const tsr_property properties[] = {
    ONE(CatmullRomKnots, knots, CHOICE, 1, 0, TSR_KNOTS_CHORDAL, TSR_KNOTS_CENTRIPETAL),
    ONE(Tension, tension, DOUBLE, 1, 0, 1, 0),
    ONE(Sampling, sampling, CHOICE, 1, 0, TSR_SAMPLING_EQUAL_ARC_LENGTH, TSR_SAMPLING_EQUAL_ERROR),
    ONE(NumberOfSegments, n_segments, INT, 1, 1, INFINITY, 100),
    ONE(MaximumLevel, max_level, INT, 1, 0, 30, 24),
    ONE(UseCurvatureFactor, use_curvature, INT, 1, 0, 1, 0),
    ONE(CurvatureFactor, curvature_factor, DOUBLE, 1, 0, INFINITY, 16),
    ONE(MinimumPoints, min_points, INT, 1, 2, INFINITY, 4),
    ONE(MaximumPoints, max_points, INT, 1, 2, INFINITY, 32),
    ONE(UseChordError, use_chord_error, INT, 1, 0, 1, 1),
    ONE(ChordError, chord_error, DOUBLE, 1, 0, INFINITY, 0.001),
    ONE(ChordErrorMode, chord_relative, CHOICE, 1, 0, 1, 1),
    ONE(UseTurningAngle, use_turning_angle, INT, 1, 0, 1, 0),
    ONE(TurningAngle, turning_angle, DOUBLE, 1, 0, 180, 10),
    ONE(UseMaximumSegmentLength, use_max_length, INT, 1, 0, 1, 0),
    ONE(MaximumSegmentLength, max_length, DOUBLE, 1, 0, INFINITY, 1),
    ONE(UseFieldError, use_field_error, INT, 1, 0, 1, 1),
    ONE(FieldError, field_error, DOUBLE, 1, 0, INFINITY, 0.01),
    ONE(FieldErrorMode, field_relative, CHOICE, 1, 0, 1, 1),
    ONE(Joints, joints, CHOICE, 1, 0, TSR_JOINTS_WHERE_NEEDED, TSR_JOINTS_WHERE_NEEDED),
    ONE(Vertices, vertices, CHOICE, 1, 0, TSR_VERTICES_WITHIN_TOLERANCE, TSR_VERTICES_ON_CURVE),
    ONE(ArrayInterpolation, interpolation, CHOICE, 1, 0, TSR_INTERPOLATE_LINEAR,
        TSR_INTERPOLATE_CURVE),
    ONE(LaunchStrategy, launch.strategy, INT, 1, 0, TSR_STRATEGY_RECURSIVE_CHILDREN,
        TSR_STRATEGY_AUTO),
    ONE(ChildStream, launch.child_stream, CHOICE, 1, 0, TSR_CHILD_TAIL, TSR_CHILD_FIRE_AND_FORGET),
    ONE(PendingLaunchCount, launch.pending_launches, INT64, 1, 0, 262144, 0),
    ONE(OutputMemory, launch.output_memory, CHOICE, 1, 0, TSR_MEMORY_DEVICE_HEAP, TSR_MEMORY_EXACT),
    ONE(DeviceHeapSize, launch.heap_bytes, INT64, 1 << 20, 0, INFINITY, 0),
    ONE(LaunchThreshold, launch.launch_threshold, INT64, 1, 0, INFINITY, 0),
    ONE(NestingDepth, launch.nesting_depth, INT, 1, 1, 24, 8),
    ONE(KeepInputOnDevice, launch.keep_bytes, INT64, 1 << 20, 0, INFINITY, 1 << 30)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_curves_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_curves_options_init(tsr_curves_options *options) {
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
}

void tsr_curves_options_settle(tsr_curves_options *options) {
  if (options->sampling != TSR_SAMPLING_EQUAL_ARC_LENGTH)
    return;
  options->use_chord_error = options->use_turning_angle = options->use_field_error = 0;
  options->use_curvature = 0;
  options->joints = TSR_JOINTS_KEEP_ALL;
}
