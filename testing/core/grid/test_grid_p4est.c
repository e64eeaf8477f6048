/* SPDX-License-Identifier: BSD-3-Clause */
/** Leaves per level after balance are those of p4est, each of its rules imposed by an array. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid_case.h"

typedef int (*refine_rule)(const int64_t i[3], int level);

/** p4est's example simple3: refine_normal_fn for tree 0. Lengths in quarters of the root. */
static int rule_normal(const int64_t i[3], int level) {
  if (level == 1 && i[0] == 1 && i[1] == 1 && i[2] == 0) {
    return 1;
  }
  const int64_t quarters = (int64_t)1 << level; /* the root's length over the node's */
  if (4 * i[0] == 3 * quarters && 4 * i[1] == 3 * quarters) {
    return 1;
  }
  return 4 * i[2] < quarters;
}

/** The cell that holds (1/2 - 1e-9) cubed. */
static int rule_point(const int64_t i[3], int level) {
  const int64_t at = level == 0 ? 0 : ((int64_t)1 << (level - 1)) - 1;
  return i[0] == at && i[1] == at && i[2] == at;
}

/** Writes the level of the leaf into each cell of the finest level; returns the number of leaves.
 */
static int64_t impose(grid_case *grid, refine_rule rule, int deepest, int level,
                      const int64_t i[3]) {
  if (level < deepest && rule(i, level)) {
    int64_t n = 0;
    for (int k = 0; k < 8; k++) {
      const int64_t child[3] = {2 * i[0] + (k & 1), 2 * i[1] + (k >> 1 & 1), 2 * i[2] + (k >> 2)};
      n += impose(grid, rule, deepest, level + 1, child);
    }
    return n;
  }
  const int64_t size = (int64_t)1 << (deepest - level), all = (int64_t)1 << deepest;
  for (int64_t z = i[2] * size; z < (i[2] + 1) * size; z++) {
    for (int64_t y = i[1] * size; y < (i[1] + 1) * size; y++) {
      for (int64_t x = i[0] * size; x < (i[0] + 1) * size; x++) {
        grid->values[(z * all + y) * all + x] = level;
      }
    }
  }
  return 1;
}

/** What stands in a line "none leaves=155 crc=0x0 per level: L1=4 L2=15 L3=136". */
static int64_t expected(const char *line, int level) {
  char key[16];
  snprintf(key, sizeof key, " L%d=", level);
  const char *at = strstr(line, key);
  return at == NULL ? 0 : strtoll(at + strlen(key), NULL, 10);
}

static void check_line(const char *line, const grid_case *grid, int deepest, tsr_balance balance) {
  tsr_grid_criterion criteria[16];
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  o.coarsen_levels = deepest;
  o.balance = balance;
  o.criteria = criteria;
  o.n_criteria = deepest;
  for (int m = 1; m <= deepest; m++) {
    tsr_grid_criterion *c = &criteria[m - 1];
    tsr_grid_criterion_init(c);
    c->measure = TSR_MEASURE_IN_RANGE;
    c->array = grid_case_cells(grid);
    c->cell_data = 1;
    c->lower = m;
    c->upper = 100;
    c->max_level = m;
  }
  const tsr_grid_view view = grid_case_view(grid);
  tsr_grid_plan *plan;
  tsr_error error;
  if (!CHECK_INT(tsr_grid_plan_create(&view, &o, NULL, &plan, &error), TSR_OK)) {
    return;
  }
  const tsr_grid_sizes *sizes = tsr_grid_plan_sizes(plan);
  const char *leaves = strstr(line, "leaves=");
  CHECK_INT(sizes->leaves, strtoll(leaves + 7, NULL, 10));
  for (int level = 0; level <= deepest; level++) {
    CHECK_SAY(sizes->leaves_of_level[level] == expected(line, level), "level %d has %lld: %s",
              level, (long long)sizes->leaves_of_level[level], line);
  }
  tsr_grid_plan_free(plan);
}

int main(void) {
  static const char *const names[] = {"none", "face", "edge", "full"};
  static const int64_t origin[3] = {0, 0, 0};
  const char *folder = getenv("TESSERA_CASES");
  char path[4096], line[1024];
  snprintf(path, sizeof path, "%s/peers/p8est_balance_developers.txt", folder ? folder : ".");
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    printf("skipped: there is no %s\n", path);
    return CHECK_SKIPPED;
  }
  grid_case grid;
  memset(&grid, 0, sizeof grid);
  int deepest = 0, lines = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    char rule[32];
    if (sscanf(line, "== rule=%31s maxlevel=%d", rule, &deepest) == 2) {
      grid_case_free(&grid);
      grid_case_init(&grid, 1 << deepest, 1 << deepest, 1 << deepest);
      impose(&grid, strcmp(rule, "normal") == 0 ? rule_normal : rule_point, deepest, 0, origin);
      CHECK(strcmp(rule, "normal") == 0 || strcmp(rule, "point") == 0);
    }
    for (int k = 0; k < 4 && deepest > 0; k++) {
      if (strncmp(line, names[k], 4) == 0) {
        check_line(line, &grid, deepest, (tsr_balance)k);
        lines++;
      }
    }
  }
  fclose(file);
  grid_case_free(&grid);
  CHECK_SAY(lines >= 30, "only %d lines were checked", lines);
  return check_result();
}
