// SPDX-License-Identifier: BSD-3-Clause
// A grid on the device. First every node gets the bits of what criteria ask for, in a pass over the
// field (the marks); then the levels are gone through from the roots down, and the bits of nodes
// that do not exist are taken away (the waves).
#ifndef TSR_GRID_CUH
#define TSR_GRID_CUH

#include "cuda/common/opened.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "grid/backend.h"
#include "grid/output/point_math.h"
#include "grid/output/rank_math.h"

// Work of a level that one block goes through with the levels above it.
const int64_t tsr_small_level = 8192;

// What kernels know of the grid; a copy lies on the device.
struct tsr_grid_frame {
  tsr_lattice lattice;
  tsr_space space;
  tsr_tree tree; // dense: on the device
  tsr_grid_options options;
  int64_t whole[6];
  const uint8_t *hidden;
  int64_t range[TSR_GRID_MAX_LEVEL + 1][3][2]; // owned nodes of a level
  uint8_t
      *seen[TSR_GRID_MAX_LEVEL + 1]; // owned nodes above input level: bit 0 visible cells, 1 hidden
  int levels;                        // that are decided here
  int may_force;                     // nodes can be refined without being asked for
  int masks_only;                    // nodes are refined where asked for, if their parent is
};

// Nodes that go on at each level, and the last level that was gone through. In host memory that the
// device sees.
struct tsr_wave_state {
  volatile unsigned long long refined[TSR_GRID_MAX_LEVEL + 1];
  volatile int level; // highest level that is done; -1: none
  volatile int launched;
  volatile int code;              // of the launch that failed
  unsigned long long totals[128]; // what copies bring
};

// On the device.
struct tsr_wave_count {
  unsigned long long refined[TSR_GRID_MAX_LEVEL + 1];
  unsigned done[TSR_GRID_MAX_LEVEL + 1]; // blocks
};

// What the marking kernels find beside the marks.
struct tsr_grid_found {
  unsigned long long bad, first_bad, flat, first_flat;
  int odd; // the tuned pass met what is not finite
};

struct tsr_cut_table; // cut.cuh
struct tsr_noted;     // refine/round.cuh

// What a whole plan has on the device, in the order in which it is made; see whole.cuh.
struct tsr_grid_whole {
  tsr_grid_node *marks; // from other plans
  uint8_t *own;         // with those: the tree before them
  uint8_t *base, *last; // trees of the guarantee: before closure; after that of the round before
  tsr_grid_node *marks_made; // n_marks
  int64_t n_marks;
  uint8_t *look;                  // leaves to look at: new ones, and those that are cut
  uint8_t *copy;                  // of a level, for the buffer
  tsr_grid_frame last_h, *last_d; // the frame with the tree `last`
  std::vector<tsr_rule> rules_h;
  tsr_rule *rules;
  int64_t begin[3], units[3], n_units; // the first; along each axis, and in all
  int64_t *unit_first;                 // n_units + 1: leaves before each
  unsigned long long *of_level;
  tsr_grid_node *nodes; // n
  int64_t n;
  uint64_t *list; // of the rounds: five times list_room leaves or nodes
  unsigned list_room;
  tsr_noted *noted;     // see refine/round.cuh
  tsr_cut_table *table; // the ways in which leaves are cut
  unsigned table_used;  // how many there are, all of them made; 0: not known
  uint32_t *has;        // places of the leaves that are cut; 0 for the others
  int32_t *cut_list;    // n_cut leaves, in any order
  int64_t n_cut;
  int64_t *cell, *entry, *centre; // n + 1: cells, entries, centres before each leaf; of polygons,
                                  // entries alone
  int64_t cells, entries, centres;
  int is_listed; // 1: the search for a budget has listed the leaves, and counted their parts
  tsr_ranks ranks;
  uint64_t *places; // n_points input points
  int64_t n_points;
  // Levels below the input cells.
  tsr_grid_node *large;           // n_large leaves, as if there were no such levels
  int64_t n_large, *large_before; // leaves before each
  int64_t *brick_cell; // n_bricks: the bit, in the level of the input cells, of each brick's cell
  uint8_t *kept_bricks, *brick_copy;
  tsr_grid_points points; // instead of ranks; `places` are those of the lattice
  // Trees and patches: `nodes` are then all of their cells.
  uint8_t *states;                                // n
  int64_t nodes_of_level[TSR_GRID_MAX_LEVEL + 1]; // of those that exist, above the input cells
  int64_t *tree_first;                            // trees + 1
  tsr_grid_patch *patches;                        // n_patches
};

// Nodes that an estimate did not decide; see slope.cuh.
struct tsr_grid_doubt {
  unsigned *n; // more than `room`: not all of them are there
  uint64_t *node;
  unsigned room;
};

