// SPDX-License-Identifier: BSD-3-Clause
// Points of a whole plan, numbered as filters/grid/output/points.c says: bits of input points and,
// with levels below the input cells, pages of bits for the input cells that have points between
// them; where the points are, and their values.
#include "cuda/common/executor.cuh"
#include "cuda/grid/output/fill.cuh"
#include "cuda/grid/output/values/values.cuh"

namespace {

struct place_args {
  const tsr_grid_frame *frame;
  tsr_grid_points points;
  int64_t *page_cell; // the bit of each page's cell
  uint64_t *places;
};

// A thread has a word of bits: of input points and, unless page_cell is NULL, of cells with pages.
__device__ void list_inputs(int64_t w, const place_args &args) {
  const tsr_grid_points &p = args.points;
  int64_t x[3];
  int64_t at = p.at_input.before[w];
  for (uint64_t left = p.at_input.word[w]; left; left &= left - 1) {
    tsr_point_place(&args.frame->lattice, &p, 64 * w + __ffsll((long long)left) - 1, x);
    args.places[at++] = tsr_place_pack(x);
  }
  if (!args.page_cell)
    return;
  int64_t page = p.has_page.before[w];
  for (uint64_t left = p.has_page.word[w]; left; left &= left - 1)
    args.page_cell[page++] = 64 * w + __ffsll((long long)left) - 1;
}

// A thread has a word of the pages.
__device__ void list_page(int64_t w, const place_args &args) {
  const tsr_grid_points &p = args.points;
  const tsr_lattice &lattice = args.frame->lattice;
  int64_t x[3];
  int64_t at = p.n_input + p.page.before[w];
  for (int k = 0; k < 64; ++k) {
    if (!((p.page.word[w] >> k) & 1))
      continue;
    const int64_t bit = 64 * w + k;
    tsr_point_place(&lattice, &p, args.page_cell[bit / p.page_bits], x);
    tsr_point_move(&lattice, bit & (p.page_bits - 1), x);
    args.places[at++] = tsr_place_pack(x);
  }
}

// ---- places and values

__device__ void place_point(int64_t id, const tsr_grid_frame *frame, const tsr_space &space,
                            const uint64_t *places, void *to, tsr_type type) {
  int64_t x[3];
  double position[3];
  tsr_place_unpack(places[id], x);
  tsr_lattice_position(&frame->lattice, &space, x, position);
  tsr_store((char *)to + (size_t)(3 * id) * tsr_value_bytes(type), type, 1, position, 3);
}

// The points of a slab's share.
__device__ void value_point(int64_t id, const tsr_grid_frame *frame, const tsr_array &array,
                            const uint64_t *places, const tsr_share &of, void *to, double *values) {
  const tsr_lattice &lattice = frame->lattice;
  const int components = array.components;
  const size_t size = tsr_value_bytes(array.type);
  int64_t x[3];
  tsr_corners corners;
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

} // namespace

tsr_status tsr_grid_list_places(tsr_grid_device *grid, tsr_point_list *points, tsr_error *error) {
  const bool deep = points->bits.page_bits > 0;
  points->n = points->bits.n;
  TSR_STEP(grid->memory.get(&points->places, points->n, "the points", error));
  place_args args = {grid->frame_d, points->bits, nullptr, points->places};
  if (deep) // a page has a point at least
    TSR_STEP(
        grid->memory.get(&args.page_cell, points->n - points->bits.n_input, "the points", error));
  TSR_CUDA(tsr_launch_each<list_inputs>(points->bits.at_input.words, grid->stream, args),
           "listing the points");
  if (deep)
    TSR_CUDA(tsr_launch_each<list_page>(points->bits.page.words, grid->stream, args),
             "listing the points");
  grid->memory.free_one(args.page_cell);
  return TSR_OK;
}

tsr_status tsr_grid_place_listed(tsr_grid_device *grid, const tsr_point_list &points,
                                 const tsr_space &space, void *to, tsr_type type,
                                 tsr_error *error) {
  TSR_CUDA(tsr_launch_each<place_point>(points.n, grid->stream, grid->frame_d, space, points.places,
                                        to, type),
           "placing the points");
  return TSR_OK;
}

tsr_status tsr_grid_point_values(tsr_grid_device *grid, const tsr_point_list &points,
                                 const tsr_array &array, const tsr_share &of, void *to,
                                 double *values, tsr_error *error) {
  TSR_CUDA(tsr_launch_each<value_point>(points.n, grid->stream, grid->frame_d, array, points.places,
                                        of, to, values),
           "taking the points' values");
  return TSR_OK;
}
