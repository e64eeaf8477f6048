// SPDX-License-Identifier: BSD-3-Clause
// Points of spans that are all polynomial and of degree 1.
#define TSR_ONE_DEGREE 1
#include "cuda/curves/span/points_body.cuh"

const tsr_points_kernels tsr_points_1 = {make_vertices, bound_errors, fill};
