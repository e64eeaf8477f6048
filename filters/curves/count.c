/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the count on the CPU. How many segments each span has, and where they go. */
#include "common/part_math.h"
#include "curves/coarsen/vertex_math.h"
#include "curves/plan.h"
#include "curves/sampling/searches.h"

#include <stdlib.h>
#include <string.h>

/* A count that ended at the level limit carries this mark until the counts are summed. */
#define TSR_AT_LIMIT ((int64_t)1 << 62)

int tsr_curves_coarsens(const tsr_curves_plan *plan) {
  return tsr_joints_may_go(&plan->criteria) && plan->n_spans > plan->view.n_items;
}

int64_t tsr_curves_item_of_span(const tsr_curves_plan *plan, int64_t s) {
  return tsr_part_at(plan->span_start, 0, plan->view.n_items, s);
}

/* What a thread may count before it adds to the shared count: leaves, each of which is examined and
 * kept, or segments of uniform spans, most of which have a closed form. */
#define TSR_COUNT_LEAVES 1024
#define TSR_COUNT_SEGMENTS 65536

typedef struct tsr_count_work {
  tsr_curves_plan *plan;
  tsr_job *job;
  int64_t limit;
} tsr_count_work;

/* What one task has counted. */
typedef struct tsr_tally {
  const tsr_count_work *work;
  int64_t most;   /* counted in private */
  int64_t own;    /* counted and not told yet */
  int64_t others; /* what all had told when this task last did */
} tsr_tally;

/* Tells the other threads. 0 where all are to stop: there are too many, or the user wants it. */
static int tell_count(tsr_tally *tally) {
  const tsr_count_work *work = tally->work;
  tally->others = atomic_fetch_add(&work->plan->running, tally->own) + tally->own;
  tally->own = 0;
  if (tally->others > work->limit)
    tsr_job_stop(work->job, TSR_TOO_LARGE);
  return tsr_job_goes_on(work->job);
}

/* Adds n, which the other threads learn from time to time only: threads that all count in one place
 * wait for each other. 0 where all are to stop. */
static int add_count(tsr_tally *tally, int64_t n) {
  tally->own += n;
  return (tally->own < tally->most && tally->others + tally->own <= tally->work->limit) ||
         tell_count(tally);
}

/* Appends n segments of equal steps, where they are listed; their number, or -1 where all shall
 * stop. */
static int64_t count_uniform(tsr_leaves *leaves, int64_t n, tsr_tally *tally) {
  for (int64_t k = 0; leaves && k < n; ++k) {
    if (leaves->n == leaves->room && !tsr_leaves_grow(leaves)) {
      tsr_job_stop(tally->work->job, TSR_NO_MEMORY);
      return -1;
    }
    leaves->fixed[leaves->n++] = tsr_uniform_fixed(k, n);
  }
  return add_count(tally, n) ? n : -1;
}

/* Appends the leaves of one span; their number, or -1 where all are to stop. */
static int64_t collect_leaves(tsr_leaves *leaves, tsr_span_case *it, tsr_tally *tally) {
  const int64_t first = leaves->n;
  tsr_leaf node = {0, 0};
  while (tsr_next_leaf(it, &node)) {
    if (leaves->n - first == it->most) {
      leaves->n = first;
      add_count(tally, -it->most);
      return count_uniform(leaves, tsr_most_steps(it), tally);
    }
    if (leaves->n == leaves->room && !tsr_leaves_grow(leaves)) {
      tsr_job_stop(tally->work->job, TSR_NO_MEMORY);
      return -1;
    }
    leaves->fixed[leaves->n++] = tsr_leaf_fixed(&node);
    if (!add_count(tally, 1))
      return -1;
    tsr_pass_leaf(&node);
  }
  return leaves->n - first;
}

