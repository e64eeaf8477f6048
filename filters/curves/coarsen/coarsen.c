/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: coarsening on the CPU. Walks of up to TSR_WALK_POINTS segments decide in parallel which
 *  points stay; then the points that do not stay are removed from the lists of leaves. */
#include "common/part_math.h"
#include "curves/coarsen/lone.h"
#include "curves/coarsen/vertex_math.h"
#include "curves/plan.h"
#include "curves/sampling/lanes.h"

#include <stdlib.h>
#include <string.h>

#define TSR_WALKS_A_TASK 64

/* Least distance between the beginnings of two planes, in doubles. It is no power of two: the
 * values of one vertex in all planes would fall into the same cache set. */
#define TSR_PLANES_APART 72

typedef struct tsr_coarsening {
  tsr_curves_plan *plan;
  tsr_job *job;
  uint8_t *keep;   /* a segment: its first point stays */
  int64_t *counts; /* n_spans + 1: points of a span that stay */
} tsr_coarsening;

/* Walks of item i. One of a single span has no joints. */
static int64_t walks_of(const tsr_curves_plan *plan, int64_t i) {
  const int64_t first = plan->span_start[i], last = plan->span_start[i + 1];
  const int64_t segments = plan->segment_start[last] - plan->segment_start[first];
  return last - first < 2 ? 0 : (segments + TSR_WALK_POINTS - 1) / TSR_WALK_POINTS;
}

/* Vertices first ... first + n of straight lines: the same as of spans, with less to do. */
static void make_straight(const tsr_curves_plan *plan, const tsr_item *item, int64_t first,
                          int64_t n, int64_t room, double *v) {
  const tsr_curves_view *view = &plan->view;
  const tsr_curves_criteria *criteria = &plan->criteria;
  const int with_values = tsr_vertex_values(criteria) > 0;
  int64_t before = -1;
  for (int64_t k = first; k <= first + n; ++k, ++v) {
    const int64_t id = tsr_load_index(view->connectivity, view->index_type, item->first + k);
    if (with_values) {
      tsr_vertex_input(view, criteria, id, v, room);
    } else {
      double x[3];
      tsr_load3(&view->points, id, x);
      tsr_vertex_put(x, v, room);
    }
    if (criteria->n_labels > 0 && k > first && !tsr_labels_agree(criteria, before, id))
      v[TSR_PLANE_SHARE * room - 1] = TSR_SHARE_FIXED;
    before = id;
  }
}

/* Where the vertices of a walk are made. */
typedef struct tsr_maker {
  const tsr_curves_plan *plan;
  tsr_kept_fields kept;       /* fields of the span that vertices are made of */
  tsr_lanes *lanes;           /* NULL: vertices are made one by one */
  int64_t waiting[TSR_LANES]; /* by lane, the input point at the start of a piece that is made next,
                                 or -1 */
  int n_waiting;
  double *v; /* the planes, then a byte a vertex: tsr_chain_find_lone */
  int64_t room;
} tsr_maker;

/* Makes the vertices whose pieces are in lanes: those before vertex k of the planes. */
static void make_waiting(tsr_maker *maker, int64_t k) {
  const tsr_lanes *lanes = maker->lanes;
  const int n = maker->n_waiting;
  const size_t bytes = (size_t)n * sizeof(double);
  const int64_t room = maker->room;
  double *v = maker->v + (k - n);
  if (n == 0)
    return;
  tsr_lanes_vertices(maker->lanes);
  for (int c = 0; c < 3; ++c)
    memcpy(v + c * room, lanes->start[c], bytes);
  for (int f = 0; f < lanes->n_components; ++f)
    memcpy(v + (TSR_PLANE_VALUES + f) * room, lanes->components[f].start, bytes);
  for (int l = 0; l < n; ++l)
    if (maker->waiting[l] >= 0) /* as it is in the input, not as the span evaluates it */
      tsr_vertex_input(&maker->plan->view, &maker->plan->criteria, maker->waiting[l], v + l, room);
  memcpy(v + TSR_PLANE_REACH * room, lanes->error, bytes);
  memcpy(v + TSR_PLANE_SHARE * room, lanes->share, bytes);
  maker->n_waiting = 0;
}

/* Puts the piece between two leaves, which begins at vertex k, into a lane. */
static void wait_for(tsr_maker *maker, tsr_vertex_span *it, uint32_t from, uint32_t to, int64_t k) {
  tsr_lanes *lanes = maker->lanes;
  const int l = maker->n_waiting++;
  tsr_lanes_load(lanes, l, &it->net, it->wang);
  lanes->a[l] = tsr_from_fixed(from);
  lanes->b[l] = tsr_from_fixed(to);
  maker->waiting[l] = from == 0 && it->span.start >= 0 ? it->span.id[it->span.start] : -1;
  if (maker->n_waiting == TSR_LANES)
    make_waiting(maker, k + 1);
}

