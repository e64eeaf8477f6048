/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of the matrices of tetrahedra. Not public. */
#ifndef TSR_CELLS_VOLUMES_TETRA_FORMS_H
#define TSR_CELLS_VOLUMES_TETRA_FORMS_H

/** Computes the matrices of some degrees. degrees: bit d: of degree d, from 1 to
 *  TSR_CELLS_MAX_DEGREE. forms: room for tsr_tetra_form(most + 1) values, `most` the highest of
 *  these degrees; the matrices of the other degrees are left as they are. */
void tsr_tetra_forms_make(int degrees, double *forms);

#endif
