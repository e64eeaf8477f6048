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

/* What the user sets beside the options. */
#define PRINT_CHOICES(PROXY, ROOM)                                                                 \
  do {                                                                                             \
    tsr_##ROOM##_choices choices;                                                                  \
    int n;                                                                                         \
    const tsr_property *properties = tsr_##ROOM##_choices_properties(&n);                          \
    tsr_##ROOM##_choices_init(&choices);                                                           \
    print_table(PROXY, properties, n, &choices);                                                   \
  } while (0)

/* limited: its panel has Largest Output, the last one of the table. */
static void print_filter(const char *proxy, int limited) {
  tsr_filter_choices choices;
  int n;
  const tsr_property *properties = tsr_filter_choices_properties(&n);
  tsr_filter_choices_init(&choices);
  print_table(proxy, properties, limited ? n : n - 1, &choices);
}

int main(void) {
  static const char *const filters[] = {"AdaptiveCurves",    "AdaptiveGrid",   "AdaptiveCells",
                                        "AdaptivePointGrid", "PointsToCurves", "DiscImage"};
  PRINT("AdaptiveCells", cells);
  PRINT("AdaptiveCurves", curves);
  PRINT("AdaptiveGrid", grid);
  PRINT("AdaptivePointGrid", pointgrid);
  PRINT("PointsToCurves", ordering);
  PRINT("DiscImage", discs);
  PRINT("RandomDiscs", random_discs);
  PRINT("RandomBezierCurves", random_curves);
  PRINT("TurbulentJet", jet);
  PRINT_CHOICES("AdaptiveCells", cells);
  PRINT_CHOICES("AdaptiveCurves", curves);
  PRINT_CHOICES("AdaptiveGrid", grid);
  PRINT_CHOICES("AdaptivePointGrid", pointgrid);
  PRINT_CHOICES("DiscImage", discs);
  PRINT_CHOICES("TurbulentJet", jet);
  for (int f = 0; f < 6; f++)
    print_filter(filters[f], f < 3);
  return 0;
}
