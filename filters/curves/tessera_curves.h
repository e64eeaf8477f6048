/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: adaptive tessellation of curves. A part of the public header; include tessera.h.
 *
 * An item is one input curve. It is a chain of spans; a span is one polynomial or rational
 * piece with its own parameter u in [0, 1]. Two spans of a curve meet at a joint. An output point
 * is a linear combination of a few input points; point arrays that follow the curve
 * (TSR_INTERPOLATE_CURVE) are combined with the same coefficients. Each good item becomes one
 * polyline of the output, which is called a cell there, with its own points.
 */
#ifndef TSR_CURVES_TESSERA_CURVES_H
#define TSR_CURVES_TESSERA_CURVES_H

#include "common/processes/tessera_processes.h"
#include "common/tessera_common.h"
#include "common/tessera_polylines.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of an item's curve. n is the number of the item's points. */
typedef enum tsr_curve_kind {
  TSR_KIND_NONE = 0,       /**< not a curve: no output and no note */
  TSR_KIND_STRAIGHT,       /**< n-1 line segments */
  TSR_KIND_CATMULL_ROM,    /**< through the points, n-1 cubic spans */
  TSR_KIND_BEZIER2_CHAIN,  /**< quadratic Bezier spans on points 0 1 2, 2 3 4, ... */
  TSR_KIND_BEZIER3_CHAIN,  /**< cubic Bezier spans on points 0 1 2 3, 3 4 5 6, ... */
  TSR_KIND_BSPLINE2,       /**< uniform quadratic B-spline, clamped; periodic when closed */
  TSR_KIND_BSPLINE3,       /**< uniform cubic B-spline, clamped; periodic when closed */
  TSR_KIND_LAGRANGE,       /**< one Lagrange cell of degree n-1, VTK's point order (ends first) */
  TSR_KIND_BEZIER,         /**< one Bezier cell of degree n-1, VTK's point order (ends first) */
  TSR_KIND_NATURAL_SPLINE, /**< natural cubic spline through the points, n-1 spans, with a
                              continuous second derivative, 0 at open ends; periodic when closed.
                              TSR_INTERPOLATE_CURVE interpolates arrays linearly between points */
  TSR_KIND_AUTOMATIC /**< CATMULL_ROM if the item has at most 32 points, and turns by more than 30
                          degrees at more than a tenth of them; else STRAIGHT */
} tsr_curve_kind;

/** Highest degree of a Lagrange or Bezier cell. */
#define TSR_MAX_DEGREE 15

/**
 * The input curves. An item is closed if its first and last point along the curve have the same id
 * and it has at least three points. A closed Catmull-Rom curve or spline is smooth across the
 * joint, and the last id of a closed output polyline is its first.
 */
typedef struct tsr_curves_view {
  size_t struct_size;
  tsr_array points;  /**< 3 components, any type */
  tsr_array weights; /**< rational weights, 1 component, one per point, all > 0; data NULL =
                          polynomial. Used by the Bezier and B-spline kinds only. */
  int64_t n_items;
  const void *offsets;      /**< n_items + 1 values: item i has ids [offsets[i], offsets[i+1]) */
  const void *connectivity; /**< point ids */
  int64_t n_connectivity;   /**< length of connectivity */
  tsr_type index_type;      /**< of offsets and connectivity: TSR_INT32 or TSR_INT64 */
  const uint8_t *kinds;     /**< n_items values of tsr_curve_kind, or NULL: all are `kind` */
  tsr_curve_kind kind;
  int single_points; /**< [0] 1 = the points of the output will be TSR_FLOAT. The plan then leaves
                        out and notes curves with a coordinate above 3e35, whose points might
                        overflow, and counts the rounding to TSR_FLOAT towards the chord error
                        (options.largest_place). 0: a coordinate beyond the range of
                        TSR_FLOAT becomes infinite if points_type is TSR_FLOAT */
} tsr_curves_view;

/** Sets every member to its default: no items, index_type TSR_INT64, kind TSR_KIND_CATMULL_ROM.
 *  `view` must not be NULL. */
void tsr_curves_view_init(tsr_curves_view *view);

/** Knot intervals of a Catmull-Rom curve or natural spline: |P[i+1]-P[i]| to the power 0, 1/2 or 1
 *  (Barry and Goldman, SIGGRAPH 1988; Yuksel et al., CAD 43, 2011). */
typedef enum tsr_knots {
  TSR_KNOTS_UNIFORM = 0,
  TSR_KNOTS_CENTRIPETAL,
  TSR_KNOTS_CHORDAL
} tsr_knots;

