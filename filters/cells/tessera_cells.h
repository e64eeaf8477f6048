/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: curved cells as triangles, lines and points. A part of the public header; include
 * tessera.h.
 *
 * The input is an unstructured mesh with VTK's cell types. The output is its surface: surface
 * cells, and those faces of volume cells that no other volume cell shares, together with line and
 * vertex cells. Curved faces and lines are divided until the criteria hold; linear ones are copied.
 * The quadratic cells, and the Lagrange and Bezier cells of VTK up to degree TSR_CELLS_MAX_DEGREE,
 * are curved; a Bezier cell may be rational.
 *
 * How faces and edges are divided:
 * - An edge is divided at equal steps of its parameter. Their number follows from the nodes of the
 *   edge alone, so that all faces with the edge share its points: the surface has no gaps and no
 *   hanging points, whatever the types and degrees of the cells. Two edges that have the same ends
 *   and different nodes between them get equally many steps.
 * - A face is divided by a regular grid. Where the edges have other numbers of steps, a strip of
 *   triangles along each of them joins the grid with it.
 * - The criteria are compared with bounds that hold for every point of the surface: a triangle is
 *   matched with its part of the surface point by point, by the parameters of the face, and the
 *   distance between the two is bounded by the second differences of the Bernstein coefficients.
 */
#ifndef TSR_CELLS_TESSERA_CELLS_H
#define TSR_CELLS_TESSERA_CELLS_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Highest degree of a cell, along each of its axes. */
#define TSR_CELLS_MAX_DEGREE 10

/** What a cell of the view takes part in. */
typedef enum tsr_cells_role {
  TSR_CELLS_DRAWN = 0, /**< it is drawn */
  TSR_CELLS_ABSENT,    /**< it is ignored */
  TSR_CELLS_NEIGHBOUR  /**< it is not drawn, but hides the faces that it shares with other cells: a
                            ghost cell */
} tsr_cells_role;

/** The input mesh. All arrays are borrowed for as long as the plan lives. */
typedef struct tsr_cells_view {
  size_t struct_size;
  tsr_array points;         /**< 3 components, float or double */
  tsr_array weights;        /**< rational weights, 1 component, one per point, all > 0; data NULL =
                                 polynomial. Used by Bezier cells only */
  int64_t n_cells;          /**< [0] */
  const uint8_t *types;     /**< n_cells: VTK's numbers of the cell types (vtkCellType.h) */
  const void *offsets;      /**< n_cells + 1 values: cell i has ids [offsets[i], offsets[i+1]) */
  const void *connectivity; /**< point ids, in the node order of VTK 9.1 and later */
  int64_t n_connectivity;   /**< length of connectivity */
  tsr_type index_type;      /**< [TSR_INT64] of offsets and connectivity: TSR_INT32 or TSR_INT64 */
  tsr_array degrees;        /**< 3 components, n_cells tuples, any type: degrees of Lagrange and
                                 Bezier curves, quadrilaterals, hexahedra and wedges along their axes
                                 (VTK's HigherOrderDegrees). data NULL: one degree for all axes of a
                                 cell, which follows from its number of points. Triangles and
                                 tetrahedra always have one degree */
  const uint8_t *roles;     /**< n_cells values of tsr_cells_role; NULL: all are drawn */
  int single_points;        /**< [0] 1 = the points of the output will be TSR_FLOAT: cells with a
                                 coordinate above 3e35 are left out, and the rounding to TSR_FLOAT
                                 counts towards the chord error */
} tsr_cells_view;

/** Sets every member to its default: no cells. `view` must not be NULL. */
void tsr_cells_view_init(tsr_cells_view *view);

/** What the output is. */
typedef enum tsr_cells_kind {
  TSR_CELLS_SURFACE = 0, /**< triangles of the surface, polygons, lines and vertices */
  TSR_CELLS_CURVES, /**< a polyline for each edge of the surface's faces, in the points that the
                        edge has in TSR_CELLS_SURFACE, after the lines; no polygons */
  TSR_CELLS_VOLUMES /**< everything, the insides of volume cells too: curved volume cells become
                         tetrahedra, linear ones are copied; surface cells, lines and vertices as in
                         TSR_CELLS_SURFACE. Not for curved pyramids, cells with nodes inside
                         triangles of degree 2, and the hexahedron of 24 nodes. Faces that plans
                         share do not fit, since each plan divides a face and an edge as its own
                         cells need */
} tsr_cells_kind;

/** What the output must fulfil; all criteria that are in use hold together. Set up by
 *  tsr_cells_options_init; defaults in brackets. */
