// SPDX-License-Identifier: BSD-3-Clause
// Points of spans that are all polynomial and of degree 4.
#define TSR_ONE_DEGREE 4
#include "cuda/curves/span/points_body.cuh"

const tsr_points_kernels tsr_points_4 = {make_vertices, bound_errors, fill};
