/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: defaults, and what of the caller's can be used. */
#include "discs/plan.h"

#include <stdio.h>
#include <string.h>

void tsr_discs_view_init(tsr_discs_view *view) {
  memset(view, 0, sizeof *view);
  view->struct_size = sizeof *view;
}

void tsr_discs_output_init(tsr_discs_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
}

static const char *const note_one[TSR_DISCS_NOTES] = {
    "point is not finite or too large and is not drawn",
    "radius is negative, infinite or not a number, and its disc is not drawn",
    "radius is 0: its disc covers nothing",
    "disc is narrower than a sample and may not show: make the radii or the image larger",
    "color is not a number",
    "opacity is not a number, and its disc is not drawn",
    "order is not a number: its disc is drawn last"};
static const char *const note_many[TSR_DISCS_NOTES] = {
    "points are not finite or too large and are not drawn",
    "radii are negative, infinite or not a number, and their discs are not drawn",
    "radii are 0: their discs cover nothing",
    "discs are narrower than a sample and may not show: make the radii or the image larger",
    "colors are not a number",
    "opacities are not a number, and their discs are not drawn",
    "orders are not a number: their discs are drawn last"};

void tsr_discs_note_sentence(tsr_discs_note note, tsr_note_count count, char *text, size_t size) {
  if (count.count <= 0 || (unsigned)note >= (unsigned)TSR_DISCS_NOTES || size == 0)
    return;
  snprintf(text, size, "%lld %s; the first is at point %lld.", (long long)count.count,
           count.count == 1 ? note_one[note] : note_many[note], (long long)count.first);
}

static int within(double v, double low, double high) { return v >= low && v <= high; }

static int all_within(const double *v, int n, double low, double high) {
  int good = 1;
  for (int i = 0; i < n; ++i)
    good = good && within(v[i], low, high);
  return good;
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The plane. */
static tsr_status check_image(const tsr_discs_options *o, tsr_error *error) {
  const double little = 1e-6;
  if (o->width < 1 || o->height < 1 || o->width > TSR_DISCS_MAX_SIDE ||
      o->height > TSR_DISCS_MAX_SIDE)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the image must have 1 to %d pixels along a side, not %d x %d",
                    TSR_DISCS_MAX_SIDE, o->width, o->height);
  if (o->supersampling != 1 && o->supersampling != 2 && o->supersampling != 4)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the supersampling must be 1, 2 or 4, not %d",
                    o->supersampling);
  if (!within(o->pixel_size, 1e-30, 1e30))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the size of a pixel must be a number from 1e-30 to 1e30, not %g",
                    o->pixel_size);
  if (!all_within(o->corner, 3, -TSR_LARGEST_COORDINATE, TSR_LARGEST_COORDINATE))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the corner of the image (%g %g %g) must be finite",
                    o->corner[0], o->corner[1], o->corner[2]);
  if (!within(dot(o->right, o->right), 1.0 - little, 1.0 + little) ||
      !within(dot(o->up, o->up), 1.0 - little, 1.0 + little) ||
      !within(dot(o->right, o->up), -little, little))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the image's directions right and up must be unit vectors at a right angle");
  return TSR_OK;
}

static tsr_status check_color(const double *color, int components, const char *name,
                              tsr_error *error) {
  for (int c = 0; c < components; ++c)
    if (!within(color[c], 0.0, 1.0))
      return tsr_fail(error, TSR_BAD_OPTION, -1, "the %s must be of numbers from 0 to 1, not %g",
                      name, color[c]);
  return TSR_OK;
}

static tsr_status check_look(const tsr_discs_options *o, tsr_error *error) {
  if (!within(o->radius, 0.0, 1e100))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the radius must be a number from 0 to 1e100, not %g", o->radius);
  if (!within(o->opacity, 0.0, 1.0))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the opacity must be a number from 0 to 1, not %g",
                    o->opacity);
  if (!within(o->sharpness, 0.0, 100.0))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the sharpness must be a number from 0 to 100, not %g", o->sharpness);
  if (check_color(o->color, 3, "color", error) != TSR_OK ||
      check_color(o->nan_color, 3, "color of NaN", error) != TSR_OK ||
      check_color(o->background, 4, "background", error) != TSR_OK)
    return TSR_BAD_OPTION;
  if (o->table_size < 0 || o->table_size > 65536 || (o->table_size > 0 && !o->table))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the table of colors must have 0 to 65536 entries, not %d", o->table_size);
  if (!all_within(o->table, 3 * o->table_size, 0.0, 1.0))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the components of the table of colors must be from 0 to 1");
  if (!(o->range[0] == o->range[0] && o->range[1] == o->range[1]))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the range of the scalars must be numbers");
  if ((unsigned)o->falloff > (unsigned)TSR_DISCS_GAUSSIAN)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the falloff %d is unknown", (int)o->falloff);
  if ((unsigned)o->order > (unsigned)TSR_DISCS_BY_ARRAY)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the order %d is unknown", (int)o->order);
  return TSR_OK;
}

static int is_there(const tsr_array *array) { return array->data || array->tuples != 0; }

/* An array that may be absent. */
static tsr_status check_one(const tsr_array *array, const char *name, int components, int64_t n,
                            tsr_error *error) {
  return is_there(array) ? tsr_check_array(array, name, components, n, error) : TSR_OK;
}

static tsr_status check_view(const tsr_discs_view *view, const tsr_discs_options *o,
                             tsr_error *error) {
  const int64_t n = view->points.tuples;
  tsr_status status = TSR_OK;
  if (is_there(&view->points))
    status = tsr_check_array(&view->points, "the array of points", 3, n, error);
  if (status == TSR_OK && n > TSR_DISCS_MAX_DISCS)
    return tsr_fail(error, TSR_TOO_LARGE, -1, "there are %lld discs, and at most %d can be drawn",
                    (long long)n, TSR_DISCS_MAX_DISCS);
  if (status == TSR_OK)
    status = check_one(&view->radii, "the array of radii", 1, n, error);
  if (status == TSR_OK)
    status = check_one(&view->colors, "the array of colors", view->colors.components == 4 ? 4 : 3,
                       n, error);
  if (status == TSR_OK)
    status = check_one(&view->scalars, "the array of scalars", 1, n, error);
  if (status == TSR_OK)
    status = check_one(&view->opacities, "the array of opacities", 1, n, error);
  if (status == TSR_OK)
    status = check_one(&view->order, "the array of the order", 1, n, error);
  if (status == TSR_OK && o->order == TSR_DISCS_BY_ARRAY && n > 0 && !is_there(&view->order))
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the array of the order is missing");
  return status;
}

tsr_status tsr_discs_check(tsr_discs_plan *plan, const tsr_discs_view *view,
                           const tsr_discs_options *options, tsr_error *error) {
  tsr_status status;
  tsr_discs_view_init(&plan->view);
  tsr_discs_options_init(&plan->options);
  status = tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view of the discs",
                              TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&plan->options, sizeof plan->options, options,
                                "options of the disc image", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = check_image(&plan->options, error);
  if (status == TSR_OK)
    status = check_look(&plan->options, error);
  return status == TSR_OK ? check_view(&plan->view, &plan->options, error) : status;
}

tsr_status tsr_discs_check_output(const tsr_discs_output *from, tsr_discs_output *to,
                                  tsr_error *error) {
  tsr_discs_output_init(to);
  return tsr_copy_versioned(to, sizeof *to, from, "output of the disc image", TSR_BAD_OPTION,
                            error);
}
