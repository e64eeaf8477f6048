/* SPDX-License-Identifier: BSD-3-Clause */
/** Points in the order of their groups and orders: from keys to words, sorted, and back. */
#include "common/sort.h"
#include "ordering/plan.h"

#include <stdlib.h>
#include <string.h>

/* Progress: the points are examined, and sorted. */
#define EXAMINED 0.05
#define SORTED 0.3

/* What is found in a chunk of points. */
typedef struct chunk_facts {
  uint64_t group, order; /* bits that differ from those of point 0 */
  tsr_note_count notes[TSR_ORDERING_NOTES];
} chunk_facts;

typedef struct examination {
  const tsr_ordering_view *view;
  chunk_facts *chunks;
} examination;

static void examine_points(void *data, int64_t begin, int64_t end) {
  const examination *all = data;
  chunk_facts found;
  memset(&found, 0, sizeof found);
  for (int64_t i = begin; i < end; ++i) {
    const tsr_point_facts facts = tsr_examine_point(all->view, i);
    found.group |= facts.group;
    found.order |= facts.order;
    for (int k = 0; facts.warnings >> k; ++k)
      if (facts.warnings >> k & 1 && found.notes[k].count++ == 0)
        found.notes[k].first = i;
  }
  all->chunks[begin / TSR_ORDERING_CHUNK] = found;
}

void tsr_ordering_examine(const tsr_ordering_view *view, tsr_note_count notes[TSR_ORDERING_NOTES]) {
  chunk_facts facts;
  examination all = {view, &facts};
  examine_points(&all, 0, view->points.tuples); /* as one chunk */
  memcpy(notes, facts.notes, sizeof facts.notes);
}

static tsr_status examine_all(tsr_ordering_plan *plan, tsr_word *word, tsr_error *error) {
  const int64_t chunks = (plan->n + TSR_ORDERING_CHUNK - 1) / TSR_ORDERING_CHUNK;
  uint64_t group = 0, order = 0;
  tsr_status status;
  examination all = {&plan->view,
                     tsr_alloc(chunks, sizeof *all.chunks, "what is found in points", error)};
  if (!all.chunks)
    return TSR_NO_MEMORY;
  status = tsr_ordering_run(&plan->base.execution, examine_points, &all, plan->n,
                            TSR_ORDERING_CHUNK, 0.0, EXAMINED);
  for (int64_t c = 0; status == TSR_OK && c < chunks; ++c) {
    const chunk_facts *one = &all.chunks[c];
    group |= one->group;
    order |= one->order;
    for (int k = 0; k < TSR_ORDERING_NOTES; ++k) {
      tsr_note_count *sum = &plan->sizes.notes[k];
      if (sum->count == 0)
        sum->first = one->notes[k].first;
      sum->count += one->notes[k].count;
    }
  }
  tsr_key_bits_of(group, &word->group_bits);
  tsr_key_bits_of(order, &word->order_bits);
  free(all.chunks);
  return status;
}

typedef struct phase_work {
  tsr_sort_phase phase;
  _Atomic int unsorted;
} phase_work;

static void make_words(void *data, int64_t begin, int64_t end) {
  phase_work *work = data;
  const tsr_sort_phase *p = &work->phase;
  uint64_t before = begin > 0 ? tsr_make_word(&p->word, p->sorted, begin - 1) : 0;
  int unsorted = 0;
  for (int64_t i = begin; i < end; ++i) {
    const uint64_t word = tsr_make_word(&p->word, p->sorted, i);
    unsorted |= word < before;
    before = word;
    p->words[i] = word;
  }
  if (unsorted)
    atomic_store(&work->unsorted, 1);
}

static void read_words(void *data, int64_t begin, int64_t end) {
  const phase_work *work = data;
  for (int64_t i = begin; i < end; ++i)
    tsr_read_word(&work->phase, i);
}

