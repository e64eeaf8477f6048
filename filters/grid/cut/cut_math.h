/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Conforming cuts: a leaf with finer neighbours is cut so that no hanging node remains.
 *
 * A leaf has 27 places (9 in 2D): its corners, and the middles of its edges and faces where the
 * finer leaves around it have a corner. A place is numbered u0 + 3 u1 + 9 u2, u being 0, 1 or 2 at
 * the lower end, the middle and the upper end along each axis.
 *
 *     6---7---8     The figure shows the places of a face. If it has a middle (4), the leaves on
 *     |   |   |     the other side are finer, and the face is split into four like theirs.
 *     3---4---5     Otherwise the leaf on the other side is as large and has the same places on
 *     |   |   |     the shared edges. A table by these places cuts the face into pieces that are
 *     0---1---2     the same from both sides: for instance a fan around the middle of one edge,
 *                   or around the corner opposite to the middles of two adjacent edges. An edge
 *                   with a middle is called split, too.
 *
 * Leaves of four kinds, nearly all that occur in 3D, are cut without a new point:
 *
 *     one split edge,  each face that does not contain the middle of the edge is joined to it:
 *     no split face    4 pyramids
 *     1, 2 or 3 split  where no two of them are opposite and no other edge is split: each quarter
 *     faces            of a split face is joined to a corner of the leaf that lies on no split
 *                      face; along the axes without a split face, that corner is on the side of
 *                      the quarter. These are 4, 8 or 12 pyramids. With three split faces they
 *                      fill the leaf. With two, the corners are the ends of one edge, and 4
 *                      tetrahedra fill the gap between this edge and the middles opposite to it.
 *                      With one, 4 tetrahedra and a pyramid join the other faces to the middle of
 *                      the split face.
 *
 * In all other leaves, and in 2D, each piece of a face (in 2D: of a side) is joined to a new point
 * at the centre. Whether a leaf is cut, and how, depends on the nodes around it alone, hidden ones
 * included.
 */
#ifndef TSR_GRID_CUT_CUT_MATH_H
#define TSR_GRID_CUT_CUT_MATH_H

#include "grid/lattice_math.h"

#define TSR_CUT_PLACES 27
#define TSR_CUT_CORNERS 0x5140145u /**< bits of the corners; in 2D only the lowest 9 bits count */
#define TSR_CUT_FACES 0x0415410u   /**< bits of the middles of faces */
#define TSR_CUT_EDGES 0x2aa8aaau   /**< bits of the middles of edges */
#define TSR_CUT_MOST_PIECES 6      /**< most pieces of a face */
#define TSR_CUT_MOST_CELLS 36      /**< most cells of a leaf: 6 faces of 6 pieces */
#define TSR_CUT_CENTRE 13          /**< the place of the centre, in 2D as well */

/** The places of a leaf. */
typedef struct tsr_cut {
  int dimension;    /**< 1 to 3 */
  int64_t at[3][3]; /**< by axis: lattice coordinates of its lower end, middle, upper end, see
                         tsr_lattice (lattice_math.h) */
  uint32_t has;     /**< bit p is set if the leaf has place p */
} tsr_cut;

/** The corners of a cell, as places of the leaf in the order of VTK's triangle, tetrahedron or
 *  pyramid; or those of a piece of a face, as places u + 3 v of that face, where u and v run along
 *  the next two axes in cyclic order (2D: u along the side). */
typedef struct tsr_cut_cell {
  int n;     /**< number of corners */
  int at[5]; /**< n places */
} tsr_cut_cell;

/** Adds to cut->has the places of a leaf on the face or edge that it shares with the refined node
 *  in direction d (-1, 0 or 1 along each axis). halves: by axis, 1 if the leaf can be halved along
 *  it: a leaf of one lattice unit has no middle. */
