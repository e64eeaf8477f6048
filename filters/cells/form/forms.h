/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of the matrices of form/bernstein_math.h. Not public. */
#ifndef TSR_CELLS_FORM_FORMS_H
#define TSR_CELLS_FORM_FORMS_H

/** Computes the table. forms: receives tsr_forms_size() values. */
void tsr_forms_make(double *forms);

#endif
