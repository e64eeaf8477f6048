/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: points to curves. A part of the public header; include tessera.h.
 *
 * The input is a set of points, each with a group (a particle's id) and an order (a time). The
 * points are sorted by (group, order), and consecutive points of a group make a curve:
 * 1. Sort. Points of equal group and order keep their input order: the sort is stable, so that the
 *    result does not depend on the backend or the number of threads. 64-bit integers are compared
 *    as integers, all other types as doubles; -0 equals 0; all not-a-numbers (NaN) are equal and
 *    come last.
 * 2. Repeats, if options.drop_repeats is set: a point whose distance to the last kept point of its
 *    group is at most `tolerance` is dropped; a tolerance of 0 drops points at exactly the same
 *    place. The first of several repeats stays, with its values. Since distances are measured from
 *    the last kept point, a particle that moves slowly is not lost: its next point is kept as soon
 *    as it is farther away than the tolerance.
 * 3. Cuts, if asked for: a curve ends, and the next kept point begins another curve of the same
 *    group, where the orders of the two points differ by more than `max_gap`, or where their
 *    distance is above `max_distance`.
 * 4. A curve of a single point becomes a vertex, or is dropped.
 *
 * The curves are in the order of (group, order of their first point), and the output points in the
 * order of their curves. Each point belongs to one cell. Vertices are numbered before lines, as in
 * vtkPolyData.
 *
 * A NaN as a group is a group like any other, the last one. A NaN as an order comes last in its
 * group and makes no gap. A point whose place is not finite (or beyond 1e100) stays in its curve:
 * it is no repeat, makes no cut by distance and adds nothing to the length. Each of these three
 * cases has a note.
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
  tsr_array group;  /**< 1 component, any type, n tuples; components 0: all points are one group */
  tsr_array order;  /**< 1 component, any type, n tuples; components 0: the input order */
} tsr_ordering_view;

/** Clears *view and sets its struct_size: no points. `view` must not be NULL. */
void tsr_ordering_view_init(tsr_ordering_view *view);

/** How points become curves. Set up by tsr_ordering_options_init; defaults in brackets. */
typedef struct tsr_ordering_options {
  size_t struct_size;
  int use_gap;                  /**< [0] 1: cut where the orders differ by more than max_gap */
  double max_gap;               /**< [1] in the unit of the order, >= 0. Differences of integers are
                                     exact, without rounding to double */
  int use_distance;             /**< [0] 1: cut where the distance is above max_distance */
  double max_distance;          /**< [1] in the unit of the coordinates, >= 0 */
  int drop_repeats;             /**< [0] 1: drop repeats, by tolerance */
  double tolerance;             /**< [0] largest distance of a repeat from the last kept point, in
                                     the unit of the coordinates, >= 0 */
  tsr_ordering_singles singles; /**< [VERTICES] */
} tsr_ordering_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_ordering_options_init(tsr_ordering_options *options);

/** Returns the table of the options that the user sets; n: receives its length. The table is
 *  constant and belongs to the library. */
const tsr_property *tsr_ordering_properties(int *n);

/** What a plan noticed. */
typedef enum tsr_ordering_note {
  TSR_ORDERING_NOTE_GROUP = 0, /**< points whose group is NaN */
  TSR_ORDERING_NOTE_ORDER,     /**< points whose order is NaN */
  TSR_ORDERING_NOTE_PLACE,     /**< points whose place is not finite, or beyond 1e100 */
  TSR_ORDERING_NOTES           /**< number of notes */
} tsr_ordering_note;

/** Writes the note as a sentence for the user into text, cut to `size` bytes (> 0) including the
 *  NUL at its end. Nothing is written if count.count is 0. */
void tsr_ordering_note_sentence(tsr_ordering_note note, tsr_note_count count, char *text,
                                size_t size);

/**
 * Finds the notes that a plan of these points would have. A caller that exchanges points between
 * processes before it makes the plan calls this function before the exchange: `first` is then the
 * index of one of its own input points.
 * view: is not checked; its arrays must have equal numbers of tuples, at least one.
 * notes: receives a count for each tsr_ordering_note.
 */
void tsr_ordering_examine(const tsr_ordering_view *view, tsr_note_count notes[TSR_ORDERING_NOTES]);

/** Exact sizes of the output of a plan. */
typedef struct tsr_ordering_sizes {
  int64_t points;          /**< points of the output */
  int64_t verts;           /**< vertices: curves of one point */
  int64_t lines;           /**< lines: curves of two or more points */
  int64_t repeats;         /**< points dropped as repeats */
  int64_t singles_dropped; /**< points dropped since their curves have no other point */
  int64_t cuts;            /**< curves begun by a cut, dropped curves of one point included */
  tsr_note_count notes[TSR_ORDERING_NOTES]; /**< by tsr_ordering_note */
} tsr_ordering_sizes;

/** A plan: the sorted points, divided into curves. Made by tsr_ordering_plan_create, freed by
 *  tsr_ordering_plan_free. */
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

/** Returns the sizes, which belong to the plan: valid until it is freed. */
const tsr_ordering_sizes *tsr_ordering_plan_sizes(const tsr_ordering_plan *plan);

/** Copies the report so far to *report; it is complete after tsr_ordering_fill. items: the
 *  input points. */
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

/** Where tsr_ordering_fill writes. A member that is NULL is not written. `points`, `verts` and
 *  `lines` in the lengths below are members of tsr_ordering_sizes. Set up by
 *  tsr_ordering_output_init. */
typedef struct tsr_ordering_output {
  size_t struct_size;
  void *points;               /**< points x 3, of the type of view.points */
  int64_t *vert_offsets;      /**< verts + 1: offsets into vert_connectivity */
  int64_t *vert_connectivity; /**< verts: output points */
  int64_t *line_offsets;      /**< lines + 1: offsets into line_connectivity */
  int64_t *line_connectivity; /**< points - verts: output points */
  double *length;             /**< verts + lines: length of the polyline; 0 for vertices. Found
                                   fastest if `points` is written in the same call */
  int64_t *point_ids;         /**< points: index of the input point of each output point */
  int64_t *first_ids;         /**< verts + lines: index of the input point that begins the cell */
  int64_t *last_ids;          /**< verts + lines: index of the input point that ends the cell */
  const tsr_ordering_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;                         /**< [0] */
} tsr_ordering_output;

/** Clears *output and sets struct_size. `output` must not be NULL. */
void tsr_ordering_output_init(tsr_ordering_output *output);

/**
 * Writes the output of a plan. May be called again with other outputs, for instance once for each
 * attribute, so that the caller can free the input array of one before the next is filled.
 * Fails with BAD_INPUT (an attribute of a wrong length), NO_MEMORY, DEVICE, ABORTED (outputs are
 * then incomplete).
 */
tsr_status tsr_ordering_fill(tsr_ordering_plan *plan, const tsr_ordering_output *output,
                             tsr_error *error);

/**
 * Assigns each point to a process, so that all points of a group are on one process, and a process
 * of higher rank gets greater groups. The outputs of all processes, in the order of the ranks, are
 * then the output of one process with the points of all, in the order of the ranks. Processes get
 * about equally many points, unless single groups are too large for that.
 *
 * Collective: every process calls it with its own points, even if it has none.
 * group: as in the view. n: how many points there are here, >= 0.
 * target: receives the rank for each of the n points; NULL is allowed where n is 0.
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
