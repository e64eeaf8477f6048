// SPDX-License-Identifier: BSD-3-Clause
// A chain of filters on a device: a point grid of points that a point grid has put into the order
// of its cells before.
//
//     bench_chains [POINTS]     20 million
//
// First the rates: the comparison with the device's copy by the number of threads, beside the
// upload of the same memory. Then whole Applies of the second filter, with the device's copy and
// without it, in turns; the host's memory is page-locked both times.
#include "bench_device.cuh"

#include "cuda/common/transfer/digest.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "tessera.h"

namespace {

const int runs = 7;

// Points in memory of tsr_output_alloc.
struct points {
  int64_t n;
  float *at;
  float *values;
};

executor pool;

tsr_pointgrid_plan *plan_of(const points &in, const tsr_execution &e,
                            tsr_pointgrid_output_kind output) {
  tsr_pointgrid_view view;
  tsr_pointgrid_options options;
  tsr_pointgrid_plan *plan = nullptr;
  tsr_error error;
  tsr_pointgrid_view_init(&view);
  tsr_pointgrid_options_init(&options);
  view.points = {in.at, TSR_FLOAT, 3, in.n};
  options.output = output;
  options.max_points = 64;
  succeed(tsr_pointgrid_plan_create(&view, &options, &e, &plan, &error), error);
  return plan;
}

// The first filter: points in the order of their cells. Twice, so that the memory is page-locked.
void fill(const points &in, points *out) {
  const tsr_execution e = bench_execution(&pool, TSR_BACKEND_CUDA, 16);
  for (int k = 0; k < 2; ++k) {
    tsr_pointgrid_plan *plan = plan_of(in, e, TSR_POINTGRID_POINTS);
    const tsr_pointgrid_attribute attribute = {
        {in.values, TSR_FLOAT, 1, in.n}, nullptr, nullptr, nullptr, out->values};
    tsr_pointgrid_output to;
    tsr_error error;
    tsr_pointgrid_output_init(&to);
    to.points_type = TSR_FLOAT;
    to.points = out->at;
    to.attributes = &attribute;
    to.n_attributes = 1;
    succeed(tsr_pointgrid_fill(plan, &to, &error), error);
    tsr_pointgrid_plan_free(plan);
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
}

// Seconds of the second filter, plan and fill, and those of its upload.
double apply(const points &in, int threads, double *upload, int64_t *up) {
  const tsr_execution e = bench_execution(&pool, TSR_BACKEND_CUDA, threads);
  const int64_t before = tsr_memory_traffic().up;
  const double start = now();
  tsr_pointgrid_plan *plan = plan_of(in, e, TSR_POINTGRID_CELLS);
  const tsr_pointgrid_sizes *sizes = tsr_pointgrid_plan_sizes(plan);
  double *mean = (double *)tsr_output_alloc((size_t)sizes->cells * sizeof(double));
  int64_t *count = (int64_t *)tsr_output_alloc((size_t)sizes->cells * sizeof(int64_t));
  tsr_pointgrid_attribute attribute = {};
  tsr_pointgrid_output to;
  tsr_report report;
  tsr_error error;
  attribute.in = {in.values, TSR_FLOAT, 1, in.n};
  attribute.mean = mean;
  tsr_pointgrid_output_init(&to);
  to.count = count;
  to.attributes = &attribute;
  to.n_attributes = 1;
  succeed(tsr_pointgrid_fill(plan, &to, &error), error);
  const double taken = now() - start;
  tsr_pointgrid_plan_report(plan, &report);
  tsr_pointgrid_plan_free(plan);
  tsr_output_free(mean);
  tsr_output_free(count);
  *upload = report.upload_seconds;
  *up = tsr_memory_traffic().up - before;
  return taken;
}

points make(int64_t n) {
  return {n, (float *)tsr_output_alloc((size_t)n * 3 * sizeof(float)),
          (float *)tsr_output_alloc((size_t)n * sizeof(float))};
}

// Frees the memory and takes it again with its values, so that the device has no copy any more.
template <class T> void forget(T **memory, int64_t n) {
  const std::vector<T> values(*memory, *memory + n);
  tsr_output_free(*memory);
  T *again = (T *)tsr_output_alloc((size_t)n * sizeof(T));
  if (again != *memory)
    printf("(other memory: perhaps it is not page-locked)\n");
  memcpy(again, values.data(), (size_t)n * sizeof(T));
  *memory = again;
}

void rates(const points &in) {
  const size_t bytes = (size_t)in.n * 3 * sizeof(float);
  tsr_device_state *state;
  tsr_error error;
  char *copy;
  cudaStream_t stream;
  succeed(tsr_device_state_of(0, &state, &error), error);
  check(cudaMalloc(&copy, bytes), "memory");
  check(cudaMemcpy(copy, in.at, bytes, cudaMemcpyHostToDevice), "copy");
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  printf("%.0f MB, GB/s: threads, comparison, upload of page-locked memory, of other memory\n",
         1e-6 * (double)bytes);
  const std::vector<float> ordinary(in.at, in.at + 3 * in.n);
  for (int threads : {1, 2, 4, 6, 8, 12, 16}) {
    const tsr_execution e = bench_execution(&pool, TSR_BACKEND_CUDA, threads);
    std::vector<double> times[3];
    for (int k = 0; k < runs; ++k) {
      bool same = false;
      double start = now();
      succeed(tsr_same_bytes(state, &e, stream, in.at, copy, bytes, &same, &error), error);
      times[0].push_back(now() - start);
      if (!same)
        printf("they differ\n");
      start = now();
      succeed(tsr_transfer_up(state, &e, {{copy, in.at, bytes}}, &error), error);
      times[1].push_back(now() - start);
      start = now();
      succeed(tsr_transfer_up(state, &e, {{copy, ordinary.data(), bytes}}, &error), error);
      times[2].push_back(now() - start);
    }
    printf("%8d", threads);
    for (const std::vector<double> &all : times)
      printf(" %10.1f", 1e-9 * (double)bytes / median(all));
    printf("\n");
  }
  check(cudaStreamDestroy(stream), "stream");
  check(cudaFree(copy), "memory");
}

void chains(points *with, points *without) {
  printf("Apply of the second filter, ms (upload or comparison, MB up): threads, with the copy, "
         "without\n");
  for (int threads : {8, 12, 16}) {
    std::vector<double> times[2], uploads[2];
    int64_t up[2];
    for (int k = 0; k < runs; ++k) {
      double upload;
      times[0].push_back(apply(*with, threads, &upload, &up[0]));
      uploads[0].push_back(upload);
      times[1].push_back(apply(*without, threads, &upload, &up[1]));
      uploads[1].push_back(upload);
    }
    printf("%8d", threads);
    for (int k = 0; k < 2; ++k)
      printf("   %8.2f (%.2f, %.1f)", 1e3 * median(times[k]), 1e3 * median(uploads[k]),
             1e-6 * (double)up[k]);
    printf("   %.3f times\n", median(times[0]) / median(times[1]));
  }
}

} // namespace

int main(int argc, char **argv) {
  const int64_t n = argc > 1 ? atoll(argv[1]) : 20000000;
  leave_without_device();
  points in = make(n), with = make(n), without = make(n);
  uint64_t state = 1;
  for (int64_t i = 0; i < 4 * n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    (i < 3 * n ? in.at[i] : in.values[i - 3 * n]) = (float)(state >> 40) / 16777216.0f;
  }
  fill(in, &without);
  fill(in, &with);
  forget(&without.at, 3 * n);
  forget(&without.values, n);
  rates(without);
  chains(&with, &without);
  for (const points &one : {in, with, without}) {
    tsr_output_free(one.at);
    tsr_output_free(one.values);
  }
  return 0;
}
