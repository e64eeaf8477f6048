/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the refined tree, and its closure. */
#include "grid/octree/octree.h"

/* Reads where the heights of the split nodes begin. */
static tsr_status read_heights(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_splits *splits = &plan->close.splits;
  tsr_executor *e = &plan->executor;
  int64_t at[TSR_OCTREE_HEIGHTS + 1];
  TSR_OCTREE_TRY(e->read(e, at, plan->close.heights, sizeof at, error));
  splits->at[TSR_OCTREE_HEIGHTS] = splits->n;
  for (int h = TSR_OCTREE_HEIGHTS; h-- > 0;)
    splits->at[h] = at[h] >= 0 ? at[h] : splits->at[h + 1];
  return TSR_OK;
}

void tsr_octree_drop_splits(tsr_octree_plan *plan) {
  tsr_octree_splits *s = &plan->close.splits;
  tsr_octree_release(plan, &s->number);
  tsr_octree_release(plan, &s->child);
  tsr_octree_release(plan, &s->parent);
  tsr_octree_release(plan, &s->around);
  tsr_octree_release(plan, &s->place);
  tsr_octree_release(plan, &s->split);
  tsr_octree_release(plan, &s->present);
  tsr_octree_release(plan, &s->leaves);
  tsr_octree_release(plan, &s->first);
  plan->splits_room = 0;
}

/* Gives the split nodes room for n. */
static tsr_status make_room(tsr_octree_plan *plan, int64_t n, tsr_error *error) {
  tsr_octree_splits *s = &plan->close.splits;
  const char *what = "the refined nodes";
  if (n > INT32_MAX)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the grid has %lld refined nodes, and at most 2^31 are possible", (long long)n);
  if (n <= plan->splits_room)
    return TSR_OK;
  tsr_octree_drop_splits(plan);
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &s->number, n, sizeof *s->number, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &s->child, n, sizeof *s->child, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &s->parent, n, sizeof *s->parent, what, error));
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &s->around, n * TSR_OCTREE_AROUND, sizeof *s->around, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &s->place, n, sizeof *s->place, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &s->split, n, 1, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &s->present, n, 1, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &s->leaves, n, sizeof *s->leaves, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &s->first, n, sizeof *s->first, what, error));
  plan->splits_room = n;
  return TSR_OK;
}

/* Makes the split nodes of n words, which are sorted first if need be. Releases the words. */
static tsr_status take_words(tsr_octree_plan *plan, int64_t n, int sorted, tsr_error *error) {
  const tsr_octree_shape *shape = &plan->tree.shape;
  tsr_octree_close_job *job = &plan->close;
  tsr_executor *e = &plan->executor;
  if (!sorted) {
    uint64_t *words[2] = {job->words, NULL};
    void *kept = job->words;
    tsr_octree_release(plan, &job->before);
    TSR_OCTREE_TRY(tsr_octree_alloc(plan, &words[1], n, sizeof *words[1], "a sort", error));
    void *other = words[1];
    TSR_OCTREE_TRY(e->sort_words(e, words, n, 0, shape->dimension * shape->top, error));
    TSR_OCTREE_TRY(
        e->sort_words(e, words, n, TSR_OCTREE_NUMBER_BITS, TSR_OCTREE_HEIGHT_BITS, error));
    job->words = words[0];
    tsr_octree_release(plan, words[0] == kept ? &other : &kept);
    TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->before, n + 1, sizeof *job->before,
                                    "the refined nodes", error));
  }
  if (!job->heights)
    TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->heights, TSR_OCTREE_HEIGHTS + 1,
                                    sizeof *job->heights, "the refined nodes", error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_clear_height, *job, TSR_OCTREE_HEIGHTS + 1, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_flag_word, *job, n, error));
  int64_t total;
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job->before, n, &total, error));
  TSR_OCTREE_TRY(make_room(plan, total, error));
  job->splits.n = total;
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_take_word, *job, n, error));
  TSR_OCTREE_TRY(read_heights(plan, error));
  tsr_octree_release(plan, &job->words);
  tsr_octree_release(plan, &job->before);
  return TSR_OK;
}

/* Links the split nodes to their children, their neighbours and the tree of the input. */
static tsr_status link(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_close_job *job = &plan->close;
  const tsr_octree_splits *splits = &job->splits;
  const int top = plan->tree.shape.top;
  tsr_executor *e = &plan->executor;
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_link_split, *job, splits->n, error));
  TSR_OCTREE_TRY(
      TSR_EACH(e, tsr_octree_set_root, *job, splits->at[top + 1] - splits->at[top], error));
  for (int h = top; h > 0; --h) {
    job->from = splits->at[h];
    const int64_t n = splits->at[h + 1] - splits->at[h];
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_link_children, *job, TSR_OCTREE_LINKS * n, error));
  }
  return TSR_OK;
}

tsr_status tsr_octree_ready_words(tsr_octree_plan *plan, int64_t more, tsr_error *error) {
  tsr_octree_close_job *job = &plan->close;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->words, job->splits.n + more, sizeof *job->words,
                                  "the refined nodes", error));
  return TSR_EACH(&plan->executor, tsr_octree_put_split, *job, job->splits.n, error);
}

