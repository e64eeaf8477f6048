/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * One disc: from the input to samples, which of them it covers, and what it does to them.
 *
 * The unit here is the sample: sample (i, j) has its centre at (i + 1/2, j + 1/2).
 */
#ifndef TSR_DISCS_DISCS_MATH_H
#define TSR_DISCS_DISCS_MATH_H

#include "common/sort/pairs_math.h"
#include "discs/tessera_discs.h"

/** Steps of the table of the Gaussian falloff over the square of the distance, 0 to 1. */
#define TSR_FALLOFF_STEPS 256

/** A disc in samples. */
typedef struct tsr_disc {
  double x, y;
  double square;  /**< of the radius */
  double inverse; /**< 1 / square */
  double opacity;
  double color[3]; /**< times the opacity where that is even */
} tsr_disc;

/** What becomes of a point. */
typedef struct tsr_disc_fate {
  int drawn;      /**< 1: box holds samples of the image */
  int notes;      /**< a bit a tsr_discs_note */
  int32_t box[4]; /**< first and last sample along x, then along y: covers all of the disc's */
} tsr_disc_fate;

/** The options as all discs use them. */
typedef struct tsr_disc_rules {
  int32_t width, height; /**< of the image in samples */
  double scale;          /**< samples a unit of the world */
  double radius_scale;   /**< samples a unit of the radii */
  double lowest, steps;  /**< scalars: least of the range, and entries of the table a unit */
} tsr_disc_rules;

/** The discs of a plan, as its steps and the fill see them. */
typedef struct tsr_disc_list {
  tsr_discs_view view;
  tsr_discs_options options;
  tsr_disc_rules rules;
  const double *falloff; /**< TSR_FALLOFF_STEPS + 1 */
  tsr_pairs pairs;       /**< keys and points, while the discs are sorted */
  uint32_t *order;       /**< point of each rank; rank 0 is drawn first. NULL: rank = point */
  tsr_disc *discs;       /**< by rank; set where the box is not empty */
  int32_t (*boxes)[4];   /**< by rank: tsr_disc_fate.box, first above last where not drawn */
} tsr_disc_list;

/** Clamps v. Written so that compilers use the processor's minimum and maximum, without a branch.
 */
TSR_FN double tsr_disc_clamp(double v, double low, double high) {
  const double above = v > low ? v : low;
  return above < high ? above : high;
}

/** Distance from the corner along a unit vector of the image. */
TSR_FN double tsr_disc_along(const double p[3], const double corner[3], const double axis[3]) {
  return (p[0] - corner[0]) * axis[0] + (p[1] - corner[1]) * axis[1] + (p[2] - corner[2]) * axis[2];
}

/** Larger is nearer to the viewer. */
TSR_FN double tsr_disc_depth(const double p[3], const tsr_discs_options *o) {
  const double x = o->right[1] * o->up[2] - o->right[2] * o->up[1];
  const double y = o->right[2] * o->up[0] - o->right[0] * o->up[2];
  const double z = o->right[0] * o->up[1] - o->right[1] * o->up[0];
  return p[0] * x + p[1] * y + p[2] * z;
}

/** Entry of the table for a scalar that is a number. */
TSR_FN int tsr_disc_entry(double scalar, const tsr_disc_rules *rules, int entries) {
  const double at = (scalar - rules->lowest) * rules->steps;
  return at >= (double)entries ? entries - 1 : at > 0.0 ? (int)at : 0;
}

/** Sets the colour, and gives its own opacity: 1, or the fourth component. */
TSR_FN double tsr_disc_color(const tsr_discs_view *view, const tsr_discs_options *o,
                             const tsr_disc_rules *rules, int64_t i, double color[3], int *notes) {
  double own = 1.0;
  if (view->colors.tuples > 0) {
    const int n = view->colors.components;
    const double unit = view->colors.type == TSR_UINT8 ? 1.0 / 255.0 : 1.0;
    for (int c = 0; c < n; ++c) {
      double v = tsr_load(&view->colors, i * n + c) * unit;
      if (!(v == v)) {
        *notes |= c < 3 ? 1 << TSR_DISCS_NOTE_COLOR : 1 << TSR_DISCS_NOTE_OPACITY;
        v = 0.0;
      }
      if (c < 3)
        color[c] = tsr_disc_clamp(v, 0.0, 1.0);
      else
        own = tsr_disc_clamp(v, 0.0, 1.0);
    }
    return own;
  }
  for (int c = 0; c < 3; ++c)
    color[c] = o->color[c];
  if (view->scalars.tuples > 0) {
    const double scalar = tsr_load(&view->scalars, i);
    const int number = scalar == scalar;
    const double *from =
        number ? o->table + 3 * tsr_disc_entry(scalar, rules, o->table_size) : o->nan_color;
    *notes |= number ? 0 : 1 << TSR_DISCS_NOTE_COLOR;
    for (int c = 0; c < 3; ++c)
      color[c] = from[c];
  }
  return own;
}

