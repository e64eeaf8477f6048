/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the plan, and its phases in the order of the work. Not public. */
#ifndef TSR_MESH_MESH_H
#define TSR_MESH_MESH_H

#include "common/run/held.h"
#include "common/run/plan.h"
#include "common/support.h"
#include "mesh/backend.h"

/** A plan. Pointers to arrays are to memory of the executor unless they say otherwise. */
typedef struct tsr_mesh_plan {
  tsr_plan base;
  tsr_mesh_view view;
  tsr_mesh_options options;
  tsr_executor executor;
  tsr_mesh_device *device;
  tsr_held held; /**< all memory of the executor that the plan has */

  tsr_mesh mesh;
  tsr_mesh_tree tree;
  tsr_mesh_corners corners;
  int32_t layers;          /**< of corners without a spot */
  int64_t n_nodes;         /**< different nodes that cells asked for */
  uint64_t *nodes;         /**< their keys */
  int64_t n_more;          /**< leaves that fields split after the last round */
  uint64_t *more;          /**< their keys, sorted */
  tsr_mesh_corners old;    /**< the corners of the round before, of which `key`, `spot` and
                                `inside` are kept; n 0: none */
  int64_t *boundary_first; /**< options.whole_cells: cells + 1: faces before those of each */
  uint8_t *boundary_open;  /**< faces: 1: no other cell has it */
  tsr_mesh_sizes sizes;
  tsr_mesh_found_boxes *found; /**< cells: what tsr_mesh_ask found of each */
} tsr_mesh_plan;

/** Returns from the function if a step fails. All memory is the plan's, so nothing is to be freed.
 */
#define TSR_MESH_TRY(CALL)                                                                         \
  do {                                                                                             \
    const tsr_status status_of_call = (CALL);                                                      \
    if (status_of_call != TSR_OK)                                                                  \
      return status_of_call;                                                                       \
  } while (0)

/* ---- device.c */

/** Opens the executor, on the device if base.on_device says so. */
tsr_status tsr_mesh_open(tsr_mesh_plan *plan, tsr_error *error);
/** Frees all memory of the executor, and closes the device. */
void tsr_mesh_close(tsr_mesh_plan *plan);
/** Allocates n * size bytes of the executor's memory, owned by the plan. */
tsr_status tsr_mesh_alloc(tsr_mesh_plan *plan, void *to, int64_t n, size_t size, const char *what,
                          tsr_error *error);
/** Frees memory from tsr_mesh_alloc before the plan ends; to: points to the pointer, which becomes
 *  NULL. */
void tsr_mesh_release(tsr_mesh_plan *plan, void *to);
/** Scans counts[0..n), and reads the total. */
tsr_status tsr_mesh_sum(tsr_mesh_plan *plan, int64_t *counts, int64_t n, int64_t *total,
                        tsr_error *error);

/* ---- check.c */

/** Checks the caller's structs. */
tsr_status tsr_mesh_take(void *plan, const void *view, const void *options, tsr_error *error);
/** Brings the view's arrays to the executor, and checks the cells. */
tsr_status tsr_mesh_check_cells(tsr_mesh_plan *plan, tsr_error *error);

/* ---- lattice.c */

/** Finds the axes, the size of the finest cells and the domain; places of all points. */
tsr_status tsr_mesh_make_lattice(tsr_mesh_plan *plan, tsr_error *error);

/* ---- touch/sort.c */

/** Keeps each of n sorted words once, in memory that *words receives. */
tsr_status tsr_mesh_keep_unique(tsr_mesh_plan *plan, uint64_t **words, int64_t *n,
                                tsr_error *error);
/** Sorts n words by their lowest `bits` bits. *words may receive other memory of the plan. */
tsr_status tsr_mesh_sort_words(tsr_mesh_plan *plan, uint64_t **words, int64_t n, int bits,
                               tsr_error *error);
