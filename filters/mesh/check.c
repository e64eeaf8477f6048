/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: what the caller gave, checked. */
#include "mesh/mesh.h"

#include <string.h>

/** Most levels above the finest one. */
enum { MOST_LEVELS = TSR_MESH_HEIGHTS - 1 };

/** Most cells: lists of pairs have 32 bits for a cell. */
enum { MOST_CELLS = 1 << 30 };

static tsr_status check_options(const tsr_mesh_options *o, tsr_error *error) {
  if (!(o->cell_size >= 0.0 && tsr_usable(o->cell_size)))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the size of the finest cells must be 0 or more, not %g", o->cell_size);
  if (tsr_check_at_least_0((double)o->keep_bytes, "the limit of bytes kept on a device", -1, error))
    return TSR_BAD_OPTION;
  if (o->levels < 0 || o->levels > MOST_LEVELS)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the number of levels is %d, outside 0..%d",
                    o->levels, MOST_LEVELS);
  for (int a = 0; a < 3; ++a)
    if (o->bounds[2 * a] <= o->bounds[2 * a + 1] &&
        !(tsr_usable(o->bounds[2 * a]) && tsr_usable(o->bounds[2 * a + 1])))
      return tsr_fail(error, TSR_BAD_OPTION, -1, "the bounds %g to %g along axis %d are not finite",
                      o->bounds[2 * a], o->bounds[2 * a + 1], a);
  return tsr_check_list(o->fields, o->n_fields, "fields", TSR_BAD_OPTION, error);
}

static tsr_status check_fields(const tsr_mesh_plan *plan, tsr_error *error) {
  for (int i = 0; i < plan->options.n_fields; ++i) {
    const tsr_mesh_field *field = &plan->options.fields[i];
    TSR_MESH_TRY(tsr_check_array(&field->array, "a field", 0, plan->view.points.tuples, error));
    if (!(field->tolerance >= 0.0 && tsr_usable(field->tolerance)))
      return tsr_fail(error, TSR_BAD_OPTION, i,
                      "the tolerance of field %d must be 0 or more, not %g", i, field->tolerance);
  }
  return TSR_OK;
}

static tsr_status check_view(const tsr_mesh_view *view, tsr_error *error) {
  TSR_MESH_TRY(tsr_check_array(&view->points, "points", 3, view->points.tuples, error));
  if (view->points.type != TSR_FLOAT && view->points.type != TSR_DOUBLE)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the points of a mesh must be float or double");
  if (view->index_type != TSR_INT32 && view->index_type != TSR_INT64)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the ids of a mesh must have 32 or 64 bits");
  TSR_MESH_TRY(tsr_check_list(view->types, view->n_cells, "types of cells", TSR_BAD_INPUT, error));
  TSR_MESH_TRY(
      tsr_check_list(view->offsets, view->n_cells, "offsets of cells", TSR_BAD_INPUT, error));
  TSR_MESH_TRY(tsr_check_list(view->connectivity, view->n_connectivity, "ids of cells",
                              TSR_BAD_INPUT, error));
  TSR_MESH_TRY(
      tsr_check_list(view->face_ids, view->n_face_ids, "ids of faces", TSR_BAD_INPUT, error));
  if (view->cell_faces && view->n_cells > 0 && (!view->face_offsets || !view->face_ids))
    return tsr_fail(error, TSR_BAD_INPUT, -1, "polyhedra need the offsets and ids of their faces");
  if (view->n_cells > MOST_CELLS)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the mesh has %lld cells, and at most 2^30 are possible",
                    (long long)view->n_cells);
  return TSR_OK;
}

