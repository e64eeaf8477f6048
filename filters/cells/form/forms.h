/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of the matrices of form/bernstein_math.h. Not public. */
#ifndef TSR_CELLS_FORM_FORMS_H
#define TSR_CELLS_FORM_FORMS_H

/** All degrees, for tsr_forms_make() and tsr_tetra_forms_make(). */
#define TSR_FORMS_ALL ((2 << TSR_CELLS_MAX_DEGREE) - 2)

/** Computes the matrices of some degrees. degrees: bit d: of degree d, from 1 to
 *  TSR_CELLS_MAX_DEGREE. forms: room for tsr_triangle_form(most + 1) values, `most` the highest of
 *  these degrees; the matrices of the other degrees are left as they are. */
void tsr_forms_make(int degrees, double *forms);

#endif
