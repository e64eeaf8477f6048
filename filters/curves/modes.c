/* SPDX-License-Identifier: BSD-3-Clause */
/** How each point array goes along: what the user says, else whether it looks like labels. */
#include "common/support.h"
#include "curves/tessera_modes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LABELS = 32, POINTS_A_LABEL = 4 };

/* Facts about the arrays of one name in all blocks. */
typedef struct seen {
  int64_t points;
  int32_t many; /* values, or something else than integers: no label */
  int32_t n;    /* values, in their order */
  int64_t values[MOST_LABELS];
} seen;

typedef struct entry {
  char *name;
  int chosen, no_label, looked_at;
  tsr_interpolation mode; /* where it is chosen */
  seen seen;
} entry;

struct tsr_modes {
  tsr_interpolation others;
  entry *all;
  int64_t n, room;
};

tsr_status tsr_modes_create(tsr_interpolation others, tsr_modes **modes, tsr_error *error) {
  if (tsr_need(modes != NULL, "the place for the modes", error))
    return TSR_BAD_INPUT;
  *modes = tsr_alloc_clear(1, sizeof **modes, "the modes of arrays", error);
  if (!*modes)
    return TSR_NO_MEMORY;
  (*modes)->others = others;
  return TSR_OK;
}

void tsr_modes_free(tsr_modes *modes) {
  for (int64_t k = 0; modes && k < modes->n; ++k)
    free(modes->all[k].name);
  if (modes)
    free(modes->all);
  free(modes);
}

static entry *find(const tsr_modes *modes, const char *name) {
  for (int64_t k = 0; k < modes->n; ++k)
    if (strcmp(modes->all[k].name, name) == 0)
      return &modes->all[k];
  return NULL;
}

/* Returns the entry of a name, and makes it if it is missing; NULL: out of memory. */
static entry *find_or_add(tsr_modes *modes, const char *name, tsr_error *error) {
  const size_t size = strlen(name) + 1;
  entry *all, *found = find(modes, name);
  char *copy;
  if (found)
    return found;
  copy = tsr_alloc((int64_t)size, 1, "the modes of arrays", error);
  all = tsr_grow(modes->all, modes->n, &modes->room, 8, sizeof *all);
  if (all)
    modes->all = all;
  if (!copy || !all) {
    free(copy);
    tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the modes of arrays");
    return NULL;
  }
  memcpy(copy, name, size);
  all[modes->n] = (entry){.name = copy};
  return &all[modes->n++];
}

tsr_status tsr_modes_choose(tsr_modes *modes, const char *name, tsr_interpolation mode,
                            tsr_error *error) {
  if (tsr_need(modes && name, "the list of modes or the name of the array", error))
    return TSR_BAD_INPUT;
  entry *one = find_or_add(modes, name, error);
  if (!one)
    return TSR_NO_MEMORY;
  one->chosen = 1;
  one->mode = mode;
  return TSR_OK;
}

tsr_status tsr_modes_no_label(tsr_modes *modes, const char *name, tsr_error *error) {
  if (tsr_need(modes && name, "the list of modes or the name of the array", error))
    return TSR_BAD_INPUT;
  entry *one = find_or_add(modes, name, error);
  if (!one)
    return TSR_NO_MEMORY;
  one->no_label = 1;
  return TSR_OK;
}

static void add_value(seen *s, int64_t value) {
  int at = 0;
  while (at < s->n && s->values[at] < value)
    ++at;
  if (at < s->n && s->values[at] == value)
    return;
  if (s->n == MOST_LABELS) {
    s->many = 1;
    return;
  }
  memmove(s->values + at + 1, s->values + at, (size_t)(s->n - at) * sizeof *s->values);
  s->values[at] = value;
  s->n++;
}

