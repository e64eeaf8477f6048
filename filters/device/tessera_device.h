/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the CUDA devices of this machine. A part of the public header; include tessera.h. */
#ifndef TSR_DEVICE_TESSERA_DEVICE_H
#define TSR_DEVICE_TESSERA_DEVICE_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A CUDA device. A number is -1 where it is not known. */
typedef struct tsr_device {
  int index;
  char name[128];
  int major, minor; /**< compute capability */
  int multiprocessors;
  int64_t memory_bytes, free_bytes;
  int usable;        /**< 1: Tessera's kernels run there */
  int launches;      /**< 1: kernels there can launch kernels */
  char problem[300]; /**< why the device cannot be used, a sentence; empty if it can */

  /* CUDA's limits for this process on the device: the values now, before the report ran its test
   * kernels, and the defaults, before Tessera first used the device. */
  int64_t pending_launches, default_pending_launches; /**< child grids that have not ended */
  int64_t heap_bytes, default_heap_bytes;             /**< heap that kernels allocate from */
  int64_t stack_bytes, default_stack_bytes;           /**< stack of a thread */
  int largest_cluster; /**< most blocks in a cluster; 1 where there are no clusters */

  /* Set by tsr_device_measure. Rates are in bytes per second; bytes read and bytes written both
   * count. */
  double saxpy_rate, copy_rate;          /**< inside the device's memory */
  double pinned_upload, pinned_download; /**< between page-locked host memory and the device */
  double paged_upload, paged_download;   /**< between pageable host memory and the device */
  double launch_rate;                    /**< child kernels that kernels launch per second */
  int deepest_nesting;                   /**< deepest nesting of kernels that worked in the test */
  int64_t diverge_expected, diverge_got; /**< counter of the self-check: right value, and result */
} tsr_device;

/** The CUDA devices of this machine. */
typedef struct tsr_devices {
  int built;           /**< 1: this Tessera was built with CUDA */
  int driver_version;  /**< highest CUDA version that the driver supports, 1000 major + 10 minor */
  int runtime_version; /**< of the CUDA runtime built in */
  int count;
  char problem[300]; /**< why there is no usable device, a sentence; empty if there is one */
  /** Where count is 0, device[0].problem says why, so that a table has a row to show. */
  tsr_device device[TSR_MAX_DEVICES];
} tsr_devices;

/** Returns the number of CUDA devices, at most TSR_MAX_DEVICES, without initialising any of them.
 *  0: there is no device or no driver, or CUDA is not built in. -1: the driver does not work
 *  (tsr_device_report says why). */
int tsr_devices_present(void);

/** Lists the devices and runs two test kernels on each: a plain one, and one that launches a child
 *  kernel. Never fails. */
void tsr_device_report(tsr_devices *devices);

/**
 * Measures each usable device of a report and runs its self-checks. Takes about half a second for a
 * device, during which nothing else should run there, and up to 600 MiB of its memory.
 * Never fails: a number that could not be measured stays -1, and the device's problem says why.
 */
void tsr_device_measure(tsr_devices *devices);

/** Returns how many usable devices failed a self-check: kernels there cannot launch kernels, or
 *  diverge_got is not diverge_expected. */
int tsr_device_checks_failed(const tsr_devices *devices);

/** Frees the input that is kept on devices for this owner alone (tsr_execution.owner). To be called
 *  when the owner no longer needs it, and before its address is reused for something else. Arrays
 *  in use by a plan are freed when the plan is. */
void tsr_device_forget(const void *owner);

/** Frees all device and page-locked memory that is kept for the next execution. To be called while
 *  no plan exists. */
void tsr_device_release(void);

/* ---------------------------------------------------------------- arrays on a device */

/**
 * Allocates memory for an array on a device, for tsr_execution.device_arrays, by cudaMalloc.
 * device: its index; -1 = the first usable one.
 * memory: receives the address, NULL if bytes is 0; freed by tsr_device_free.
 * Fails with BAD_INPUT, NO_BACKEND, NO_MEMORY or DEVICE.
 */
tsr_status tsr_device_alloc(int device, int64_t bytes, void **memory, tsr_error *error);

/** Frees memory of tsr_device_alloc; NULL is allowed. */
void tsr_device_free(void *memory);

/**
 * Copies `bytes` bytes between any two of host memory and the memory of a device.
 * stream: a cudaStream_t; the copy is made after its work. NULL = the default stream.
 * Returns when the copy is done. Fails with BAD_INPUT, NO_BACKEND or DEVICE.
 */
tsr_status tsr_device_copy(int device, void *stream, void *to, const void *from, int64_t bytes,
                           tsr_error *error);

/** Waits for all work on a stream of a device. stream: a cudaStream_t; NULL = the default stream.
 *  Fails with NO_BACKEND or DEVICE. */
tsr_status tsr_device_wait(int device, void *stream, tsr_error *error);

/* ---------------------------------------------------------------- as a table */

/** The type of a column's values: the member of tsr_device_value that holds them. */
typedef enum tsr_device_type {
  TSR_DEVICE_INTEGER = 0, /**< `integer` */
  TSR_DEVICE_REAL,        /**< `real` */
  TSR_DEVICE_TEXT         /**< `text` */
} tsr_device_type;

/** A column of the report as a table. */
typedef struct tsr_device_field {
  const char *name;
  const char *unit; /**< of the value; empty if there is none */
  tsr_device_type type;
} tsr_device_field;

/** The value of a field in one row. */
typedef struct tsr_device_value {
  int known;       /**< 0: unknown; the integer is -1, the real NaN, the text "-" */
  int64_t integer; /**< of a TSR_DEVICE_INTEGER */
  double real;     /**< of a TSR_DEVICE_REAL */
  char text[300];  /**< of a TSR_DEVICE_TEXT */
} tsr_device_value;

/** Returns the columns of the table; *n receives their number. */
const tsr_device_field *tsr_device_fields(int *n);

/** Returns the number of rows: one for each device, or one that says why there is none. */
int tsr_device_rows(const tsr_devices *devices);

/** *value receives field number `field` of a row. */
void tsr_device_value_get(const tsr_devices *devices, int row, int field, tsr_device_value *value);

#ifdef __cplusplus
}
#endif
#endif
