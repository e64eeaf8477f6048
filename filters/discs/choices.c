/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the table of the choices, and what they mean to the options. */
#include "common/support.h"
#include "discs/tessera_discs_choices.h"

#include <math.h>
#include <string.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_discs_choices, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

static const tsr_property properties[] = {
    ONE(Plane, plane, CHOICE, 1, 0, 2, 0),
    ONE(UseRegion, use_region, INT, 1, 0, 1, 0),
    ONE(Region, region, DOUBLE, 6, -INFINITY, INFINITY, 0, 1, 0, 1, 0, 1),
    ONE(Radius, radius, DOUBLE, 1, 0, INFINITY, 1),
    ONE(RadiusScale, radius_scale, DOUBLE, 1, 0, INFINITY, 1),
    ONE(ColorMode, color_mode, CHOICE, 1, 0, TSR_DISCS_COLOR_MAP, TSR_DISCS_ONE_COLOR),
    ONE(UseScalarRange, use_scalar_range, INT, 1, 0, 1, 0),
    ONE(ScalarRange, scalar_range, DOUBLE, 2, -INFINITY, INFINITY, 0, 1),
    ONE(GenerateTopPoint, top_point, INT, 1, 0, 1, 0)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_discs_choices_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_discs_choices_init(tsr_discs_choices *choices) {
  memset(choices, 0, sizeof *choices);
  tsr_properties_init(properties, PROPERTIES, choices);
}

/* The axes along which the image's rows, columns and depth run. */
static const int axes_of_plane[3][3] = {{0, 1, 2}, {1, 2, 0}, {0, 2, 1}};

static tsr_status check_place(const tsr_discs_choices *choices, const tsr_discs_options *options,
                              tsr_error *error) {
  const int width = options->width, height = options->height;
  if (width < 1 || height < 1 || width > TSR_DISCS_MAX_SIDE || height > TSR_DISCS_MAX_SIDE)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Resolution must be 1 to %d pixels along each side, not %d x %d.",
                    TSR_DISCS_MAX_SIDE, width, height);
  for (int axis = 0; axis < 3 && choices->use_region; ++axis) {
    const double low = choices->region[2 * axis], high = choices->region[2 * axis + 1];
    if (!(low <= high && low >= -1e100 && high <= 1e100))
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "Region must rise along each axis, but %g to %g does not.", low, high);
  }
  return TSR_OK;
}

tsr_status tsr_discs_choices_check(const tsr_discs_choices *choices,
                                   const tsr_discs_options *options, int color_array,
                                   int order_array, tsr_error *error) {
  if (tsr_need(choices && options, "the struct of the choices or of the options", error))
    return TSR_BAD_INPUT;
  const tsr_status status = check_place(choices, options, error);
  if (status != TSR_OK)
    return status;
  if (!(choices->radius_scale >= 0.0 && choices->radius_scale <= 1e100))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Radius Scale must be a number from 0 to 1e100, not %g.",
                    choices->radius_scale);
  if (choices->color_mode != TSR_DISCS_ONE_COLOR && !color_array)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Color Array must be chosen, or Color Mode be Constant.");
  if (options->order == TSR_DISCS_BY_ARRAY && !order_array)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Order Array must be chosen, or another Order.");
  if (choices->use_scalar_range && !(choices->scalar_range[0] <= choices->scalar_range[1]))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Scalar Range must rise; it is %g to %g.",
                    choices->scalar_range[0], choices->scalar_range[1]);
  return TSR_OK;
}

void tsr_discs_choices_apply(const tsr_discs_choices *choices, int one_radius,
                             tsr_discs_options *options) {
  const int *axes = axes_of_plane[choices->plane];
  options->radius = choices->radius_scale * (one_radius ? choices->radius : 1.0);
  for (int axis = 0; axis < 3; ++axis) {
    options->right[axis] = axis == axes[0] ? 1.0 : 0.0;
    options->up[axis] = axis == axes[1] ? 1.0 : 0.0;
  }
  if (choices->use_scalar_range)
    memcpy(options->range, choices->scalar_range, sizeof options->range);
}

void tsr_discs_choices_region(const tsr_discs_choices *choices, double low[3], double high[3]) {
  for (int side = 0; side < 3; ++side) {
    const int axis = axes_of_plane[choices->plane][side];
    /* Looked at from the front, the plane XZ has its depth along -y. */
    const int turned = side == 2 && choices->plane == 2;
    low[side] = turned ? -choices->region[2 * axis + 1] : choices->region[2 * axis];
    high[side] = turned ? -choices->region[2 * axis] : choices->region[2 * axis + 1];
  }
}

void tsr_discs_choices_extent(const tsr_discs_choices *choices, const tsr_discs_options *options,
                              int extent[6]) {
  const int known = 0 <= choices->plane && choices->plane < 3;
  const int *axes = axes_of_plane[known ? choices->plane : 0];
  memset(extent, 0, 6 * sizeof *extent);
  extent[2 * axes[0] + 1] = (options->width > 0 ? options->width : 0) - 1;
  extent[2 * axes[1] + 1] = (options->height > 0 ? options->height : 0) - 1;
}

void tsr_discs_first_pixel(const tsr_discs_options *options, double origin[3]) {
  for (int axis = 0; axis < 3; ++axis)
    origin[axis] = options->corner[axis] +
                   0.5 * options->pixel_size * (options->right[axis] + options->up[axis]);
}
