// SPDX-License-Identifier: BSD-3-Clause
// Value range of one float or double a sample in three dimensions: three levels in a pass that
// reads every value once. A lane has the columns of four cells by eight by eight: it goes through
// their planes and keeps the least and largest of 2 cubed cells (decided and forgotten), 4 cubed
// (likewise) and 8 cubed, which two neighbouring lanes share and which is all that is stored.
#include "grid.cuh"

#include <algorithm>

namespace {

const int warps = 4;
const double largest = TSR_LARGEST_VALUE;

struct plain_job {
  const void *values;
  int64_t step[2];                 // values from row to row, from plane to plane
  int64_t offset[3];               // of the first owned cell in the held arrays
  int64_t cells[3];                // owned
  int64_t last[3];                 // last sample that belongs to them, from the first owned cell
  int64_t nodes[3];                // owned, of 8 cubed cells
  double limit[2];                 // 2 cubed, 4 cubed: refined if not at most this
  int asks[2]; // 0: none of the level is
  uint8_t *bytes[2];               // of the nodes of 2 cubed, 4 cubed cells
  int64_t first[2][3], size[2][3]; // in those: byte of the first owned parent, size of the box
  double *payload;                 // of 8 cubed
  int *odd;
};

// Least and largest, where not-a-number wins.
template <class T> __device__ __forceinline__ T low_of(T a, T b) {
  return !(a >= b) && b == b ? a : b;
}
template <class T> __device__ __forceinline__ T high_of(T a, T b) {
  return !(a <= b) && b == b ? a : b;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <> __device__ __forceinline__ float low_of(float a, float b) {
  float c;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}
template <> __device__ __forceinline__ float high_of(float a, float b) {
  float c;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}
#endif

template <class T> struct span {
  T lo, hi;
  __device__ __forceinline__ void one(T v) { lo = hi = v; }
  __device__ __forceinline__ void add(T v) {
    lo = low_of(lo, v);
    hi = high_of(hi, v);
  }
  __device__ __forceinline__ void add(const span &s) {
    lo = low_of(lo, s.lo);
    hi = high_of(hi, s.hi);
  }
  __device__ __forceinline__ double range() const { return (double)hi - (double)lo; }
};

// The lane's two pairs of cells along a row.
template <class T> struct pair_of {
  span<T> s[2];
  __device__ __forceinline__ void add(const pair_of &p) {
    s[0].add(p.s[0]);
    s[1].add(p.s[1]);
  }
};

// Four values of a row from x on; WIDE: they exist. Else those after `last` are the last. Without
// branches, so that all loads of a plane are on their way together.
template <class T, bool WIDE>
__device__ __forceinline__ void load4(const T *row, int x, int last, T v[4]) {
  if (WIDE && sizeof(T) == 4) {
    const float4 w = *(const float4 *)(row + x);
    v[0] = (T)w.x, v[1] = (T)w.y, v[2] = (T)w.z, v[3] = (T)w.w;
  } else if (WIDE) {
    const double2 a = *(const double2 *)(row + x), b = *(const double2 *)(row + x + 2);
    v[0] = (T)a.x, v[1] = (T)a.y, v[2] = (T)b.x, v[3] = (T)b.y;
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      v[k] = row[min(x + k, last)];
  }
}

// A lane's pairs of cells from its values; `extra` is what follows those of the last lane.
template <class T, bool POINTS>
__device__ __forceinline__ pair_of<T> make_pair_of(const T v[4], T extra) {
  pair_of<T> p;
  p.s[0].one(v[0]);
  p.s[0].add(v[1]);
  p.s[1].one(v[2]);
  p.s[1].add(v[3]);
  if (POINTS) {
    const T next = __shfl_down_sync(0xffffffffu, v[0], 1);
    p.s[0].add(v[2]);
    p.s[1].add(threadIdx.x == 31 ? extra : next);
  }
  return p;
}

// One plane: eight rows of cells make four rows of pairs.
template <class T, bool POINTS, bool WIDE>
__device__ __forceinline__ void load_plane(const plain_job &job, const T *plane, int64_t y,
                                           int64_t x, pair_of<T> out[4]) {
  const int n = 8 + POINTS, lane_x = (int)x, last = (int)job.last[0], last_y = (int)job.last[1];
  T v[n][4], extra[n];
#pragma unroll
  for (int k = 0; k < n; ++k) {
    const T *row = plane + (int64_t)min((int)y + k, last_y) * job.step[0];
    load4<T, WIDE>(row, lane_x, last, v[k]);
    extra[k] = v[k][3];
    if (POINTS && threadIdx.x == 31)
      extra[k] = row[min(lane_x + 4, last)];
  }
  pair_of<T> before;
#pragma unroll
  for (int k = 0; k < n; ++k) {
    const pair_of<T> row = make_pair_of<T, POINTS>(v[k], extra[k]);
    if (k % 2 == 0 && k / 2 < 4)
      before = row;
    if (k % 2 == 1) {
      out[k / 2] = before;
      out[k / 2].add(row);
    }
    if (POINTS && k % 2 == 0 && k > 0)
      out[k / 2 - 1].add(row);
  }
}

__device__ __forceinline__ void set_bits(const plain_job &job, int which, int64_t px, int64_t py,
                                         int64_t pz, unsigned bits) {
  const int64_t *first = job.first[which], *size = job.size[which];
  if (bits)
    job.bytes[which][((pz + first[2]) * size[1] + (py + first[1])) * size[0] + px + first[0]] |=
        (uint8_t)bits;
}

// Decides the nodes of 2 cubed cells of a layer, and adds them to those of 4 cubed.
template <class T>
__device__ __forceinline__ void finish_layer(const plain_job &job, const pair_of<T> layer[4],
                                             unsigned exist, int layer_bit, span<T> four[2],
                                             unsigned bits[2]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int asks = !(layer[k].s[h].range() <= job.limit[0]);
      bits[k / 2] |= (unsigned)(asks & (exist >> (2 * k + h))) << (h + 2 * (k & 1) + 4 * layer_bit);
      if (layer_bit == 0 && (k & 1) == 0 && h == 0)
        four[k / 2] = layer[k].s[h];
      else
        four[k / 2].add(layer[k].s[h]);
    }
  }
}

