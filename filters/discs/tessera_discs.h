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
 * pixel is the mean of its samples.
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

/** The discs. Set up by tsr_discs_view_init. All arrays are borrowed; an absent one (data NULL and
 *  0 tuples) is replaced by an option. A given array has one tuple for each disc. */
typedef struct tsr_discs_view {
  size_t struct_size;
  tsr_array points;    /**< 3 components: the centres, in the units of the world */
  tsr_array radii;     /**< 1 component: times options.radius */
  tsr_array colors;    /**< 3 or 4 components: red, green, blue (and opacity, which multiplies the
                            disc's). UINT8: 0 to 255; other types: 0 to 1 */
  tsr_array scalars;   /**< where there are no colours: 1 component, for options.table */
  tsr_array opacities; /**< 1 component: times options.opacity */
  tsr_array order;     /**< 1 component, for TSR_DISCS_BY_ARRAY */
} tsr_discs_view;

/** Clears *view: no discs. `view` must not be NULL. */
void tsr_discs_view_init(tsr_discs_view *view);

/** The order in which discs are drawn; ties are drawn in the order of the input. */
typedef enum tsr_discs_order {
  TSR_DISCS_BY_INDEX = 0, /**< in the order of the input */
  TSR_DISCS_BY_DEPTH,     /**< along right x up, which points at the viewer: far ones first */
  TSR_DISCS_BY_ARRAY      /**< small values first; not-a-number last, with a note */
} tsr_discs_order;

/** How opaque a disc is between its centre and its edge. */
typedef enum tsr_discs_falloff {
  TSR_DISCS_EVEN = 0, /**< everywhere the same */
  TSR_DISCS_GAUSSIAN  /**< times exp(-sharpness d^2 / radius^2) at the distance d, to within 1e-4 */
} tsr_discs_falloff;

/** How the device lists the tiles that each disc touches. The numbers are those of the curves'
 *  strategies of the same names. */
typedef enum tsr_discs_strategy {
  TSR_DISCS_STRATEGY_AUTO = 0,       /**< the fastest by measured rules */
  TSR_DISCS_AGGREGATED_CHILDREN = 3, /**< one child grid for all large discs of a parent block */
  TSR_DISCS_FLAT = 4                 /**< a thread a disc; launches nothing */
} tsr_discs_strategy;

/** How kernels are launched on a CUDA device. Results never depend on it, and the CPU ignores it.
 *  Set up by tsr_discs_options_init; defaults in brackets. */
typedef struct tsr_discs_launch {
  tsr_discs_strategy strategy;   /**< [AUTO] */
  tsr_child_stream child_stream; /**< [FIRE_AND_FORGET] of AGGREGATED_CHILDREN */
  int64_t pending_launches;      /**< [0] slots for launched child grids that have not ended, 1 to
                                      262144; 0 = chosen. Where no slot is free, the parent does
                                      the work itself */
  int64_t launch_threshold;      /**< [0] AGGREGATED_CHILDREN: the child grid takes the discs that
                                      touch at least this many tiles; 0 = chosen */
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
  const double *table;  /**< table_size x (red, green, blue), 0 to 1: the colours of scalars from
                             range[0] to range[1], in steps of equal width. Scalars beyond take
                             the first or the last. Borrowed as long as the plan lives */
  int table_size;       /**< [0] at most 65536; 0: black to white */
  double range[2];      /**< [1 0] range[0] > range[1]: the range of the finite scalars */
  double nan_color[3];  /**< [1 1 0] of scalars that are not a number */
  double opacity;       /**< [1] of the discs, 0 to 1; with view.opacities a factor */
  tsr_discs_falloff falloff; /**< [EVEN] */
  double sharpness;          /**< [5] GAUSSIAN: 0 to 100 */
  tsr_discs_order order;     /**< [BY_INDEX] */
  double background[4];      /**< [0 0 0 0] red, green, blue, opacity below all discs; 0 to 1 */
  tsr_discs_launch launch;
} tsr_discs_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_discs_options_init(tsr_discs_options *options);

/** The options that the user sets; n: receives how many. */
const tsr_property *tsr_discs_properties(int *n);

/** What a plan noticed. `first` is the index of a point. */
typedef enum tsr_discs_note {
  TSR_DISCS_NOTE_POSITION = 0, /**< not finite, or beyond 1e100: not drawn */
  TSR_DISCS_NOTE_RADIUS,       /**< negative, infinite or not-a-number: not drawn */
  TSR_DISCS_NOTE_ZERO,         /**< a radius of 0: covers nothing */
  TSR_DISCS_NOTE_SMALL, /**< within the image and narrower than a sample: may cover none of them */
  TSR_DISCS_NOTE_COLOR, /**< a colour or scalar is not-a-number: that component is 0, or the colour
                             of not-a-number is taken */
  TSR_DISCS_NOTE_OPACITY, /**< not-a-number: not drawn. Other opacities are clamped to 0 to 1 */
  TSR_DISCS_NOTE_ORDER,   /**< not-a-number: drawn last */
  TSR_DISCS_NOTES         /**< how many there are */
} tsr_discs_note;

/** Writes the note as a sentence into text, of `size` bytes. Nothing is written if count is 0. */
void tsr_discs_note_sentence(tsr_discs_note note, tsr_note_count count, char *text, size_t size);