TSR_FN void tsr_cut_add(tsr_cut *cut, const int d[3], const int halves[3]) {
  for (int place = 0; place < TSR_CUT_PLACES; ++place) {
    const int u[3] = {place % 3, place / 3 % 3, place / 9};
    int touches = 1;
    for (int a = 0; a < 3; ++a)
      touches = touches && (d[a] ? u[a] == d[a] + 1 : u[a] != 1 || halves[a]);
    if (touches && (cut->dimension > 2 || place < 9))
      cut->has |= (uint32_t)1 << place;
  }
}

/** Returns the places (as tsr_cut.has) of a leaf in 3D that can be halved along each axis.
 *  around: from tsr_tree_around; bit (dx + 1) + 3 (dy + 1) + 9 (dz + 1) is set if the node in
 *  direction d of the leaf is refined. */
TSR_FN uint32_t tsr_cut_around(uint32_t around) {
  uint32_t has = TSR_CUT_CORNERS | (around & TSR_CUT_EDGES); /* across an edge: its middle */
  has |= around & 1u << 12 ? 0x1249249u : 0u; /* across a face: all that lies on it */
  has |= around & 1u << 14 ? 0x4924924u : 0u;
  has |= around & 1u << 10 ? 0x01c0e07u : 0u;
  has |= around & 1u << 16 ? 0x70381c0u : 0u;
  has |= around & 1u << 4 ? 0x00001ffu : 0u;
  has |= around & 1u << 22 ? 0x7fc0000u : 0u;
  return has;
}

/** Moves bits 2k and 2k + 1 of a byte to bits 4k and 4k + 1, for k from 0 to 3. */
TSR_FN uint32_t tsr_spread_pairs(uint32_t byte) {
  const uint32_t halves = (byte | byte << 4) & 0x0f0fu;
  return (halves | halves << 2) & 0x3333u;
}

/** Tells which of the 3 x 3 x 3 nodes around node i in 3D, itself included, are refined: bit
 *  x + 3 y + 9 z, where 0 0 0 is the neighbour with the lowest indices. Bits of nodes that do not
 *  exist are 0. level: of the node; at most that of the input cells, whose bytes are in
 *  tree->dense. The 27 nodes are children of 2 x 2 x 2 parents, with a byte for each. All 8 bytes
 *  are loaded before any is used, so that the loads run at the same time. */
TSR_FN uint32_t tsr_tree_around(const tsr_tree *tree, int level, const int64_t i[3]) {
  const int64_t *first = tree->first[level], *size = tree->size[level];
  const uint8_t *bytes = tree->dense[level];
  const int nx = (int)size[0], ny = (int)size[1], nz = (int)size[2];
  const int x = (int)(((i[0] - 1) >> 1) - first[0]), y = (int)(((i[1] - 1) >> 1) - first[1]),
            z = (int)(((i[2] - 1) >> 1) - first[2]);
  uint32_t of[8], plane[4], around = 0;
  TSR_UNROLL
  for (int k = 0; k < 8; ++k) {
    const int px = x + (k & 1), py = y + (k >> 1 & 1), pz = z + (k >> 2);
    const int inside =
        (unsigned)px < (unsigned)nx && (unsigned)py < (unsigned)ny && (unsigned)pz < (unsigned)nz;
    of[k] = inside ? bytes[((int64_t)pz * ny + py) * nx + px] : 0u;
  }
  TSR_UNROLL
  for (int pz = 0; pz < 2; ++pz) { /* a plane of 4 x 4 nodes is 16 bits, a row of it 4 bits */
    const uint32_t low = tsr_spread_pairs(of[4 * pz]) | tsr_spread_pairs(of[4 * pz + 1]) << 2;
    const uint32_t high = tsr_spread_pairs(of[4 * pz + 2]) | tsr_spread_pairs(of[4 * pz + 3]) << 2;
    plane[2 * pz] = (low & 0xffu) | (high & 0xffu) << 8;
    plane[2 * pz + 1] = low >> 8 | (high >> 8) << 8;
  }
  const int skip = (int)((i[0] - 1) & 1) + 4 * (int)((i[1] - 1) & 1), up = (int)((i[2] - 1) & 1);
  TSR_UNROLL
  for (int k = 0; k < 3; ++k) {
    const uint32_t rows = (up ? plane[k + 1] : plane[k]) >> skip;
    around |= ((rows & 7u) | (rows >> 4 & 7u) << 3 | (rows >> 8 & 7u) << 6) << (9 * k);
  }
  return around;
}

