// SPDX-License-Identifier: BSD-3-Clause
// Handles a leaf that conforming output cuts into parts, by one warp: finds the parts and
// interpolates in them. The parts depend only on which of the leaf's places (corners, middles of
// edges and sides) have points, if the places lie exactly in the middle. Parts are then made once
// and kept in a table. A kernel that meets a leaf claims a slot for its set of places; a kernel in
// between makes the claimed slots.
#ifndef TSR_GRID_CUT_CUT_CUH
#define TSR_GRID_CUT_CUT_CUH

#include "cuda/grid/plan.cuh"
#include "grid/cut/cut_field_math.h"

// The parts of a leaf.
struct tsr_cut_entry {
  int n, entries, centre;        // parts, their corners, and 1 if they have the centre
  int first[TSR_CUT_MOST_CELLS]; // corners before each
  int side[6][2]; // first and end of the parts that stand on a side; all parts if that is not known
  tsr_cut_part parts[TSR_CUT_MOST_CELLS];
};

const unsigned tsr_cut_slots = 2048; // a power of 2

// Weights of the interpolated value at a point of a leaf: a sum of at most five values at places,
// whose weights add up to 1. Four of the weights are stored, in units of 2^-24 in the lower 24 bits
// of a word (1 is stored as the largest number of 24 bits). The upper 8 bits of the four words
// together hold the numbers of the five places, 5 bits each, and the number of the part that the
// point lies in.
struct __align__(16) tsr_cut_weights {
  uint32_t word[4];
};
const unsigned tsr_cut_one = 0xffffff;

static __device__ __forceinline__ unsigned tsr_cut_places_of(const uint32_t word[4]) {
  return word[0] >> 24 | word[1] >> 24 << 8 | word[2] >> 24 << 16 | word[3] >> 24 << 24;
}

static __device__ __forceinline__ int tsr_cut_part_of(const uint32_t word[4]) {
  return (int)(word[3] >> 25);
}
static_assert(TSR_CUT_PLACES <= 32 && TSR_CUT_MOST_CELLS <= 64, "they have so few bits");

// Number of points of leaves of 2, 4 and 8 cells along each side, which have weights in the table.
const int tsr_cut_sizes = 3, tsr_cut_all_points = 27 + 125 + 729;

struct tsr_cut_table {
  unsigned keys[tsr_cut_slots];  // the set of places; 0: the slot is free
  unsigned ready[tsr_cut_slots]; // 1: the entry and the weights are complete
  unsigned n_claimed;            // number of claimed slots that are still to be made
  unsigned n_used;               // slots that were taken
  unsigned n_done;               // number of blocks that have finished making slots
  unsigned claimed[tsr_cut_slots];
  tsr_cut_entry entries[tsr_cut_slots];
  tsr_cut_weights weights[tsr_cut_slots]
                         [tsr_cut_all_points]; // for three dimensions and even steps only
};

// A warp's working memory, in shared memory.
struct tsr_cut_room {
  tsr_cut_cell cells[TSR_CUT_MOST_CELLS];
  tsr_cut_entry own;
  double value[TSR_CUT_PLACES];
};

// The points of a leaf.
struct tsr_cut_points {
  int64_t first[3], last[3];
  unsigned n[3], count;
  int even;          // 1: steps are even, and their number along each axis is a power of 2
  double inverse[3]; // if even: 1 / number of steps; 0 along an axis without cells
};

// The side of the leaf, 0 to 5, that a part with the centre as its apex stands on.
static __device__ inline int tsr_cut_side(const tsr_cut_cell &cell) {
  unsigned on = 63;
  for (int c = 0; c < cell.n; ++c) {
    unsigned mine = 0;
    for (int a = 0; a < 3; ++a) {
      const int u = tsr_place_on(cell.at[c], a);
      mine |= u == 1 ? 0u : 1u << (2 * a + (u == 2));
    }
    on &= cell.at[c] == TSR_CUT_CENTRE ? 63u : mine;
  }
  return __ffs((int)on) - 1;
}