/** First and last sample along an axis of `n` that [centre - radius, centre + radius] may hold; an
 *  empty range if there is none. The range is slightly larger on both sides, by more than
 *  rounding can take away. */
TSR_FN void tsr_disc_range(double centre, double radius, int32_t n, int32_t range[2]) {
  const double slack = 1.0 + 1e-14 * (fabs(centre) + radius);
  const double first = centre - radius - 0.5 - slack, last = centre + radius - 0.5 + slack;
  range[0] = first > 0.0 ? (first >= (double)n ? n : (int32_t)first) : 0;
  range[1] = last < (double)n ? (last < 0.0 ? -1 : (int32_t)last) : n - 1;
}

/** Where the disc lies. 0 where it is not drawn; fate says why. */
TSR_FN int tsr_disc_place(const tsr_discs_view *view, const tsr_discs_options *o,
                          const tsr_disc_rules *rules, int64_t i, tsr_disc *disc,
                          tsr_disc_fate *fate) {
  double p[3], radius = o->radius;
  for (int a = 0; a < 3; ++a) {
    p[a] = tsr_load(&view->points, 3 * i + a);
    if (!tsr_usable(p[a]))
      fate->notes |= 1 << TSR_DISCS_NOTE_POSITION;
  }
  if (view->radii.tuples > 0)
    radius *= tsr_load(&view->radii, i);
  /* Radii that are larger than all coordinates may be cover the whole image. */
  if (!(radius >= 0.0 && radius <= 1e300))
    fate->notes |= 1 << TSR_DISCS_NOTE_RADIUS;
  if (fate->notes)
    return 0;
  if (radius == 0.0)
    fate->notes |= 1 << TSR_DISCS_NOTE_ZERO;
  radius = tsr_disc_clamp(radius * rules->radius_scale, 0.0, 1e140);
  disc->x = tsr_disc_along(p, o->corner, o->right) * rules->scale;
  disc->y = tsr_disc_along(p, o->corner, o->up) * rules->scale;
  disc->square = radius * radius;
  /* A square that underflows covers one point at most. */
  disc->inverse = disc->square > 1e-300 ? 1.0 / disc->square : 0.0;
  tsr_disc_range(disc->x, radius, rules->width, fate->box);
  tsr_disc_range(disc->y, radius, rules->height, fate->box + 2);
  if (radius == 0.0 || fate->box[0] > fate->box[1] || fate->box[2] > fate->box[3])
    return 0;
  if (radius < 0.5)
    fate->notes |= 1 << TSR_DISCS_NOTE_SMALL;
  return 1;
}

/** Makes disc i. It is drawn where fate->drawn; else only its fate is known. */
TSR_FN void tsr_disc_make(const tsr_discs_view *view, const tsr_discs_options *o,
                          const tsr_disc_rules *rules, int64_t i, tsr_disc *disc,
                          tsr_disc_fate *fate) {
  fate->notes = 0;
  fate->drawn = tsr_disc_place(view, o, rules, i, disc, fate);
  if (fate->drawn) {
    const double own = tsr_disc_color(view, o, rules, i, disc->color, &fate->notes);
    double opacity = o->opacity;
    if (view->opacities.tuples > 0)
      opacity *= tsr_load(&view->opacities, i);
    if (o->order == TSR_DISCS_BY_ARRAY) {
      const double order = tsr_load(&view->order, i);
      fate->notes |= order == order ? 0 : 1 << TSR_DISCS_NOTE_ORDER;
    }
    if (!(opacity == opacity))
      fate->notes |= 1 << TSR_DISCS_NOTE_OPACITY;
    fate->drawn = !(fate->notes & 1 << TSR_DISCS_NOTE_OPACITY);
    disc->opacity = tsr_disc_clamp(opacity, 0.0, 1.0) * own;
    for (int c = 0; c < 3 && o->falloff == TSR_DISCS_EVEN; ++c)
      disc->color[c] *= disc->opacity;
  }
}

/** What is added up over the discs of a plan. */
typedef struct tsr_disc_sums {
  int64_t inside, outside; /**< as in tsr_discs_sizes */
  tsr_note_count notes[TSR_DISCS_NOTES];
} tsr_disc_sums;

TSR_FN tsr_disc_sums tsr_disc_project_none(void) {
  tsr_disc_sums sums;
  memset(&sums, 0, sizeof sums);
  return sums;
}

TSR_FN void tsr_disc_project_join(tsr_disc_sums *all, const tsr_disc_sums *part) {
  all->inside += part->inside;
  all->outside += part->outside;
  for (int k = 0; k < TSR_DISCS_NOTES; ++k)
    tsr_note_join(&all->notes[k], part->notes[k]);
}

