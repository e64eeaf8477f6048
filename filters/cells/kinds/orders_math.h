/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The node orders of VTK's Lagrange and Bezier cells: from a place in the lattice to the number of
 * the node. Corners come first, then the inner nodes of edges, of faces and of the cell.
 * Source: VTK 9.2, vtkHigherOrder{Triangle,Tetra,Quadrilateral,Hexahedron,Wedge}.cxx.
 */
#ifndef TSR_CELLS_KINDS_ORDERS_MATH_H
#define TSR_CELLS_KINDS_ORDERS_MATH_H

#include "common/common_math.h"

/** Curve: node at place i of d + 1. */
TSR_FN int tsr_order_curve(int d, int i) { return i == 0 ? 0 : (i == d ? 1 : i + 1); }

/** Triangle of degree d, at barycentric places b, whose sum is d: b[2] belongs to the first corner,
 *  b[0] to the second, b[1] to the third. Shells of nodes are counted from the outside. */
TSR_FAR_FN int tsr_order_triangle(int d, const int b[3]) {
  int index = 0, most = d, least = 0, left = d;
  int inner = b[0] < b[1] ? b[0] : b[1];
  inner = b[2] < inner ? b[2] : inner;
  for (; inner > least; ++least) {
    index += 3 * left;
    most -= 2;
    left -= 3;
  }
  for (int k = 0; k < 3; ++k, ++index)
    if (b[(k + 2) % 3] == most)
      return index;
  for (int k = 0; k < 3; ++k) {
    if (b[(k + 1) % 3] == least)
      return index + b[k] - (least + 1);
    index += most - (least + 1);
  }
  return index;
}

/** Quadrilateral of degrees d, at (i, j). */
TSR_FN int tsr_order_quad(const int d[2], int i, int j) {
  const int at_i = i == 0 || i == d[0], at_j = j == 0 || j == d[1];
  if (at_i && at_j)
    return i ? (j ? 2 : 1) : (j ? 3 : 0);
  if (at_j)
    return 4 + (i - 1) + (j ? d[0] - 1 + d[1] - 1 : 0);
  if (at_i)
    return 4 + (j - 1) + (i ? d[0] - 1 : 2 * (d[0] - 1) + d[1] - 1);
  return 4 + 2 * (d[0] - 1 + d[1] - 1) + (i - 1) + (d[0] - 1) * (j - 1);
}

/** Inner node of a face of a hexahedron, after `before` nodes: across axis k, at the far side or
 *  not, at place (a, b) of n x m inner nodes. */
TSR_FN int tsr_order_inner(int before, int far_side, int a, int b, int n, int m) {
  return before + (far_side ? n * m : 0) + (a - 1) + n * (b - 1);
}

/** Hexahedron of degrees d, at (i, j, k). */
TSR_FAR_FN int tsr_order_hexahedron(const int d[3], int i, int j, int k) {
  const int at_i = i == 0 || i == d[0], at_j = j == 0 || j == d[1], at_k = k == 0 || k == d[2];
  const int n = d[0] - 1, m = d[1] - 1, l = d[2] - 1, corner = i ? (j ? 2 : 1) : (j ? 3 : 0);
  int before = 8;
  if (at_i && at_j && at_k)
    return corner + (k ? 4 : 0);
  if (at_j && at_k)
    return before + (i - 1) + (j ? n + m : 0) + (k ? 2 * (n + m) : 0);
  if (at_i && at_k)
    return before + (j - 1) + (i ? n : 2 * n + m) + (k ? 2 * (n + m) : 0);
  before += 4 * (n + m);
  if (at_i && at_j)
    return before + (k - 1) + l * corner;
  before += 4 * l;
  if (at_i)
    return tsr_order_inner(before, i > 0, j, k, m, l);
  before += 2 * m * l;
  if (at_j)
    return tsr_order_inner(before, j > 0, i, k, n, l);
  before += 2 * n * l;
  if (at_k)
    return tsr_order_inner(before, k > 0, i, j, n, m);
  return before + 2 * n * m + (i - 1) + n * ((j - 1) + m * (k - 1));
}

