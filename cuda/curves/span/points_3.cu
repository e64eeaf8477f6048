// SPDX-License-Identifier: BSD-3-Clause
// Points of spans that are all polynomial and of degree 3.
#define TSR_ONE_DEGREE 3
#include "cuda/curves/span/points_body.cuh"

const tsr_points_kernels tsr_points_3 = {make_vertices, bound_errors, fill};
