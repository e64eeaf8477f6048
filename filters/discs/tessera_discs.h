/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: points drawn as discs into an image. A part of the public header; include tessera.h.
 *
 * Every point is a disc that lies in the plane of the image. The image is divided into samples,
 * supersampling x supersampling a pixel; a disc covers the samples whose centres are no further
 * from its centre than its radius. The discs are drawn one after another, and each changes the
 * samples that it covers:
 *
 *     colour = colour (1 - opacity) + disc's colour opacity
 *
 * in double precision, so the image is exactly that of a loop over all discs and all samples. A
 * pixel is the mean of its samples. To draw in parallel, the plan divides the image into tiles,
 * rectangles of samples, and lists the discs that each tile may show.
 */
#ifndef TSR_DISCS_TESSERA_DISCS_H
#define TSR_DISCS_TESSERA_DISCS_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most pixels along a side of the image. */
#define TSR_DISCS_MAX_SIDE 65536

/** Most discs of one image. */
#define TSR_DISCS_MAX_DISCS 2147483647

/** The discs, one for each point. Set up by tsr_discs_view_init. All arrays are borrowed and have
 *  one tuple for each disc. All but `points` may be absent (data NULL and 0 tuples): what is used
 *  instead is said with each. */
typedef struct tsr_discs_view {
  size_t struct_size;
  tsr_array points;    /**< 3 components: the centres, in the units of the world */
  tsr_array radii;     /**< 1 component, multiplied by options.radius; absent: options.radius */
  tsr_array colors;    /**< 3 or 4 components: red, green, blue (and opacity, which multiplies the
                            disc's). UINT8: 0 to 255; other types: 0 to 1. Absent: scalars */
  tsr_array scalars;   /**< 1 component, coloured by options.table; ignored if there are colors.
                            Absent: options.color */
  tsr_array opacities; /**< 1 component, multiplied by options.opacity; absent: options.opacity */
  tsr_array order;     /**< 1 component, which sorts the discs for TSR_DISCS_BY_ARRAY */
} tsr_discs_view;

/** Clears *view and sets its struct_size: no discs. `view` must not be NULL. */
void tsr_discs_view_init(tsr_discs_view *view);

/** The order in which discs are drawn; ties are drawn in the order of the input. */
typedef enum tsr_discs_order {
  TSR_DISCS_BY_INDEX = 0, /**< in the order of the input */
  TSR_DISCS_BY_DEPTH,     /**< from far to near; right x up points at the viewer */
  TSR_DISCS_BY_ARRAY      /**< rising by view.order; not-a-number last, with a note */
} tsr_discs_order;

/** How opaque a disc is between its centre and its edge. */
typedef enum tsr_discs_falloff {
  TSR_DISCS_EVEN = 0, /**< one opacity from the centre to the edge */
  TSR_DISCS_GAUSSIAN  /**< the opacity is multiplied by exp(-sharpness d^2 / radius^2) at the
                           distance d from the centre, with an error of at most 1e-4 */
} tsr_discs_falloff;

/** How the device lists the tiles that each disc touches. The numbers equal those of
 *  tsr_curves_strategy and must not change. */
typedef enum tsr_discs_strategy {
  TSR_DISCS_STRATEGY_AUTO = 0,       /**< the fastest by measured rules */
  TSR_DISCS_AGGREGATED_CHILDREN = 3, /**< one child grid for all large discs of a parent block */
  TSR_DISCS_FLAT = 4                 /**< one thread for each disc; launches nothing */
} tsr_discs_strategy;

/** How kernels are launched on a CUDA device. Results never depend on it, and the CPU ignores it.
 *  Set up by tsr_discs_options_init; defaults in brackets. */
typedef struct tsr_discs_launch {
  tsr_discs_strategy strategy;   /**< [AUTO] */
  tsr_child_stream child_stream; /**< [FIRE_AND_FORGET] of AGGREGATED_CHILDREN */
  int64_t pending_launches;      /**< [0] slots for launched child grids that have not ended, 1 to
                                      262144; 0 = a fixed default. Where no slot is free, the
                                      parent does the work itself */
  int64_t launch_threshold;      /**< [0] AGGREGATED_CHILDREN: the child grid takes the discs that
                                      touch at least this many tiles; 0 = by measured rules */
} tsr_discs_launch;

