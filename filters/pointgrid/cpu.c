/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the CPU's table of steps, and of what is written by hand for it. */
#include "pointgrid/output/output.h"
#include "pointgrid/steps.h"

TSR_POINTGRID_STEPS(TSR_STEP_LOOP)
TSR_POINTGRID_REDUCTIONS(TSR_REDUCTION_LOOP)

static tsr_status open(const tsr_pointgrid_input *input, tsr_pointgrid_device **device,
                       tsr_executor *executor, tsr_error *error) {
  static const tsr_task loops[] = {TSR_POINTGRID_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction *const reductions[] = {TSR_POINTGRID_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  (void)error;
  *device = NULL;
  tsr_executor_on_cpu(executor, input->execution, loops, reductions);
  return TSR_OK;
}

static tsr_status sort(tsr_pointgrid_device *device, const tsr_pointgrid_input *input,
                       tsr_pointgrid_sorted *sorted, tsr_error *error) {
  (void)device;
  return tsr_pointgrid_sort(input, sorted, error);
}

static tsr_status values(tsr_pointgrid_device *device, const tsr_pointgrid_input *input,
                         const tsr_pointgrid_sorted *sorted, const int64_t *cell_leaf,
                         int64_t cells, const tsr_pointgrid_attribute *attribute,
                         tsr_error *error) {
  (void)device;
  return tsr_pointgrid_fill_values(input, sorted, cell_leaf, cells, attribute, error);
}

static void close(tsr_pointgrid_device *device) { (void)device; }

const tsr_pointgrid_backend *tsr_pointgrid_cpu(void) {
  static const tsr_pointgrid_backend backend = {open, sort, values, close};
  return &backend;
}
