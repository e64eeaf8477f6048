// SPDX-License-Identifier: BSD-3-Clause
// Disc images on the device.
//
//     make: by the executor: upload -> keys, radix sort -> discs by rank
//     fill: few discs:  a block a tile looks through all of them
//           many discs: count tiles of each -> scan -> expand to pairs of tile and rank
//                       -> stable radix sort by tile -> a block a tile draws its own
#ifndef TSR_DISCS_PLAN_CUH
#define TSR_DISCS_PLAN_CUH

#include "cuda/common/executor.cuh"
#include "discs/backend.h"

// Samples along a side of a tile.
const int tsr_discs_tile = 32;

// The discs, as the kernels of the fill see them. All pointers are on the device.
struct tsr_discs_input : tsr_disc_list {
  int64_t n;
  int32_t tiles[2];
};

// Pairs of a tile and a disc, by tile; within a tile by rank.
struct tsr_discs_pairs {
  int64_t *first;  // n + 1: first pair of each disc before sorting
  uint32_t *tiles; // of each pair
  uint32_t *ranks;
  int64_t *begin; // tiles + 1: first pair of each tile after sorting
  int64_t n;
};

struct tsr_discs_device : tsr_opened {
  tsr_discs_input scene;
};

// The function `fill` of the backend's table; see discs/backend.h.
tsr_status tsr_discs_cuda_fill(tsr_discs_device *device, const tsr_discs_request *request,
                               const tsr_discs_output *output, tsr_error *error);

// Makes the pairs by the report's strategy. *made: 0 if there are too many of them.
tsr_status tsr_discs_bin_pairs(tsr_discs_device *device, const tsr_discs_request *request,
                               tsr_discs_pairs *pairs, int *made, tsr_error *error);

// Writes the tiles and ranks of all pairs by the report's strategy, and adds the launches to the
// report.
tsr_status tsr_discs_expand(tsr_discs_device *device, const tsr_discs_request *request,
                            const tsr_discs_pairs &pairs, tsr_error *error);

// Starts to draw. pairs: NULL if every tile tests all discs. rgba, top: output on the device, or
// NULL.
tsr_status tsr_discs_draw(tsr_discs_device *device, const tsr_discs_pairs *pairs, uint8_t *rgba,
                          int64_t *top, tsr_error *error);

static inline __device__ int4 tsr_discs_box(const tsr_discs_input &scene, int64_t rank) {
  return ((const int4 *)scene.boxes)[rank];
}

static inline __device__ int tsr_discs_is_drawn(const int4 &box) {
  return box.x <= box.y && box.z <= box.w;
}

// Range of tiles, in a row of tiles, that the disc with this rank touches.
static inline __device__ void tsr_discs_tiles_of(const tsr_discs_input &scene, int64_t rank,
                                                 const int4 &box, int64_t row, int64_t range[2]) {
  const int32_t sides[4] = {box.x, box.y, box.z, box.w};
  tsr_disc_tiles(&scene.discs[rank], sides, row, tsr_discs_tile, tsr_discs_tile, range);
}

#endif
