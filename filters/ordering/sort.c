/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sorting words, in two ways.
 *
 * Radix: digit by digit from the lowest. The words are cut into chunks; each counts its digits; the
 * sums of the counts, digit by digit and in each digit chunk by chunk, are where a chunk's words of
 * a digit go to. Equal digits stay in their order.
 *
 * Merge: chunks are sorted each by itself, in a cache, then pairs of sorted runs are merged,
 * level by level. So that the last levels, with their few long runs, still have work for all
 * threads, the output of a level is cut into pieces; where a piece begins in both runs is found by
 * bisection along the diagonal ("merge path"; Odeh, Green, Mwassi, Shmueli and Birk, IPDPSW 2012).
 */
#include "ordering/plan.h"

#include <stdlib.h>
#include <string.h>

enum {
  DIGIT_BITS = 9,
  DIGITS = 1 << DIGIT_BITS,
  MOST_CHUNKS = 256,
  SHORT_RUN = 16,
  LINE = 8 /* words of a cache line */
};

/* Returns the faster sort for n words with keys of key_bits bits. Measured on 10 million words: a
 * pass of the radix sort takes as long as 1.6 levels of merging. */
static tsr_ordering_sort sort_for(tsr_ordering_sort wish, int64_t n, int key_bits) {
  const int passes = (key_bits + DIGIT_BITS - 1) / DIGIT_BITS;
  int levels = 0;
  if (wish != TSR_SORT_AUTO)
    return wish;
  while (levels < 62 && n >> levels > 1)
    ++levels;
  return 8 * passes <= 5 * levels ? TSR_SORT_RADIX : TSR_SORT_MERGE;
}

/* ------------------------------------------------------------------ radix */

typedef struct radix_pass {
  const uint64_t *from;
  uint64_t *to;
  int64_t n, chunk;
  int64_t (*places)[DIGITS]; /* of each chunk: counts, then where its digits go to */
  int low;
  uint64_t mask;
} radix_pass;

static int64_t chunk_end(int64_t chunk_size, int64_t c, int64_t n) {
  return n - c * chunk_size < chunk_size ? n : (c + 1) * chunk_size;
}

static void count_digits(void *data, int64_t begin, int64_t end) {
  const radix_pass *p = data;
  for (int64_t c = begin; c < end; ++c) {
    const int64_t last = chunk_end(p->chunk, c, p->n);
    int64_t *counts = p->places[c];
    memset(counts, 0, sizeof p->places[c]);
    for (int64_t i = c * p->chunk; i < last; ++i)
      counts[(p->from[i] >> p->low) & p->mask]++;
  }
}

/* Words of a digit are collected to a cache line before they go out: 512 places far apart, written
 * to in turn, are more than the processor keeps track of. */
static void scatter_chunk(const radix_pass *p, int64_t c) {
  uint64_t line[DIGITS][LINE];
  uint8_t waiting[DIGITS] = {0};
  int64_t *places = p->places[c];
  const int64_t last = chunk_end(p->chunk, c, p->n);
  for (int64_t i = c * p->chunk; i < last; ++i) {
    const uint64_t word = p->from[i];
    const size_t d = (size_t)((word >> p->low) & p->mask);
    line[d][waiting[d]++] = word;
    if (waiting[d] == LINE) {
      memcpy(p->to + places[d], line[d], sizeof line[d]);
      places[d] += LINE;
      waiting[d] = 0;
    }
  }
  for (int d = 0; d < DIGITS; ++d)
    memcpy(p->to + places[d], line[d], waiting[d] * sizeof line[d][0]);
}

static void scatter_digits(void *data, int64_t begin, int64_t end) {
  for (int64_t c = begin; c < end; ++c)
    scatter_chunk(data, c);
}

/* Turns counts into places: by digit, and in each digit by chunk. */
static void sum_digits(radix_pass *pass, int64_t chunks) {
  int64_t sum = 0;
  for (int d = 0; d < DIGITS; ++d)
    for (int64_t c = 0; c < chunks; ++c) {
      const int64_t count = pass->places[c][d];
      pass->places[c][d] = sum;
      sum += count;
    }
}

static void swap_words(tsr_sort_job *job) {
  uint64_t *words = job->words;
  job->words = job->scratch;
  job->scratch = words;
}

static tsr_status radix_sort(tsr_sort_job *job, tsr_error *error) {
  const int passes = (job->bits + DIGIT_BITS - 1) / DIGIT_BITS;
  const int64_t share = (job->n + MOST_CHUNKS - 1) / MOST_CHUNKS;
  const int64_t chunk = share > TSR_ORDERING_CHUNK ? share : TSR_ORDERING_CHUNK;
  const int64_t chunks = (job->n + chunk - 1) / chunk;
  const double step = (job->last - job->first) / (2.0 * passes);
  tsr_status status = TSR_OK;
  int64_t(*places)[DIGITS] = tsr_alloc(chunks, sizeof *places, "the counts of digits", error);
  if (!places)
    return TSR_NO_MEMORY;
  for (int k = 0; k < passes && status == TSR_OK; ++k) {
    const int first = job->bits * k / passes, last = job->bits * (k + 1) / passes;
    const double done = job->first + 2.0 * k * step;
    radix_pass pass = {job->words,
                       job->scratch,
                       job->n,
                       chunk,
                       places,
                       job->low + first,
                       tsr_low_ones(last - first)};
    status = tsr_ordering_run(job->execution, count_digits, &pass, chunks, 1, done, done + step);
    sum_digits(&pass, status == TSR_OK ? chunks : 0);
    if (status == TSR_OK)
      status = tsr_ordering_run(job->execution, scatter_digits, &pass, chunks, 1, done + step,
                                done + 2.0 * step);
    swap_words(job);
  }
  free(places);
  return status;
}

