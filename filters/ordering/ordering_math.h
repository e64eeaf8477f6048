/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Points to curves: what decides the order, the repeats and the cuts.
 *
 * Every value becomes an unsigned integer of 64 bits such that comparing these is comparing the
 * values, exactly: unsigned integers as they are, signed ones with the sign bit turned, numbers
 * by their bits as doubles (all of them turned where negative, else the sign), NaN as the largest.
 *
 * Of those 64 bits most are the same in all points. The key of a point is made of the bits that
 * are not, the group's above those of the order, which keeps the order:
 *
 *      group  0..0gggggg0..0     order  0..0ooo0000oo0..0          key  gggggg ooooo
 *                 ======                    ===    ==
 *
 * A word is sorted instead of a point: bits of the key above the place where the point stood, so
 * that words are never equal and equal keys stay in their order. Where key and place have more than
 * 64 bits together, the words are sorted several times: by the lowest bits of the key, then by the
 * next ones.
 */
#ifndef TSR_ORDERING_ORDERING_MATH_H
#define TSR_ORDERING_ORDERING_MATH_H

#include "common/sort/pairs_math.h"
#include "ordering/tessera_ordering.h"

/** 1 if the array holds numbers, which may be NaN. */
TSR_FN int tsr_is_real(const tsr_array *array) {
  return array->components > 0 && (array->type == TSR_FLOAT || array->type == TSR_DOUBLE);
}

/** A place of three coordinates. */
typedef struct tsr_place {
  double x[3];
} tsr_place;

TSR_FN tsr_place tsr_place_of(const tsr_array *points, int64_t i) {
  tsr_place place;
  for (int c = 0; c < 3; ++c)
    place.x[c] = tsr_load(points, 3 * i + c);
  return place;
}

TSR_FN int tsr_place_usable(const tsr_place *p) {
  return tsr_usable(p->x[0]) && tsr_usable(p->x[1]) && tsr_usable(p->x[2]);
}

/** What is found in points before the sort. */
typedef struct tsr_point_facts {
  uint64_t group, order; /**< bits of the keys that differ from those of point 0 */
  tsr_note_count notes[TSR_ORDERING_NOTES];
} tsr_point_facts;

TSR_FN tsr_point_facts tsr_examine_point_none(void) {
  tsr_point_facts facts;
  memset(&facts, 0, sizeof facts);
  return facts;
}

TSR_FN void tsr_examine_point_join(tsr_point_facts *all, const tsr_point_facts *part) {
  all->group |= part->group;
  all->order |= part->order;
  for (int k = 0; k < TSR_ORDERING_NOTES; ++k)
    tsr_note_join(&all->notes[k], part->notes[k]);
}

/** The bits of key i that differ from those of key 0. If the value is NaN, sets bit `warning` of
 * *warnings. */
TSR_FN uint64_t tsr_examine_key(const tsr_array *array, int64_t i, int warning, int *warnings) {
  uint64_t key;
  if (array->components == 0)
    return 0;
  key = tsr_key(array, i);
  if (key == TSR_KEY_NAN && tsr_is_real(array))
    *warnings |= 1 << warning;
  return key ^ tsr_key(array, 0);
}

/** Adds point i to the facts. */
TSR_FN void tsr_examine_point(const tsr_ordering_view *view, int64_t i, tsr_point_facts *facts) {
  const tsr_place place = tsr_place_of(&view->points, i);
  int warnings = tsr_place_usable(&place) ? 0 : 1 << TSR_ORDERING_NOTE_PLACE;
  facts->group |= tsr_examine_key(&view->group, i, TSR_ORDERING_NOTE_GROUP, &warnings);
  facts->order |= tsr_examine_key(&view->order, i, TSR_ORDERING_NOTE_ORDER, &warnings);
  tsr_note_item(facts->notes, warnings, i);
}

