/* SPDX-License-Identifier: BSD-3-Clause */
/** Stable sorts of 64-bit keys: items with equal keys keep their order. Not public. */
#ifndef TSR_COMMON_SORT_SORT_H
#define TSR_COMMON_SORT_SORT_H

#include "common/support.h"

/** A key, and what belongs to it: an item of two words for tsr_sort_run. */
typedef struct tsr_pair {
  uint64_t key;
  int64_t value;
} tsr_pair;

/** What tsr_sort_run sorts. */
typedef struct tsr_sort {
  const tsr_execution *execution; /**< NULL: the calling thread alone */
  void *items;                    /**< n items; receives the result */
  void *other;                    /**< memory of the same size. The two pointers may be exchanged */
  int64_t n;
  int words;     /**< 64-bit words of an item: 1, the key; or 2, the key and another */
  int low, bits; /**< the key's bits [low, low + bits) count. bits 0: all bits in which keys differ;
                      finding them takes one more pass */
  double first, last; /**< progress before and after */
} tsr_sort;

/** Sorts the items, by all threads of the execution. Fails with NO_MEMORY, and with ABORTED,
 * which leaves *error as it was. */
tsr_status tsr_sort_run(tsr_sort *sort, tsr_error *error);

/** Sorts n pairs on the calling thread; quickest where they fit into a cache. other: room for n
 *  pairs. Returns `pairs` or `other`, whichever has the result. */
tsr_pair *tsr_sort_few(tsr_pair *pairs, tsr_pair *other, int64_t n);

#endif