/* ------------------------------------------------------------------ merge */

/* Merges the sorted a and b; without a branch on the values, which no processor could predict. */
static void merge_runs(const uint64_t *a, int64_t na, const uint64_t *b, int64_t nb,
                       uint64_t *out) {
  int64_t i = 0, j = 0, k = 0;
  while (i < na && j < nb) {
    const uint64_t x = a[i], y = b[j];
    const int second = y < x;
    out[k++] = second ? y : x;
    j += second;
    i += 1 - second;
  }
  memcpy(out + k, a + i, (size_t)(na - i) * sizeof *a);
  memcpy(out + k + (na - i), b + j, (size_t)(nb - j) * sizeof *b);
}

static void insertion_sort(uint64_t *words, int64_t n) {
  for (int64_t i = 1; i < n; ++i) {
    const uint64_t word = words[i];
    int64_t j = i;
    for (; j > 0 && words[j - 1] > word; --j)
      words[j] = words[j - 1];
    words[j] = word;
  }
}

/* Sorts words; scratch is as large. */
static void sort_run(uint64_t *words, uint64_t *scratch, int64_t n) {
  uint64_t *from = words, *to = scratch;
  for (int64_t i = 0; i < n; i += SHORT_RUN)
    insertion_sort(words + i, n - i < SHORT_RUN ? n - i : SHORT_RUN);
  for (int64_t width = SHORT_RUN; width < n; width *= 2) {
    uint64_t *swap = from;
    for (int64_t i = 0; i < n; i += 2 * width) {
      const int64_t na = n - i < width ? n - i : width;
      const int64_t nb = n - i - na < width ? n - i - na : width;
      merge_runs(from + i, na, from + i + na, nb, to + i);
    }
    from = to;
    to = swap;
  }
  if (from != words)
    memcpy(words, from, (size_t)n * sizeof *words);
}

static void sort_runs(void *data, int64_t begin, int64_t end) {
  const tsr_sort_job *job = data;
  sort_run(job->words + begin, job->scratch + begin, end - begin);
}

typedef struct merge_level {
  const uint64_t *from;
  uint64_t *to;
  int64_t n, width; /* runs of `width` are sorted */
} merge_level;

/* How many of the first `k` of both runs merged come from a. */
static int64_t split_of(const uint64_t *a, int64_t na, const uint64_t *b, int64_t nb, int64_t k) {
  int64_t low = k > nb ? k - nb : 0, high = k < na ? k : na;
  while (low < high) {
    const int64_t i = low + (high - low) / 2;
    if (a[i] < b[k - i - 1])
      low = i + 1;
    else
      high = i;
  }
  return low;
}

/* The part [begin, end) of the level's output; it lies in one pair of runs. */
static void merge_piece(void *data, int64_t begin, int64_t end) {
  const merge_level *level = data;
  const int64_t first = begin / (2 * level->width) * (2 * level->width);
  const int64_t rest = level->n - first;
  const int64_t na = rest < level->width ? rest : level->width;
  const int64_t nb = rest - na < level->width ? rest - na : level->width;
  const uint64_t *a = level->from + first, *b = a + na;
  const int64_t i = split_of(a, na, b, nb, begin - first);
  const int64_t i_end = split_of(a, na, b, nb, end - first);
  const int64_t j = begin - first - i, j_end = end - first - i_end;
  merge_runs(a + i, i_end - i, b + j, j_end - j, level->to + begin);
}

static tsr_status merge_sort(tsr_sort_job *job) {
  int levels = 1;
  double step;
  tsr_status status;
  for (int64_t width = TSR_ORDERING_CHUNK; width < job->n; width *= 2)
    ++levels;
  step = (job->last - job->first) / levels;
  status = tsr_ordering_run(job->execution, sort_runs, job, job->n, TSR_ORDERING_CHUNK, job->first,
                            job->first + step);
  for (int k = 1; k < levels && status == TSR_OK; ++k) {
    merge_level level = {job->words, job->scratch, job->n, TSR_ORDERING_CHUNK << (k - 1)};
    status = tsr_ordering_run(job->execution, merge_piece, &level, job->n, TSR_ORDERING_CHUNK,
                              job->first + k * step, job->first + (k + 1) * step);
    swap_words(job);
  }
  return status;
}

tsr_status tsr_sort_words(tsr_sort_job *job, tsr_error *error) {
  if (job->n < 2 || job->bits == 0)
    return TSR_OK;
  return sort_for(job->sort, job->n, job->bits) == TSR_SORT_RADIX ? radix_sort(job, error)
                                                                  : merge_sort(job);
}