typedef struct tsr_cells_options {
  size_t struct_size;
  tsr_cells_kind output; /**< [TSR_CELLS_SURFACE] */

  /** Largest distance between the surface and its triangles, and between a curve and its line: of
   *  every point of the one from the other, in both directions. */
  int use_chord_error;     /**< [1] */
  double chord_error;      /**< [0.001] > 0; a length, or a fraction if chord_relative */
  int chord_relative;      /**< [1] chord_error is a fraction of reference_length */
  double reference_length; /**< [0] >= 0; 0 = the diagonal of the bounding box of all nodes of drawn
                                cells */
  double largest_place;    /**< [0] >= 0: an upper bound of the magnitude of all coordinates, which
                                tells what rounding takes of the chord error; 0 = that of the nodes of
                                drawn cells. Processes whose surfaces are to fit must set equal ones
                            */

  /** Largest difference, in any component of any of `fields`, between the array at a point of the
   *  surface and the value that is drawn at the matching point of the triangle. Values that are not
   *  finite ask for nothing. */
  int use_field_error;         /**< [1] */
  double field_error;          /**< [0.01] > 0; in the unit of the arrays, or a fraction */
  int field_relative;          /**< [1] field_error is a fraction of each array's range */
  const tsr_array *fields;     /**< n_fields arrays with as many tuples as points; NULL if 0 */
  const double *field_ranges;  /**< with field_relative: n_fields ranges, >= 0; an array whose range
                                  is 0 is ignored. NULL = the plan finds them: the largest range of a
                                    component of the array */
  const double *field_largest; /**< n_fields upper bounds of the magnitude of each array's values,
                                    which tell what rounding takes of the field error; NULL = the
                                  plan finds them */
  int n_fields;                /**< [0] */

  /** Largest angle between the normals of the surface and the normal of the triangle that draws it.
   *  An edge then gets the steps that its faces need most: faces of several plans fit along an edge
   *  only if each plan sees all faces of the edge. */
  int use_normal_angle; /**< [0] */
  double normal_angle;  /**< [15] > 0: degrees; 90 to 180 are 90; 180 asks for nothing */

  /** Longest edge of the triangles and lines of curved faces and curves. */
  int use_max_length; /**< [0] */
  double max_length;  /**< [1] > 0: a length */

  int max_segments; /**< [1024] 1 to 4096: most steps of an edge, and of a face in each direction;
                         a face that needs more gets that many, with TSR_CELLS_NOTE_LIMIT */
  int defer_count;  /**< [0] 1: the plan has no sizes, and cannot be filled, before
                         tsr_cells_fit_budget has counted its points */
  int64_t
      limit_points;   /**< [0] >= 0: a plan of more points ends with TSR_TOO_LARGE; 0 = no limit */
  int merge_points;   /**< [0] 1 = all points of the input with equal coordinates, and equal weights
                           if there are any, are taken for the one with the lowest id, whose values of
                           point arrays the others then have, too. Criteria and arrays are those of
                         the mesh that results */
  int64_t keep_bytes; /**< [2^30] CUDA, >= 0: as tsr_grid_options.keep_bytes */
} tsr_cells_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_cells_options_init(tsr_cells_options *options);

/** Returns the table of the options that the user sets; n: receives its length. The table is
 *  constant and belongs to the library. */
const tsr_property *tsr_cells_properties(int *n);

/** What a plan noticed. Cells with one of the notes before TSR_CELLS_NOTE_LIMIT are left out; their
 *  neighbours are drawn as if these cells did not exist. */
typedef enum tsr_cells_note {
  TSR_CELLS_NOTE_TYPE = 0, /**< cells of a type that is not supported: polyhedra, convex point sets,
                                quadratic polygons, Lagrange and Bezier pyramids */
  TSR_CELLS_NOTE_COUNT,    /**< cells whose number of points does not fit their type and degree */
  TSR_CELLS_NOTE_DEGREE,   /**< cells of a degree that is below 1 or above TSR_CELLS_MAX_DEGREE */
  TSR_CELLS_NOTE_ID,       /**< cells with a point id that is out of range */
  TSR_CELLS_NOTE_PLACE,    /**< cells with a coordinate that is not finite, or beyond 1e100 */
  TSR_CELLS_NOTE_WEIGHT,   /**< cells with a rational weight that is not a number above 0 */
  TSR_CELLS_NOTE_LIMIT, /**< faces and lines for which max_segments is too few: the criteria do not
                             hold on them; first: the cell of the first of them */
  TSR_CELLS_NOTE_ANGLE, /**< faces with triangles for which the angle of normals is not guaranteed:
                             the normal may vanish on the face, or a strip at one of its sides is
                           too narrow */
  TSR_CELLS_NOTE_SOLID, /**< cells that TSR_CELLS_VOLUMES cannot divide; left out as those before
                             TSR_CELLS_NOTE_LIMIT are */
  TSR_CELLS_NOTES       /**< number of notes */
} tsr_cells_note;