// Input that does not fit; see slabs.cuh.
struct tsr_grid_slabs {
  std::vector<tsr_grid_frame>
      frames; // with the nodes of each slab; none: all of the input is there
  tsr_grid_frame *frames_d;
  char *buffer[2];
  int64_t bytes[2];
  int64_t margin;      // layers of cells around a slab that come with it
  cudaEvent_t used[2]; // the kernels that read a buffer
  int now;
  size_t n_before; // arrays that are there beside the slab's
};

struct tsr_grid_device : tsr_opened {
  tsr_grid_frame frame; // the host's copy
  tsr_grid_frame *frame_d;
  uint8_t *bytes; // of all dense levels, one after another
  int64_t n_bytes;
  int64_t level_bytes[TSR_GRID_MAX_LEVEL + 1];
  double *payload[2]; // of two levels in turn
  int64_t payload_nodes[2];
  tsr_grid_found *found_all; // of every criterion
  tsr_grid_found *found;     // of the one being marked
  std::vector<tsr_grid_found> found_h;
  tsr_wave_count *count;
  tsr_wave_state *waves, *waves_d; // one memory, seen by both
  int failed;    // values were asked for in vain: what lies on the device may not be what it should
  int32_t *list; // the output's cells that are larger than an input cell
  tsr_grid_whole whole;
  tsr_grid_slabs slabs;
  tsr_grid_doubt doubt;
  cudaEvent_t made[2]; // the output: its cells; the rest, but for errors
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

// Which nodes have hidden cells, and visible ones.
tsr_status tsr_grid_see(tsr_grid_device *grid, tsr_error *error);

// Sets the bits of all nodes that the rule asks for. The rule's array lies on the device.
tsr_status tsr_grid_mark(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// What that is made of: the payloads of the nodes of `level`, those of the level below being made.
// -1: none, but with `marks` the roots get their bits as the children of all other levels do.
tsr_status tsr_grid_payload_level(tsr_grid_device *grid, const tsr_rule &rule, int level, int marks,
                                  tsr_error *error);

// Where those of a level lie, three numbers a node, until the second level above it is made.
const double *tsr_grid_payloads_of(const tsr_grid_device *grid, int level);

// Clears what criteria find beside the marks, of the job's rules; raises the notes by it.
tsr_status tsr_grid_clear_found(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);
tsr_status tsr_grid_raise_notes(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);

// Counts the input cells whose measure is not finite.
tsr_status tsr_grid_count_bad(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// Memory for the payloads of the owned nodes of a level.
tsr_status tsr_grid_payloads(tsr_grid_device *grid, int slot, int level, tsr_error *error);

// Interpolation error, on its own: it needs a node's points and corners, not its children.
tsr_status tsr_grid_mark_errors(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// The same where it is plain. 1 if the rule is that; alone: no other rule refines nodes. Unless the
// rule has a last level it sets `odd` where any value is not finite; nodes with such are refined.
int tsr_grid_is_plain_error(const tsr_grid_device *grid, const tsr_rule &rule);
tsr_status tsr_grid_mark_plain_errors(tsr_grid_device *grid, const tsr_rule &rule, int alone,
                                      tsr_error *error);

// The plainest case, in one pass that reads every value once. 1 if the rule is that.
int tsr_grid_is_plain(const tsr_grid_device *grid, const tsr_rule &rule);

// Memory for that, ahead of the clock.
tsr_status tsr_grid_plain_memory(tsr_grid_device *grid, tsr_error *error);

// fresh: the bytes of all owned nodes are written; else the bits are added to them. if_odd: nothing
// is done unless `odd` is set.
tsr_status tsr_grid_mark_plain(tsr_grid_device *grid, const tsr_rule &rule, int fresh, int if_odd,
                               tsr_error *error);

// Gradient and standard deviation where they are plain. 1 if the rule is that.
int tsr_grid_is_plain_slope(const tsr_grid_device *grid, const tsr_rule &rule);
tsr_status tsr_grid_mark_plain_slope(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// From the roots down; the number of levels whose bytes are made, the others are empty.
tsr_status tsr_grid_waves(tsr_grid_device *grid, int *levels_done, tsr_error *error);
tsr_status tsr_grid_device_waves(tsr_grid_device *grid, int *levels_done, tsr_error *error);

// Starts the first wave of a chain in which every level's kernel launches the next.
cudaError_t tsr_grid_chain(const tsr_grid_frame *frame, tsr_wave_count *count,
                           tsr_wave_state *waves, int small_levels, cudaStream_t stream);

// Waits for the waves' state without a copy; fails where the device failed.
tsr_status tsr_grid_wait(tsr_grid_device *grid, int level, tsr_error *error);

#endif
