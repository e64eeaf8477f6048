/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: how often labels change along the curves, for the report. */
#include "curves/coarsen/vertex_math.h"
#include "curves/plan.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct tsr_changes_work {
  const tsr_curves_plan *plan;
  _Atomic int64_t *counts; /**< one for each label */
} tsr_changes_work;

static int differs(const tsr_array *label, int64_t a, int64_t b) {
  const size_t bytes = (size_t)label->components;
  const char *data = label->data;
  return memcmp(data + (size_t)a * bytes, data + (size_t)b * bytes, bytes) != 0;
}

static void count_item(const tsr_changes_work *work, const tsr_item *item) {
  const tsr_curves_view *view = &work->plan->view;
  const tsr_curves_criteria *criteria = &work->plan->criteria;
  for (int l = 0; l < criteria->n_labels; ++l) {
    int64_t before = tsr_load_index(view->connectivity, view->index_type, item->first), n = 0;
    for (int64_t k = 1; k < item->n; ++k) {
      const int64_t id = tsr_load_index(view->connectivity, view->index_type, item->first + k);
      n += differs(&criteria->labels[l], before, id);
      before = id;
    }
    atomic_fetch_add(&work->counts[l], n);
  }
}

static void count_task(void *data, int64_t from, int64_t to) {
  const tsr_changes_work *work = data;
  for (int64_t i = from; i < to; ++i) {
    const unsigned notes = tsr_curves_check_item(&work->plan->view, i);
    const tsr_item item =
        notes & TSR_NOTES_BAD ? (tsr_item){.n_spans = 0} : tsr_item_at(&work->plan->view, i);
    if (item.n_spans > 1) /* a curve of one span has no joints that could go */
      count_item(work, &item);
  }
}

tsr_status tsr_curves_label_changes(const tsr_curves_plan *plan, int64_t *changes,
                                    tsr_error *error) {
  tsr_changes_work work = {.plan = plan};
  tsr_job job = {.task = count_task, .data = &work, .done_first = 1.0, .done_last = 1.0};
  tsr_status status;
  int n;
  if (tsr_need(plan != NULL, "the plan", error) || tsr_need(changes != NULL, "changes", error))
    return TSR_BAD_INPUT;
  n = plan->criteria.n_labels;
  for (int l = 0; l < n; ++l)
    changes[l] = 0;
  if (n == 0 || !tsr_joints_may_go(&plan->criteria))
    return TSR_OK;
  work.counts = tsr_alloc(n, sizeof *work.counts, "the labels", error);
  if (!work.counts)
    return TSR_NO_MEMORY;
  for (int l = 0; l < n; ++l)
    atomic_init(&work.counts[l], 0);
  job.n = plan->view.n_items;
  job.execution = &plan->base.execution;
  status = tsr_job_run(&job, 64);
  for (int l = 0; l < n; ++l)
    changes[l] = atomic_load(&work.counts[l]);
  free(work.counts);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the changes of labels were counted");
  return TSR_OK;
}