/** Writes the note as a sentence for the user into text, cut to `size` bytes (> 0) including the
 *  NUL at its end. Nothing is written if count.count is 0. */
void tsr_cells_note_sentence(tsr_cells_note note, tsr_note_count count, char *text, size_t size);

/** Exact sizes of the output of a plan. Its cells are numbered as in vtkPolyData: vertices, lines,
 *  then polygons; then solids. */
typedef struct tsr_cells_sizes {
  int64_t points;            /**< points of the output */
  int64_t verts;             /**< vertex cells */
  int64_t vert_connectivity; /**< their point ids, all together */
  int64_t lines;             /**< polylines */
  int64_t line_connectivity; /**< their point ids, all together */
  int64_t polys;             /**< triangles and other polygons */
  int64_t poly_connectivity; /**< their point ids, all together */
  int64_t corners;           /**< points of the output that are points of the input */
  int64_t edges;             /**< different edges of lines, and of faces that are not drawn flat */
  int64_t faces;             /**< curved faces that are drawn; with TSR_CELLS_VOLUMES those of
                                  cells that are divided */
  double chord;              /**< chord error in force: a length, less what rounding to TSR_FLOAT
                                  takes; 0 where it is not in use */
  double scale;              /**< by which tsr_cells_fit_budget enlarged what is allowed; else 1 */
  tsr_note_count notes[TSR_CELLS_NOTES]; /**< by tsr_cells_note */
  int64_t solids;             /**< TSR_CELLS_VOLUMES: tetrahedra and linear volume cells */
  int64_t solid_connectivity; /**< their point ids, all together */
} tsr_cells_sizes;

/** A plan: the surface, and how each face and edge is divided. Made by tsr_cells_plan_create, freed
 *  by tsr_cells_plan_free. */
typedef struct tsr_cells_plan tsr_cells_plan;

/** The degree of a cell of VTK's number `type` with n points; of one with a degree for each axis
 * the least that has as many points if it is that of all axes. 1 for linear cells, and for types
 * that plans do not take. */
int tsr_cells_degree(int type, int64_t n);

/** 1 if a cell of the view is of a type that may be curved, whether it is drawn or not. */
int tsr_cells_may_curve(const tsr_cells_view *view);

/**
 * Finds the surface of the mesh and decides how its faces and edges are divided.
 * view, options: copied; the arrays that they point at are borrowed until tsr_cells_plan_free.
 * Neither may be NULL.
 * execution: NULL = defaults. Its callbacks are called until tsr_cells_plan_free. The CPU makes
 *   plans of few ids under TSR_BACKEND_AUTO.
 * plan: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, NO_BACKEND, ABORTED.
 */
tsr_status tsr_cells_plan_create(const tsr_cells_view *view, const tsr_cells_options *options,
                                 const tsr_execution *execution, tsr_cells_plan **plan,
                                 tsr_error *error);

/** Returns the largest distance by which the type of the output moves a point whose coordinates are
 *  at most `largest` in magnitude; for values of an array of that type, the largest difference: the
 *  rounding of the type and of the arithmetic, and a half for integers. */
double tsr_cells_rounding(double largest, tsr_type type);

/** Returns 1 if for points of TSR_FLOAT this is more than a quarter of the chord error: then
 *  TSR_DOUBLE is the better type. options: not NULL, with largest_place, and with reference_length
 *  where the chord error is a fraction of it; 0 is returned where they are 0. */
int tsr_cells_is_too_coarse(const tsr_cells_options *options);

/** Writes what is to be said about the type of the output points: that they are in double precision
 *  since single precision would take too much of the chord error, or that the type takes more than
 *  half of the chord error, which is kept for the triangles, so that the whole may be larger.
 *  options: as above. single: 1: the points are TSR_FLOAT. widened: 1: they would be, but for the
 *  chord error. text: receives at most `size` bytes (> 0), a NUL included; empty: nothing to say.
 */
void tsr_cells_points_sentence(const tsr_cells_options *options, int single, int widened,
                               char *text, size_t size);

/** Writes that rounding takes more than half of the field error of an array; text as above.
 *  name: of the array. type: of its values. range: its range, 0 for an array that is ignored.
 *  largest: the largest magnitude of its values. */
void tsr_cells_field_sentence(const tsr_cells_options *options, const char *name, tsr_type type,
                              double range, double largest, char *text, size_t size);

