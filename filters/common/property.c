/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/support.h"

static char *place(const tsr_property *property, void *options, int k) {
  const size_t size = property->type == TSR_PROPERTY_INT ? sizeof(int) : 8;
  return (char *)options + property->offset + (size_t)k * size;
}

double tsr_property_get(const tsr_property *property, const void *options, int k) {
  const void *at = place(property, (void *)options, k);
  if (property->type == TSR_PROPERTY_INT)
    return *(const int *)at / property->unit;
  return (property->type == TSR_PROPERTY_INT64 ? (double)*(const int64_t *)at
                                               : *(const double *)at) /
         property->unit;
}

/* In the options' unit. */
static void store(const tsr_property *property, void *options, int k, double value) {
  void *at = place(property, options, k);
  if (property->type == TSR_PROPERTY_INT)
    *(int *)at = (int)value;
  else if (property->type == TSR_PROPERTY_INT64)
    *(int64_t *)at = (int64_t)value;
  else
    *(double *)at = value;
}

void tsr_property_set(const tsr_property *property, void *options, int k, double value) {
  store(property, options, k, value * property->unit);
}

void tsr_properties_init(const tsr_property *properties, int n, void *options) {
  for (int p = 0; p < n; ++p)
    for (int k = 0; k < properties[p].numbers; ++k)
      store(&properties[p], options, k, properties[p].value[k]);
}
