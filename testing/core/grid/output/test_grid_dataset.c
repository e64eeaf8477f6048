/* SPDX-License-Identifier: BSD-3-Clause */
/** What datasets of trees and blocks need: against recursion over made trees, and places that are
 *  worked out by hand. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

/* ---- masks */

enum { MOST = 4000 };
static uint8_t states[MOST], hidden[MOST];
static int64_t source[MOST], first[40];
static uint32_t seed = 9;

static int any(int n) {
  seed = seed * 1664525u + 1013904223u;
  return (int)((seed >> 16) % (uint32_t)n);
}

/** A tree breadth first from cell `at` on; returns where it ends. */
static int64_t make_tree(int64_t at, int children) {
  int64_t end = at + 1;
  for (int64_t node = at; node < end; node++) {
    const int splits = end - at < 300 && any(3) == 0;
    states[node] = (uint8_t)(splits        ? TSR_STATE_COVERED
                             : any(4) == 0 ? TSR_STATE_LEAF
                             : any(2)      ? TSR_STATE_HIDDEN
                                           : TSR_STATE_OUTSIDE);
    end += splits ? children : 0;
  }
  return end;
}

/** Checks the node and those below, by counting the children of all nodes before it. Returns
 * whether nothing of it is seen. */
static int check_node(int64_t root, int64_t node, int64_t parent, int children) {
  int unseen = states[node] != TSR_STATE_LEAF;
  if (states[node] == TSR_STATE_COVERED) {
    int64_t child = root + 1;
    for (int64_t before = root; before < node; before++) {
      child += states[before] == TSR_STATE_COVERED ? children : 0;
    }
    for (int k = 0; k < children; k++) {
      unseen = check_node(root, child + k, node, children) && unseen;
    }
  }
  CHECK_SAY(hidden[node] == unseen, "cell %lld of %d children", (long long)node, children);
  if (parent >= 0) {
    CHECK_INT(source[node], unseen ? parent : -1);
  }
  return unseen;
}

static void masks(void) {
  for (int run = 0; run < 30; run++) {
    const int children = 2 << run % 3;
    int64_t trees = 0, seen = 0;
    int some = 0;
    first[0] = 0;
    while (trees < 6) {
      first[trees + 1] = make_tree(first[trees], children);
      trees++;
    }
    states[first[2]] = TSR_STATE_LEAF; /* one is seen, whatever came out */
    first[3] = first[2] + 1;
    for (int64_t t = 3; t < trees; t++) {
      first[t + 1] = make_tree(first[t], children);
    }
    const int found = tsr_grid_tree_mask(states, first, trees, children, hidden);
    tsr_grid_mask_sources(states, first, trees, children, hidden, source);
    while (states[seen] != TSR_STATE_LEAF) {
      seen++;
    }
    for (int64_t t = 0; t < trees; t++) {
      const int unseen = check_node(first[t], first[t], -1, children);
      CHECK_INT(source[first[t]], unseen ? seen : -1);
    }
    for (int64_t cell = 0; cell < first[trees]; cell++) {
      some = some || hidden[cell];
    }
    CHECK_INT(found, some);
  }
  first[1] = 1;
  states[0] = TSR_STATE_HIDDEN; /* nothing to take values from */
  CHECK_INT(tsr_grid_tree_mask(states, first, 1, 8, hidden), 1);
  tsr_grid_mask_sources(states, first, 1, 8, hidden, source);
  CHECK_INT(source[0], -1);
}

/* ---- trees in space */

static tsr_grid_view image(int64_t i, int64_t j, int64_t k) {
  tsr_grid_view view;
  tsr_grid_view_init(&view);
  view.whole[0] = 3;
  view.whole[1] = 3 + i;
  view.whole[3] = j;
  view.whole[5] = k;
  memcpy(view.extent, view.whole, sizeof view.extent);
  view.origin[0] = 10.0;
  view.spacing[0] = 0.5;
  return view;
}

static void roots(void) {
  static const double *const none[3];
  tsr_grid_view view = image(11, 8, 0);
  double at[20];
  /* 11 cells of 0.5 from 11.5 on in roots of 4: the last one reaches beyond. */
  CHECK_INT(tsr_grid_root_coordinates(&view, none, 4, 0, NULL), 4);
  CHECK_INT(tsr_grid_root_coordinates(&view, none, 4, 0, at), 4);
  for (int k = 0; k < 4; k++) {
    CHECK_NEAR(at[k], 11.5 + 2.0 * k, 1e-12);
  }
  CHECK_INT(tsr_grid_root_coordinates(&view, none, 4, 1, at), 3);
  CHECK(at[0] == 0.0 && at[1] == 4.0 && at[2] == 8.0);
  CHECK_INT(tsr_grid_root_coordinates(&view, none, 4, 2, at), 1);
  CHECK(at[0] == 0.0);
}

static void check_trees(const tsr_grid_view *view, const double *const axes[3], int dimension,
                        int expect_moved, const char *expected) {
  tsr_error error = {TSR_OK, 0, ""};
  int moved = 7;
  CHECK_INT(tsr_grid_check_trees(view, axes, dimension, 2, &moved, &error),
            expected ? TSR_BAD_INPUT : TSR_OK);
  CHECK_SAY(!expected || strcmp(error.text, expected) == 0, "%s", error.text);
  CHECK_INT(moved, expect_moved);
}