/** A run of bits that differ: `length` ones from bit `low` on. */
typedef struct tsr_key_run {
  int low, length;
} tsr_key_run;

/** The bits of a key that are not the same in all points, the highest run first. */
typedef struct tsr_key_bits {
  tsr_key_run run[32];
  int runs;
  int count; /**< of all runs together */
} tsr_key_bits;

/** The bits that differ, from the ones of mask. */
TSR_FN void tsr_key_bits_of(uint64_t mask, tsr_key_bits *bits) {
  memset(bits, 0, sizeof *bits);
  for (int low = 63; low >= 0; --low)
    if (mask >> low & 1) {
      if (bits->count == 0 || bits->run[bits->runs - 1].low != low + 1)
        ++bits->runs;
      bits->run[bits->runs - 1].low = low;
      ++bits->run[bits->runs - 1].length;
      ++bits->count;
    }
}

/** Mask of the lowest `length` bits. */
TSR_FN uint64_t tsr_low_ones(int length) {
  return length >= 64 ? UINT64_MAX : ((uint64_t)1 << length) - 1;
}

/** The bits of `key` that differ, moved together. */
TSR_FN uint64_t tsr_squeeze(const tsr_key_bits *bits, uint64_t key) {
  uint64_t out = 0;
  for (int r = 0; r < bits->runs; ++r) {
    const tsr_key_run run = bits->run[r];
    const uint64_t part = (key >> run.low) & tsr_low_ones(run.length);
    out = run.length >= 64 ? part : out << run.length | part;
  }
  return out;
}

/** What a word is made of. */
typedef struct tsr_word {
  tsr_array group, order; /**< as in the view; group without components: no bits of it */
  tsr_key_bits group_bits, order_bits;
  int place_bits; /**< low bits of a word */
  int first_bit;  /**< the lowest bit of the key that is in the word */
  int key_bits;   /**< how many bits of the key are in it */
} tsr_word;

/** The bits [first_bit, first_bit + key_bits) of the key of point i. */
TSR_FN uint64_t tsr_key_part(const tsr_word *word, int64_t i) {
  const int of_order = word->order_bits.count;
  uint64_t part = 0;
  if (word->first_bit < of_order)
    part = tsr_squeeze(&word->order_bits, tsr_key(&word->order, i)) >> word->first_bit;
  if (word->first_bit + word->key_bits > of_order) {
    const uint64_t group = tsr_squeeze(&word->group_bits, tsr_key(&word->group, i));
    part |= word->first_bit < of_order ? group << (of_order - word->first_bit)
                                       : group >> (word->first_bit - of_order);
  }
  return part & tsr_low_ones(word->key_bits);
}

/** Bits that hold the numbers of n places. */
TSR_FN int tsr_place_bits(int64_t n) {
  int bits = 1;
  while (bits < 63 && n >> bits)
    ++bits;
  return bits;
}

/** How many words of a point it takes to hold its key; at least 1. */
TSR_FN int tsr_word_phases(const tsr_word *word) {
  const int room = 64 - word->place_bits;
  const int all = word->group_bits.count + word->order_bits.count;
  return all > 0 ? (all + room - 1) / room : 1;
}

/** The part of the key that phase k of `phases` sorts by. */
TSR_FN void tsr_word_phase(tsr_word *word, int k, int phases) {
  const int all = word->group_bits.count + word->order_bits.count;
  word->first_bit = all * k / phases;
  word->key_bits = all * (k + 1) / phases - word->first_bit;
}

/** Point i by the phases before; sorted NULL: there was none. */
TSR_FN int64_t tsr_sorted_point(const int64_t *sorted, int64_t i) { return sorted ? sorted[i] : i; }