/** Which image. Set up by tsr_discs_options_init; defaults in brackets. */
typedef struct tsr_discs_options {
  size_t struct_size;
  int width, height;    /**< [1024, 1024] pixels, 1 to TSR_DISCS_MAX_SIDE */
  int supersampling;    /**< [1] samples along a side of a pixel: 1, 2 or 4 */
  double corner[3];     /**< [0 0 0] where in the world the image's lower left corner is */
  double right[3];      /**< [1 0 0] unit vector along a row of pixels */
  double up[3];         /**< [0 1 0] unit vector from a row to the next one */
  double pixel_size;    /**< [1] side of a pixel in the world; 1e-30 to 1e30 */
  double radius;        /**< [1] of the discs, >= 0; with view.radii a factor */
  int radius_in_pixels; /**< [0] 1: radii are in pixels, else in the units of the world */
  double color[3];      /**< [1 1 1] of discs without colours and scalars; 0 to 1 */
  const double *table;  /**< table_size x (red, green, blue), 0 to 1. The range from range[0] to
                             range[1] is divided into table_size steps of equal width, and a scalar
                             takes the entry of its step; scalars below or above take the first or
                             the last entry. Borrowed as long as the plan lives */
  int table_size;       /**< [0] at most 65536; 0: no table, but shades from black to white */
  double range[2];      /**< [1 0] range of the table in scalars; range[0] > range[1]: the plan
                             takes the range of the finite scalars */
  double nan_color[3];  /**< [1 1 0] colour of scalars that are not-a-number; 0 to 1 */
  double opacity;       /**< [1] of the discs, 0 to 1; with view.opacities a factor */
  tsr_discs_falloff falloff; /**< [EVEN] */
  double sharpness;          /**< [5] GAUSSIAN: 0 to 100 */
  tsr_discs_order order;     /**< [BY_INDEX] */
  double background[4];      /**< [0 0 0 0] red, green, blue, opacity below all discs; 0 to 1 */
  tsr_discs_launch launch;
} tsr_discs_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_discs_options_init(tsr_discs_options *options);

/** Returns the table of the options that the user sets; n: receives its length. The table is
 *  constant and belongs to the library. */
const tsr_property *tsr_discs_properties(int *n);

/** What a plan noticed about discs. tsr_note_count.first is the index of a disc. */
typedef enum tsr_discs_note {
  TSR_DISCS_NOTE_POSITION = 0, /**< the centre is not finite, or beyond 1e100: not drawn */
  TSR_DISCS_NOTE_RADIUS,       /**< the radius is negative, infinite or not-a-number: not drawn */
  TSR_DISCS_NOTE_ZERO,         /**< the radius is 0: the disc covers nothing */
  TSR_DISCS_NOTE_SMALL,        /**< the disc is inside the image and narrower than a sample: it may
                                    cover no centre of a sample */
  TSR_DISCS_NOTE_COLOR,        /**< a component of the colour is not-a-number and taken as 0, or the
                                    scalar is not-a-number and gets nan_color */
  TSR_DISCS_NOTE_OPACITY,      /**< the opacity is not-a-number: not drawn. Other opacities are
                                    clamped to 0 to 1 */
  TSR_DISCS_NOTE_ORDER,        /**< the order is not-a-number: drawn last */
  TSR_DISCS_NOTES              /**< number of notes */
} tsr_discs_note;

/** Writes the note as a sentence for the user into text, cut to `size` bytes (> 0) including the
 *  NUL at its end. Nothing is written if count.count is 0. */
void tsr_discs_note_sentence(tsr_discs_note note, tsr_note_count count, char *text, size_t size);

/** Sizes of the plan, and the range in force. */
typedef struct tsr_discs_sizes {
  int64_t pixels;  /**< width x height */
  int64_t discs;   /**< discs in the input */
  int64_t inside;  /**< discs that are drawn: their bounding box reaches into the image */
  int64_t outside; /**< valid discs whose bounding box lies outside the image */
  double range[2]; /**< range of the scalars in force; 0 1 where there are none */
  int64_t parts;   /**< CPU: pairs of a disc and a tile that it may touch; with a device 0 */
  tsr_note_count notes[TSR_DISCS_NOTES]; /**< by tsr_discs_note */
} tsr_discs_sizes;

/** A plan: the discs in samples of the image, in the order in which they are drawn. Made by
 *  tsr_discs_plan_create, freed by tsr_discs_plan_free. */
typedef struct tsr_discs_plan tsr_discs_plan;

/**
 * Projects the discs, orders them and sorts them into tiles of the image.
 * view, options: copied, their arrays borrowed until tsr_discs_plan_free; must not be NULL.
 * execution: NULL = defaults. Its callbacks are called until tsr_discs_plan_free.
 * plan: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, NO_BACKEND, DEVICE, ABORTED.
 */