/** Number, among the nodes inside a triangle of degree d, of the one at (i, j). */
TSR_FN int tsr_order_in_triangle(int d, int i, int j) {
  return (j - 1) * (d - 1) - j * (j - 1) / 2 + i - 1;
}

/** Wedge of degree d in its triangles and `along` between them, at (i, j, k). */
TSR_FAR_FN int tsr_order_wedge(int d, int along, int i, int j, int k) {
  const int at_i = i == 0, at_j = j == 0, at_h = i + j == d, at_k = k == 0 || k == along;
  const int n = d - 1, l = along - 1, in_triangle = n * (n - 1) / 2;
  const int corner = at_i && at_j ? 0 : (at_j && at_h ? 1 : 2);
  const int corners = (at_i && at_j) || (at_j && at_h) || (at_i && at_h);
  int before = 6;
  if (corners && at_k)
    return corner + (k ? 3 : 0);
  if (at_k && (at_i || at_j || at_h)) {
    before += k ? 3 * n : 0;
    return at_j ? before + i - 1 : (at_h ? before + n + j - 1 : before + 2 * n + (d - j - 1));
  }
  before += 6 * n;
  if (corners)
    return before + (k - 1) + l * corner;
  before += 3 * l;
  if (at_k)
    return before + (k ? in_triangle : 0) + tsr_order_in_triangle(d, i, j);
  before += 2 * in_triangle;
  if (at_j)
    return before + (i - 1) + n * (k - 1);
  if (at_h)
    return before + n * l + (j - 1) + n * (k - 1);
  if (at_i)
    return before + 2 * n * l + (d - j - 1) + n * (k - 1);
  return before + 3 * n * l + in_triangle * (k - 1) + tsr_order_in_triangle(d, i, j);
}

/** Node at step t of d along the edge of a tetrahedron from corner a to corner b. The order has the
 *  inner nodes of the edges 01, 12, 20, 03, 13 and 23 one after the other. */
TSR_FN int tsr_order_tetra_edge(int d, int a, int b, int t) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  const int edge = high == 3 ? 3 + low : (low == 1 ? 1 : (high == 2 ? 2 : 0));
  const int forward = a == (edge == 2 ? high : low);
  if (t == 0 || t == d)
    return t == 0 ? a : b;
  return 4 + edge * (d - 1) + (forward ? t : d - t) - 1;
}

/** Where a tetrahedron's lists of edges and faces are read: the coordinates that are 0 on an edge
 * and the one that counts along it; the coordinate that is 0 on a face and those of the triangle.
 */
TSR_FAR_FN int tsr_order_tetra(int d, const int b[4]) {
  static const int corner[4] = {3, 0, 1, 2};
  static const int edge[6][3] = {{1, 2, 0}, {2, 3, 1}, {0, 2, 3}, {0, 1, 2}, {1, 3, 2}, {0, 3, 2}};
  static const int face[4][4] = {{1, 0, 2, 3}, {3, 2, 0, 1}, {0, 2, 1, 3}, {2, 1, 0, 3}};
  int index = 0, most = d, least = 0, left = d, inner = b[0];
  for (int k = 1; k < 4; ++k)
    inner = b[k] < inner ? b[k] : inner;
  for (; inner > least; ++least) {
    index += 2 * (left * left + 1);
    most -= 3;
    left -= 4;
  }
  for (int k = 0; k < 4; ++k, ++index)
    if (b[corner[k]] == most)
      return index;
  for (int k = 0; k < 6; ++k) {
    if (b[edge[k][0]] == least && b[edge[k][1]] == least)
      return index + b[edge[k][2]] - (least + 1);
    index += most - (least + 1);
  }
  for (int k = 0; k < 4; ++k) {
    if (b[face[k][0]] == least) {
      const int at[3] = {b[face[k][1]] - least, b[face[k][2]] - least, b[face[k][3]] - least};
      return index + tsr_order_triangle(left, at) - 3 * left;
    }
    index += (left + 1) * (left + 2) / 2 - 3 * left;
  }
  return index;
}

#endif
