// SPDX-License-Identifier: BSD-3-Clause
// The marks of a rule: a bit for every node that it asks to refine.
#ifndef TSR_GRID_MARKING_CUH
#define TSR_GRID_MARKING_CUH

#include "cuda/grid/plan.cuh"

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

#endif
