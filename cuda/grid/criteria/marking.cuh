// SPDX-License-Identifier: BSD-3-Clause
// The marks of a rule: a bit for every node that it asks to refine.
#ifndef TSR_GRID_CRITERIA_MARKING_CUH
#define TSR_GRID_CRITERIA_MARKING_CUH

#include "cuda/grid/plan.cuh"

// Fills frame.seen: which nodes have visible cells, and which have hidden ones.
tsr_status tsr_grid_see(tsr_grid_device *grid, tsr_error *error);

// How a rule is marked; choose.cu says which way takes which rule. Times are those of 513 cubed
// floats on one H200 (docs/adaptive-grid-cuda.md).
enum tsr_way {
  TSR_WAY_RANGE_PASS,    // one pass reads every value once: 0.21 ms
  TSR_WAY_SLOPE_PASS,    // gradient or standard deviation in such a pass: 0.26 ms
  TSR_WAY_ERROR_BOUNDS,  // a pass bounds the error of nodes; few are looked at: 0.38 ms, 0.16 ms if
                         // the bounds are there from an earlier plan
  TSR_WAY_ERROR_COLUMNS, // a warp or a block looks at a node, column by column: 0.55 ms
  TSR_WAY_ERROR_NODES,   // a node is looked at point by point, with the CPU's arithmetic
  TSR_WAY_LEVELS         // one kernel a level combines what children have: 11.4 ms
};
tsr_way tsr_way_of(const tsr_grid_device *grid, const tsr_rule &rule, int alone);

// Sets the bits of all nodes that the rule asks to refine; its array lies on the device. alone: no
// other rule refines nodes, and no node is refined without being asked for. fresh: the bytes of all
// owned nodes are overwritten, for rules that the way TSR_WAY_RANGE_PASS takes; otherwise bits are
// added to them.
tsr_status tsr_mark_rule(tsr_grid_device *grid, tsr_rule rule, int alone, int fresh,
                         tsr_error *error);

// ---- the ways

tsr_status tsr_mark_by_levels(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);
tsr_status tsr_mark_by_slope_pass(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);
tsr_status tsr_mark_by_error_nodes(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// A node with a value that is not finite is refined; `odd` is then set, unless the rule has a last
// level. bounds: 1: bounds come first.
tsr_status tsr_mark_by_error_columns(tsr_grid_device *grid, const tsr_rule &rule, int alone,
                                     int bounds, tsr_error *error);

// if_odd: does nothing unless `odd` is set. tsr_range_pass_memory allocates the memory for it,
// before the time is measured.
tsr_status tsr_mark_by_range_pass(tsr_grid_device *grid, const tsr_rule &rule, int fresh,
                                  int if_odd, tsr_error *error);
tsr_status tsr_range_pass_memory(tsr_grid_device *grid, tsr_error *error);

// ---- payloads

// One step of tsr_mark_by_levels: computes the payloads of the nodes of `level` from those of the
// level below, which must have been made before. With `marks`, it also sets the bits of the level
// below. level -1: computes no payloads; with `marks` it sets the bits of the roots.
tsr_status tsr_grid_payload_level(tsr_grid_device *grid, const tsr_rule &rule, int level, int marks,
                                  tsr_error *error);

// Payloads of a level, three numbers for each node. They are valid until the second level above it
// is made.
const double *tsr_grid_payloads_of(const tsr_grid_device *grid, int level);

// tsr_grid_clear_found clears what the rules of the request count beside setting marks;
// tsr_grid_raise_notes adds these counts to the notes of the report.
tsr_status tsr_grid_clear_found(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_error *error);
tsr_status tsr_grid_raise_notes(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_error *error);

// Counts the input cells whose measure is not finite.
tsr_status tsr_grid_count_bad(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error);

// Allocates memory for the payloads of the owned nodes of a level.
tsr_status tsr_grid_payloads(tsr_grid_device *grid, int slot, int level, tsr_error *error);

#endif
