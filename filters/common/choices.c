/* SPDX-License-Identifier: BSD-3-Clause */
/** What the user sets about every filter. */
#include "common/support.h"
#include "common/tessera_choices.h"

#include <ctype.h>
#include <math.h>

void tsr_property_label(const char *name, char *text, size_t size) {
  size_t at = 0;
  for (size_t i = 0; name[i] && at + 1 < size; ++i) {
    const int word = i > 0 && isupper((unsigned char)name[i]) &&
                     (islower((unsigned char)name[i - 1]) || islower((unsigned char)name[i + 1]));
    if (word)
      text[at++] = ' ';
    if (at + 1 < size)
      text[at++] = name[i];
  }
  text[at] = '\0';
}

tsr_status tsr_properties_check(const tsr_property *properties, int n, const void *options,
                                tsr_error *error) {
  if (tsr_need((properties && options) || n == 0, "the table or the struct that it is of", error))
    return TSR_BAD_INPUT;
  for (int p = 0; p < n; ++p) {
    const tsr_property *one = &properties[p];
    const double number = tsr_property_get(one, options, 0);
    if (one->type == TSR_PROPERTY_CHOICE && !(one->least <= number && number <= one->most)) {
      char label[100];
      tsr_property_label(one->name, label, sizeof label);
      return tsr_fail(error, TSR_BAD_OPTION, -1, "%s must be a number from %d to %d, not %d.",
                      label, (int)one->least, (int)one->most, (int)number);
    }
  }
  return TSR_OK;
}

/* Property, member, type, bounds, default. */
#define ONE(NAME, MEMBER, TYPE, LEAST, MOST, VALUE)                                                \
  TSR_PROPERTY(tsr_filter_choices, NAME, MEMBER, TYPE, 1, 1, LEAST, MOST, VALUE)

static const tsr_property properties[] = {
    ONE(Backend, backend, CHOICE, 0, TSR_BACKEND_CPU, TSR_BACKEND_AUTO),
    ONE(Threads, threads, INT, 0, INFINITY, 0), ONE(Device, device, INT, -1, INFINITY, -1),
    ONE(LargestOutput, largest_output, INT, 0, INFINITY, 0)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_filter_choices_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_filter_choices_init(tsr_filter_choices *choices) {
  tsr_properties_init(properties, PROPERTIES, choices);
}

tsr_status tsr_filter_choices_check(const tsr_filter_choices *choices, int strategy,
                                    int first_strategy, int last_strategy, tsr_error *error) {
  if (tsr_need(choices != NULL, "the struct of the choices", error))
    return TSR_BAD_INPUT;
  if (choices->threads < 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Threads must be 0 (all) or more, not %d.",
                    choices->threads);
  if (choices->largest_output < 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Largest Output must be 0 (a quarter of the memory) or more MiB, not %d.",
                    choices->largest_output);
  if (choices->device < -1)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Device must be -1 (by process) or the index of a device, not %d.",
                    choices->device);
  if (strategy == 0 || (first_strategy <= strategy && strategy <= last_strategy))
    return TSR_OK;
  if (last_strategy == 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Launch Strategy must be 0 (Auto), not %d.",
                    strategy);
  return tsr_fail(error, TSR_BAD_OPTION, -1,
                  "Launch Strategy must be 0 (Auto) or a number from %d to %d, not %d.",
                  first_strategy, last_strategy, strategy);
}