static void trees(void) {
  double x[7] = {0, 1, 2, 5, 8, 8.5, 9}; /* even within each root of two cells */
  const double y[1] = {0};
  const double *const axes[3] = {x, y, y};
  tsr_grid_view view = image(6, 0, 0);
  check_trees(&view, axes, 1, 0, NULL);
  check_trees(&view, axes, 0, 0, "a hyper tree grid needs an input with cells");
  view.spacing[0] = -1.0;
  check_trees(&view, axes, 1, 0, "a hyper tree grid needs spacings above 0");
  view.spacing[0] = 1.0;
  view.direction[1] = 0.5;
  check_trees(&view, axes, 1, 0,
              "a hyper tree grid needs an image without rotation or a rectilinear grid");
  view = image(6, 0, 0);
  view.geometry = TSR_GEOMETRY_RECTILINEAR;
  view.coordinates[0] = (tsr_array){x, TSR_DOUBLE, 1, 7};
  check_trees(&view, axes, 1, 0, NULL);
  x[5] = 8.6;
  check_trees(&view, axes, 1, 1, NULL);
  x[5] = 8.0;
  check_trees(&view, axes, 1, 0, "a hyper tree grid needs coordinates that rise along each axis");
  x[5] = 8.5 + 1e-6; /* as even as numbers of single precision can be */
  check_trees(&view, axes, 1, 1, NULL);
  view.coordinates[0].type = TSR_FLOAT;
  check_trees(&view, axes, 1, 0, NULL);
}

/* ---- blocks */

static void blocks(void) {
  static const double *const none[3];
  tsr_grid_view view = image(16, 8, 0);
  tsr_grid_levels levels;
  tsr_error error = {TSR_OK, 0, ""};
  double spacing[3], corner[3];
  int points[3];
  const tsr_grid_patch patch = {2, {3, 1, 0}, {7, 2, 1}, 0};
  CHECK_INT(tsr_grid_check_blocks(&view, none, 2, &error), TSR_OK);
  CHECK_INT(tsr_grid_check_blocks(&view, none, 1, &error), TSR_BAD_INPUT);
  CHECK(strcmp(error.text, "overlapping AMR needs a 2D or 3D image without rotation") == 0);
  view.spacing[2] = 0.0; /* flat: nothing has to rise */
  CHECK_INT(tsr_grid_check_blocks(&view, none, 2, &error), TSR_OK);
  tsr_grid_levels_place(&view, none, 3, &levels);
  CHECK(levels.origin[0] == 11.5 && levels.root[0] == 4.0 && levels.root[1] == 8.0);
  CHECK(levels.root[2] == 1.0 && levels.active[0] && !levels.active[2]);
  tsr_grid_levels_spacing(&levels, 2, spacing);
  CHECK(spacing[0] == 1.0 && spacing[1] == 2.0 && spacing[2] == 0.25);
  tsr_grid_patch_place(&levels, &patch, corner, points);
  CHECK(corner[0] == 14.5 && corner[1] == 2.0 && corner[2] == 0.0);
  CHECK(points[0] == 5 && points[1] == 2 && points[2] == 1);
  view.spacing[1] = 0.0;
  CHECK_INT(tsr_grid_check_blocks(&view, none, 2, &error), TSR_BAD_INPUT);
  CHECK(strcmp(error.text, "overlapping AMR needs spacings above 0") == 0);
}

static void levels(void) {
  const tsr_grid_patch patches[5] = {
      {.level = 3}, {.level = 2}, {.level = 5}, {.level = 3}, {.level = 2}};
  unsigned int counts[TSR_GRID_MAX_LEVEL + 1];
  int coarsest;
  CHECK_INT(tsr_grid_patch_levels(patches, 5, &coarsest, counts), 4);
  CHECK(coarsest == 2 && counts[0] == 2 && counts[1] == 2 && counts[2] == 0 && counts[3] == 1);
  CHECK_INT(tsr_grid_patch_levels(patches, 0, &coarsest, counts), 0);
}

typedef struct process {
  tsr_grid_patch *all;
  int64_t count, first;
  tsr_status status;
} process;

/** Process r has (r + 1) % 3 blocks. */
static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  const tsr_grid_patch mine[2] = {{.level = processes->rank, .first = 5},
                                  {.level = processes->rank, .first = 6}};
  p->status = tsr_grid_gather_patches(processes, mine, (processes->rank + 1) % 3, &p->all,
                                      &p->count, &p->first, NULL);
}

static void gathering(void) {
  for (int n = 1; n <= MAX_RANKS; n++) {
    process p[MAX_RANKS];
    ranks_run(n, work, p, sizeof *p);
    for (int r = 0; r < n; r++) {
      int64_t at = 0;
      for (int k = 0; k < n; k++) {
        CHECK_INT(k == r ? p[r].first : at, at);
        for (int i = 0; i < (k + 1) % 3; i++, at++) {
          CHECK(at < p[r].count && p[r].all[at].level == k && p[r].all[at].first == 5 + i);
        }
      }
      CHECK_INT(p[r].status, TSR_OK);
      CHECK_INT(p[r].count, at);
      free(p[r].all);
    }
  }
}

int main(void) {
  masks();
  roots();
  trees();
  blocks();
  levels();
  gathering();
  return check_result();
}