// Sets the range of parts on each side. Parts that have the centre are made one side after another,
// so those of a side are consecutive.
static __device__ inline void tsr_cut_sides_set(const tsr_cut &cut, const tsr_cut_cell *cells,
                                                tsr_cut_entry *entry) {
  for (int side = 0; side < 6; ++side) {
    entry->side[side][0] = 0;
    entry->side[side][1] = entry->n;
  }
  for (int k = 0; entry->centre && cut.dimension == 3 && k < entry->n; ++k) {
    const int side = tsr_cut_side(cells[k]);
    if (k == 0 || tsr_cut_side(cells[k - 1]) != side)
      entry->side[side][0] = k;
    entry->side[side][1] = k + 1;
  }
}

// Makes the parts of a leaf in room->own. All threads of the warp call it.
static __device__ inline void tsr_cut_make(const tsr_cut &cut, const double middle[3],
                                           tsr_cut_room *room, int lane) {
  __syncwarp();
  if (lane == 0) {
    tsr_cut_entry &to = room->own;
    to.n = tsr_cut_cells(&cut, room->cells, &to.centre);
    to.entries = 0;
    for (int k = 0; k < to.n; ++k) {
      to.first[k] = to.entries;
      to.entries += room->cells[k].n;
    }
    tsr_cut_sides_set(cut, room->cells, &to);
  }
  __syncwarp();
  for (int k = lane; k < room->own.n; k += 32)
    tsr_cut_part_set(cut.dimension, middle, &room->cells[k], &room->own.parts[k]);
  __syncwarp();
}

// Claims the table's slot for these places, for tsr_cut_make_claimed to make. Returns its number,
// or -1 if the table is full.
static __device__ inline int tsr_cut_claim(tsr_cut_table *table, unsigned has) {
  unsigned slot = has * 2654435761u >> 20;
  for (int k = 0; k < 16; ++k, ++slot) {
    slot &= tsr_cut_slots - 1;
    unsigned key = *(volatile unsigned *)&table->keys[slot];
    if (key == 0) {
      key = atomicCAS(&table->keys[slot], 0u, has);
      if (key == 0) {
        table->claimed[atomicAdd(&table->n_claimed, 1u)] = slot;
        atomicAdd(&table->n_used, 1u);
      }
    }
    if (key == 0 || key == has)
      return (int)slot;
  }
  return -1;
}

// Number of the slot that holds these places and is complete; -1: there is none.
static __device__ inline int tsr_cut_slot(const tsr_cut_table *table, unsigned has) {
  unsigned slot = has * 2654435761u >> 20;
  for (int k = 0; k < 16; ++k, ++slot) {
    slot &= tsr_cut_slots - 1;
    if (table->keys[slot] == has)
      return table->ready[slot] ? (int)slot : -1;
    if (table->keys[slot] == 0)
      return -1;
  }
  return -1;
}

// Returns the parts of a leaf, from the table or, if it has none, made in the room. All threads of
// the warp call it with the same leaf.
static __device__ inline const tsr_cut_entry *tsr_cut_find_entry(const tsr_cut_table *table,
                                                                 const tsr_cut &cut,
                                                                 const double middle[3],
                                                                 tsr_cut_room *room, int lane) {
  int slot = -1, even = 1;
  for (int a = 0; a < cut.dimension; ++a)
    even = even && middle[a] == 0.5;
  if (lane == 0 && even)
    slot = tsr_cut_slot(table, cut.has);
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (slot >= 0)
    return &table->entries[slot];
  tsr_cut_make(cut, middle, room, lane);
  return &room->own;
}

