/* SPDX-License-Identifier: BSD-3-Clause */
/** Which arrays all processes have. */
#include "common/processes/tessera_columns.h"
#include "common/support.h"

#include <stdlib.h>
#include <string.h>

/* The message of a process: whether it holds anything, then for each array three numbers and the
 * name with its NUL. */
enum { NUMBERS = 3 };
static const size_t head = NUMBERS * sizeof(int);

static char *packed(int holds, const tsr_column *mine, int n, int64_t *bytes, tsr_error *error) {
  char *text, *at;
  *bytes = 1;
  for (int i = 0; holds && i < n; ++i)
    *bytes += (int64_t)(head + strlen(mine[i].name) + 1);
  text = tsr_alloc(*bytes, 1, "the names of arrays", error);
  if (!text)
    return NULL;
  text[0] = (char)(holds != 0);
  at = text + 1;
  for (int i = 0; holds && i < n; ++i) {
    const int numbers[NUMBERS] = {mine[i].type, mine[i].components, mine[i].roles};
    const size_t name = strlen(mine[i].name) + 1;
    memcpy(at, numbers, head);
    memcpy(at + head, mine[i].name, name);
    at += head + name;
  }
  return text;
}

/* Reads the array at `at`; its name stays where it is. Returns what is behind it. */
static const char *read_column(const char *at, tsr_column *column) {
  int numbers[NUMBERS];
  memcpy(numbers, at, head);
  *column = (tsr_column){at + head, numbers[0], numbers[1], numbers[2]};
  return at + head + strlen(column->name) + 1;
}

static int same_kind(const tsr_column *a, const tsr_column *b) {
  return a->type == b->type && a->components == b->components && strcmp(a->name, b->name) == 0;
}

/* Is the array among those from `at` on? A process may have several of one kind. */
static int appears(const char *at, const char *end, const tsr_column *column) {
  int found = 0;
  while (at < end && !found) {
    tsr_column one;
    at = read_column(at, &one);
    found = same_kind(&one, column);
  }
  return found;
}

/* The list of what all told; `everywhere` counts the processes first. */
static int list(const char *text, const int64_t *sizes, int ranks, tsr_common_column *all) {
  int n = 0, holders = 0;
  for (int r = 0; r < ranks; text += sizes[r++]) {
    holders += text[0];
    for (const char *next, *at = text + 1; at < text + sizes[r]; at = next) {
      tsr_common_column one = {.everywhere = 1};
      int k = 0;
      next = read_column(at, &one.column);
      while (k < n && !same_kind(&all[k].column, &one.column))
        ++k;
      if (k == n)
        all[n++] = one;
      else
        all[k].everywhere += !appears(text + 1, at, &one.column);
    }
  }
  for (int k = 0; k < n; ++k)
    all[k].everywhere = all[k].everywhere == holders;
  return n;
}

/* How many arrays are told of. */
static int64_t told(const char *text, const int64_t *sizes, int ranks) {
  int64_t n = 0;
  for (int r = 0; r < ranks; text += sizes[r++]) {
    tsr_column column;
    for (const char *at = text + 1; at < text + sizes[r]; ++n)
      at = read_column(at, &column);
  }
  return n;
}

tsr_status tsr_columns_agree(const tsr_processes *processes, int holds, const tsr_column *mine,
                             int n, tsr_common_column **all, int *count, tsr_error *error) {
  int64_t bytes, total;
  void *text;
  char *own = packed(holds, mine, n, &bytes, error);
  int64_t *sizes = tsr_alloc(processes->n, sizeof *sizes, "the names of arrays", error);
  tsr_status status = tsr_processes_gather_bytes(processes, own && sizes ? TSR_OK : TSR_NO_MEMORY,
                                                 own, bytes, &text, sizes, &total, error);
  *all = NULL;
  *count = 0;
  if (status == TSR_OK) {
    const size_t room = (size_t)told(text, sizes, processes->n) * sizeof **all;
    char *memory = tsr_alloc((int64_t)room + total, 1, "the names of arrays", error);
    status = tsr_processes_agree(processes, memory ? TSR_OK : TSR_NO_MEMORY, error);
    if (status == TSR_OK) {
      memcpy(memory + room, text, (size_t)total);
      *all = (tsr_common_column *)memory;
      *count = list(memory + room, sizes, processes->n, *all);
    } else {
      free(memory);
    }
  }
  free(own);
  free(sizes);
  free(text);
  return status;
}
