/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: functions that are compiled for vectors of two lengths. */
#ifndef TSR_CURVES_SAMPLING_VECTORS_H
#define TSR_CURVES_SAMPLING_VECTORS_H

/* The vectors of SSE2 are part of the x86-64 that everything is compiled for; those of AVX2, which
 * are twice as long, are chosen at run time. flatten: a loop over lanes becomes vectors only if it
 * calls nothing. */
#if defined(__GNUC__) && defined(__x86_64__)
#define TSR_HAS_WIDE 1
#define TSR_WIDE_CODE __attribute__((flatten, target("avx2")))
#endif
#ifdef __GNUC__
#define TSR_NARROW_CODE __attribute__((flatten))
#else
#define TSR_NARROW_CODE
#endif

/* Stands before a loop over lanes with a short body, which gcc would unroll before it looks for
 * vectors, and would then find none. */
#if defined(__GNUC__) && !defined(__clang__)
#define TSR_LANE_LOOP _Pragma("GCC unroll 1")
#else
#define TSR_LANE_LOOP
#endif

#endif
