/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of the matrices of tetrahedra. Not public. */
#ifndef TSR_CELLS_VOLUMES_TETRA_FORMS_H
#define TSR_CELLS_VOLUMES_TETRA_FORMS_H

/** Computes the matrices of the degrees 1 to `most`, at most TSR_CELLS_MAX_DEGREE. forms: receives
 *  tsr_tetra_form(most + 1) values. */
void tsr_tetra_forms_make(int most, double *forms);

#endif