/** Frees a plan; NULL is allowed. */
void tsr_cells_plan_free(tsr_cells_plan *plan);

/** Returns the sizes, which belong to the plan: valid until it is freed. */
const tsr_cells_sizes *tsr_cells_plan_sizes(const tsr_cells_plan *plan);

/**
 * Coarsens plans together until they make at most `budget` points in all processes: all errors, the
 * angle and the length that are allowed are multiplied by the smallest factor >= 1, found to within
 * 1/64, with which the points fit. Corners of faces always stay.
 * plans: n_plans, none NULL; [NULL] if n_plans is 0. Must not have been filled from.
 * budget: > 0.
 * sum: adds a number up over all processes, which must call this function together; NULL: there is
 *   one process. context: its first argument.
 * scale: receives the factor; infinity if even the coarsest output has more points, and that is
 * then planned. Not NULL. Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, ABORTED. Plans
 * can then only be freed.
 */
tsr_status tsr_cells_fit_budget(tsr_cells_plan *const *plans, int n_plans, int64_t budget,
                                int64_t (*sum)(void *context, int64_t value), void *context,
                                double *scale, tsr_error *error);

/** Copies the report so far to *report; it is complete after tsr_cells_fill. items: cells of the
 *  input; spans: curved faces that are drawn. */
void tsr_cells_plan_report(const tsr_cells_plan *plan, tsr_report *report);

/** An array of the input, and where to write its values. */
typedef struct tsr_cells_attribute {
  tsr_array in; /**< any type and components; a tuple for each point, or for each cell */
  void *out; /**< of the same type and components, a tuple for each point, or for each cell, of the
                  output */
} tsr_cells_attribute;

/** Where tsr_cells_fill writes. A member that is NULL is not written. Lengths are members of
 *  tsr_cells_sizes; `cells` is verts + lines + polys + solids. Set up by tsr_cells_output_init. */
typedef struct tsr_cells_output {
  size_t struct_size;
  tsr_type points_type;       /**< [TSR_FLOAT] FLOAT or DOUBLE: type of points */
  void *points;               /**< points x 3 */
  int64_t *vert_offsets;      /**< verts + 1: offsets into vert_connectivity */
  int64_t *vert_connectivity; /**< vert_connectivity */
  int64_t *line_offsets;      /**< lines + 1: offsets into line_connectivity */
  int64_t *line_connectivity; /**< line_connectivity */
  int64_t *poly_offsets;      /**< polys + 1: offsets into poly_connectivity */
  int64_t *poly_connectivity; /**< poly_connectivity */
  int64_t *source_cell;       /**< cells: the cell of the input that each came from */
  float *normals;             /**< points x 3: unit normals of the curved surface; where faces meet,
                                   the mean of theirs. 0 for points of no face */
  double *achieved; /**< cells: upper bound of the distance between the cell and its part of
                         the surface, by the bounds that divided the face; 0 for linear
                         faces and vertices */
  const tsr_cells_attribute
      *point_arrays;                      /**< n_point_arrays; NULL if 0. Points of the input keep
                                               their tuples; between them arrays follow the cell's
                                               own interpolation, as the position does. Integers are
                                               rounded half away from zero and clamped to their type
                                           */
  int n_point_arrays;                     /**< [0] */
  const tsr_cells_attribute *cell_arrays; /**< n_cell_arrays; NULL if 0. Copied */
  int n_cell_arrays;                      /**< [0] */
  double *parameters;      /**< points x 3: parametric coordinates in parameter_cell, as VTK's class
                                of the cell has them. NaN where the point is of poly-vertices,
                                polylines, strips and polygons alone */
  int64_t *parameter_cell; /**< points: a cell of the input with the point. Where cells meet, the
                                first one that is drawn, of those that have parameters: vertices
                                before lines before faces, each in the order of the cells */
  uint8_t *solid_types;    /**< solids: VTK's numbers of their cell types */
  int64_t *solid_offsets;  /**< solids + 1: offsets into solid_connectivity */
  int64_t *solid_connectivity; /**< solid_connectivity */
} tsr_cells_output;

/** Clears *output and sets struct_size and the type of points. `output` must not be NULL. */
void tsr_cells_output_init(tsr_cells_output *output);

/**
 * Writes the output of a plan. May be called again with other outputs.
 * Fails with BAD_OPTION (an unusable output struct), BAD_INPUT (an array of a wrong length),
 * NO_MEMORY, ABORTED. Outputs are incomplete after a failure.
 */
tsr_status tsr_cells_fill(tsr_cells_plan *plan, const tsr_cells_output *output, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
