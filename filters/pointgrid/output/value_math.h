/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids: sum, least and greatest of the values in a cell. The sums of TSR_POINTGRID_CHUNK
 * points each are joined one after the other, so that the same bits come out wherever they were
 * taken.
 */
#ifndef TSR_POINTGRID_OUTPUT_VALUE_MATH_H
#define TSR_POINTGRID_OUTPUT_VALUE_MATH_H

#include "common/common_math.h"

/** Points whose values are summed up before they join the sum of a cell. */
#define TSR_POINTGRID_CHUNK 64

/** Returns the number of chunks that `points` points make. */
TSR_FN int64_t tsr_pointgrid_chunks(int64_t points) {
  return (points + TSR_POINTGRID_CHUNK - 1) / TSR_POINTGRID_CHUNK;
}

/** The mean, given the sum, which may be of infinite values, and how many values there are. */
TSR_FN double tsr_pointgrid_mean(double sum, int64_t count) {
  return tsr_to_double(count > 0 ? sum / (double)count : NAN);
}

/** Calls X(TYPE, T, NOTHING) for each tsr_type and its C type. NOTHING: what least and greatest are
 *  where no value counts; an integer is never not-a-number. */
#define TSR_POINTGRID_EACH_TYPE(X)                                                                 \
  X(TSR_INT8, int8_t, 0)                                                                           \
  X(TSR_UINT8, uint8_t, 0)                                                                         \
  X(TSR_INT16, int16_t, 0)                                                                         \
  X(TSR_UINT16, uint16_t, 0)                                                                       \
  X(TSR_INT32, int32_t, 0)                                                                         \
  X(TSR_UINT32, uint32_t, 0)                                                                       \
  X(TSR_INT64, int64_t, 0)                                                                         \
  X(TSR_UINT64, uint64_t, 0)                                                                       \
  X(TSR_FLOAT, float, tsr_to_float(NAN))                                                           \
  X(TSR_DOUBLE, double, tsr_to_double(NAN))

/* The values of one type. */
#define TSR_POINTGRID_DEFINE_VALUES(TYPE, T, NOTHING)                                              \
  typedef struct tsr_pointgrid_values_##T {                                                        \
    double sum;                                                                                    \
    int64_t count; /**< values that count */                                                       \
    T least, greatest;                                                                             \
  } tsr_pointgrid_values_##T;                                                                      \
  TSR_FN tsr_pointgrid_values_##T tsr_pointgrid_no_##T(void) {                                     \
    tsr_pointgrid_values_##T none;                                                                 \
    none.sum = 0.0;                                                                                \
    none.count = 0;                                                                                \
    none.least = none.greatest = NOTHING;                                                          \
    return none;                                                                                   \
  }                                                                                                \
  /** Of n points of a chunk, whose values lie `stride` apart. */                                  \
  TSR_FN tsr_pointgrid_values_##T tsr_pointgrid_chunk_##T(const T *values, int64_t stride,         \
                                                          const int64_t *order, int64_t n) {       \
    tsr_pointgrid_values_##T part = tsr_pointgrid_no_##T();                                        \
    for (int64_t i = 0; i < n; ++i) {                                                              \
      const T v = values[order[i] * stride];                                                       \
      const double number = (double)v;                                                             \
      if (number == number) {                                                                      \
        part.sum += number;                                                                        \
        part.least = part.count == 0 || v < part.least ? v : part.least;                           \
        part.greatest = part.count == 0 || v > part.greatest ? v : part.greatest;                  \
        part.count++;                                                                              \
      }                                                                                            \
    }                                                                                              \
    return part;                                                                                   \
  }                                                                                                \
  /** Adds the next chunk. */                                                                      \
  TSR_FN void tsr_pointgrid_join_##T(tsr_pointgrid_values_##T *all,                                \
                                     const tsr_pointgrid_values_##T *part) {                       \
    all->sum += part->sum;                                                                         \
    if (part->count > 0) {                                                                         \
      all->least = all->count == 0 || part->least < all->least ? part->least : all->least;         \
      all->greatest =                                                                              \
          all->count == 0 || part->greatest > all->greatest ? part->greatest : all->greatest;      \
      all->count += part->count;                                                                   \
    }                                                                                              \
  }
TSR_POINTGRID_EACH_TYPE(TSR_POINTGRID_DEFINE_VALUES)

#endif
