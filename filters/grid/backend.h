/* SPDX-License-Identifier: BSD-3-Clause */
/** The interface between the grid's plan and its CUDA backend. Not public. */
#ifndef TSR_GRID_BACKEND_H
#define TSR_GRID_BACKEND_H

#include "common/run/backend.h"
#include "grid/criteria/measure_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A grid's arrays on a device. */
typedef struct tsr_grid_device tsr_grid_device;

/** What the backend works on: the plan's own structs, all of them valid while it is open. */
typedef struct tsr_grid_request {
  const tsr_grid_view *view;
  const tsr_grid_options *options;
  const tsr_execution *execution;
  const tsr_lattice *lattice;
  const tsr_space *space;
  const uint8_t *hidden; /**< one an input cell held; NULL: none is hidden */
  const tsr_rule *rules; /**< n_rules, in force; NULL where nothing is measured */
  int n_rules;
  tsr_tree *tree;        /**< the host's tree */
  tsr_note_count *notes; /**< TSR_GRID_NOTES; the device raises them while it measures */
  tsr_report *report;    /**< the device sets all members about CUDA */
} tsr_grid_request;

/** Request for means and errors of an array in leaves, where the CPU fills the output. */
typedef struct tsr_grid_values {
  const tsr_grid_node *nodes; /**< n leaves */
  int64_t n;
  const int64_t *of_level; /**< number of leaves of each level */
  const tsr_array *array;
  int cell_data;
  double *means; /**< NULL, or receives n x components: means of a cell array over leaves larger
                      than an input cell; 0 in other leaves */
  double *error; /**< NULL, or receives the largest error */
} tsr_grid_values;

/** Sizes of the tree and the lists on a device; as in tsr_grid_sizes. */
typedef struct tsr_grid_counts {
  int64_t leaves, of_level[TSR_GRID_MAX_LEVEL + 1]; /**< visible leaves */
  int64_t cells, cut_leaves, points, connectivity;
  int64_t trees, patches;
  int tree_level;
} tsr_grid_counts;

/** One round of the guarantee after the CPU made the closure; the closed tree is request->tree. */
typedef struct tsr_grid_leaf_check {
  const tsr_tree *before; /**< the tree before this closure, in the first round without
                             options.marks: the errors of its leaves are known */
  tsr_tree *next;         /**< the tree for the next closure; receives the leaves to refine */
  int is_first;           /**< 1: the first round; 0: the device still has the closed tree of the
                               last round */
  int64_t added;          /**< receives 0 if no leaf is to be refined */
  int done;               /**< receives 0 if the device cannot do it and the CPU must */
} tsr_grid_leaf_check;

/** The table of functions. A function that does not return TSR_OK fills *error (never NULL here).
 */
typedef struct tsr_grid_backend {
  /** Fails if the plan cannot run on the device; else uploads the arrays of the criteria. */
  tsr_status (*open)(const tsr_grid_request *request, tsr_grid_device **grid, tsr_error *error);
  /** 1 if the device can make the whole plan and the fill: there is one process, and can_list. */
  int (*is_whole)(const tsr_grid_device *grid, const tsr_grid_request *request);
  /** Finds the smallest and largest finite sample of a rule's array; with `measure` 1, of its
   *  measure in input cells. low > high: none is finite. */
  tsr_status (*range)(tsr_grid_device *grid, const tsr_grid_request *request, const tsr_rule *rule,
                      int measure, double range[2], tsr_error *error);
  /** Refines the levels from the roots to the input cells, by the request's rules. keep: 1: the
   * tree stays on the device for the next steps; 0: it is written to the dense levels of
   * request->tree. */
  tsr_status (*descend)(tsr_grid_device *grid, const tsr_grid_request *request, int keep,
                        tsr_error *error);
  /** Whole plans, after descend: makes closure and guarantee, and counts the leaves.
   *  counts->cells: the leaves; for CONFORMING with a cell budget, if the leaves fit into it, the
   *  cells after leaves are cut. */
  tsr_status (*refine)(tsr_grid_device *grid, const tsr_grid_request *request,
                       tsr_grid_counts *counts, tsr_error *error);
  /** Where the CPU makes the closure: evaluates the interpolation error in the leaves of
   * request->tree that closure made or that are cut. */
  tsr_status (*check)(tsr_grid_device *grid, const tsr_grid_request *request,
                      tsr_grid_leaf_check *check, tsr_error *error);
  /** 1 if the device can list the leaves of a tree and fill the output. With several processes it
   *  can do neither POLYGONS nor constrained points. */
  int (*can_list)(const tsr_grid_device *grid, const tsr_grid_request *request);
  /** Instead of refine: uploads request->tree, which the CPU made, and counts its leaves. */
  tsr_status (*take_tree)(tsr_grid_device *grid, const tsr_grid_request *request,
                          tsr_grid_counts *counts, tsr_error *error);
  /** options.keep_marks: makes or copies the marks. to NULL: makes them, and *n receives their
   *  number; else copies these *n marks to `to`. */
  tsr_status (*marks)(tsr_grid_device *grid, const tsr_grid_request *request, tsr_grid_node *to,
                      int64_t *n, tsr_error *error);
  /** After refine or take_tree: lists the leaves, their points and the parts of cut leaves. */
  tsr_status (*list)(tsr_grid_device *grid, const tsr_grid_request *request,
                     tsr_grid_counts *counts, tsr_error *error);
  /** After refine: copies the dense levels of the tree to request->tree. */
  tsr_status (*fetch)(tsr_grid_device *grid, const tsr_grid_request *request, tsr_error *error);
  /** After fetch, if parts of input cells are refined; called twice. While request->tree has no
   * memory for bricks, copies has_brick, which says how many bricks there are; then copies the
   * bricks. */
  tsr_status (*fetch_bricks)(tsr_grid_device *grid, const tsr_grid_request *request,
                             tsr_error *error);
  /** After list: writes the output; the indicator measures by the request's rules. */
  tsr_status (*fill)(tsr_grid_device *grid, const tsr_grid_request *request,
                     const tsr_grid_counts *counts, const tsr_grid_output *out, tsr_error *error);
  /** Computes means and errors of an array. *done: receives 0 if the array is not on the device, or
   *  of a kind that the device cannot do. */
  tsr_status (*values)(tsr_grid_device *grid, const tsr_grid_request *request,
                       const tsr_grid_values *values, int *done, tsr_error *error);
  void (*close)(tsr_grid_device *grid);
} tsr_grid_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_grid_backend *tsr_grid_cuda(void);

#ifdef __cplusplus
}
#endif

#endif