/* A chunk of spans that is counted. */
typedef struct tsr_counting {
  tsr_curves_plan *plan;
  tsr_searches *searches; /* NULL: no span had one yet */
  tsr_tally tally;
  int64_t begin;                 /* its first span */
  tsr_leaves leaves;             /* of its spans, in the order in which their searches end ... */
  int64_t first[TSR_SPAN_CHUNK]; /* ... and which of them is a span's first; -1: one, at 0 */
} tsr_counting;

/* Counts the span of a slot, whose search is over if it had one. 0 where all are to stop. */
static int settle(tsr_counting *chunk, tsr_slot *slot) {
  tsr_span_case *it = &slot->it;
  const tsr_sampling sampling = it->criteria->sampling;
  tsr_leaves *leaves = chunk->plan->leaves ? &slot->leaves : NULL;
  int64_t n = sampling == TSR_SAMPLING_EQUAL_ERROR ? slot->leaves.n : 0;
  if (n > 0)
    n = add_count(&chunk->tally, n) ? n : -1;
  else if (sampling == TSR_SAMPLING_UNIFORM)
    n = count_uniform(leaves, it->uniform_count, &chunk->tally);
  else
    n = collect_leaves(leaves, it, &chunk->tally);
  if (n < 0)
    return 0;
  chunk->plan->segment_start[slot->span_number] = it->at_limit ? n + TSR_AT_LIMIT : n;
  chunk->first[slot->span_number - chunk->begin] = chunk->leaves.n;
  while (leaves && chunk->leaves.room - chunk->leaves.n < n)
    if (!tsr_leaves_grow(&chunk->leaves)) {
      tsr_job_stop(chunk->tally.work->job, TSR_NO_MEMORY);
      return 0;
    }
  if (leaves)
    memcpy(chunk->leaves.fixed + chunk->leaves.n, leaves->fixed, (size_t)n * sizeof *leaves->fixed);
  chunk->leaves.n += n;
  slot->span_number = -1;
  return 1;
}

/* Counts span s of the plan, or starts its search. 0 where all are to stop. */
static int count_span(tsr_counting *chunk, const tsr_item *item, int64_t first, int64_t s) {
  const tsr_curves_plan *plan = chunk->plan;
  tsr_slot *slot;
  if (!chunk->searches) {
    chunk->searches = tsr_searches_make(&plan->criteria, chunk->tally.work->job);
    if (!chunk->searches) {
      tsr_job_stop(chunk->tally.work->job, TSR_NO_MEMORY);
      return 0;
    }
  }
  slot = tsr_searches_free_slot(chunk->searches);
  while (!slot) {
    slot = tsr_searches_run(chunk->searches);
    if (!slot || !settle(chunk, slot))
      return 0;
  }
  slot->span_number = s;
  tsr_span_make(&plan->view, item, &plan->criteria.rules, s - first, &slot->span);
  slot->it.view = &plan->view;
  slot->it.criteria = &plan->criteria;
  slot->it.span = &slot->span;
  slot->it.kept.made = 0;
  tsr_span_net(&plan->view, &slot->span, &slot->it.net);
  tsr_span_case_start(&slot->it);
  slot->leaves.n = 0;
  if (plan->criteria.sampling != TSR_SAMPLING_EQUAL_ERROR)
    return settle(chunk, slot);
  tsr_searches_start(chunk->searches, slot);
  return 1;
}

/* 1 if the searches have ended in the order of their spans, as those of few long spans do. */
static int is_in_order(const tsr_counting *chunk, int64_t end) {
  int64_t n = 0;
  for (int64_t s = chunk->begin; s < end; ++s) {
    if (chunk->first[s - chunk->begin] != n)
      return 0;
    n += chunk->plan->segment_start[s] & ~TSR_AT_LIMIT;
  }
  return 1;
}

