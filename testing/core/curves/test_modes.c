/* SPDX-License-Identifier: BSD-3-Clause */
/** Which arrays are labels, in one process and in several, which threads play, and that what the
 *  user says goes before. */
#include <string.h>

#include "check.h"
#include "ranks.h"

static tsr_modes *made(tsr_interpolation others) {
  tsr_modes *modes = NULL;
  tsr_modes_create(others, &modes, NULL);
  return modes;
}

/** The mode of n integers, of which `values` differ, one block after another of so many points. */
static tsr_interpolation of_integers(int n, int values, int blocks) {
  int32_t numbers[2000];
  tsr_modes *modes = made(TSR_INTERPOLATE_CURVE);
  for (int i = 0; i < n; i++) {
    numbers[i] = 7 * (i % values) - 50;
  }
  for (int b = 0; b < blocks; b++) {
    const int first = n * b / blocks, last = n * (b + 1) / blocks;
    const tsr_array array = {numbers + first, TSR_INT32, 1, last - first};
    tsr_modes_look(modes, "label", &array, NULL);
  }
  const tsr_interpolation mode = tsr_modes_of(modes, "label");
  tsr_modes_free(modes);
  return mode;
}

static void labels(void) {
  for (int blocks = 1; blocks <= 3; blocks++) {
    CHECK_INT(of_integers(128, 32, blocks), TSR_INTERPOLATE_NEAREST);
    CHECK_INT(of_integers(127, 32, blocks), TSR_INTERPOLATE_CURVE); /* not four points each */
    CHECK_INT(of_integers(1999, 33, blocks), TSR_INTERPOLATE_CURVE);
    CHECK_INT(of_integers(4, 1, blocks), TSR_INTERPOLATE_NEAREST);
    CHECK_INT(of_integers(3, 1, blocks), TSR_INTERPOLATE_CURVE);
  }
}

/** Every type of integer by its own values: 200 of them in turn are 2 labels. */
static void types(void) {
  for (tsr_type type = TSR_INT8; type <= TSR_DOUBLE; type++) {
    unsigned char bytes[200 * 8];
    const int floating = type == TSR_FLOAT || type == TSR_DOUBLE;
    for (int i = 0; i < 200; i++) {
      memset(bytes + (size_t)i * tsr_type_size(type), i % 2 ? 0xff : 0x11, tsr_type_size(type));
    }
    for (int components = 1; components <= 2; components++) {
      const tsr_array array = {bytes, type, components, 200 / components};
      tsr_modes *modes = made(TSR_INTERPOLATE_LINEAR);
      tsr_modes_look(modes, "a", &array, NULL);
      CHECK_INT(tsr_modes_of(modes, "a"),
                floating || components > 1 ? TSR_INTERPOLATE_LINEAR : TSR_INTERPOLATE_NEAREST);
      tsr_modes_look(modes, "a", NULL, NULL); /* in another block of no type */
      CHECK_INT(tsr_modes_of(modes, "a"), TSR_INTERPOLATE_LINEAR);
      tsr_modes_free(modes);
    }
  }
}

static void choices(void) {
  static const int64_t zeros[8];
  const tsr_array array = {zeros, TSR_INT64, 1, 8};
  tsr_modes *modes = made(TSR_INTERPOLATE_LINEAR);
  tsr_modes_choose(modes, "a", TSR_INTERPOLATE_CURVE, NULL);
  tsr_modes_no_label(modes, "b", NULL);
  for (const char *name = "a\0b\0c\0"; *name; name += 2) {
    tsr_modes_look(modes, name, &array, NULL);
  }
  CHECK_INT(tsr_modes_of(modes, "a"), TSR_INTERPOLATE_CURVE);
  CHECK_INT(tsr_modes_of(modes, "b"), TSR_INTERPOLATE_LINEAR);
  CHECK_INT(tsr_modes_of(modes, "c"), TSR_INTERPOLATE_NEAREST);
  CHECK_INT(tsr_modes_of(modes, "d"), TSR_INTERPOLATE_LINEAR);
  tsr_modes_choose(modes, "a", TSR_INTERPOLATE_NEAREST, NULL);
  tsr_modes_choose(modes, "c", TSR_INTERPOLATE_CURVE, NULL);
  CHECK_INT(tsr_modes_of(modes, "a"), TSR_INTERPOLATE_NEAREST);
  CHECK_INT(tsr_modes_of(modes, "c"), TSR_INTERPOLATE_CURVE);
  tsr_modes_free(modes);
  tsr_modes_free(NULL);
}

