/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * libFuzzer target: the bytes become discs and an image. The outputs are allocated at exactly the
 * promised size; then what must always hold is checked.
 */
#include "stream.h"

enum { MAX_POINTS = 60, MAX_SIDE = 48 };

typedef struct input {
  tsr_discs_view view;
  tsr_discs_options options;
  void *blocks[6];
  double *table;
} input;

/** An array of n tuples that may be absent, or, rarely, of another length. */
static tsr_array any_array(stream *s, void **block, int components, int64_t n) {
  const uint8_t how = byte(s);
  const tsr_type type = (tsr_type)(byte(s) % 10);
  if (how % 3 == 0) {
    return (tsr_array){NULL, TSR_FLOAT, components, 0};
  }
  *block = array_of(s, type, n * components);
  return (tsr_array){*block, type, components, how == 1 && n > 0 ? n - 1 : n};
}

static void make_options(stream *s, input *in) {
  static const int samples[] = {1, 2, 4, 3};
  tsr_discs_options *o = &in->options;
  tsr_discs_options_init(o);
  o->width = byte(s) % (MAX_SIDE + 1);
  o->height = byte(s) % (MAX_SIDE + 1);
  o->supersampling = samples[byte(s) % 16 < 13 ? byte(s) % 3 : 3];
  o->pixel_size = byte(s) % 4 ? 1.0 : fabs(number(s));
  o->radius = byte(s) % 2 ? 1.0 : number(s);
  o->radius_in_pixels = byte(s) % 2;
  o->opacity = byte(s) % 4 ? 0.5 : number(s);
  o->falloff = (tsr_discs_falloff)(byte(s) % 8 ? byte(s) % 2 : byte(s));
  o->sharpness = byte(s) % 4 ? 5.0 : number(s);
  o->order = (tsr_discs_order)(byte(s) % 8 ? byte(s) % 3 : byte(s));
  for (int a = 0; a < 3; a++) {
    o->corner[a] = byte(s) % 2 ? 0.0 : number(s);
    o->color[a] = (double)byte(s) / 255.0;
  }
  if (byte(s) % 8 == 0) {
    o->right[0] = number(s);
    o->up[2] = number(s);
  }
  if (byte(s) % 2) {
    o->table_size = 1 + byte(s) % 5;
    in->table = array_of(s, TSR_DOUBLE, 3 * o->table_size);
    o->table = in->table;
    o->range[0] = number(s);
    o->range[1] = number(s);
  }
  o->background[3] = (double)byte(s) / 255.0;
}

static void make(stream *s, input *in) {
  const int64_t n = byte(s) % (MAX_POINTS + 1);
  const tsr_type type = byte(s) % 4 ? TSR_FLOAT : (tsr_type)(byte(s) % 10);
  tsr_discs_view_init(&in->view);
  in->blocks[0] = array_of(s, type, 3 * n);
  in->view.points = (tsr_array){in->blocks[0], type, 3, n};
  in->view.radii = any_array(s, &in->blocks[1], 1, n);
  in->view.colors = any_array(s, &in->blocks[2], 3 + byte(s) % 2, n);
  in->view.scalars = any_array(s, &in->blocks[3], 1, n);
  in->view.opacities = any_array(s, &in->blocks[4], 1, n);
  in->view.order = any_array(s, &in->blocks[5], 1, n);
  make_options(s, in);
}

static void draw(const input *in, tsr_discs_plan *plan) {
  const tsr_discs_sizes *sizes = tsr_discs_plan_sizes(plan);
  const double behind = in->options.background[3];
  int64_t notes = 0;
  tsr_discs_output out;
  tsr_discs_output_init(&out);
  out.rgba = exactly(sizes->pixels, 4);
  out.top = exactly(sizes->pixels, sizeof *out.top);
  for (int k = 0; k < TSR_DISCS_NOTES; k++) {
    must(sizes->notes[k].count >= 0 && sizes->notes[k].count <= sizes->discs, "a note's count");
    notes += sizes->notes[k].count;
  }
  must(sizes->inside + sizes->outside <= sizes->discs, "discs inside and outside");
  must(sizes->inside + sizes->outside + notes >= sizes->discs, "no disc is lost without a note");
  must(tsr_discs_fill(plan, &out, NULL) == TSR_OK, "drawing what was planned");
  for (int64_t i = 0; i < sizes->pixels; i++) {
    must(out.top[i] >= -1 && out.top[i] < sizes->discs, "a disc on top");
    must(out.top[i] >= 0 || fabs((double)out.rgba[4 * i + 3] - 255.0 * behind) <= 0.75,
         "the background where no disc is");
  }
  free(out.rgba);
  free(out.top);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stream s = {data, size};
  input in = {.table = NULL};
  tsr_discs_plan *plan = NULL;
  double low[3], high[3];
  tsr_error error;
  make(&s, &in);
  tsr_discs_bounds(&in.view, &in.options, low, high, NULL);
  const tsr_status status = tsr_discs_plan_create(&in.view, &in.options, NULL, &plan, &error);
  must((status == TSR_OK) == (plan != NULL), "a plan, or a failure");
  if (status == TSR_OK) {
    draw(&in, plan);
  } else {
    must(error.status == status && error.text[0] != '\0', "a sentence for the failure");
  }
  tsr_discs_plan_free(plan);
  for (int k = 0; k < 6; k++) {
    free(in.blocks[k]);
  }
  free(in.table);
  return 0;
}
