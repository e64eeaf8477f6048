// SPDX-License-Identifier: BSD-3-Clause
// The table of the ways in which leaves are cut. It does not depend on the grid, so the next plan
// goes on with it, unless it is half full.
#include "cuda/grid/cut/cut.cuh"

#include "cuda/common/memory/scratch.cuh"

#include <cstddef>

namespace {

const int block = 256, blocks = 264;
const char table_tag = 0;

// The part at t, and the weights that it gives the values at places.
__device__ tsr_cut_weights weights_at(const tsr_cut_entry &entry, const double t[3]) {
  tsr_cut_weights to = {};
  double f[3], value[TSR_CUT_PLACES];
  for (int place = 0; place < TSR_CUT_PLACES; ++place)
    value[place] = 0.0;
  const int which = tsr_cut_part_at(entry.parts, entry.n, t, f);
  const tsr_cut_part &part = entry.parts[which];
  uint32_t rest = (uint32_t)which << 25;
  for (int c = 0; c < 5; ++c) // the fifth weight is what is left: nothing, of four corners
    rest |= (uint32_t)part.cell.at[c < part.cell.n ? c : 0] << (5 * c);
  for (int c = 0; c < 4 && c < part.cell.n; ++c) {
    value[part.cell.at[c]] = 1.0;
    const double w = tsr_cut_part_value(&part, f, value);
    value[part.cell.at[c]] = 0.0;
    to.word[c] = (uint32_t)(fmin(fmax(w, 0.0), 1.0) * tsr_cut_one + 0.5);
  }
  for (int c = 0; c < 4; ++c)
    to.word[c] |= (rest >> (8 * c) & 255u) << 24;
  return to;
}

// A block has a slot.
__global__ void __launch_bounds__(block) make_kernel(tsr_cut_table *table, int dimension) {
  __shared__ tsr_cut_room room;
  const double middle[3] = {0.5, 0.5, 0.5};
  const int t = (int)threadIdx.x;
  for (unsigned k = blockIdx.x; k < table->n_claimed; k += gridDim.x) {
    const unsigned slot = table->claimed[k];
    tsr_cut cut;
    cut.dimension = dimension;
    cut.has = table->keys[slot];
    __syncthreads();
    if (t < 32)
      tsr_cut_make(cut, middle, &room, t);
    __syncthreads();
    for (int w = t; w < (int)(sizeof(tsr_cut_entry) / sizeof(int)); w += block)
      ((int *)&table->entries[slot])[w] = ((const int *)&room.own)[w];
    for (int p = t; dimension == 3 && p < tsr_cut_all_points; p += block) {
      const int n = p < 27         ? 3
                    : p < 27 + 125 ? 5
                                   : 9,
                m = p - (n == 3   ? 0
                         : n == 5 ? 27
                                  : 27 + 125);
      const double at[3] = {(double)(m % n) / (double)(n - 1),
                            (double)(m / n % n) / (double)(n - 1),
                            (double)(m / n / n) / (double)(n - 1)};
      table->weights[slot][p] = weights_at(room.own, at);
    }
    if (t == 0)
      table->ready[slot] = 1u;
  }
  __syncthreads();
  if (t == 0 &&
      atomicAdd(&table->n_done, 1u) == gridDim.x - 1) // nobody looks at the number any more
    table->n_claimed = table->n_done = 0;
}

} // namespace

tsr_status tsr_cut_ways_make(tsr_grid_device *grid, tsr_cut_ways *ways, tsr_error *error) {
  bool good;
  if (ways->table)
    return TSR_OK;
  TSR_STEP(tsr_scratch_take(grid->state, grid->stream, &table_tag, sizeof *ways->table,
                            (void **)&ways->table, &good, error));
  ways->used = 0;
  if (!good)
    TSR_CUDA(cudaMemsetAsync(ways->table, 0, offsetof(tsr_cut_table, claimed), grid->stream),
             "clearing the parts of cells");
  return TSR_OK;
}

void tsr_cut_ways_give(const tsr_device_state *state, const tsr_cut_ways &ways) {
  tsr_scratch_give(state, &table_tag, ways.table, ways.used > 0 && ways.used < tsr_cut_slots / 2);
}

tsr_status tsr_cut_make_claimed(tsr_grid_device *grid, tsr_cut_table *table, tsr_error *error) {
  make_kernel<<<blocks, block, 0, grid->stream>>>(table, grid->frame.lattice.dimension);
  TSR_CUDA(cudaGetLastError(), "making the parts of cells");
  return TSR_OK;
}
