/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the lattice, from the median edge and the bounds. */
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

/* Cells whose edges are looked at for the median. */
enum { SAMPLED = 1 << 13 };

/* A mesh of plane cells may leave its plane by this part of its extent, which rounding explains. */
#define PLANE 1e-6

/* Finds the median of the words: sorts them by their upper bits, and those that
 * share these with the median by the others. */
static tsr_status find_middle(tsr_mesh_plan *plan, tsr_mesh_edge_job *job, uint64_t *middle,
                              tsr_error *error) {
  const int low = 64 - TSR_MESH_UPPER_BITS;
  const int64_t at = tsr_mesh_middle(job->n);
  uint64_t *both[2] = {job->words, NULL}, *spare;
  tsr_executor *e = &plan->executor;
  const char *what = "the edges of the mesh";
  int64_t ends[2];
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &spare, job->n, sizeof *spare, what, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job->ends, 2, sizeof *job->ends, what, error));
  both[1] = spare;
  TSR_MESH_TRY(e->sort_words(e, both, job->n, low, TSR_MESH_UPPER_BITS, error));
  tsr_mesh_edge_job sorted = *job;
  sorted.words = both[0];
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_find_shared, sorted, 2, error));
  TSR_MESH_TRY(e->read(e, ends, job->ends, sizeof ends, error));
  both[0] += ends[0];
  both[1] += ends[0];
  TSR_MESH_TRY(e->sort_words(e, both, ends[1] - ends[0], 0, low, error));
  TSR_MESH_TRY(e->read(e, middle, both[0] + (at - ends[0]), sizeof *middle, error));
  tsr_mesh_release(plan, &spare);
  tsr_mesh_release(plan, &job->ends);
  return TSR_OK;
}

static tsr_status find_median(tsr_mesh_plan *plan, double *median, tsr_error *error) {
  tsr_mesh_edge_job job = {.mesh = plan->mesh};
  tsr_executor *e = &plan->executor;
  const char *what = "the edges of the mesh";
  uint64_t middle;
  job.cells = job.mesh.n < SAMPLED ? job.mesh.n : SAMPLED;
  do {
    TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.before, job.cells + 1, sizeof *job.before, what, error));
    TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_count_edges, job, job.cells, error));
    TSR_MESH_TRY(tsr_mesh_sum(plan, job.before, job.cells, &job.n, error));
    if (job.n > 0 || job.cells == job.mesh.n)
      break;
    /* None of these counts. */
    tsr_mesh_release(plan, &job.before);
    job.cells = job.mesh.n;
  } while (1);
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &job.words, job.n, sizeof *job.words, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_edges, job, job.cells, error));
  TSR_MESH_TRY(find_middle(plan, &job, &middle, error));
  middle ^= (uint64_t)1 << 63; /* of a double that is not below 0 */
  memcpy(median, &middle, sizeof middle);
  *median = sqrt(*median);
  tsr_mesh_release(plan, &job.before);
  tsr_mesh_release(plan, &job.words);
  return TSR_OK;
}

/* Chooses the axes: those of a plane first. */
static tsr_status set_axes(tsr_mesh_plan *plan, const tsr_mesh_box *box, tsr_error *error) {
  tsr_mesh *mesh = &plan->mesh;
  int across = 2, inner = 0;
  double most = 0.0;
  for (int a = 0; a < 3; ++a) {
    const double extent = box->high[a] - box->low[a];
    most = extent > most ? extent : most;
    if (extent < box->high[across] - box->low[across])
      across = a;
  }
  for (int a = 0; a < 3; ++a)
    if (mesh->dimension == 3 || a != across)
      mesh->axis[inner++] = a;
  if (mesh->dimension == 3)
    return TSR_OK;
  mesh->axis[2] = across;
  if (box->high[across] - box->low[across] > PLANE * most)
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "the mesh has cells of two dimensions only, and they do "
                    "not lie in a plane "
                    "along two axes: its extent is %g, %g and %g",
                    box->high[0] - box->low[0], box->high[1] - box->low[1],
                    box->high[2] - box->low[2]);
  return TSR_OK;
}