/* Vertices of the segments [first, first + n) of the item, and of the end of the last. */
static void make_vertices(tsr_maker *maker, int64_t i, int64_t first, int64_t n) {
  const tsr_curves_plan *plan = maker->plan;
  const tsr_item item = tsr_item_at(&plan->view, i);
  const int64_t *starts = plan->segment_start;
  int64_t s = tsr_part_at(starts, plan->span_start[i], plan->span_start[i + 1], first);
  int64_t k = 0;
  if (item.kind == TSR_KIND_STRAIGHT &&
      starts[plan->span_start[i + 1]] - starts[plan->span_start[i]] == item.n_spans) {
    make_straight(plan, &item, first - starts[plan->span_start[i]], n, maker->room, maker->v);
    return;
  }
  for (; k < n; ++s) {
    tsr_vertex_span it;
    const int64_t chunk = s / TSR_SPAN_CHUNK;
    const uint32_t *leaves = plan->leaves[chunk].fixed - starts[chunk * TSR_SPAN_CHUNK];
    int in_lane;
    tsr_vertex_span_make(&it, &plan->view, &plan->criteria, &item, s - plan->span_start[i], NULL,
                         0);
    it.kept = maker->kept;
    in_lane = !it.straight && plan->criteria.n_labels == 0 &&
              tsr_lanes_take(maker->lanes, &it.span, &it.kept);
    if (in_lane)
      tsr_lanes_take_span(maker->lanes, it.view, it.criteria, &it.span, &it.kept);
    for (; k < n && first + k < starts[s + 1]; ++k) {
      const int64_t at = first + k;
      const uint32_t a = leaves[at];
      const uint32_t b = at + 1 < starts[s + 1] ? leaves[at + 1] : (uint32_t)TSR_FIXED_ONE;
      if (in_lane) {
        wait_for(maker, &it, a, b, k);
      } else {
        make_waiting(maker, k);
        tsr_vertex_make(&it, a, maker->v + k, maker->room);
        tsr_vertex_piece(&it, a, b, maker->v + k, maker->room);
      }
      if (k + 1 == n) {
        make_waiting(maker, n);
        tsr_vertex_make(&it, b, maker->v + n, maker->room);
      }
    }
  }
}

/* Finds the lone vertices of a chain that is finished and part of item i. NULL where the sampling
 * has hardly divided the item's spans: most joints may then go, so that few vertices are lone.
 * Without this, stream lines of straight pieces with 8 arrays took 1.07 times as long. */
static const uint8_t *find_lone(const tsr_maker *maker, const tsr_chain *chain, int64_t i) {
  const tsr_curves_plan *plan = maker->plan;
  const int64_t first = plan->span_start[i], last = plan->span_start[i + 1];
  const int planes = tsr_chain_planes(chain->n_values, chain->tangents > 0);
  uint8_t *lone = (uint8_t *)(maker->v + planes * maker->room);
  if (plan->segment_start[last] - plan->segment_start[first] < 2 * (last - first))
    return NULL;
  tsr_chain_find_lone(chain, plan->criteria.wide, lone);
  return lone;
}

/* Walk w, which is one of item i. */
static void walk(const tsr_coarsening *work, tsr_maker *maker, int64_t i, int64_t w) {
  tsr_curves_plan *plan = work->plan;
  const int64_t begin = plan->segment_start[plan->span_start[i]];
  const int64_t end = plan->segment_start[plan->span_start[i + 1]];
  const int64_t first = begin + (w - plan->walk_start[i]) * TSR_WALK_POINTS;
  const int64_t n = end - first < TSR_WALK_POINTS ? end - first : TSR_WALK_POINTS;
  tsr_chain chain = tsr_chain_of(&plan->criteria, maker->v, maker->room, n);
  const int closed = tsr_item_at(&plan->view, i).closed;
  const int bound = (closed || first > begin) + 2 * (closed || first + n < end);
  double most;
  make_vertices(maker, i, first, n);
  most = tsr_chain_finish(&chain, bound);
  chain.lone = find_lone(maker, &chain, i);
  plan->walk_error[w] =
      tsr_chain_coarsen(&chain, most, closed && n == end - begin, work->keep + first);
}

