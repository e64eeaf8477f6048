/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: adaptive tessellation of curves. A part of the public header; include tessera.h.
 *
 * An item is one input curve. It is a chain of spans; a span is one polynomial or rational
 * piece with its own parameter u in [0, 1]. A tessellated point is a weighted sum of a few
 * input points, and the point arrays use the same weights.
 */
#ifndef TSR_CURVES_TESSERA_CURVES_H
#define TSR_CURVES_TESSERA_CURVES_H

#include "common/processes/tessera_processes.h"
#include "common/tessera_common.h"
#include "common/tessera_polylines.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an item's points mean. n is their number. */
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
                              Arrays that follow the curve go linearly from point to point. */
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
  int single_points; /**< [0] 1 = the points of the output will be TSR_FLOAT: curves with a
                        coordinate above 3e35 are left out and noted, since their points might
                        overflow. With 0 such points would be infinite in TSR_FLOAT. */
} tsr_curves_view;

/** Clears *view and sets its struct_size. `view` must not be NULL. */
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
  TSR_SAMPLING_EQUAL_ERROR,     /**< steps of equal error along the curve, each of them checked */
  TSR_SAMPLING_EQUAL_ARC_LENGTH /**< segments that stand for equal lengths of the whole curve */
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
  TSR_INTERPOLATE_LINEAR,    /**< linearly in u between the input points at their Greville
                                  abscissae (k/degree for Bezier, the knots where interpolating) */
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
  TSR_MEMORY_WORST_CASE, /**< a slot of the largest curve's size for every curve, then gathered */
  TSR_MEMORY_DEVICE_HEAP /**< each curve's memory is allocated in the kernel, gathered and freed */
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
  int64_t heap_bytes;              /**< [0] size of the device heap; 0 = as it is, or larger if the
                                        output needs it. Cannot change once the heap was used */
  int64_t launch_threshold; /**< [0] AGGREGATED_CHILDREN: the child grid makes the curves with
                                 at least this many points, the parent the others; 0 =
                                 chosen by measured rules */
  int nesting_depth;        /**< [8] RECURSIVE_CHILDREN: deepest nesting, 1 to 24; the deepest child
                                 does all work below itself */
  int64_t device_bytes; /**< [0] limit of the device memory for output arrays; 0 = the free memory.
                             Larger outputs are made in pieces */
  int64_t keep_bytes;   /**< [2^30] >= 0: limit in bytes of the input arrays, of all plans together,
                             that stay on a device after their plan is freed, so that the next plan
                             need not upload them. 0: this plan keeps none. The least recently used
                             arrays are freed first; all are where memory is short */
} tsr_curves_launch;

/**
 * What the output must fulfil. Every criterion that is in use is fulfilled together with the
 * others. Set up by tsr_curves_options_init; defaults in brackets.
 */
