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

/** Runs on the device and compares with the CPU. Returns the bytes that went up. */
static int64_t run_kept(const mesh_case *it, const tsr_mesh_options *options,
                        const tsr_execution *cuda) {
  const tsr_execution cpu = execution_cpu();
  mesh_out one, other;
  mesh_run(it, options, &cpu, &one);
  const int64_t before = tsr_memory_traffic().up;
  mesh_run(it, options, cuda, &other);
  const int64_t up = tsr_memory_traffic().up - before;
  const char *difference = mesh_difference(it, &one, &other);
  CHECK_SAY(difference == NULL, "generation %d: %s differs", (int)generation_now,
            difference ? difference : "");
  mesh_out_free(&one);
  mesh_out_free(&other);
  return up;
}

/** A mesh stays on the device for the next plan, until its values change, or it may not. */
static void check_kept(int n) {
  const mesh_recipe r = {
      .seed = 3u, .kind = MESH_HEXES, .n = {n, n, n}, .jitter = 0.3, .scale = {1, 1, 1}};
  mesh_case it = mesh_case_make(&r);
  const int64_t mesh = 24 * it.n_points + 8 * it.n_ids;
  tsr_execution cuda = execution_cuda();
  tsr_mesh_options options;
  tsr_mesh_options_init(&options);
  cuda.generation = generation_of_all;
  cuda.owner = &it;
  generation_now = 1;
  const int64_t first = run_kept(&it, &options, &cuda), second = run_kept(&it, &options, &cuda);
  CHECK_SAY(first >= mesh, "%lld bytes went up", (long long)first);
  CHECK_SAY(second <= first - mesh, "%lld bytes went up, after %lld", (long long)second,
            (long long)first);
  for (int64_t i = 0; i < it.n_points; ++i)
    it.linear[i] += 3.0;
  generation_now = 2;
  CHECK(run_kept(&it, &options, &cuda) >= mesh);
  options.keep_bytes = 0;
  CHECK(run_kept(&it, &options, &cuda) >= mesh);
  options.keep_bytes = 1 << 30;
  CHECK(run_kept(&it, &options, &cuda) >= mesh);
  tsr_device_forget(&it);
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
  check_kept(small ? 4 : 24);
  return check_result();
}
