/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the core's defaults, one "name value" a line, for defaults.py to compare. */
#include "tessera.h"

#include <stdio.h>

int main(void) {
  tsr_curves_options o;
  tsr_execution e;
  tsr_curves_options_init(&o);
  tsr_execution_init(&e);
  printf("CatmullRomKnots %d\n", (int)o.knots);
  printf("Tension %.17g\n", o.tension);
  printf("Sampling %d\n", (int)o.sampling);
  printf("MaximumLevel %d\n", o.max_level);
  printf("UseCurvatureFactor %d\n", o.use_curvature);
  printf("CurvatureFactor %.17g\n", o.curvature_factor);
  printf("MinimumPoints %d\n", o.min_points);
  printf("MaximumPoints %d\n", o.max_points);
  printf("UseChordError %d\n", o.use_chord_error);
  printf("ChordError %.17g\n", o.chord_error);
  printf("ChordErrorMode %d\n", o.chord_relative);
  printf("UseTurningAngle %d\n", o.use_turning_angle);
  printf("TurningAngle %.17g\n", o.turning_angle);
  printf("UseMaximumSegmentLength %d\n", o.use_max_length);
  printf("MaximumSegmentLength %.17g\n", o.max_length);
  printf("UseFieldError %d\n", o.use_field_error);
  printf("FieldError %.17g\n", o.field_error);
  printf("ArrayInterpolation %d\n", (int)o.interpolation);
  printf("Backend %d\n", (int)e.backend);
  printf("Device %d\n", e.device);
  printf("LaunchStrategy %d\n", (int)e.strategy);
  printf("ChildStream %d\n", (int)e.child_stream);
  printf("PendingLaunchCount %lld\n", (long long)e.pending_launches);
  printf("OutputMemory %d\n", (int)e.output_memory);
  printf("DeviceHeapSize %lld\n", (long long)(e.heap_bytes >> 20));
  printf("LaunchThreshold %lld\n", (long long)e.launch_threshold);
  printf("BlockSize %d\n", e.block_size);
  printf("ClusterSize %d\n", e.cluster_size);
  printf("SharedMemoryCarveout %d\n", e.carveout);
  printf("NestingDepth %d\n", e.nesting_depth);
  return 0;
}