/* Sorts plan->sorted, the points by the phases before, by the bits of the word, too. */
static tsr_status run_phase(tsr_ordering_plan *plan, const tsr_word *word, int last, double from,
                            double to, tsr_error *error) {
  const double part = (to - from) / 8.0;
  const tsr_execution *execution = &plan->base.execution;
  phase_work work = {{*word, plan->sorted, plan->words, NULL, last ? plan->flags : NULL}, 0};
  tsr_sort sort = {execution,        plan->words,    plan->scratch, plan->n,  1,
                   word->place_bits, word->key_bits, from + part,   to - part};
  tsr_status status = tsr_ordering_run(execution, make_words, &work, plan->n, TSR_ORDERING_CHUNK,
                                       from, from + part);
  if (status == TSR_OK && word->key_bits > 0 && atomic_load(&work.unsorted))
    status = tsr_sort_run(&sort, error);
  plan->words = work.phase.words = sort.items;
  plan->scratch = sort.other;
  work.phase.out = (int64_t *)plan->scratch;
  if (status == TSR_OK)
    status =
        tsr_ordering_run(execution, read_words, &work, plan->n, TSR_ORDERING_CHUNK, to - part, to);
  plan->scratch = (uint64_t *)plan->sorted;
  plan->sorted = work.phase.out;
  return status;
}

/* Sorts phase after phase, from the lowest bits of the key. */
static tsr_status sort_by_phases(tsr_ordering_plan *plan, tsr_word *word, tsr_error *error) {
  const int phases = tsr_word_phases(word);
  const double share = (SORTED - EXAMINED) / phases;
  tsr_status status = TSR_OK;
  for (int k = 0; k < phases && status == TSR_OK; ++k) {
    tsr_word_phase(word, k, phases);
    if (!plan->scratch &&
        !(plan->scratch = tsr_alloc(plan->n, sizeof *plan->scratch, "sorting", error)))
      return TSR_NO_MEMORY;
    status = run_phase(plan, word, k == phases - 1, EXAMINED + k * share,
                       EXAMINED + (k + 1) * share, error);
  }
  return status;
}

/* Sorts by the group alone, and then each group by itself. *done: receives 0, and nothing is
 * sorted, where a group is too large for that. */
static tsr_status sort_by_groups(tsr_ordering_plan *plan, tsr_word *word, int *done,
                                 tsr_error *error) {
  const double middle = (EXAMINED + SORTED) / 2.0;
  tsr_status status;
  word->first_bit = word->order_bits.count;
  word->key_bits = word->group_bits.count;
  status = run_phase(plan, word, 1, EXAMINED, middle, error);
  *done = status == TSR_OK && tsr_ordering_groups_are_small(plan);
  if (*done)
    return tsr_ordering_sort_groups(plan, middle, SORTED);
  plan->scratch = (uint64_t *)plan->sorted; /* as if nothing had been sorted */
  plan->sorted = NULL;
  return status;
}

tsr_status tsr_ordering_sort_points(tsr_ordering_plan *plan, tsr_error *error) {
  tsr_word word;
  int done = 0;
  tsr_status status;
  memset(&word, 0, sizeof word);
  word.group = plan->view.group;
  word.order = plan->view.order;
  word.place_bits = tsr_place_bits(plan->n);
  status = examine_all(plan, &word, error);
  if (status != TSR_OK)
    return status;
  plan->words = tsr_alloc(plan->n, sizeof *plan->words, "the words to sort", error);
  plan->scratch = tsr_alloc(plan->n, sizeof *plan->scratch, "sorting", error);
  plan->flags = tsr_alloc(plan->n, 1, "the flags of points", error);
  if (!plan->words || !plan->scratch || !plan->flags)
    return TSR_NO_MEMORY;
  if (word.group_bits.count > 0 && word.group_bits.count + word.place_bits <= 64 &&
      word.group_bits.count + word.order_bits.count + word.place_bits > 64)
    status = sort_by_groups(plan, &word, &done, error);
  return status == TSR_OK && !done ? sort_by_phases(plan, &word, error) : status;
}
