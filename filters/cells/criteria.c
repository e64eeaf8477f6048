/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the options as the arithmetic needs them. */
#include "cells/form/forms.h"
#include "cells/plan.h"

#include <math.h>
#include <string.h>

/* What is allowed is less by this factor, for rounding in the bounds. */
#define SLACK (1.0 - 1e-8)

/* What rounding moves a point or a value by, as a part of the largest number: the stored one by
 * half a unit in the last place, in each of 3 coordinates; sums of weights in double by some units.
 */
#define SINGLE_ROUNDING (1.8 / 16777216.0 / 2.0)
#define DOUBLE_ROUNDING 1e-14

/* What is left of an error that is allowed, at least half of it. */
static double less_rounding(double allowed, double largest, tsr_type type) {
  const double rounding =
      largest * (type == TSR_FLOAT ? SINGLE_ROUNDING + DOUBLE_ROUNDING : DOUBLE_ROUNDING);
  return SLACK * (rounding < 0.5 * allowed ? allowed - rounding : 0.5 * allowed);
}

/* Sets the chord error of the sizes from the box of all nodes. */
static void set_chord(tsr_cells_plan *plan, const tsr_cells_facts *facts) {
  const tsr_cells_options *o = &plan->options;
  double diagonal2 = 0.0, largest = 0.0, chord = o->chord_error;
  plan->sizes.chord = 0.0;
  if (!o->use_chord_error || !(facts->least[0] <= facts->most[0]))
    return;
  for (int c = 0; c < 3; ++c) {
    const double span = facts->most[c] - facts->least[c];
    diagonal2 += span * span;
    largest = fabs(facts->least[c]) > largest ? fabs(facts->least[c]) : largest;
    largest = fabs(facts->most[c]) > largest ? fabs(facts->most[c]) : largest;
  }
  if (o->largest_place > 0.0)
    largest = o->largest_place;
  if (o->chord_relative)
    chord *= o->reference_length > 0.0 ? o->reference_length : sqrt(diagonal2);
  if (chord > 0.0)
    plan->sizes.chord =
        less_rounding(chord, largest, plan->view.single_points ? TSR_FLOAT : TSR_DOUBLE);
}

/* Finds the largest range of a component of an array, and its largest magnitude. */
static tsr_status find_range(tsr_cells_plan *plan, const tsr_array *array, double *range,
                             double *largest, tsr_error *error) {
  tsr_range_job job = {.array = *array};
  tsr_status status = TSR_OK;
  *range = *largest = 0.0;
  for (; status == TSR_OK && job.component < array->components; ++job.component) {
    tsr_value_range found;
    status = TSR_REDUCE(&plan->executor, tsr_cells_range, job, array->tuples, &found, error);
    if (status != TSR_OK || !(found.least <= found.most))
      continue;
    *range = found.most - found.least > *range ? found.most - found.least : *range;
    *largest = fabs(found.least) > *largest ? fabs(found.least) : *largest;
    *largest = fabs(found.most) > *largest ? fabs(found.most) : *largest;
  }
  return status;
}

static tsr_status set_field(tsr_cells_plan *plan, int f, tsr_error *error) {
  const tsr_cells_options *o = &plan->options;
  tsr_cells_field *field = &plan->fields[f];
  double range, largest, allowed = o->field_error;
  void *data;
  tsr_status status = plan->executor.input(&plan->executor, &o->fields[f], 1, 1, &data, error);
  field->array = o->fields[f];
  field->over = 0.0;
  if (status != TSR_OK)
    return status;
  field->array.data = data;
  status = find_range(plan, &field->array, &range, &largest, error);
  if (status == TSR_OK && o->field_relative)
    allowed *= o->field_ranges ? o->field_ranges[f] : range;
  if (o->field_largest)
    largest = o->field_largest[f];
  if (status == TSR_OK && allowed > 0.0)
    field->over = 1.0 / less_rounding(allowed, largest, field->array.type);
  return status;
}

tsr_status tsr_cells_set_criteria(tsr_cells_plan *plan, const tsr_cells_facts *facts,
                                  tsr_error *error) {
  tsr_cells_criteria *criteria = &plan->work.criteria;
  const int n = plan->options.use_field_error ? plan->options.n_fields : 0;
  tsr_status status = TSR_OK;
  plan->forms = tsr_alloc(tsr_forms_size(), sizeof *plan->forms, "the forms of cells", error);
  plan->fields = plan->forms ? tsr_alloc(n, sizeof *plan->fields, "the fields", error) : NULL;
  if (!plan->fields)
    return TSR_NO_MEMORY;
  tsr_forms_make(plan->forms);
  set_chord(plan, facts);
  for (int f = 0; f < n && status == TSR_OK; ++f)
    status = set_field(plan, f, error);
  criteria->over_chord = plan->sizes.chord > 0.0 ? 1.0 / plan->sizes.chord : 0.0;
  criteria->fields = plan->fields;
  criteria->n_fields = n;
  criteria->most = plan->options.max_segments;
  criteria->forms = plan->forms;
  return status;
}
