/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the options as the arithmetic needs them. */
#include "cells/form/forms.h"
#include "cells/plan.h"
#include "cells/volumes/tetra_forms.h"

#include <math.h>
#include <string.h>

/* What is allowed is less by this factor, for rounding in the bounds. */
#define SLACK (1.0 - 1e-8)

/* Largest factor that takes effect. What is allowed is then beyond any mesh. */
#define COARSEST 1e30

/* What is left of an error that is allowed, at least the part that is kept. */
static double less_rounding(double allowed, double largest, tsr_type type) {
  const double rounding = tsr_cells_rounding(largest, type);
  const double kept = TSR_CELLS_KEPT * allowed;
  return SLACK * (allowed - rounding > kept ? allowed - rounding : kept);
}

/* Sets the chord error of the sizes from the box of all nodes. */
static void set_chord(tsr_cells_plan *plan, const tsr_cells_facts *facts, double scale) {
  const tsr_cells_options *o = &plan->options;
  const tsr_type type = plan->view.single_points ? TSR_FLOAT : TSR_DOUBLE;
  double diagonal2 = 0.0, largest = 0.0, chord = o->chord_error * scale;
  plan->sizes.chord = plan->work.criteria.rounding = 0.0;
  if (!(facts->least[0] <= facts->most[0]))
    return;
  for (int c = 0; c < 3; ++c) {
    const double span = facts->most[c] - facts->least[c];
    diagonal2 += span * span;
    largest = fabs(facts->least[c]) > largest ? fabs(facts->least[c]) : largest;
    largest = fabs(facts->most[c]) > largest ? fabs(facts->most[c]) : largest;
  }
  if (o->largest_place > 0.0)
    largest = o->largest_place;
  plan->work.criteria.rounding = tsr_cells_rounding(largest, type);
  if (o->chord_relative)
    chord *= o->reference_length > 0.0 ? o->reference_length : sqrt(diagonal2);
  if (o->use_chord_error && chord > 0.0)
    plan->sizes.chord = less_rounding(chord, largest, type);
}

/* Sets what the shape of triangles must fulfil. */
static void set_shape(tsr_cells_criteria *to, const tsr_cells_options *o, double scale) {
  const double right = 90.0, radians = 3.14159265358979323846 / 180.0;
  const double angle = o->normal_angle * scale;
  to->over_length = o->use_max_length ? 1.0 / (SLACK * o->max_length * scale) : 0.0;
  to->sine = o->use_normal_angle && angle < 2.0 * right
                 ? SLACK * sin((angle < right ? angle : right) * radians)
                 : 0.0;
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

/* Finds what is allowed for field f. The array is looked at unless the caller did. */
static tsr_status set_field(tsr_cells_plan *plan, int f, tsr_error *error) {
  const tsr_cells_options *o = &plan->options;
  tsr_cells_field *field = &plan->fields[f];
  double range = o->field_ranges ? o->field_ranges[f] : 0.0;
  void *data;
  tsr_status status = plan->executor.input(&plan->executor, &o->fields[f], 1, 1, &data, error);
  field->array = o->fields[f];
  field->over = 0.0;
  field->allowed = o->field_error;
  if (status != TSR_OK)
    return status;
  field->array.data = data;
  field->largest = o->field_largest ? o->field_largest[f] : 0.0;
  if (!o->field_largest || (o->field_relative && !o->field_ranges)) {
    double found_range, found_largest;
    status = find_range(plan, &field->array, &found_range, &found_largest, error);
    range = o->field_ranges ? range : found_range;
    field->largest = o->field_largest ? field->largest : found_largest;
  }
  if (o->field_relative)
    field->allowed *= range;
  return status;
}

/* The degrees 1 to 3, as tsr_forms_make() takes them. */
#define LOW_DEGREES 14

/* Makes the tables of forms, and brings them to where the steps can read them.
 * The matrices of all degrees would take a small mesh longer than all else; those of low degrees
 * take no time, and are there for cells whose faces have a lower degree than they. */
static tsr_status make_forms(tsr_cells_plan *plan, tsr_error *error) {
  const int most = plan->facts.degree, low = (2 << most) - 1;
  const int degrees = plan->facts.lagrange | (LOW_DEGREES & low);
  const int size = tsr_triangle_form(most + 1), tetra_size = tsr_tetra_form(most + 1);
  tsr_array from[2] = {{NULL, TSR_DOUBLE, 1, size}, {NULL, TSR_DOUBLE, 1, tetra_size}};
  void *to[2];
  tsr_status status;
  plan->forms = tsr_alloc(size, sizeof *plan->forms, "the forms of cells", error);
  if (!plan->forms)
    return TSR_NO_MEMORY;
  tsr_forms_make(degrees, plan->forms);
  if (plan->work.solids.on) {
    plan->tetra_forms =
        tsr_alloc(tetra_size, sizeof *plan->tetra_forms, "the forms of tetrahedra", error);
    if (!plan->tetra_forms)
      return TSR_NO_MEMORY;
    tsr_tetra_forms_make(degrees, plan->tetra_forms);
  }
  from[0].data = plan->forms;
  from[1].data = plan->tetra_forms;
  status = plan->executor.input(&plan->executor, from, 2, 1, to, error);
  if (status != TSR_OK)
    return status;
  plan->work.criteria.forms = to[0];
  plan->work.criteria.tetra_forms = to[1];
  return TSR_OK;
}

tsr_status tsr_cells_find_fields(tsr_cells_plan *plan, tsr_error *error) {
  const int n = plan->options.use_field_error ? plan->options.n_fields : 0;
  tsr_executor *e = &plan->executor;
  tsr_status status = make_forms(plan, error);
  if (status != TSR_OK)
    return status;
  plan->fields = tsr_alloc(n, sizeof *plan->fields, "the fields", error);
  if (!plan->fields)
    return TSR_NO_MEMORY;
  for (int f = 0; f < n && status == TSR_OK; ++f)
    status = set_field(plan, f, error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&plan->scaled, n, sizeof *plan->scaled, "the fields", error);
  plan->work.criteria.fields = plan->scaled;
  plan->work.criteria.n_fields = n;
  return status;
}

tsr_status tsr_cells_set_criteria(tsr_cells_plan *plan, tsr_error *error) {
  const double scale = plan->scale < COARSEST ? plan->scale : COARSEST;
  tsr_cells_criteria *criteria = &plan->work.criteria;
  tsr_status status = TSR_OK;
  set_chord(plan, &plan->facts, scale);
  set_shape(criteria, &plan->options, scale);
  for (int f = 0; f < criteria->n_fields && status == TSR_OK; ++f) {
    tsr_cells_field_job job = {plan->scaled + f, plan->fields[f]};
    const double allowed = job.field.allowed * scale;
    if (allowed > 0.0)
      job.field.over = 1.0 / less_rounding(allowed, job.field.largest, job.field.array.type);
    status = TSR_EACH(&plan->executor, tsr_cells_put_field, job, 1, error);
  }
  criteria->over_chord = plan->sizes.chord > 0.0 ? 1.0 / plan->sizes.chord : 0.0;
  criteria->most = plan->options.max_segments;
  plan->sizes.scale = plan->scale;
  return status;
}
