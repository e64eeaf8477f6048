// SPDX-License-Identifier: BSD-3-Clause
// One pass that reads every value once and decides three levels of nodes. A block has 128 x 16 x 16
// cells, a warp four rows of each plane, and a lane four columns. A lane goes through the planes
// and finds the smallest and largest values of its nodes of 2 cubed cells, which it decides at
// once, and of 4 cubed cells, which it stores in shared memory. There the block decides the nodes
// of 4 and 8 cubed cells.
#ifndef TSR_GRID_CRITERIA_PASS_CUH
#define TSR_GRID_CRITERIA_PASS_CUH

#include "cuda/grid/criteria/plain.cuh"

const int tsr_pass_warps = 4;   // of a block
const int tsr_pass_planes = 16; // of cells, of a block

// The nodes of 4 cubed cells of a block, by plane, row and column.
template <class T> using tsr_pass_fours = tsr_extremes<T>[4][tsr_pass_warps][32];

// Point data whose rows do not begin at multiples of 16 bytes takes more instructions: it is
// fastest with few warps, each of which loads the samples of the next plane ahead. All other data
// is as fast or faster with many warps.
template <class T, bool POINTS, bool WIDE>
constexpr bool tsr_pass_ahead = POINTS && !WIDE && sizeof(T) == 4;
template <class T, bool POINTS, bool WIDE>
constexpr int tsr_pass_blocks = sizeof(T) == 8                    ? 4
                                : tsr_pass_ahead<T, POINTS, WIDE> ? 5
                                                                  : 8;

// Extremes of a lane's nodes of 2 cubed cells, [row][column], in the planes seen so far.
template <class T> struct tsr_quad {
  tsr_extremes<T> s[2][2];
  __device__ __forceinline__ void add(const tsr_quad &q) {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      s[k / 2][k % 2].add(q.s[k / 2][k % 2]);
  }
};

// Places of a lane's samples within a plane, in bytes, which fit into 32 bits.
struct tsr_lane_rows {
  unsigned row[5];    // where each row begins
  unsigned column[4]; // in a row; WIDE: only the first is set, and samples after the last are
                      // replaced later
  unsigned next;      // of the sample that follows the warp's row
  int x, last;        // the lane's first sample, and the last one that belongs to the grid
};

// A lane's samples in a plane: rows of four, and the sample that follows each of the warp's rows.
template <class T, int N> struct tsr_samples { T v[N][4], next[N]; };

template <class T> __device__ __forceinline__ T tsr_load_at(const T *plane, unsigned place) {
  return __ldg((const T *)((const char *)plane + place));
}

// Loads four values of a row. WIDE: rows begin at multiples of 16 bytes.
template <class T, bool WIDE>
__device__ __forceinline__ void tsr_load4(const T *plane, unsigned row, const unsigned column[4],
                                          T v[4]) {
  if (WIDE && sizeof(T) == 4) {
    const float4 w = tsr_load_at((const float4 *)plane, row + column[0]);
    v[0] = (T)w.x, v[1] = (T)w.y, v[2] = (T)w.z, v[3] = (T)w.w;
  } else if (WIDE) {
    const double2 a = tsr_load_at((const double2 *)plane, row + column[0]),
                  b = tsr_load_at((const double2 *)plane, row + column[2]);
    v[0] = (T)a.x, v[1] = (T)a.y, v[2] = (T)b.x, v[3] = (T)b.y;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      v[k] = tsr_load_at(plane, row + column[k]);
  }
}

// Loads a lane's samples of a plane, without branches, so that all loads overlap.
template <class T, bool POINTS, bool WIDE>
__device__ __forceinline__ tsr_samples<T, 4 + POINTS> tsr_load_plane(const T *plane,
                                                                     const tsr_lane_rows &at) {
  tsr_samples<T, 4 + POINTS> out;
#pragma unroll
  for (int k = 0; k < 4 + POINTS; ++k) {
    tsr_load4<T, WIDE>(plane, at.row[k], at.column, out.v[k]);
    if (POINTS)
      out.next[k] = tsr_load_at(plane, at.row[k] + at.next);
  }
  return out;
}

