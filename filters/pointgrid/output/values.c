/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: mean, least and greatest of the values in each cell. */
#include "pointgrid/output/output.h"
#include "pointgrid/output/value_math.h"

#include <stdlib.h>

/** One component of one array. */
typedef struct value_work {
  const tsr_pointgrid_sorted *sorted;
  int dimension;
  const int64_t *cell_leaf;
  const tsr_array *array; /**< of the points held */
  const tsr_pointgrid_attribute *out;
  int component;
  double *sums;    /**< of each cell */
  int64_t *counts; /**< values that count */
} value_work;

/* The values of a cell of one type, and of its children. */
#define DEFINE_VALUES(TYPE, T, NOTHING)                                                            \
  static void leaf_##T(const value_work *work, int64_t cell, const tsr_pointgrid_leaf *leaf) {     \
    const int n = work->array->components;                                                         \
    const T *values = (const T *)work->array->data + work->component;                              \
    const int64_t *order = work->sorted->order + leaf->begin;                                      \
    tsr_pointgrid_values_##T all = tsr_pointgrid_no_##T();                                         \
    for (int64_t first = 0; first < leaf->count; first += TSR_POINTGRID_CHUNK) {                   \
      const int64_t left = leaf->count - first;                                                    \
      const tsr_pointgrid_values_##T part = tsr_pointgrid_chunk_##T(                               \
          values, n, order + first, left < TSR_POINTGRID_CHUNK ? left : TSR_POINTGRID_CHUNK);      \
      tsr_pointgrid_join_##T(&all, &part);                                                         \
    }                                                                                              \
    work->sums[cell] = all.sum;                                                                    \
    work->counts[cell] = all.count;                                                                \
    if (work->out->least)                                                                          \
      ((T *)work->out->least)[cell * n + work->component] = all.least;                             \
    if (work->out->greatest)                                                                       \
      ((T *)work->out->greatest)[cell * n + work->component] = all.greatest;                       \
  }                                                                                                \
  static void join_##T(const value_work *work, int64_t cell, int64_t first, int64_t children) {    \
    const int n = work->array->components;                                                         \
    T *low = work->out->least ? (T *)work->out->least + work->component : NULL;                    \
    T *high = work->out->greatest ? (T *)work->out->greatest + work->component : NULL;             \
    double sum = 0.0;                                                                              \
    int64_t count = 0;                                                                             \
    T least = NOTHING, greatest = NOTHING;                                                         \
    for (int64_t child = first; child < first + children; ++child) {                               \
      if (work->counts[child] > 0) {                                                               \
        sum += work->sums[child];                                                                  \
        least = low && (count == 0 || low[child * n] < least) ? low[child * n] : least;            \
        greatest =                                                                                 \
            high && (count == 0 || high[child * n] > greatest) ? high[child * n] : greatest;       \
        count += work->counts[child];                                                              \
      }                                                                                            \
    }                                                                                              \
    work->sums[cell] = sum;                                                                        \
    work->counts[cell] = count;                                                                    \
    if (low)                                                                                       \
      low[cell * n] = least;                                                                       \
    if (high)                                                                                      \
      high[cell * n] = greatest;                                                                   \
  }
TSR_POINTGRID_EACH_TYPE(DEFINE_VALUES)

/** The functions of a type. */
typedef struct value_kind {
  void (*leaf)(const value_work *work, int64_t cell, const tsr_pointgrid_leaf *leaf);
  void (*join)(const value_work *work, int64_t cell, int64_t first, int64_t children);
} value_kind;

#define KIND(TYPE, T, NOTHING) [TYPE] = {leaf_##T, join_##T},

static const value_kind kinds[] = {TSR_POINTGRID_EACH_TYPE(KIND)};

static void fill_leaves(void *data, int64_t begin, int64_t end) {
  static const tsr_pointgrid_leaf nothing = {0, 0, 0, 0};
  const value_work *work = data;
  for (int64_t cell = begin; cell < end; ++cell) {
    const int64_t leaf = work->cell_leaf ? work->cell_leaf[cell] : cell;
    kinds[work->array->type].leaf(work, cell,
                                  leaf >= 0 ? &work->sorted->leaves.at[leaf] : &nothing);
  }
}

static void fill_means(const value_work *work, int64_t cells) {
  for (int64_t cell = 0; cell < cells && work->out->mean; ++cell)
    work->out->mean[cell * work->array->components + work->component] =
        tsr_pointgrid_mean(work->sums[cell], work->counts[cell]);
}

/** Cells that are split, from the last one up: their children come after them. */
static void join_cells(const value_work *work, int64_t cells) {
  for (int64_t cell = cells; work->cell_leaf && cell-- > 0;)
    if (work->cell_leaf[cell] < 0 && work->cell_leaf[cell] != INT64_MIN)
      kinds[work->array->type].join(work, cell, -1 - work->cell_leaf[cell],
                                    (int64_t)1 << work->dimension);
}

tsr_status tsr_pointgrid_fill_values(const tsr_pointgrid_input *input,
                                     const tsr_pointgrid_sorted *sorted, const int64_t *cell_leaf,
                                     int64_t cells, const tsr_pointgrid_attribute *attribute,
                                     tsr_error *error) {
  value_work work = {.sorted = sorted,
                     .dimension = input->rule.dimension,
                     .cell_leaf = cell_leaf,
                     .array = &attribute->in,
                     .out = attribute,
                     .sums = tsr_alloc(cells, sizeof *work.sums, "the sums of cells", error),
                     .counts = tsr_alloc(cells, sizeof *work.counts, "the sums of cells", error)};
  tsr_status status = work.sums && work.counts ? TSR_OK : TSR_NO_MEMORY;
  for (; status == TSR_OK && work.component < attribute->in.components; ++work.component) {
    status = tsr_pointgrid_run(input, fill_leaves, &work, cells, 2048, 0.6, 1.0, error);
    join_cells(&work, cells);
    fill_means(&work, cells);
  }
  free(work.sums);
  free(work.counts);
  return status;
}
