/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: which cells count, and whether their ids can be used. */
#ifndef TSR_MESH_CHECK_MATH_H
#define TSR_MESH_CHECK_MATH_H

#include "common/part_math.h"
#include "mesh/shape/locate_math.h"

/** What is wrong with a cell. */
typedef enum tsr_mesh_fault {
  TSR_MESH_FAULT_NONE = 0,
  TSR_MESH_FAULT_OFFSETS, /**< its offsets fall, or leave the connectivity */
  TSR_MESH_FAULT_POINTS,  /**< its kind has another number of points */
  TSR_MESH_FAULT_ID,      /**< a point that the mesh does not have */
  TSR_MESH_FAULT_FACES    /**< a polyhedron without faces, or with a face of fewer than 3 points */
} tsr_mesh_fault;

/** What is found in the cells. */
typedef struct tsr_mesh_found {
  int64_t bad; /**< lowest cell with a fault, or -1 */
  int fault;
  int64_t solid, plane; /**< cells that can be used, of 3 and 2 dimensions */
  tsr_note_count notes[TSR_MESH_NOTES];
} tsr_mesh_found;

/** Looks at the ids of a polyhedron's faces. */
TSR_FN int tsr_mesh_check_faces(const tsr_mesh *mesh, int64_t i) {
  int64_t first, end;
  if (!mesh->cell_faces)
    return TSR_MESH_FAULT_FACES;
  first = tsr_mesh_index(mesh, mesh->cell_faces, i);
  end = tsr_mesh_index(mesh, mesh->cell_faces, i + 1);
  if (first < 0 || end - first < 4 || end > mesh->n_faces)
    return TSR_MESH_FAULT_FACES;
  for (int64_t f = first; f < end; ++f) {
    const int64_t begin = tsr_mesh_index(mesh, mesh->face_offsets, f);
    const int64_t stop = tsr_mesh_index(mesh, mesh->face_offsets, f + 1);
    if (begin < 0 || stop > mesh->n_face_ids || stop - begin < 3)
      return TSR_MESH_FAULT_FACES;
    for (int64_t k = begin; k < stop; ++k) {
      const int64_t id = tsr_mesh_index(mesh, mesh->face_ids, k);
      if (id < 0 || id >= mesh->points.tuples)
        return TSR_MESH_FAULT_ID;
    }
  }
  return TSR_MESH_FAULT_NONE;
}

/** Looks at the ids of cell c. */
TSR_FN int tsr_mesh_check_ids(const tsr_mesh *mesh, const tsr_mesh_cell *c) {
  const int points = tsr_mesh_kind_points(c->kind);
  if (c->first < 0 || c->n < 0 || c->first > mesh->n_connectivity - c->n)
    return TSR_MESH_FAULT_OFFSETS;
  if (points ? c->n != points : c->n < (c->kind == TSR_MESH_POLYHEDRON ? 4 : 3))
    return TSR_MESH_FAULT_POINTS;
  for (int64_t k = 0; k < c->n; ++k) {
    const int64_t id = tsr_mesh_index(mesh, mesh->connectivity, c->first + k);
    if (id < 0 || id >= mesh->points.tuples)
      return TSR_MESH_FAULT_ID;
  }
  return c->kind == TSR_MESH_POLYHEDRON ? tsr_mesh_check_faces(mesh, c->cell) : TSR_MESH_FAULT_NONE;
}

TSR_FN int tsr_mesh_usable_point(const tsr_mesh *mesh, int64_t id) {
  double x[3];
  tsr_load3(&mesh->points, id, x);
  return tsr_usable(x[0]) && tsr_usable(x[1]) && tsr_usable(x[2]);
}

/** 1 if all points of the cell, and of its faces, are finite. */
TSR_FN int tsr_mesh_is_finite(const tsr_mesh *mesh, const tsr_mesh_cell *c) {
  int finite = 1;
  for (int64_t k = 0; k < c->n && finite; ++k)
    finite = tsr_mesh_usable_point(mesh, tsr_mesh_listed_id(mesh, c, k));
  for (int64_t f = 0; c->kind == TSR_MESH_POLYHEDRON && f < tsr_mesh_faces(mesh, c); ++f) {
    const tsr_mesh_face face = tsr_mesh_face_of(mesh, c, f);
    for (int64_t k = 0; k < face.n && finite; ++k)
      finite = tsr_mesh_usable_point(mesh, tsr_mesh_face_id(mesh, c, &face, k));
  }
  return finite;
}

TSR_FN tsr_mesh_found tsr_mesh_check_none(void) {
  tsr_mesh_found none;
  none.bad = -1;
  none.fault = TSR_MESH_FAULT_NONE;
  none.solid = none.plane = 0;
  for (int k = 0; k < TSR_MESH_NOTES; ++k) {
    none.notes[k].count = 0;
    none.notes[k].first = -1;
  }
  return none;
}

