/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: how large an output would be, and what to say where that is too large. A part of the
 *  public header; include tessera.h. */
#ifndef TESSERA_LIMIT_H
#define TESSERA_LIMIT_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An output that is planned and not made. */
typedef struct tsr_estimate {
  const char *items; /**< what is counted, in the plural: "points" */
  double count;
  double bytes;
  int at_least; /**< the count ended early: there are more */
} tsr_estimate;

/** A tolerance as the user has set it. */
typedef struct tsr_tolerance {
  const char *name; /**< of the property, as the panel has it */
  double value;     /**< in the panel's unit */
  const char *of;   /**< what the value is a fraction of: "the range"; NULL: it is no fraction */
} tsr_tolerance;

/** "12.3 GiB", "980 bytes". text: `size` bytes, which the text ends within. */
void tsr_bytes_text(double bytes, char *text, size_t size);

/** Is the whole output known, and within the limit? Bytes. */
int tsr_estimate_fits(const tsr_estimate *estimate, double limit);

/** How many of `items` the limit leaves room for, with a margin for bytes that differ a little from
 *  output to output; 1 at least. */
double tsr_estimate_items(const tsr_estimate *estimate, double limit, double items);

/** An output whose count ended early as the memory was full: so much of it, or more. items: what is
 *  counted; available: bytes of memory; item_bytes: of one of them. */
tsr_estimate tsr_estimate_ended(const char *items, double available, double item_bytes);

/** The size, and the most that is allowed, as a sentence. */
void tsr_estimate_sentence(const tsr_estimate *estimate, double limit, char *text, size_t size);

/**
 * Why an output above the limit is not made, as the end of a sentence without its full stop.
 * tolerances: those in use, n of them; each times `scale`, rounded up to three digits, would fit.
 * otherwise: what else helps, where n is 0 or scale is not finite; not NULL.
 */
void tsr_refusal_sentence(const tsr_estimate *estimate, double limit,
                          const tsr_tolerance *tolerances, int n, double scale,
                          const char *otherwise, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
