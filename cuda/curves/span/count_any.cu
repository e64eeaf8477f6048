// SPDX-License-Identifier: BSD-3-Clause
// Counting and leaves of any spans.
#include "cuda/curves/span/count_body.cuh"

const tsr_count_kernels tsr_count_any = {find_whole, count, make_leaves};
