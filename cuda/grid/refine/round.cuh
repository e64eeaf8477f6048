// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of a round of the guarantee share.
#ifndef TSR_GRID_ROUND_CUH
#define TSR_GRID_ROUND_CUH

#include "cuda/grid/cut.cuh"
#include "grid/refine/descent_math.h"

// What was noted in a round, in one place that the host reads; and what came of it. Numbers are of
// what there is, also where a list has no room for it.
struct tsr_noted {
  unsigned cut;                          // 1: leaves have their bits in `cut`
  unsigned look;                         // 1: leaves have their bits in `look`
  unsigned fresh;                        // nodes that are refined since the round before
  unsigned added;                        // leaves that ask for more
  unsigned list[TSR_GRID_MAX_LEVEL + 2]; // leaves of each list
};

// Where balance looks: by direction, children on that side; else 0.
struct tsr_sides {
  uint8_t of[27];
};

struct tsr_round {
  const tsr_grid_frame *frame; // the tree after closure
  const tsr_grid_frame *last;  // that of the round before; NULL: there was none
  uint8_t *base;               // the tree before closure
  const uint8_t *seen;         // the same as far as criteria looked at it: without marks from other
                               // plans, in the first round
  uint8_t *look, *cut;         // leaves to look at
  tsr_cut_table *table;
  const tsr_rule *rules;
  int n_rules, level;
  int64_t begin, bytes; // of the level: the first byte to look at, and the end
  tsr_noted *noted;
  const tsr_noted *before; // of the round that this one follows; NULL: it goes through all nodes
  uint64_t *fresh, *asked; // lists of what the numbers count
  int bits;                // 1: leaves with bits are looked at in every round
  // Leaves to look at, as far as there is room: the first list has those that were noted; what one
  // list refines leaves its children to the next one. The lists after the first take turns.
  uint64_t *list[3];
  unsigned room;
  int by_weights; // 0: leaves that are cut are not for the list
};

// A leaf of the list: a child of byte n of a level, cut as a slot of the table says, or whole.
const int tsr_not_cut = 4095;
static_assert(tsr_not_cut >= (int)tsr_cut_slots, "it is the number of a slot");
static __device__ __forceinline__ uint64_t tsr_pack_leaf(int level, int64_t n, unsigned child,
                                                         int slot) {
  return (uint64_t)n << 20 | (uint64_t)level << 15 | (uint64_t)child << 12 | (uint64_t)slot;
}

// What that says but for the slot.
static __device__ inline void tsr_unpack_leaf(const tsr_grid_frame &f, uint64_t leaf, int *level,
                                              int64_t *n, int64_t i[3]) {
  int64_t parent[3];
  *level = (int)(leaf >> 15 & 31);
  *n = (int64_t)(leaf >> 20);
  tsr_frame_parent(f, *level, *n, parent);
  tsr_descent_child(&f.lattice, parent, (unsigned)(leaf >> 12 & 7), i);
}

// Appends what the lanes of a warp have, all of which call it. 0: a lane has none, or no room.
static __device__ inline int tsr_append(unsigned *count, uint64_t *list, unsigned room, int has,
                                        uint64_t what) {
  const unsigned lane = threadIdx.x % 32, all = __ballot_sync(0xffffffffu, has);
  unsigned first = 0;
  if (all == 0)
    return 0;
  if (lane == 0)
    first = atomicAdd(count, (unsigned)__popc(all));
  const unsigned at =
      __shfl_sync(0xffffffffu, first, 0) + (unsigned)__popc(all & ((1u << lane) - 1));
  if (has && at < room)
    list[at] = what;
  return has && at < room;
}

// Puts leaves into list number `to`, in the same way.
static __device__ inline int tsr_put_leaves(const tsr_round &round, int to, int has,
                                            uint64_t leaf) {
  return tsr_append(&round.noted->list[to], round.list[to == 0 ? 0 : 1 + to % 2], round.room, has,
                    leaf);
}

// 1 if there is something for a round to do, and the lists of the one before say all of it.
static __device__ inline int tsr_goes_on(const tsr_round &round) {
  const tsr_noted *before = round.before;
  return before->added > 0 && before->added <= round.room &&
         (round.bits || !(before->cut || before->look));
}

// 1 if a node's leaf may be refined. Input cells have no points within.
static __device__ inline int tsr_is_open(const tsr_grid_frame &f, int level, const int64_t i[3]) {
  return level < f.lattice.coarsen &&
         level < tsr_region_limit(&f.lattice, &f.options, f.whole, level, i) &&
         !tsr_frame_hides(f, level, i);
}

// The first byte and the end of each level that the kernels are to look at.
struct tsr_level_bytes {
  int64_t at[TSR_GRID_MAX_LEVEL + 1][2];
};

// ---- closure.cu

// Buffer, blocks and balance.
tsr_status tsr_close_all(tsr_grid_device *grid, tsr_error *error);

// The same where nothing but balance follows from the nodes that the round before added.
tsr_status tsr_close_added(tsr_grid_device *grid, const tsr_round &round, tsr_error *error);

// ---- noting.cu

// Notes the leaves that closure made and those that are cut, the latter where `conforming`; in a
// round that follows another, around the fresh nodes.
tsr_status tsr_note_leaves(tsr_grid_device *grid, const tsr_round &round, bool conforming,
                           tsr_error *error);

// ---- looking.cu

// Looks at the leaves of the lists: children of the deepest leaves are input cells.
tsr_status tsr_look_at_lists(tsr_grid_device *grid, const tsr_round &round,
                             const tsr_level_bytes &bytes, tsr_error *error);

// The leaves that have bits, level by level, whose bits it takes away.
tsr_status tsr_look_at_bits(tsr_grid_device *grid, tsr_round round, const tsr_level_bytes &bytes,
                            tsr_error *error);

#endif
