// SPDX-License-Identifier: BSD-3-Clause
// Drawing: a block a tile of 32 x 32 samples, one disc after another. A warp has four rows of the
// tile, and each lane the four samples of a column, whose channels stay in registers. Discs come
// through shared memory, a batch at a time.
#include "cuda/discs/plan.cuh"

namespace {

const int threads = 256, lanes = 32, rows = 4, samples = tsr_discs_tile * tsr_discs_tile;

struct output {
  uint8_t *rgba;
  int64_t *top;
};

// The batch of discs; after the last one the samples, for pixels of several of them.
union shared_part {
  tsr_disc discs[threads];
  double channel[4][samples];
};

// Does a block's thread bring a disc of the batch, and which? The discs keep their order.
__device__ int64_t rank_of(const tsr_discs_input &scene, const tsr_discs_pairs &pairs, bool sorted,
                           int64_t at, int64_t end, const int32_t begin[2]) {
  if (at >= end)
    return -1;
  if (sorted)
    return pairs.ranks[at];
  const int4 box = scene.boxes[at];
  const bool touches = tsr_discs_is_drawn(box) && box.x < begin[0] + tsr_discs_tile &&
                       box.y >= begin[0] && box.z < begin[1] + tsr_discs_tile && box.w >= begin[1];
  return touches ? at : -1;
}

// Place of this thread's disc in the batch; *count: how many there are.
__device__ int place_of(bool brings, int *of_warp, int *count) {
  const unsigned lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const unsigned votes = __ballot_sync(~0u, brings);
  if (lane == 0)
    of_warp[warp] = __popc(votes);
  __syncthreads();
  int before = 0, all = 0;
  for (unsigned w = 0; w < threads / lanes; ++w) {
    before += w < warp ? of_warp[w] : 0;
    all += of_warp[w];
  }
  *count = all;
  return before + __popc(votes & ((1u << lane) - 1u));
}

// Draws one disc on the four samples of a lane.
template <bool GAUSSIAN>
__device__ void draw_disc(const tsr_disc &disc, const double *falloff, int32_t x, int32_t y,
                          double channel[rows][4], int32_t rank, int32_t top[rows]) {
  const double x_square = tsr_disc_square(disc.x, x);
  for (int r = 0; r < rows; ++r) {
    const double y_square = tsr_disc_square(disc.y, y + r);
    if (!tsr_disc_covers(x_square, y_square, disc.square))
      continue;
    const double opacity =
        GAUSSIAN ? tsr_disc_gaussian(&disc, falloff, x_square + y_square) : disc.opacity;
    const double keep = 1.0 - opacity;
    for (int c = 0; c < 3; ++c)
      channel[r][c] =
          tsr_disc_blend(channel[r][c], keep, GAUSSIAN ? disc.color[c] * opacity : disc.color[c]);
    channel[r][3] *= keep;
    top[r] = rank;
  }
}

__device__ void store(const tsr_discs_input &scene, const output &out, const double sum[4],
                      double share, int32_t top, int64_t pixel) {
  if (out.rgba) {
    uint8_t rgba[4];
    tsr_disc_store(sum, share, rgba);
    *(uchar4 *)(out.rgba + 4 * pixel) = make_uchar4(rgba[0], rgba[1], rgba[2], rgba[3]);
  }
  if (out.top)
    out.top[pixel] = top >= 0 && scene.order ? (int64_t)scene.order[top] : (int64_t)top;
}

// Pixels of n x n samples, from shared memory, with the samples in the order of the CPU.
__device__ void store_pixels(const tsr_discs_input &scene, const output &out,
                             const double (*channel)[samples], const int32_t *top,
                             const int32_t begin[2]) {
  const int n = scene.options.supersampling, side = tsr_discs_tile / n;
  for (int k = threadIdx.x; k < side * side; k += threads) {
    const int x = k % side, y = k / side;
    const int64_t px = begin[0] / n + x, py = begin[1] / n + y;
    if (px >= scene.options.width || py >= scene.options.height)
      continue;
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int32_t last = -1;
    for (int j = y * n; j < y * n + n; ++j)
      for (int i = x * n; i < x * n + n; ++i) {
        const int at = j * tsr_discs_tile + i;
        for (int c = 0; c < 4; ++c)
          sum[c] += channel[c][at];
        last = max(last, top[at]);
      }
    store(scene, out, sum, 1.0 / (double)(n * n), last, py * scene.options.width + px);
  }
}

template <bool GAUSSIAN>
__global__ void __launch_bounds__(threads)
    draw_kernel(tsr_discs_input scene, tsr_discs_pairs pairs, bool sorted, output out) {
  __shared__ shared_part part;
  __shared__ int32_t ranks[threads], tops[samples];
  __shared__ int of_warp[threads / lanes];
  __shared__ double falloff[GAUSSIAN ? TSR_FALLOFF_STEPS + 1 : 1];
  const int32_t begin[2] = {(int32_t)(blockIdx.x % scene.tiles[0]) * tsr_discs_tile,
                            (int32_t)(blockIdx.x / scene.tiles[0]) * tsr_discs_tile};
  const int32_t x = begin[0] + threadIdx.x % lanes, row = threadIdx.x / lanes * rows;
  const int32_t y = begin[1] + row;
  const double *background = scene.options.background;
  double channel[rows][4];
  int32_t top[rows];
  for (int k = threadIdx.x; GAUSSIAN && k <= TSR_FALLOFF_STEPS; k += threads)
    falloff[k] = scene.falloff[k];
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < 3; ++c)
      channel[r][c] = background[c] * background[3];
    channel[r][3] = 1.0 - background[3];
    top[r] = -1;
  }
  const int64_t end = sorted ? pairs.begin[blockIdx.x + 1] : scene.n;
  for (int64_t at = sorted ? pairs.begin[blockIdx.x] : 0; at < end; at += threads) {
    int count;
    const int64_t rank = rank_of(scene, pairs, sorted, at + threadIdx.x, end, begin);
    const int place = place_of(rank >= 0, of_warp, &count);
    if (rank >= 0) {
      part.discs[place] = scene.discs[rank];
      ranks[place] = (int32_t)rank;
    }
    __syncthreads();
    for (int k = 0; k < count; ++k) {
      const tsr_disc &disc = part.discs[k];
      // The same for the whole warp: none of its rows is touched.
      if (tsr_disc_nearest(disc.y, y, y + rows - 1) <= disc.square)
        draw_disc<GAUSSIAN>(disc, falloff, x, y, channel, ranks[k], top);
    }
    __syncthreads();
  }
  if (scene.options.supersampling == 1) {
    for (int r = 0; r < rows; ++r)
      if (x < scene.rules.width && y + r < scene.rules.height) {
        // As a sum over one sample.
        const double sum[4] = {0.0 + channel[r][0], 0.0 + channel[r][1], 0.0 + channel[r][2],
                               0.0 + channel[r][3]};
        store(scene, out, sum, 1.0, top[r], (int64_t)(y + r) * scene.options.width + x);
      }
    return;
  }
  for (int r = 0; r < rows; ++r) {
    const int at = (row + r) * tsr_discs_tile + threadIdx.x % lanes;
    for (int c = 0; c < 4; ++c)
      part.channel[c][at] = channel[r][c];
    tops[at] = top[r];
  }
  __syncthreads();
  store_pixels(scene, out, part.channel, tops, begin);
}

} // namespace

tsr_status tsr_discs_draw(tsr_discs_device *device, const tsr_discs_pairs *pairs, uint8_t *rgba,
                          int64_t *top, tsr_error *error) {
  const tsr_discs_input &s = device->scene;
  const unsigned tiles = (unsigned)s.tiles[0] * (unsigned)s.tiles[1];
  const tsr_discs_pairs given = pairs ? *pairs : tsr_discs_pairs{};
  const output out = {rgba, top};
  if (s.options.falloff == TSR_DISCS_GAUSSIAN)
    draw_kernel<true><<<tiles, threads, 0, device->stream>>>(s, given, pairs != nullptr, out);
  else
    draw_kernel<false><<<tiles, threads, 0, device->stream>>>(s, given, pairs != nullptr, out);
  TSR_CUDA(cudaGetLastError(), "drawing the discs");
  return TSR_OK;
}
