// SPDX-License-Identifier: BSD-3-Clause
// Counting and leaves where all spans are polynomial and of degree 1.
#define TSR_ONE_DEGREE 1
#include "cuda/curves/span/count_body.cuh"

const tsr_count_kernels tsr_count_1 = {find_whole, count, make_leaves};