/** Where the points of a span lie. */
typedef enum tsr_sampling {
  TSR_SAMPLING_UNIFORM = 0,     /**< equal steps of the parameter */
  TSR_SAMPLING_BISECTION,       /**< leaves of a dyadic tree of the parameter */
  TSR_SAMPLING_EQUAL_ERROR,     /**< steps of about equal error; each is checked by the criteria */
  TSR_SAMPLING_EQUAL_ARC_LENGTH /**< the whole curve is divided into parts of equal length */
} tsr_sampling;

/** Where the vertices of the output lie. */
typedef enum tsr_vertices {
  TSR_VERTICES_ON_CURVE = 0,    /**< on the curve */
  TSR_VERTICES_WITHIN_TOLERANCE /**< off the curve by up to the chord error where that saves points
                                 */
} tsr_vertices;

/** Which joints, the points where two spans of a curve meet, the output keeps. */
typedef enum tsr_joints {
  TSR_JOINTS_KEEP_ALL = 0, /**< all joints */
  TSR_JOINTS_WHERE_NEEDED  /**< joints that the criteria need; a segment may cover several spans */
} tsr_joints;

/** How an array follows the curve. */
typedef enum tsr_interpolation {
  TSR_INTERPOLATE_CURVE = 0, /**< by the curve's own weights, as the positions */
  TSR_INTERPOLATE_LINEAR,    /**< linearly in u between the input points at their abscissae: the
                                  knots of curves through their points, k/degree of Bezier curves,
                                  the Greville abscissae of B-splines */
  TSR_INTERPOLATE_NEAREST    /**< the tuple of the input point whose abscissa is nearest */
} tsr_interpolation;

/** How kernels share out the work. docs/cuda.md says what each strategy is good for. */
typedef enum tsr_curves_strategy {
  TSR_STRATEGY_AUTO = 0,            /**< the fastest by measured rules */
  TSR_STRATEGY_BLOCK_PER_ITEM,      /**< one block a curve; launches nothing */
  TSR_STRATEGY_CHILD_PER_ITEM,      /**< one thread a curve launches a child grid for it */
  TSR_STRATEGY_AGGREGATED_CHILDREN, /**< one child grid for all curves of a parent block */
  TSR_STRATEGY_FLAT,                /**< blocks of equally many output points; launches nothing */
  TSR_STRATEGY_RECURSIVE_CHILDREN   /**< bisection: a piece that is not flat launches its halves */
} tsr_curves_strategy;

/** How the device finds memory for the points of each curve. */
typedef enum tsr_output_memory {
  TSR_MEMORY_EXACT = 0,  /**< counts first; prefix sums of the counts give each curve's place */
  TSR_MEMORY_WORST_CASE, /**< every curve gets a slot of the largest curve's size; the slots are
                              copied together afterwards */
  TSR_MEMORY_DEVICE_HEAP /**< the kernel allocates the memory of each curve from the device heap;
                              the curves are copied together, and the memory is freed */
} tsr_output_memory;

/** How kernels are launched on a CUDA device. Results never depend on it, and the CPU ignores it. A
 *  combination that cannot run ends with TSR_BAD_OPTION before anything starts. Set up by
 *  tsr_curves_options_init; defaults in brackets. */
typedef struct tsr_curves_launch {
  tsr_curves_strategy strategy;    /**< [AUTO] */
  tsr_child_stream child_stream;   /**< [FIRE_AND_FORGET] of strategies that launch children */
  tsr_output_memory output_memory; /**< [EXACT] */
  int64_t pending_launches;        /**< [0] slots for launched child grids that have not ended,
                                        1 to 262144; 0 = sized to the input. Where no slot is free,
                                        the parent does the work itself */
  int64_t heap_bytes;              /**< [0] DEVICE_HEAP: size of the device heap; 0 = as it is, or
                                        larger if the output needs it. Once a kernel has used the
                                        heap, its size is fixed: a larger one is TSR_NO_MEMORY */
  int64_t launch_threshold; /**< [0] AGGREGATED_CHILDREN: the child grid makes the curves with
                                 at least this many points, the parent the others; 0 =
                                 chosen by measured rules */
  int nesting_depth;        /**< [8] RECURSIVE_CHILDREN: deepest nesting, 1 to 24; the deepest child
                                 does all work below itself */
  int64_t device_bytes; /**< [0] limit of the device memory for output arrays; 0 = the free memory.
                             Larger outputs are made in pieces */
  int64_t keep_bytes;   /**< [2^30] >= 0: limit in bytes of the input arrays, of all plans together,
                             that stay on a device after their plan is freed, so that the next plan
                             need not upload them. 0: this plan keeps none. Beyond the limit the
                             least recently used arrays are freed first; if device memory runs
                             short, all unused ones are freed. Needs tsr_execution.owner */
} tsr_curves_launch;

