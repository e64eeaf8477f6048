// SPDX-License-Identifier: BSD-3-Clause
// Points into leaves on the device: keys, a radix sort, then the leaves by one of two ways; or a
// recursion that sorts by itself.
#ifndef TSR_POINTGRID_SORT_CUH
#define TSR_POINTGRID_SORT_CUH

#include "cuda/common/opened.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "pointgrid/backend.h"

// What kernels know.
struct tsr_points_frame {
  tsr_pointgrid_cube cube;
  tsr_pointgrid_rule rule;
  tsr_array points, spread; // on the device
  const uint8_t *hidden;
  int spread_component;
  int64_t n;                // keys of points that count
  const uint64_t *keys;     // sorted
  const int64_t *points_of; // the point of each key
};

// A plan's points on a device.
struct tsr_pointgrid_device : tsr_opened {
  tsr_points_frame frame;
  const tsr_pointgrid_leaf *leaves; // after the sort, in Morton order
  int64_t n_leaves;
  const int64_t *order;     // points, leaf by leaf
  const uint64_t *corners;  // after the corners: places on the finest lattice, rising
  const int64_t *corner_of; // the corner of each leaf's each corner
  int64_t n_corners;
  const int64_t *chunk_begin; // of each leaf its first chunk of values, and all; NULL: not counted
  int64_t n_chunks;
};

tsr_status tsr_pointgrid_cuda_open(const tsr_pointgrid_job *job, tsr_pointgrid_device **made,
                                   tsr_error *error);
tsr_status tsr_pointgrid_cuda_box(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                                  tsr_pointgrid_box *box, tsr_error *error);
tsr_status tsr_pointgrid_cuda_sort(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                                   tsr_pointgrid_summary *summary, int64_t *n, tsr_error *error);
tsr_status tsr_pointgrid_cuda_fetch(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                                    int64_t *order, tsr_pointgrid_leaf *leaves, tsr_error *error);
tsr_status tsr_pointgrid_cuda_corners(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                                      int finest, int64_t *n, tsr_error *error);
tsr_status tsr_pointgrid_cuda_fill(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                                   const tsr_pointgrid_output *output, tsr_error *error);
tsr_status tsr_pointgrid_cuda_attribute(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                                        const tsr_pointgrid_attribute *attribute, tsr_error *error);
void tsr_pointgrid_cuda_close(tsr_pointgrid_device *plan);

// One attribute of cells; from: its array on the device.
tsr_status tsr_points_values(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                             const tsr_pointgrid_attribute *attribute, const void *from,
                             tsr_error *error);

// Leaves in any order.
struct tsr_points_leaves {
  int64_t n;
  uint64_t *keys;
  tsr_pointgrid_leaf *leaves;
};

// From the keys alone: the cells that hold too many are found without going through the levels.
// For rules without spread, where all keys are owned.
tsr_status tsr_points_flat(const tsr_points_frame &frame, tsr_memory *memory, cudaStream_t stream,
                           tsr_points_leaves *leaves, tsr_error *error);

// Level by level: the host launches each, and reads how many cells are split.
tsr_status tsr_points_waves(const tsr_points_frame &frame, tsr_memory *memory, cudaStream_t stream,
                            tsr_points_leaves *leaves, tsr_error *error);

// A cell that the recursion is to look at.
struct tsr_points_node {
  uint64_t key;
  int64_t begin, end;
  int level;
  int side; // which of the two arrays holds its points
};

// What the recursion starts from: the cells, and the arrays that it moves points in: keys and
// points twice, the first ones filled.
struct tsr_points_work {
  int64_t n;
  std::vector<tsr_points_node> nodes;
  uint64_t *keys[2];
  int64_t *points[2];
  int64_t *order; // receives the points, leaf by leaf
};

// The level down to which points are sorted before the recursion; 0: it starts at the root.
int tsr_points_top_level(const tsr_pointgrid_rule &rule, int64_t n);

// The cells that are not split down to that level, or of it. Keys of points in a cell above it
// become the cell's: sorted stably by the bits of the level, the points lie in these cells, each in
// its order. keys: one a point of the input, all bits where it does not count.
tsr_status tsr_points_top(tsr_pointgrid_device *plan, uint64_t *keys, int level,
                          std::vector<tsr_points_node> *nodes, tsr_error *error);

// By recursive child grids, with the rule's counts alone. leaves: n says how many there is room
// for, and becomes how many there are; where that is more, the rest was not written.
tsr_status tsr_points_recursive(tsr_pointgrid_device *plan, const tsr_points_work &work,
                                const tsr_pointgrid_job *job, tsr_points_leaves *leaves,
                                tsr_error *error);

// First of the sorted keys [low, high) that is not below the key.
static __device__ inline int64_t tsr_points_bound(const uint64_t *keys, int64_t low, int64_t high,
                                                  uint64_t key) {
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#endif
