// How far the points of all nodes of 8 cubed cells are from the interpolant, at most: an estimate
// in single precision. Every value is read about once.
//
//     lanes of a warp  |0 ... 7|8 ... 15|16 ... 23|24 ... 31|  x: four nodes
//     the column x = 8 of a node is x = 0 of the next one: they agree on the face between them
//
// A warp goes through the planes of its nodes, and through those of the nodes after them along z.
// The four warps of a block lie side by side; the last one has the column after them, too.
#ifndef TSR_GRID_CRITERIA_DENSE_CUH
#define TSR_GRID_CRITERIA_DENSE_CUH

#include "cuda/grid/criteria/corner_field.cuh"

const int tsr_dense_warps = 4, tsr_dense_layers = 4; // of a block: along x, and nodes along z
const int tsr_dense_row = 4 * tsr_dense_warps;       // nodes of a block along x
const int tsr_dense_nodes = tsr_dense_row * tsr_dense_layers;
const unsigned tsr_dense_unknown = 0xffffffffu; // larger than any number's bits

// What a block finds for its nodes, as the bits of floats. `inner` and `first` hold the largest sum
// of a difference and the part of its error bound that depends on the value. Compared as integers,
// the bits of NaN are larger than those of all other values.
struct tsr_dense_found {
  unsigned inner[tsr_dense_layers][tsr_dense_row];     // of the points without those at x = 8
  unsigned first[tsr_dense_layers][tsr_dense_row + 1]; // of the points at x = 0; the last entry: of
                                                       // the node after the block's
  float corner[tsr_dense_layers][tsr_dense_row];       // largest magnitude at a corner
};

// Arguments of tsr_dense_find.
struct tsr_dense_args {
  const float *values; // tsr_field_origin
  int64_t step[3];
  int level; // of the nodes
};

// Values at the corners of a node in a plane, interpolated along x: at the node's lower and its
// upper end along y.
struct tsr_dense_line {
  float here[2], end[2], most; // at the lane's column; at the upper end along x; largest magnitude
};

static __device__ __forceinline__ tsr_dense_line tsr_dense_corners(const float *corner,
                                                                   const int64_t step[3], float tx,
                                                                   int there) {
  tsr_dense_line to;
  to.most = 0.0f;
#pragma unroll
  for (int y = 0; y < 2; ++y) {
    const float low = there ? __ldg(corner + 8 * y * step[1]) : 0.0f;
    to.end[y] = there ? __ldg(corner + 8 * y * step[1] + 8 * step[0]) : 0.0f;
    to.here[y] = __fmaf_rn(to.end[y] - low, tx, low);
    to.most = fmaxf(to.most, fmaxf(fabsf(low), fabsf(to.end[y])));
  }
  return to;
}

static __device__ __forceinline__ unsigned tsr_dense_add(unsigned most, float value, float there) {
  const float far = __fmaf_rn(1.9073486e-6f, fabsf(value), fabsf(value - there));
  return max(most, __float_as_uint(far));
}

// Raises `most` by the differences at nine points along y in a plane of a node.
static __device__ __forceinline__ unsigned tsr_dense_plane(unsigned most, const float v[9],
                                                           const tsr_dense_line &low,
                                                           const tsr_dense_line &high, int z) {
  const float t = 0.125f * (float)z;
  const float a = __fmaf_rn(high.here[0] - low.here[0], t, low.here[0]);
  const float b = __fmaf_rn(high.here[1] - low.here[1], t, low.here[1]);
  const float slope = 0.125f * (b - a);
#pragma unroll
  for (int y = 0; y < 9; ++y)
    most = tsr_dense_add(most, v[y], __fmaf_rn(slope, (float)y, a));
  return most;
}

// Largest difference in the plane of points that follows the warp's nodes along x, with one point
// for each lane; returned in every lane.
static __device__ __forceinline__ unsigned tsr_dense_after(const tsr_dense_args &args,
                                                           const float *at,
                                                           const tsr_dense_line &low,
                                                           const tsr_dense_line &high, int there) {
  const int lane = threadIdx.x % 32;
  float a[2], b[2];
  unsigned most = 0;
#pragma unroll
  for (int y = 0; y < 2; ++y) {
    a[y] = __shfl_sync(0xffffffffu, low.end[y], 31);
    b[y] = __shfl_sync(0xffffffffu, high.end[y], 31);
  }
  if (!__shfl_sync(0xffffffffu, there, 31))
    return tsr_dense_unknown;
#pragma unroll
  for (int z = 0; z < 9; ++z) {
    const float t = 0.125f * (float)z;
    const float first = __fmaf_rn(b[0] - a[0], t, a[0]), last = __fmaf_rn(b[1] - a[1], t, a[1]);
    if (lane < 9)
      most = tsr_dense_add(most, __ldg(at + lane * args.step[1] + z * args.step[2]),
                           __fmaf_rn(0.125f * (last - first), (float)lane, first));
  }
  for (int step = 16; step > 0; step /= 2)
    most = max(most, __shfl_xor_sync(0xffffffffu, most, step));
  return most;
}

// Stores what a warp has found for its nodes of a layer.
static __device__ __forceinline__ void tsr_dense_store(tsr_dense_found *to, int layer, int there,
                                                       unsigned most, float corner) {
  const int lane = threadIdx.x % 32, node = (int)threadIdx.x / 8;
  const unsigned mine = there ? most : tsr_dense_unknown;
  unsigned inner = mine;
  for (int step = 4; step > 0; step /= 2)
    inner = max(inner, __shfl_xor_sync(0xffffffffu, inner, step));
  if (lane % 8 != 0)
    return;
  to->inner[layer][node] = inner;
  to->first[layer][node] = mine;
  to->corner[layer][node] = corner;
}

