/* SPDX-License-Identifier: BSD-3-Clause */
/** Points in the order of their groups and orders: from keys to words, sorted, and back. */
#include "ordering/plan.h"

#include <string.h>

/* Progress: the points are examined, and sorted. */
#define EXAMINED 0.05
#define SORTED 0.3

/* Sets the progress before and after the next steps. */
static void progress(tsr_executor *e, double first, double last) {
  e->done_first = first;
  e->done_last = last;
}

void tsr_ordering_examine(const tsr_ordering_view *view, tsr_note_count notes[TSR_ORDERING_NOTES]) {
  tsr_point_facts facts = tsr_examine_point_none();
  for (int64_t i = 0; i < view->points.tuples; ++i)
    tsr_examine_point(view, i, &facts);
  memcpy(notes, facts.notes, sizeof facts.notes);
}

static tsr_status examine_all(tsr_ordering_plan *plan, tsr_word *word, tsr_error *error) {
  tsr_point_facts facts;
  progress(&plan->executor, 0.0, EXAMINED);
  const tsr_status status =
      TSR_REDUCE(&plan->executor, tsr_examine_point, plan->placed, plan->n, &facts, error);
  if (status != TSR_OK)
    return status;
  memcpy(plan->sizes.notes, facts.notes, sizeof facts.notes);
  tsr_key_bits_of(facts.group, &word->group_bits);
  tsr_key_bits_of(facts.order, &word->order_bits);
  return TSR_OK;
}

/* Sorts plan->sorted, the points by the phases before, by the bits of the word, too. */
static tsr_status run_phase(tsr_ordering_plan *plan, const tsr_word *word, int last, double from,
                            double to, tsr_error *error) {
  const double part = (to - from) / 8.0;
  tsr_executor *e = &plan->executor;
  uint64_t *words[2] = {plan->words, plan->scratch};
  tsr_sort_phase phase = {*word, plan->sorted, plan->words, NULL, last ? plan->flags : NULL};
  progress(e, from, from + part);
  tsr_status status = TSR_EACH(e, tsr_make_word, phase, plan->n, error);
  progress(e, from + part, to - part);
  if (status == TSR_OK)
    status = e->sort_words(e, words, plan->n, word->place_bits, word->key_bits, error);
  plan->words = phase.words = words[0];
  plan->scratch = words[1];
  phase.out = (int64_t *)plan->scratch;
  progress(e, to - part, to);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_read_word, phase, plan->n, error);
  plan->scratch = (uint64_t *)plan->sorted;
  plan->sorted = phase.out;
  return status;
}

/* Sorts phase after phase, from the lowest bits of the key. */
static tsr_status sort_by_phases(tsr_ordering_plan *plan, tsr_word *word, tsr_error *error) {
  const int phases = tsr_word_phases(word);
  const double share = (SORTED - EXAMINED) / phases;
  tsr_executor *e = &plan->executor;
  tsr_status status = TSR_OK;
  for (int k = 0; k < phases && status == TSR_OK; ++k) {
    tsr_word_phase(word, k, phases);
    if (!plan->scratch)
      status =
          e->alloc(e, (void **)&plan->scratch, plan->n, sizeof *plan->scratch, "sorting", error);
    if (status == TSR_OK)
      status = run_phase(plan, word, k == phases - 1, EXAMINED + k * share,
                         EXAMINED + (k + 1) * share, error);
  }
  return status;
}

/* Sorts by the group alone, and then each group by itself, which is the CPU's own way. *done:
 * receives 0, and nothing is sorted, where a group is too large for that. */
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
  const size_t size = sizeof *plan->words;
  tsr_executor *e = &plan->executor;
  tsr_word word = {.group = plan->placed.group, .order = plan->placed.order};
  int done = 0;
  tsr_status status = examine_all(plan, &word, error);
  word.place_bits = tsr_place_bits(plan->n);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&plan->words, plan->n, size, "the words to sort", error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&plan->scratch, plan->n, size, "sorting", error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&plan->flags, plan->n, 1, "the flags of points", error);
  if (status == TSR_OK && !plan->device && word.group_bits.count > 0 &&
      word.group_bits.count + word.place_bits <= 64 &&
      word.group_bits.count + word.order_bits.count + word.place_bits > 64)
    status = sort_by_groups(plan, &word, &done, error);
  return status == TSR_OK && !done ? sort_by_phases(plan, &word, error) : status;
}
