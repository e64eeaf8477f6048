// SPDX-License-Identifier: BSD-3-Clause
// Points of a whole plan, numbered as filters/grid/output/points.c says: bits of input points and,
// with levels below the input cells, pages of bits for the input cells that have points between
// them; where the points are, and their values.
#include "cuda/grid/output/fill.cuh"
#include "cuda/grid/output/values/values.cuh"
#include "cuda/grid/refine/refine.cuh"

#include "grid/cut_math.h"
#include "grid/output/part_math.h"

namespace {

const int block = 128;

struct mark_args {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  const uint32_t *has; // NULL: no leaf is cut
  int64_t n;
  tsr_grid_points points;
  int pages; // 1: the points between input points
};

struct place_args {
  const tsr_grid_frame *frame;
  tsr_grid_points points;
  int64_t *page_cell; // the bit of each page's cell
  uint64_t *places;
};

__device__ void set_bit(const tsr_bits &bits, int64_t n) {
  uint64_t *const word = bits.word + (n >> 6);
  const uint64_t bit = (uint64_t)1 << (n & 63);
  if (!(*(volatile uint64_t *)word & bit))
    atomicOr((unsigned long long *)word, (unsigned long long)bit);
}

// All points that are marked are of the box of the owned cells.
__device__ void mark(const mark_args &args, const int64_t x[3]) {
  const tsr_grid_points &p = args.points;
  int64_t within;
  const int64_t bit = tsr_place_bit(&args.frame->lattice, &p, x, &within);
  if (args.pages && within > 0)
    set_bit(p.page, tsr_bits_rank(&p.has_page, bit) * p.page_bits + within);
  else if (!args.pages)
    set_bit(within > 0 ? p.has_page : p.at_input, bit);
}

__global__ void __launch_bounds__(block) mark_kernel(mark_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_grid_frame &f = *args.frame;
  int64_t i[3], range[3][2], x[3];
  if (n >= args.n)
    return;
  const int level = args.nodes[n].level;
  tsr_node_inner(&f.lattice, &args.nodes[n], i);
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(&f.lattice, a, level, i[a], range[a]);
  for (int k = 0; k < 1 << f.lattice.dimension; ++k) {
    for (int a = 0; a < 3; ++a)
      x[a] = range[a][(k >> a) & 1];
    mark(args, x);
  }
  const uint32_t has = args.has ? args.has[n] & ~TSR_CUT_CORNERS : 0u;
  const int64_t half = (int64_t)1 << (f.lattice.levels - level) >> 1;
  for (uint32_t left = has; left; left &= left - 1) {
    const int place = __ffs((int)left) - 1, u[3] = {place % 3, place / 3 % 3, place / 9};
    for (int a = 0; a < 3; ++a)
      x[a] = u[a] == 0 || a >= f.lattice.dimension ? range[a][0]
             : u[a] == 1                           ? range[a][0] + half
                                                   : range[a][1];
    mark(args, x);
  }
}

// The input point, or lowest point of a cell, of a bit.
__device__ void place_of(const place_args &args, int64_t bit, int64_t x[3]) {
  const tsr_lattice &lattice = args.frame->lattice;
  x[1] = x[2] = 0;
  for (int a = 0; a < lattice.dimension; ++a) {
    x[a] = (args.points.first[a] + bit % args.points.size[a]) << (lattice.levels - lattice.coarsen);
    bit /= args.points.size[a];
  }
}

// A thread has a word of bits: of input points and, unless page_cell is NULL, of cells with pages.
__global__ void __launch_bounds__(block) input_kernel(place_args args) {
  const int64_t w = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_grid_points &p = args.points;
  int64_t x[3];
  if (w >= p.at_input.words)
    return;
  int64_t at = p.at_input.before[w];
  for (uint64_t left = p.at_input.word[w]; left; left &= left - 1) {
    place_of(args, 64 * w + __ffsll((long long)left) - 1, x);
    args.places[at++] = tsr_place_pack(x);
  }
  if (!args.page_cell)
    return;
  int64_t page = p.has_page.before[w];
  for (uint64_t left = p.has_page.word[w]; left; left &= left - 1)
    args.page_cell[page++] = 64 * w + __ffsll((long long)left) - 1;
}

// A thread has a word of the pages.
__global__ void __launch_bounds__(block) page_kernel(place_args args) {
  const int64_t w = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_grid_points &p = args.points;
  const tsr_lattice &lattice = args.frame->lattice;
  const int deep = lattice.levels - lattice.coarsen;
  int64_t x[3];
  if (w >= p.page.words)
    return;
  int64_t at = p.n_input + p.page.before[w];
  for (int k = 0; k < 64; ++k) {
    if (!((p.page.word[w] >> k) & 1))
      continue;
    const int64_t bit = 64 * w + k;
    int64_t within = bit & (p.page_bits - 1);
    place_of(args, args.page_cell[bit / p.page_bits], x);
    for (int a = 0; a < lattice.dimension; ++a) {
      x[a] += within & (((int64_t)1 << deep) - 1);
      within >>= deep;
    }
    args.places[at++] = tsr_place_pack(x);
  }
}

// ---- places and values

__global__ void __launch_bounds__(block)
    position_kernel(const tsr_grid_frame *frame, tsr_space space, const uint64_t *places, int64_t n,
                    void *to, tsr_type type) {
  const int64_t id = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t x[3];
  double position[3];
  if (id >= n)
    return;
  tsr_place_unpack(places[id], x);
  tsr_lattice_position(&frame->lattice, &space, x, position);
  tsr_store((char *)to + (size_t)(3 * id) * tsr_value_bytes(type), type, 1, position, 3);
}

// The points of a slab's share.
__global__ void __launch_bounds__(block)
    value_kernel(const tsr_grid_frame *frame, tsr_array array, const uint64_t *places, int64_t n,
                 tsr_share of, void *to, double *values) {
  const int64_t id = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_lattice &lattice = frame->lattice;
  const int components = array.components;
  const size_t size = tsr_value_bytes(array.type);
  int64_t x[3];
  tsr_corners corners;
  if (id >= n)
    return;
  tsr_place_unpack(places[id], x);
  if (!tsr_shares_point(*frame, of, x))
    return;
  tsr_lattice_corners(&lattice, x, &corners);
  char *const mine = (char *)to + (size_t)(id * components) * size;
  const char *const from = (const char *)array.data + (size_t)(corners.at[0] * components) * size;
  for (int c = 0; c < components; ++c) {
    const double value = tsr_corners_value(&corners, &array, c);
    if (values)
      values[id * components + c] = value;
    if (to && corners.n > 1)
      tsr_store(mine + (size_t)c * size, array.type, 1, &value, 1);
  }
  for (size_t k = 0; to && corners.n == 1 && k < size * (size_t)components; ++k)
    mine[k] = from[k];
}

tsr_status make_bits(tsr_grid_device *grid, int64_t n, tsr_bits *bits, tsr_error *error) {
  bits->words = n / 64 + 1;
  TSR_STEP(grid->memory.get(&bits->word, bits->words, "the points", error));
  TSR_STEP(grid->memory.get(&bits->before, bits->words + 1, "the points", error));
  TSR_CUDA(cudaMemsetAsync(bits->word, 0, (size_t)bits->words * sizeof *bits->word, grid->stream),
           "clearing the points");
  return TSR_OK;
}

tsr_status run_marks(tsr_grid_device *grid, const tsr_leaf_list &leaves, const tsr_cut_list &cuts,
                     const tsr_grid_points &p, int pages, tsr_error *error) {
  const mark_args args = {grid->frame_d, leaves.nodes, cuts.has, leaves.n, p, pages};
  if (leaves.n > 0)
    mark_kernel<<<tsr_blocks(leaves.n, block), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "marking the points");
  return TSR_OK;
}