// Replaces samples after the last one of a row by the last one, in blocks that have such samples.
template <class T, int N>
__device__ __forceinline__ void tsr_mend_plane(const tsr_lane_rows &at, tsr_samples<T, N> *in) {
#pragma unroll
  for (int r = 0; r < N; ++r) {
    const T *v = in->v[r];
    const T last = at.last & 2 ? at.last & 1 ? v[3] : v[2] : at.last & 1 ? v[1] : v[0];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      in->v[r][k] = at.x + k > at.last ? last : v[k];
  }
}

// Extremes of two rows of nodes from four rows of cells.
template <class T, bool POINTS>
__device__ __forceinline__ tsr_quad<T> tsr_quad_of(const tsr_samples<T, 4 + POINTS> &in) {
  tsr_quad<T> out;
#pragma unroll
  for (int k = 0; k < 4 + POINTS; ++k) {
    tsr_extremes<T> pair[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      pair[h].one(in.v[k][2 * h]);
      pair[h].add(in.v[k][2 * h + 1]);
    }
    if (POINTS) {
      const T next = __shfl_down_sync(0xffffffffu, in.v[k][0], 1);
      pair[0].add(in.v[k][2]);
      pair[1].add(threadIdx.x == 31 ? in.next[k] : next);
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      if (POINTS ? k > 0 : k % 2)
        out.s[(k - 1) / 2][h].add(pair[h]);
      if (k % 2 == 0 && k < 4)
        out.s[k / 2][h] = pair[h];
    }
  }
  return out;
}

template <class T, bool WIDE>
__device__ __forceinline__ tsr_lane_rows tsr_rows_of(const tsr_plain_args &args, int x, int y) {
  const int last = (int)args.last[0], last_y = (int)args.last[1];
  tsr_lane_rows at;
  at.x = x;
  at.last = last;
#pragma unroll
  for (int k = 0; k < 5; ++k)
    at.row[k] = (unsigned)min(y + k, last_y) * (unsigned)args.step[0] * (unsigned)sizeof(T);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    at.column[k] =
        (unsigned)(WIDE ? min(min(x, last & ~3) + (k & 2), last & ~1) : min(x + k, last)) *
        (unsigned)sizeof(T); // two doubles at once: a row may end between four of them
  at.next = (unsigned)min((x & ~127) + 128, last) * (unsigned)sizeof(T);
  return at;
}

// Which of a lane's nodes of 2 cubed cells exist, as bits of the lower four children.
static __device__ __forceinline__ unsigned tsr_pass_exist(const tsr_plain_args &args, int x,
                                                          int y) {
  unsigned exist = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    exist |= (unsigned)(x + 2 * (k & 1) < args.cells[0] && y + (k & 2) < args.cells[1]) << k;
  return exist;
}

// Which nodes of a layer are to be refined, by the same bits as tsr_pass_exist. layer->s[0][0]
// becomes the extremes of all of them.
template <class T>
__device__ __forceinline__ unsigned tsr_finish_layer(const tsr_plain_args &args,
                                                     tsr_quad<T> *layer) {
  unsigned asks = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    asks |= layer->s[k / 2][k % 2].asks(args.limit) << k;
  layer->s[0][0].add(layer->s[0][1]);
  layer->s[1][0].add(layer->s[1][1]);
  layer->s[0][0].add(layer->s[1][0]);
  return args.level[0].asks ? asks : 0u;
}

