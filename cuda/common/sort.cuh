// SPDX-License-Identifier: BSD-3-Clause
// Stable radix sorts by CUB: equal keys keep their order. They are compiled in one file of their
// own, since CUB takes long to compile.
#ifndef TSR_COMMON_SORT_CUH
#define TSR_COMMON_SORT_CUH

#include "cuda/common/common.cuh"

// Sorts n keys by their bits [low, low + bits). keys: two arrays; keys[0] has the input and
// receives the result, for which the two pointers may be exchanged. Temporary memory is taken from
// `memory`, and the work goes on its stream.
tsr_status tsr_sort_keys(uint64_t *(&keys)[2], int64_t n, int low, int bits, tsr_memory *memory,
                         tsr_error *error);

// As tsr_sort_keys, with a value for each key. Keys are uint32_t with values uint32_t, or uint64_t
// with values uint32_t or int64_t.
template <class Key, class Value>
tsr_status tsr_sort_pairs(Key *(&keys)[2], Value *(&values)[2], int64_t n, int low, int bits,
                          tsr_memory *memory, tsr_error *error);

#endif
