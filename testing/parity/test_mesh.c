/* SPDX-License-Identifier: BSD-3-Clause */
/** Octrees of unstructured meshes, CPU against CUDA: the same bytes for every kind of cell. With
 * the argument `small`: smaller meshes. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "mesh_case.h"
#include "outputs.h"

static void compare(const mesh_recipe *recipe, double size, double tolerance, int whole) {
  const tsr_execution cpu = execution_cpu(), cuda = execution_cuda();
  mesh_case it = mesh_case_make(recipe);
  const tsr_mesh_field field = {{it.front, TSR_DOUBLE, 1, it.n_points}, tolerance, 1};
  tsr_mesh_options options;
  mesh_out one, other;
  const char *difference;
  tsr_mesh_options_init(&options);
  options.cell_size = size;
  options.fields = &field;
  options.n_fields = tolerance > 0.0;
  options.whole_cells = whole;
  mesh_run(&it, &options, &cpu, &one);
  mesh_run(&it, &options, &cuda, &other);
  difference = mesh_difference(&it, &one, &other);
  CHECK_SAY(difference == NULL, "kind %d, size %g: %s differs (%s; %s)", (int)recipe->kind, size,
            difference ? difference : "", one.error.text, other.error.text);
  CHECK_SAY(one.status == TSR_OK, "%s", one.error.text);
  if (other.status == TSR_OK)
    CHECK_INT(other.report.backend, TSR_BACKEND_CUDA);
  mesh_out_free(&one);
  mesh_out_free(&other);
  mesh_case_free(&it);
}

int main(int argc, char **argv) {
  const int small = argc > 1 && strcmp(argv[1], "small") == 0;
  const int missing = gpu_missing();
  if (missing)
    return missing;
  for (int kind = 0; kind < MESH_KINDS; ++kind) {
    const int n = small ? 4 : 24;
    mesh_recipe r = {.seed = 5u + (unsigned)kind,
                     .kind = (mesh_kind)kind,
                     .n = {n, n, n + 1},
                     .jitter = 0.3,
                     .scale = {1.1 / n, 1.0 / n, 1.2 / n},
                     .origin = {-0.5, -0.3, 0.1},
                     .hole = 0.1,
                     .repeat = 0.1,
                     .invert = 0.1,
                     .flat = 0.1};
    compare(&r, 0.0, 0.0, 0);
    r.grading = 20.0;
    compare(&r, 0.3 / n, 0.0, 1);
    compare(&r, 0.3 / n, 0.01, 0);
  }
  return check_result();
}