// Two lanes share a node of 8 cubed cells.
template <class T>
__device__ __forceinline__ void finish_eight(const plain_job &job, span<T> eight,
                                             unsigned eight_bits, int64_t x, int64_t ny,
                                             int64_t nz) {
  eight_bits |= __shfl_xor_sync(0xffffffffu, eight_bits, 1);
  span<T> other;
  other.lo = __shfl_xor_sync(0xffffffffu, eight.lo, 1);
  other.hi = __shfl_xor_sync(0xffffffffu, eight.hi, 1);
  eight.add(other);
  if ((threadIdx.x & 1) == 0 && x < job.cells[0]) {
    const int finite = eight.range() <= largest;
    double *p = job.payload + 3 * ((nz * job.nodes[1] + ny) * job.nodes[0] + x / 8);
    set_bits(job, 1, x / 8, ny, nz, eight_bits);
    p[0] = finite ? (double)eight.lo : -TSR_INFINITY;
    p[1] = finite ? (double)eight.hi : TSR_INFINITY;
    p[2] = finite ? 0.0 : TSR_INFINITY;
    if (!finite)
      *job.odd = 1;
  }
}

template <class T, bool POINTS, bool WIDE>
__device__ __forceinline__ void plain_tile(const plain_job &job) {
  const int64_t x = ((int64_t)blockIdx.x * 32 + threadIdx.x) * 4;
  const int64_t ny = (int64_t)blockIdx.y * warps + threadIdx.y, nz = blockIdx.z;
  const int64_t y = 8 * ny, z = 8 * nz;
  const T *values = (const T *)job.values + job.offset[0] + job.offset[1] * job.step[0] +
                    job.offset[2] * job.step[1];
  span<T> four[2], eight;
  pair_of<T> layer[4], plane[4];
  unsigned bits[2] = {0, 0}, eight_bits = 0, exist = 0;
  if (ny >= job.nodes[1])
    return;
  for (int k = 0; k < 8; ++k)
    exist |= (unsigned)(x + 2 * (k & 1) < job.cells[0] && y + (k & 6) < job.cells[1]) << k;
  if (POINTS)
    load_plane<T, POINTS, WIDE>(job, values + (z < job.last[2] ? z : job.last[2]) * job.step[1], y,
                                x, plane);
#pragma unroll
  for (int pair = 0; pair < 4; ++pair) {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      layer[k] = plane[k];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int64_t at = z + 2 * pair + half + POINTS;
      load_plane<T, POINTS, WIDE>(job, values + (at < job.last[2] ? at : job.last[2]) * job.step[1],
                                  y, x, plane);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (!POINTS && half == 0)
          layer[k] = plane[k];
        else
          layer[k].add(plane[k]);
      }
    }
    finish_layer(job, layer, job.asks[0] && z + 2 * pair < job.cells[2] ? exist : 0u, pair & 1, four, bits);
    if (pair & 1) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int there = job.asks[1] && x < job.cells[0] && y + 4 * half < job.cells[1] && z + 4 * (pair / 2) < job.cells[2];
        set_bits(job, 0, x / 4, 2 * ny + half, 2 * nz + pair / 2, bits[half]);
        bits[half] = 0;
        eight_bits |= (unsigned)(there && !(four[half].range() <= job.limit[1]))
                      << (2 * half + 4 * (pair / 2) + (threadIdx.x & 1));
        if (pair == 1 && half == 0)
          eight = four[half];
        else
          eight.add(four[half]);
      }
    }
  }
  finish_eight(job, eight, eight_bits, x, ny, nz);
}