/* One integer of any type; those of 64 bits without a sign by their bits. */
static int64_t integer_at(const tsr_array *array, int64_t i) {
  switch (array->type) {
  case TSR_INT8:
    return ((const int8_t *)array->data)[i];
  case TSR_UINT8:
    return ((const uint8_t *)array->data)[i];
  case TSR_INT16:
    return ((const int16_t *)array->data)[i];
  case TSR_UINT16:
    return ((const uint16_t *)array->data)[i];
  case TSR_INT32:
    return ((const int32_t *)array->data)[i];
  case TSR_UINT32:
    return ((const uint32_t *)array->data)[i];
  default:
    return ((const int64_t *)array->data)[i];
  }
}

tsr_status tsr_modes_look(tsr_modes *modes, const char *name, const tsr_array *array,
                          tsr_error *error) {
  if (tsr_need(modes && name, "the list of modes or the name of the array", error))
    return TSR_BAD_INPUT;
  entry *one = find_or_add(modes, name, error);
  if (!one)
    return TSR_NO_MEMORY;
  if (one->chosen || one->no_label)
    return TSR_OK;
  one->looked_at = 1;
  if (!array || array->components != 1 || array->type == TSR_FLOAT || array->type == TSR_DOUBLE) {
    one->seen.many = 1;
    return TSR_OK;
  }
  one->seen.points += array->tuples;
  int64_t last = 0;
  for (int64_t i = 0; i < array->tuples && !one->seen.many; ++i) {
    const int64_t value = integer_at(array, i);
    if (i == 0 || value != last) /* neighbours often have the same label */
      add_value(&one->seen, value);
    last = value;
  }
  return TSR_OK;
}

/* The message of a process: for each name its facts, then the name with its NUL. */
static char *packed(const tsr_modes *modes, int64_t *bytes, tsr_error *error) {
  char *text, *at;
  *bytes = 0;
  for (int64_t k = 0; k < modes->n; ++k)
    if (modes->all[k].looked_at)
      *bytes += (int64_t)(sizeof(seen) + strlen(modes->all[k].name) + 1);
  at = text = tsr_alloc(*bytes, 1, "the labels of arrays", error);
  for (int64_t k = 0; text && k < modes->n; ++k)
    if (modes->all[k].looked_at) {
      const size_t name = strlen(modes->all[k].name) + 1;
      memcpy(at, &modes->all[k].seen, sizeof(seen));
      memcpy(at + sizeof(seen), modes->all[k].name, name);
      at += sizeof(seen) + name;
    }
  return text;
}

static tsr_status join(tsr_modes *modes, const char *text, int64_t bytes, tsr_error *error) {
  for (const char *at = text; at < text + bytes;) {
    seen told;
    entry *one;
    memcpy(&told, at, sizeof told);
    at += sizeof told;
    one = find_or_add(modes, at, error);
    if (!one)
      return TSR_NO_MEMORY;
    one->looked_at = 1;
    one->seen.points += told.points;
    one->seen.many = one->seen.many || told.many;
    for (int i = 0; i < told.n && !one->seen.many; ++i)
      add_value(&one->seen, told.values[i]);
    at += strlen(at) + 1;
  }
  return TSR_OK;
}

tsr_status tsr_modes_agree(tsr_modes *modes, const tsr_processes *processes, tsr_error *error) {
  int64_t mine, total;
  void *all;
  char *text;
  tsr_status status;
  if (processes->n == 1)
    return TSR_OK;
  text = packed(modes, &mine, error);
  status = tsr_processes_gather_bytes(processes, text ? TSR_OK : TSR_NO_MEMORY, text, mine, &all,
                                      NULL, &total, error);
  for (int64_t k = 0; status == TSR_OK && k < modes->n; ++k)
    memset(&modes->all[k].seen, 0, sizeof(seen)); /* it is among what all told */
  if (status == TSR_OK)
    status = join(modes, all, total, error);
  free(text);
  free(all);
  return status;
}

tsr_interpolation tsr_modes_of(const tsr_modes *modes, const char *name) {
  const entry *one = find(modes, name);
  if (one && one->chosen)
    return one->mode;
  if (one && one->looked_at && !one->seen.many &&
      (int64_t)one->seen.n * POINTS_A_LABEL <= one->seen.points)
    return TSR_INTERPOLATE_NEAREST;
  return modes->others;
}
