/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: statistics of polylines, grouped by their number of segments. A part of the public
 *  header; include tessera.h. */
#ifndef TSR_COMMON_TESSERA_POLYLINES_H
#define TSR_COMMON_TESSERA_POLYLINES_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The caller's polylines. */
typedef struct tsr_polylines {
  tsr_array points;         /**< 3 components, float or double */
  tsr_type index_type;      /**< of the two below: TSR_INT32 or TSR_INT64 */
  const void *offsets;      /**< n + 1 offsets into connectivity; NULL where n is 0 */
  const void *connectivity; /**< indices of points; NULL where there are none */
  int64_t n;                /**< number of polylines */
} tsr_polylines;

/** Number of classes. Class 0: polylines without a segment; class k: 2^(k-1) to 2^k - 1 segments.
 */
#define TSR_POLYLINE_CLASSES 64

/** Sums over the polylines of one class. */
typedef struct tsr_polyline_class {
  int64_t polylines;
  int64_t points;   /**< the first point of a closed one counts once */
  int64_t segments; /**< one less than the indices of each */
  double length;    /**< in the unit of the points */
} tsr_polyline_class;

/** The least number of segments in class k. */
int64_t tsr_polyline_class_least(int k);

/**
 * Adds polylines to `classes`, which begin as zeros. The sums are the same for any number of
 * threads. polylines, classes: not NULL; execution: NULL = the calling thread.
 * Fails with BAD_INPUT (types; an index that is no point; offsets that fall), NO_MEMORY, ABORTED.
 */
tsr_status tsr_polylines_classify(const tsr_polylines *polylines, const tsr_execution *execution,
                                  tsr_polyline_class classes[TSR_POLYLINE_CLASSES],
                                  tsr_error *error);

/** Adds the classes `from` to the classes `to`. A sum that is not a number gets the same bits on
 *  every backend. */
void tsr_polyline_classes_add(tsr_polyline_class to[TSR_POLYLINE_CLASSES],
                              const tsr_polyline_class from[TSR_POLYLINE_CLASSES]);

/** Replaces classes by their sums over all processes, added in the order of the ranks. Collective.
 *  Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_polyline_classes_agree(tsr_polyline_class classes[TSR_POLYLINE_CLASSES],
                                      const tsr_processes *processes, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