// wide: rows begin at multiples of 16 bytes.
template <class T, bool POINTS>
__global__ void __launch_bounds__(32 * warps, 4) plain_kernel(plain_job job, int wide) {
  if (wide && (int64_t)blockIdx.x * 128 + 127 <= job.last[0])
    plain_tile<T, POINTS, true>(job);
  else
    plain_tile<T, POINTS, false>(job);
}

plain_job job_of(const tsr_grid_device *grid, const tsr_rule &rule) {
  const tsr_grid_frame &f = grid->frame;
  const tsr_lattice &lattice = f.lattice;
  const int c = lattice.coarsen;
  plain_job job = {};
  job.values = rule.array.data;
  for (int a = 0; a < 3; ++a) {
    const int64_t *cells = f.range[c][a];
    job.offset[a] = cells[0] - lattice.held[a][0];
    job.cells[a] = cells[1] - cells[0];
    job.last[a] = job.cells[a] - (rule.cell_data ? 1 : 0);
    job.nodes[a] = f.range[c - 3][a][1] - f.range[c - 3][a][0];
    for (int which = 0; which < 2; ++which) {
      const int level = c - 1 - which;
      job.first[which][a] = (f.range[level][a][0] >> 1) - f.tree.first[level][a];
      job.size[which][a] = f.tree.size[level][a];
    }
  }
  for (int which = 0; which < 2; ++which) {
    job.limit[which] = std::min(rule.threshold, largest);
    job.asks[which] = rule.max_level < 0 || c - 1 - which < rule.max_level;
    job.bytes[which] = f.tree.dense[c - 1 - which];
  }
  for (int s = 0; s < 2; ++s)
    job.step[s] = rule.cell_data ? lattice.cell_step[s + 1] : lattice.point_step[s + 1];
  job.payload = grid->payload[0];
  job.odd = &grid->found->odd;
  return job;
}

template <class T> cudaError_t start(const plain_job &job, int points, cudaStream_t stream) {
  const dim3 blocks((unsigned)((job.nodes[0] + 15) / 16),
                    (unsigned)((job.nodes[1] + warps - 1) / warps), (unsigned)job.nodes[2]);
  const dim3 threads(32, warps);
  const int64_t origin = job.offset[0] + job.offset[1] * job.step[0] + job.offset[2] * job.step[1];
  const bool wide = (uintptr_t)((const T *)job.values + origin) % 16 == 0 &&
                    job.step[0] * (int64_t)sizeof(T) % 16 == 0 &&
                    job.step[1] * (int64_t)sizeof(T) % 16 == 0;
  if (points)
    plain_kernel<T, true><<<blocks, threads, 0, stream>>>(job, wide);
  else
    plain_kernel<T, false><<<blocks, threads, 0, stream>>>(job, wide);
  return cudaGetLastError();
}

} // namespace

int tsr_grid_is_plain(const tsr_grid_device *grid, const tsr_rule &rule) {
  const tsr_grid_frame &f = grid->frame;
  const int64_t most = 8 * 65535; // blocks along an axis
  return rule.measure == TSR_MEASURE_VALUE_RANGE && rule.array.components == 1 &&
         (rule.array.type == TSR_FLOAT || rule.array.type == TSR_DOUBLE) &&
         f.lattice.dimension == 3 && f.lattice.coarsen >= 3 &&
         f.lattice.levels == f.lattice.coarsen && !f.hidden && f.lattice.cells[1] <= most &&
         f.lattice.cells[2] <= most;
}

tsr_status tsr_grid_mark_plain(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error) {
  TSR_STEP(tsr_grid_payloads(grid, 0, grid->frame.lattice.coarsen - 3, error));
  const plain_job job = job_of(grid, rule);
  TSR_CUDA(rule.array.type == TSR_FLOAT ? start<float>(job, !rule.cell_data, grid->stream)
                                        : start<double>(job, !rule.cell_data, grid->stream),
           "evaluating a criterion");
  return tsr_grid_mark_above(grid, rule, grid->frame.lattice.coarsen - 3, 0, error);
}