typedef struct tsr_curves_options {
  size_t struct_size;
  tsr_knots knots;       /**< [CENTRIPETAL] */
  double tension;        /**< [0] in [0, 1]: the Catmull-Rom tangents are scaled by 1 - tension */
  tsr_sampling sampling; /**< [EQUAL_ERROR] */

  /** EQUAL_ARC_LENGTH: segments of every curve, unless use_max_length is set: then each curve has
   *  the least number whose arcs are no longer than max_length. An arc is measured along the curve,
   *  over joints, which do not stay. A closed curve has at least 3 segments. A curve of zero length
   *  has equal steps of the parameter; with use_max_length, as few as it may have. All other
   *  criteria, and `joints`, ask for nothing. Where a span would become more than 2^max_level
   *  segments, its curve has fewer, with TSR_NOTE_LEVEL_LIMIT. */
  int n_segments; /**< [100] >= 1 */
  int max_level;  /**< [24] deepest level of the dyadic tree, 0 to 30; a span becomes at
                       most 2^max_level segments */

  /** The classic rule, per span: n = min(max((int)(k factor), min_points), max_points) points,
   *  k = |P1 - (P0+P2)/2| / |P2-P0|; above degree 2 the largest deviation of an inner control
   *  point from its place on the chord, over the chord; a zero chord takes max_points; degree 1
   *  takes 2 points. A Lagrange cell takes the rule as a whole, rounded to its nodes. Under
   *  bisection and equal errors no segment is longer than a uniform step of this rule. max_points
   * is a hard limit of a span (of a Lagrange cell: max_points or its nodes, whichever is more),
   *  whatever the other criteria ask for: a span that needs more points gets max_points in equal
   *  steps, with TSR_NOTE_LEVEL_LIMIT. */
  int use_curvature;       /**< [0] */
  double curvature_factor; /**< [16] finite, >= 0 */
  int min_points;          /**< [4] >= 2 */
  int max_points;          /**< [32] >= min_points */

  /** Distance of every point of the curve from its polyline: a guarantee, from Wang's bound on
   *  the control polygon (Wang 1984) or the control polygon's distance to the chord (Sederberg,
   *  Computer Aided Geometric Design, 10.6), whichever is less. */
  int use_chord_error;     /**< [1] */
  double chord_error;      /**< [0.001] > 0; a length, or a fraction if chord_relative */
  int chord_relative;      /**< [1] chord_error is a fraction of reference_length */
  double reference_length; /**< [0] >= 0; 0 = the diagonal of the good curves' bounding box */
  double largest_place; /**< [0] >= 0; if view.single_points is set: an upper bound of the points'
                             distance from the origin; 0 = found from the bounding box. Rounding to
                             TSR_FLOAT counts towards the chord error: segments may use the chord
                             error minus tsr_curves_rounding of this distance, but at least half of
                             the chord error */

  /** Largest angle between consecutive segments inside a smooth curve, degrees. 180 asks for
   *  nothing. A segment shorter than a millionth of its span may turn more, with
   *  TSR_NOTE_LEVEL_LIMIT: a cusp turns back however short its segment is. */
  int use_turning_angle; /**< [0] */
  double turning_angle;  /**< [10] in (0, 180] */

  /** Largest length of a segment and of the curve that it stands for, in the unit of the
   * coordinates. Kept to within a millionth. */
  int use_max_length; /**< [0] */
  double max_length;  /**< [1] > 0 */

  /** Largest difference, in any component of any of `fields`, between the array along the curve
   *  and its linear interpolation along the segment, at the place of the segment beside the point
   *  of the curve: as it is drawn. Not-a-number asks for nothing. */
  int use_field_error;             /**< [1] */
  double field_error;              /**< [0.01] > 0; in the unit of the arrays, or a fraction */
  int field_relative;              /**< [1] field_error is a fraction of each array's range */
  const tsr_array *fields;         /**< n_fields arrays with as many tuples as points; NULL if 0 */
  const double *field_ranges;      /**< n_fields ranges, >= 0, where relative; an array whose range
                                        is 0 asks for nothing. NULL = found: the largest of a
                                        component's */
  int n_fields;                    /**< [0] */
  tsr_interpolation interpolation; /**< [CURVE] of the fields: CURVE or LINEAR */
  const tsr_interpolation *field_modes; /**< one interpolation for each of n_fields fields; NULL =
                                             `interpolation` for all */

  /** WHERE_NEEDED: from one end of a curve to the other, each segment goes as far as the chord
   *  error and the other criteria allow. The Frechet distance between a segment and its part of the
   *  curve is at most the chord error. Always kept are the ends of a curve, corners of more than
   * the turning angle if that is in use, and every 65536th point. Without a chord error, under the
   *  classic rule, and for curves of one span, WHERE_NEEDED is the same as KEEP_ALL. */
  tsr_joints joints;       /**< [WHERE_NEEDED] */
  const tsr_array *labels; /**< n_labels arrays with as many tuples as points, whose values cannot
                              be interpolated: points where a value changes are kept. NULL if 0 */
  int n_labels;            /**< [0] */

  /** WITHIN_TOLERANCE: vertices inside a span may lie off the curve, on its outer side, by up to
   *  the chord error, where that makes fewer segments: about 0.71 times as many in a span with many
   *  segments, never more. The ends of a span stay on the curve. The Frechet distance between curve
   *  and polyline is at most the chord error. Arrays have the values of the curve at the vertex's
   *  parameter, and keep the field error along the segment as it is stored. Needs the
   *  sampling EQUAL_ERROR and a chord error. */
  tsr_vertices vertices; /**< [ON_CURVE] */

  int64_t limit_points; /**< [0] > 0: a plan of more points ends with TSR_TOO_LARGE; 0 = no limit */
  int defer_count;      /**< [0] 1 = the plan only checks its items; tsr_curves_fit_budget has to
                             count its points before they can be filled */
  tsr_curves_launch launch;
  const char *const *field_names; /**< [NULL] n_fields: the arrays' names, for errors; NULL:
                                       "field 0". Borrowed as long as the plan lives */
} tsr_curves_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_curves_options_init(tsr_curves_options *options);