/**
 * What the output must fulfil. Every criterion that is in use is fulfilled together with the
 * others. Set up by tsr_curves_options_init; defaults in brackets. A segment is the straight line
 * between two consecutive points of the output.
 */
typedef struct tsr_curves_options {
  size_t struct_size;
  tsr_knots knots;       /**< [CENTRIPETAL] */
  double tension;        /**< [0] in [0, 1]: the Catmull-Rom tangents are scaled by 1 - tension */
  tsr_sampling sampling; /**< [EQUAL_ERROR] */

  /** EQUAL_ARC_LENGTH: number of segments of every curve. With use_max_length each curve instead
   *  gets the smallest number of equal parts that are no longer than max_length. Lengths are
   *  measured along the curve from end to end, and joints inside it are not kept. A closed curve
   *  has at least 3 segments. A curve of zero length is divided at equal steps of the parameter,
   *  into the smallest number of segments if use_max_length is set. All other criteria, and
   *  `joints`, are ignored. If a span would get more than 2^max_level segments, its curve gets
   *  fewer, with TSR_NOTE_LEVEL_LIMIT. */
  int n_segments; /**< [100] >= 1 */
  int max_level;  /**< [24] deepest level of the dyadic tree, 0 to 30; a span becomes at
                       most 2^max_level segments */

  /** The curvature rule gives each span n = min(max((int)(k factor), min_points), max_points)
   *  points. For degree 2, k = |P1 - (P0+P2)/2| / |P2-P0|. Above degree 2, k is the largest
   *  distance of an inner control point from its evenly spaced place on the chord, divided by the
   *  length of the chord. A chord of length 0 gives max_points, and degree 1 gives 2 points. A
   *  Lagrange cell is one span for this rule; its segments are rounded up to a multiple of its
   *  degree, so that each interval between neighbouring nodes gets equally many. With BISECTION and
   *  EQUAL_ERROR no segment covers more of the parameter than a uniform step of this rule.
   *  max_points is a hard limit of a span (of a Lagrange cell: max_points or its number of nodes,
   *  whichever is more): a span for which any criterion asks for more gets max_points in equal
   *  steps of the parameter, with TSR_NOTE_LEVEL_LIMIT. */
  int use_curvature;       /**< [0] */
  double curvature_factor; /**< [16] finite, >= 0 */
  int min_points;          /**< [4] >= 2 */
  int max_points;          /**< [32] >= min_points */

  /** Largest distance of a point of the curve from its polyline. The limit is guaranteed: the plan
   *  uses Wang's bound on the control polygon (Wang 1984) or the control polygon's distance to the
   *  chord (Sederberg, Computer Aided Geometric Design, 10.6), whichever is less. */
  int use_chord_error;     /**< [1] */
  double chord_error;      /**< [0.001] > 0; a length, or a fraction if chord_relative */
  int chord_relative;      /**< [1] chord_error is a fraction of reference_length */
  double reference_length; /**< [0] >= 0; 0 = the diagonal of the good curves' bounding box */
  double largest_place;    /**< [0] >= 0; with view.single_points: an upper bound of the distance of
                                output points from the origin; 0 = tsr_curves_largest_place of the
                                bounding box. It tells how far rounding to TSR_FLOAT moves points
                                (tsr_curves_rounding). The chord error of segments before rounding
                                is lowered by that much, but at most by half */

  /** Largest angle, in degrees, between consecutive segments where the curve is smooth; 180 is no
   *  limit. Segments are not divided below a millionth of their span, since no subdivision helps at
   *  a cusp: there the angle may be larger, with TSR_NOTE_LEVEL_LIMIT. */
  int use_turning_angle; /**< [0] */
  double turning_angle;  /**< [10] in (0, 180] */

  /** Largest length of the part of the curve between two consecutive output points, and so of the
   *  segment, in the unit of the coordinates. Kept to within a millionth of it. */
  int use_max_length; /**< [0] */
  double max_length;  /**< [1] > 0 */

  /** Largest difference, in any component of any of `fields`, between the array's value at a point
   *  of the curve and the value that is drawn there: that of the linear interpolation along the
   *  segment, at the point's orthogonal projection onto the segment. Values that are not-a-number
   *  are ignored. */
  int use_field_error;             /**< [1] */
  double field_error;              /**< [0.01] > 0; in the unit of the arrays, or a fraction */
  int field_relative;              /**< [1] field_error is a fraction of each array's range */
  const tsr_array *fields;         /**< n_fields arrays with as many tuples as points; NULL if 0 */
  const double *field_ranges;      /**< with field_relative: n_fields ranges, >= 0; an array whose
                                        range is 0 is ignored. NULL = the plan finds them: the
                                        largest range of a component of the array */
  int n_fields;                    /**< [0] */
  tsr_interpolation interpolation; /**< [CURVE] of the fields: CURVE or LINEAR */
  const tsr_interpolation *field_modes; /**< one interpolation for each of n_fields fields; NULL =
                                             `interpolation` for all */

  /** WHERE_NEEDED: from one end of a curve to the other, each segment goes as far as the chord
   *  error and the other criteria allow. The Frechet distance between a segment and its part of the
   *  curve is at most the chord error. Always kept are the ends of a curve, corners of more than
   *  the turning angle if that is in use, and, in longer curves, one point in 65536, where the work
   *  is divided between threads. Without a chord error, with use_curvature, and for curves of one
   *  span, WHERE_NEEDED is the same as KEEP_ALL. */
  tsr_joints joints;       /**< [WHERE_NEEDED] */
  const tsr_array *labels; /**< n_labels arrays with as many tuples as points, whose values cannot
                              be interpolated: points where a value changes are kept. NULL if 0 */
  int n_labels;            /**< [0] */

  /** WITHIN_TOLERANCE: vertices inside a span may lie off the curve, on its outer side, by up to
   *  the chord error. A segment may then have the curve on both sides and be up to 1.41 (sqrt 2)
   *  times as long, so a span with many segments gets about 0.71 times as many; no span gets more.
   * The ends of a span stay on the curve. The Frechet distance between curve and polyline is at
   * most the chord error. Arrays have the values of the curve at the vertex's parameter, and the
   * field error holds along the moved segment. Needs the sampling EQUAL_ERROR and a chord error. */
  tsr_vertices vertices; /**< [ON_CURVE] */

  int64_t limit_points; /**< [0] > 0: a plan of more points ends with TSR_TOO_LARGE; 0 = no limit */
  int defer_count;      /**< [0] 1 = creating the plan only checks its items. Its sizes are not
                             known, and it cannot be filled, before tsr_curves_fit_budget has
                             counted its points */
  tsr_curves_launch launch;
  const char *const *field_names; /**< [NULL] n_fields names of the fields, for errors; NULL: errors
                                       say "field 0". Borrowed as long as the plan lives */
} tsr_curves_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_curves_options_init(tsr_curves_options *options);

