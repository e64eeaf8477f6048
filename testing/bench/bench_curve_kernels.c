/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What each kernel of Adaptive Curves takes on a device, for the inputs that
 * bench_curves_backends.py gives to the filter: streamlines with three arrays, and Bezier cells of
 * degree 2, 3 and 7 with one. Prints what plan and fill take, the median of later executions with
 * the input on the device and page-locked output. The line below has the milliseconds of each
 * kernel, over all its launches, and their number where there are several; kernels that take less
 * than LEAST are left out. The device's clock times each launch, which is waited for. The linker
 * puts this file between the backend and the runtime (CMakeLists.txt).
 * Use: bench_curve_kernels [SHARE]   share of the full size (default 1)
 */
#include <ctype.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "executor.h"
#include "tessera.h"

#define LEAST 0.1
#define MOST_KERNELS 64
#define PER_LINE 20
#define RUNS 7
#define PI 3.14159265358979323846

static int printing;

/** A kernel by the name in its source, without `_kernel`; "steps": all that are made of steps.h. */
typedef struct bench_kernel {
  char name[48];
  double ms;
  int launches;
} bench_kernel;

static bench_kernel kernels[MOST_KERNELS]; /* in the order of their first launches */
static int n_kernels;

/* Adds a launch. mangled: ...12whole_kernel..., as the compiler names it. */
static void add_launch(const char *mangled, double ms) {
  const char *end = NULL, *begin;
  char name[sizeof kernels->name] = "steps";
  int k = 0;
  for (const char *at = mangled; (at = strstr(at, "_kernel")); ++at) {
    end = at; /* the last one: a file may be called so, too */
  }
  begin = end;
  if (end) {
    while (begin > mangled && (isalpha((unsigned char)begin[-1]) || begin[-1] == '_')) {
      --begin;
    }
    snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
  }
  while (k < n_kernels && strcmp(kernels[k].name, name) != 0) {
    ++k;
  }
  if (k == MOST_KERNELS) {
    return;
  }
  if (k == n_kernels) {
    kernels[n_kernels++] = (bench_kernel){.ms = 0.0};
    memcpy(kernels[k].name, name, sizeof name);
  }
  kernels[k].ms += ms;
  ++kernels[k].launches;
}

static void print_kernels(void) {
  for (int k = 0; k < n_kernels; ++k) {
    if (kernels[k].ms >= LEAST) {
      printf("  %s %.2f", kernels[k].name, kernels[k].ms);
      if (kernels[k].launches > 1) {
        printf(" (%d)", kernels[k].launches);
      }
    }
  }
  printf("\n");
  n_kernels = 0;
}

/* Times a launch; kernel: a handle of the runtime. */
static cudaError_t timed(const void *kernel, cudaStream_t stream, cudaError_t (*launch)(void *),
                         void *arguments) {
  cudaEvent_t begin, end;
  const char *name = "?";
  float ms = 0.0f;
  if (!printing) {
    return launch(arguments);
  }
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, stream);
  const cudaError_t code = launch(arguments);
  cudaEventRecord(end, stream);
  cudaEventSynchronize(end);
  cudaEventElapsedTime(&ms, begin, end);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  if (cudaFuncGetName(&name, kernel) != cudaSuccess) {
    (void)cudaGetLastError();
  }
  add_launch(name, (double)ms);
  return code;
}

typedef struct plain_launch {
  cudaKernel_t kernel;
  dim3 grid, block;
  void **arguments;
  size_t shared;
  cudaStream_t stream;
} plain_launch;

cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream);

static cudaError_t launch_plain(void *p) {
  const plain_launch *l = p;
  return __real___cudaLaunchKernel(l->kernel, l->grid, l->block, l->arguments, l->shared,
                                   l->stream);
}

cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream) {
  plain_launch l = {kernel, grid, block, arguments, shared, stream};
  return timed((const void *)kernel, stream, launch_plain, &l);
}

typedef struct configured_launch {
  const cudaLaunchConfig_t *config;
  const void *kernel;
  void **arguments;
} configured_launch;

cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                       void **arguments);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                       void **arguments);

static cudaError_t launch_configured(void *p) {
  const configured_launch *l = p;
  return __real_cudaLaunchKernelExC(l->config, l->kernel, l->arguments);
}

cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                       void **arguments) {
  configured_launch l = {config, kernel, arguments};
  return timed(kernel, config->stream, launch_configured, &l);
}

