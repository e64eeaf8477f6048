/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the steps of a plan that a device does. */
#include "curves/coarsen/vertex_math.h"
#include "curves/plan.h"

/* A plan has a device only where there is a table. */
static const tsr_curves_backend *curves_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_curves_cuda();
#else
  return NULL;
#endif
}

static tsr_curves_request request_of(tsr_curves_plan *plan) {
  const tsr_curves_request request = {.view = &plan->view,
                                      .execution = &plan->base.execution,
                                      .launch = &plan->options.launch,
                                      .criteria = &plan->criteria,
                                      .limit_points = plan->limit,
                                      .fine_limit = plan->fine_limit,
                                      .sizes = &plan->sizes,
                                      .report = &plan->base.report,
                                      .n_spans = &plan->n_spans};
  return request;
}

int tsr_curves_walks_are_few(const tsr_curves_view *view, int threads) {
  int64_t longest = 0, all = 0;
  for (int64_t i = 0; i < view->n_items; ++i) {
    const int64_t first = tsr_load_index(view->offsets, view->index_type, i);
    const int64_t end = tsr_load_index(view->offsets, view->index_type, i + 1);
    // What is not sound is left out later, with a sentence.
    const int64_t n = 0 <= first && first <= end && end <= view->n_connectivity ? end - first : 0;
    const int64_t walk = n < TSR_WALK_POINTS ? n : TSR_WALK_POINTS;
    longest = walk > longest ? walk : longest;
    all += n;
  }
  return longest * TSR_CURVES_WALK_ON_DEVICE >= all / (threads > 0 ? threads : 1);
}

tsr_status tsr_curves_device_open(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_curves_request request = request_of(plan);
  return curves_backend()->open(&request, &plan->device, error);
}

tsr_status tsr_curves_device_bounds(tsr_curves_plan *plan, double bounds[6], tsr_error *error) {
  return curves_backend()->bounds(plan->device, bounds, error);
}

tsr_status tsr_curves_check_kinds_place(const tsr_curves_plan *plan, tsr_error *error) {
  int on_device;
  const tsr_status status =
      tsr_lies_on_device(&plan->base.execution, plan->view.kinds, &on_device, error);
  if (status == TSR_OK && on_device)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the kinds of curves lie on a device, but the CPU reads them: copy them to the "
                    "host");
  return status;
}

tsr_status tsr_curves_device_count(tsr_curves_plan *plan, tsr_error *error) {
  const tsr_curves_request request = request_of(plan);
  return curves_backend()->count(plan->device, &request, error);
}

tsr_status tsr_curves_device_fill(tsr_curves_plan *plan, const tsr_curves_output *output,
                                  tsr_error *error) {
  const tsr_curves_request request = request_of(plan);
  return curves_backend()->fill(plan->device, &request, output, error);
}

void tsr_curves_device_close(tsr_curves_plan *plan) {
  if (plan->device)
    curves_backend()->close(plan->device);
  plan->device = NULL;
}