// Goes through a lane's planes, two planes of cells at a time.
template <class T, bool POINTS, bool WIDE> class tsr_plane_walk {
public:
  // x, y, z: the lane's first cell. Loads what the first two planes begin with.
  __device__ __forceinline__ tsr_plane_walk(const tsr_plain_args &args, int x, int y, int z)
      : at(tsr_rows_of<T, WIDE>(args, x, y)), planes((const T *)args.values + z * args.step[1]),
        step(args.step[1]), last(min((int)args.last[2] - z, tsr_pass_planes - 1 + POINTS)),
        partial(WIDE && (int)blockIdx.x * 128 + 127 > (int)args.last[0]), now(load(0)) {
    if (POINTS)
      plane = quad_of(now);
    if (POINTS && ahead)
      now = load(1);
  }

  // Extremes of the planes of cells `first` and first + 1. first: 0, 2, 4, ... in turn.
  __device__ __forceinline__ tsr_quad<T> layer(int first) {
    tsr_quad<T> out;
    if (ahead) {
      const tsr_samples<T, 4 + POINTS> after = load(first + 1 + POINTS);
      out = quad_of(now);
      if (POINTS)
        out.add(plane);
      now = load(first + 2 + POINTS);
      plane = quad_of(after);
    } else {
      out = quad_of(load(first + POINTS));
      if (POINTS)
        out.add(plane);
      plane = quad_of(load(first + 1 + POINTS));
    }
    out.add(plane);
    return out;
  }

private:
  static constexpr bool ahead = tsr_pass_ahead<T, POINTS, WIDE>;
  const tsr_lane_rows at;
  const T *const planes; // the block's first one
  const int64_t step;
  const int last;     // plane of samples that belongs to the grid
  const bool partial; // some of the block's lanes have samples after the last one of a row
  tsr_samples<T, 4 + POINTS> now; // ahead: of the next plane
  tsr_quad<T> plane;              // of the plane of samples before

  __device__ __forceinline__ tsr_samples<T, 4 + POINTS> load(int k) const {
    return tsr_load_plane<T, POINTS, WIDE>(planes + min(k, last) * step, at);
  }
  __device__ __forceinline__ tsr_quad<T> quad_of(tsr_samples<T, 4 + POINTS> samples) const {
    if (partial)
      tsr_mend_plane(at, &samples);
    return tsr_quad_of<T, POINTS>(samples);
  }
};

// Writes the bits of a lane's nodes of 2 cubed cells and stores the extremes of those of 4 cubed
// cells.
template <class T, bool POINTS, bool WIDE>
__device__ __forceinline__ void tsr_pass_planes_of(const tsr_plain_args &args,
                                                   tsr_pass_fours<T> &fours) {
  const int x = ((int)blockIdx.x * 32 + (int)threadIdx.x) * 4;
  const int y = ((int)blockIdx.y * tsr_pass_warps + (int)threadIdx.y) * 4;
  const int z = (int)blockIdx.z * tsr_pass_planes;
  const int left = min((int)args.cells[2] - z, tsr_pass_planes); // planes of cells
  const unsigned exist = tsr_pass_exist(args, x, y);
  uint8_t *byte = args.level[0].bytes + tsr_plain_at(args.level[0], x / 4, y / 4, z / 4);
  tsr_plane_walk<T, POINTS, WIDE> walk(args, x, y, z);
  tsr_extremes<T> four;
  unsigned bits = 0;
#pragma unroll 1
  for (int first = 0; first < tsr_pass_planes; first += 2) {
    tsr_quad<T> layer = walk.layer(first);
    const unsigned asks = tsr_finish_layer(args, &layer) & (first < left ? exist : 0u);
    if (first % 4 == 0) {
      bits = asks;
      four = layer.s[0][0];
      continue;
    }
    bits |= asks << 4;
    four.add(layer.s[0][0]);
    fours[first / 4][threadIdx.y][threadIdx.x] = four;
    if (exist && first - 2 < left)
      tsr_plain_put(byte, args.fresh, bits);
    byte += args.level[0].size[0] * args.level[0].size[1];
  }
}

