/* SPDX-License-Identifier: BSD-3-Clause */
/** The largest numbers under names. There are as many names as arrays, so they are looked up one
 *  after another. */
#include "common/processes/tessera_maxima.h"
#include "common/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tsr_maximum {
  char *name;
  double *numbers;
  int n;
} tsr_maximum;

static tsr_status no_memory(tsr_error *error) {
  return tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the ranges of arrays");
}

/* The place of the name, or where it would be; *found: is it there? */
static int64_t place_of(const tsr_maxima *maxima, const char *name, int *found) {
  int64_t k = 0;
  while (k < maxima->n && strcmp(maxima->all[k].name, name) < 0)
    ++k;
  *found = k < maxima->n && strcmp(maxima->all[k].name, name) == 0;
  return k;
}

/* A new name without numbers at place k. */
static tsr_status insert(tsr_maxima *maxima, int64_t k, const char *name, tsr_error *error) {
  const size_t size = strlen(name) + 1;
  char *copy = malloc(size);
  tsr_maximum *all = tsr_grow(maxima->all, maxima->n, &maxima->room, 8, sizeof *all);
  if (all)
    maxima->all = all;
  if (!copy || !all) {
    free(copy);
    return no_memory(error);
  }
  memcpy(copy, name, size);
  memmove(all + k + 1, all + k, (size_t)(maxima->n - k) * sizeof *all);
  all[k] = (tsr_maximum){copy, NULL, 0};
  maxima->n++;
  return TSR_OK;
}

static tsr_status lengthen(tsr_maximum *one, int n, tsr_error *error) {
  double *longer;
  if (n <= one->n)
    return TSR_OK;
  longer = realloc(one->numbers, (size_t)n * sizeof *longer);
  if (!longer)
    return no_memory(error);
  one->numbers = longer;
  while (one->n < n)
    longer[one->n++] = -INFINITY;
  return TSR_OK;
}

tsr_status tsr_maxima_add(tsr_maxima *maxima, const char *name, int first, const double *numbers,
                          int n, tsr_error *error) {
  if (tsr_need(maxima && name && (numbers || n == 0), "the list, the name or the numbers", error))
    return TSR_BAD_INPUT;
  int found;
  const int64_t k = place_of(maxima, name, &found);
  tsr_status status = found ? TSR_OK : insert(maxima, k, name, error);
  if (status == TSR_OK)
    status = lengthen(&maxima->all[k], first + n, error);
  for (int i = 0; status == TSR_OK && i < n; ++i) {
    double *at = &maxima->all[k].numbers[first + i];
    *at = numbers[i] > *at ? numbers[i] : *at;
  }
  return status;
}

const char *tsr_maxima_get(const tsr_maxima *maxima, int64_t k, const double **numbers, int *n) {
  *numbers = maxima->all[k].numbers;
  *n = maxima->all[k].n;
  return maxima->all[k].name;
}

const double *tsr_maxima_find(const tsr_maxima *maxima, const char *name, int *n) {
  int found;
  const int64_t k = place_of(maxima, name, &found);
  *n = found ? maxima->all[k].n : 0;
  return found ? maxima->all[k].numbers : NULL;
}

double tsr_maxima_widest(const tsr_maxima *maxima, const char *name) {
  int n;
  const double *pairs = tsr_maxima_find(maxima, name, &n);
  double most = 0.0;
  for (int i = 0; i + 1 < n; i += 2)
    most = fmax(most, pairs[i + 1] + pairs[i]);
  return fmin(most, 1e300);
}

void tsr_maxima_free(tsr_maxima *maxima) {
  if (!maxima)
    return;
  for (int64_t k = 0; k < maxima->n; ++k) {
    free(maxima->all[k].name);
    free(maxima->all[k].numbers);
  }
  free(maxima->all);
  memset(maxima, 0, sizeof *maxima);
}

/* The message of a process: for each name how many numbers it has, the numbers, and the name with
 * its NUL. */
static char *packed(const tsr_maxima *maxima, int64_t *bytes, tsr_error *error) {
  char *text, *at;
  *bytes = 0;
  for (int64_t k = 0; k < maxima->n; ++k)
    *bytes += (int64_t)(sizeof(int) + (size_t)maxima->all[k].n * sizeof(double) +
                        strlen(maxima->all[k].name) + 1);
  at = text = tsr_alloc(*bytes, 1, "the ranges of arrays", error);
  for (int64_t k = 0; text && k < maxima->n; ++k) {
    const tsr_maximum *one = &maxima->all[k];
    const size_t numbers = (size_t)one->n * sizeof *one->numbers, name = strlen(one->name) + 1;
    memcpy(at, &one->n, sizeof one->n);
    if (numbers > 0)
      memcpy(at + sizeof one->n, one->numbers, numbers);
    memcpy(at + sizeof one->n + numbers, one->name, name);
    at += sizeof one->n + numbers + name;
  }
  return text;
}

static tsr_status add_packed(tsr_maxima *maxima, const char *text, int64_t bytes,
                             tsr_error *error) {
  tsr_status status = TSR_OK;
  for (const char *at = text; status == TSR_OK && at < text + bytes;) {
    int n;
    memcpy(&n, at, sizeof n);
    at += sizeof n;
    const char *name = at + (size_t)n * sizeof(double);
    for (int i = 0; status == TSR_OK && i < n; ++i, at += sizeof(double)) {
      double number;
      memcpy(&number, at, sizeof number);
      status = tsr_maxima_add(maxima, name, i, &number, 1, error);
    }
    at = name + strlen(name) + 1;
  }
  return status;
}

tsr_status tsr_maxima_agree(tsr_maxima *maxima, const tsr_processes *processes, tsr_error *error) {
  int64_t mine, total;
  void *all;
  char *text;
  tsr_status status;
  if (processes->n == 1)
    return TSR_OK;
  text = packed(maxima, &mine, error);
  status = tsr_processes_gather_bytes(processes, text ? TSR_OK : TSR_NO_MEMORY, text, mine, &all,
                                      NULL, &total, error);
  if (status == TSR_OK)
    status = add_packed(maxima, all, total, error);
  free(text);
  free(all);
  return status;
}
