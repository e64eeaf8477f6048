/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the user's settings of disc images beyond the core's options, and how they change those
 *  options. A part of the public header; include tessera.h. */
#ifndef TSR_DISCS_TESSERA_DISCS_CHOICES_H
#define TSR_DISCS_TESSERA_DISCS_CHOICES_H

#include "common/tessera_common.h"
#include "discs/tessera_discs.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where the colour of a disc comes from. */
typedef enum tsr_discs_coloring {
  TSR_DISCS_ONE_COLOR = 0,
  TSR_DISCS_COLOR_ARRAY, /**< an array of colours */
  TSR_DISCS_COLOR_MAP    /**< an array of numbers, through a map */
} tsr_discs_coloring;

/** What the user sets. Set up by tsr_discs_choices_init; the table has the defaults. */
typedef struct tsr_discs_choices {
  int plane; /**< of the image: 0 XY, 1 YZ, 2 XZ */
  int use_region;
  double region[6]; /**< in space: xmin xmax ymin ymax zmin zmax */
  double radius, radius_scale;
  int color_mode; /**< a tsr_discs_coloring */
  int use_scalar_range;
  double scalar_range[2];
  int top_point; /**< 1: the output has this array */
} tsr_discs_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_discs_choices_init(tsr_discs_choices *choices);

/** The table of properties of tsr_discs_choices; n: receives their number. */
const tsr_property *tsr_discs_choices_properties(int *n);

/** Checks that the choices fit the options. color_array, order_array: 1 if the user has chosen such
 *  an array. Properties of type CHOICE are checked by tsr_properties_check instead. Fails with
 *  BAD_OPTION and a whole sentence. */
tsr_status tsr_discs_choices_check(const tsr_discs_choices *choices,
                                   const tsr_discs_options *options, int color_array,
                                   int order_array, tsr_error *error);

/** Sets the members of the options that follow from the plane, the radius and the scalar range.
 *  one_radius: the discs have no radii of their own. */
void tsr_discs_choices_apply(const tsr_discs_choices *choices, int one_radius,
                             tsr_discs_options *options);

/** The chosen region along the image's rows, its columns and towards the viewer. low, high: receive
 *  3 numbers each, as of tsr_discs_bounds. */
void tsr_discs_choices_region(const tsr_discs_choices *choices, double low[3], double high[3]);

/** Sets extent to the first and last pixel along x, y, z. An unknown plane counts as XY; a side of
 *  less than 1 pixel gives an empty extent. */
void tsr_discs_choices_extent(const tsr_discs_choices *choices, const tsr_discs_options *options,
                              int extent[6]);

/** Sets origin to the centre of the first pixel. options: as tsr_discs_frame has set them. */
void tsr_discs_first_pixel(const tsr_discs_options *options, double origin[3]);

#ifdef __cplusplus
}
#endif
#endif
