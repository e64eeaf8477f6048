/* SPDX-License-Identifier: BSD-3-Clause */
/** Tables of properties: what the user sets, by name. */
#include "common/support.h"

#include <string.h>

static int is_int(const tsr_property *property) {
  return property->type == TSR_PROPERTY_INT || property->type == TSR_PROPERTY_CHOICE;
}

static char *place(const tsr_property *property, void *options, int k) {
  const size_t size = is_int(property) ? sizeof(int) : 8;
  return (char *)options + property->offset + (size_t)k * size;
}

double tsr_property_get(const tsr_property *property, const void *options, int k) {
  const void *at = place(property, (void *)options, k);
  if (is_int(property))
    return *(const int *)at / property->unit;
  return (property->type == TSR_PROPERTY_INT64 ? (double)*(const int64_t *)at
                                               : *(const double *)at) /
         property->unit;
}

/* Stores number k of a property, given in the unit of the options. */
static void store(const tsr_property *property, void *options, int k, double value) {
  void *at = place(property, options, k);
  if (is_int(property))
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

void tsr_options_init(void *options, size_t size, const tsr_property *properties, int n) {
  memset(options, 0, size);
  memcpy(options, &size, sizeof size);
  tsr_properties_init(properties, n, options);
}
