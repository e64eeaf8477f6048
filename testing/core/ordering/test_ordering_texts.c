/* SPDX-License-Identifier: BSD-3-Clause */
/** Groups that are texts: their numbers are those of the sorted list of all of them, which a loop
 *  makes, in one process and in several, which threads play. */
#include <string.h>

#include "check.h"
#include "ranks.h"

enum { TEXTS = 300, LONGEST = 5 };

typedef struct process {
  int n;
  int64_t lengths[TEXTS], ids[TEXTS];
  char texts[TEXTS * LONGEST];
  tsr_status status;
} process;

static process p[MAX_RANKS];
static uint32_t state = 3;

static int any(int n) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 16) % (uint32_t)n);
}

/** Texts of few letters, among them NUL and one above 127; some are empty. */
static void make(process *one, int n, int letters) {
  static const char alphabet[] = {'a', '\0', '\xff', 'b', 'A', 'z'};
  char *at = one->texts;
  one->n = n;
  for (int i = 0; i < n; i++) {
    one->lengths[i] = any(LONGEST + 1);
    for (int64_t k = 0; k < one->lengths[i]; k++) {
      *at++ = alphabet[any(letters)];
    }
  }
}

static void work(void *data, const tsr_processes *processes) {
  process *one = data;
  one->status = tsr_ordering_text_ids(processes, one->texts, one->lengths, one->n, one->ids, NULL);
}

static int before(const char *a, int64_t na, const char *b, int64_t nb) {
  for (int64_t i = 0; i < na && i < nb; i++) {
    if (a[i] != b[i]) {
      return (unsigned char)a[i] < (unsigned char)b[i];
    }
  }
  return na < nb;
}

/** How many different texts of all processes come before this one. */
static int64_t rank_of(const char *text, int64_t length, int n) {
  static const char *seen[MAX_RANKS * TEXTS];
  static int64_t seen_length[MAX_RANKS * TEXTS];
  int64_t count = 0;
  for (int r = 0; r < n; r++) {
    const char *at = p[r].texts;
    for (int i = 0; i < p[r].n; at += p[r].lengths[i++]) {
      int64_t k = 0;
      if (!before(at, p[r].lengths[i], text, length)) {
        continue;
      }
      while (k < count && (seen_length[k] != p[r].lengths[i] ||
                           memcmp(seen[k], at, (size_t)seen_length[k]) != 0)) {
        k++;
      }
      if (k == count) {
        seen[count] = at;
        seen_length[count++] = p[r].lengths[i];
      }
    }
  }
  return count;
}

int main(void) {
  for (int run = 0; run < 12; run++) {
    const int n = 1 + run % 4;
    for (int r = 0; r < n; r++) {
      make(&p[r], (run + r) % 3 == 2 ? 0 : 1 + any(run < 4 ? TEXTS : 40), 1 + run % 6);
    }
    ranks_run(n, work, p, sizeof *p);
    for (int r = 0; r < n; r++) {
      const char *at = p[r].texts;
      CHECK_INT(p[r].status, TSR_OK);
      for (int i = 0; i < p[r].n; at += p[r].lengths[i++]) {
        CHECK_INT(p[r].ids[i], rank_of(at, p[r].lengths[i], n));
      }
    }
  }
  return check_result();
}
