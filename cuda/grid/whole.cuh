// SPDX-License-Identifier: BSD-3-Clause
// A plan whose closure and output are made on the device, too, and the functions that filters/grid
// calls.
#ifndef TSR_GRID_WHOLE_CUH
#define TSR_GRID_WHOLE_CUH

#include "cuda/grid/cut/cut.cuh"
#include "cuda/grid/output/lists.cuh"
#include "cuda/grid/refine/refine.cuh"

// What the phases after the descent keep, in the order in which it is made.
struct tsr_grid_whole {
  tsr_cut_ways ways; // both phases look up how leaves are cut
  tsr_grid_refining refining;
  tsr_plan_lists lists;
};

// ---- plan.cu

tsr_status tsr_grid_cuda_open(const tsr_grid_request *request, tsr_grid_device **made,
                              tsr_error *error);
tsr_status tsr_grid_cuda_descend(tsr_grid_device *grid, const tsr_grid_request *request, int keep,
                                 tsr_error *error);
void tsr_grid_cuda_close(tsr_grid_device *grid);
tsr_status tsr_grid_cuda_values(tsr_grid_device *grid, const tsr_grid_request *request,
                                const tsr_grid_values *values, int *done, tsr_error *error);

// ---- refine/guarantee.cu

tsr_status tsr_grid_cuda_check(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_grid_leaf_check *look, tsr_error *error);

// ---- whole.cu

int tsr_grid_cuda_is_whole(const tsr_grid_device *grid, const tsr_grid_request *request);
int tsr_grid_cuda_can_list(const tsr_grid_device *grid, const tsr_grid_request *request);
tsr_status tsr_grid_cuda_refine(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_cuda_take_tree(tsr_grid_device *grid, const tsr_grid_request *request,
                                   tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_cuda_marks(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_grid_node *to, int64_t *n, tsr_error *error);
tsr_status tsr_grid_cuda_list(tsr_grid_device *grid, const tsr_grid_request *request,
                              tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_cuda_fetch(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_error *error);
tsr_status tsr_grid_cuda_fetch_bricks(tsr_grid_device *grid, const tsr_grid_request *request,
                                      tsr_error *error);

// ---- criteria/range.cu

tsr_status tsr_grid_cuda_range(tsr_grid_device *grid, const tsr_grid_request *request,
                               const tsr_rule *rule, int measure, double range[2],
                               tsr_error *error);

// ---- fill.cu

tsr_status tsr_grid_cuda_fill(tsr_grid_device *grid, const tsr_grid_request *request,
                              const tsr_grid_counts *counts, const tsr_grid_output *out,
                              tsr_error *error);

#endif
