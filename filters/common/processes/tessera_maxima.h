/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: numbers under names, of which processes agree on the largest. A part of the public
 *  header; include tessera.h. */
#ifndef TESSERA_MAXIMA_H
#define TESSERA_MAXIMA_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A list of names, in the order of their bytes, each with its numbers. A least value is kept as
 * its negative. Begins as {0}; ends with tsr_maxima_free. */
typedef struct tsr_maxima {
  struct tsr_maximum *all;
  int64_t n, room;
} tsr_maxima;

/** Raises the numbers first, first + 1, ... of the name to n others. What a name did not have is
 *  -infinity before. Fails with NO_MEMORY. */
tsr_status tsr_maxima_add(tsr_maxima *maxima, const char *name, int first, const double *numbers,
                          int n, tsr_error *error);

/** Joins the lists of all processes. Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_maxima_agree(tsr_maxima *maxima, const tsr_processes *processes, tsr_error *error);

/** Name k, which is from 0 to maxima->n - 1; its numbers are borrowed and n receives how many. */
const char *tsr_maxima_get(const tsr_maxima *maxima, int64_t k, const double **numbers, int *n);

/** The numbers of a name, borrowed; NULL and 0 where there is no such name. */
const double *tsr_maxima_find(const tsr_maxima *maxima, const char *name, int *n);

/**
 * Of a name whose numbers are pairs, a least value turned and a most: the largest difference of
 * these, which is at most 1e300; 0 where there is no such name.
 */
double tsr_maxima_widest(const tsr_maxima *maxima, const char *name);

/** Frees what the list has, which is {0} again. */
void tsr_maxima_free(tsr_maxima *maxima);

#ifdef __cplusplus
}
#endif
#endif