/** 1 where word i, of the last phase and sorted, is the first of its group. */
TSR_FN int tsr_begins_group(const tsr_word *word, const uint64_t *words, const int64_t *sorted,
                            int64_t i) {
  const int of_order = word->order_bits.count - word->first_bit;
  const uint64_t places = tsr_low_ones(word->place_bits);
  if (i == 0 || word->group_bits.count == 0)
    return i == 0;
  if (of_order >= 0) /* all of the group is in the word */
    return words[i] >> (word->place_bits + of_order) !=
           words[i - 1] >> (word->place_bits + of_order);
  return tsr_key(&word->group, tsr_sorted_point(sorted, (int64_t)(words[i] & places))) !=
         tsr_key(&word->group, tsr_sorted_point(sorted, (int64_t)(words[i - 1] & places)));
}

/** Flags of a sorted point. */
enum {
  TSR_FLAG_GROUP = 1,   /**< the first of its group */
  TSR_FLAG_DROPPED = 2, /**< dropped as a repeat */
  TSR_FLAG_CUT = 4      /**< begins a curve, by a cut */
};

/** One sort by a part of the key. */
typedef struct tsr_sort_phase {
  tsr_word word;
  const int64_t *sorted; /**< points by the lower parts; NULL: there are none */
  uint64_t *words;       /**< to be sorted */
  int64_t *out;          /**< receives the points, sorted by this part too */
  uint8_t *flags;        /**< NULL; in the last phase receives TSR_FLAG_GROUP */
} tsr_sort_phase;

/** Makes word i. */
TSR_FN void tsr_make_word(const tsr_sort_phase *p, int64_t i) {
  const uint64_t part = tsr_key_part(&p->word, tsr_sorted_point(p->sorted, i));
  p->words[i] = part << p->word.place_bits | (uint64_t)i;
}

/** Reads word i after the sort. */
TSR_FN void tsr_read_word(const tsr_sort_phase *p, int64_t i) {
  const uint64_t place = p->words[i] & tsr_low_ones(p->word.place_bits);
  p->out[i] = tsr_sorted_point(p->sorted, (int64_t)place);
  if (p->flags)
    p->flags[i] = tsr_begins_group(&p->word, p->words, p->sorted, i) ? TSR_FLAG_GROUP : 0;
}

/** The distance of two places; -1 where one of them is not usable. */
TSR_FN double tsr_distance(const tsr_place *a, const tsr_place *b) {
  const double x = b->x[0] - a->x[0], y = b->x[1] - a->x[1], z = b->x[2] - a->x[2];
  const double square = (x * x + y * y) + z * z;
  if (!tsr_place_usable(a) || !tsr_place_usable(b))
    return -1.0;
  /* Squares of tiny differences are lost; the places are different all the same. */
  if (square < 1e-280) {
    const double most = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    return most > fabs(z) ? most : fabs(z);
  }
  return sqrt(square);
}

/** 1 if b repeats a, the last point kept. */
TSR_FN int tsr_is_repeat(const tsr_place *a, const tsr_place *b, double tolerance) {
  const double distance = tsr_distance(a, b);
  return distance >= 0.0 && distance <= tolerance;
}

/**
 * 1 if b is kept whatever became of a, the point before it in its group: the last point kept is a,
 * or within the tolerance of it, so b is farther than the tolerance from that. (Twice the tolerance
 * would do; the rest is for rounding.) The points between two such points can be decided without
 * the others.
 */
TSR_FN int tsr_is_kept_anyway(const tsr_place *a, const tsr_place *b, double tolerance) {
  return !tsr_is_repeat(a, b, 4.0 * tolerance);
}

/** 1 if the order of point b lies more than the limit above that of a, which is not above it. */
TSR_FN int tsr_is_gap(const tsr_array *order, int64_t a, int64_t b, double limit) {
  uint64_t steps;
  if (tsr_is_real(order))
    return tsr_load(order, b) - tsr_load(order, a) > limit;
  steps = tsr_key(order, b) - tsr_key(order, a);
  return limit < 18446744073709551616.0 && steps > (uint64_t)limit;
}

#endif
