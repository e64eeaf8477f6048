/* SPDX-License-Identifier: BSD-3-Clause */
/** 2, 4 and 7 processes, played by threads that hold their own points only, give one's cells, to
 *  the bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "point_case.h"
#include "ranks.h"

/** One process. */
typedef struct process {
  point_case part;
  tsr_pointgrid_options options;
  int spoilt; /**< its points have no data */
  point_out out;
} process;

static void take_part(process *p, const tsr_processes *processes) {
  p->options.gather = processes->gather;
  p->options.exchange = processes->exchange;
  p->options.context = processes->context;
  p->options.n_ranks = processes->n;
  p->options.rank = processes->rank;
  p->options.spread_array = point_case_values(&p->part);
}

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  tsr_pointgrid_view view = point_case_view(&p->part);
  view.points.data = p->spoilt ? NULL : view.points.data;
  take_part(p, processes);
  point_run(&p->part, &view, &p->options, NULL, &p->out);
}

/** Uneven parts, in order; rank 1 has nothing. */
static void deal(const point_case *set, process *p, int n) {
  int64_t at = 0;
  for (int r = 0; r < n; r++) {
    const int64_t end = r == n - 1 ? set->n : set->n * (r + 1) * (r + 1) / (n * n);
    const int64_t count = r == 1 && n > 2 ? 0 : end - at;
    point_case_init(&p[r].part, count);
    memcpy(p[r].part.points, set->points + 3 * at, (size_t)count * 24);
    memcpy(p[r].part.values, set->values + at, (size_t)count * 8);
    memcpy(p[r].part.pairs, set->pairs + 2 * at, (size_t)count * 2);
    at += count;
  }
}

#define SAME(MEMBER, N)                                                                            \
  CHECK(memcmp(p[r].out.MEMBER, whole->MEMBER + at * (N),                                          \
               (size_t)((N)*n_here) * sizeof *whole->MEMBER) == 0)

/** Is what the processes have, one after the other, what one has? */
static void compare(const process *p, int n, const point_out *whole, int kind, int corners) {
  int64_t at = 0, leaves = 0;
  for (int r = 0; r < n; r++) {
    const tsr_pointgrid_sizes *s = &p[r].out.sizes;
    const int64_t n_here = s->cells;
    CHECK_SAY(p[r].out.status == TSR_OK, "rank %d: %s", r, p[r].out.error.text);
    CHECK_INT(s->first_leaf, leaves);
    CHECK_INT(s->all_leaves, whole->sizes.all_leaves);
    CHECK_INT(s->levels, whole->sizes.levels);
    if (p[r].out.status != TSR_OK || at + n_here > whole->sizes.cells) {
      CHECK(0);
      return;
    }
    SAME(level, 1);
    if (kind == TSR_POINTGRID_CELLS) {
      SAME(count, 1);
      SAME(density, 1);
      SAME(mean, 1);
      SAME(least, 1);
      SAME(greatest, 1);
      SAME(pair_mean, 2);
      SAME(pair_least, 2);
      for (int64_t i = 0; i < corners * n_here; i++) {
        CHECK(memcmp(&p[r].out.points[3 * p[r].out.connectivity[i]],
                     &whole->points[3 * whole->connectivity[corners * at + i]], 24) == 0);
      }
    } else {
      SAME(points, 3);
      SAME(leaf, 1);
      SAME(value, 1);
      SAME(pair, 2);
    }
    leaves += s->leaves;
    at += n_here;
  }
  CHECK_INT(at, whole->sizes.cells);
  CHECK_INT(leaves, whole->sizes.leaves);
}

/** Every leaf of the whole tree belongs to one process, and to the others it is foreign. */
static void compare_trees(const process *p, int n, const point_out *whole) {
  int64_t leaves = 0, points = 0;
  for (int r = 0; r < n; r++) {
    const point_out *out = &p[r].out;
    CHECK_SAY(out->status == TSR_OK, "rank %d: %s", r, out->error.text);
    CHECK(out->sizes.cells <= whole->sizes.cells);
    for (int64_t i = 0; out->status == TSR_OK && i < out->sizes.cells; i++) {
      leaves += out->state[i] == TSR_POINTGRID_LEAF;
      points += out->state[i] == TSR_POINTGRID_LEAF ? out->count[i] : 0;
      CHECK(out->state[i] != TSR_POINTGRID_FOREIGN || out->count[i] == 0);
    }
  }
  CHECK_INT(leaves, whole->sizes.leaves);
  CHECK_INT(points, whole->sizes.kept);
}

static void ranks_give_one(const point_case *set, tsr_pointgrid_options o, int n,
                           const uint8_t *owners) {
  o.spread_array = point_case_values(set);
  for (int kind = 0; kind < 3; kind++) {
    process p[MAX_RANKS];
    point_out whole;
    const tsr_pointgrid_view view = point_case_view(set);
    memset(p, 0, sizeof p);
    o.output = (tsr_pointgrid_output_kind)kind;
    point_run(set, &view, &o, NULL, &whole);
    CHECK_SAY(whole.status == TSR_OK, "%s", whole.error.text);
    deal(set, p, n);
    for (int r = 0; r < n; r++) {
      p[r].options = o;
      p[r].options.owners = owners;
    }
    ranks_run(n, work, p, sizeof *p);
    if (kind == TSR_POINTGRID_TREE) {
      compare_trees(p, n, &whole);
    } else {
      compare(p, n, &whole, kind, 1 << whole.sizes.dimension);
    }
    for (int r = 0; r < n; r++) {
      CHECK(owners == NULL || owners[r] || p[r].out.sizes.leaves == 0);
      CHECK(owners != NULL || n > 4 || set->n < 1000 || o.max_points > 20 ||
            p[r].out.sizes.kept > set->n / n / 4);
      point_out_free(&p[r].out);
      point_case_free(&p[r].part);
    }
    point_out_free(&whole);
  }
}

