// SPDX-License-Identifier: BSD-3-Clause
// Points of any spans.
#include "cuda/curves/span/points_body.cuh"

const tsr_points_kernels tsr_points_any = {make_vertices, bound_errors, fill};
