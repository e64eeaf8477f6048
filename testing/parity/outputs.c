/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs.h"

#include "check.h"
#include "executor.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static executor pool = {.threads = 4};

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t generation_now;

uint64_t generation_of_all(void *context, const void *data) {
  (void)context;
  (void)data;
  return generation_now;
}

tsr_execution execution_cpu(void) {
  tsr_execution execution = executor_execution(&pool);
  execution.backend = TSR_BACKEND_CPU;
  execution.clock = seconds;
  return execution;
}

tsr_execution execution_cuda(void) {
  tsr_execution execution = executor_execution(&pool);
  execution.backend = TSR_BACKEND_CUDA;
  execution.clock = seconds;
  return execution;
}

int gpu_missing(void) {
  static tsr_devices devices;
  const char *required = getenv("TESSERA_REQUIRE_CUDA");
  tsr_device_report(&devices);
  if (devices.problem[0] == '\0') {
    return 0;
  }
  printf("no usable CUDA device: %s\n", devices.problem);
  return required && strcmp(required, "1") == 0 ? 1 : CHECK_SKIPPED;
}

static void *add(outputs *out, const char *name, int64_t count, size_t size) {
  const int i = out->n_arrays++;
  out->name[i] = name;
  out->size[i] = (size_t)count * size;
  out->bytes[i] = malloc(out->size[i] + 1);
  if (out->bytes[i] == NULL) {
    fprintf(stderr, "the test has no memory for %s\n", name);
    exit(1);
  }
  memset(out->bytes[i], 0xA5, out->size[i]);
  return out->bytes[i];
}

static void add_generated(outputs *out, size_t real, tsr_curves_output *to) {
  to->source_item = add(out, "source_item", out->sizes.cells, 8);
  to->nearest_point = add(out, "nearest_point", out->sizes.points, 8);
  to->parameter = add(out, "parameter", out->sizes.points, real);
  to->arc_length = add(out, "arc_length", out->sizes.points, real);
  to->curvature = add(out, "curvature", out->sizes.points, real);
  to->tangents = add(out, "tangents", out->sizes.points * 3, real);
  to->achieved_error = add(out, "achieved_error", out->sizes.cells, 8);
}

tsr_status outputs_make(const tsr_curves_view *view, const tsr_curves_options *options,
                        const tsr_execution *execution, const wanted *want, outputs *out) {
  tsr_curves_plan *plan = NULL;
  tsr_curves_output to;
  tsr_attribute attributes[MOST_ATTRIBUTES];
  const size_t real = tsr_type_size(want->points_type);
  const size_t index = tsr_type_size(want->index_type);
  memset(out, 0, sizeof *out);
  out->status = tsr_curves_plan_create(view, options, execution, &plan, &out->error);
  if (out->status == TSR_OK && want->budget > 0) {
    double scale;
    out->status = tsr_curves_fit_budget(&plan, 1, want->budget, NULL, NULL, &scale, &out->error);
  }
  if (out->status == TSR_OK) {
    out->sizes = *tsr_curves_plan_sizes(plan);
    tsr_curves_plan_report(plan, &out->report);
  }
  if (out->status != TSR_OK || want->estimate) {
    tsr_curves_plan_free(plan);
    return out->status;
  }
  tsr_curves_output_init(&to);
  to.points_type = want->points_type;
  to.index_type = want->index_type;
  to.points = add(out, "points", out->sizes.points * 3, real);
  to.offsets = add(out, "offsets", out->sizes.cells + 1, index);
  to.connectivity = add(out, "connectivity", out->sizes.connectivity, index);
  if (want->generated) {
    add_generated(out, real, &to);
  }
  for (int a = 0; a < want->n_attributes; a++) {
    const tsr_array *in = &want->attributes[a];
    attributes[a].in = *in;
    attributes[a].mode = want->modes[a];
    attributes[a].out =
        add(out, "an attribute", out->sizes.points * in->components, tsr_type_size(in->type));
  }
  to.classes = add(out, "classes", TSR_POLYLINE_CLASSES, sizeof *to.classes);
  to.attributes = attributes;
  to.n_attributes = want->n_attributes;
  out->status = tsr_curves_fill(plan, &to, &out->error);
  if (out->status == TSR_NO_MEMORY && want->fill_again) {
    out->status = tsr_curves_fill(plan, &to, &out->error);
  }
  tsr_curves_plan_report(plan, &out->report);
  tsr_curves_plan_free(plan);
  return out->status;
}

void outputs_free(outputs *out) {
  for (int i = 0; i < out->n_arrays; i++) {
    free(out->bytes[i]);
  }
  out->n_arrays = 0;
}

static char difference[400];

const char *outputs_difference(const outputs *cpu, const outputs *cuda, const char *what) {
  if (cuda->status != TSR_OK) {
    snprintf(difference, sizeof difference, "%s: status %d: %.200s", what, (int)cuda->status,
             cuda->error.text);
    return difference;
  }
  if (memcmp(&cpu->sizes, &cuda->sizes, sizeof cpu->sizes) != 0) {
    snprintf(difference, sizeof difference, "%s: sizes or notes differ: %lld points against %lld",
             what, (long long)cuda->sizes.points, (long long)cpu->sizes.points);
    return difference;
  }
  for (int i = 0; i < cpu->n_arrays; i++) {
    size_t at = 0;
    while (at < cpu->size[i] && cpu->bytes[i][at] == cuda->bytes[i][at]) {
      at++;
    }
    if (at < cpu->size[i]) {
      snprintf(difference, sizeof difference, "%s: %s (array %d) differs at byte %zu of %zu", what,
               cpu->name[i], i, at, cpu->size[i]);
      return difference;
    }
  }
  if (cuda->report.backend != TSR_BACKEND_CUDA) {
    snprintf(difference, sizeof difference, "%s: it ran on the CPU", what);
    return difference;
  }
  if (cuda->report.child_items + cuda->report.inline_items != cuda->report.items) {
    snprintf(difference, sizeof difference,
             "%s: %lld curves by children and %lld inline are not %lld", what,
             (long long)cuda->report.child_items, (long long)cuda->report.inline_items,
             (long long)cuda->report.items);
    return difference;
  }
  return NULL;
}
