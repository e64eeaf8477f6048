/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: what all discs have in common, made once. */
#include "discs/plan.h"

#include <string.h>

/* exp(-x), 0 <= x <= 100, from + - * / alone, so that every compiler's is the same: Taylor's
 * polynomial of x / 1024, squared ten times. */
static double falling(double x) {
  const double t = x / 1024.0;
  double sum = 1.0, term = 1.0;
  for (int k = 1; k <= 12; ++k) {
    term *= -t / (double)k;
    sum += term;
  }
  for (int k = 0; k < 10; ++k)
    sum *= sum;
  return sum;
}

static tsr_status make_table(tsr_discs_plan *plan, tsr_error *error) {
  enum { GREYS = 256 };
  tsr_discs_options *o = &plan->options;
  if (o->table_size > 0)
    return TSR_OK;
  plan->table = tsr_alloc(3 * GREYS, sizeof *plan->table, "the table of colors", error);
  if (!plan->table)
    return TSR_NO_MEMORY;
  for (int k = 0; k < 3 * GREYS; ++k)
    plan->table[k] = (double)(k / 3) / (double)(GREYS - 1);
  o->table = plan->table;
  o->table_size = GREYS;
  return TSR_OK;
}

/* The least and greatest finite scalar, or 0 1. */
static void find_range(const tsr_array *scalars, double range[2]) {
  const double largest = 1.7976931348623157e308;
  range[0] = largest;
  range[1] = -largest;
  for (int64_t i = 0; i < scalars->tuples; ++i) {
    const double v = tsr_load(scalars, i);
    if (v >= -largest && v <= largest) {
      range[0] = v < range[0] ? v : range[0];
      range[1] = v > range[1] ? v : range[1];
    }
  }
  if (range[0] > range[1]) {
    range[0] = 0.0;
    range[1] = 1.0;
  }
}

tsr_status tsr_discs_prepare(tsr_discs_plan *plan, tsr_error *error) {
  tsr_discs_options *o = &plan->options;
  tsr_disc_rules *rules = &plan->rules;
  double width;
  if (make_table(plan, error) != TSR_OK)
    return TSR_NO_MEMORY;
  if (o->range[0] > o->range[1])
    find_range(&plan->view.scalars, o->range);
  memcpy(plan->sizes.range, o->range, sizeof o->range);
  width = o->range[1] - o->range[0];
  rules->lowest = o->range[0];
  rules->steps =
      width > 0.0 && (double)o->table_size / width <= 1e300 ? (double)o->table_size / width : 0.0;
  rules->width = o->width * o->supersampling;
  rules->height = o->height * o->supersampling;
  rules->scale = (double)o->supersampling / o->pixel_size;
  rules->radius_scale = o->radius_in_pixels ? (double)o->supersampling : rules->scale;
  for (int k = 0; k <= TSR_FALLOFF_STEPS; ++k)
    plan->falloff[k] = falling(o->sharpness * (double)k / (double)TSR_FALLOFF_STEPS);
  plan->tiles[0] = (rules->width + TSR_DISCS_TILE_X - 1) / TSR_DISCS_TILE_X;
  plan->tiles[1] = (rules->height + TSR_DISCS_TILE_Y - 1) / TSR_DISCS_TILE_Y;
  return TSR_OK;
}