TSR_FN void tsr_mesh_check_join(tsr_mesh_found *all, const tsr_mesh_found *part) {
  if (part->bad >= 0 && (all->bad < 0 || part->bad < all->bad)) {
    all->bad = part->bad;
    all->fault = part->fault;
  }
  all->solid += part->solid;
  all->plane += part->plane;
  for (int k = 0; k < TSR_MESH_NOTES; ++k)
    tsr_note_join(&all->notes[k], part->notes[k]);
}

/** Looks at cell i, and notes its dimension if it counts. */
TSR_FN void tsr_mesh_check(const tsr_mesh *mesh, int64_t i, tsr_mesh_found *found) {
  const int dimension = tsr_mesh_kind_dimension(mesh->types[i]);
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
  mesh->use[i] = 0;
  if (dimension == 0 || (mesh->hidden && mesh->hidden[i]))
    return;
  if (dimension < 0) {
    tsr_note_item(found->notes, 1 << TSR_MESH_NOTE_KIND, i);
    return;
  }
  const int fault = tsr_mesh_check_ids(mesh, &c);
  if (fault != TSR_MESH_FAULT_NONE) {
    if (found->bad < 0 || i < found->bad) {
      found->bad = i;
      found->fault = fault;
    }
  } else if (!tsr_mesh_is_finite(mesh, &c)) {
    tsr_note_item(found->notes, 1 << TSR_MESH_NOTE_NOT_FINITE, i);
  } else {
    found->solid += dimension == 3;
    found->plane += dimension == 2;
    mesh->use[i] = (uint8_t)dimension;
  }
}

/** Marks the points of cell i. Several cells may mark one point. */
TSR_FN void tsr_mesh_mark(const tsr_mesh *mesh, int64_t i) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
  if (mesh->use[i] != mesh->dimension)
    return;
  for (int64_t k = 0; k < c.n; ++k)
    tsr_set_flag(&mesh->marked[tsr_mesh_listed_id(mesh, &c, k)]);
  for (int64_t f = 0; c.kind == TSR_MESH_POLYHEDRON && f < tsr_mesh_faces(mesh, &c); ++f) {
    const tsr_mesh_face face = tsr_mesh_face_of(mesh, &c, f);
    for (int64_t k = 0; k < face.n; ++k)
      tsr_set_flag(&mesh->marked[tsr_mesh_face_id(mesh, &c, &face, k)]);
  }
}

TSR_FN void tsr_mesh_unmark(const tsr_mesh *mesh, int64_t i) { mesh->marked[i] = 0; }

/** Bounds of the points of cells that count. */
typedef struct tsr_mesh_box {
  double low[3], high[3];
} tsr_mesh_box;

TSR_FN tsr_mesh_box tsr_mesh_bounds_none(void) {
  tsr_mesh_box none;
  for (int a = 0; a < 3; ++a) {
    none.low[a] = 2.0 * TSR_LARGEST_COORDINATE;
    none.high[a] = -2.0 * TSR_LARGEST_COORDINATE;
  }
  return none;
}

TSR_FN void tsr_mesh_bounds_join(tsr_mesh_box *all, const tsr_mesh_box *part) {
  for (int a = 0; a < 3; ++a) {
    all->low[a] = part->low[a] < all->low[a] ? part->low[a] : all->low[a];
    all->high[a] = part->high[a] > all->high[a] ? part->high[a] : all->high[a];
  }
}

TSR_FN void tsr_mesh_bounds(const tsr_mesh *mesh, int64_t i, tsr_mesh_box *box) {
  tsr_mesh_box one;
  if (!mesh->marked[i])
    return;
  tsr_load3(&mesh->points, i, one.low);
  for (int a = 0; a < 3; ++a) {
    one.low[a] = one.low[a] + 0.0; /* one kind of zero */
    one.high[a] = one.low[a];
  }
  tsr_mesh_bounds_join(box, &one);
}

/** Edges of cells at even steps, for the median. */
typedef struct tsr_mesh_edge_job {
  tsr_mesh mesh;
  int64_t cells;   /**< looked at: number k is cell k * n / cells and a part of a step at random */
  int64_t *before; /**< cells + 1 */
  uint64_t *words; /**< squares of lengths, as keys */
  int64_t n;       /**< words */
  int64_t *ends;   /**< 2: the words that share the upper bits of the median begin
                      and end here */
} tsr_mesh_edge_job;

/** The median is looked for by this many upper bits first: of a thousand edges,
 * few share them. */
enum { TSR_MESH_UPPER_BITS = 22 };

/** The cell that sample k looks at. The place within its step is by a hash, so
 * that no pattern in the numbers of cells counts. */
