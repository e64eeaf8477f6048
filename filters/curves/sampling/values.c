/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves on the CPU: Bezier values of a polynomial cubic, all components side by side. */
#include "curves/sampling/values.h"
#include "curves/sampling/vectors.h"

void tsr_values_init(tsr_values *values, int wide) {
  values->wide = wide;
  values->n = 0;
  memset(values->u, 0, sizeof values->u);
}

int tsr_values_add(tsr_values *values, const tsr_array *array) {
  const int is_single = array->type == TSR_FLOAT;
  if ((!is_single && array->type != TSR_DOUBLE) || array->components > TSR_MOST_VALUES - values->n)
    return 0;
  for (int c = 0; c < array->components; ++c)
    values->places[values->n++] =
        (tsr_value_place){.single = is_single ? (const float *)array->data + c : NULL,
                          .twice = is_single ? NULL : (const double *)array->data + c,
                          .stride = array->components};
  return 1;
}

/* The values at the four points of the stencil. */
static inline void take_values(tsr_values *restrict values, const int64_t *restrict id) {
  const int n = values->n;
  for (int c = 0; c < n; ++c) {
    const tsr_value_place *from = &values->places[c];
    double *to = &values->u[0][c];
    if (from->single) {
      TSR_UNROLL
      for (int j = 0; j < TSR_CUBIC_ORDER; ++j)
        to[j * TSR_MOST_VALUES] = (double)from->single[id[j] * from->stride];
    } else {
      TSR_UNROLL
      for (int j = 0; j < TSR_CUBIC_ORDER; ++j)
        to[j * TSR_MOST_VALUES] = from->twice[id[j] * from->stride];
    }
  }
}

/* From the values at the stencil to Bezier values. */
static inline void find_values(const tsr_span *span, int rows, tsr_value_row *restrict u,
                               tsr_value_row *restrict q) {
  for (int c = 0; c < rows; ++c) {
    double v[TSR_CUBIC_ORDER];
    TSR_UNROLL
    for (int j = 0; j < TSR_CUBIC_ORDER; ++j)
      v[j] = u[j][c];
    tsr_span_to_bezier(span, v);
    TSR_UNROLL
    for (int j = 0; j < TSR_CUBIC_ORDER; ++j)
      q[j][c] = v[j];
  }
}

static inline void load(tsr_values *values, const tsr_span *span) {
  tsr_span copy = *span; /* of a constant form, so that the loop has no branches */
  take_values(values, span->id);
  if (span->form == TSR_FORM_BEZIER) {
    copy.form = TSR_FORM_BEZIER;
    find_values(&copy, tsr_values_rows(values), values->u, values->q);
  } else {
    copy.form = TSR_FORM_CATMULL_ROM;
    find_values(&copy, tsr_values_rows(values), values->u, values->q);
  }
}

static TSR_NARROW_CODE void load_narrow(tsr_values *values, const tsr_span *span) {
  load(values, span);
}

#ifdef TSR_HAS_WIDE
static TSR_WIDE_CODE void load_wide(tsr_values *values, const tsr_span *span) {
  load(values, span);
}
#else
#define load_wide load_narrow
#endif

int tsr_values_load(tsr_values *values, const tsr_span *span) {
  if (span->degree != TSR_CUBIC_ORDER - 1 || span->rational ||
      (span->form != TSR_FORM_CATMULL_ROM && span->form != TSR_FORM_BEZIER))
    return 0;
  if (values->wide)
    load_wide(values, span);
  else
    load_narrow(values, span);
  return 1;
}
