/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of the matrices of tetrahedra. Not public. */
#ifndef TSR_CELLS_VOLUMES_TETRA_FORMS_H
#define TSR_CELLS_VOLUMES_TETRA_FORMS_H

/** Computes the table. forms: receives tsr_tetra_form(TSR_CELLS_MAX_DEGREE + 1) values. */
void tsr_tetra_forms_make(double *forms);

#endif