/** Switches off the options that the sampling ignores. With EQUAL_ARC_LENGTH these are all criteria
 *  except max_length, and `joints` becomes KEEP_ALL; other samplings ignore none. Creating a plan
 *  does the same with its own copy of the options. Call this function to find out which criteria
 *  are in force before there is a plan. `options` must not be NULL. */
void tsr_curves_options_settle(tsr_curves_options *options);

/** Returns the table of the options that the user sets; n: receives its length. The table is
 *  constant and belongs to the library. */
const tsr_property *tsr_curves_properties(int *n);

/** What a plan noticed about an item. Items with a note up to and including TSR_NOTE_EMPTY are left
 *  out of the output; items with other notes are in it. */
typedef enum tsr_note {
  TSR_NOTE_BAD_OFFSETS = 0, /**< the item's offsets decrease or leave the connectivity */
  TSR_NOTE_BAD_ID,          /**< a point id is out of range */
  TSR_NOTE_NOT_FINITE,      /**< a coordinate is infinite, not a number or beyond 1e100 */
  TSR_NOTE_BAD_WEIGHT,      /**< a rational weight is not finite, or below 1e-100 */
  TSR_NOTE_BAD_DEGREE,      /**< a cell of degree above TSR_MAX_DEGREE */
  TSR_NOTE_BEYOND_SINGLE,   /**< a coordinate is too large for view->single_points */
  TSR_NOTE_EMPTY,           /**< no points at all */
  TSR_NOTE_ONE_POINT,       /**< one point: becomes a polyline of this one point */
  TSR_NOTE_ZERO_LENGTH,     /**< all points coincide: becomes a polyline of length 0 */
  TSR_NOTE_LOWER_DEGREE,    /**< the point count does not fit: the last piece of a chain, or the
                                 whole B-spline, has a lower degree */
  TSR_NOTE_LEVEL_LIMIT, /**< max_level, max_points or a cusp was reached before the criteria were
                             fulfilled */
  TSR_NOTE_CORNER,      /**< with use_turning_angle: the curve itself turns by more than the angle
                             at a joint or a cusp */
  TSR_NOTES             /**< number of notes */
} tsr_note;

