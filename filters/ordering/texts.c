/* SPDX-License-Identifier: BSD-3-Clause */
/** Groups that are texts: their numbers in the sorted list of all of them. */
#include "common/support.h"
#include "ordering/tessera_ordering.h"

#include <stdlib.h>
#include <string.h>

/* A text among others, one after another. */
typedef struct text {
  const char *bytes;
  int64_t length;
  int64_t number; /* in the list that it is of */
} text;

/* By bytes, a shorter one before what begins with it. */
static int compare(const void *a, const void *b) {
  const text *x = a, *y = b;
  const int64_t common = x->length < y->length ? x->length : y->length;
  const int order = common > 0 ? memcmp(x->bytes, y->bytes, (size_t)common) : 0;
  return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static uint64_t hash_of(const text *one) { /* FNV-1a */
  uint64_t hash = 14695981039346656037u;
  for (int64_t i = 0; i < one->length; ++i)
    hash = (hash ^ (unsigned char)one->bytes[i]) * 1099511628211u;
  return hash ^ (hash >> 32);
}

/* Different texts. */
typedef struct text_set {
  text *all;
  int64_t n, room;
  int64_t *slots; /* 1 + a place in `all`; 0: free. More than twice as many as texts */
  uint64_t mask;
} text_set;

/* The slot of a text, or the one where it belongs. */
static int64_t *slot_of(const text_set *set, const text *one) {
  uint64_t at = hash_of(one) & set->mask;
  while (set->slots[at] && compare(&set->all[set->slots[at] - 1], one) != 0)
    at = (at + 1) & set->mask;
  return &set->slots[at];
}

static tsr_status make_room(text_set *set, tsr_error *error) {
  const int64_t slots = set->slots ? 2 * (int64_t)(set->mask + 1) : 64;
  if (set->slots && 2 * (set->n + 1) < (int64_t)(set->mask + 1))
    return TSR_OK;
  free(set->slots);
  set->slots = tsr_alloc_clear(slots, sizeof *set->slots, "texts", error);
  if (!set->slots)
    return TSR_NO_MEMORY;
  set->mask = (uint64_t)slots - 1;
  for (int64_t i = 0; i < set->n; ++i)
    *slot_of(set, &set->all[i]) = i + 1;
  return TSR_OK;
}

/* number: NULL, or receives the text's place in the set. */
static tsr_status add(text_set *set, const char *bytes, int64_t length, int64_t *number,
                      tsr_error *error) {
  const text one = {bytes, length, set->n};
  text *all = tsr_grow(set->all, set->n, &set->room, 64, sizeof *all);
  int64_t *slot;
  if (!all)
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for texts");
  set->all = all;
  if (make_room(set, error) != TSR_OK)
    return TSR_NO_MEMORY;
  slot = slot_of(set, &one);
  if (!*slot) {
    all[set->n++] = one;
    *slot = set->n;
  }
  if (number)
    *number = *slot - 1;
  return TSR_OK;
}

static void free_set(text_set *set) {
  free(set->all);
  free(set->slots);
}

/* The texts of a set, each behind its length. */
static char *packed(const text_set *set, int64_t *bytes, tsr_error *error) {
  char *all, *at;
  *bytes = 0;
  for (int64_t i = 0; i < set->n; ++i)
    *bytes += (int64_t)sizeof(int64_t) + set->all[i].length;
  at = all = tsr_alloc(*bytes, 1, "texts", error);
  for (int64_t i = 0; all && i < set->n; ++i) {
    memcpy(at, &set->all[i].length, sizeof(int64_t));
    if (set->all[i].length > 0)
      memcpy(at + sizeof(int64_t), set->all[i].bytes, (size_t)set->all[i].length);
    at += (int64_t)sizeof(int64_t) + set->all[i].length;
  }
  return all;
}

/* The set of all that processes have told. */
static tsr_status unpack(text_set *set, const char *told, int64_t bytes, tsr_error *error) {
  tsr_status status = TSR_OK;
  for (int64_t at = 0; status == TSR_OK && at < bytes;) {
    int64_t length;
    memcpy(&length, told + at, sizeof length);
    at += (int64_t)sizeof length;
    status = add(set, told + at, length, NULL, error);
    at += length;
  }
  return status;
}

/* Each of this process's texts gets its number among all. */
static void number_texts(text_set *mine, text_set *all) {
  if (mine->n == 0) /* and no memory of its own, which qsort wants */
    return;
  qsort(mine->all, (size_t)mine->n, sizeof *mine->all, compare);
  qsort(all->all, (size_t)all->n, sizeof *all->all, compare);
  for (int64_t i = 0, k = 0; i < mine->n; ++i, ++k) {
    while (compare(&all->all[k], &mine->all[i]) != 0)
      ++k;
    /* The slots are of no more use; here they hold the number of each text. */
    mine->slots[mine->all[i].number] = k;
  }
}

tsr_status tsr_ordering_text_ids(const tsr_processes *processes, const char *texts,
                                 const int64_t *lengths, int64_t n, int64_t *ids,
                                 tsr_error *error) {
  text_set mine = {0}, all = {0};
  int64_t bytes = 0, total;
  char *own = NULL;
  void *told;
  tsr_status status = make_room(&mine, error);
  for (int64_t i = 0; status == TSR_OK && i < n; texts += lengths[i++])
    status = add(&mine, texts, lengths[i], &ids[i], error);
  if (status == TSR_OK)
    status = (own = packed(&mine, &bytes, error)) ? TSR_OK : TSR_NO_MEMORY;
  status = tsr_processes_gather_bytes(processes, status, own, bytes, &told, NULL, &total, error);
  if (status == TSR_OK)
    status = unpack(&all, told, total, error);
  if (status == TSR_OK) {
    number_texts(&mine, &all);
    for (int64_t i = 0; i < n; ++i)
      ids[i] = mine.slots[ids[i]];
  }
  free_set(&mine);
  free_set(&all);
  free(own);
  free(told);
  return status;
}
