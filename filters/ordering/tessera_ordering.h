/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: points to curves. A part of the public header; include tessera.h.
 *
 * The input is a set of points, each with a group (a particle's id) and an order (a time). The
 * points are sorted by (group, order), and consecutive points of a group make a curve:
 * 1. Sort. Points of equal group and order keep their input order: the sort is stable, so there is
 *    one right result, whatever backend and number of threads find it. Integers of 64
 *    bits are compared as such, and numbers as doubles; -0 equals 0; not-a-number (NaN) is
 *    one value, the last one.
 * 2. Repeats, if asked for: a point within `tolerance` of the last point kept before it, in its
 *    group, is dropped; with a tolerance of 0, if it is at exactly the same place. So the first of
 *    several repeats stays, with its values. A particle that moves slowly is not lost: a point of
 * it is kept as soon as it is farther than the tolerance from the last point kept.
 * 3. Cuts, if asked for: a curve ends where the order of the next point kept is farther away than
 *    `max_gap`, or its place than `max_distance`; the next point begins another curve of the same
 *    group.
 * 4. A curve of a single point becomes a vertex, or is dropped.
 *
 * The curves come in the order of (group, order of their first point). In the output points follow
 * each other in that order, and each belongs to one cell; vertices are numbered before lines, as in
 * vtkPolyData.
 *
 * A NaN as a group is a group like any other, the last one. A NaN as an order comes last in its
 * group and makes no gap. A point whose place is not finite (or beyond 1e100) stays in its curve;
 * it is no repeat, it makes no cut by distance and adds nothing to the length. All three are noted.
 */
#ifndef TSR_ORDERING_TESSERA_ORDERING_H
#define TSR_ORDERING_TESSERA_ORDERING_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of a curve of one point. */
typedef enum tsr_ordering_singles {
  TSR_SINGLES_VERTICES = 0, /**< a vertex */
  TSR_SINGLES_DROP          /**< left out */
} tsr_ordering_singles;

/** The input points. All arrays are borrowed for as long as the plan lives. */
typedef struct tsr_ordering_view {
  size_t struct_size;
  tsr_array points; /**< 3 components, any type, n tuples */
  tsr_array group;  /**< 1 component, any type, n tuples; components 0: all are one group */
  tsr_array order;  /**< 1 component, any type, n tuples; components 0: the index of the point */
} tsr_ordering_view;

/** Clears *view and sets its struct_size: no points. `view` must not be NULL. */
void tsr_ordering_view_init(tsr_ordering_view *view);

/** What to make of them; defaults in brackets. */
typedef struct tsr_ordering_options {
  size_t struct_size;
  int use_gap;                  /**< [0] 1: cut where the order is more than max_gap farther */
  double max_gap;               /**< [1] in the unit of the order, >= 0. Integers are compared
                                     with it exactly */
  int use_distance;             /**< [0] 1: cut where the distance is above max_distance */
  double max_distance;          /**< [1] in the unit of the coordinates, >= 0 */
  int drop_repeats;             /**< [0] */
  double tolerance;             /**< [0] of repeats, in the unit of the coordinates, >= 0 */
  tsr_ordering_singles singles; /**< [VERTICES] */
} tsr_ordering_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_ordering_options_init(tsr_ordering_options *options);

/** The options that the user sets; n: receives how many. */
const tsr_property *tsr_ordering_properties(int *n);

/** What a plan noticed. */
typedef enum tsr_ordering_note {
  TSR_ORDERING_NOTE_GROUP = 0, /**< points whose group is NaN */
  TSR_ORDERING_NOTE_ORDER,     /**< points whose order is NaN */
  TSR_ORDERING_NOTE_PLACE,     /**< points whose place is not finite, or beyond 1e100 */
  TSR_ORDERING_NOTES           /**< how many there are */
} tsr_ordering_note;

/** Writes the note as a sentence, as tsr_note_sentence. Nothing is written if count is 0. */
void tsr_ordering_note_sentence(tsr_ordering_note note, tsr_note_count count, char *text,
                                size_t size);

/**
 * Finds the notes that a plan of these points would have. If processes exchange points before they
 * make a plan, this must be called before the exchange: only then are `first` numbers of input
 * points. The view's arrays must have the same number of tuples, at least one.
 */
void tsr_ordering_examine(const tsr_ordering_view *view, tsr_note_count notes[TSR_ORDERING_NOTES]);

/** Exact sizes of the output of a plan. */
typedef struct tsr_ordering_sizes {
  int64_t points;          /**< kept */
  int64_t verts;           /**< curves of one point */
  int64_t lines;           /**< curves of two or more */
  int64_t repeats;         /**< points dropped as repeats */
  int64_t singles_dropped; /**< points that would have been vertices */
  int64_t cuts;            /**< curves begun by a cut, dropped curves of one point included */
  tsr_note_count notes[TSR_ORDERING_NOTES];
} tsr_ordering_sizes;

typedef struct tsr_ordering_plan tsr_ordering_plan;

/**
 * Sorts the points, finds repeats and cuts, and counts what comes out.
 * view, options: copied; the arrays that they point at are borrowed until tsr_ordering_plan_free.
 * Neither may be NULL.
 * execution: NULL = defaults. Its callbacks are called until tsr_ordering_plan_free.
 * plan: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, NO_MEMORY, NO_BACKEND, DEVICE, ABORTED.
 */
tsr_status tsr_ordering_plan_create(const tsr_ordering_view *view,
                                    const tsr_ordering_options *options,
                                    const tsr_execution *execution, tsr_ordering_plan **plan,
                                    tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_ordering_plan_free(tsr_ordering_plan *plan);

/** The sizes; they belong to the plan. */
const tsr_ordering_sizes *tsr_ordering_plan_sizes(const tsr_ordering_plan *plan);

/** What ran so far. items: points of the input. */
void tsr_ordering_plan_report(const tsr_ordering_plan *plan, tsr_report *report);

/** Which input tuples an output array has. */
typedef enum tsr_ordering_place {
  TSR_AT_POINTS = 0, /**< for each output point the tuple of that point */
  TSR_AT_FIRST,      /**< for each cell, vertices first, the tuple of its first point */
  TSR_AT_LAST        /**< for each cell, vertices first, the tuple of its last point */
} tsr_ordering_place;

/** A point array of the input, and where to copy its tuples. */
typedef struct tsr_ordering_attribute {
  tsr_array in; /**< any type and components, a tuple for each input point */
  void *out;    /**< of the same type and components, `points` or `verts + lines` tuples */
  tsr_ordering_place place;
} tsr_ordering_attribute;

/** Where tsr_ordering_fill writes; NULL members are not wanted. */
typedef struct tsr_ordering_output {
  size_t struct_size;
  void *points;               /**< points x 3, of the type of the view's */
  int64_t *vert_offsets;      /**< verts + 1 */
  int64_t *vert_connectivity; /**< verts */
  int64_t *line_offsets;      /**< lines + 1 */
  int64_t *line_connectivity; /**< points - verts */
  double *length;             /**< verts + lines: that of the polyline; 0 for vertices. Quickest
                                   where `points` is asked for in the same call */
  int64_t *point_ids;         /**< points: the input point of each */
  int64_t *first_ids;         /**< verts + lines: the input point that is the first of the cell */
  int64_t *last_ids;          /**< verts + lines: the last */
  const tsr_ordering_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;                         /**< [0] */
} tsr_ordering_output;

/** Clears *output and sets struct_size. `output` must not be NULL. */
void tsr_ordering_output_init(tsr_ordering_output *output);

/**
 * Writes the output of a plan. May be called again with other outputs: array by array, say, where
 * the input's memory is to be given back on the way.
 * Fails with BAD_INPUT (an attribute of a wrong length), NO_MEMORY, DEVICE, ABORTED (outputs are
 * then incomplete).
 */
tsr_status tsr_ordering_fill(tsr_ordering_plan *plan, const tsr_ordering_output *output,
                             tsr_error *error);

/**
 * Assigns each point to a process, so that every group is whole on one process and groups ascend
 * with the rank. The outputs of all processes, in the order of the ranks, are then the output of
 * one process with the points of all, in the order of the ranks. The numbers of points are about
 * equal, as far as groups allow.
 *
 * Collective: every process calls it with its own points, even if it has none.
 * group: as in the view. n: how many points there are here, >= 0.
 * target: receives n ranks; NULL is allowed where n is 0.
 * Fails with BAD_INPUT, NO_MEMORY; where only another process failed, with ABORTED.
 */
tsr_status tsr_ordering_share(const tsr_processes *processes, const tsr_array *group, int64_t n,
                              int32_t *target, tsr_error *error);

/**
 * Replaces groups that are texts by numbers: the index of each text in the list of all different
 * texts of all processes, sorted by their bytes. So curves come in the order of the texts,
 * whichever process has which text. Collective.
 * texts: the bytes of n texts, one after another, without NULs between them. lengths: n of them, in
 * bytes. ids: receives n numbers, from 0 on. All three may be NULL where n is 0.
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_ordering_text_ids(const tsr_processes *processes, const char *texts,
                                 const int64_t *lengths, int64_t n, int64_t *ids, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