/* Lays the domain around the bounds along the inner axis a. */
static tsr_status set_axis(tsr_mesh_plan *plan, int a, double low, double high, tsr_error *error) {
  tsr_mesh *mesh = &plan->mesh;
  const double top = mesh->size * (double)((int64_t)1 << mesh->levels);
  const double most = (double)((int64_t)1 << (20 - mesh->levels));
  double first = floor(low / top), end = ceil(high / top);
  if (end <= first)
    end = first + 1.0;
  if (!(fabs(first) < 4503599627370496.0 && fabs(end) < 4503599627370496.0 && end - first <= most))
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the mesh extends over %g cells of size %g along axis %d, and at most "
                    "2^20 are "
                    "possible: set a larger size of the finest cells, or fewer levels",
                    (high - low) / mesh->size, mesh->size, mesh->axis[a]);
  mesh->origin[mesh->axis[a]] = first * top;
  mesh->cells[a] = (int32_t)(end - first);
  return TSR_OK;
}

static tsr_status set_domain(tsr_mesh_plan *plan, const tsr_mesh_box *box, tsr_error *error) {
  const double *bounds = plan->options.bounds;
  tsr_mesh *mesh = &plan->mesh;
  mesh->cells[0] = mesh->cells[1] = mesh->cells[2] = 0;
  mesh->origin[mesh->axis[2]] = box->low[mesh->axis[2]];
  mesh->levels = plan->options.levels;
  mesh->bits = mesh->levels;
  for (int a = 0; a < mesh->dimension; ++a) {
    const int axis = mesh->axis[a];
    double low = box->low[axis], high = box->high[axis];
    if (bounds[2 * axis] <= bounds[2 * axis + 1]) {
      low = bounds[2 * axis] < low ? bounds[2 * axis] : low;
      high = bounds[2 * axis + 1] > high ? bounds[2 * axis + 1] : high;
    }
    TSR_MESH_TRY(set_axis(plan, a, low, high, error));
    while ((int64_t)1 << mesh->bits < (int64_t)mesh->cells[a] << mesh->levels)
      ++mesh->bits;
  }
  return TSR_OK;
}

static void set_sizes(tsr_mesh_plan *plan) {
  const tsr_mesh *mesh = &plan->mesh;
  tsr_mesh_sizes *sizes = &plan->sizes;
  sizes->dimension = mesh->dimension;
  sizes->spacing = mesh->size * (double)((int64_t)1 << mesh->levels);
  for (int a = 0; a < 3; ++a) {
    sizes->origin[a] = mesh->origin[a];
    sizes->cells[mesh->axis[a]] = mesh->cells[a];
  }
}

tsr_status tsr_mesh_make_lattice(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_mesh *mesh = &plan->mesh;
  tsr_executor *e = &plan->executor;
  const int64_t points = mesh->points.tuples;
  tsr_mesh_box box;
  tsr_mesh_found found;
  double largest = 0.0;
  TSR_MESH_TRY(TSR_REDUCE(e, tsr_mesh_bounds, *mesh, points, &box, error));
  TSR_MESH_TRY(set_axes(plan, &box, error));
  for (int a = 0; a < 3; ++a)
    largest = box.high[a] - box.low[a] > largest ? box.high[a] - box.low[a] : largest;
  mesh->size = plan->options.cell_size;
  if (!(mesh->size > 0.0))
    TSR_MESH_TRY(find_median(plan, &mesh->size, error));
  /* A mesh whose edges are points has one cell. */
  if (!(mesh->size > 0.0))
    mesh->size = largest > 0.0 ? largest : 1.0;
  TSR_MESH_TRY(set_domain(plan, &box, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &mesh->places, 3 * points, sizeof(double),
                              "the places of points", error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_put_place, *mesh, points, error));
  TSR_MESH_TRY(TSR_REDUCE(e, tsr_mesh_measure, *mesh, mesh->n, &found, error));
  for (int k = 0; k < TSR_MESH_NOTES; ++k)
    tsr_note_join(&plan->sizes.notes[k], found.notes[k]);
  /* If all cells are turned round, the mesh is as good as its mirror image.
   * vtkRectilinearGridToTetrahedra makes such meshes. */
  if (plan->sizes.notes[TSR_MESH_NOTE_INVERTED].count == mesh->n)
    plan->sizes.notes[TSR_MESH_NOTE_INVERTED] = (tsr_note_count){0, -1};
  set_sizes(plan);
  return TSR_OK;
}