/** Sets *cut for leaf i, in inner indices, that has the places `has`. */
TSR_FN void tsr_cut_set(const tsr_lattice *lattice, int level, const int64_t i[3], uint32_t has,
                        tsr_cut *cut) {
  const int64_t half = level < lattice->levels ? (int64_t)1 << (lattice->levels - level - 1) : 0;
  cut->dimension = lattice->dimension;
  cut->has = has;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_node_lattice(lattice, a, level, i[a], range);
    cut->at[a][0] = range[0];
    cut->at[a][1] = range[0] + half;
    cut->at[a][2] = range[1];
  }
}

/** Finds the places of leaf i, in inner indices. Returns 1 if the leaf is cut, and sets *cut; 0 if
 *  it has no places but its corners. */
TSR_FN int tsr_cut_find(const tsr_lattice *lattice, const tsr_tree *tree, int level,
                        const int64_t i[3], tsr_cut *cut) {
  const uint32_t corners = TSR_CUT_CORNERS & (lattice->dimension > 2 ? 0x7ffffffu : 0x1ffu);
  const int above = lattice->dimension > 2 && level < lattice->coarsen; /* the input cells */
  const uint32_t all = above ? tsr_cut_around(tsr_tree_around(tree, level, i)) : 0;
  int halves[3];
  if (level >= lattice->levels || all == corners)
    return 0;
  tsr_cut_set(lattice, level, i, corners, cut);
  for (int a = 0; a < 3; ++a)
    halves[a] =
        a < lattice->dimension && cut->at[a][0] < cut->at[a][1] && cut->at[a][1] < cut->at[a][2];
  if (above && halves[0] && halves[1] && halves[2]) {
    cut->has = all;
    return 1;
  }
  for (int number = 0; number < 27; ++number) {
    const int d[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    const int64_t q[3] = {i[0] + d[0], i[1] + d[1], i[2] + d[2]};
    const int length = (d[0] != 0) + (d[1] != 0) + (d[2] != 0);
    int within = length > 0 && length < lattice->dimension;
    for (int a = lattice->dimension; a < 3; ++a)
      within = within && d[a] == 0;
    if (within && tsr_node_in_tree(lattice, level, q) && tsr_tree_get(tree, lattice, level, q))
      tsr_cut_add(cut, d, halves);
  }
  return cut->has != corners;
}

/** Converts a place of a face to a place of the leaf. axis: to which the face is perpendicular;
 *  side: 0 for its lower, 1 for its upper face. at: u + 3 v as in tsr_cut_cell (2D: u along the
 *  side). */
TSR_FN int tsr_cut_place(int dimension, int axis, int side, int at) {
  static const int step[3] = {1, 3, 9};
  if (dimension == 2)
    return 2 * side * step[axis] + at * step[1 - axis];
  return 2 * side * step[axis] + at % 3 * step[(axis + 1) % 3] + at / 3 * step[(axis + 2) % 3];
}

/** x receives the lattice coordinates of a place. */
TSR_FN void tsr_cut_lattice(const tsr_cut *cut, int place, int64_t x[3]) {
  x[0] = cut->at[0][place % 3];
  x[1] = cut->at[1][place / 3 % 3];
  x[2] = cut->dimension > 2 ? cut->at[2][place / 9] : cut->at[2][0];
}

/** Lists the pieces of a face of a leaf in 3D, or of a side in 2D, in places of the face. axis,
 *  side: as in tsr_cut_place(). Returns the number of pieces. */
TSR_FN int tsr_cut_pieces(const tsr_cut *cut, int axis, int side,
                          tsr_cut_cell pieces[TSR_CUT_MOST_PIECES]) {
  /* The pieces for each pattern of split edges, separated by slashes; a digit is a place of the
   * face in the figure above. A pattern is the sum of 1 if the edge of place 1 is split, 2 for
   * place 5, 4 for place 7, 8 for place 3. The last entry is for a split face. */
  static const char *const patterns[17] = {"0286",
                                           "128/186/160",
                                           "586/560/502",
                                           "601/612/625/658",
                                           "760/702/728",
                                           "0176/1287",
                                           "025/058/087/076",
                                           "0176/125/587/157",
                                           "302/328/386",
                                           "863/830/801/812",
                                           "0253/3586",
                                           "3586/013/125/153",
                                           "287/276/263/230",
                                           "1287/763/301/173",
                                           "0253/587/763/357",
                                           "013/125/587/763/157/173",
                                           "0143/1254/4587/3476"};
  static const int middles[4] = {1, 5, 7, 3};
  const char *p;
  int pattern = 0, n = 0;
  if (cut->dimension == 2) {
    const int split = (cut->has >> tsr_cut_place(2, axis, side, 1)) & 1;
    for (int k = 0; k <= split; ++k) {
      pieces[k].n = 2;
      pieces[k].at[0] = k;
      pieces[k].at[1] = split ? k + 1 : 2;
    }
    return 1 + split;
  }
  for (int k = 0; k < 4; ++k)
    pattern |= (int)((cut->has >> tsr_cut_place(3, axis, side, middles[k])) & 1) << k;
  if ((cut->has >> tsr_cut_place(3, axis, side, 4)) & 1)
    pattern = 16;
  pieces[0].n = 0;
  for (p = patterns[pattern]; *p; ++p) {
    if (*p == '/')
      pieces[++n].n = 0;
    else
      pieces[n].at[pieces[n].n++] = *p - '0';
  }
  return n + 1;
}

/** Returns where a place lies along an axis: 0 lower end, 1 middle, 2 upper end. */
TSR_FN int tsr_place_on(int place, int axis) {
  return axis == 0 ? place % 3 : axis == 1 ? place / 3 % 3 : place / 9;
}

/** Returns six times the signed volume of the tetrahedron of four places, where the sides of the
 *  leaf have length 2; in 2D twice the signed area of the triangle of the first three places. */
TSR_FN int tsr_places_volume(int dimension, const int at[4]) {
  int e[3][3];
  for (int k = 0; k < 3; ++k)
    for (int a = 0; a < 3; ++a)
      e[k][a] = k < dimension ? tsr_place_on(at[k + 1], a) - tsr_place_on(at[0], a) : a == 2;
  if (dimension == 2) /* TSR_CUT_CENTRE is not 0 along the third axis */
    e[0][2] = e[1][2] = 0;
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
         e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/** Adds the cell of n places and an apex, which is another place, to cells[*count] and counts it.
 *  The n places are reversed if the volume would be negative. */
TSR_FN void tsr_cut_join(int dimension, const int *corners, int n, int apex, tsr_cut_cell *cells,
                         int *count) {
  tsr_cut_cell *cell = &cells[(*count)++];
  int first[4] = {corners[0], corners[1], n > 2 ? corners[n - 1] : apex, apex};
  const int turned = tsr_places_volume(dimension, first) < 0;
  cell->n = n + 1;
  for (int k = 0; k < n; ++k)
    cell->at[k] = corners[turned ? n - 1 - k : k];
  cell->at[n] = apex;
}

/** Adds the cells that join each piece of a face to the place `apex`. face: 2 axis for the lower, 2
 *  axis + 1 for the upper face along an axis. */
TSR_FN void tsr_cut_join_side(const tsr_cut *cut, int face, int apex, tsr_cut_cell *cells,
                              int *count) {
  tsr_cut_cell pieces[TSR_CUT_MOST_PIECES];
  const int n = tsr_cut_pieces(cut, face / 2, face % 2, pieces);
  for (int k = 0; k < n; ++k) {
    int corners[4] = {0, 0, 0, 0};
    for (int c = 0; c < pieces[k].n; ++c)
      corners[c] = tsr_cut_place(cut->dimension, face / 2, face % 2, pieces[k].at[c]);
    tsr_cut_join(cut->dimension, corners, pieces[k].n, apex, cells, count);
  }
}

/** Returns the place with these coordinates, each 0, 1 or 2. */
TSR_FN int tsr_place_of(const int u[3]) { return u[0] + 3 * u[1] + 9 * u[2]; }

/** Adds the pyramids over the quarters of the split faces, for a leaf with split faces of different
 *  axes and no other split edge. split: by axis, where its split face lies, 0 at the lower end or 2
 *  at the upper; -1: the axis has none. */
TSR_FN void tsr_cut_quarters(const int split[3], tsr_cut_cell *cells, int *count) {
  for (int axis = 0; axis < 3; ++axis)
    for (int quarter = 0; quarter < 4 && split[axis] >= 0; ++quarter) {
      static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
      const int half[3] = {0, quarter & 1, quarter >> 1};
      int corners[4], apex[3];
      for (int k = 0; k < 4; ++k) {
        int u[3];
        u[axis] = split[axis];
        u[(axis + 1) % 3] = half[1] + around[k][0];
        u[(axis + 2) % 3] = half[2] + around[k][1];
        corners[k] = tsr_place_of(u);
      }
      for (int k = 0; k < 3; ++k) {
        const int a = (axis + k) % 3;
        apex[a] = split[a] >= 0 ? 2 - split[a] : 2 * half[k];
      }
      tsr_cut_join(3, corners, 4, tsr_place_of(apex), cells, count);
    }
}

/** For a leaf with one split face, along `axis`: adds the cells that have the middle of the split
 *  face as apex. These are a pyramid over the opposite face, and four tetrahedra, one over each
 *  face beside the split face: over the triangle of the middle of the shared edge and the two
 *  corners on the opposite face. split: as in tsr_cut_quarters(). */
TSR_FN void tsr_cut_above(const tsr_cut *cut, const int split[3], int axis, tsr_cut_cell *cells,
                          int *count) {
  int middle[3] = {1, 1, 1};
  middle[axis] = split[axis];
  for (int k = 1; k < 3; ++k)
    for (int side = 0; side <= 2; side += 2) {
      const int a = (axis + k) % 3, b = (axis + 3 - k) % 3;
      int low[3], u[3], corners[3];
      low[a] = u[a] = side;
      low[axis] = split[axis];
      low[b] = 1;
      u[axis] = 2 - split[axis];
      corners[0] = tsr_place_of(low);
      u[b] = 0;
      corners[1] = tsr_place_of(u);
      u[b] = 2;
      corners[2] = tsr_place_of(u);
      tsr_cut_join(3, corners, 3, tsr_place_of(middle), cells, count);
    }
  tsr_cut_join_side(cut, 2 * axis + (split[axis] == 0), tsr_place_of(middle), cells, count);
}

/** For a leaf with two split faces: adds the four tetrahedra between the edge that lies on neither
 *  of them, which runs along axis `along`, and the five middles of edges and faces opposite to it.
 *  Each tetrahedron has both ends of the edge and two consecutive middles. split: as in
 *  tsr_cut_quarters(). */
TSR_FN void tsr_cut_between(const int split[3], int along, tsr_cut_cell *cells, int *count) {
  const int a = (along + 1) % 3, b = (along + 2) % 3;
  /* The middles, as places along a and b. They run along the split face of b towards the edge that
   * both split faces share, and from there along the split face of a. */
  const int chain[5][2] = {{2 - split[a], split[b]},
                           {1, split[b]},
                           {split[a], split[b]},
                           {split[a], 1},
                           {split[a], 2 - split[b]}};
  for (int k = 0; k < 4; ++k) {
    int u[3], corners[3], last;
    u[a] = 2 - split[a];
    u[b] = 2 - split[b];
    u[along] = 0;
    corners[0] = tsr_place_of(u);
    u[along] = 2;
    corners[1] = tsr_place_of(u);
    u[along] = 1;
    u[a] = chain[k][0];
    u[b] = chain[k][1];
    corners[2] = tsr_place_of(u);
    u[a] = chain[k + 1][0];
    u[b] = chain[k + 1][1];
    last = tsr_place_of(u);
    tsr_cut_join(3, corners, 3, last, cells, count);
  }
}

/** Classifies a leaf in 3D. Returns the number of split faces, 1 to 3, or 0 for a leaf with one
 *  split edge, if it can be cut without a new point; -1 if it needs a point at the centre. split:
 *  receives what tsr_cut_quarters() takes. *edge: if 0 is returned, receives the middle of the
 *  split edge. */
TSR_FN int tsr_cut_kind(const tsr_cut *cut, int split[3], int *edge) {
  static const int low[3] = {12, 10, 4}; /* the middle of the lower face of each axis */
  const uint32_t middles = cut->has & TSR_CUT_FACES;
  uint32_t edges = cut->has & TSR_CUT_EDGES;
  int faces = 0;
  for (int a = 0; a < 3; ++a) {
    const int below = middles >> low[a] & 1, above = middles >> (26 - low[a]) & 1;
    if (below && above)
      return -1;
    faces += below || above;
    split[a] = below ? 0 : above ? 2 : -1;
  }
  if (faces > 0)
    return tsr_cut_around(middles) == cut->has ? faces : -1;
  if (edges == 0 || (edges & (edges - 1)) != 0)
    return -1;
  for (*edge = 0; !(edges & 1); edges >>= 1)
    ++*edge;
  return 0;
}

/** Lists the cells of a leaf that is cut, in places of the leaf, and returns their number. *centre:
 *  receives 1 if they share a new point at the centre, TSR_CUT_CENTRE; else 0. */
TSR_FN int tsr_cut_cells(const tsr_cut *cut, tsr_cut_cell cells[TSR_CUT_MOST_CELLS], int *centre) {
  int split[3], edge = -1, count = 0, kind = -1;
  if (cut->dimension == 3)
    kind = tsr_cut_kind(cut, split, &edge);
  *centre = kind < 0;
  if (kind > 0)
    tsr_cut_quarters(split, cells, &count);
  for (int a = 0; a < 3; ++a) {
    if (kind == 1 && split[a] >= 0)
      tsr_cut_above(cut, split, a, cells, &count);
    if (kind == 2 && split[a] < 0)
      tsr_cut_between(split, a, cells, &count);
  }
  for (int side = 0; side < 2 * cut->dimension && kind <= 0; ++side)
    if (kind < 0)
      tsr_cut_join_side(cut, side, TSR_CUT_CENTRE, cells, &count);
    else if (tsr_place_on(edge, side / 2) != 2 * (side % 2))
      tsr_cut_join_side(cut, side, edge, cells, &count);
  return count;
}

/** Finds how many corners each of the cells of tsr_cut_cells() has, without their places. Returns
 * the number of cells; *centre: as there. */
TSR_FN int tsr_cut_corner_counts(const tsr_cut *cut, int sizes[TSR_CUT_MOST_CELLS], int *centre) {
  tsr_cut_cell pieces[TSR_CUT_MOST_PIECES];
  int split[3], edge, count = 0, kind = -1;
  if (cut->dimension == 3)
    kind = tsr_cut_kind(cut, split, &edge);
  *centre = kind < 0;
  for (int side = 0; side < 2 * cut->dimension && kind < 0; ++side) {
    const int n = tsr_cut_pieces(cut, side / 2, side % 2, pieces);
    for (int k = 0; k < n; ++k)
      sizes[count++] = pieces[k].n + 1;
  }
  if (kind < 0)
    return count;
  /* Pyramids over whole faces or quarters of faces, and the tetrahedra behind the quarters. */
  count = kind == 0 ? 4 : kind == 1 ? 9 : 12;
  for (int k = 0; k < count; ++k)
    sizes[k] = (kind == 1 && k >= 4 && k < 8) || (kind == 2 && k >= 8) ? 4 : 5;
  return count;
}

#endif
