// SPDX-License-Identifier: BSD-3-Clause
// Points of spans that are all polynomial and of degree 6.
#define TSR_ONE_DEGREE 6
#include "cuda/curves/span/points_body.cuh"

const tsr_points_kernels tsr_points_6 = {make_vertices, bound_errors, fill};