/* Adds what the rules of closure want, until they want nothing. */
static tsr_status close_tree(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_close_job *job = &plan->close;
  tsr_executor *e = &plan->executor;
  for (;;) {
    int64_t wanted = 0;
    TSR_OCTREE_TRY(link(plan, error));
    TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->before, job->splits.n + 1, sizeof *job->before,
                                    "the refined nodes", error));
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_wanted, *job, job->splits.n, error));
    TSR_OCTREE_TRY(tsr_octree_sum(plan, job->before, job->splits.n, &wanted, error));
    if (wanted == 0) {
      tsr_octree_release(plan, &job->before);
      return TSR_OK;
    }
    TSR_OCTREE_TRY(tsr_octree_ready_words(plan, wanted, error));
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_wanted, *job, job->splits.n, error));
    TSR_OCTREE_TRY(take_words(plan, job->splits.n + wanted, 0, error));
  }
}

tsr_status tsr_octree_add_words(tsr_octree_plan *plan, int64_t wanted, tsr_error *error) {
  TSR_OCTREE_TRY(take_words(plan, plan->close.splits.n + wanted, 0, error));
  return close_tree(plan, error);
}

/* Axes that a direction may cross for a neighbour to count, as options.balance and the kind of
 * output have it; 0: there is no balance. */
static int crossed_axes(const tsr_octree_plan *plan) {
  const tsr_grid_options *o = &plan->grid.options;
  const int dimension = plan->tree.shape.dimension;
  /* Parts of leaves fit where edges (in a plane: sides) have one point more at most. */
  const int least =
      o->output == TSR_GRID_CONFORMING ? (dimension == 3 ? 2 : 1) : o->output == TSR_GRID_POLYGONS;
  const int crossed = (int)o->balance > least ? (int)o->balance : least;
  return o->output == TSR_GRID_PATCHES || crossed > dimension ? dimension : crossed;
}

/* Counts the words of a list that is refined beside what criteria ask for, and adds their sum to
 * *n. The sums stay in *before, which is to be released. */
static tsr_status count_more(tsr_octree_plan *plan, int step, int64_t items, int64_t **before,
                             int64_t *n, tsr_error *error) {
  tsr_octree_close_job job = plan->close;
  int64_t more;
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, before, items + 1, sizeof **before, "the refined nodes", error));
  job.before = *before;
  TSR_OCTREE_TRY(plan->executor.each(&plan->executor, step, &job, items, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, *before, items, &more, error));
  *n += more;
  return TSR_OK;
}

/* Writes the words of the input's refined nodes, of the buffer and of the marks. */
static tsr_status put_all(tsr_octree_plan *plan, int64_t *refined, int64_t *buffer, int64_t *marks,
                          int64_t n_refined, int64_t n_buffered, tsr_error *error) {
  const int64_t nodes = plan->tree.nodes.at[plan->tree.shape.top + 1];
  tsr_octree_close_job job = plan->close;
  tsr_executor *e = &plan->executor;
  job.before = refined;
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_refined, job, nodes, error));
  job.before = buffer;
  job.n_words = n_refined;
  if (buffer)
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_buffer, job, nodes, error));
  job.before = marks;
  job.n_words = n_buffered;
  if (marks)
    TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_mark, job, plan->grid.options.marks.n, error));
  return TSR_OK;
}

/* Brings the marks of other plans to the executor. */
static tsr_status take_marks(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_marks *marks = &plan->grid.options.marks;
  const tsr_array array = {marks->nodes, TSR_INT32, 4, marks->n};
  tsr_executor *e = &plan->executor;
  void *to;
  if (plan->close.marks || marks->n == 0)
    return TSR_OK;
  TSR_OCTREE_TRY(e->input(e, &array, 1, 1, &to, error));
  plan->close.marks = to;
  return TSR_OK;
}

tsr_status tsr_octree_make_splits(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_options *o = &plan->grid.options;
  const int64_t nodes = plan->tree.nodes.at[plan->tree.shape.top + 1];
  tsr_octree_close_job *job = &plan->close;
  int64_t *refined = NULL, *buffer = NULL, *marks = NULL, n = 0;
  job->tree = plan->tree;
  job->refine = plan->refine;
  job->crossed = crossed_axes(plan);
  job->buffer = o->buffer_cells;
  job->group = 0;
  for (int size = o->block_size / 2; o->output == TSR_GRID_PATCHES && size > 1; size /= 2)
    job->group++;
  TSR_OCTREE_TRY(count_more(plan, tsr_octree_flag_refined_number, nodes, &refined, &n, error));
  const int64_t n_refined = n;
  if (job->buffer > 0 && o->mode == TSR_GRID_ADAPTIVE)
    TSR_OCTREE_TRY(count_more(plan, tsr_octree_count_buffer_number, nodes, &buffer, &n, error));
  const int64_t n_buffered = n;
  if (o->marks.n > 0 && o->mode == TSR_GRID_ADAPTIVE) {
    TSR_OCTREE_TRY(take_marks(plan, error));
    TSR_OCTREE_TRY(count_more(plan, tsr_octree_count_mark_number, o->marks.n, &marks, &n, error));
  }
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &job->words, n, sizeof *job->words, "the refined nodes", error));
  TSR_OCTREE_TRY(put_all(plan, refined, buffer, marks, n_refined, n_buffered, error));
  tsr_octree_release(plan, &refined);
  tsr_octree_release(plan, &buffer);
  tsr_octree_release(plan, &marks);
  TSR_OCTREE_TRY(
      tsr_octree_alloc(plan, &job->before, n + 1, sizeof *job->before, "the refined nodes", error));
  TSR_OCTREE_TRY(take_words(plan, n, n == n_refined, error));
  return close_tree(plan, error);
}
