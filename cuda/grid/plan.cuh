// SPDX-License-Identifier: BSD-3-Clause
// A plan of Adaptive Grid on the device: the descent. First a pass over the field (the marking
// kernels) sets a bit for every node that a criterion asks to refine. Then the levels are gone
// through from the roots down (the waves), and the bits of nodes that do not exist are cleared.
#ifndef TSR_GRID_CUH
#define TSR_GRID_CUH

#include "cuda/common/opened.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "grid/backend.h"
#include "grid/output/point_math.h"
#include "grid/output/rank_math.h"

// A level of at most this many items is handled, together with the levels above it, by one block.
const int64_t tsr_small_level = 8192;

// What kernels know of the grid. Another copy lies on the device.
struct tsr_grid_frame {
  tsr_lattice lattice;
  tsr_space space;
  tsr_tree tree; // its dense levels are on the device
  tsr_grid_options options;
  int64_t whole[6];
  const uint8_t *hidden;
  int64_t range[TSR_GRID_MAX_LEVEL + 1][3][2]; // owned nodes of a level
  uint8_t *seen[TSR_GRID_MAX_LEVEL + 1]; // for each owned node above the input cells: bit 0: it has
                                         // visible cells; bit 1: hidden ones
  int levels;                            // number of levels that the device decides
  int may_force;                         // 1: nodes can be refined without being asked for
  int masks_only; // 1: a node is refined exactly if it is asked for and its parent is refined
};

// Progress of the waves: the number of refined nodes of each level, and the last level that is
// done. It lies in host memory that the device can access.
struct tsr_wave_state {
  volatile unsigned long long refined[TSR_GRID_MAX_LEVEL + 1];
  volatile int level; // highest level that is done; -1: none
  volatile int launched;
  volatile int code;              // CUDA error of the launch that failed; 0: none
  unsigned long long totals[128]; // room for totals that are copied from the device
};

// Counters of the waves, on the device.
struct tsr_wave_count {
  unsigned long long refined[TSR_GRID_MAX_LEVEL + 1];
  unsigned done[TSR_GRID_MAX_LEVEL + 1]; // blocks that have finished the level
};

// What the marking kernels count beside setting marks, for the notes.
struct tsr_grid_found {
  unsigned long long bad, first_bad, flat, first_flat;
  int odd; // 1: the tuned pass met a value that is not finite
};

struct tsr_cut_table; // cut.cuh
struct tsr_noted;     // refine/round.cuh

// Device data of a plan whose closure and output are made on the device, too, in the order in which
// they are made; see whole.cuh.
struct tsr_grid_whole {
  tsr_grid_node *marks; // from other plans
  uint8_t *own;         // the tree before these marks were added
  uint8_t *base,
      *last; // trees of the guarantee: before closure; after the closure of the round before
  tsr_grid_node *marks_made; // n_marks
  int64_t n_marks;
  uint8_t *look;                  // bits of the leaves to check: new ones, and those that are cut
  uint8_t *copy;                  // copy of a level, for the buffer
  tsr_grid_frame last_h, *last_d; // the frame with the tree `last`
  std::vector<tsr_rule> rules_h;
  tsr_rule *rules;
  int64_t begin[3], units[3], n_units; // first unit; number of units along each axis, and in all
  int64_t *unit_first;                 // n_units + 1; number of leaves before each unit
  unsigned long long *of_level;
  tsr_grid_node *nodes; // n
  int64_t n;
  uint64_t *list; // lists of the rounds: five, of list_room leaves or nodes each
  unsigned list_room;
  tsr_noted *noted;     // see refine/round.cuh
  tsr_cut_table *table; // the ways in which leaves are cut
  unsigned table_used;  // number of used entries of the table, all made; 0: not known
  uint32_t *has;     // for each leaf: bits of the places that it has if it is cut; 0: it is not cut
  int32_t *cut_list; // n_cut leaves, in any order
  int64_t n_cut;
  int64_t *cell, *entry, *centre; // n + 1; number of cells, connectivity entries and centre points
                                  // before each leaf; polygons: entries only
  int64_t cells, entries, centres;
  int is_listed; // 1: the search for a budget has already listed the leaves and counted their parts
  tsr_ranks ranks;
  uint64_t *places; // n_points input points
  int64_t n_points;
  // Levels below the input cells.
  tsr_grid_node *large; // n_large leaves of the tree without the levels below the input cells
  int64_t n_large, *large_before; // number of leaves before each of them
  int64_t *brick_cell; // n_bricks; the bit, in the level of the input cells, of the cell that a
                       // brick divides
  uint8_t *kept_bricks, *brick_copy;
  tsr_grid_points points; // used instead of ranks; `places` are then places on the lattice
  // Output as trees or patches: `nodes` are then all cells of the trees or patches.
  uint8_t *states; // n
  int64_t nodes_of_level[TSR_GRID_MAX_LEVEL +
                         1]; // number of existing nodes of each level above the input cells
  int64_t *tree_first;       // trees + 1; first node of each tree
  tsr_grid_patch *patches;   // n_patches
};

