/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the density of a span and the steps that follow from it, by themselves so that their
 * loops become vector instructions. */
#include "curves/sampling/density.h"
#include "curves/sampling/vectors.h"

/* The cell of a table in which each integral lies. */
static inline void find_cells(const tsr_density *restrict density, const double *restrict y,
                              int *restrict cells) {
  for (int l = 0; l < TSR_STEPS; ++l)
    cells[l] = 0;
  for (int c = 1; c < density->cells; ++c)
    for (int l = 0; l < TSR_STEPS; ++l)
      cells[l] += density->before[c] <= y[l];
}

/* What is known of each cell: the integral before it and the one before the next, and its
 * densities.
 */
static inline void load_cells(const tsr_density *restrict density, const int *restrict cells,
                              double (*restrict of)[TSR_STEPS]) {
  for (int l = 0; l < TSR_STEPS; ++l) {
    const int c = cells[l];
    of[0][l] = density->before[c];
    of[1][l] = density->before[c + 1];
    of[2][l] = density->at[2 * c];
    of[3][l] = density->at[2 * c + 1];
    of[4][l] = density->at[2 * c + 2];
  }
}

static inline void find_steps(const tsr_walk *walk, double *restrict ends) {
  const tsr_density *density = walk->density;
  const int n = density->cells;
  double y[TSR_STEPS], of[5][TSR_STEPS];
  int cells[TSR_STEPS];
  for (int l = 0; l < TSR_STEPS; ++l)
    y[l] = tsr_walk_share(walk, walk->k + l) * density->total;
  find_cells(density, y, cells);
  load_cells(density, cells, of);
  for (int l = 0; l < TSR_STEPS; ++l) {
    const double at[3] = {of[2][l], of[3][l], of[4][l]};
    ends[l] = tsr_near_fixed(tsr_density_in_table(of[0][l], of[1][l], at, cells[l], n, y[l]));
  }
}

static TSR_NARROW_CODE void make_narrow(tsr_density *density, const tsr_span_case *it) {
  tsr_density_of_span(density, it);
}

static TSR_NARROW_CODE void steps_narrow(const tsr_walk *walk, double *ends) {
  find_steps(walk, ends);
}

#ifdef TSR_HAS_WIDE
static TSR_WIDE_CODE void make_wide(tsr_density *density, const tsr_span_case *it) {
  tsr_density_of_span(density, it);
}

static TSR_WIDE_CODE void steps_wide(const tsr_walk *walk, double *ends) { find_steps(walk, ends); }
#else
#define make_wide make_narrow
#define steps_wide steps_narrow
#endif

void tsr_density_make(tsr_density *density, const tsr_span_case *it) {
  if (it->criteria->wide)
    make_wide(density, it);
  else
    make_narrow(density, it);
}

void tsr_density_steps(const tsr_walk *walk, int wide, double ends[TSR_STEPS]) {
  if (walk->form == TSR_DENSITY_TABLE && walk->n - walk->k > TSR_STEPS / 2) {
    if (wide)
      steps_wide(walk, ends);
    else
      steps_narrow(walk, ends);
    return;
  }
  for (int l = 0; l < TSR_STEPS && walk->k + l < walk->n; ++l) {
    int cell = 0;
    ends[l] = tsr_near_fixed(
        tsr_density_place(walk->density, walk->form, tsr_walk_share(walk, walk->k + l), &cell));
  }
}
