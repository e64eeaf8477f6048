/* SPDX-License-Identifier: BSD-3-Clause */
/** What is said where rounding takes much of a tolerance. */
#include "common/tessera_rounding.h"

#include <stdio.h>

int tsr_rounding_is_much(double rounding, double chord) {
  return chord > 0.0 && rounding > 0.25 * chord;
}

void tsr_rounding_sentence(double rounding, int kept, char *text, size_t size) {
  snprintf(text, size,
           "Single precision moves points this far from the origin by up to %.3g, too much for the "
           "chord error: %s.",
           rounding,
           kept ? "set Output Precision to Double" : "the output points are in double precision");
}
