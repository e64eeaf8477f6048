/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: what is said where rounding takes much of a tolerance. A part of the public header;
 *  include tessera.h. */
#ifndef TSR_COMMON_TESSERA_ROUNDING_H
#define TSR_COMMON_TESSERA_ROUNDING_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Returns 1 if `rounding` is more than a quarter of a chord error above 0: more points do not make
 *  good then what the type takes away. */
int tsr_rounding_is_much(double rounding, double chord);

/** Writes that single precision takes too much of the chord error.
 *  rounding: largest distance by which it moves a point.
 *  kept: 1: the output points are in single precision even so; 0: they are in double precision.
 *  text: receives at most `size` bytes (> 0), a NUL included. */
void tsr_rounding_sentence(double rounding, int kept, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
