/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: defaults, and everything that can be wrong with views and options. */
#include "ordering/plan.h"

#include <stdio.h>
#include <string.h>

void tsr_ordering_view_init(tsr_ordering_view *view) {
  memset(view, 0, sizeof *view);
  view->struct_size = sizeof *view;
  view->points.type = TSR_FLOAT;
  view->points.components = 3;
}

void tsr_ordering_output_init(tsr_ordering_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
}

tsr_status tsr_ordering_check(const tsr_ordering_view *view, const tsr_ordering_options *options,
                              tsr_error *error) {
  const int64_t n = view->points.tuples;
  if (tsr_check_array(&view->points, "the array of points", 3, n, error))
    return TSR_BAD_INPUT;
  if (n >> 48)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "there are more than 2^48 points: %lld",
                    (long long)n);
  if (view->group.components != 0 && tsr_check_array(&view->group, "the group array", 1, n, error))
    return TSR_BAD_INPUT;
  if (view->order.components != 0 && tsr_check_array(&view->order, "the order array", 1, n, error))
    return TSR_BAD_INPUT;
  if ((unsigned)options->singles > (unsigned)TSR_SINGLES_DROP)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the choice %d for single points is unknown",
                    (int)options->singles);
  if ((options->use_gap && tsr_check_at_least_0(options->max_gap, "the largest gap", -1, error)) ||
      (options->use_distance &&
       tsr_check_at_least_0(options->max_distance, "the largest distance", -1, error)) ||
      (options->drop_repeats &&
       tsr_check_at_least_0(options->tolerance, "the tolerance of repeats", -1, error)))
    return TSR_BAD_OPTION;
  return TSR_OK;
}

tsr_status tsr_ordering_check_output(const tsr_ordering_output *output, int64_t n,
                                     tsr_error *error) {
  if (tsr_check_list(output->attributes, output->n_attributes, "attributes", TSR_BAD_INPUT, error))
    return TSR_BAD_INPUT;
  for (int a = 0; a < output->n_attributes; ++a) {
    const tsr_ordering_attribute *one = &output->attributes[a];
    char name[64];
    snprintf(name, sizeof name, "attribute %d", a);
    if (tsr_check_array(&one->in, name, 0, n, error))
      return TSR_BAD_INPUT;
    if ((unsigned)one->place > (unsigned)TSR_AT_LAST)
      return tsr_fail(error, TSR_BAD_INPUT, a, "the place %d of attribute %d is unknown",
                      (int)one->place, a);
    if (!one->out && n > 0)
      return tsr_fail(error, TSR_BAD_INPUT, a, "attribute %d has no output array", a);
  }
  return TSR_OK;
}

void tsr_ordering_note_sentence(tsr_ordering_note note, tsr_note_count count, char *text,
                                size_t size) {
  static const char *const one[TSR_ORDERING_NOTES] = {
      "has a group that is not a number (NaN): such points are one group, the last",
      "has an order that is not a number (NaN): it comes last in its group",
      ("has a place that is not finite (or beyond 1e100): it stays in its curve, whose length "
       "leaves it out")};
  static const char *const many[TSR_ORDERING_NOTES] = {
      "have a group that is not a number (NaN): such points are one group, the last",
      "have an order that is not a number (NaN): they come last in their groups",
      ("have a place that is not finite (or beyond 1e100): they stay in their curves, whose "
       "lengths "
       "leave them out")};
  if (count.count <= 0 || (unsigned)note >= (unsigned)TSR_ORDERING_NOTES)
    return;
  if (count.count == 1)
    snprintf(text, size, "1 point (number %lld) %s.", (long long)count.first, one[note]);
  else
    snprintf(text, size, "%lld points (the first is number %lld) %s.", (long long)count.count,
             (long long)count.first, many[note]);
}
