/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: defaults, what is refused, and what is told. */
#include "pointgrid/plan.h"

#include <stdio.h>
#include <string.h>

void tsr_pointgrid_view_init(tsr_pointgrid_view *view) {
  memset(view, 0, sizeof *view);
  view->struct_size = sizeof *view;
  view->points.type = TSR_DOUBLE;
  view->points.components = 3;
}

void tsr_pointgrid_output_init(tsr_pointgrid_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
  output->points_type = TSR_DOUBLE;
  output->index_type = TSR_INT64;
}

static tsr_status check_spread(const tsr_pointgrid_input *input, tsr_error *error) {
  const tsr_pointgrid_options *o = &input->options;
  tsr_status status = TSR_OK;
  if (tsr_check_at_least_0(o->spread, "the spread", -1, error))
    return TSR_BAD_OPTION;
  if (o->spread_component < -1)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the component of the spread array must be -1 (the magnitude) or more, not %d",
                    o->spread_component);
  if (input->view.points.tuples == 0)
    return TSR_OK;
  status =
      tsr_check_array(&o->spread_array, "the spread array", 0, input->view.points.tuples, error);
  if (status == TSR_OK && o->spread_component >= o->spread_array.components)
    return tsr_fail(
        error, TSR_BAD_OPTION, -1,
        "the spread looks at component %d, but the spread array's components are 0 to %d",
        o->spread_component, o->spread_array.components - 1);
  return status;
}

tsr_status tsr_pointgrid_check_ranks(const tsr_pointgrid_options *o, tsr_error *error) {
  int owners = 0;
  if (o->n_ranks < 1 || o->rank < 0 || o->rank >= o->n_ranks)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "rank %d is outside 0..%d", o->rank, o->n_ranks - 1);
  if (!o->gather && o->n_ranks > 1)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "%d ranks need gather and exchange", o->n_ranks);
  if (o->gather && !o->exchange)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "gather is set without exchange: set both, or neither");
  for (int rank = 0; rank < o->n_ranks && o->owners; ++rank)
    owners += o->owners[rank] != 0;
  return !o->owners || owners > 0
             ? TSR_OK
             : tsr_fail(error, TSR_BAD_OPTION, -1,
                        "owners names no process: at least one must own leaves");
}

/* What the CPU does by design cannot be done with arrays on a device. */
static tsr_status check_device_arrays(const tsr_pointgrid_input *input, tsr_error *error) {
  const tsr_pointgrid_options *o = &input->options;
  if (o->gather)
    return tsr_refuse_device_arrays(input->execution, "point grids of several processes", error);
  if (o->balance != TSR_BALANCE_NONE)
    return tsr_refuse_device_arrays(input->execution, "point grids with balance", error);
  if (o->output == TSR_POINTGRID_TREE)
    return tsr_refuse_device_arrays(input->execution, "trees of points", error);
  return TSR_OK;
}

tsr_status tsr_pointgrid_check(const tsr_pointgrid_input *input, tsr_error *error) {
  const tsr_pointgrid_options *o = &input->options;
  const tsr_array *points = &input->view.points;
  tsr_status status = TSR_OK;
  if ((unsigned)o->shape > (unsigned)TSR_POINTGRID_XZ)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the shape %d is unknown", (int)o->shape);
  if (o->use_spread && (unsigned)o->spread_of > (unsigned)TSR_POINTGRID_SPREAD_OF_Z)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the spread of %d is unknown", (int)o->spread_of);
  if ((unsigned)o->balance > (unsigned)TSR_BALANCE_CORNER)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the balance %d is unknown", (int)o->balance);
  if ((unsigned)o->output > (unsigned)TSR_POINTGRID_POINTS)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the output %d is unknown", (int)o->output);
  if (o->max_points < 1)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the maximum of points in a cell must be at least 1, not %lld",
                    (long long)o->max_points);
  if (o->max_level < 0 || o->max_level > TSR_POINTGRID_MAX_LEVEL)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the maximum level must lie between 0 and %d, not be %d",
                    TSR_POINTGRID_MAX_LEVEL, o->max_level);
  if (points->tuples != 0)
    status = tsr_check_places(points, error);
  if (status == TSR_OK)
    status = check_device_arrays(input, error);
  return status == TSR_OK && o->use_spread ? check_spread(input, error) : status;
}

tsr_status tsr_pointgrid_check_output(const tsr_pointgrid_plan *plan,
                                      const tsr_pointgrid_output *output, tsr_error *error) {
  tsr_status status = tsr_check_output_types(output->points_type, output->index_type, error);
  if (status == TSR_OK)
    status = tsr_check_list(output->attributes, output->n_attributes, "attributes", TSR_BAD_OPTION,
                            error);
  if (status == TSR_OK && output->index_type == TSR_INT32 &&
      (plan->sizes.connectivity > INT32_MAX || plan->sizes.points > INT32_MAX))
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "%lld entries of connectivity do not fit into 32-bit integers",
                    (long long)plan->sizes.connectivity);
  if (status == TSR_OK && output->state)
    status = tsr_refuse_device_arrays(plan->input.execution, "the states of trees", error);
  for (int i = 0; status == TSR_OK && i < output->n_attributes; ++i)
    status = tsr_check_array(&output->attributes[i].in, "the array of an attribute", 0,
                             plan->input.view.points.tuples, error);
  return status;
}

void tsr_pointgrid_note_sentence(tsr_pointgrid_note note, tsr_note_count count, char *text,
                                 size_t size) {
  const long long n = (long long)count.count, first = (long long)count.first;
  if (n == 0)
    return;
  if (note == TSR_POINTGRID_NOTE_NOT_FINITE && n == 1)
    snprintf(
        text, size,
        "1 point (number %lld) has a coordinate that is not finite or beyond 1e100: it is left "
        "out.",
        first);
  else if (note == TSR_POINTGRID_NOTE_NOT_FINITE)
    snprintf(text, size,
             "%lld points, the first of them number %lld, have a coordinate that is not finite or "
             "beyond 1e100: they are left out.",
             n, first);
  else if (note == TSR_POINTGRID_NOTE_FULL && n == 1)
    snprintf(text, size,
             "1 cell (number %lld) of the highest level holds more points than the maximum: they "
             "lie too close together to be told apart.",
             first);
  else if (note == TSR_POINTGRID_NOTE_FULL)
    snprintf(
        text, size,
        "%lld cells of the highest level, the first of them number %lld, hold more points than "
        "the maximum: they lie too close together to be told apart.",
        n, first);
}