/** Sizes of the plan, and the range in force. */
typedef struct tsr_discs_sizes {
  int64_t pixels;  /**< width x height */
  int64_t discs;   /**< discs in the input */
  int64_t inside;  /**< discs that are drawn: their bounding box reaches into the image */
  int64_t outside; /**< valid discs whose bounding box lies outside the image */
  double range[2]; /**< range of the scalars in force; 0 1 where there are none */
  int64_t parts;   /**< CPU: pairs of a disc and a tile of the image that it may touch */
  tsr_note_count notes[TSR_DISCS_NOTES];
} tsr_discs_sizes;

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

/** The sizes, valid until the plan is freed. */
const tsr_discs_sizes *tsr_discs_plan_sizes(const tsr_discs_plan *plan);

/** The report so far: complete after tsr_discs_fill. items: discs; points: pixels; cells: discs
 *  drawn. */
void tsr_discs_plan_report(const tsr_discs_plan *plan, tsr_report *report);

/** Where fill writes, row by row from the lower left corner; NULL members are not wanted. Set up by
 *  tsr_discs_output_init. */
typedef struct tsr_discs_output {
  size_t struct_size;
  uint8_t *rgba; /**< pixels x 4: red, green, blue (not multiplied by the opacity) and opacity */
  int64_t *top;  /**< pixels: index of the point whose disc was the last to cover one of the pixel's
                      samples; -1: none */
} tsr_discs_output;

/** Clears *output. `output` must not be NULL. */
void tsr_discs_output_init(tsr_discs_output *output);

/**
 * Draws. May be called again with other outputs.
 * Fails with BAD_OPTION, NO_MEMORY, DEVICE, ABORTED (outputs are then incomplete).
 */
tsr_status tsr_discs_fill(tsr_discs_plan *plan, const tsr_discs_output *output, tsr_error *error);

/**
 * Finds the bounding box of the discs along options' right, up and depth (right x up); with
 * radius_in_pixels that of their centres. Bad discs are ignored; if no disc is left, low is above
 * high.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE.
 */
tsr_status tsr_discs_bounds(const tsr_discs_view *view, const tsr_discs_options *options,
                            double low[3], double high[3], tsr_error *error);

/** Sets options' corner and pixel_size so that the image of its width and height just holds the box
 *  in its middle. A box without extent gets pixels of size 1. None of the arguments may be NULL. */
void tsr_discs_frame(const double low[3], const double high[3], tsr_discs_options *options);

/**
 * The table of a colour map.
 * map: points x (value, red, green, blue), the values never fall; colours are linear between them.
 * table: receives entries x 3, in steps of equal width from the first value to the last.
 * Fails with BAD_OPTION: there is no point, or values fall or are not finite.
 */
tsr_status tsr_discs_color_table(const double *map, int points, double *table, int entries,
                                 tsr_error *error);

/* -------------------------------------------------------------- random discs */

/** A scene of random discs in the unit square: `count` discs at random places, except RGB and
 *  PATTERN. Depth rises with the index. */
typedef enum tsr_discs_scene {
  TSR_SCENE_RANDOM = 0, /**< of random colours and radii */
  TSR_SCENE_RGB,        /**< three large ones that overlap: red, green, blue */
  TSR_SCENE_PATTERN,    /**< 31 x 31 and, above them, 16 x 16 on a grid */
  TSR_SCENE_SNOW,       /**< white ones: many small ones far away, few large ones near */
  TSR_SCENE_BIG_LITTLE  /**< one half large ones, and above them one half small ones */
} tsr_discs_scene;

/** Which discs. Set up by tsr_random_discs_options_init; defaults in brackets. */
typedef struct tsr_random_discs_options {
  size_t struct_size;
  tsr_discs_scene scene;    /**< [RANDOM] */
  int64_t count;            /**< [10000] 0 to TSR_DISCS_MAX_DISCS; RGB and PATTERN have their own */
  int64_t seed;             /**< [1] */
  double smallest, largest; /**< [0.02, 0.08] radii of RANDOM; 0 to 1e30 */
  double opacity;           /**< [0.5] 0 to 1 */
} tsr_random_discs_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_random_discs_options_init(tsr_random_discs_options *options);

/** The options that the user sets; n: receives how many. */
const tsr_property *tsr_random_discs_properties(int *n);

/** How many discs the options make, or -1 where they are out of range. */
int64_t tsr_random_discs_count(const tsr_random_discs_options *options);

/** Where tsr_random_discs_fill writes; NULL members are not wanted. */
typedef struct tsr_random_discs_output {
  size_t struct_size;
  float *points;    /**< discs x 3 */
  float *radii;     /**< discs */
  uint8_t *colors;  /**< discs x 3 */
  float *opacities; /**< discs */
} tsr_random_discs_output;

/** Clears *output. `output` must not be NULL. */
void tsr_random_discs_output_init(tsr_random_discs_output *output);

/**
 * Makes discs [begin, end) of the scene, the first of them at the beginning of the outputs. A disc
 * depends on the options and its index only.
 * Fails with BAD_OPTION, also where the scene has not all of these discs.
 */
tsr_status tsr_random_discs_fill(const tsr_random_discs_options *options, int64_t begin,
                                 int64_t end, const tsr_random_discs_output *output,
                                 tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