/** One process cannot do its part: the others hear of it. */
static void one_fails(const point_case *set) {
  process p[4];
  memset(p, 0, sizeof p);
  deal(set, p, 4);
  for (int r = 0; r < 4; r++) {
    tsr_pointgrid_options_init(&p[r].options);
  }
  p[2].spoilt = 1;
  ranks_run(4, work, p, sizeof *p);
  for (int r = 0; r < 4; r++) {
    CHECK_INT(p[r].out.status, r == 2 ? TSR_BAD_INPUT : TSR_ABORTED);
    point_case_free(&p[r].part);
  }
}

enum { MOST_COMPONENTS = 32, MANY = 40 };

/** What a process brings along: components of each of n attributes. */
typedef struct luggage {
  process p;
  int components[MANY], n;
} luggage;

static void carry(void *data, const tsr_processes *processes) {
  luggage *l = data;
  const tsr_pointgrid_view view = point_case_view(&l->p.part);
  tsr_pointgrid_attribute attributes[MANY];
  tsr_pointgrid_output output;
  tsr_pointgrid_plan *plan;
  uint8_t *values = calloc((size_t)l->p.part.n + 1, MOST_COMPONENTS);
  take_part(&l->p, processes);
  tsr_pointgrid_output_init(&output);
  memset(attributes, 0, sizeof attributes);
  for (int i = 0; i < l->n; i++) {
    attributes[i].in = (tsr_array){values, TSR_UINT8, l->components[i], l->p.part.n};
  }
  output.attributes = attributes;
  output.n_attributes = l->n;
  CHECK(tsr_pointgrid_plan_create(&view, &l->p.options, NULL, &plan, NULL) == TSR_OK);
  l->p.out.status = tsr_pointgrid_fill(plan, &output, &l->p.out.error);
  tsr_pointgrid_plan_free(plan);
  free(values);
}

/** Process 1 brings other attributes than process 0: `first` and `second` components, then `more`
 *  of one component. Do both say so? */
static void attributes_differ(const point_case *set, int first, int second, int more, int differ) {
  luggage both[2];
  process p[2];
  memset(both, 0, sizeof both);
  memset(p, 0, sizeof p);
  deal(set, p, 2);
  for (int r = 0; r < 2; r++) {
    both[r].p = p[r];
    tsr_pointgrid_options_init(&both[r].p.options);
    both[r].n = MANY;
    for (int i = 0; i < MANY; i++) {
      both[r].components[i] = 1;
    }
  }
  both[0].components[1] = MOST_COMPONENTS;
  both[1].components[0] = first;
  both[1].components[1] = second;
  both[1].n = 2 + more;
  ranks_run(2, carry, both, sizeof *both);
  for (int r = 0; r < 2; r++) {
    CHECK_INT(both[r].p.out.status, differ ? TSR_BAD_INPUT : TSR_OK);
    point_case_free(&both[r].p.part);
  }
}

int main(void) {
  static const int ranks[] = {1, 2, 4, 7};
  static const uint8_t owners[] = {0, 1, 0, 1, 1, 0, 1};
  point_case set, few;
  tsr_pointgrid_options o;
  point_case_init(&set, 20000);
  point_case_crowd(&set);
  point_case_init(&few, 9);
  point_case_crowd(&few);
  for (int i = 0; i < 4; i++) {
    for (int b = TSR_BALANCE_NONE; b <= TSR_BALANCE_CORNER; b++) {
      tsr_pointgrid_options_init(&o);
      o.max_points = 20;
      o.balance = (tsr_balance)b;
      ranks_give_one(&set, o, ranks[i], NULL);
      o.shape = TSR_POINTGRID_THINNEST;
      ranks_give_one(&set, o, ranks[i], ranks[i] > 1 ? owners : NULL);
      ranks_give_one(&few, o, ranks[i], NULL);
    }
    o.use_spread = 1;
    o.spread = 15.0;
    o.max_points = 500;
    ranks_give_one(&set, o, ranks[i], NULL);
    o.spread_of = TSR_POINTGRID_SPREAD_OF_Z;
    o.spread = 0.01;
    ranks_give_one(&set, o, ranks[i], NULL);
    o.max_level = 2; /* full cells of the highest level */
    ranks_give_one(&set, o, ranks[i], NULL);
  }
  few.n = 0; /* nothing anywhere */
  ranks_give_one(&few, o, 4, NULL);
  few.n = 9;
  one_fails(&set);
  attributes_differ(&few, 1, MOST_COMPONENTS, MANY - 2, 0);
  attributes_differ(&few, 2, 1, MANY - 2, 1);
  attributes_differ(&few, 1, MOST_COMPONENTS, MANY - 3, 1);
  point_case_free(&set);
  point_case_free(&few);
  return check_result();
}
