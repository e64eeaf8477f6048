/* SPDX-License-Identifier: BSD-3-Clause */
/** What is set about disc images: which choices go together, and where the image then lies. */
#include <string.h>

#include "check.h"
#include "tessera.h"

static tsr_discs_choices c;
static tsr_discs_options o;

static void reset(void) {
  tsr_discs_choices_init(&c);
  tsr_discs_options_init(&o);
}

static void said(int color_array, int order_array, const char *expected) {
  tsr_error error = {TSR_OK, 0, ""};
  CHECK_INT(tsr_discs_choices_check(&c, &o, color_array, order_array, &error),
            expected ? TSR_BAD_OPTION : TSR_OK);
  CHECK_SAY(!expected || strcmp(error.text, expected) == 0, "%s", error.text);
}

static void checks(void) {
  reset();
  said(0, 0, NULL);
  o.height = 0;
  said(0, 0, "Resolution must be 1 to 65536 pixels along each side, not 1024 x 0.");
  o.height = TSR_DISCS_MAX_SIDE + 1;
  said(0, 0, "Resolution must be 1 to 65536 pixels along each side, not 1024 x 65537.");
  reset();
  c.region[0] = 7.0;
  said(0, 0, NULL); /* not in use */
  c.use_region = 1;
  said(0, 0, "Region must rise along each axis, but 7 to 1 does not.");
  c.region[1] = 1e101;
  said(0, 0, "Region must rise along each axis, but 7 to 1e+101 does not.");
  reset();
  c.radius_scale = (double)NAN;
  said(0, 0, "Radius Scale must be a number from 0 to 1e100, not nan.");
  reset();
  c.color_mode = TSR_DISCS_COLOR_MAP;
  said(0, 1, "Color Array must be chosen, or Color Mode be Constant.");
  said(1, 0, NULL);
  o.order = TSR_DISCS_BY_ARRAY;
  said(1, 0, "Order Array must be chosen, or another Order.");
  said(1, 1, NULL);
  c.scalar_range[0] = 2.5;
  said(1, 1, NULL); /* not in use */
  c.use_scalar_range = 1;
  said(1, 1, "Scalar Range must rise; it is 2.5 to 1.");
}

static void radius(void) {
  reset();
  c.radius = 3.0;
  c.radius_scale = 0.5;
  c.scalar_range[1] = 8.0;
  tsr_discs_choices_apply(&c, 1, &o);
  CHECK(o.radius == 1.5);
  CHECK(o.range[0] > o.range[1]); /* that of the scalars */
  c.use_scalar_range = 1;
  tsr_discs_choices_apply(&c, 0, &o);
  CHECK(o.radius == 0.5 && o.range[0] == 0.0 && o.range[1] == 8.0);
}

/** right x up points at the viewer. A region's sides are measured along all three. */
static void planes(void) {
  static const int extents[3][6] = {
      {0, 29, 0, 19, 0, 0}, {0, 0, 0, 29, 0, 19}, {0, 29, 0, 0, 0, 19}};
  for (int plane = 0; plane < 3; plane++) {
    double axes[3][3], low[3], high[3], origin[3];
    int extent[6];
    reset();
    c.plane = plane;
    o.width = 30;
    o.height = 20;
    for (int k = 0; k < 3; k++) {
      c.region[2 * k] = -1.0 - k;
      c.region[2 * k + 1] = 10.0 * (k + 1);
    }
    tsr_discs_choices_apply(&c, 1, &o);
    memcpy(axes[0], o.right, sizeof o.right);
    memcpy(axes[1], o.up, sizeof o.up);
    for (int k = 0; k < 3; k++) {
      axes[2][k] =
          o.right[(k + 1) % 3] * o.up[(k + 2) % 3] - o.right[(k + 2) % 3] * o.up[(k + 1) % 3];
    }
    tsr_discs_choices_region(&c, low, high);
    for (int side = 0; side < 3; side++) { /* the region's corners, along each of them */
      double least = (double)INFINITY, most = -(double)INFINITY;
      for (int corner = 0; corner < 8; corner++) {
        double along = 0.0;
        for (int k = 0; k < 3; k++) {
          along += axes[side][k] * c.region[2 * k + ((corner >> k) & 1)];
        }
        least = along < least ? along : least;
        most = along > most ? along : most;
      }
      CHECK_SAY(low[side] == least && high[side] == most, "plane %d: side %d is %g to %g", plane,
                side, low[side], high[side]);
    }
    tsr_discs_choices_extent(&c, &o, extent);
    CHECK_SAY(memcmp(extent, extents[plane], sizeof extent) == 0, "plane %d", plane);
    tsr_discs_frame(low, high, &o);
    tsr_discs_first_pixel(&o, origin);
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(origin[k] - o.corner[k], extents[plane][2 * k + 1] > 0 ? 0.5 * o.pixel_size : 0.0,
                 1e-12);
    }
  }
  reset();
  c.plane = 7;
  o.width = -3;
  int extent[6];
  tsr_discs_choices_extent(&c, &o, extent);
  CHECK(extent[1] == -1 && extent[3] == 1023 && extent[5] == 0);
}

int main(void) {
  checks();
  radius();
  planes();
  return check_result();
}