/* Puts the chunk's leaves in order. */
static void gather(tsr_counting *chunk, int64_t end) {
  tsr_leaves *to = &chunk->plan->leaves[chunk->begin / TSR_SPAN_CHUNK];
  if (is_in_order(chunk, end)) {
    const tsr_leaves all = chunk->leaves;
    chunk->leaves = *to;
    *to = all;
    return;
  }
  to->n = 0;
  for (int64_t s = chunk->begin; s < end; ++s) {
    const int64_t n = chunk->plan->segment_start[s] & ~TSR_AT_LIMIT;
    const int64_t first = chunk->first[s - chunk->begin];
    while (to->room - to->n < n)
      if (!tsr_leaves_grow(to)) {
        tsr_job_stop(chunk->tally.work->job, TSR_NO_MEMORY);
        return;
      }
    if (first < 0)
      to->fixed[to->n] = 0;
    else
      memcpy(to->fixed + to->n, chunk->leaves.fixed + first, (size_t)n * sizeof *to->fixed);
    to->n += n;
  }
}

/* Counts the spans of the chunk up to `end`. 0 where all are to stop. */
static int count_chunk(tsr_counting *chunk, int64_t end) {
  tsr_curves_plan *plan = chunk->plan;
  int64_t i = tsr_curves_item_of_span(plan, chunk->begin);
  tsr_item item = tsr_item_at(&plan->view, i);
  tsr_slot *slot;
  /* What asks for points on a straight line; the curvature factor takes 2 there. */
  const int straight = !plan->criteria.use_length;
  for (int64_t s = chunk->begin; s < end; ++s) {
    if (s >= plan->span_start[i + 1]) {
      while (s >= plan->span_start[i + 1])
        ++i;
      item = tsr_item_at(&plan->view, i);
    }
    if (straight && item.kind == TSR_KIND_STRAIGHT) {
      plan->segment_start[s] = 1;
      chunk->first[s - chunk->begin] = -1;
      if (!add_count(&chunk->tally, 1))
        return 0;
    } else if (!count_span(chunk, &item, plan->span_start[i], s)) {
      return 0;
    }
  }
  while (chunk->searches && (slot = tsr_searches_run(chunk->searches)))
    if (!settle(chunk, slot))
      return 0;
  return atomic_load(&chunk->tally.work->job->stop) == TSR_OK;
}

static void count_task(void *data, int64_t begin, int64_t end) {
  const tsr_count_work *work = data;
  tsr_curves_plan *plan = work->plan;
  tsr_counting chunk = {.plan = plan, .begin = begin};
  chunk.tally = (tsr_tally){work, plan->leaves ? TSR_COUNT_LEAVES : TSR_COUNT_SEGMENTS, 0,
                            atomic_load(&plan->running)};
  if (count_chunk(&chunk, end)) {
    if (plan->leaves)
      gather(&chunk, end);
    if (atomic_fetch_add(&plan->running, chunk.tally.own) + chunk.tally.own > work->limit)
      tsr_job_stop(work->job, TSR_TOO_LARGE);
  }
  free(chunk.leaves.fixed);
  tsr_searches_free(chunk.searches);
}

static int64_t span_chunks(const tsr_curves_plan *plan) {
  return (plan->n_spans + TSR_SPAN_CHUNK - 1) / TSR_SPAN_CHUNK;
}

tsr_status tsr_curves_make_leaves(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t n = span_chunks(plan);
  plan->leaves = tsr_alloc(n, sizeof *plan->leaves, "the leaves", error);
  if (!plan->leaves)
    return TSR_NO_MEMORY;
  memset(plan->leaves, 0, (size_t)n * sizeof *plan->leaves);
  return TSR_OK;
}

void tsr_curves_free_leaves(tsr_curves_plan *plan) {
  for (int64_t c = 0; plan->leaves && c < span_chunks(plan); ++c) {
    free(plan->leaves[c].fixed);
    memset(&plan->leaves[c], 0, sizeof plan->leaves[c]);
  }
}

