/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: what the field error refers to, and labels as bytes. */
#include "curves/plan.h"

#include <stdlib.h>

#define TSR_RANGE_TUPLES 65536 /* tuples that a partial range covers */

typedef struct tsr_range_work {
  const tsr_array *array;
  double (*parts)[2]; /* least and largest, by component within a part */
} tsr_range_work;

static void range_task(void *data, int64_t begin, int64_t end) {
  const tsr_range_work *work = data;
  const int64_t n = work->array->components;
  for (int64_t part = begin; part < end; ++part) {
    const int64_t first = part * TSR_RANGE_TUPLES, left = work->array->tuples - first;
    const int64_t last = first + (left < TSR_RANGE_TUPLES ? left : TSR_RANGE_TUPLES);
    for (int64_t c = 0; c < n; ++c) {
      double *range = work->parts[part * n + c];
      range[0] = INFINITY;
      range[1] = -INFINITY;
      for (int64_t i = first; i < last; ++i) {
        const double v = tsr_load(work->array, i * n + c);
        if (fabs(v) <= 1e300) {
          range[0] = v < range[0] ? v : range[0];
          range[1] = v > range[1] ? v : range[1];
        }
      }
    }
  }
}

/* The largest range of a component; 0 where there is no number. */
static tsr_status find_range(const tsr_array *array, const tsr_execution *execution, double *range,
                             tsr_error *error) {
  tsr_range_work work = {array, NULL};
  tsr_job job = {.execution = execution, .task = range_task, .data = &work};
  tsr_status status;
  job.n = (array->tuples + TSR_RANGE_TUPLES - 1) / TSR_RANGE_TUPLES;
  *range = 0.0;
  work.parts = tsr_alloc(job.n * array->components, sizeof *work.parts, "ranges", error);
  if (!work.parts)
    return TSR_NO_MEMORY;
  status = tsr_job_run(&job, 1);
  for (int64_t c = 0; status == TSR_OK && c < array->components; ++c) {
    double lo = INFINITY, hi = -INFINITY;
    for (int64_t part = 0; part < job.n; ++part) {
      const double *one = work.parts[part * array->components + c];
      lo = one[0] < lo ? one[0] : lo;
      hi = one[1] > hi ? one[1] : hi;
    }
    *range = hi - lo > *range ? hi - lo : *range;
  }
  free(work.parts);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the ranges of arrays were found");
  return TSR_OK;
}

static tsr_status take_fields(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_curves_options *o = &plan->options;
  plan->fields = tsr_alloc(o->n_fields, sizeof *plan->fields, "the fields", error);
  if (!plan->fields)
    return TSR_NO_MEMORY;
  for (int f = 0; f < o->n_fields; ++f) {
    tsr_field *field = &plan->fields[f];
    tsr_status status = TSR_OK;
    field->array = o->fields[f];
    field->linear =
        (o->field_modes ? o->field_modes[f] : o->interpolation) == TSR_INTERPOLATE_LINEAR;
    field->unit = 1.0;
    if (o->field_relative && o->field_ranges)
      field->unit = o->field_ranges[f];
    else if (o->field_relative && plan->base.execution.device_arrays)
      status = tsr_fail(error, TSR_BAD_OPTION, f,
                        "the range of field %d may lie on a device, but the CPU searches it: set "
                        "field_ranges, or a field error that is not relative",
                        f);
    else if (o->field_relative)
      status = find_range(&field->array, &plan->base.execution, &field->unit, error);
    if (status != TSR_OK)
      return status;
  }
  return TSR_OK;
}

tsr_status tsr_curves_take_arrays(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_curves_options *o = &plan->options;
  tsr_curves_criteria *criteria = &plan->criteria;
  if (o->use_field_error && o->n_fields > 0) {
    const tsr_status status = take_fields(plan, error);
    if (status != TSR_OK)
      return status;
    criteria->fields = plan->fields;
    criteria->n_fields = o->n_fields;
  }
  if (o->n_labels == 0)
    return TSR_OK;
  plan->labels = tsr_alloc(o->n_labels, sizeof *plan->labels, "the labels", error);
  if (!plan->labels)
    return TSR_NO_MEMORY;
  for (int l = 0; l < o->n_labels; ++l) {
    plan->labels[l] = o->labels[l];
    plan->labels[l].type = TSR_UINT8;
    plan->labels[l].components *= (int)tsr_type_size(o->labels[l].type);
  }
  criteria->labels = plan->labels;
  criteria->n_labels = o->n_labels;
  return TSR_OK;
}
