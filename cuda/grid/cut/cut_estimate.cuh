// SPDX-License-Identifier: BSD-3-Clause
// Estimates in single precision how far the points of a cut leaf are from the interpolation in its
// parts, for even steps. Leaves of 2, 4 or 8 cells along each side use the weights of the table;
// larger ones use the linear forms of their parts. Points for which the estimate cannot decide are
// computed in double, as on the CPU.
#ifndef TSR_GRID_CUT_CUT_ESTIMATE_CUH
#define TSR_GRID_CUT_CUT_ESTIMATE_CUH

#include "cuda/common/warp.cuh"
#include "cuda/grid/cut/cut.cuh"

// True if the estimate can be used for the grid and the array.
static __host__ __device__ inline int tsr_estimates(const tsr_grid_frame &f,
                                                    const tsr_array &array) {
  return f.lattice.dimension == 3 && f.space.geometry != TSR_GEOMETRY_RECTILINEAR &&
         array.components == 1 && (array.type == TSR_FLOAT || array.type == TSR_DOUBLE);
}

// True if the estimate can be used for a leaf: it has at most 2^10 cells along each side, and all
// of it lies in the grid.
static __device__ __forceinline__ int tsr_estimates_leaf(const tsr_grid_frame &f, int level,
                                                         const int64_t i[3]) {
  const int by = f.lattice.coarsen - level;
  return by >= 1 && by <= 10 && !tsr_node_sticks_out(&f.lattice, level, i);
}

// The parts of a leaf in single precision, in a warp's shared memory.
struct tsr_cut_floats {
  float form[TSR_CUT_MOST_CELLS][3][4];
  uint8_t n[TSR_CUT_MOST_CELLS], at[TSR_CUT_MOST_CELLS][5];
  float difference[TSR_CUT_PLACES];
  int parts, side[6][2]; // as in the entry
};

// A leaf in the registers of a warp: lanes 0 to 26 hold the values at its places, as differences to
// the value at the lowest corner.
template <class T> struct tsr_estimate {
  const T *at; // the lowest corner
  T base;
  float difference; // lane 13: of the centre
  float slack;      // error bound of an estimate, without what depends on the point's own value
  int n;            // points along each side
  unsigned inverse; // 1 / n in units of 2^-16, rounded up; set with weights only
  const tsr_cut_weights *weights; // NULL: the leaf is large, and its parts are in `floats`
  const tsr_cut_floats *floats;
};

static __device__ inline void tsr_floats_of(const tsr_cut_entry &entry, float difference,
                                            tsr_cut_floats *to, int lane) {
  __syncwarp();
  for (int m = lane; m < 12 * entry.n; m += 32)
    to->form[m / 12][m % 12 / 4][m % 4] = (float)entry.parts[m / 12].form[m % 12 / 4][m % 4];
  for (int k = lane; k < entry.n; k += 32) {
    to->n[k] = (uint8_t)entry.parts[k].cell.n;
    for (int c = 0; c < 5; ++c)
      to->at[k][c] = c < entry.parts[k].cell.n ? (uint8_t)entry.parts[k].cell.at[c] : 0;
  }
  if (lane < TSR_CUT_PLACES)
    to->difference[lane] = difference;
  if (lane < 12)
    to->side[lane / 2][lane % 2] = entry.side[lane / 2][lane % 2];
  if (lane == 0)
    to->parts = entry.n;
  __syncwarp();
}

// The whole warp calls it. What an estimate may be off: by weights, which are off by 2^-25 each,
// ten roundings, those of the centre and the one with which the centre is stored in single
// precision; in large leaves also what the forms are off.
template <class T>
static __device__ inline tsr_estimate<T>
tsr_estimate_of(const tsr_grid_frame &f, const T *values, int level, const int64_t i[3],
                const tsr_cut_table *table, int slot, tsr_cut_floats *floats, int lane) {
  const int64_t *step = f.lattice.point_step;
  const int by = f.lattice.coarsen - level, half = 1 << by >> 1;
  const int64_t corner[3] = {i[0] << by, i[1] << by, i[2] << by};
  const unsigned has = table->keys[slot];
  const int mine = lane < TSR_CUT_PLACES && (has >> lane) & 1;
  tsr_estimate<T> e;
  float sum = 0.0f;
  e.at = values + tsr_point_at(&f.lattice, corner);
  e.n = 2 * half + 1;
  e.weights = by > tsr_cut_sizes ? nullptr
                                 : table->weights[slot] + (by == 1   ? 0
                                                           : by == 2 ? 27
                                                                     : 27 + 125);
  e.floats = floats;
  e.inverse = (65536u + (unsigned)e.n - 1) / (unsigned)e.n;
  const T value =
      mine ? e.at[(lane % 3 * step[0] + lane / 3 % 3 * step[1] + lane / 9 * step[2]) * half] : (T)0;
  e.base = __shfl_sync(0xffffffffu, value, 0);
  e.difference = mine ? (float)(value - e.base) : 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sum += __shfl_sync(0xffffffffu, e.difference, 2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2));
  // Whatever is not finite must not be lost in a maximum.
  const float most = tsr_warp_most(mine ? fabsf(e.difference) : 0.0f);
  const float largest = tsr_warp_most(mine ? fabsf((float)value) : 0.0f);
  const int odd = __any_sync(0xffffffffu, mine && !(fabsf((float)value) < 1e37f));
  if (lane == TSR_CUT_CENTRE)
    e.difference = 0.125f * sum;
  e.slack = odd ? INFINITY : (e.weights ? 2e-6f : 8e-5f) * most + 1e-6f * largest;
  if (!e.weights)
    tsr_floats_of(table->entries[slot], e.difference, floats, lane);
  return e;
}

