/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: how each point array goes along with curves. A part of the public header; include
 *  tessera.h. */
#ifndef TESSERA_MODES_H
#define TESSERA_MODES_H

#include "common/processes/tessera_processes.h"
#include "curves/tessera_curves.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Arrays by name. The user names some; others follow the mode of all others, but for labels, which
 * take the nearest value: values between two labels mean nothing. A label is an array of integers,
 * one a point, that has few values over all blocks and processes: at most 32, and on average four
 * points or more have each.
 */
typedef struct tsr_modes tsr_modes;

/** others: of what is neither named nor a label. modes: receives the list. Fails with NO_MEMORY. */
tsr_status tsr_modes_create(tsr_interpolation others, tsr_modes **modes, tsr_error *error);

/** Frees it; NULL is allowed. */
void tsr_modes_free(tsr_modes *modes);

/** The array of this name goes by `mode`; the last call for a name holds. Fails with NO_MEMORY. */
tsr_status tsr_modes_choose(tsr_modes *modes, const char *name, tsr_interpolation mode,
                            tsr_error *error);

/** The array of this name is no label: it is one of the field error. Fails with NO_MEMORY. */
tsr_status tsr_modes_no_label(tsr_modes *modes, const char *name, tsr_error *error);

/** Looks at an array of a block; all of them have to be looked at before tsr_modes_of. array: NULL
 *  where the core has no type for its values. Fails with NO_MEMORY. */
tsr_status tsr_modes_look(tsr_modes *modes, const char *name, const tsr_array *array,
                          tsr_error *error);

/** Joins what all processes have seen, whose users have named the same. Collective. Fails with
 *  NO_MEMORY, ABORTED. */
tsr_status tsr_modes_agree(tsr_modes *modes, const tsr_processes *processes, tsr_error *error);

/** How the array of this name goes along. */
tsr_interpolation tsr_modes_of(const tsr_modes *modes, const char *name);

#ifdef __cplusplus
}
#endif
#endif
