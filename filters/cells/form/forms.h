/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of the matrices of form/bernstein_math.h. Not public. */
#ifndef TSR_CELLS_FORM_FORMS_H
#define TSR_CELLS_FORM_FORMS_H

/** Computes the matrices of the degrees 1 to `most`, at most TSR_CELLS_MAX_DEGREE. forms: receives
 *  tsr_forms_size() values, zeros for higher degrees. */
void tsr_forms_make(int most, double *forms);

#endif