// Finds the points of a leaf above the input cells. middle: as tsr_cut_box gives it.
static __device__ inline void tsr_cut_points_set(const tsr_grid_frame &f, const tsr_cut &cut,
                                                 tsr_cut_points *points, double middle[3]) {
  tsr_cut_box(&f.lattice, &f.space, &cut, points->first, points->last, middle);
  points->count = 1;
  for (int a = 0; a < 3; ++a) {
    points->n[a] = (unsigned)(points->last[a] - points->first[a] + 1);
    points->count *= points->n[a];
  }
  points->even = f.space.geometry != TSR_GEOMETRY_RECTILINEAR;
  for (int a = 0; a < f.lattice.dimension; ++a)
    points->even = points->even && ((points->n[a] - 1) & (points->n[a] - 2)) == 0;
  for (int a = 0; a < 3; ++a)
    points->inverse[a] =
        a < f.lattice.dimension ? 1.0 / (double)(points->last[a] - points->first[a]) : 0.0;
}

// Finds the points of a leaf and returns its parts.
static __device__ inline const tsr_cut_entry *
tsr_cut_prepare(const tsr_grid_frame &f, const tsr_cut_table *table, const tsr_cut &cut,
                tsr_cut_room *room, tsr_cut_points *points, int lane) {
  double middle[3];
  tsr_cut_points_set(f, cut, points, middle);
  return tsr_cut_find_entry(table, cut, middle, room, lane);
}

// Loads the values of a component at the leaf's places. All threads of the warp call it.
static __device__ inline void tsr_cut_values(const tsr_grid_frame &f, const tsr_array &array,
                                             int component, const tsr_cut &cut,
                                             double value[TSR_CUT_PLACES], int lane) {
  __syncwarp();
  if (lane < TSR_CUT_PLACES)
    value[lane] = (cut.has >> lane) & 1
                      ? tsr_cut_place_value(&f.lattice, &array, component, &cut, lane)
                      : 0.0;
  __syncwarp();
  if (lane == 0)
    value[TSR_CUT_CENTRE] = tsr_cut_centre_value(cut.dimension, array.type, value);
  __syncwarp();
}

// Absolute difference of the array to the interpolation at point k of a leaf. part: number of the
// part that holds the point; -1: it is searched.
static __device__ inline double tsr_cut_difference(const tsr_grid_frame &f, const tsr_array &array,
                                                   int component, const tsr_cut_points &points,
                                                   const tsr_cut_entry *entry, int part,
                                                   const double *value, unsigned k) {
  const unsigned row = k / points.n[0];
  const int64_t p[3] = {points.first[0] + k - row * points.n[0],
                        points.first[1] + row % points.n[1], points.first[2] + row / points.n[1]};
  double t[3], form[3];
  for (int a = 0; a < 3; ++a)
    t[a] = points.even
               ? (double)(p[a] - points.first[a]) * points.inverse[a]
               : tsr_axis_parameter(&f.space, &f.lattice, a, points.first[a], points.last[a], p[a]);
  if (part < 0)
    part = tsr_cut_part_at(entry->parts, entry->n, t, form);
  else
    (void)tsr_cut_inside(&entry->parts[part], t, form);
  return fabs(tsr_load(&array, tsr_point_at(&f.lattice, p) * array.components + component) -
              tsr_cut_part_value(&entry->parts[part], form, value));
}

// The table, which outlives the plan.
struct tsr_cut_ways {
  tsr_cut_table *table;
  unsigned used; // number of used entries of the table, all made; 0: not known
};

// Makes the table, unless an earlier plan has left one. tsr_cut_ways_give leaves it to the next
// plan; the stream must have finished.
tsr_status tsr_cut_ways_make(tsr_grid_device *grid, tsr_cut_ways *ways, tsr_error *error);
void tsr_cut_ways_give(const tsr_device_state *state, const tsr_cut_ways &ways);

// Makes the slots that were claimed since the last call.
tsr_status tsr_cut_make_claimed(tsr_grid_device *grid, tsr_cut_table *table, tsr_error *error);

#endif