// List of the nodes for which an estimate in single precision was not sure; see slope.cuh.
struct tsr_grid_doubt {
  unsigned *n; // number of nodes; if more than `room`, only `room` of them are in the list
  uint64_t *node;
  unsigned room;
};

// Input that does not fit on the device and is processed in slabs; see slabs.cuh.
struct tsr_grid_slabs {
  std::vector<tsr_grid_frame>
      frames; // one for each slab, with its nodes; empty: all of the input is there
  tsr_grid_frame *frames_d;
  char *buffer[2];
  int64_t bytes[2];
  int64_t margin;      // number of layers of cells around a slab that are uploaded with it
  cudaEvent_t used[2]; // happens when the kernels that read the buffer are done
  int now;
  size_t n_before; // number of uploaded arrays that are not of the slab
};

struct tsr_grid_device : tsr_opened {
  tsr_grid_frame frame; // the host's copy
  tsr_grid_frame *frame_d;
  uint8_t *bytes; // dense levels of the tree, one after another
  int64_t n_bytes;
  int64_t level_bytes[TSR_GRID_MAX_LEVEL + 1];
  double *payload[2]; // payloads of two levels, used in turn
  int64_t payload_nodes[2];
  tsr_grid_found *found_all; // of every rule
  tsr_grid_found *found;     // of the rule that is being marked
  std::vector<tsr_grid_found> found_h;
  tsr_wave_count *count;
  tsr_wave_state *waves, *waves_d; // the same memory by its addresses on the host and on the device
  int failed;    // 1: a kernel or copy failed, so the contents of the device may be wrong
  int32_t *list; // output cells that are larger than an input cell
  tsr_grid_whole whole;
  tsr_grid_slabs slabs;
  tsr_grid_doubt doubt;
  cudaEvent_t made[2]; // events of the output: its cells are made; the rest but the errors is made
};

static inline int64_t tsr_range_nodes(const tsr_grid_frame &f, int level) {
  return (f.range[level][0][1] - f.range[level][0][0]) *
         (f.range[level][1][1] - f.range[level][1][0]) *
         (f.range[level][2][1] - f.range[level][2][0]);
}

tsr_status tsr_grid_cuda_open(const tsr_grid_job *job, tsr_grid_device **made, tsr_error *error);
tsr_status tsr_grid_cuda_descend(tsr_grid_device *grid, const tsr_grid_job *job, int keep,
                                 tsr_error *error);
void tsr_grid_cuda_close(tsr_grid_device *grid);
tsr_status tsr_grid_cuda_values(tsr_grid_device *grid, const tsr_grid_job *job,
                                const tsr_grid_values *values, int *done, tsr_error *error);

