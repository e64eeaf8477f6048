/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: how each point array is interpolated along curves. A part of the public header; include
 *  tessera.h. */
#ifndef TSR_CURVES_TESSERA_MODES_H
#define TSR_CURVES_TESSERA_MODES_H

#include "common/processes/tessera_processes.h"
#include "curves/tessera_curves.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The interpolation of each array, by name. An array has the mode that the user chose for its name.
 * Without such a choice, a label takes the nearest value, since values between two labels mean
 * nothing, and any other array has a common mode. An array is a label if it has one integer for
 * each point and few different values over all blocks and processes: at most 32, and on average at
 * least four points for each.
 */
typedef struct tsr_modes tsr_modes;

/** Creates an empty list. others: the mode of arrays that are neither named nor labels. modes:
 *  receives the list. Fails with NO_MEMORY. */
tsr_status tsr_modes_create(tsr_interpolation others, tsr_modes **modes, tsr_error *error);

/** Frees it; NULL is allowed. */
void tsr_modes_free(tsr_modes *modes);

/** Chooses the mode of the array of this name; a later call replaces an earlier one. Fails with
 *  NO_MEMORY. */
tsr_status tsr_modes_choose(tsr_modes *modes, const char *name, tsr_interpolation mode,
                            tsr_error *error);

/** Says that the array of this name is not a label, whatever its values: for arrays that the field
 *  error applies to. Fails with NO_MEMORY. */
tsr_status tsr_modes_no_label(tsr_modes *modes, const char *name, tsr_error *error);

/** Collects the values of an array of one block, to find labels. To be called for the arrays of all
 *  blocks before tsr_modes_of. array: NULL if its values are of no tsr_type: the array is then no
 * label. Fails with NO_MEMORY. */
tsr_status tsr_modes_look(tsr_modes *modes, const char *name, const tsr_array *array,
                          tsr_error *error);

/** Combines the values that all processes have collected. Choices must be the same in all
 * processes. Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_modes_agree(tsr_modes *modes, const tsr_processes *processes, tsr_error *error);

/** Returns the mode of the array of this name. */
tsr_interpolation tsr_modes_of(const tsr_modes *modes, const char *name);

#ifdef __cplusplus
}
#endif
#endif