TSR_FN int64_t tsr_mesh_sampled(const tsr_mesh_edge_job *job, int64_t k) {
  const double step = (double)job->mesh.n / (double)job->cells;
  const int64_t begin = (int64_t)((double)k * step), end = (int64_t)((double)(k + 1) * step);
  uint64_t hash = (uint64_t)k + 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
  hash ^= hash >> 31;
  return begin + (int64_t)(hash % (uint64_t)(end > begin ? end - begin : 1));
}

/** Writes the edges of sample k, or counts them: to is NULL then. Every edge of a solid cell comes
 *  twice, with each of its faces. */
TSR_FN int64_t tsr_mesh_edges(const tsr_mesh_edge_job *job, int64_t k, uint64_t *to) {
  const tsr_mesh *mesh = &job->mesh;
  const int64_t i = tsr_mesh_sampled(job, k);
  int64_t n = 0;
  if (mesh->use[i] != mesh->dimension)
    return 0;
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
  const int64_t faces = tsr_mesh_faces(mesh, &c);
  for (int64_t f = 0; f < faces; ++f) {
    const tsr_mesh_face face = tsr_mesh_face_of(mesh, &c, f);
    const int64_t edges = mesh->dimension == 3 ? face.n : 1;
    double ends[2][3];
    if (to)
      tsr_load3(&mesh->points, tsr_mesh_face_id(mesh, &c, &face, 0), ends[0]);
    for (int64_t e = 0; e < edges && to; ++e) {
      tsr_load3(&mesh->points, tsr_mesh_face_id(mesh, &c, &face, e + 1), ends[(e + 1) & 1]);
      to[n + e] = tsr_key_of_double(tsr_mesh_distance2(ends[0], ends[1]));
    }
    n += edges;
  }
  return n;
}

TSR_FN void tsr_mesh_count_edges(const tsr_mesh_edge_job *job, int64_t k) {
  job->before[k] = tsr_mesh_edges(job, k, (uint64_t *)0);
}

TSR_FN void tsr_mesh_put_edges(const tsr_mesh_edge_job *job, int64_t k) {
  tsr_mesh_edges(job, k, job->words + job->before[k]);
}

/** The place of the median among n sorted words; of two in the middle it is the
 * lower one. */
TSR_FN int64_t tsr_mesh_middle(int64_t n) { return (n - 1) / 2; }

/** Finds the begin (0) or the end (1) of the words that share the upper bits of
 * the median. The words are sorted by these bits. */
TSR_FN void tsr_mesh_find_shared(const tsr_mesh_edge_job *job, int64_t i) {
  const int low = 64 - TSR_MESH_UPPER_BITS;
  const uint64_t upper = job->words[tsr_mesh_middle(job->n)] >> low;
  job->ends[i] = tsr_first_not_below(job->words, 0, job->n, (upper + (uint64_t)i) << low);
}

/** Place of point i in the lattice. */
TSR_FN void tsr_mesh_put_place(const tsr_mesh *mesh, int64_t i) {
  double x[3];
  tsr_load3(&mesh->points, i, x);
  for (int a = 0; a < 3; ++a)
    mesh->places[3 * i + a] =
        a < mesh->dimension ? (x[mesh->axis[a]] - mesh->origin[mesh->axis[a]]) / mesh->size : 0.0;
}

/** Notes flat and inverted cells. The signs of cells in a plane depend on the side that they are
 *  seen from. */
TSR_FN tsr_mesh_found tsr_mesh_measure_none(void) { return tsr_mesh_check_none(); }
TSR_FN void tsr_mesh_measure_join(tsr_mesh_found *all, const tsr_mesh_found *part) {
  tsr_mesh_check_join(all, part);
}

TSR_FN void tsr_mesh_measure(const tsr_mesh *mesh, int64_t i, tsr_mesh_found *found) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
  tsr_mesh_shape s;
  double volume = 0.0;
  if (mesh->use[i] != mesh->dimension)
    return;
  if (tsr_mesh_is_fan(c.kind)) {
    tsr_mesh_fan fan = tsr_mesh_fan_of(mesh, &c);
    do {
      tsr_mesh_fan_shape(mesh, &fan, &s);
      volume = fabs(tsr_mesh_volume(&s, mesh->dimension));
    } while (volume == 0.0 && tsr_mesh_fan_next(mesh, &fan));
  } else {
    tsr_mesh_load(mesh, &c, &s);
    volume = tsr_mesh_volume(&s, mesh->dimension);
  }
  if (volume == 0.0)
    tsr_note_item(found->notes, 1 << TSR_MESH_NOTE_FLAT, i);
  /* The third parameter of a pyramid falls towards its apex. VTK's description of wedges and their
   * parameters disagree about the order of points. */
  else if (mesh->dimension == 3 && c.kind != TSR_MESH_WEDGE && !tsr_mesh_is_fan(c.kind) &&
           (volume < 0.0) != (c.kind == TSR_MESH_PYRAMID))
    tsr_note_item(found->notes, 1 << TSR_MESH_NOTE_INVERTED, i);
}

#endif
