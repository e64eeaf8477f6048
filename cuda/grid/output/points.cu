// SPDX-License-Identifier: BSD-3-Clause
// The points of a whole plan: leaves set the bits of their corners in rows of words; a warp counts
// along a row; and what comes before each row follows from one sum over the rows.
#include "cuda/grid/output/lists.cuh"

#include "cuda/common/scan.cuh"

namespace {

const int block = 128;

struct input_points_job {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  const uint32_t *has; // NULL: no leaf is cut
  int64_t n;
  tsr_ranks ranks;
  uint64_t *places;
};

__device__ void mark(const input_points_job &job, const int64_t p[3]) {
  uint32_t *word = &job.ranks.words[tsr_rank_word_of(&job.ranks, p)].bits;
  const uint32_t bit = tsr_rank_bit_of(&job.ranks, p);
  if (!(*(volatile uint32_t *)word & bit))
    atomicOr(word, bit);
}

__global__ void __launch_bounds__(block) mark_kernel(input_points_job job) {
  const tsr_lattice &lattice = job.frame->lattice;
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t i[3], first[3], last[3];
  if (n >= job.n)
    return;
  const tsr_grid_node node = job.nodes[n];
  tsr_leaf_index(lattice, node, i);
  tsr_node_points(&lattice, node.level, i, first, last);
  for (int k = 0; k < 1 << lattice.dimension; ++k) {
    const int64_t p[3] = {k & 1 ? last[0] : first[0], k & 2 ? last[1] : first[1],
                          k & 4 ? last[2] : first[2]};
    mark(job, p);
  }
  const uint32_t has = job.has ? job.has[n] & ~TSR_CUT_CORNERS : 0u;
  const int64_t half = (int64_t)1 << (lattice.coarsen - node.level) >> 1;
  for (uint32_t left = has; left; left &= left - 1) {
    const int place = __ffs((int)left) - 1, u[3] = {place % 3, place / 3 % 3, place / 9};
    int64_t p[3];
    for (int a = 0; a < 3; ++a)
      p[a] = u[a] == 0 || a >= lattice.dimension ? first[a] : u[a] == 1 ? first[a] + half : last[a];
    mark(job, p);
  }
}

const int rows_at_once = 4; // of a warp: their loads need not wait for each other

// The bits that a lane has of the first 32 words of a row; 0 where there are none.
__device__ __forceinline__ uint32_t first_bits(const tsr_ranks &ranks, int64_t row, int lane) {
  return row < ranks.rows && lane < ranks.row_words ? ranks.words[row * ranks.row_words + lane].bits
                                                    : 0u;
}

// Counts along a row, of whose first 32 words the lanes have the bits.
__device__ __forceinline__ void count_row(const tsr_ranks &ranks, int64_t row, uint32_t bits,
                                          int lane) {
  uint32_t before = 0;
  for (int64_t first = 0; first < ranks.row_words; first += 32) {
    tsr_rank_word *word = &ranks.words[row * ranks.row_words + first + lane];
    if (first > 0)
      bits = first + lane < ranks.row_words ? word->bits : 0u;
    const uint32_t count = (uint32_t)__popc(bits);
    uint32_t sum = count;
    if (!__any_sync(0xffffffffu, count > 0)) // as in nearly all rows
      continue;
    for (int step = 1; step < 32; step *= 2) {
      const uint32_t other = __shfl_up_sync(0xffffffffu, sum, step);
      sum += lane >= step ? other : 0u;
    }
    if (count > 0) // nobody asks for the others, which are nearly all
      word->before = before + sum - count;
    before += __shfl_sync(0xffffffffu, sum, 31);
  }
  if (lane == 0)
    ranks.first[row] = before;
}

__global__ void __launch_bounds__(block) rank_kernel(tsr_ranks ranks) {
  const int64_t row = ((int64_t)blockIdx.x * block + threadIdx.x) / 32 * rows_at_once;
  const int lane = threadIdx.x % 32;
  uint32_t bits[rows_at_once];
#pragma unroll
  for (int r = 0; r < rows_at_once; ++r)
    bits[r] = first_bits(ranks, row + r, lane);
#pragma unroll
  for (int r = 0; r < rows_at_once; ++r)
    if (row + r < ranks.rows)
      count_row(ranks, row + r, bits[r], lane);
}

// The places of a lane's word.
__device__ __forceinline__ void place_word(const input_points_job &job, int64_t row, int64_t at,
                                           int64_t first, uint32_t bits) {
  const tsr_ranks &ranks = job.ranks;
  if (bits == 0)
    return;
  int64_t p[3] = {0, ranks.begin[1] + row % ranks.size[1], ranks.begin[2] + row / ranks.size[1]};
  uint64_t *to = job.places + first + ranks.words[row * ranks.row_words + at].before;
  for (uint32_t left = bits; left; left &= left - 1) {
    p[0] = ranks.begin[0] + at * 32 + __ffs((int)left) - 1;
    *to++ = tsr_place_pack(p);
  }
}

// Lists the place of each input point. A warp handles a few rows, most of which have no points.
__global__ void __launch_bounds__(block) place_kernel(input_points_job job) {
  const tsr_ranks &ranks = job.ranks;
  const int64_t row = ((int64_t)blockIdx.x * block + threadIdx.x) / 32 * rows_at_once;
  const int lane = threadIdx.x % 32;
  const int64_t mine =
      lane <= rows_at_once && row + lane <= ranks.rows ? ranks.first[row + lane] : 0;
  uint32_t bits[rows_at_once];
  int64_t first[rows_at_once];
#pragma unroll
  for (int r = 0; r < rows_at_once; ++r) {
    first[r] = __shfl_sync(0xffffffffu, mine, r);
    const int has = row + r < ranks.rows && first[r] < __shfl_sync(0xffffffffu, mine, r + 1);
    bits[r] = has ? first_bits(ranks, row + r, lane) : 0u;
    first[r] = has ? first[r] : -1;
  }
#pragma unroll
  for (int r = 0; r < rows_at_once; ++r) {
    place_word(job, row + r, lane, first[r], bits[r]);
    for (int64_t at = lane + 32; first[r] >= 0 && at < ranks.row_words; at += 32)
      place_word(job, row + r, at, first[r], ranks.words[(row + r) * ranks.row_words + at].bits);
  }
}

} // namespace

