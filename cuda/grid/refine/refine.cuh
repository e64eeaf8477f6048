// SPDX-License-Identifier: BSD-3-Clause
// Refinement of a plan that is whole on the device, after the descent to the input cells: marks of
// other plans, levels below the input cells, closure, and the guarantee of the interpolation error.
#ifndef TSR_GRID_REFINE_REFINE_CUH
#define TSR_GRID_REFINE_REFINE_CUH

#include "cuda/grid/plan.cuh"
#include "grid/refine/closure_math.h"

struct tsr_cut_ways;     // cut.cuh
struct tsr_packed_leaf;  // round.cuh
struct tsr_round_result; // round.cuh

// Marks that this plan gets from other plans, and those that it makes for them.
struct tsr_grid_mark_lists {
  tsr_grid_node *given; // options.marks, on the device; NULL: not uploaded yet
  uint8_t *unmarked;    // the tree before they were added; NULL: none were added
  tsr_grid_node *made;  // n_made
  int64_t n_made;
};

// Levels below the input cells, beside the bricks of the frame's tree.
struct tsr_grid_bricks {
  int64_t *cell; // n_bricks; the bit, in the level of the input cells, of the cell that a brick
                 // divides
  uint8_t *kept; // the bricks before closure
  uint8_t *copy; // for the buffer
};

// Data of the rounds of the guarantee; see guarantee.cu.
struct tsr_grid_rounds {
  uint8_t *last;                  // the tree after the closure of the round before
  tsr_grid_frame last_h, *last_d; // the frame with this tree
  uint8_t *made;                  // bits of the leaves to check: new ones, and those that are cut
  std::vector<tsr_rule> rules_h;
  tsr_rule *rules;
  tsr_packed_leaf *list; // five lists, of list_room leaves or nodes each
  unsigned list_room;
  tsr_round_result *result; // of every round that is on the stream
};

// All that refinement keeps beside the tree, for the steps of a search for a budget.
struct tsr_grid_refining {
  tsr_grid_mark_lists marks;
  tsr_grid_bricks bricks;
  uint8_t *base; // the tree before closure
  uint8_t *copy; // of a level, for the buffer
  tsr_grid_rounds rounds;
};

// What balance looks at, by direction; see tsr_closing_sides.
struct tsr_sides {
  unsigned char of[27];
};

static inline tsr_sides tsr_sides_of(const tsr_grid_frame &f) {
  tsr_sides sides;
  tsr_closing_sides(f.lattice.dimension, &f.options, sides.of);
  return sides;
}

// What the functions of closure_math.h work on. tsr_set_node is their tsr_closing_set.
static __device__ inline tsr_closing tsr_closing_of(const tsr_grid_frame &f, const uint8_t *source,
                                                    const unsigned char *sides) {
  return {&f.lattice, &f.options, f.whole, (tsr_tree *)&f.tree, source, sides};
}

static __device__ inline void tsr_set_node(const tsr_closing *it, int level, const int64_t i[3]) {
  uint8_t *const byte = tsr_tree_byte(it->tree, it->lattice, level, i);
  if (byte)
    tsr_or_byte(byte, 1u << tsr_child_number(i));
}

// ---- marks.cu

// Refines the nodes marked by other plans (other time steps) on the levels [first, end), and their
// ancestors. With first 0, the tree before is kept in marks->unmarked.
tsr_status tsr_grid_add_marks(tsr_grid_device *grid, const tsr_grid_request *request, int first,
                              int end, tsr_grid_mark_lists *marks, tsr_error *error);

// ---- parts.cu

// Descends through the levels below the input cells: makes the bricks, also those that closure may
// need, and sets the bits that criteria ask for in them.
tsr_status tsr_grid_descend_parts(tsr_grid_device *grid, const tsr_grid_request *request,
                                  tsr_grid_bricks *bricks, tsr_error *error);

// Counts the set bits before each word of `bits`; *n: the number of all set bits.
tsr_status tsr_grid_count_bits(tsr_grid_device *grid, const tsr_bits &bits, int64_t *n,
                               tsr_error *error);

// tsr_grid_keep_bricks copies the bricks; tsr_grid_restore_bricks puts the copy back.
tsr_status tsr_grid_keep_bricks(tsr_grid_device *grid, tsr_grid_bricks *bricks, tsr_error *error);
tsr_status tsr_grid_restore_bricks(tsr_grid_device *grid, const tsr_grid_bricks &bricks,
                                   tsr_error *error);

// Adds the buffer, or blocks and balance, within the bricks.
tsr_status tsr_grid_buffer_bricks(tsr_grid_device *grid, tsr_grid_bricks *bricks, tsr_error *error);
tsr_status tsr_grid_balance_bricks(tsr_grid_device *grid, const tsr_grid_bricks &bricks,
                                   const tsr_sides &sides, tsr_error *error);

// ---- guarantee.cu

// Allocates the memory that tsr_grid_close_tree needs, so that it is not part of the measured time.
tsr_status tsr_grid_prepare_close(tsr_grid_device *grid, const tsr_grid_request *request,
                                  tsr_grid_refining *refining, tsr_cut_ways *ways,
                                  tsr_error *error);

// Closes the tree: adds the buffer and balance, and refines until the interpolation error is within
// its threshold everywhere.
tsr_status tsr_grid_close_tree(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_grid_refining *refining, tsr_cut_ways *ways, tsr_error *error);

// ---- closed_tree.cu

// Replaces the device's tree by the request's tree, which the CPU has made.
tsr_status tsr_grid_upload_tree(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_error *error);

// Uploads the dense levels of trees of the host, each to `to`, which is arranged like grid->bytes.
struct tsr_dense_copy {
  uint8_t *to;
  const tsr_tree *from;
};
tsr_status tsr_grid_upload_dense(tsr_grid_device *grid, const tsr_grid_request *request,
                                 const std::vector<tsr_dense_copy> &trees, tsr_error *error);

#endif