tsr_status tsr_discs_plan_create(const tsr_discs_view *view, const tsr_discs_options *options,
                                 const tsr_execution *execution, tsr_discs_plan **plan,
                                 tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_discs_plan_free(tsr_discs_plan *plan);

/** Returns the sizes, which belong to the plan: valid until it is freed. */
const tsr_discs_sizes *tsr_discs_plan_sizes(const tsr_discs_plan *plan);

/** Copies the report so far to *report; it is complete after tsr_discs_fill. items: discs; points:
 *  pixels; cells: discs that are drawn. */
void tsr_discs_plan_report(const tsr_discs_plan *plan, tsr_report *report);

/** Where tsr_discs_fill writes, row by row from the lower left corner. A member that is NULL is not
 *  written. Set up by tsr_discs_output_init. */
typedef struct tsr_discs_output {
  size_t struct_size;
  uint8_t *rgba; /**< pixels x 4: red, green, blue (not multiplied by the opacity) and opacity */
  int64_t *top;  /**< pixels: index of the disc that was drawn last on one of the pixel's samples;
                      -1: no disc covers any of them */
} tsr_discs_output;

/** Clears *output and sets its struct_size. `output` must not be NULL. */
void tsr_discs_output_init(tsr_discs_output *output);

/**
 * Draws the image of a plan. May be called again with other outputs.
 * Fails with BAD_OPTION, NO_MEMORY, DEVICE, ABORTED (outputs are then incomplete).
 */
tsr_status tsr_discs_fill(tsr_discs_plan *plan, const tsr_discs_output *output, tsr_error *error);

/**
 * Finds the bounding box of the discs in the axes of the image: options.right, options.up and
 * right x up. With radius_in_pixels it is the box of their centres. Discs whose centre or radius is
 * bad are ignored.
 * low, high: receive the lowest and the highest place along each axis, measured from the origin of
 *   the world; low is above high if no disc is left.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE.
 */
tsr_status tsr_discs_bounds(const tsr_discs_view *view, const tsr_discs_options *options,
                            double low[3], double high[3], tsr_error *error);

/** Sets options.corner and options.pixel_size to the smallest image of options.width x
 *  options.height pixels that holds a box, with the box in its centre and the image plane in the
 *  middle of its depth. low, high: from tsr_discs_bounds with the same right and up; if low is
 *  above high, the corner is the origin. A box without extent gets a pixel_size of 1. No argument
 *  may be NULL. */
void tsr_discs_frame(const double low[3], const double high[3], tsr_discs_options *options);

/**
 * Makes a table of colours, for options.table, from a colour map.
 * map: points x (value, red, green, blue); values must not fall from one point to the next, and
 *   colours are interpolated linearly between points. points: at least 1.
 * table: receives entries x (red, green, blue). The range from the first value to the last is
 *   divided into `entries` steps of equal width, and an entry is the colour in the middle of its
 *   step.
 * Fails with BAD_OPTION (there is no point; values fall or are not finite), BAD_INPUT (NULL).
 */
tsr_status tsr_discs_color_table(const double *map, int points, double *table, int entries,
                                 tsr_error *error);

/* -------------------------------------------------------------- random discs */

/** A scene of discs with centres in the unit square. The z coordinate rises with the index from 0
 *  to 1. RANDOM, SNOW and BIG_LITTLE have options.count discs at random places. */
typedef enum tsr_discs_scene {
  TSR_SCENE_RANDOM = 0, /**< random colours and radii */
  TSR_SCENE_RGB,        /**< three large discs that overlap: red, green, blue */
  TSR_SCENE_PATTERN,    /**< a grid of 31 x 31 discs and, above it, a grid of 16 x 16 larger ones */
  TSR_SCENE_SNOW,       /**< white discs: many small ones far away, few large ones near */
  TSR_SCENE_BIG_LITTLE  /**< random colours; the first half are large discs, the second half, which
                             lies above, small ones */
} tsr_discs_scene;

/** Which random discs to make. Set up by tsr_random_discs_options_init; defaults in brackets. */
typedef struct tsr_random_discs_options {
  size_t struct_size;
  tsr_discs_scene scene;    /**< [RANDOM] */
  int64_t count;            /**< [10000] number of discs, 0 to TSR_DISCS_MAX_DISCS; ignored for RGB
                                 and PATTERN */
  int64_t seed;             /**< [1] any number; another seed gives other discs */
  double smallest, largest; /**< [0.02, 0.08] range of the radii of RANDOM; 0 to 1e30 */
  double opacity;           /**< [0.5] opacity of the discs, 0 to 1; far discs of SNOW get less */
} tsr_random_discs_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_random_discs_options_init(tsr_random_discs_options *options);

/** Returns the table of the options that the user sets; n: receives its length. The table is
 *  constant and belongs to the library. */
const tsr_property *tsr_random_discs_properties(int *n);

/** Returns the number of discs of the scene, or -1 if an option is out of its range. */
int64_t tsr_random_discs_count(const tsr_random_discs_options *options);

/** Where tsr_random_discs_fill writes `n` = end - begin discs. A member that is NULL is not
 *  written. Set up by tsr_random_discs_output_init. */
typedef struct tsr_random_discs_output {
  size_t struct_size;
  float *points;    /**< n x 3: centres */
  float *radii;     /**< n */
  uint8_t *colors;  /**< n x 3: red, green, blue, 0 to 255 */
  float *opacities; /**< n: 0 to 1 */
} tsr_random_discs_output;

/** Clears *output and sets its struct_size. `output` must not be NULL. */
void tsr_random_discs_output_init(tsr_random_discs_output *output);

/**
 * Makes discs [begin, end) of the scene and writes them to the beginning of the outputs. A disc
 * depends on the options and its index only, so that parts of a scene can be made separately.
 * Fails with BAD_OPTION, also if [begin, end) is not within the discs of the scene.
 */
tsr_status tsr_random_discs_fill(const tsr_random_discs_options *options, int64_t begin,
                                 int64_t end, const tsr_random_discs_output *output,
                                 tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
