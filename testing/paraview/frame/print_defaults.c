/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the core's defaults, one "proxy property value ..." a line, for defaults.py to compare. */
#include "tessera.h"

#include <stdio.h>

static void print_execution(const char *proxy) {
  tsr_execution e;
  tsr_execution_init(&e);
  printf("%s Backend %d\n", proxy, (int)e.backend);
  printf("%s Device %d\n", proxy, e.device);
  printf("%s LaunchStrategy %d\n", proxy, (int)e.strategy);
  printf("%s ChildStream %d\n", proxy, (int)e.child_stream);
  printf("%s PendingLaunchCount %lld\n", proxy, (long long)e.pending_launches);
  printf("%s OutputMemory %d\n", proxy, (int)e.output_memory);
  printf("%s DeviceHeapSize %lld\n", proxy, (long long)(e.heap_bytes >> 20));
  printf("%s LaunchThreshold %lld\n", proxy, (long long)e.launch_threshold);
  printf("%s BlockSize %d\n", proxy, e.block_size);
  printf("%s ClusterSize %d\n", proxy, e.cluster_size);
  printf("%s SharedMemoryCarveout %d\n", proxy, e.carveout);
  printf("%s NestingDepth %d\n", proxy, e.nesting_depth);
}

static void print_curves(void) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  printf("AdaptiveCurves CatmullRomKnots %d\n", (int)o.knots);
  printf("AdaptiveCurves Tension %.17g\n", o.tension);
  printf("AdaptiveCurves Sampling %d\n", (int)o.sampling);
  printf("AdaptiveCurves MaximumLevel %d\n", o.max_level);
  printf("AdaptiveCurves UseCurvatureFactor %d\n", o.use_curvature);
  printf("AdaptiveCurves CurvatureFactor %.17g\n", o.curvature_factor);
  printf("AdaptiveCurves MinimumPoints %d\n", o.min_points);
  printf("AdaptiveCurves MaximumPoints %d\n", o.max_points);
  printf("AdaptiveCurves UseChordError %d\n", o.use_chord_error);
  printf("AdaptiveCurves ChordError %.17g\n", o.chord_error);
  printf("AdaptiveCurves ChordErrorMode %d\n", o.chord_relative);
  printf("AdaptiveCurves UseTurningAngle %d\n", o.use_turning_angle);
  printf("AdaptiveCurves TurningAngle %.17g\n", o.turning_angle);
  printf("AdaptiveCurves UseMaximumSegmentLength %d\n", o.use_max_length);
  printf("AdaptiveCurves MaximumSegmentLength %.17g\n", o.max_length);
  printf("AdaptiveCurves UseFieldError %d\n", o.use_field_error);
  printf("AdaptiveCurves FieldError %.17g\n", o.field_error);
  printf("AdaptiveCurves ArrayInterpolation %d\n", (int)o.interpolation);
  print_execution("AdaptiveCurves");
}

static void print_grid(void) {
  tsr_grid_options o;
  tsr_grid_criterion c;
  tsr_grid_output out;
  tsr_grid_options_init(&o);
  tsr_grid_criterion_init(&c);
  tsr_grid_output_init(&out);
  printf("AdaptiveGrid GridType %d\n", (int)o.mode);
  printf("AdaptiveGrid CoarsenLevels %d\n", o.coarsen_levels);
  printf("AdaptiveGrid RefineLevels %d\n", o.refine_levels);
  printf("AdaptiveGrid BufferCells %d\n", o.buffer_cells);
  printf("AdaptiveGrid Balance %d\n", (int)o.balance);
  printf("AdaptiveGrid CellBudget %lld\n", (long long)o.cell_budget);
  printf("AdaptiveGrid UseRegion %d\n", o.use_region);
  printf("AdaptiveGrid LevelInside %d\n", o.inside_level);
  printf("AdaptiveGrid LevelOutside %d\n", o.outside_level);
  printf("AdaptiveGrid Component %d\n", c.component);
  printf("AdaptiveGrid AMRBlockSize %d\n", o.block_size);
  printf("AdaptiveGrid HangingNodes %d\n", o.constrain);
  printf("AdaptiveGrid CellShape %d\n", out.hexahedra);
  print_execution("AdaptiveGrid");
}

static void print_jet(void) {
  tsr_jet_options o;
  tsr_jet_options_init(&o);
  printf("TurbulentJet Dimensions");
  for (int axis = 0; axis < 3; axis++)
    printf(" %lld", (long long)(o.whole[2 * axis + 1] - o.whole[2 * axis] + 1));
  printf("\nTurbulentJet Bounds");
  for (int side = 0; side < 6; side++)
    printf(" %.17g", o.bounds[side]);
  printf("\nTurbulentJet Modes %d\n", o.modes);
  printf("TurbulentJet Strength %.17g\n", o.strength);
  printf("TurbulentJet LowestWavenumber %.17g\n", o.lowest);
  printf("TurbulentJet HighestWavenumber %.17g\n", o.highest);
  printf("TurbulentJet Seed %lld\n", (long long)o.seed);
  printf("TurbulentJet Speed %.17g\n", o.speed);
  printf("TurbulentJet TemperatureRange %.17g %.17g\n", o.cold, o.hot);
}

static void print_numbers(const char *name, const double *values, int n) {
  printf("DiscImage %s", name);
  for (int i = 0; i < n; i++)
    printf(" %.17g", values[i]);
  printf("\n");
}

static void print_discs(void) {
  tsr_discs_options o;
  tsr_discs_options_init(&o);
  printf("DiscImage Resolution %d %d\n", o.width, o.height);
  printf("DiscImage Supersampling %d\n", o.supersampling);
  printf("DiscImage RadiusUnit %d\n", o.radius_in_pixels);
  print_numbers("Color", o.color, 3);
  print_numbers("NanColor", o.nan_color, 3);
  print_numbers("Opacity", &o.opacity, 1);
  printf("DiscImage Falloff %d\n", (int)o.falloff);
  print_numbers("Sharpness", &o.sharpness, 1);
  printf("DiscImage Order %d\n", (int)o.order);
  print_numbers("Background", o.background, 3);
  print_numbers("BackgroundOpacity", &o.background[3], 1);
  print_execution("DiscImage");
}

static void print_random_discs(void) {
  tsr_random_discs_options o;
  tsr_random_discs_options_init(&o);
  printf("RandomDiscs Scene %d\n", (int)o.scene);
  printf("RandomDiscs NumberOfDiscs %lld\n", (long long)o.count);
  printf("RandomDiscs Seed %lld\n", (long long)o.seed);
  printf("RandomDiscs RadiusRange %.17g %.17g\n", o.smallest, o.largest);
  printf("RandomDiscs Opacity %.17g\n", o.opacity);
}

int main(void) {
  print_curves();
  print_grid();
  print_jet();
  print_discs();
  print_random_discs();
  return 0;
}