/** Switches off what the sampling makes no use of: with EQUAL_ARC_LENGTH all criteria but
 *  max_length, and joints that go. A plan does so with its copy; call it where you look at the
 *  criteria before there is a plan. `options` must not be NULL. */
void tsr_curves_options_settle(tsr_curves_options *options);

/** The options that the user sets; n: receives how many. */
const tsr_property *tsr_curves_properties(int *n);

/** What a plan noticed about an item. Items with a note up to and including TSR_NOTE_EMPTY are left
 *  out of the output; items with other notes are in it. */
typedef enum tsr_note {
  TSR_NOTE_BAD_OFFSETS = 0, /**< the item's offsets decrease or leave the connectivity */
  TSR_NOTE_BAD_ID,          /**< a point id is out of range */
  TSR_NOTE_NOT_FINITE,      /**< a coordinate is infinite, not a number or beyond 1e100 */
  TSR_NOTE_BAD_WEIGHT,      /**< a rational weight is not a finite number above zero */
  TSR_NOTE_BAD_DEGREE,      /**< a cell of degree above TSR_MAX_DEGREE */
  TSR_NOTE_BEYOND_SINGLE,   /**< a coordinate is too large for view->single_points */
  TSR_NOTE_EMPTY,           /**< no points at all */
  TSR_NOTE_ONE_POINT,       /**< one point: comes out as it is, as a polyline of one point */
  TSR_NOTE_ZERO_LENGTH,     /**< all points coincide: comes out with that length */
  TSR_NOTE_LOWER_DEGREE,    /**< the point count does not fit the chain or B-spline: the last
                                 piece (of a B-spline: all) has a lower degree */
  TSR_NOTE_LEVEL_LIMIT, /**< max_level, max_points or a cusp was reached before the criteria were
                             fulfilled */
  TSR_NOTE_CORNER,      /**< with use_turning_angle: a larger angle where spans meet, or a cusp */
  TSR_NOTES             /**< how many there are */
} tsr_note;

/**
 * Writes the note as a sentence for the user.
 * noun: what the caller calls an item, singular, e.g. "cell"; NULL = "curve".
 * text, size: where to, cut to size (> 0) with a NUL. Nothing is written if count is 0.
 */
void tsr_note_sentence(tsr_note note, tsr_note_count count, const char *noun, char *text,
                       size_t size);

/** Exact sizes of the output of a plan. */
typedef struct tsr_curves_sizes {
  int64_t points;
  int64_t cells;
  int64_t connectivity;
  tsr_note_count notes[TSR_NOTES];
} tsr_curves_sizes;

typedef struct tsr_curves_plan tsr_curves_plan;

/**
 * Checks the items, decides the number of points of each span and sums them up.
 * view, options: copied; the arrays that they point at are borrowed until tsr_curves_plan_free.
 *   Neither may be NULL.
 * execution: NULL = defaults. Its callbacks are called until tsr_curves_plan_free.
 * plan: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, NO_BACKEND, DEVICE, ABORTED. Bad items
 * are no failure: they are left out and noted. A tolerance is a BAD_OPTION, too, if no number of
 * segments keeps it and it asks for more than 65536 of a span: the text proposes a value.
 */
