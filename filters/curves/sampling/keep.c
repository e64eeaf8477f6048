/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: memory for the fields of a span. */
#include "curves/plan.h"

#include <stdlib.h>

tsr_kept_fields tsr_curves_keep(const tsr_curves_criteria *criteria) {
  const int n_kept = tsr_kept_components(criteria);
  tsr_kept_fields kept;
  int64_t n = 0;
  int k = 0;
  tsr_kept_start(&kept, NULL, 1);
  for (int f = 0; n_kept > 0 && f < criteria->n_fields; ++f)
    n += criteria->fields[f].array.components;
  if (n > 0)
    kept.list =
        malloc((size_t)n * sizeof *kept.list + (size_t)n_kept * TSR_MAX_ORDER * sizeof *kept.q);
  if (!kept.list)
    return kept;
  kept.q = (double *)(kept.list + n);
  for (int f = 0; f < criteria->n_fields; ++f) {
    const tsr_field *field = &criteria->fields[f];
    const double allowed = criteria->field * field->unit;
    for (int c = 0; allowed > 0.0 && c < field->array.components; ++c)
      kept.list[kept.n_list++] =
          (tsr_component){.field = field,
                          .component = c,
                          .kept = tsr_field_is_kept(criteria, field) ? k++ : -1,
                          .allowed = allowed};
  }
  return kept;
}
