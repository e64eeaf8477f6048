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

int main(void) {
  print_curves();
  print_grid();
  print_jet();
  return 0;
}
