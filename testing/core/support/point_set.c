/* SPDX-License-Identifier: BSD-3-Clause */
#include "point_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t point_set_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (*state >> 33) ^ *state;
}

point_set point_set_make(int64_t n, uint64_t seed) {
  point_set set = {n,        malloc((size_t)(3 * n + 1) * sizeof(double)), NULL, NULL, TSR_INT64,
                   TSR_INT64};
  for (int64_t i = 0; i < 3 * n; i++) {
    set.points[i] = (double)(point_set_random(&seed) % 1000003) / 1000003.0;
  }
  return set;
}

void *point_set_values(int64_t n, tsr_type type) {
  return calloc((size_t)n + 1, tsr_type_size(type));
}

void point_set_put(void *values, tsr_type type, int64_t i, int64_t v) {
  switch (type) {
  case TSR_INT8:
    ((int8_t *)values)[i] = (int8_t)v;
    break;
  case TSR_UINT8:
    ((uint8_t *)values)[i] = (uint8_t)v;
    break;
  case TSR_INT16:
    ((int16_t *)values)[i] = (int16_t)v;
    break;
  case TSR_UINT16:
    ((uint16_t *)values)[i] = (uint16_t)v;
    break;
  case TSR_INT32:
    ((int32_t *)values)[i] = (int32_t)v;
    break;
  case TSR_UINT32:
    ((uint32_t *)values)[i] = (uint32_t)v;
    break;
  case TSR_INT64:
    ((int64_t *)values)[i] = v;
    break;
  case TSR_UINT64:
    ((uint64_t *)values)[i] = (uint64_t)v;
    break;
  case TSR_FLOAT:
    ((float *)values)[i] = (float)v;
    break;
  case TSR_DOUBLE:
    ((double *)values)[i] = (double)v;
    break;
  }
}

void point_set_free(point_set *set) {
  free(set->points);
  free(set->group);
  free(set->order);
  memset(set, 0, sizeof *set);
}

tsr_ordering_view point_set_view(const point_set *set) {
  tsr_ordering_view view;
  tsr_ordering_view_init(&view);
  view.points = (tsr_array){set->points, TSR_DOUBLE, 3, set->n};
  if (set->group) {
    view.group = (tsr_array){set->group, set->group_type, 1, set->n};
  }
  if (set->order) {
    view.order = (tsr_array){set->order, set->order_type, 1, set->n};
  }
  return view;
}

/* Compares two values of one type in that type. */
static int compare_values(const void *values, tsr_type type, int64_t i, int64_t j) {
#define COMPARE(T)                                                                                 \
  (((const T *)values)[i] > ((const T *)values)[j]) -                                              \
      (((const T *)values)[i] < ((const T *)values)[j])
  if (!values) {
    return 0;
  }
  switch (type) {
  case TSR_INT8:
    return COMPARE(int8_t);
  case TSR_UINT8:
    return COMPARE(uint8_t);
  case TSR_INT16:
    return COMPARE(int16_t);
  case TSR_UINT16:
    return COMPARE(uint16_t);
  case TSR_INT32:
    return COMPARE(int32_t);
  case TSR_UINT32:
    return COMPARE(uint32_t);
  case TSR_INT64:
    return COMPARE(int64_t);
  case TSR_UINT64:
    return COMPARE(uint64_t);
  default:
    break;
  }
  const double a =
      type == TSR_FLOAT ? (double)((const float *)values)[i] : ((const double *)values)[i];
  const double b =
      type == TSR_FLOAT ? (double)((const float *)values)[j] : ((const double *)values)[j];
  if (isnan(a) || isnan(b)) {
    return (isnan(a) != 0) - (isnan(b) != 0);
  }
  return (a > b) - (a < b);
#undef COMPARE
}

static const point_set *sorting; /* qsort has no argument for it */

static int compare_points(const void *a, const void *b) {
  const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
  const int group = compare_values(sorting->group, sorting->group_type, i, j);
  const int order = compare_values(sorting->order, sorting->order_type, i, j);
  return group ? group : order ? order : (i > j) - (i < j);
}

static double between(const point_set *set, int64_t i, int64_t j) {
  double square = 0.0;
  for (int c = 0; c < 3; c++) {
    const double d = set->points[3 * j + c] - set->points[3 * i + c];
    square += d * d;
  }
  return sqrt(square);
}

static int gap_is_larger(const point_set *set, int64_t i, int64_t j, double limit) {
  if (!set->order) {
    return (double)(j - i) > limit;
  }
  switch (set->order_type) {
  case TSR_FLOAT:
    return (double)((const float *)set->order)[j] - (double)((const float *)set->order)[i] > limit;
  case TSR_DOUBLE:
    return ((const double *)set->order)[j] - ((const double *)set->order)[i] > limit;
  case TSR_INT64:
    return (long double)((const int64_t *)set->order)[j] -
               (long double)((const int64_t *)set->order)[i] >
           (long double)limit;
  case TSR_INT32:
    return (double)((const int32_t *)set->order)[j] - (double)((const int32_t *)set->order)[i] >
           limit;
  default:
    abort(); /* no test asks for it */
  }
}

/* Removes the curve that begins at `start` where it is a single that goes, else counts it. */
static void end_curve(point_curves *c, int64_t start, const tsr_ordering_options *options) {
  if (c->points - start == 1 && options->singles == TSR_SINGLES_DROP) {
    c->points = start;
    c->singles++;
  } else if (c->points > start) {
    c->start[c->curves++] = start;
  }
}

point_curves point_set_reference(const point_set *set, const tsr_ordering_options *options) {
  const size_t room = (size_t)set->n + 1;
  int64_t *sorted = malloc(room * sizeof *sorted), start = 0, kept = -1;
  point_curves c = {0, 0, malloc(room * sizeof *c.ids), malloc((room + 1) * sizeof *c.start), 0,
                    0, 0};
  for (int64_t i = 0; i < set->n; i++) {
    sorted[i] = i;
  }
  sorting = set;
  qsort(sorted, (size_t)set->n, sizeof *sorted, compare_points);
  for (int64_t k = 0; k < set->n; k++) {
    const int64_t i = sorted[k];
    const int first = k == 0 || compare_values(set->group, set->group_type, sorted[k - 1], i) != 0;
    if (!first && options->drop_repeats && between(set, kept, i) <= options->tolerance) {
      c.repeats++;
      continue;
    }
    const int cut =
        !first && ((options->use_gap && gap_is_larger(set, kept, i, options->max_gap)) ||
                   (options->use_distance && between(set, kept, i) > options->max_distance));
    if (first || cut) {
      end_curve(&c, start, options);
      start = c.points;
    }
    c.cuts += cut;
    c.ids[c.points++] = i;
    kept = i;
  }
  end_curve(&c, start, options);
  c.start[c.curves] = c.points;
  free(sorted);
  return c;
}

void point_curves_free(point_curves *curves) {
  free(curves->ids);
  free(curves->start);
}