static void walk_task(void *data, int64_t begin, int64_t end) {
  const tsr_coarsening *work = data;
  const tsr_curves_plan *plan = work->plan;
  int64_t i = tsr_part_at(plan->walk_start, 0, plan->view.n_items, begin);
  const int planes =
      tsr_chain_planes(tsr_vertex_values(&plan->criteria), plan->criteria.use_turning);
  tsr_maker maker = {.plan = plan, .kept = tsr_curves_keep(&plan->criteria)};
  maker.lanes = tsr_lanes_make(&plan->criteria, &maker.kept);
  for (int64_t w = begin; w < end; ++w) {
    int64_t n;
    while (w >= plan->walk_start[i + 1])
      ++i;
    n = plan->segment_start[plan->span_start[i + 1]] - plan->segment_start[plan->span_start[i]];
    n = n < TSR_WALK_POINTS ? n : TSR_WALK_POINTS;
    if (n + 1 > maker.room) {
      free(maker.v);
      maker.room = 2 * n + TSR_PLANES_APART;
      maker.v = malloc((size_t)maker.room * ((size_t)planes * sizeof *maker.v + 1));
      if (!maker.v) {
        tsr_job_stop(work->job, TSR_NO_MEMORY);
        break;
      }
    }
    walk(work, &maker, i, w);
  }
  tsr_lanes_free(maker.lanes);
  free(maker.kept.list);
  free(maker.v);
}

/* Closes up the leaves of the spans [begin, end), which are one chunk. */
static void gather_task(void *data, int64_t begin, int64_t end) {
  const tsr_coarsening *work = data;
  const int64_t *starts = work->plan->segment_start;
  tsr_leaves *leaves = &work->plan->leaves[begin / TSR_SPAN_CHUNK];
  const uint8_t *keep = work->keep + starts[begin];
  int64_t n = 0, at = 0;
  if (starts[end] - starts[begin] == end - begin) { /* one a span: all of them are 0 */
    for (int64_t s = 0; s < end - begin; ++s) {
      work->counts[begin + s] = keep[s];
      n += keep[s];
    }
    leaves->n = n;
    return;
  }
  for (int64_t s = begin; s < end; ++s) {
    const int64_t first = n;
    for (; at < starts[s + 1] - starts[begin]; ++at) {
      leaves->fixed[n] = leaves->fixed[at];
      n += keep[at];
    }
    work->counts[s] = n - first;
  }
  leaves->n = n;
}

static tsr_status run(tsr_coarsening *work, tsr_error *error) {
  tsr_curves_plan *plan = work->plan;
  tsr_job walks = {.execution = &plan->base.execution, .task = walk_task, .data = work};
  tsr_job gather = {.execution = &plan->base.execution, .task = gather_task, .data = work};
  tsr_status status;
  work->job = &walks;
  walks.n = plan->walk_start[plan->view.n_items];
  walks.done_first = 0.3;
  walks.done_last = 0.4;
  gather.n = plan->n_spans;
  gather.done_first = gather.done_last = 0.4;
  memset(work->keep, 1, (size_t)plan->segment_start[plan->n_spans]);
  status = tsr_job_run(&walks, TSR_WALKS_A_TASK);
  if (status == TSR_OK)
    status = tsr_job_run(&gather, TSR_SPAN_CHUNK);
  if (status == TSR_NO_MEMORY)
    return tsr_fail(error, status, -1, "there is no memory for the points that are compared");
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the points were thinned out");
  tsr_scan(work->counts, plan->n_spans);
  free(plan->segment_start);
  plan->segment_start = work->counts;
  work->counts = NULL;
  return TSR_OK;
}

/* Where each item's walks are, and memory for what they find. */
static tsr_status number_walks(tsr_curves_plan *plan, tsr_error *error) {
  const int64_t n = plan->view.n_items;
  int64_t walks;
  free(plan->walk_start);
  free(plan->walk_error);
  plan->walk_error = NULL;
  plan->walk_start = tsr_alloc(n + 1, sizeof *plan->walk_start, "the walks", error);
  if (!plan->walk_start)
    return TSR_NO_MEMORY;
  for (int64_t i = 0; i < n; ++i)
    plan->walk_start[i] = walks_of(plan, i);
  walks = tsr_scan(plan->walk_start, n);
  plan->walk_error = tsr_alloc(walks, sizeof *plan->walk_error, "the walks", error);
  return plan->walk_error ? TSR_OK : TSR_NO_MEMORY;
}

tsr_status tsr_curves_coarsen(tsr_curves_plan *plan, tsr_error *error) {
  tsr_coarsening work = {.plan = plan};
  tsr_status status = number_walks(plan, error);
  if (status != TSR_OK)
    return status;
  work.keep = tsr_alloc(plan->segment_start[plan->n_spans], 1, "the points that stay", error);
  work.counts = tsr_alloc(plan->n_spans + 1, sizeof *work.counts, "the spans", error);
  status = work.keep && work.counts ? run(&work, error) : TSR_NO_MEMORY;
  free(work.keep);
  free(work.counts);
  return status;
}
