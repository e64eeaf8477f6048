// SPDX-License-Identifier: BSD-3-Clause
// Points of spans that are all polynomial and of degree 5.
#define TSR_ONE_DEGREE 5
#include "cuda/curves/span/points_body.cuh"

const tsr_points_kernels tsr_points_5 = {make_vertices, bound_errors, fill};
