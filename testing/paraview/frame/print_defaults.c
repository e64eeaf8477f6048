/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the core's defaults, one "proxy property value ..." a line, and the
 * ranges, "proxy.range property least most", for defaults.py to compare. */
#include "tessera.h"

#include <stdio.h>

/* The options' own values, not those of the table: init has to set them. */
#define PRINT(PROXY, ROOM)                                                                         \
  do {                                                                                             \
    tsr_##ROOM##_options options;                                                                  \
    int n;                                                                                         \
    const tsr_property *properties = tsr_##ROOM##_properties(&n);                                  \
    tsr_##ROOM##_options_init(&options);                                                           \
    print_table(PROXY, properties, n, &options);                                                   \
  } while (0)

/* Infinite where there is no bound. */
static void print_table(const char *proxy, const tsr_property *properties, int n,
                        const void *options) {
  for (int p = 0; p < n; p++) {
    printf("%s %s", proxy, properties[p].name);
    for (int k = 0; k < properties[p].numbers; k++)
      printf(" %.17g", tsr_property_get(&properties[p], options, k));
    printf("\n%s.range %s %g %g\n", proxy, properties[p].name, properties[p].least,
           properties[p].most);
  }
}

static void print_execution(const char *proxy) {
  tsr_execution e;
  tsr_execution_init(&e);
  printf("%s Backend %d\n", proxy, (int)e.backend);
  printf("%s Device %d\n", proxy, e.device);
}

/* Defaults of other structs of grids and jets. */
static void print_others(void) {
  tsr_grid_criterion c;
  tsr_grid_output out;
  tsr_jet_options o;
  tsr_grid_criterion_init(&c);
  tsr_grid_output_init(&out);
  tsr_jet_options_init(&o);
  printf("AdaptiveGrid Component %d\n", c.component);
  printf("AdaptiveGrid CellShape %d\n", out.hexahedra);
  printf("TurbulentJet Dimensions");
  for (int axis = 0; axis < 3; axis++)
    printf(" %lld", (long long)(o.whole[2 * axis + 1] - o.whole[2 * axis] + 1));
  printf("\n");
}

int main(void) {
  static const char *const filters[] = {"AdaptiveCurves", "AdaptiveGrid", "AdaptivePointGrid",
                                        "PointsToCurves", "DiscImage"};
  PRINT("AdaptiveCurves", curves);
  PRINT("AdaptiveGrid", grid);
  PRINT("AdaptivePointGrid", pointgrid);
  PRINT("PointsToCurves", ordering);
  PRINT("DiscImage", discs);
  PRINT("RandomDiscs", random_discs);
  PRINT("RandomBezierCurves", random_curves);
  PRINT("TurbulentJet", jet);
  for (int f = 0; f < 5; f++)
    print_execution(filters[f]);
  print_others();
  return 0;
}