// Decides the nodes of 4 and 8 cubed cells, and stores the extremes of those of 16 cubed cells.
// Each thread handles one node of 8 cubed cells; eight of them make one of 16.
template <class T>
__device__ __forceinline__ void tsr_pass_above(const tsr_plain_args &args,
                                               const tsr_pass_fours<T> &fours) {
  const int t = (int)(threadIdx.y * 32 + threadIdx.x), child = t & 7, parent = t >> 3;
  const int here[3] = {2 * (parent & 7) + (child & 1), 2 * (parent >> 3) + (child >> 1 & 1),
                       child >> 2};
  int64_t n[3]; // the node
  int exists = 1;
  unsigned bits = 0;
  tsr_extremes<T> eight;
  n[0] = (int64_t)blockIdx.x * 16 + here[0];
  n[1] = (int64_t)blockIdx.y * (tsr_pass_warps / 2) + here[1];
  n[2] = (int64_t)blockIdx.z * 2 + here[2];
  for (int a = 0; a < 3; ++a)
    exists = exists && 8 * n[a] < args.cells[a];
  eight.none();
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const tsr_extremes<T> four =
        fours[2 * here[2] + (k >> 2)][2 * here[1] + (k >> 1 & 1)][2 * here[0] + (k & 1)];
    const int there = 8 * n[0] + 4 * (k & 1) < args.cells[0] &&
                      8 * n[1] + 4 * (k >> 1 & 1) < args.cells[1] &&
                      8 * n[2] + 4 * (k >> 2) < args.cells[2];
    bits |= (there ? four.asks(args.limit) : 0u) << k;
    eight.add(four);
  }
  if (exists) {
    tsr_plain_put(args.level[1].bytes + tsr_plain_at(args.level[1], n[0], n[1], n[2]), args.fresh,
                  args.level[1].asks ? bits : 0u);
    if (eight.asks(tsr_plain_largest))
      *args.odd = 1;
  }
  bits = __ballot_sync(0xffffffffu, args.level[2].asks && exists && eight.asks(args.limit));
  for (int k = 1; k < 8; k *= 2)
    eight.add_lane(k);
  if (exists && child == 0) {
    for (int a = 0; a < 3; ++a)
      n[a] /= 2;
    tsr_plain_put(args.level[2].bytes + tsr_plain_at(args.level[2], n[0], n[1], n[2]), args.fresh,
                  bits >> (t & 24) & 255u);
    if (args.spans)
      ((tsr_extremes<T> *)args.spans)[(n[2] * args.nodes[1] + n[1]) * args.nodes[0] + n[0]] = eight;
  }
}

template <class T, bool POINTS, bool WIDE>
__global__ void __launch_bounds__(32 * tsr_pass_warps, tsr_pass_blocks<T, POINTS, WIDE>)
    tsr_pass_kernel(tsr_plain_args args) {
  __shared__ tsr_pass_fours<T> fours;
  if (args.if_odd && !*args.odd)
    return;
  tsr_pass_planes_of<T, POINTS, WIDE>(args, fours);
  __syncthreads();
  if (threadIdx.y < tsr_pass_warps / 2)
    tsr_pass_above<T>(args, fours);
}

template <class T>
cudaError_t tsr_pass_start(const tsr_plain_args &args, int cell_data, cudaStream_t stream) {
  const unsigned rows = 4 * tsr_pass_warps, planes = tsr_pass_planes;
  const dim3 blocks((unsigned)((args.cells[0] + 127) / 128),
                    (unsigned)((args.cells[1] + rows - 1) / rows),
                    (unsigned)((args.cells[2] + planes - 1) / planes));
  const dim3 threads(32, tsr_pass_warps);
  const bool wide =
      (uintptr_t)args.values % 16 == 0 && args.step[0] * (int64_t)sizeof(T) % 16 == 0 &&
      args.step[1] * (int64_t)sizeof(T) % 16 == 0; // rows begin at multiples of 16 bytes
  if (cell_data && wide)
    tsr_pass_kernel<T, false, true><<<blocks, threads, 0, stream>>>(args);
  else if (cell_data)
    tsr_pass_kernel<T, false, false><<<blocks, threads, 0, stream>>>(args);
  else if (wide)
    tsr_pass_kernel<T, true, true><<<blocks, threads, 0, stream>>>(args);
  else
    tsr_pass_kernel<T, true, false><<<blocks, threads, 0, stream>>>(args);
  return cudaGetLastError();
}

#endif