/* Takes the marks off the counts and notes their items. */
static void note_limits(tsr_curves_plan *plan) {
  int64_t i = 0;
  for (int64_t j = 0; j < plan->view.n_items; ++j)
    plan->notes[j] &= (uint16_t)~TSR_NOTE_BIT(TSR_NOTE_LEVEL_LIMIT);
  for (int64_t s = 0; s < plan->n_spans; ++s) {
    while (s >= plan->span_start[i + 1])
      ++i;
    if (plan->segment_start[s] >= TSR_AT_LIMIT) {
      plan->segment_start[s] -= TSR_AT_LIMIT;
      plan->notes[i] |= (uint16_t)TSR_NOTE_BIT(TSR_NOTE_LEVEL_LIMIT);
    }
  }
}

/* The item's places in the output, from the segments before it; and the sizes. */
static void sum(tsr_curves_plan *plan) {
  tsr_curves_sizes *sizes = &plan->sizes;
  int64_t open = 0, cells = 0;
  for (int note = 0; note < TSR_NOTES; ++note) {
    sizes->notes[note].count = 0;
    sizes->notes[note].first = -1;
  }
  for (int64_t i = 0; i < plan->view.n_items; ++i) {
    const unsigned notes = plan->notes[i];
    plan->point_start[i] = plan->segment_start[plan->span_start[i]] + open;
    plan->cell_start[i] = cells;
    if (!(notes & TSR_NOTES_BAD)) {
      const tsr_item item = tsr_item_at(&plan->view, i);
      if (tsr_item_good(notes, &item)) {
        open += item.closed ? 0 : 1;
        ++cells;
      }
    }
    for (int note = 0; notes && note < TSR_NOTES; ++note) {
      if (!(notes & TSR_NOTE_BIT(note)))
        continue;
      if (sizes->notes[note].count++ == 0)
        sizes->notes[note].first = i;
    }
  }
  plan->point_start[plan->view.n_items] = plan->segment_start[plan->n_spans] + open;
  plan->cell_start[plan->view.n_items] = cells;
  sizes->points = plan->segment_start[plan->n_spans] + open;
  sizes->cells = cells;
  sizes->connectivity = plan->segment_start[plan->n_spans] + cells;
}

/* Counts the segments of each span, up to plan->fine_limit. *done receives the number of spans that
 * were counted. */
static tsr_status count_spans(tsr_curves_plan *plan, int64_t *done, tsr_error *error) {
  tsr_count_work work = {plan, NULL, plan->fine_limit};
  tsr_job job = {.execution = &plan->base.execution,
                 .task = count_task,
                 .data = &work,
                 .n = plan->n_spans,
                 .done_first = 0.1,
                 .done_last = 0.4};
  tsr_status status;
  work.job = &job;
  status = tsr_job_run(&job, TSR_SPAN_CHUNK);
  *done = atomic_load(&job.done);
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the points were counted");
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for the leaves of more than %lld points",
                    (long long)atomic_load(&plan->running));
  if (status != TSR_OK)
    return status;
  note_limits(plan);
  tsr_scan(plan->segment_start, plan->n_spans);
  return tsr_curves_coarsens(plan) ? tsr_curves_coarsen(plan, error) : TSR_OK;
}

tsr_status tsr_curves_count_here(tsr_curves_plan *plan, tsr_error *error) {
  const int by_length = plan->criteria.sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH;
  int64_t done = plan->n_spans;
  tsr_status status;
  atomic_store(&plan->running, 0);
  status = by_length ? tsr_curves_divide(plan, error) : count_spans(plan, &done, error);
  if (status == TSR_OK)
    sum(plan);
  else /* the next count may fill other chunks, and needs the memory */
    tsr_curves_free_leaves(plan);
  if (status == TSR_TOO_LARGE || (status == TSR_OK && plan->sizes.points > plan->limit))
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the curves need more than %lld points, the most that there is room for (%lld "
                    "spans so far asked for %lld); %s or set a point budget",
                    (long long)plan->limit, (long long)done, (long long)atomic_load(&plan->running),
                    tsr_curves_advice(&plan->criteria));
  return status;
}
