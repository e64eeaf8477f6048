/* SPDX-License-Identifier: BSD-3-Clause */
/** The arithmetic that a device makes lists with: the leaves of slots are those of a walk from the
 *  roots down, points are numbered along the input, and the nodes around a leaf say how it
 *  is cut. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "grid/output/unit_math.h"
#include "grid/plan.h"
#include "grid_case.h"

static uint64_t state = 77;

static int64_t any(int64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)(state >> 33) % n;
}

/** Slot by slot, unit by unit. */
static void check_slots(const tsr_grid_plan *plan, int64_t *coarse) {
  const tsr_lattice *lattice = &plan->input.lattice;
  const tsr_grid_leaves *units = &plan->leaves;
  int64_t at = 0, u[3];
  for (u[2] = 0; u[2] < units->size[2]; u[2]++) {
    for (u[1] = 0; u[1] < units->size[1]; u[1]++) {
      for (u[0] = 0; u[0] < units->size[0]; u[0]++) {
        for (int number = 0; number < tsr_slot_count(lattice); number++) {
          tsr_slot slot;
          tsr_slot_leaves(lattice, &plan->tree, plan->input.hidden, u, number, &slot);
          for (int k = 0; k < slot.n; k++, at++) {
            int64_t i[3];
            tsr_slot_leaf(lattice, &slot, k, i);
            const tsr_grid_node node = tsr_node_outer(lattice, slot.level, i);
            CHECK_SAY(at < plan->lists.n && memcmp(&node, &plan->lists.nodes[at], sizeof node) == 0,
                      "leaf %lld is another one", (long long)at);
            *coarse += slot.level < lattice->coarsen;
          }
        }
      }
    }
  }
  CHECK_INT(at, plan->lists.n);
}

/** Points have the numbers 0, 1, ... along the input, and places go into one number and back. */
static void check_points(const tsr_grid_plan *plan) {
  const tsr_lattice *lattice = &plan->input.lattice;
  int64_t p[3], seen = 0;
  for (p[2] = 0; p[2] <= lattice->cells[2]; p[2]++) {
    for (p[1] = 0; p[1] <= lattice->cells[1]; p[1]++) {
      for (p[0] = 0; p[0] <= lattice->cells[0]; p[0]++) {
        int64_t q[3];
        tsr_place_unpack(tsr_place_pack(p), q);
        CHECK(memcmp(p, q, sizeof p) == 0);
        if (p[1] > 0 && lattice->dimension < 2) {
          continue;
        }
        if (p[2] > 0 && lattice->dimension < 3) {
          continue;
        }
        const int64_t id = tsr_point_id(lattice, &plan->points, p);
        if (id >= 0) {
          CHECK_INT(id, seen++);
        }
      }
    }
  }
  CHECK_INT(seen, plan->points.n);
}

/** The places of a leaf by all refined nodes around it at once are those that each of them adds. */
static void check_around(void) {
  const int halves[3] = {1, 1, 1};
  for (int k = 0; k < 20000; k++) {
    const uint32_t around = (uint32_t)(k < 27 ? 1 << k : any(1 << 27) & any(1 << 27));
    tsr_cut cut = {.dimension = 3, .has = TSR_CUT_CORNERS};
    for (int number = 0; number < 27; number++) {
      const int d[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
      const int length = (d[0] != 0) + (d[1] != 0) + (d[2] != 0);
      if (around >> number & 1 && length > 0 && length < 3) {
        tsr_cut_add(&cut, d, halves);
      }
    }
    CHECK_INT(tsr_cut_around(around), cut.has);
  }
}

int main(void) {
  int64_t coarse = 0;
  check_around();
  for (int k = 0; k < 120; k++) {
    const int dimension = 1 + k % 3;
    const int64_t most = dimension == 1 ? 200 : dimension == 2 ? 50 : 22;
    grid_case grid;
    tsr_error error;
    tsr_grid_plan *plan;
    grid_case_init(&grid, 1 + any(most), dimension > 1 ? 1 + any(most) : 0,
                   dimension > 2 ? 1 + any(most) : 0);
    grid_case_fill(&grid, (uint64_t)k + 5);
    tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_VALUE_RANGE, 0.3);
    tsr_grid_options o = grid_options(&c, 1);
    o.coarsen_levels = (int)any(6);
    o.balance = (tsr_balance)any(4);
    o.output = any(2) && dimension > 1 ? TSR_GRID_CONFORMING : TSR_GRID_CELLS;
    grid.hidden = k % 2 == 0 ? calloc((size_t)grid.n_cells, 1) : NULL;
    for (int64_t n = 0; grid.hidden != NULL && n < grid.n_cells; n++) {
      grid.hidden[n] = n / 5 % 7 == 0;
    }
    const tsr_grid_view view = grid_case_view(&grid);
    if (CHECK(tsr_grid_plan_create(&view, &o, NULL, &plan, &error) == TSR_OK)) {
      check_slots(plan, &coarse);
      check_points(plan);
    }
    tsr_grid_plan_free(plan);
    grid_case_free(&grid);
  }
  CHECK(coarse > 1000);
  return check_result();
}
