// SPDX-License-Identifier: BSD-3-Clause
// A plan of points on a device. Either the points get keys, which are sorted by a radix sort, and
// one of two functions then finds the leaves; or a recursion sorts the points and finds the leaves
// itself.
#ifndef TSR_POINTGRID_DEVICE_CUH
#define TSR_POINTGRID_DEVICE_CUH

#include "cuda/common/executor.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "pointgrid/backend.h"
#include "pointgrid/tree/tree_math.h"

// Arguments of the kernels.
struct tsr_pointgrid_frame {
  tsr_pointgrid_cube cube;
  tsr_pointgrid_rule rule;
  tsr_array points, spread; // on the device
  const uint8_t *hidden;
  int spread_component;
  int64_t n;                // number of keys: one for each point that counts
  const uint64_t *keys;     // sorted
  const int64_t *points_of; // the point of each key
};

// A plan's points on a device.
struct tsr_pointgrid_device : tsr_opened {
  tsr_pointgrid_frame frame;
  const int64_t *chunk_begin; // first chunk of values of each leaf, and the number of all; NULL:
                              // not counted
  int64_t n_chunks;
};

// ---- the backend's functions

tsr_status tsr_pointgrid_cuda_sort(tsr_pointgrid_device *plan, const tsr_pointgrid_input *input,
                                   tsr_pointgrid_sorted *sorted, tsr_error *error);
tsr_status tsr_pointgrid_cuda_values(tsr_pointgrid_device *plan, const tsr_pointgrid_input *input,
                                     const tsr_pointgrid_sorted *sorted, const int64_t *cell_leaf,
                                     int64_t cells, const tsr_pointgrid_attribute *attribute,
                                     tsr_error *error);

// ---- tree/

// Leaves in any order.
struct tsr_pointgrid_found {
  int64_t n;
  uint64_t *keys;
  tsr_pointgrid_leaf *leaves;
};

// Finds the leaves from the sorted keys alone, without going through the levels. Only for rules
// without spread, if all keys are owned.
tsr_status tsr_pointgrid_flat(const tsr_pointgrid_frame &frame, tsr_memory *memory,
                              cudaStream_t stream, tsr_pointgrid_found *leaves, tsr_error *error);

// Finds the leaves level by level: the host launches a kernel for each level, and reads how many
// cells are split.
tsr_status tsr_pointgrid_waves(const tsr_pointgrid_frame &frame, tsr_memory *memory,
                               cudaStream_t stream, tsr_pointgrid_found *leaves, tsr_error *error);

// A cell that the recursion still has to handle.
struct tsr_pointgrid_node {
  uint64_t key;
  int64_t begin, end;
  int level;
  int side; // which of the two arrays holds its points
};

// Input of the recursion: the cells that it starts from, and the arrays between which it moves the
// points. Keys and points exist twice; the first ones are filled.
struct tsr_pointgrid_recursion {
  int64_t n;
  std::vector<tsr_pointgrid_node> nodes;
  uint64_t *keys[2];
  int64_t *points[2];
  int64_t *order; // receives the points, leaf by leaf
};

// The level down to which points are sorted before the recursion; 0: it starts at the root.
int tsr_pointgrid_top_level(const tsr_pointgrid_rule &rule, int64_t n);

// Finds the cells from which the recursion starts: those of the given level, and leaves above it.
// The key of a point in a leaf above the level becomes the leaf's key: if the points are then
// sorted stably by the bits of the level, each cell has its points in their original order. keys:
// one for each input point, all bits set if the point does not count.
tsr_status tsr_pointgrid_top(tsr_pointgrid_device *plan, uint64_t *keys, int level,
                             std::vector<tsr_pointgrid_node> *nodes, tsr_error *error);

// Finds the leaves by recursive child grids, for rules of counts only. leaves: `n` is the room on
// input, and the number of leaves on output; if that is larger than the room, the leaves beyond it
// are not written.
tsr_status tsr_pointgrid_recursive(tsr_pointgrid_device *plan, const tsr_pointgrid_recursion &work,
                                   const tsr_pointgrid_input *input, tsr_pointgrid_found *leaves,
                                   tsr_error *error);

// Index of the first of the sorted keys [low, high) that is not less than `key`; high if there is
// none.
static __device__ inline int64_t tsr_pointgrid_lower_bound(const uint64_t *keys, int64_t low,
                                                           int64_t high, uint64_t key) {
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
