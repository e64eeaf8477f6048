/* SPDX-License-Identifier: BSD-3-Clause */
/** What CUDA does with grids, what it gets for that, and what it shares with the CPU. Not public.
 */
#ifndef TSR_GRID_BACKEND_H
#define TSR_GRID_BACKEND_H

#include "common/backend.h"
#include "grid/criteria/measure_math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A grid's arrays on a device. */
typedef struct tsr_grid_device tsr_grid_device;

/** What the backend works on: the plan's own structs, all of them valid while it is open. */
typedef struct tsr_grid_job {
  const tsr_grid_view *view;
  const tsr_grid_options *options;
  const tsr_execution *execution;
  const tsr_lattice *lattice;
  const tsr_space *space;
  const uint8_t *hidden; /**< one an input cell held; NULL: none is hidden */
  const tsr_rule *rules; /**< n_rules, in force; NULL where nothing is measured */
  int n_rules;
  tsr_tree *tree;        /**< decide writes its dense levels, all of their bytes */
  tsr_note_count *notes; /**< TSR_GRID_NOTES; decide raises them */
  tsr_report *report;    /**< everything about the device is set */
} tsr_grid_job;

/** What a fill wants to know of an array: of the leaves larger than an input cell. */
typedef struct tsr_grid_values {
  const tsr_grid_node *nodes; /**< n, all of them leaves */
  int64_t n;
  const int64_t *of_level; /**< how many there are of each level */
  const tsr_array *array;
  int cell_data;
  double *means; /**< NULL, or receives n x components: the means of a cell array; 0 in others */
  double *error; /**< NULL, or receives the largest error */
} tsr_grid_values;

/** What a device made of a whole plan. */
typedef struct tsr_grid_counts {
  int64_t leaves, of_level[TSR_GRID_MAX_LEVEL + 1]; /**< visible ones */
  int64_t cells, cut_leaves, points, connectivity;  /**< as in the public sizes */
  int64_t trees, patches;                           /**< the same */
  int tree_level;
} tsr_grid_counts;

/** The trees of a round of the guarantee that the CPU closed, beside the closed one. */
typedef struct tsr_grid_look {
  const tsr_tree *before; /**< before closure, as far as errors were looked at */
  tsr_tree *next;         /**< before closure; receives what leaves ask for */
  int is_first;           /**< 0: the closed tree of the call before is that of the round before */
  int64_t added;          /**< receives 0 where none asks */
  int done;               /**< receives 0 where the CPU is to look */
} tsr_grid_look;

/** Every function leaves a sentence in *error (never NULL here) where it does not return TSR_OK. */
typedef struct tsr_grid_backend {
  /** Refuses what cannot run, and uploads the arrays of the criteria. */
  tsr_status (*open)(const tsr_grid_job *job, tsr_grid_device **grid, tsr_error *error);
  /** 1 if the device can make the whole plan and the fill: can_list, and one process. */
  int (*is_whole)(const tsr_grid_device *grid, const tsr_grid_job *job);
  /** Least and largest finite sample of the array of a criterion; `measure` 1: measure of an input
   *  cell. low > high: there is none. */
  tsr_status (*range)(tsr_grid_device *grid, const tsr_grid_job *job, const tsr_rule *rule,
                      int measure, double range[2], tsr_error *error);
  /** The descent through the levels down to the input cells, by the job's rules. keep: 1: the tree
   *  stays on the device, for what follows. */
  tsr_status (*descend)(tsr_grid_device *grid, const tsr_grid_job *job, int keep, tsr_error *error);
  /** Of a whole plan: refines what buffer, balance and the guarantee demand, and counts the leaves.
   *  counts->cells: the cells after leaves are cut, of CONFORMING within a budget that holds the
   *  leaves; else the leaves. */
  tsr_status (*refine)(tsr_grid_device *grid, const tsr_grid_job *job, tsr_grid_counts *counts,
                       tsr_error *error);
  /** Where the CPU closes job->tree: looks at the leaves that closure made or that are cut. */
  tsr_status (*look)(tsr_grid_device *grid, const tsr_grid_job *job, tsr_grid_look *look,
                     tsr_error *error);
  /** 1 if the device can list the leaves of a tree and fill the output: of several processes
   *  neither POLYGONS nor points that are constrained. */
  int (*can_list)(const tsr_grid_device *grid, const tsr_grid_job *job);
  /** In the place of refine: brings job->tree, which the CPU made, and counts its leaves here. */
  tsr_status (*take_tree)(tsr_grid_device *grid, const tsr_grid_job *job, tsr_grid_counts *counts,
                          tsr_error *error);
  /** With options.keep_marks, the marks: to NULL: makes them, *n receives how many there are; else
   *  brings these n. */
  tsr_status (*marks)(tsr_grid_device *grid, const tsr_grid_job *job, tsr_grid_node *to, int64_t *n,
                      tsr_error *error);
  /** Then lists the leaves and their points and parts. */
  tsr_status (*list)(tsr_grid_device *grid, const tsr_grid_job *job, tsr_grid_counts *counts,
                     tsr_error *error);
  /** Then brings the dense levels of the tree to job->tree. */
  tsr_status (*fetch)(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);
  /** The same of its bricks, where parts of input cells are refined: where the tree has no memory
   * for bricks yet, the words of has_brick, from which that follows. */
  tsr_status (*fetch_bricks)(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);
  /** Then writes the output, by the job's rules where it measures. */
  tsr_status (*fill)(tsr_grid_device *grid, const tsr_grid_job *job, const tsr_grid_counts *counts,
                     const tsr_grid_output *out, tsr_error *error);
  /** Means and errors of an array. *done: 0 where the array is not on the device, or of a kind that
   *  the CPU is to look at. */
  tsr_status (*values)(tsr_grid_device *grid, const tsr_grid_job *job,
                       const tsr_grid_values *values, int *done, tsr_error *error);
  void (*close)(tsr_grid_device *grid);
} tsr_grid_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_grid_backend *tsr_grid_cuda(void);

#ifdef __cplusplus
}
#endif

#endif
