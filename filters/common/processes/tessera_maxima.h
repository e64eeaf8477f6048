/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: named lists of numbers, and their maxima over all processes. A part of the public
 *  header; include tessera.h. */
#ifndef TSR_COMMON_PROCESSES_TESSERA_MAXIMA_H
#define TSR_COMMON_PROCESSES_TESSERA_MAXIMA_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A map from names, sorted by their bytes, to numbers. A minimum is stored as the maximum of the
 *  negative values. Initialise with {0}; free with tsr_maxima_free. */
typedef struct tsr_maxima {
  struct tsr_maximum *all;
  int64_t n, room;
} tsr_maxima;

/** Raises number first + k of the name to numbers[k] if that is larger, for k < n. Numbers that the
 *  name does not have yet begin as -infinity. Fails with NO_MEMORY. */
tsr_status tsr_maxima_add(tsr_maxima *maxima, const char *name, int first, const double *numbers,
                          int n, tsr_error *error);

/** Merges the maps of all processes: every process gets all names, each with the maxima over all
 *  processes. Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_maxima_agree(tsr_maxima *maxima, const tsr_processes *processes, tsr_error *error);

/** Returns name k, 0 <= k < maxima->n. numbers: receives its numbers, borrowed; n: their number. */
const char *tsr_maxima_get(const tsr_maxima *maxima, int64_t k, const double **numbers, int *n);

/** Returns the numbers of a name, borrowed, and their number in *n; NULL and 0 if there is no such
 *  name. */
const double *tsr_maxima_find(const tsr_maxima *maxima, const char *name, int *n);

/**
 * For a name whose numbers are pairs (-minimum, maximum): returns the largest maximum - minimum of
 * a pair, clamped to 1e300; 0 if there is no such name.
 */
double tsr_maxima_widest(const tsr_maxima *maxima, const char *name);

/** Frees all memory of the map, which is {0} again. */
void tsr_maxima_free(tsr_maxima *maxima);

#ifdef __cplusplus
}
#endif
#endif
