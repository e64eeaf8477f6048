/* SPDX-License-Identifier: BSD-3-Clause */
/** Clipped meshes: a tree of bounding boxes over the leaves. */
#include "mesh/clip/clip.h"

/** Halvings of 2^62 leaves; each leaves one half to be looked at later. */
enum { DEPTH = 64 };

/* The leaves [begin, end), and their node. */
typedef struct range {
  int64_t begin, end, at;
} range;

static range half(range r, int second) {
  const int64_t middle = r.begin + (r.end - r.begin) / 2;
  return second ? (range){middle, r.end, r.at + 2 * (middle - r.begin)}
                : (range){r.begin, middle, r.at + 1};
}

void tsr_clip_visit(const tsr_clip_boxes *boxes, const double low[3], const double high[3],
                    int dimension, tsr_clip_visitor visit, void *data) {
  range later[DEPTH];
  int n = 0;
  if (boxes->n == 0)
    return;
  later[n++] = (range){0, boxes->n, 0};
  while (n > 0) {
    const range r = later[--n];
    const double *box = boxes->box + 6 * r.at;
    int overlaps = 1;
    for (int a = 0; a < dimension; ++a)
      overlaps = overlaps && box[a] < high[a] && box[3 + a] > low[a];
    if (!overlaps)
      continue;
    if (r.end - r.begin == 1) {
      visit(data, r.begin);
    } else {
      later[n++] = half(r, 1);
      later[n++] = half(r, 0);
    }
  }
}

/* Sets the boxes from the last node to the first: halves come behind their whole. */
static void set_boxes(const tsr_mesh_clip *clip, range r) {
  double *box = clip->boxes.box + 6 * r.at;
  if (r.end - r.begin == 1) {
    const double *leaf = clip->leaves + 4 * r.begin;
    for (int a = 0; a < 3; ++a) {
      box[a] = leaf[a];
      box[3 + a] = leaf[a] + leaf[3];
    }
    return;
  }
  const range one = half(r, 0), two = half(r, 1);
  set_boxes(clip, one);
  set_boxes(clip, two);
  const double *x = clip->boxes.box + 6 * one.at, *y = clip->boxes.box + 6 * two.at;
  for (int a = 0; a < 3; ++a) {
    box[a] = x[a] < y[a] ? x[a] : y[a];
    box[3 + a] = x[3 + a] > y[3 + a] ? x[3 + a] : y[3 + a];
  }
}

tsr_status tsr_clip_make_boxes(tsr_mesh_clip *clip, tsr_error *error) {
  const int64_t n = clip->options.n_leaves;
  clip->boxes.n = n;
  TSR_MESH_TRY(tsr_mesh_alloc(&clip->plan, &clip->boxes.box, 12 * n, sizeof(double),
                              "the boxes of leaves", error));
  if (n > 0)
    set_boxes(clip, (range){0, n, 0});
  return TSR_OK;
}
