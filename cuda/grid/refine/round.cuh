// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of a round of the guarantee share.
#ifndef TSR_GRID_ROUND_CUH
#define TSR_GRID_ROUND_CUH

#include "cuda/grid/cut.cuh"
#include "grid/refine/descent_math.h"

// What was noted, in one place that the host reads; and what came of it.
struct tsr_noted {
  unsigned cut;  // 1: leaves have their bits in `cut`
  unsigned look; // 1: leaves have their bits in `look`
  unsigned added;
  unsigned list[TSR_GRID_MAX_LEVEL + 2]; // leaves of each list, or how many there would be
};

struct tsr_round {
  const tsr_grid_frame *frame; // the tree after closure
  const tsr_grid_frame *last;  // that of the round before; NULL: there was none
  uint8_t *base;               // the tree before closure
  uint8_t *look, *cut;         // leaves to look at
  tsr_cut_table *table;
  const tsr_rule *rules;
  int n_rules, level;
  int64_t begin, bytes; // of the level: the first byte to look at, and the end
  tsr_noted *noted;
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

// Puts a leaf into list number `to`. 0: there is no room.
static __device__ inline int tsr_put_leaf(const tsr_round &round, int to, uint64_t leaf) {
  const unsigned at = atomicAdd(&round.noted->list[to], 1u);
  if (at < round.room)
    round.list[to == 0 ? 0 : 1 + to % 2][at] = leaf;
  return at < round.room;
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

// ---- noting.cu

// Notes the leaves that closure made and those that are cut, the latter where `conforming`.
tsr_status tsr_note_leaves(tsr_grid_device *grid, const tsr_round &round, bool conforming,
                           tsr_error *error);

// ---- looking.cu

// Looks at the leaves of the lists: children of the deepest leaves are input cells.
tsr_status tsr_look_at_lists(tsr_grid_device *grid, const tsr_round &round,
                             const tsr_level_bytes &bytes, const tsr_noted &noted,
                             tsr_error *error);

// The leaves that have bits, level by level.
tsr_status tsr_look_at_bits(tsr_grid_device *grid, tsr_round round, const tsr_level_bytes &bytes,
                            const tsr_noted &noted, tsr_error *error);

#endif