/** Each process holds a part; together there are 32 or 33 values, some in one process only. */
typedef struct process {
  int values, points;
  tsr_interpolation same, rare, real, own;
  tsr_status status;
} process;

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  int16_t numbers[600], rare[600];
  double real[600];
  tsr_modes *modes = made(TSR_INTERPOLATE_CURVE);
  for (int i = 0; i < p->points; i++) {
    numbers[i] = (int16_t)((i * processes->n + processes->rank) % p->values);
    rare[i] = (int16_t)processes->rank;
    real[i] = processes->rank;
  }
  const tsr_array same = {numbers, TSR_INT16, 1, p->points}, own = {rare, TSR_INT16, 1, p->points};
  const tsr_array floating = {real, TSR_DOUBLE, 1, p->points};
  tsr_modes_look(modes, "same", &same, NULL);
  tsr_modes_look(modes, "rare", &own, NULL);
  tsr_modes_look(modes, "real", processes->rank == 0 ? &floating : &own, NULL);
  if (processes->rank == 0) {
    tsr_modes_look(modes, "own", &own, NULL);
  }
  p->status = tsr_modes_agree(modes, processes, NULL);
  p->same = tsr_modes_of(modes, "same");
  p->rare = tsr_modes_of(modes, "rare");
  p->real = tsr_modes_of(modes, "real");
  p->own = tsr_modes_of(modes, "own");
  tsr_modes_free(modes);
}

static void processes(void) {
  for (int n = 1; n <= MAX_RANKS; n++) {
    for (int values = 32; values <= 33; values++) {
      process p[MAX_RANKS];
      for (int r = 0; r < n; r++) {
        p[r] = (process){.values = values, .points = 66 * 4};
      }
      ranks_run(n, work, p, sizeof *p);
      for (int r = 0; r < n; r++) {
        CHECK_INT(p[r].status, TSR_OK);
        CHECK_SAY((p[r].same == TSR_INTERPOLATE_NEAREST) == (values == 32),
                  "%d values on %d processes", values, n);
        CHECK_INT(p[r].rare, TSR_INTERPOLATE_NEAREST);
        CHECK_INT(p[r].real, TSR_INTERPOLATE_CURVE);
        CHECK_INT(p[r].own, TSR_INTERPOLATE_NEAREST);
      }
    }
  }
}

/** What few points there are of a value is counted over all processes. */
static void few_points(void) {
  for (int points = 1; points <= 2; points++) {
    process p[4];
    for (int r = 0; r < 4; r++) {
      p[r] = (process){.values = 2, .points = points};
    }
    ranks_run(4, work, p, sizeof *p);
    CHECK_INT(p[3].same, points == 2 ? TSR_INTERPOLATE_NEAREST : TSR_INTERPOLATE_CURVE);
  }
  for (int points = 3; points <= 4; points++) { /* a process's own points count once */
    process p[2] = {{.values = 2, .points = points}, {.values = 2, .points = points}};
    ranks_run(2, work, p, sizeof *p);
    CHECK_INT(p[0].same, points == 4 ? TSR_INTERPOLATE_NEAREST : TSR_INTERPOLATE_CURVE);
  }
}

int main(void) {
  labels();
  types();
  choices();
  processes();
  few_points();
  return check_result();
}
