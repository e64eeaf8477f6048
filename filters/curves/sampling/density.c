/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the density of a span, by itself so that its loops become vector instructions. */
#include "curves/plan.h"
#include "curves/sampling/equal_math.h"

void tsr_density_make(struct tsr_density *density, const tsr_span_case *it) {
  tsr_density_of_span(density, it);
}
