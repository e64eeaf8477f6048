/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: estimates of an output's size, and the message where it is above the limit. A part of
 *  the public header; include tessera.h. */
#ifndef TSR_COMMON_TESSERA_LIMIT_H
#define TSR_COMMON_TESSERA_LIMIT_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Size of an output that is planned but not made yet. */
typedef struct tsr_estimate {
  const char *items; /**< what is counted, in the plural: "points" */
  double count;      /**< number of items */
  double bytes;
  int at_least; /**< 1: counting stopped early, so count and bytes are lower bounds */
} tsr_estimate;

/** A tolerance as the user has set it. */
typedef struct tsr_tolerance {
  const char *name; /**< of the property, as the panel shows it */
  double value;     /**< in the panel's unit */
  const char *of;   /**< what the value is a fraction of: "the range"; NULL: not a fraction */
} tsr_tolerance;

/** Writes a number of bytes for the user: "12.3 GiB", "980 bytes". text: receives at most `size`
 *  bytes, a NUL included. */
void tsr_bytes_text(double bytes, char *text, size_t size);

/** 1 if counting did not stop early and the output takes at most `limit` bytes. */
int tsr_estimate_fits(const tsr_estimate *estimate, double limit);

/** Returns how many items fit into `limit` bytes where `items` items take estimate->bytes; at least
 *  1. Leaves a margin, since bytes per item differ a little between outputs. */
double tsr_estimate_items(const tsr_estimate *estimate, double limit, double items);

/** Makes an estimate, a lower bound, of an output whose counting stopped because it would fill the
 *  available memory.
 *  items: what is counted.
 *  available: bytes of memory.
 *  item_bytes: bytes of one item. */
tsr_estimate tsr_estimate_ended(const char *items, double available, double item_bytes);

/** Writes a sentence with the estimated size and the limit. */
void tsr_estimate_sentence(const tsr_estimate *estimate, double limit, char *text, size_t size);

/**
 * Writes why an output above the limit is not made, and what to change: the end of a sentence,
 * without its full stop.
 * tolerances: the n tolerances in use. The text proposes each of them times `scale`, rounded up to
 * three digits: values with which the output would fit.
 * otherwise: the advice where n is 0 or scale is not finite; not NULL.
 */
void tsr_refusal_sentence(const tsr_estimate *estimate, double limit,
                          const tsr_tolerance *tolerances, int n, double scale,
                          const char *otherwise, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