/** Curves of equally many points each, with arrays. */
typedef struct bench_input {
  tsr_curves_view view;
  tsr_array arrays[3];
  int n_arrays;
} bench_input;

static void *get(int64_t n, size_t size) {
  void *memory = malloc((size_t)n * size);
  if (!memory) {
    printf("no memory\n");
    exit(1);
  }
  return memory;
}

static double random_in(double lo, double hi) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(state >> 11) / 9007199254740992.0;
}

static float *curves_of(bench_input *input, tsr_curve_kind kind, int64_t n, int points) {
  int64_t *offsets = get(n + 1, sizeof *offsets), *ids = get(n * points, sizeof *ids);
  float *xyz = get(n * points * 3, sizeof *xyz);
  tsr_curves_view *view = &input->view;
  for (int64_t i = 0; i <= n; i++) {
    offsets[i] = i * points;
  }
  for (int64_t k = 0; k < n * points; k++) {
    ids[k] = k;
  }
  tsr_curves_view_init(view);
  view->points = (tsr_array){xyz, TSR_FLOAT, 3, n * points};
  view->n_items = n;
  view->offsets = offsets;
  view->connectivity = ids;
  view->n_connectivity = n * points;
  view->kind = kind;
  view->single_points = 1;
  return xyz;
}

/* Helices of a turn and a half, each with its own radius and place. */
static void streamlines(bench_input *input, int64_t n) {
  float *x = curves_of(input, TSR_KIND_CATMULL_ROM, n, PER_LINE);
  const int64_t points = n * PER_LINE;
  float *velocity = get(3 * points, sizeof *velocity), *pressure = get(points, sizeof *pressure);
  float *time = get(points, sizeof *time);
  for (int64_t k = 0; k < points; k++) {
    static double radius, place[3];
    const double t = 3.0 * PI * (double)(k % PER_LINE) / (PER_LINE - 1);
    if (k % PER_LINE == 0) {
      radius = random_in(0.5, 1.5);
      for (int c = 0; c < 3; c++) {
        place[c] = random_in(0.0, 100.0);
      }
    }
    x[3 * k] = (float)(place[0] + radius * cos(t));
    x[3 * k + 1] = (float)(place[1] + radius * sin(t));
    x[3 * k + 2] = (float)(place[2] + t);
    velocity[3 * k] = (float)(-radius * sin(t));
    velocity[3 * k + 1] = (float)(radius * cos(t));
    velocity[3 * k + 2] = 1.0f;
    pressure[k] = (float)(radius * sin(t));
    time[k] = (float)t;
  }
  input->arrays[0] = (tsr_array){velocity, TSR_FLOAT, 3, points};
  input->arrays[1] = (tsr_array){pressure, TSR_FLOAT, 1, points};
  input->arrays[2] = (tsr_array){time, TSR_FLOAT, 1, points};
  input->n_arrays = 3;
}

/* Cells of one degree; control points on an arc, each moved a little. */
static void cells(bench_input *input, int64_t n, int degree) {
  float *x = curves_of(input, TSR_KIND_BEZIER, n, degree + 1);
  float *value = get(n * (degree + 1), sizeof *value);
  for (int64_t i = 0; i < n; i++) {
    const double place[3] = {random_in(0, 100), random_in(0, 100), random_in(0, 100)};
    for (int j = 0; j <= degree; j++) {
      const int along = j == 0 ? 0 : (j == 1 ? degree : j - 1); /* VTK: both ends first */
      const double t = 0.75 * PI * along / degree, at[3] = {cos(t), sin(t), 0.2 * t};
      const int64_t k = i * (degree + 1) + j;
      for (int c = 0; c < 3; c++) {
        x[3 * k + c] = (float)(at[c] + place[c] + random_in(-0.085, 0.085));
      }
      value[k] = x[3 * k];
    }
  }
  input->arrays[0] = (tsr_array){value, TSR_FLOAT, 1, n * (degree + 1)};
  input->n_arrays = 1;
}

static void succeed(tsr_status status, const tsr_error *error) {
  if (status != TSR_OK) {
    printf("%s\n", error->text);
    exit(1);
  }
}

static double milliseconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* No array changes, so that the device may keep them all. */
static uint64_t same_always(void *context, const void *data) {
  (void)context;
  (void)data;
  return 1;
}

static void *get_output(int64_t n, size_t size) {
  void *memory = tsr_output_alloc((size_t)n * size);
  if (!memory) {
    printf("no memory\n");
    exit(1);
  }
  return memory;
}

