/* SPDX-License-Identifier: BSD-3-Clause */
/** Random inputs of every kind, the bad ones included, and random settings. */
#ifndef TESSERA_PARITY_VIEWS_H
#define TESSERA_PARITY_VIEWS_H

#include "curve_set.h"
#include "outputs.h"

/** n random curves of the kind, or of all kinds where it is TSR_KIND_NONE. bad: some of the items
 *  are not usable, of one point, closed, or of zero length. */
void random_curves(curve_set *set, tsr_curve_kind kind, int64_t n, int rational, int bad,
                   uint64_t seed);

/** n Bezier cells of the degree in the unit cube. */
void bezier_cells(curve_set *set, int degree, int64_t n, uint64_t seed);

/** An attribute of every type, and one of every mode. storage is freed by the caller. */
void random_attributes(int64_t n_points, uint64_t seed, wanted *want, double **storage);

enum { OPTION_CASES = 17 };

/** Options number `which` of OPTION_CASES, each with another criterion. */
tsr_curves_options option_case(int which, tsr_sampling sampling, const wanted *want);
const char *option_case_name(int which);

#endif