// How far inside of part k a point is, and the part's forms there.
static __device__ __forceinline__ float tsr_floats_inside(const tsr_cut_floats &c, int k, float x,
                                                          float y, float z, float g[3]) {
#pragma unroll
  for (int m = 0; m < 3; ++m)
    g[m] = ((c.form[k][m][0] * x + c.form[k][m][1] * y) + c.form[k][m][2] * z) + c.form[k][m][3];
  const float pyramid = fminf(fminf(g[0] - g[1], g[0] - g[2]), 1.0f - g[0]);
  const float simplex = fminf(g[0], ((1.0f - g[0]) - g[1]) - g[2]);
  return fminf(fminf(g[1], g[2]), c.n[k] == 5 ? pyramid : simplex);
}

// The interpolation at t in a large leaf, as a difference. A part that t is outside of by rounding
// is as good as its neighbour: they agree where they meet. *part: where it is looked for first, as
// the part of a point near by; the part that was found. Then the parts on the nearest side follow.
static __device__ inline float tsr_floats_value(const tsr_cut_floats &c, float x, float y, float z,
                                                int *part) {
  float f[3], best = tsr_floats_inside(c, *part, x, y, z, f);
  const auto look = [&](int begin, int end) {
    for (int k = begin; k < end && best < -1e-6f; ++k) {
      float g[3];
      const float inside = tsr_floats_inside(c, k, x, y, z, g);
      if (!(inside > best))
        continue;
      best = inside;
      *part = k;
      f[0] = g[0], f[1] = g[1], f[2] = g[2];
    }
  };
  if (best < -1e-6f) {
    const float u = fabsf(x - 0.5f), v = fabsf(y - 0.5f), w = fabsf(z - 0.5f);
    const int side = u >= v && u >= w ? (x > 0.5f) : v >= w ? 2 + (y > 0.5f) : 4 + (z > 0.5f);
    look(c.side[side][0], c.side[side][1]);
    look(0, c.parts);
  }
  const uint8_t *at = c.at[*part];
  const float *d = c.difference;
  if (c.n[*part] != 5)
    return ((f[0] * d[at[1]] + f[1] * d[at[2]]) + f[2] * d[at[3]]) +
           (((1.0f - f[0]) - f[1]) - f[2]) * d[at[0]];
  if (f[0] <= 1e-6f)
    return d[at[4]];
  const float s = f[1] / f[0], t = f[2] / f[0];
  return f[0] * ((d[at[0]] * (1.0f - s) + d[at[1]] * s) * (1.0f - t) +
                 (d[at[3]] * (1.0f - s) + d[at[2]] * s) * t) +
         d[at[4]] * (1.0f - f[0]);
}

// The part that holds point k; -1: it is not known.
template <class T>
static __device__ __forceinline__ int tsr_estimate_part(const tsr_estimate<T> &e, int k) {
  return e.weights ? tsr_cut_part_of(e.weights[k].word) : -1;
}

// Point k of the leaf, if k is below the number of points: the estimate of how far it is from the
// interpolation, and what that may be off; both may be not finite. *part: of large leaves, as
// above. The whole warp calls it.
template <class T>
static __device__ __forceinline__ void tsr_estimate_point(const tsr_estimate<T> &e,
                                                          const int64_t step[3], int k, int *part,
                                                          float *far, float *slack) {
  const int all = e.n * e.n * e.n, m = k < all ? k : 0;
  // Of at most 729 points a product with the inverse is the quotient.
  const int row = e.weights ? (int)((unsigned)m * e.inverse >> 16) : m / e.n, x = m - row * e.n;
  const int z = e.weights ? (int)((unsigned)row * e.inverse >> 16) : row / e.n, y = row - z * e.n;
  const float own = (float)(__ldg(e.at + (x * step[0] + y * step[1] + z * step[2])) - e.base);
  *slack = e.slack + 1e-6f * fabsf(own);
  if (!e.weights) {
    const float unit = 1.0f / (float)(e.n - 1);
    const float there =
        tsr_floats_value(*e.floats, (float)x * unit, (float)y * unit, (float)z * unit, part);
    *far = k < all ? fabsf(own - there) : 0.0f;
    return;
  }
  const uint4 packed = __ldg((const uint4 *)(e.weights + m));
  const uint32_t word[4] = {packed.x, packed.y, packed.z, packed.w};
  const unsigned places = tsr_cut_places_of(word);
  float sum = 0.0f;
  int left = (int)tsr_cut_one;
#pragma unroll
  for (int c = 0; c < 5; ++c) {
    const int weight = c < 4 ? (int)(word[c < 4 ? c : 0] & tsr_cut_one) : left;
    sum += (float)weight * __shfl_sync(0xffffffffu, e.difference, (int)(places >> (5 * c) & 31));
    left -= weight;
  }
  *far = k < all ? fabsf(own - sum * (1.0f / (float)tsr_cut_one)) : 0.0f;
}

#endif