tsr_status tsr_curves_plan_create(const tsr_curves_view *view, const tsr_curves_options *options,
                                  const tsr_execution *execution, tsr_curves_plan **plan,
                                  tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_curves_plan_free(tsr_curves_plan *plan);

/** Returns the largest distance by which rounding to TSR_FLOAT moves a point that is at most
 *  largest_place from the origin: half a unit in the last place of each coordinate. */
double tsr_curves_rounding(double largest_place);

/** 1 if tsr_curves_rounding is more than a quarter of the chord error. Rounding to TSR_FLOAT then
 *  costs many more points. options: reference_length must be set. */
int tsr_curves_is_too_coarse(const tsr_curves_options *options, double largest_place);

/** Returns largest_place for curves whose points have these bounds, as of tsr_curves_bounds. A
 * curve may leave the bounding box of its points by the box's diagonal. 0 if there is no point. */
double tsr_curves_largest_place(const double bounds[6]);

/** The sizes, valid until the plan is refitted or freed. */
const tsr_curves_sizes *tsr_curves_plan_sizes(const tsr_curves_plan *plan);

/** Counts for each of options.labels the pairs of neighbouring points of a curve between which its
 *  value changes, so that coarsening keeps them.
 *  changes: receives n_labels numbers; zeros where coarsening may not remove joints.
 *  Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_curves_label_changes(const tsr_curves_plan *plan, int64_t *changes,
                                    tsr_error *error);

/** The report so far: complete after tsr_curves_fill. */
void tsr_curves_plan_report(const tsr_curves_plan *plan, tsr_report *report);

/**
 * Bounding box of the points that the good items use.
 * bounds: receives xmin xmax ymin ymax zmin zmax; where there is no point, min > max.
 * execution: NULL = defaults. Fails with BAD_INPUT or ABORTED.
 */
tsr_status tsr_curves_bounds(const tsr_curves_view *view, const tsr_execution *execution,
                             double bounds[6], tsr_error *error);

/** Replaces bounds by the box around the bounds of all processes; min > max where there is no
 * point. Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_curves_agree_bounds(double bounds[6], const tsr_processes *processes,
                                   tsr_error *error);

/** The reference_length of curves within a bounding box: its diagonal, 0 where there is no point.
 */
double tsr_curves_diagonal(const double bounds[6]);

/**
 * Counts plans and coarsens them together until they make at most `budget` points in all: chord
 * error, field error, segment length and turning angle are multiplied, the curvature factor
 * divided, by the smallest scale >= 1 (found to within 1/64) that fits. No count goes far beyond
 * the budget, whatever the tolerances: best with plans made with defer_count.
 * plans, n_plans: every plan of this process; NULL if 0.
 * budget: > 0. context: the first argument of sum.
 * sum: returns the sum of `value` over all processes that call this together; NULL = one process.
 * Every process calls it equally often, even after a failure; if one process fails, all do. scale:
 * receives the scale. Where even the coarsest plan does not fit, it receives infinity, the plans
 * are left at their coarsest, and the call still returns TSR_OK. Fails with BAD_OPTION, TOO_LARGE
 * (the coarsest plan is beyond limit_points), NO_MEMORY, DEVICE, ABORTED (also where another
 * process failed).
 */
tsr_status tsr_curves_fit_budget(tsr_curves_plan *const *plans, int n_plans, int64_t budget,
                                 int64_t (*sum)(void *context, int64_t value), void *context,
                                 double *scale, tsr_error *error);

/** One point array to carry along. */
typedef struct tsr_attribute {
  tsr_array in;           /**< as many tuples as input points */
  void *out;              /**< sizes.points x in.components values of type in.type */
  tsr_interpolation mode; /**< integers are rounded half away from zero and clamped to their type */
} tsr_attribute;

/** Where fill writes. NULL members are not wanted. Set up by tsr_curves_output_init. */
typedef struct tsr_curves_output {
  size_t struct_size;
  tsr_type points_type; /**< [TSR_FLOAT] of points and the generated point arrays; FLOAT, DOUBLE */
  void *points;         /**< sizes.points x 3 */
  tsr_type index_type;  /**< [TSR_INT64] of offsets and connectivity; INT32, INT64 */
  void *offsets;        /**< sizes.cells + 1 */
  void *connectivity;   /**< sizes.connectivity */
  int64_t *source_item; /**< sizes.cells: which item each polyline came from */
  int64_t *nearest_point; /**< sizes.points: the input point that TSR_INTERPOLATE_NEAREST takes */
  void *parameter;        /**< sizes.points: span number + u */
  void *arc_length;       /**< sizes.points: length of the polyline up to the point, from the
                               stored coordinates; of the joint of a closed curve 0 */
  void *curvature;        /**< sizes.points: of the exact curve; 0 where the speed is 0 */
  void *tangents;         /**< sizes.points x 3: unit vectors; 0 0 0 for a zero-length curve */
  double *achieved_error; /**< sizes.cells: upper bound of the chord error that was reached,
                             rounding to points_type included */
  const tsr_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;
  tsr_polyline_class *classes; /**< TSR_POLYLINE_CLASSES: what tsr_polylines_classify says of the
                                    polylines; needs points, offsets and connectivity */
} tsr_curves_output;

/** Clears *output and sets struct_size and the types. `output` must not be NULL. */
void tsr_curves_output_init(tsr_curves_output *output);

/**
 * Writes the output of a plan. May be called again with other outputs.
 * Fails with BAD_OPTION, NO_MEMORY, DEVICE, ABORTED (outputs are then incomplete).
 */
tsr_status tsr_curves_fill(tsr_curves_plan *plan, const tsr_curves_output *output,
                           tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
