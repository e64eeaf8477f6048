/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the core's defaults, one "proxy property value ..." a line, and the
 * ranges, for defaults.py to compare. */
#include "tessera.h"

#include <stdio.h>

static void print_execution(const char *proxy) {
  tsr_execution e;
  tsr_execution_init(&e);
  printf("%s Backend %d\n", proxy, (int)e.backend);
  printf("%s Device %d\n", proxy, e.device);
}

/* The options' own values, not those of the table: init has to set them. */
static void print_table(const char *proxy, const tsr_property *properties, int n,
                        const void *options) {
  for (int p = 0; p < n; p++) {
    printf("%s %s", proxy, properties[p].name);
    for (int k = 0; k < properties[p].numbers; k++)
      printf(" %.17g", tsr_property_get(&properties[p], options, k));
    printf("\n");
  }
}

/* "proxy.property least most", infinite where there is no bound. */
static void print_ranges(const char *proxy, const tsr_property *properties, int n) {
  for (int p = 0; p < n; p++)
    printf("%s.range %s %g %g\n", proxy, properties[p].name, properties[p].least,
           properties[p].most);
}

static void print_curves(void) {
  tsr_curves_options o;
  int n;
  const tsr_property *properties = tsr_curves_properties(&n);
  tsr_curves_options_init(&o);
  print_table("AdaptiveCurves", properties, n, &o);
  print_ranges("AdaptiveCurves", properties, n);
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
  printf("AdaptiveGrid CellShape %d\n", out.hexahedra);
  print_execution("AdaptiveGrid");
  printf("AdaptiveGrid LaunchStrategy %d\n", (int)o.launch.strategy);
}

static void print_point_grid(void) {
  tsr_pointgrid_options o;
  tsr_pointgrid_options_init(&o);
  printf("AdaptivePointGrid TreeShape %d\n", (int)o.shape);
  printf("AdaptivePointGrid MaximumPointsPerCell %lld\n", (long long)o.max_points);
  printf("AdaptivePointGrid MaximumLevel %d\n", o.max_level);
  printf("AdaptivePointGrid UseSpread %d\n", o.use_spread);
  printf("AdaptivePointGrid SpreadComponent %d\n", o.spread_component);
  printf("AdaptivePointGrid Balance %d\n", (int)o.balance);
  printf("AdaptivePointGrid OutputType %d\n", (int)o.output);
  printf("AdaptivePointGrid LaunchStrategy %d\n", (int)o.launch.strategy);
  printf("AdaptivePointGrid ChildStream %d\n", (int)o.launch.child_stream);
  printf("AdaptivePointGrid PendingLaunchCount %lld\n", (long long)o.launch.pending_launches);
  printf("AdaptivePointGrid NestingDepth %d\n", o.launch.nesting_depth);
  print_execution("AdaptivePointGrid");
}

static void print_jet(void) {
  tsr_jet_options o;
  int n;
  const tsr_property *properties = tsr_jet_properties(&n);
  tsr_jet_options_init(&o);
  print_table("TurbulentJet", properties, n, &o);
  printf("TurbulentJet Dimensions");
  for (int axis = 0; axis < 3; axis++)
    printf(" %lld", (long long)(o.whole[2 * axis + 1] - o.whole[2 * axis] + 1));
  printf("\n");
}

static void print_ordering(void) {
  tsr_ordering_options o;
  tsr_ordering_options_init(&o);
  printf("PointsToCurves SortMethod %d\n", (int)o.sort);
  printf("PointsToCurves CutAtGaps %d\n", o.use_gap);
  printf("PointsToCurves MaximumGap %.17g\n", o.max_gap);
  printf("PointsToCurves CutAtDistances %d\n", o.use_distance);
  printf("PointsToCurves MaximumDistance %.17g\n", o.max_distance);
  printf("PointsToCurves RemoveRepeats %d\n", o.drop_repeats);
  printf("PointsToCurves RepeatTolerance %.17g\n", o.tolerance);
  printf("PointsToCurves SinglePoints %d\n", (int)o.singles);
  print_execution("PointsToCurves");
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
  printf("DiscImage LaunchStrategy %d\n", (int)o.launch.strategy);
  printf("DiscImage ChildStream %d\n", (int)o.launch.child_stream);
  printf("DiscImage PendingLaunchCount %lld\n", (long long)o.launch.pending_launches);
  printf("DiscImage LaunchThreshold %lld\n", (long long)o.launch.launch_threshold);
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
  print_point_grid();
  print_jet();
  print_ordering();
  print_discs();
  print_random_discs();
  return 0;
}