/**
 * Writes the note as a sentence for the user.
 * noun: what the caller calls an item, singular, e.g. "cell"; NULL = "curve".
 * text: receives the sentence, cut to `size` bytes (> 0) including the NUL at its end. Nothing is
 * written if count.count is 0.
 */
void tsr_note_sentence(tsr_note note, tsr_note_count count, const char *noun, char *text,
                       size_t size);

/** Exact sizes of the output of a plan. */
typedef struct tsr_curves_sizes {
  int64_t points;
  int64_t cells;                   /**< polylines */
  int64_t connectivity;            /**< point ids of all polylines together */
  tsr_note_count notes[TSR_NOTES]; /**< by tsr_note */
} tsr_curves_sizes;

/** A plan: the checked input and the number and place of all output points. Made by
 *  tsr_curves_plan_create, freed by tsr_curves_plan_free. */
typedef struct tsr_curves_plan tsr_curves_plan;

/**
 * Checks the items, decides the number of points of each span and sums them up.
 * view, options: copied; the arrays that they point at are borrowed until tsr_curves_plan_free.
 *   Neither may be NULL.
 * execution: NULL = defaults. Its callbacks are called until tsr_curves_plan_free.
 * plan: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, NO_BACKEND, DEVICE, ABORTED. Bad items
 * are no failure: they are left out and noted. A tolerance below the rounding of the values, or one
 * that takes more than 2^30 segments of a span, is a BAD_OPTION if it would divide a span into
 * 65536 segments or more; the text proposes a value that takes about 65536.
 */