// Fills *to for the block's nodes, from node `first` on; tsr_dense_unknown for nodes that stick out
// of the grid. All threads of the block call it and must synchronize before *to is read.
static __device__ void tsr_dense_find(const tsr_grid_frame &f, const tsr_dense_args &args,
                                      const int64_t first[3], tsr_dense_found *to) {
  const int64_t(*range)[2] = f.range[args.level], *step = args.step;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t node[2] = {first[0] + 4 * warp + lane / 8, first[1]};
  const int there = node[0] < range[0][1] && 8 * (node[0] + 1) <= f.lattice.cells[0] &&
                    8 * (node[1] + 1) <= f.lattice.cells[1];
  const float tx = 0.125f * (float)(lane % 8);
  const float *corner =
      args.values + 8 * ((node[0] * step[0] + node[1] * step[1]) + first[2] * step[2]);
  float v[9];
  const auto load = [&](int z) {
#pragma unroll
    for (int y = 0; y < 9; ++y)
      v[y] = there ? __ldg(corner + (lane % 8) * step[0] + y * step[1] + z * step[2]) : 0.0f;
  };
  const int64_t left = min(range[2][1], f.lattice.cells[2] / 8) - first[2];
  const int layers = left < tsr_dense_layers ? (int)left : tsr_dense_layers;
  for (int k = threadIdx.x; k < (int)(sizeof *to / sizeof(unsigned)); k += 32 * tsr_dense_warps)
    ((unsigned *)to)[k] = tsr_dense_unknown;
  __syncthreads();
  if (layers <= 0 || !__any_sync(0xffffffffu, there))
    return;
  tsr_dense_line low = tsr_dense_corners(corner, step, tx, there);
  load(0);
  for (int layer = 0; layer < layers; ++layer) {
    const tsr_dense_line high = tsr_dense_corners(corner + 8 * step[2], step, tx, there);
    unsigned most = tsr_dense_plane(0, v, low, high, 0);
#pragma unroll 2
    for (int z = 1; z < 9; ++z) {
      load(z);
      most = tsr_dense_plane(most, v, low, high, z);
    }
    tsr_dense_store(to, layer, there, most, fmaxf(low.most, high.most));
    if (warp == tsr_dense_warps - 1) {
      const unsigned after =
          tsr_dense_after(args, corner + 8 * (4 - lane / 8) * step[0], low, high, there);
      if (lane == 0)
        to->first[layer][tsr_dense_row] = after;
    }
    low = high;
    corner += 8 * step[2];
  }
}

// Reads the result of the block's node `number`. Returns 0 if the node does not exist. *bound: none
// of its points is further from the interpolant than this; NaN: not known. *slack: error bound of
// the differences.
static __device__ __forceinline__ int tsr_dense_node(const tsr_grid_frame &f, int level,
                                                     const int64_t first[3],
                                                     const tsr_dense_found &found, int number,
                                                     int64_t i[3], float *bound, float *slack) {
  const int64_t(*range)[2] = f.range[level];
  const int x = number % tsr_dense_row, layer = number / tsr_dense_row;
  i[0] = first[0] + x;
  i[1] = first[1];
  i[2] = first[2] + layer;
  const unsigned most = max(found.inner[layer][x], found.first[layer][x + 1]);
  const float far = __uint_as_float(most), corner = found.corner[layer][x];
  *bound = far + 1.9073486e-6f * corner;
  *slack =
      1.9073486e-6f * (2.0f * corner + far); // a value is at most the largest corner plus `far`
  return i[0] < range[0][1] && i[2] < range[2][1];
}

// The bound and slack of a node, as tsr_dense_node gives them.
struct tsr_dense_bound {
  float far, slack;
};

// Bounds of all nodes of a level, by their numbers. level: that of the nodes of 8 cubed cells.
// array: floats on the device. The bounds are made once and last as long as the plan; if the array
// stays in the cache for later plans, so do they. Defined in bounds.cu.
tsr_status tsr_dense_bounds(tsr_grid_device *grid, const tsr_array &array, int level,
                            const tsr_dense_bound **to, tsr_error *error);

// tsr_dense_first: the first node of this block. tsr_dense_blocks: the blocks for the nodes of a
// level.
static __device__ __forceinline__ void tsr_dense_first(const tsr_grid_frame &f, int level,
                                                       int64_t first[3]) {
  first[0] = f.range[level][0][0] + (int64_t)blockIdx.x * tsr_dense_row;
  first[1] = f.range[level][1][0] + blockIdx.y;
  first[2] = f.range[level][2][0] + (int64_t)blockIdx.z * tsr_dense_layers;
}

static inline dim3 tsr_dense_blocks(const tsr_grid_frame &f, int level) {
  const int64_t(*range)[2] = f.range[level];
  return dim3(tsr_blocks(range[0][1] - range[0][0], tsr_dense_row),
              (unsigned)(range[1][1] - range[1][0]),
              tsr_blocks(range[2][1] - range[2][0], tsr_dense_layers));
}

// True if a kernel launch can have that many blocks.
static inline int tsr_dense_fits(const tsr_grid_frame &f, int level) {
  const dim3 blocks = tsr_dense_blocks(f, level);
  return blocks.y < 65536 && blocks.z < 65536;
}

#endif
