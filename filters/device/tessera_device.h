/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the CUDA devices of this machine. A part of the public header; include tessera.h. */
#ifndef TESSERA_DEVICE_H
#define TESSERA_DEVICE_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A CUDA device. Numbers are -1 where they are not known. */
typedef struct tsr_device {
  int index;
  char name[128];
  int major, minor; /**< compute capability */
  int multiprocessors;
  int64_t memory_bytes, free_bytes;
  int usable;        /**< 1: Tessera's kernels run there */
  int launches;      /**< 1: kernels there can launch kernels */
  char problem[300]; /**< what is wrong with it, a sentence; empty if nothing is */

  /* Limits of this process there: as they were before the report, and before Tessera used the
   * device for the first time. */
  int64_t pending_launches, default_pending_launches; /**< launches from kernels, not yet ended */
  int64_t heap_bytes, default_heap_bytes;             /**< that kernels can allocate from */
  int64_t stack_bytes, default_stack_bytes;           /**< of a thread */
  int largest_cluster; /**< most blocks in a cluster; 1 where there are no clusters */

  /* Found by tsr_device_measure. Rates in bytes a second; what is read and what is written both
   * count. */
  double saxpy_rate, copy_rate;          /**< inside the device's memory */
  double pinned_upload, pinned_download; /**< between page-locked host memory and the device */
  double paged_upload, paged_download;   /**< the same with ordinary host memory */
  double launch_rate;                    /**< kernels that kernels launch, a second */
  int deepest_nesting;                   /**< that worked, of those tried */
  int64_t diverge_expected, diverge_got; /**< what the self-check's counter has to be, and was */
} tsr_device;

/** The CUDA devices of this machine. */
typedef struct tsr_devices {
  int built;           /**< 1: this Tessera was built with CUDA */
  int driver_version;  /**< highest CUDA version that the driver supports, 1000 major + 10 minor */
  int runtime_version; /**< of the CUDA runtime built in */
  int count;
  char problem[300]; /**< why there is no usable device, a sentence; empty if there is one */
  /** Where count is 0, the first holds the problem, so that a table has a row that says why. */
  tsr_device device[TSR_MAX_DEVICES];
} tsr_devices;

/** How many CUDA devices there are, found out without starting any of them: at most
 *  TSR_MAX_DEVICES; 0 where there is none or no driver, or CUDA is not built in; -1 where there is
 *  a driver that does not work (tsr_device_report says why). */
int tsr_devices_present(void);

/** Lists the devices and tries a kernel, and a kernel that launches one, on each. Never fails. */
void tsr_device_report(tsr_devices *devices);

/**
 * Measures each usable device of a report, and lets kernels there check themselves: about half a
 * second a device, during which nothing else should run there, and up to 600 MiB of its memory.
 * Never fails: what did not work stays -1, and the device's problem says why.
 */
void tsr_device_measure(tsr_devices *devices);

/** How many of the usable devices failed a self-check: kernels there do not launch kernels, or the
 *  counter is not as expected. */
int tsr_device_checks_failed(const tsr_devices *devices);

/** Gives back the input that is kept on devices for this owner alone (tsr_execution.owner): before
 *  the address means something else, or the owner has no use for it. Arrays of plans that exist
 *  are freed with them. */
void tsr_device_forget(const void *owner);

/** Gives back all device and page-locked memory that is kept for the next execution. To be called
 *  while no plan exists. */
void tsr_device_release(void);

/* ---------------------------------------------------------------- as a table */

typedef enum tsr_device_type {
  TSR_DEVICE_INTEGER = 0,
  TSR_DEVICE_REAL,
  TSR_DEVICE_TEXT
} tsr_device_type;

/** A column of the report, for every form in which it is shown. */
typedef struct tsr_device_field {
  const char *name;
  const char *unit; /**< of the value; empty if there is none */
  tsr_device_type type;
} tsr_device_field;

/** What a field is on a device. */
typedef struct tsr_device_value {
  int known;       /**< 0: the integer is -1, the real NaN, the text "-" */
  int64_t integer; /**< of a TSR_DEVICE_INTEGER */
  double real;     /**< of a TSR_DEVICE_REAL */
  char text[300];  /**< of a TSR_DEVICE_TEXT */
} tsr_device_value;

/** The fields; *n receives how many they are. */
const tsr_device_field *tsr_device_fields(int *n);

/** Rows of the report: one a device, or one that says why there is none. */
int tsr_device_rows(const tsr_devices *devices);

/** *value receives field number `field` of a row. */
void tsr_device_value_get(const tsr_devices *devices, int row, int field, tsr_device_value *value);

#ifdef __cplusplus
}
#endif
#endif