tsr_status tsr_mesh_take(void *data, const void *view, const void *options, tsr_error *error) {
  tsr_mesh_plan *plan = data;
  tsr_mesh_view_init(&plan->view);
  tsr_mesh_options_init(&plan->options);
  TSR_MESH_TRY(
      tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view", TSR_BAD_INPUT, error));
  TSR_MESH_TRY(tsr_copy_versioned(&plan->options, sizeof plan->options, options, "options",
                                  TSR_BAD_OPTION, error));
  plan->base.processes = (tsr_processes){.n = 1};
  TSR_MESH_TRY(check_options(&plan->options, error));
  TSR_MESH_TRY(check_view(&plan->view, error));
  return check_fields(plan, error);
}

/* Length of the list of faces' offsets: the end of the last cell's faces, which the caller's array
 * of cell_faces says. */
static int64_t count_faces(const tsr_mesh_view *view) {
  return view->cell_faces && view->n_cells > 0
             ? tsr_load_index(view->cell_faces, view->index_type, view->n_cells)
             : 0;
}

static tsr_status upload(tsr_mesh_plan *plan, tsr_error *error) {
  const tsr_mesh_view *v = &plan->view;
  const int64_t n = v->n_cells, faces = count_faces(v);
  const tsr_type ids = v->index_type;
  tsr_executor *e = &plan->executor;
  tsr_mesh *mesh = &plan->mesh;
  const tsr_array arrays[8] = {v->points,
                               {v->types, TSR_UINT8, 1, n},
                               {v->hidden_cells, TSR_UINT8, 1, v->hidden_cells ? n : 0},
                               {v->offsets, ids, 1, n > 0 ? n + 1 : 0},
                               {v->connectivity, ids, 1, v->n_connectivity},
                               {v->cell_faces, ids, 1, v->cell_faces && n > 0 ? n + 1 : 0},
                               {v->face_offsets, ids, 1, faces > 0 ? faces + 1 : 0},
                               {v->face_ids, ids, 1, v->n_face_ids}};
  void *to[8];
  if (faces < 0)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the offsets of polyhedra's faces are below 0");
  TSR_MESH_TRY(e->input(e, arrays, 8, 1, to, error));
  memset(mesh, 0, sizeof *mesh);
  mesh->n = n;
  mesh->points = v->points;
  mesh->points.data = to[0];
  mesh->types = to[1];
  mesh->hidden = v->hidden_cells ? to[2] : NULL;
  mesh->offsets = to[3];
  mesh->connectivity = to[4];
  mesh->cell_faces = v->cell_faces ? to[5] : NULL;
  mesh->face_offsets = to[6];
  mesh->face_ids = to[7];
  mesh->n_connectivity = v->n_connectivity;
  mesh->n_face_ids = v->n_face_ids;
  mesh->n_faces = faces;
  mesh->index_type = ids;
  mesh->dimension = 3;
  return TSR_OK;
}

static tsr_status fail_cell(const tsr_mesh_found *found, tsr_error *error) {
  static const char *const texts[] = {
      "", "has offsets that fall or leave the connectivity", "has not the points of its kind",
      "has a point that the mesh does not have",
      "is a polyhedron whose faces are missing, fewer than 4, or of fewer than 3 points"};
  return tsr_fail(error, TSR_BAD_INPUT, found->bad, "cell %lld of the mesh %s",
                  (long long)found->bad, texts[found->fault]);
}

tsr_status tsr_mesh_check_cells(tsr_mesh_plan *plan, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_mesh *mesh = &plan->mesh;
  tsr_mesh_found found;
  const char *what = "the cells of the mesh";
  TSR_MESH_TRY(upload(plan, error));
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &mesh->use, mesh->n, 1, what, error));
  TSR_MESH_TRY(TSR_REDUCE(e, tsr_mesh_check, *mesh, mesh->n, &found, error));
  if (found.bad >= 0)
    return fail_cell(&found, error);
  memcpy(plan->sizes.notes, found.notes, sizeof plan->sizes.notes);
  mesh->dimension = found.solid > 0 ? 3 : found.plane > 0 ? 2 : 0;
  if (mesh->dimension == 0)
    return TSR_OK;
  TSR_MESH_TRY(tsr_mesh_alloc(plan, &mesh->marked, mesh->points.tuples, 1, what, error));
  TSR_MESH_TRY(TSR_EACH(e, tsr_mesh_unmark, *mesh, mesh->points.tuples, error));
  return TSR_EACH(e, tsr_mesh_mark, *mesh, mesh->n, error);
}
