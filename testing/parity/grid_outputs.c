/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid_outputs.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[GRID_OUTPUTS] = {
    "points", "offsets", "connectivity", "levels", "source cells", "states", "leaves",
    "types",  "trees",   "roots",        "blocks", "indicator",    "hanging"};

int grid_has_states(const tsr_grid_options *options) {
  return options->output == TSR_GRID_TREES || options->output == TSR_GRID_PATCHES;
}

/** Memory for all arrays, with a byte after each. */
static void make(const tsr_grid_sizes *sizes, const grid_wanted *want, grid_filled *to) {
  const size_t index = tsr_type_size(want->index_type), cells = (size_t)sizes->cells;
  const size_t bytes[GRID_OUTPUTS] = {3 * (size_t)sizes->points * tsr_type_size(want->points_type),
                                      (cells + 1) * index,
                                      (size_t)sizes->connectivity * index,
                                      cells * sizeof(int32_t),
                                      cells * sizeof(int64_t),
                                      cells,
                                      cells * sizeof(int64_t),
                                      cells,
                                      (size_t)(sizes->trees > 0 ? sizes->trees + 1 : 0) * 8,
                                      (size_t)sizes->trees * 12,
                                      (size_t)sizes->patches * sizeof(tsr_grid_patch),
                                      cells * sizeof(double),
                                      (size_t)sizes->points};
  memset(to, 0, sizeof *to);
  for (int k = 0; k < GRID_OUTPUTS + want->n_arrays; k++) {
    const int a = k - GRID_OUTPUTS;
    to->bytes[k] =
        k < GRID_OUTPUTS
            ? bytes[k]
            : (size_t)(want->cell_data[a] || want->states ? sizes->cells : sizes->points) *
                  (size_t)want->arrays[a].components * tsr_type_size(want->arrays[a].type);
    to->data[k] = malloc(to->bytes[k] + 1);
    memset(to->data[k], 0x5a, to->bytes[k] + 1);
  }
}

tsr_status grid_fill(tsr_grid_plan *plan, const grid_wanted *want, grid_filled *to) {
  const tsr_grid_sizes *sizes = tsr_grid_plan_sizes(plan);
  tsr_grid_attribute attributes[MOST_GRID_ARRAYS];
  tsr_grid_output out;
  make(sizes, want, to);
  for (int a = 0; a < want->n_arrays; a++) {
    to->errors[a] = -1.0;
    attributes[a] = (tsr_grid_attribute){
        want->arrays[a], want->cell_data[a], to->data[GRID_OUTPUTS + a], &to->errors[a], {0}};
  }
  tsr_grid_output_init(&out);
  out.points_type = want->points_type;
  out.index_type = want->index_type;
  out.hexahedra = want->hexahedra;
  out.cell_type_of[TSR_GRID_CELL_PYRAMID] = 14; /* VTK's */
  if (!want->states) {
    out.points = to->data[0];
    out.offsets = to->data[1];
    out.connectivity = to->data[2];
  }
  out.level = to->data[3];
  out.source_cell = to->data[4];
  out.state = to->data[5];
  out.leaf = to->data[6];
  out.cell_type = want->states ? NULL : to->data[7];
  out.tree_first = to->data[8];
  out.tree_root = to->data[9];
  out.patches = to->data[10];
  out.indicator = want->indicator ? to->data[11] : NULL;
  out.hanging = want->states ? NULL : to->data[12];
  out.attributes = attributes;
  out.n_attributes = want->n_arrays;
  to->status = tsr_grid_fill(plan, &out, &to->error);
  for (int64_t k = 0; k < sizes->patches; k++) { /* what the compiler leaves between members */
    const size_t end = offsetof(tsr_grid_patch, end) + sizeof out.patches[k].end;
    memset((char *)&out.patches[k] + end, 0, offsetof(tsr_grid_patch, first) - end);
  }
  return to->status;
}

void grid_filled_free(grid_filled *filled) {
  for (int k = 0; k < GRID_OUTPUTS + MOST_GRID_ARRAYS; k++) {
    free(filled->data[k]);
  }
  memset(filled, 0, sizeof *filled);
}

static char difference[200];

const char *grid_difference(const grid_wanted *want, const grid_filled *cpu,
                            const grid_filled *cuda) {
  for (int k = 0; k < GRID_OUTPUTS + want->n_arrays; k++) {
    const char *a = cpu->data[k], *b = cuda->data[k];
    const int array = k - GRID_OUTPUTS;
    size_t at = 0;
    while (at < cpu->bytes[k] && a[at] == b[at]) {
      at++;
    }
    if (at < cpu->bytes[k]) {
      snprintf(difference, sizeof difference,
               "%s %d (type %d) differ from byte %zu of %zu on: %d, CUDA %d",
               array < 0 ? names[k] : "array", array < 0 ? 0 : array,
               array < 0 ? 0 : (int)want->arrays[array].type, at, cpu->bytes[k], a[at], b[at]);
      return difference;
    }
    if (b[cuda->bytes[k]] != 0x5a) {
      snprintf(difference, sizeof difference, "array %d is written past its end", array);
      return difference;
    }
  }
  for (int k = 0; k < want->n_arrays; k++) {
    if (!(cpu->errors[k] == cuda->errors[k])) {
      snprintf(difference, sizeof difference, "array %d: error %.17g, CUDA %.17g", k,
               cpu->errors[k], cuda->errors[k]);
      return difference;
    }
  }
  return NULL;
}