/* took: receives the milliseconds of plan and fill. */
static void run(const bench_input *input, const tsr_curves_options *options, int generated,
                double took[2]) {
  static executor exec = {.threads = 16};
  tsr_execution execution = executor_execution(&exec);
  tsr_polyline_class classes[TSR_POLYLINE_CLASSES];
  tsr_curves_plan *plan = NULL;
  tsr_curves_output output;
  tsr_attribute attributes[3];
  tsr_error error;
  execution.backend = TSR_BACKEND_CUDA;
  execution.owner = &exec;
  execution.generation = same_always;
  const double start = milliseconds();
  succeed(tsr_curves_plan_create(&input->view, options, &execution, &plan, &error), &error);
  const tsr_curves_sizes *sizes = tsr_curves_plan_sizes(plan);
  const int64_t n = sizes->points;
  took[0] = milliseconds() - start;
  tsr_curves_output_init(&output);
  output.points = get_output(3 * n, sizeof(float));
  output.points_type = TSR_FLOAT;
  output.connectivity = get_output(sizes->connectivity, 8);
  output.offsets = get_output(sizes->cells + 1, 8);
  output.curvature = generated ? get_output(n, sizeof(float)) : NULL;
  output.tangents = generated ? get_output(3 * n, sizeof(float)) : NULL;
  for (int a = 0; a < input->n_arrays; a++) {
    attributes[a].in = input->arrays[a];
    attributes[a].out = get_output(n * input->arrays[a].components, sizeof(float));
    attributes[a].mode = TSR_INTERPOLATE_CURVE;
  }
  output.attributes = attributes;
  output.n_attributes = input->n_arrays;
  output.classes = classes;
  const double filled = milliseconds();
  succeed(tsr_curves_fill(plan, &output, &error), &error);
  took[1] = milliseconds() - filled;
  if (printing) {
    printf("%lld points\n", (long long)n);
    print_kernels();
    fflush(stdout);
  }
  tsr_curves_plan_free(plan);
  tsr_output_free(output.points);
  tsr_output_free(output.connectivity);
  tsr_output_free(output.offsets);
  tsr_output_free(output.curvature);
  tsr_output_free(output.tangents);
  for (int a = 0; a < input->n_arrays; a++) {
    tsr_output_free(attributes[a].out);
  }
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(const char *name, const bench_input *input, double chord, int fields,
                    tsr_sampling sampling, int generated) {
  tsr_curves_options options;
  tsr_curves_options_init(&options);
  options.chord_error = chord;
  options.sampling = sampling;
  options.use_field_error = fields;
  options.fields = input->arrays;
  options.n_fields = input->n_arrays;
  double plans[RUNS], fills[RUNS], took[2];
  printing = 0;
  for (int r = -2; r < RUNS; r++) { /* the first ones start the device and page-lock the output */
    run(input, &options, generated, took);
    if (r >= 0) {
      plans[r] = took[0];
      fills[r] = took[1];
    }
  }
  qsort(plans, RUNS, sizeof *plans, compare);
  qsort(fills, RUNS, sizeof *fills, compare);
  printf("%s: plan %.2f ms, fill %.2f ms, ", name, plans[RUNS / 2], fills[RUNS / 2]);
  printing = 1;
  run(input, &options, generated, took);
}

int main(int argc, char **argv) {
  const double share = argc > 1 ? atof(argv[1]) : 1.0;
  const int64_t n_lines = (int64_t)(200000.0 * share), n_cells = (int64_t)(1000000.0 * share);
  const double normal = 1e-3, fine = 1e-5;
  const tsr_sampling equal = TSR_SAMPLING_EQUAL_ERROR, bisection = TSR_SAMPLING_BISECTION;
  bench_input input;
  streamlines(&input, n_lines);
  measure("streamlines, defaults", &input, normal, 1, equal, 0);
  measure("streamlines, fine", &input, fine, 1, equal, 0);
  measure("streamlines, fine, generated arrays", &input, fine, 1, equal, 1);
  measure("streamlines, fine, no field error", &input, fine, 0, equal, 0);
  measure("streamlines, fine, bisection", &input, fine, 1, bisection, 0);
  for (int degree = 2; degree <= 7; degree += degree == 3 ? 4 : 1) {
    char name[64];
    cells(&input, n_cells, degree);
    snprintf(name, sizeof name, "degree %d, fine", degree);
    measure(name, &input, fine, 1, equal, 0);
    snprintf(name, sizeof name, "degree %d, fine, bisection", degree);
    measure(name, &input, fine, 1, bisection, 0);
  }
  return 0;
}