tsr_status tsr_grid_number_points(tsr_grid_device *grid, const tsr_grid_leaves &leaves,
                                  const tsr_grid_cuts &cuts, tsr_grid_point_list *points,
                                  tsr_error *error) {
  tsr_ranks &ranks = points->ranks;
  tsr_ranks_set(&grid->frame.lattice, &ranks);
  const int64_t words = ranks.rows * ranks.row_words;
  TSR_STEP(grid->memory.get(&ranks.words, words, "the points", error));
  TSR_STEP(grid->memory.get(&ranks.first, ranks.rows + 1, "the points", error));
  TSR_CUDA(cudaMemsetAsync(ranks.words, 0, (size_t)words * sizeof *ranks.words, grid->stream),
           "clearing the points");
  input_points_job job = {grid->frame_d, leaves.nodes, cuts.has, leaves.n, ranks, nullptr};
  if (leaves.n > 0)
    mark_kernel<<<tsr_blocks(leaves.n, block), block, 0, grid->stream>>>(job);
  TSR_CUDA(cudaGetLastError(), "marking the points");
  rank_kernel<<<tsr_blocks(ranks.rows * 32, block * rows_at_once), block, 0, grid->stream>>>(ranks);
  TSR_CUDA(cudaGetLastError(), "counting the points");
  TSR_STEP(tsr_scan_counts(ranks.first, ranks.rows, &grid->memory, grid->stream, error));
  TSR_CUDA(cudaMemcpyAsync(grid->waves->totals, ranks.first + ranks.rows, sizeof *ranks.first,
                           cudaMemcpyDeviceToHost, grid->stream),
           "counting the points");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "counting the points");
  points->n = (int64_t)grid->waves->totals[0];
  TSR_STEP(grid->memory.get(&points->places, points->n, "the points", error));
  job.places = points->places;
  place_kernel<<<tsr_blocks(ranks.rows * 32, block * rows_at_once), block, 0, grid->stream>>>(job);
  TSR_CUDA(cudaGetLastError(), "listing the points");
  return TSR_OK;
}
