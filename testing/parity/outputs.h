/* SPDX-License-Identifier: BSD-3-Clause */
/** All that the core can make of a view, as bytes to compare. */
#ifndef TESSERA_PARITY_OUTPUTS_H
#define TESSERA_PARITY_OUTPUTS_H

#include "tessera.h"

enum { MOST_ATTRIBUTES = 16, GENERATED_ARRAYS = 10, MOST_ARRAYS = 32 };

/** Which arrays to make. */
typedef struct wanted {
  tsr_type points_type, index_type;
  int generated; /**< also everything beside points and cells */
  tsr_array attributes[MOST_ATTRIBUTES];
  tsr_interpolation modes[MOST_ATTRIBUTES];
  int n_attributes;
  int64_t budget; /**< > 0: the plan is fitted to it; its options defer the count */
  int estimate;   /**< 1: the plan alone, no arrays */
  int fill_again; /**< 1: a fill without memory is called once more */
} wanted;

typedef struct outputs {
  tsr_status status;
  tsr_error error;
  tsr_curves_sizes sizes;
  tsr_report report;
  int n_arrays;
  const char *name[MOST_ARRAYS];
  char *bytes[MOST_ARRAYS];
  size_t size[MOST_ARRAYS];
} outputs;

/** Plans and fills; every array is poisoned before. Returns out->status. */
tsr_status outputs_make(const tsr_curves_view *view, const tsr_curves_options *options,
                        const tsr_execution *execution, const wanted *want, outputs *out);
void outputs_free(outputs *out);

/** The first difference in sizes, notes, bytes or the report's sums, as a sentence that begins with
 *  `what`; NULL if there is none. Valid until the next call. */
const char *outputs_difference(const outputs *cpu, const outputs *cuda, const char *what);

/** For CHECK_SAY in the test's own file, which counts. */
#define CHECK_SAME(CPU, CUDA, WHAT)                                                                \
  do {                                                                                             \
    const char *const difference_ = outputs_difference(CPU, CUDA, WHAT);                           \
    CHECK_SAY(difference_ == NULL, "%s", difference_ ? difference_ : "");                          \
  } while (0)

/** An execution on the CPU with two threads, and one on CUDA. Their executor lives for ever. */
tsr_execution execution_cpu(void);
tsr_execution execution_cuda(void);

/** A caller that knows the generation of its arrays: generation_now, that of each of them; 0: it
 * does not know. The function is a tsr_execution.generation. */
extern uint64_t generation_now;
uint64_t generation_of_all(void *context, const void *data);

/** 0 if there is a usable device; else what main is to return (77, or 1 where a device must be). */
int gpu_missing(void);

#endif
