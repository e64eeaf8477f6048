/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: numbers of points where all of them are input points. A row of input points is a row of
 * words; a word has 32 bits, one a point, and how many are set before it in its row:
 *
 *     row 0   10010..|0   0110..|2           first: 0
 *     row 1   01000..|0   0000..|1           first: 4
 *
 * A point's number is that of its row's first, what is before its word, and the bits before its
 * own: points are numbered in the order of the input's.
 */
#ifndef TSR_GRID_RANK_MATH_H
#define TSR_GRID_RANK_MATH_H

#include "grid/lattice_math.h"

typedef struct tsr_rank_word {
  uint32_t bits, before;
} tsr_rank_word;

typedef struct tsr_ranks {
  tsr_rank_word *words; /**< row_words for each row */
  int64_t *first;       /**< rows + 1 */
  int64_t rows, row_words;
  int64_t begin[3], size[3]; /**< the box of input points that the owned roots touch */
} tsr_ranks;

/** Sizes for the input points of the owned roots; the arrays are the caller's to make. */
TSR_FN void tsr_ranks_set(const tsr_lattice *lattice, tsr_ranks *ranks) {
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, lattice->coarsen, lattice->owned[a], range);
    ranks->begin[a] = range[0];
    ranks->size[a] = a < lattice->dimension ? range[1] - range[0] + 1 : 1;
  }
  ranks->rows = ranks->size[1] * ranks->size[2];
  ranks->row_words = (ranks->size[0] + 31) / 32;
}

/** Number of the row of input point p. */
TSR_FN int64_t tsr_rank_row_of(const tsr_ranks *ranks, const int64_t p[3]) {
  return (p[2] - ranks->begin[2]) * ranks->size[1] + (p[1] - ranks->begin[1]);
}

/** Number of its word. */
TSR_FN int64_t tsr_rank_word_of(const tsr_ranks *ranks, const int64_t p[3]) {
  return tsr_rank_row_of(ranks, p) * ranks->row_words + ((p[0] - ranks->begin[0]) >> 5);
}

/** Its bit there. */
TSR_FN uint32_t tsr_rank_bit_of(const tsr_ranks *ranks, const int64_t p[3]) {
  return (uint32_t)1 << ((p[0] - ranks->begin[0]) & 31);
}

/** The number of a point whose bit is set. */
TSR_FN int64_t tsr_rank_id(const tsr_ranks *ranks, const int64_t p[3]) {
  const tsr_rank_word word = ranks->words[tsr_rank_word_of(ranks, p)];
  const uint32_t below = word.bits & (tsr_rank_bit_of(ranks, p) - 1);
  return ranks->first[tsr_rank_row_of(ranks, p)] + word.before + tsr_popcount(below);
}

/** The number of any point, or -1. */
TSR_FN int64_t tsr_rank_find(const tsr_ranks *ranks, const int64_t p[3]) {
  const uint32_t bits = ranks->words[tsr_rank_word_of(ranks, p)].bits;
  return bits & tsr_rank_bit_of(ranks, p) ? tsr_rank_id(ranks, p) : -1;
}

/** Points as one number of 64 bits, where every axis has at most 2^21. */
#define TSR_PLACE_BITS 21

TSR_FN uint64_t tsr_place_pack(const int64_t p[3]) {
  return (uint64_t)p[0] | (uint64_t)p[1] << TSR_PLACE_BITS | (uint64_t)p[2] << 2 * TSR_PLACE_BITS;
}

TSR_FN void tsr_place_unpack(uint64_t place, int64_t p[3]) {
  const uint64_t mask = ((uint64_t)1 << TSR_PLACE_BITS) - 1;
  for (int a = 0; a < 3; ++a)
    p[a] = (int64_t)((place >> (a * TSR_PLACE_BITS)) & mask);
}

#endif