// Marks and counts the points between input points; *cells: input cells that have such points.
tsr_status make_pages(tsr_grid_device *grid, const tsr_leaf_list &leaves, const tsr_cut_list &cuts,
                      tsr_grid_points *p, int64_t *cells, tsr_error *error) {
  int64_t between;
  TSR_STEP(tsr_grid_count_bits(grid, p->has_page, cells, error));
  p->page_bits = tsr_cell_parts(&grid->frame.lattice);
  if (*cells > tsr_whole_most * 64 / p->page_bits)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA cannot be used for %lld refined input cells with %lld possible "
                           "points each: take Backend CPU",
                           (long long)*cells, (long long)p->page_bits);
  TSR_STEP(make_bits(grid, *cells * p->page_bits, &p->page, error));
  TSR_STEP(run_marks(grid, leaves, cuts, *p, 1, error));
  TSR_STEP(tsr_grid_count_bits(grid, p->page, &between, error));
  p->n += between;
  return TSR_OK;
}

tsr_status list_places(tsr_grid_device *grid, const tsr_point_list &points, bool deep,
                       int64_t cells, tsr_error *error) {
  place_args args = {grid->frame_d, points.bits, nullptr, points.places};
  if (deep)
    TSR_STEP(grid->memory.get(&args.page_cell, cells, "the points", error));
  input_kernel<<<tsr_blocks(points.bits.at_input.words, block), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "listing the points");
  if (deep)
    page_kernel<<<tsr_blocks(points.bits.page.words, block), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "listing the points");
  grid->memory.free_one(args.page_cell);
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_number_points(tsr_grid_device *grid, const tsr_leaf_list &leaves,
                                  const tsr_cut_list &cuts, tsr_point_list *points,
                                  tsr_error *error) {
  tsr_grid_points &p = points->bits;
  const tsr_lattice &lattice = grid->frame.lattice;
  const bool deep = tsr_is_deep(lattice);
  int64_t n = 1, cells = 0;
  p = {};
  for (int a = 0; a < lattice.dimension; ++a) {
    int64_t range[2];
    tsr_level_range(&lattice, a, lattice.coarsen, lattice.owned[a], range);
    p.first[a] = range[0];
    p.size[a] = range[1] - range[0] + 1;
    n *= p.size[a];
  }
  TSR_STEP(make_bits(grid, n, &p.at_input, error));
  if (deep)
    TSR_STEP(make_bits(grid, n, &p.has_page, error));
  TSR_STEP(run_marks(grid, leaves, cuts, p, 0, error));
  TSR_STEP(tsr_grid_count_bits(grid, p.at_input, &p.n_input, error));
  p.n = p.n_input;
  if (deep)
    TSR_STEP(make_pages(grid, leaves, cuts, &p, &cells, error));
  points->n = p.n;
  TSR_STEP(grid->memory.get(&points->places, points->n, "the points", error));
  return list_places(grid, *points, deep, cells, error);
}

tsr_status tsr_grid_place_listed(tsr_grid_device *grid, const tsr_point_list &points,
                                 const tsr_space &space, void *to, tsr_type type,
                                 tsr_error *error) {
  position_kernel<<<tsr_blocks(points.n, block), block, 0, grid->stream>>>(
      grid->frame_d, space, points.places, points.n, to, type);
  TSR_CUDA(cudaGetLastError(), "placing the points");
  return TSR_OK;
}

tsr_status tsr_grid_point_values(tsr_grid_device *grid, const tsr_point_list &points,
                                 const tsr_array &array, const tsr_share &of, void *to,
                                 double *values, tsr_error *error) {
  if (points.n > 0)
    value_kernel<<<tsr_blocks(points.n, block), block, 0, grid->stream>>>(
        grid->frame_d, array, points.places, points.n, of, to, values);
  TSR_CUDA(cudaGetLastError(), "taking the points' values");
  return TSR_OK;
}
