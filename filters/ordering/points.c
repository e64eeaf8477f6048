/* SPDX-License-Identifier: BSD-3-Clause */
/** Points in the order of their groups and orders: from keys to words, sorted, and back. */
#include "ordering/plan.h"

#include <stdlib.h>
#include <string.h>

/* Progress: looking at the points, and sorting them. */
#define LOOKED 0.05
#define SORTED 0.3

/* What a chunk of points has. */
typedef struct look {
  uint64_t group, order; /* bits that differ from those of point 0 */
  tsr_note_count notes[TSR_ORDERING_NOTES];
} look;

typedef struct look_job {
  const tsr_ordering_view *view;
  look *chunks;
} look_job;

static void note(tsr_note_count *count, int64_t i) {
  if (count->count++ == 0)
    count->first = i;
}

/* Bits that differ along an array, and its NaNs. */
static uint64_t look_at_keys(const tsr_array *array, int64_t begin, int64_t end,
                             tsr_note_count *nans) {
  uint64_t differ = 0, first;
  if (array->components == 0)
    return 0;
  first = tsr_key(array, 0);
  for (int64_t i = begin; i < end; ++i) {
    const uint64_t key = tsr_key(array, i);
    differ |= key ^ first;
    if (key == TSR_KEY_NAN && tsr_is_real(array))
      note(nans, i);
  }
  return differ;
}

static void look_at_points(void *data, int64_t begin, int64_t end) {
  const look_job *job = data;
  look *l = &job->chunks[begin / TSR_ORDERING_CHUNK];
  memset(l, 0, sizeof *l);
  l->group = look_at_keys(&job->view->group, begin, end, &l->notes[TSR_ORDERING_NOTE_GROUP]);
  l->order = look_at_keys(&job->view->order, begin, end, &l->notes[TSR_ORDERING_NOTE_ORDER]);
  for (int64_t i = begin; i < end; ++i) {
    const tsr_place place = tsr_place_of(&job->view->points, i);
    if (!tsr_place_usable(&place))
      note(&l->notes[TSR_ORDERING_NOTE_PLACE], i);
  }
}

void tsr_ordering_look(const tsr_ordering_view *view, tsr_note_count notes[TSR_ORDERING_NOTES]) {
  look all; /* one chunk */
  look_job job = {view, &all};
  look_at_points(&job, 0, view->points.tuples);
  memcpy(notes, all.notes, sizeof all.notes);
}

static tsr_status look_at_all(tsr_ordering_plan *plan, tsr_word *word, tsr_error *error) {
  const int64_t chunks = (plan->n + TSR_ORDERING_CHUNK - 1) / TSR_ORDERING_CHUNK;
  uint64_t group = 0, order = 0;
  tsr_status status;
  look_job job = {&plan->view, tsr_alloc(chunks, sizeof *job.chunks, "what points have", error)};
  if (!job.chunks)
    return TSR_NO_MEMORY;
  status = tsr_ordering_run(&plan->base.execution, look_at_points, &job, plan->n,
                            TSR_ORDERING_CHUNK, 0.0, LOOKED);
  for (int64_t c = 0; status == TSR_OK && c < chunks; ++c) {
    const look *l = &job.chunks[c];
    group |= l->group;
    order |= l->order;
    for (int k = 0; k < TSR_ORDERING_NOTES; ++k) {
      tsr_note_count *all = &plan->sizes.notes[k];
      if (all->count == 0)
        all->first = l->notes[k].first;
      all->count += l->notes[k].count;
    }
  }
  tsr_key_bits_of(group, &word->group_bits);
  tsr_key_bits_of(order, &word->order_bits);
  free(job.chunks);
  return status;
}

/* One sort by a part of the key. */
typedef struct phase {
  tsr_word word;
  const int64_t *sorted; /* by the lower parts; NULL: there is none */
  uint64_t *words;
  int64_t *out;   /* the points, sorted by this part too */
  uint8_t *flags; /* NULL, or receives the first of each group: the last part */
  _Atomic int unsorted;
} phase;

