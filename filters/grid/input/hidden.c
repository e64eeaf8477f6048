/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the input cells that are never put out. */
#include "grid/input.h"

#include <stdlib.h>
#include <string.h>

typedef struct tsr_hiding {
  tsr_grid_input *input;
  int64_t owned[3][2];        /* input cells */
  _Atomic int64_t n, n_owned; /* hidden ones */
} tsr_hiding;

/* Hides the cells of a row that a row of points touches. */
static void hide_by_points(uint8_t *row, int64_t n, const uint8_t *points) {
  for (int64_t x = 0; x < n; ++x)
    row[x] |= (uint8_t)((points[x] | points[x + 1]) != 0);
}

/* Rows of held cells. */
static void hide_task(void *data, int64_t begin, int64_t end) {
  tsr_hiding *it = data;
  const tsr_grid_input *input = it->input;
  const tsr_lattice *lattice = &input->lattice;
  const int64_t(*held)[2] = (const int64_t(*)[2])lattice->held;
  const int64_t n = held[0][1] - held[0][0], ny = held[1][1] - held[1][0];
  int64_t all = 0, all_owned = 0;
  for (int64_t r = begin; r < end; ++r) {
    const int64_t c[3] = {held[0][0], held[1][0] + r % ny, held[2][0] + r / ny};
    const int is_owned = c[1] >= it->owned[1][0] && c[1] < it->owned[1][1] &&
                         c[2] >= it->owned[2][0] && c[2] < it->owned[2][1];
    uint8_t *row = input->hidden + tsr_cell_at(lattice, c);
    for (int64_t x = 0; x < n; ++x)
      row[x] = input->view.hidden_cells ? input->view.hidden_cells[r * n + x] != 0 : 0;
    if (input->view.hidden_points)
      for (int k = 0; k < 1 << (lattice->dimension - 1); ++k) {
        const int64_t p[3] = {c[0], c[1] + (k & 1), c[2] + (k >> 1)};
        hide_by_points(row, n, input->view.hidden_points + tsr_point_at(lattice, p));
      }
    for (int64_t x = 0; x < n; ++x)
      all += row[x];
    for (int64_t x = it->owned[0][0] - held[0][0]; x < it->owned[0][1] - held[0][0] && is_owned;
         ++x)
      all_owned += row[x];
  }
  atomic_fetch_add(&it->n, all);
  atomic_fetch_add(&it->n_owned, all_owned);
}

/* The CPU looks at all flags. */
static tsr_status refuse_on_device(const tsr_grid_input *input, const uint8_t *flags,
                                   tsr_error *error) {
  int on_device;
  const tsr_status status = tsr_lies_on_device(&input->execution, flags, &on_device, error);
  if (status == TSR_OK && on_device)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the flags of hidden cells and points lie on a device, but the CPU reads them: "
                    "copy them to the host");
  return status;
}

tsr_status tsr_grid_set_hidden(tsr_grid_input *input, tsr_error *error) {
  const tsr_lattice *lattice = &input->lattice;
  tsr_hiding it = {.input = input};
  tsr_status status;
  int64_t n = 1;
  if (!input->view.hidden_cells && !input->view.hidden_points)
    return TSR_OK;
  status = refuse_on_device(input, input->view.hidden_cells, error);
  if (status == TSR_OK)
    status = refuse_on_device(input, input->view.hidden_points, error);
  if (status != TSR_OK)
    return status;
  for (int a = 0; a < 3; ++a) {
    tsr_level_range(lattice, a, lattice->coarsen, lattice->owned[a], it.owned[a]);
    n *= lattice->held[a][1] - lattice->held[a][0];
  }
  input->hidden = tsr_alloc(n, 1, "the hidden cells", error);
  if (!input->hidden)
    return TSR_NO_MEMORY;
  n = n > 0 ? n / (lattice->held[0][1] - lattice->held[0][0]) : 0;
  status = tsr_run_task(&input->execution, hide_task, &it, n, 256, 0.0, 0.0);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the hidden cells were found");
  input->n_hidden = atomic_load(&it.n_owned);
  if (atomic_load(&it.n) == 0) {
    free(input->hidden);
    input->hidden = NULL;
  }
  return TSR_OK;
}