tsr_status tsr_curves_plan_create(const tsr_curves_view *view, const tsr_curves_options *options,
                                  const tsr_execution *execution, tsr_curves_plan **plan,
                                  tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_curves_plan_free(tsr_curves_plan *plan);

/** Returns the largest distance by which rounding to TSR_FLOAT moves a point that is at most
 *  largest_place from the origin: half a unit in the last place of each coordinate. */
double tsr_curves_rounding(double largest_place);

/** Returns 1 if tsr_curves_rounding is more than a quarter of the chord error. Rounding to
 *  TSR_FLOAT then costs many more points, and TSR_DOUBLE is the better points_type. With
 *  chord_relative, options.reference_length must be set: with 0 the function returns 0. */
int tsr_curves_is_too_coarse(const tsr_curves_options *options, double largest_place);

/** Returns an upper bound of the distance from the origin for curves whose input points lie within
 *  `bounds` (xmin xmax ymin ymax zmin zmax, from tsr_curves_bounds): the distance of the farthest
 *  corner plus the diagonal, by which a curve may leave the box of its points. Returns 0 if there
 *  is no point. The result is meant for options.largest_place. */
double tsr_curves_largest_place(const double bounds[6]);

/** Returns the sizes, which belong to the plan: valid until tsr_curves_fit_budget changes them or
 *  the plan is freed. */
const tsr_curves_sizes *tsr_curves_plan_sizes(const tsr_curves_plan *plan);

/** Counts, for each array of options.labels, the pairs of consecutive input points whose values
 *  differ, in all good curves of more than one span. Such points are kept under WHERE_NEEDED, so a
 *  large number tells that a label prevents coarsening.
 *  changes: receives n_labels numbers; all are 0 if the plan drops no joints.
 *  Fails with BAD_INPUT, NO_MEMORY, ABORTED. */
tsr_status tsr_curves_label_changes(const tsr_curves_plan *plan, int64_t *changes,
                                    tsr_error *error);

/** Copies the report so far to *report; it is complete after tsr_curves_fill. Its members are as in
 *  tsr_report. */
void tsr_curves_plan_report(const tsr_curves_plan *plan, tsr_report *report);

/**
 * Finds the bounding box of the points that the good items use.
 * bounds: receives xmin xmax ymin ymax zmin zmax; where there is no point, min > max.
 * execution: NULL = defaults. Fails with BAD_INPUT, NO_MEMORY, ABORTED.
 */
tsr_status tsr_curves_bounds(const tsr_curves_view *view, const tsr_execution *execution,
                             double bounds[6], tsr_error *error);

/** Replaces bounds (as from tsr_curves_bounds) by the box around the bounds of all processes; min >
 *  max if no process has a point. processes: must not be NULL. Collective. Fails with NO_MEMORY,
 *  ABORTED. */
tsr_status tsr_curves_agree_bounds(double bounds[6], const tsr_processes *processes,
                                   tsr_error *error);

/** Returns the diagonal of a bounding box (as from tsr_curves_bounds), which is the default
 *  reference_length; 0 if there is no point. */
double tsr_curves_diagonal(const double bounds[6]);

/**
 * Coarsens plans together until they make at most `budget` points in all processes. Chord error,
 * field error, segment length and turning angle are multiplied, and curvature factor and n_segments
 * divided, by the smallest scale >= 1, found to within 1/64, that fits the budget. Each attempt
 * stops counting soon after it exceeds the budget, so plans made with defer_count never count the
 * points of tolerances that are far too fine. Collective.
 * plans: the n_plans plans of this process; may be NULL if n_plans is 0.
 * budget: > 0.
 * sum: returns the sum of `value` over all processes that call this function together; context is
 *   its first argument. Every process calls sum equally often, even after a failure. NULL = there
 *   is one process.
 * scale: receives the scale. If even the coarsest plans do not fit, it receives infinity, the plans
 *   are left at their coarsest, and the call returns TSR_OK.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE (the coarsest plan is beyond limit_points),
 * NO_MEMORY, DEVICE, ABORTED. If one process fails, all do: the others with ABORTED.
 */
tsr_status tsr_curves_fit_budget(tsr_curves_plan *const *plans, int n_plans, int64_t budget,
                                 int64_t (*sum)(void *context, int64_t value), void *context,
                                 double *scale, tsr_error *error);

/** A point array of the input, and where to write its values at the output points. */
typedef struct tsr_attribute {
  tsr_array in; /**< as many tuples as input points */
  void *out;    /**< sizes.points x in.components values of type in.type, not NULL; integers are
                   rounded half away from zero and clamped to their type */
  tsr_interpolation mode;
} tsr_attribute;

/** Where tsr_curves_fill writes. A member that is NULL is not written. Set up by
 *  tsr_curves_output_init. */
typedef struct tsr_curves_output {
  size_t struct_size;
  tsr_type points_type;   /**< [TSR_FLOAT] FLOAT or DOUBLE: type of points, parameter, arc_length,
                               curvature and tangents */
  void *points;           /**< sizes.points x 3 */
  tsr_type index_type;    /**< [TSR_INT64] of offsets and connectivity; INT32, INT64 */
  void *offsets;          /**< sizes.cells + 1 */
  void *connectivity;     /**< sizes.connectivity */
  int64_t *source_item;   /**< sizes.cells: which item each polyline came from */
  int64_t *nearest_point; /**< sizes.points: the input point that TSR_INTERPOLATE_NEAREST takes */
  void *parameter;        /**< sizes.points: span number + u */
  void *arc_length;       /**< sizes.points: length of the polyline up to the point, from the
                               stored coordinates. The point where a closed curve begins and ends
                               is stored once and has 0. Needs `points` in the same call */
  void *curvature;        /**< sizes.points: curvature of the exact curve, 1 / length; 0 where its
                               derivative is 0 */
  void *tangents;         /**< sizes.points x 3: unit vectors; 0 0 0 for a zero-length curve */
  double *achieved_error; /**< sizes.cells: upper bound of the polyline's chord error; with
                             view.single_points it includes the rounding to TSR_FLOAT */
  const tsr_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;
  tsr_polyline_class *classes; /**< TSR_POLYLINE_CLASSES classes of the polylines, as from
                                    tsr_polylines_classify; needs points, offsets and connectivity
                                    in the same call */
} tsr_curves_output;

/** Clears *output and sets struct_size and the types. `output` must not be NULL. */
void tsr_curves_output_init(tsr_curves_output *output);

/**
 * Writes the output of a plan. May be called again with other outputs.
 * Fails with BAD_OPTION, TOO_LARGE (INT32 ids cannot number the points), NO_MEMORY, DEVICE,
 * ABORTED. Outputs are incomplete after a failure.
 */
tsr_status tsr_curves_fill(tsr_curves_plan *plan, const tsr_curves_output *output,
                           tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