static void make_words(void *data, int64_t begin, int64_t end) {
  phase *p = data;
  uint64_t before = begin > 0 ? tsr_key_part(&p->word, tsr_sorted_point(p->sorted, begin - 1)) : 0;
  int unsorted = 0;
  for (int64_t i = begin; i < end; ++i) {
    const uint64_t key = tsr_key_part(&p->word, tsr_sorted_point(p->sorted, i));
    unsorted |= key < before;
    before = key;
    p->words[i] = key << p->word.place_bits | (uint64_t)i;
  }
  if (unsorted)
    atomic_store(&p->unsorted, 1);
}

static void read_words(void *data, int64_t begin, int64_t end) {
  const phase *p = data;
  const uint64_t places = tsr_low_ones(p->word.place_bits);
  for (int64_t i = begin; i < end; ++i)
    p->out[i] = tsr_sorted_point(p->sorted, (int64_t)(p->words[i] & places));
  for (int64_t i = begin; p->flags && i < end; ++i)
    p->flags[i] = tsr_begins_group(&p->word, p->words, p->sorted, i) ? TSR_FLAG_GROUP : 0;
}

/* Sorts by the bits of the word; the result of the phases before is in plan->sorted, and so is
 * that of this one. */
static tsr_status run_phase(tsr_ordering_plan *plan, const tsr_word *word, int last, double from,
                            double to, tsr_error *error) {
  const double part = (to - from) / 8.0;
  phase p = {*word, plan->sorted, plan->words, NULL, last ? plan->flags : NULL, 0};
  tsr_sort_job job = {
      &plan->base.execution, plan->words,        plan->scratch, plan->n,  word->place_bits,
      word->key_bits,        plan->options.sort, from + part,   to - part};
  tsr_status status = tsr_ordering_run(&plan->base.execution, make_words, &p, plan->n,
                                       TSR_ORDERING_CHUNK, from, from + part);
  if (status == TSR_OK && atomic_load(&p.unsorted))
    status = tsr_sort_words(&job, error);
  plan->words = p.words = job.words;
  plan->scratch = job.scratch;
  p.out = (int64_t *)plan->scratch;
  if (status == TSR_OK)
    status = tsr_ordering_run(&plan->base.execution, read_words, &p, plan->n, TSR_ORDERING_CHUNK,
                              to - part, to);
  plan->scratch = (uint64_t *)plan->sorted;
  plan->sorted = p.out;
  return status;
}

/* Phase after phase, from the lowest bits of the key. */
static tsr_status sort_by_phases(tsr_ordering_plan *plan, tsr_word *word, tsr_error *error) {
  const int phases = tsr_word_phases(word);
  const double share = (SORTED - LOOKED) / phases;
  tsr_status status = TSR_OK;
  for (int k = 0; k < phases && status == TSR_OK; ++k) {
    tsr_word_phase(word, k, phases);
    if (!plan->scratch &&
        !(plan->scratch = tsr_alloc(plan->n, sizeof *plan->scratch, "sorting", error)))
      return TSR_NO_MEMORY;
    status =
        run_phase(plan, word, k == phases - 1, LOOKED + k * share, LOOKED + (k + 1) * share, error);
  }
  return status;
}

/* By the group alone, and then each group by itself; *done: 0 where they are too large for it. */
static tsr_status sort_by_groups(tsr_ordering_plan *plan, tsr_word *word, int *done,
                                 tsr_error *error) {
  const double middle = (LOOKED + SORTED) / 2.0;
  tsr_status status;
  word->first_bit = word->order_bits.count;
  word->key_bits = word->group_bits.count;
  status = run_phase(plan, word, 1, LOOKED, middle, error);
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
  status = look_at_all(plan, &word, error);
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
