// SPDX-License-Identifier: BSD-3-Clause
// Drawing: a block a tile of 32 x 32 samples, one disc after another. A warp has two rows of the
// tile, and each lane the two samples of a column, whose channels stay in registers. Discs come
// through shared memory, a batch at a time, with a bit for each warp whose rows they touch.
#include "cuda/discs/plan.cuh"

namespace {

const int threads = 512, lanes = 32, warps = threads / lanes, rows = 2;
const int samples = tsr_discs_tile * tsr_discs_tile;
// Boxes that a thread looks at together where discs are not sorted into tiles, as one after another
// it would wait for each. Each warp's votes on each of them take a lane.
const int looks = lanes / warps;

struct output {
  uint8_t *rgba;
  int64_t *top;
};

// The batch of discs; after the last one the samples, for pixels of several of them.
union shared_part {
  tsr_disc discs[threads];
  double channel[4][samples];
};

// The discs of a block's tile.
struct tile_discs {
  uint32_t found[threads * (1 + looks)]; // ranks that wait to be drawn
  uint32_t ranks[threads];               // of the batch
  unsigned touches[warps][warps];        // of each warp's rows: which of the batch do, 32 a word
  int votes[lanes];
};

__device__ bool touches_tile(const int4 &box, const int32_t begin[2]) {
  return tsr_discs_is_drawn(box) && box.x < begin[0] + tsr_discs_tile && box.y >= begin[0] &&
         box.z < begin[1] + tsr_discs_tile && box.w >= begin[1];
}

// Looks through the discs from *at on until more than a batch of them is found, or there are no
// more, and returns how many were found. They keep their order.
__device__ int find_discs(const tsr_discs_input &scene, const int32_t begin[2], int64_t *at,
                          tile_discs *s) {
  const unsigned lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  int found = 0;
  while (found < threads && *at < scene.n) {
    unsigned votes[looks];
    for (int k = 0; k < looks; ++k) {
      const int64_t rank = *at + k * threads + threadIdx.x;
      votes[k] =
          __ballot_sync(~0u, rank < scene.n && touches_tile(tsr_discs_box(scene, rank), begin));
    }
    __syncthreads(); // the votes before are read
    if (lane == 0)
      for (int k = 0; k < looks; ++k)
        s->votes[k * warps + warp] = __popc(votes[k]);
    __syncthreads();
    int sum = s->votes[lane];
    for (int step = 1; step < lanes; step *= 2) {
      const int before = __shfl_up_sync(~0u, sum, step);
      sum += lane >= (unsigned)step ? before : 0;
    }
    for (int k = 0; k < looks; ++k) {
      const int before = __shfl_sync(~0u, sum, k * warps + warp) - __popc(votes[k]);
      if (votes[k] >> lane & 1u)
        s->found[found + before + __popc(votes[k] & ((1u << lane) - 1u))] =
            (uint32_t)(*at + k * threads + threadIdx.x);
    }
    found += __shfl_sync(~0u, sum, lanes - 1);
    *at += threads * looks;
  }
  __syncthreads();
  return found;
}

// Brings a batch of discs, one a thread, and tells each warp which of them touch its rows.
__device__ void bring(const tsr_discs_input &scene, bool has, uint32_t rank, const int32_t begin[2],
                      tsr_disc *discs, tile_discs *s) {
  tsr_disc disc = {};
  double x_square = 0.0;
  if (has) {
    disc = scene.discs[rank];
    x_square = tsr_disc_nearest(disc.x, begin[0], begin[0] + tsr_discs_tile - 1);
    discs[threadIdx.x] = disc;
    s->ranks[threadIdx.x] = rank;
  }
  for (int w = 0; w < warps; ++w) {
    const int32_t y = begin[1] + w * rows;
    const bool touches =
        has && tsr_disc_covers(x_square, tsr_disc_nearest(disc.y, y, y + rows - 1), disc.square);
    const unsigned all = __ballot_sync(~0u, touches);
    if (threadIdx.x % lanes == 0)
      s->touches[w][threadIdx.x / lanes] = all;
  }
  __syncthreads();
}

// Draws one disc on the samples of a lane.
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

template <bool GAUSSIAN>
__device__ void draw_batch(const tsr_disc *discs, const tile_discs &s, const double *falloff,
                           int32_t x, int32_t y, double channel[rows][4], int32_t top[rows]) {
  const unsigned warp = threadIdx.x / lanes;
  for (int word = 0; word < warps; ++word)
    for (unsigned left = s.touches[warp][word]; left; left &= left - 1) {
      const int k = word * lanes + __ffs((int)left) - 1;
      draw_disc<GAUSSIAN>(discs[k], falloff, x, y, channel, (int32_t)s.ranks[k], top);
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
__global__ void __launch_bounds__(threads, 2)
    draw_kernel(tsr_discs_input scene, tsr_discs_pairs pairs, bool sorted, output out) {
  __shared__ shared_part part;
  __shared__ union {
    tile_discs discs;
    int32_t tops[samples]; // after the last disc
  } of_tile;
  tile_discs &found = of_tile.discs;
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
  int64_t at = sorted ? pairs.begin[blockIdx.x] : 0;
  const int64_t end = sorted ? pairs.begin[blockIdx.x + 1] : scene.n;
  while (at < end) {
    const int64_t first = at;
    const int64_t n = sorted ? end - first : find_discs(scene, begin, &at, &found);
    at = sorted ? end : at;
    for (int64_t batch = 0; batch < n; batch += threads) {
      const int64_t mine = batch + threadIdx.x;
      const uint32_t rank = mine >= n ? 0 : sorted ? pairs.ranks[first + mine] : found.found[mine];
      bring(scene, mine < n, rank, begin, part.discs, &found);
      draw_batch<GAUSSIAN>(part.discs, found, falloff, x, y, channel, top);
      __syncthreads();
    }
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
    of_tile.tops[at] = top[r];
  }
  __syncthreads();
  store_pixels(scene, out, part.channel, of_tile.tops, begin);
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
