// SPDX-License-Identifier: BSD-3-Clause
// Data and functions that the kernels of a round of the guarantee share.
#ifndef TSR_GRID_REFINE_ROUND_CUH
#define TSR_GRID_REFINE_ROUND_CUH

#include "cuda/common/warp.cuh"
#include "cuda/grid/cut/cut.cuh"
#include "cuda/grid/refine/refine.cuh"
#include "grid/refine/descent_math.h"

// A leaf, or a node, in a list: child `child` of byte `byte` of a level. slot: that of its set of
// places in the table of cut leaves, or tsr_not_cut.
struct tsr_packed_leaf {
  uint64_t slot : 12, child : 3, level : 5, byte : 44;
};
const unsigned tsr_not_cut = 4095;
static_assert(tsr_not_cut >= tsr_cut_slots, "it is the number of a slot");

static __device__ __forceinline__ tsr_packed_leaf tsr_pack_leaf(int level, int64_t byte,
                                                                unsigned child, unsigned slot) {
  tsr_packed_leaf leaf;
  leaf.slot = slot;
  leaf.child = child;
  leaf.level = (unsigned)level;
  leaf.byte = (uint64_t)byte;
  return leaf;
}

// What a round has found and done, in one struct that the host reads. The numbers are correct also
// if a list has no room for everything.
struct tsr_round_result {
  unsigned cut;   // 1: some leaves are marked in tsr_round::cut instead of a list
  unsigned made;  // 1: some leaves are marked in tsr_round::made instead of a list
  unsigned fresh; // number of nodes refined since the round before
  unsigned added; // number of leaves that are to be refined
  unsigned list[TSR_GRID_MAX_LEVEL + 2]; // number of leaves in each list
};

struct tsr_round {
  const tsr_grid_frame *frame; // the tree after closure
  const tsr_grid_frame *last;  // the tree after closure of the round before; NULL: there was none
  uint8_t *base;               // the tree before closure
  const uint8_t *seen; // the tree before closure without the marks of other plans: what criteria
                       // have decided. Differs from base in the first round only
  uint8_t *made, *cut; // bits of leaves to check that are in no list: new ones, and cut ones
  tsr_cut_table *table;
  const tsr_rule *rules;
  int n_rules, level;
  int64_t begin, bytes; // of the level: first byte to check, and end
  tsr_round_result *result;
  const tsr_round_result
      *before; // of the round that this one continues; NULL: it goes over all nodes
  tsr_packed_leaf *fresh, *asked; // lists of the nodes counted by `fresh` and `added`
  int bits;                       // 1: leaves marked by bits are checked in every round
  // Leaves to check, at most `room` in each list. List 0 holds those that this round found; if a
  // leaf of one list is refined, its children go to the next list. Lists after the first use
  // list[1] and list[2] in turn.
  tsr_packed_leaf *list[3];
  unsigned room;
  int by_weights; // 1: cut leaves go into the list and are checked by the weights of the table
};

// The byte, level and index of such a leaf.
static __device__ inline void tsr_unpack_leaf(const tsr_grid_frame &f, tsr_packed_leaf leaf,
                                              int *level, int64_t *n, int64_t i[3]) {
  int64_t parent[3];
  *level = (int)leaf.level;
  *n = (int64_t)leaf.byte;
  tsr_frame_parent(f, *level, *n, parent);
  tsr_descent_child(&f.lattice, parent, (unsigned)leaf.child, i);
}

// Appends the values of those lanes that have one; all threads of a warp call it. Returns 1 if the
// lane's value was stored, 0 if it has none or there was no room.
static __device__ inline int tsr_append(unsigned *count, tsr_packed_leaf *list, unsigned room,
                                        int has, tsr_packed_leaf what) {
  const unsigned at = tsr_warp_place(count, has);
  if (has && at < room)
    list[at] = what;
  return has && at < room;
}

// Appends leaves to list number `to`, as tsr_append does.
static __device__ inline int tsr_put_leaves(const tsr_round &round, int to, int has,
                                            tsr_packed_leaf leaf) {
  return tsr_append(&round.result->list[to], round.list[to == 0 ? 0 : 1 + to % 2], round.room, has,
                    leaf);
}

// 1 if the round has something to do, and the lists of the round before are complete.
static __device__ inline int tsr_goes_on(const tsr_round &round) {
  const tsr_round_result *before = round.before;
  return before->added > 0 && before->added <= round.room &&
         (round.bits || !(before->cut || before->made));
}

// 1 if a leaf may be refined by the guarantee. Input cells and smaller ones may not: they have no
// input points within.
static __device__ inline int tsr_is_open(const tsr_grid_frame &f, int level, const int64_t i[3]) {
  return level < f.lattice.coarsen &&
         level < tsr_region_limit(&f.lattice, &f.options, f.whole, level, i) &&
         !tsr_frame_hides(f, level, i);
}

// Range of bytes of each level that the kernels check: first and end.
struct tsr_level_bytes {
  int64_t at[TSR_GRID_MAX_LEVEL + 1][2];
};

// ---- closure.cu

// Closes the tree: buffer, blocks and balance.
tsr_status tsr_close_all(tsr_grid_device *grid, tsr_grid_refining *refining, tsr_error *error);

// Closes the tree if only the nodes that the round before added can violate it, and only its
// balance.
tsr_status tsr_close_added(tsr_grid_device *grid, const tsr_round &round, tsr_error *error);

// ---- finding.cu

// Finds the leaves to check: those that closure has made and, with `conforming`, those that are
// cut. In a round that continues another, it looks only around the fresh nodes.
tsr_status tsr_find_leaves(tsr_grid_device *grid, const tsr_round &round, bool conforming,
                           tsr_error *error);

// ---- checking.cu

// Checks the leaves of the lists. The leaves' children are at most as deep as input cells.
tsr_status tsr_check_lists(tsr_grid_device *grid, const tsr_round &round,
                           const tsr_level_bytes &bytes, tsr_error *error);

// Checks the leaves that are marked by bits, level by level, and clears the bits.
tsr_status tsr_check_bits(tsr_grid_device *grid, tsr_round round, const tsr_level_bytes &bytes,
                          tsr_error *error);

#endif