/** Makes the disc of a rank, and its box. */
TSR_FN void tsr_disc_project(const tsr_disc_list *list, int64_t rank, tsr_disc_sums *sums) {
  const int no_use = 1 << TSR_DISCS_NOTE_POSITION | 1 << TSR_DISCS_NOTE_RADIUS |
                     1 << TSR_DISCS_NOTE_ZERO | 1 << TSR_DISCS_NOTE_OPACITY;
  const int64_t point = list->order ? list->order[rank] : rank;
  tsr_disc disc;
  tsr_disc_fate fate;
  tsr_disc_make(&list->view, &list->options, &list->rules, point, &disc, &fate);
  if (fate.drawn)
    list->discs[rank] = disc;
  for (int k = 0; k < 4; ++k)
    list->boxes[rank][k] = fate.drawn ? fate.box[k] : -(k & 1);
  sums->inside += fate.drawn;
  sums->outside += !fate.drawn && !(fate.notes & no_use);
  tsr_note_item(sums->notes, fate.notes, point);
}

/** Square of the distance of sample i from the centre along one axis. */
TSR_FN double tsr_disc_square(double centre, int32_t i) {
  const double d = ((double)i + 0.5) - centre;
  return d * d;
}

/** Is the sample covered whose squares of distances along the two axes these are? */
TSR_FN int tsr_disc_covers(double x_square, double y_square, double square) {
  return x_square + y_square <= square;
}

/** Opacity of a Gaussian disc where the square of the distance is d2. table: of
 *  TSR_FALLOFF_STEPS + 1 entries, taken linearly between them. */
TSR_FN double tsr_disc_gaussian(const tsr_disc *disc, const double *table, double d2) {
  const double at = d2 * disc->inverse * (double)TSR_FALLOFF_STEPS;
  const int step = (int)at, k = step < TSR_FALLOFF_STEPS ? step : TSR_FALLOFF_STEPS - 1;
  return disc->opacity * (table[k] + (table[k + 1] - table[k]) * (at - (double)k));
}

/** One channel of a sample below a disc: keep is 1 - opacity, added the colour times opacity. */
TSR_FN double tsr_disc_blend(double below, double keep, double added) {
  return below * keep + added;
}

/** The nearest byte, without a branch that half of all pixels would take. */
TSR_FN uint8_t tsr_disc_byte(double v) {
  return (uint8_t)(int)(tsr_disc_clamp(v, 0.0, 255.0) + 0.5);
}

/** A pixel from the sums over its samples: of the channels times opacity, and of the share of what
 *  lies behind that shines through. share: 1 over the number of samples. */
TSR_FN void tsr_disc_store(const double sum[4], double share, uint8_t rgba[4]) {
  const double opacity = 1.0 - sum[3] * share;
  for (int c = 0; c < 3; ++c)
    rgba[c] = opacity > 0.0 ? tsr_disc_byte(sum[c] * share / opacity * 255.0) : 0;
  rgba[3] = tsr_disc_byte(opacity * 255.0);
}

/** The key of point i: where there is an order. */
TSR_FN uint64_t tsr_disc_order_key(const tsr_discs_view *view, const tsr_discs_options *o,
                                   int64_t i) {
  double p[3];
  if (o->order == TSR_DISCS_BY_ARRAY)
    return tsr_key(&view->order, i);
  for (int a = 0; a < 3; ++a)
    p[a] = tsr_load(&view->points, 3 * i + a);
  return tsr_key_of_double(tsr_disc_depth(p, o));
}

/** Makes the pair that point i is sorted by. */
TSR_FN void tsr_disc_make_pair(const tsr_disc_list *list, int64_t i) {
  tsr_pairs_set(&list->pairs, i, tsr_disc_order_key(&list->view, &list->options, i), i);
}

/** Takes the point of a rank from the sorted pairs. */
TSR_FN void tsr_disc_take_point(const tsr_disc_list *list, int64_t rank) {
  list->order[rank] = (uint32_t)tsr_pairs_value(&list->pairs, rank);
}

/** Distance from the nearest sample of [first, last] along an axis, squared as in the test of each
 *  sample, so that no tile is left out whose sample passes it. */
TSR_FN double tsr_disc_nearest(double centre, int64_t first, int64_t last) {
  const double low = (double)first + 0.5, high = (double)last + 0.5;
  const double d = centre < low ? low - centre : centre > high ? high - centre : 0.0;
  return d * d;
}

/** The tiles [range[0], range[1]) of a row of tiles of x times y samples that the disc touches.
 *  box: of its fate, not empty. */
TSR_FN void tsr_disc_tiles(const tsr_disc *disc, const int32_t box[4], int64_t row, int x, int y,
                           int64_t range[2]) {
  const double dy = tsr_disc_nearest(disc->y, row * y, (row + 1) * y - 1);
  range[0] = box[0] / x;
  range[1] = box[1] / x + 1;
  for (; range[0] < range[1]; ++range[0])
    if (tsr_disc_covers(tsr_disc_nearest(disc->x, range[0] * x, (range[0] + 1) * x - 1), dy,
                        disc->square))
      break;
  for (; range[0] < range[1]; --range[1])
    if (tsr_disc_covers(tsr_disc_nearest(disc->x, (range[1] - 1) * x, range[1] * x - 1), dy,
                        disc->square))
      break;
}

#endif