// Fills frame.seen: which nodes have visible cells, and which have hidden ones.
tsr_status tsr_grid_see(tsr_grid_device *grid, tsr_error *error);

// Sets the bits of all nodes that the rule asks to refine. The rule's array must lie on the device.
tsr_status tsr_grid_mark(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// One step of tsr_grid_mark: computes the payloads of the nodes of `level` from those of the level
// below, which must have been made before. With `marks`, it also sets the bits of the level below.
// level -1: computes no payloads; with `marks` it sets the bits of the roots.
tsr_status tsr_grid_payload_level(tsr_grid_device *grid, const tsr_rule &rule, int level, int marks,
                                  tsr_error *error);

// Payloads of a level, three numbers for each node. They are valid until the second level above it
// is made.
const double *tsr_grid_payloads_of(const tsr_grid_device *grid, int level);

// tsr_grid_clear_found clears what the rules of the job count beside setting marks;
// tsr_grid_raise_notes adds these counts to the notes of the report.
tsr_status tsr_grid_clear_found(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);
tsr_status tsr_grid_raise_notes(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);

// Counts the input cells whose measure is not finite.
tsr_status tsr_grid_count_bad(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// Allocates memory for the payloads of the owned nodes of a level.
tsr_status tsr_grid_payloads(tsr_grid_device *grid, int slot, int level, tsr_error *error);

// Sets the bits that a rule of interpolation error asks for. It has a function of its own, since it
// needs the points and corners of a node, not the payloads of its children.
tsr_status tsr_grid_mark_errors(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// Faster version of tsr_grid_mark_errors for common rules; tsr_grid_is_plain_error says whether a
// rule is one. alone: no other rule refines nodes. A node with a value that is not finite is
// refined; `odd` is then set, unless the rule has a last level.
int tsr_grid_is_plain_error(const tsr_grid_device *grid, const tsr_rule &rule);
tsr_status tsr_grid_mark_plain_errors(tsr_grid_device *grid, const tsr_rule &rule, int alone,
                                      tsr_error *error);

// True if tsr_grid_mark_plain can mark the rule: the value range of one float or double for each
// sample, in three dimensions, by one pass that reads every value once.
int tsr_grid_is_plain(const tsr_grid_device *grid, const tsr_rule &rule);

// Allocates the memory that tsr_grid_mark_plain needs, before the time is measured.
tsr_status tsr_grid_plain_memory(tsr_grid_device *grid, tsr_error *error);

// Marks such a rule. fresh: the bytes of all owned nodes are overwritten; otherwise bits are added
// to them. if_odd: does nothing unless `odd` is set.
tsr_status tsr_grid_mark_plain(tsr_grid_device *grid, const tsr_rule &rule, int fresh, int if_odd,
                               tsr_error *error);

// Faster marking of rules of the gradient and the standard deviation; tsr_grid_is_plain_slope says
// whether a rule can be marked so.
int tsr_grid_is_plain_slope(const tsr_grid_device *grid, const tsr_rule &rule);
tsr_status tsr_grid_mark_plain_slope(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// Runs the waves from the roots down. *levels_done: number of levels whose bytes are made; deeper
// levels are empty. In tsr_grid_device_waves, kernels launch the kernels of the next level.
tsr_status tsr_grid_waves(tsr_grid_device *grid, int *levels_done, tsr_error *error);
tsr_status tsr_grid_device_waves(tsr_grid_device *grid, int *levels_done, tsr_error *error);

// Starts the first wave of a chain, in which the kernel of each level launches that of the next.
cudaError_t tsr_grid_chain(const tsr_grid_frame *frame, tsr_wave_count *count,
                           tsr_wave_state *waves, int small_levels, cudaStream_t stream);

// Waits until `level` is done by reading the waves' state in host memory, without a copy. Returns
// an error if the device has failed.
tsr_status tsr_grid_wait(tsr_grid_device *grid, int level, tsr_error *error);

#endif