/** Returns the number of bits of a node's key. */
static inline int tsr_mesh_node_bits(const tsr_mesh *mesh) {
  return mesh->dimension * mesh->bits + 1;
}
/** Allocates n pairs of a key below 2^bits and a cell, as executor.alloc_pairs does. */
tsr_status tsr_mesh_alloc_pairs(tsr_mesh_plan *plan, tsr_pairs *pairs, int64_t n, int bits,
                                tsr_error *error);
/** Sorts n pairs by the lowest `bits` bits of their keys, and makes two arrays of them. */
tsr_status tsr_mesh_sort(tsr_mesh_plan *plan, tsr_pairs *pairs, int bits, uint64_t **key,
                         uint32_t **value, tsr_error *error);

/* ---- touch/marks.c */

/** Makes the table of nodes, plan->tree.marks, with none in it. */
tsr_status tsr_mesh_make_marks(tsr_mesh_plan *plan, tsr_error *error);
/** If the table is full, replaces it by an empty one that is larger; *grown is 1 then, otherwise 0.
 */
tsr_status tsr_mesh_grow_marks(tsr_mesh_plan *plan, int *grown, tsr_error *error);
/** Lists the nodes of the table: plan->nodes. */
tsr_status tsr_mesh_list_nodes(tsr_mesh_plan *plan, tsr_error *error);

/* ---- touch/list.c */

/** Lists the cells that touch the nodes of the table that are wanted: tree.asked and tree.by, in
 *  place of the list before. Then no node is wanted. */
tsr_status tsr_mesh_list_wanted(tsr_mesh_plan *plan, tsr_error *error);

/* ---- touch/touch.c */

/** Finds the nodes that cells ask for, and lists the corners that they may hold. */
tsr_status tsr_mesh_ask(tsr_mesh_plan *plan, tsr_error *error);
/* ---- boundary.c */

/** Finds the faces that one cell alone has. */
tsr_status tsr_mesh_find_boundary(tsr_mesh_plan *plan, tsr_error *error);
/** Flags leaves that such faces touch as outside. */
tsr_status tsr_mesh_drop_open(tsr_mesh_plan *plan, tsr_error *error);

/* ---- tree.c */

/** Makes the octree of what cells asked for and fields split. Again
 *  after tsr_mesh_drop_leaves: splits the leaves plan->more besides. */
tsr_status tsr_mesh_make_tree(tsr_mesh_plan *plan, tsr_error *error);
/** Lists the cells of all leaves, for tsr_mesh_run_of. */
tsr_status tsr_mesh_list_all(tsr_mesh_plan *plan, tsr_error *error);
/** Finds the listed cells of each leaf. */
tsr_status tsr_mesh_find_listed(tsr_mesh_plan *plan, tsr_error *error);
/** Frees what the next round makes again. */
void tsr_mesh_drop_leaves(tsr_mesh_plan *plan);

/* ---- corners.c */

/** Numbers the corners of the leaves, and finds where their values come from. */
tsr_status tsr_mesh_make_corners(tsr_mesh_plan *plan, tsr_error *error);
/** Frees what tsr_mesh_make_corners made, but for what plan->old keeps. */
void tsr_mesh_drop_corners(tsr_mesh_plan *plan);
/** Finds the mesh cell of each leaf, if that was not done before. */
tsr_status tsr_mesh_need_sources(tsr_mesh_plan *plan, tsr_error *error);

/* ---- values.c */

/** A job of the plan, for steps in value_math.h. */
tsr_mesh_value_job tsr_mesh_value_job_of(const tsr_mesh_plan *plan);
/** Writes component job->component of job->array to column job->column of the corners. */
tsr_status tsr_mesh_make_values(tsr_mesh_plan *plan, tsr_mesh_value_job *job, tsr_error *error);
/** Splits leaves where a field's interpolation is off. *done: 1: there is none. */
tsr_status tsr_mesh_split_by_fields(tsr_mesh_plan *plan, int *done, tsr_error *error);

/* ---- fill.c */

tsr_status tsr_mesh_write(void *plan, const void *output, tsr_error *error);

#endif
