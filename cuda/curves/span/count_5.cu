// SPDX-License-Identifier: BSD-3-Clause
// Counting and leaves where all spans are polynomial and of degree 5.
#define TSR_ONE_DEGREE 5
#include "cuda/curves/span/count_body.cuh"

const tsr_count_kernels tsr_count_5 = {find_whole, count, make_leaves};
