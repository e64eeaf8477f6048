/* SPDX-License-Identifier: BSD-3-Clause */
/** The report's columns: the one table that VTK's columns, the text and the JSON are made from. */
#include "device/tessera_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/** How a field is stored. */
typedef enum storage {
  STORED_INT,
  STORED_INT64,
  STORED_DOUBLE,
  STORED_TEXT,
  STORED_CAPABILITY, /**< two ints */
  STORED_VERSION     /**< 1000 major + 10 minor, of all devices together */
} storage;

typedef struct column {
  storage stored;
  size_t offset; /**< in tsr_device; of a STORED_VERSION in tsr_devices */
  double unit;   /**< what 1 in the table is in the struct */
} column;

#define MIB 1048576.0
#define GB 1e9
#define INTEGER TSR_DEVICE_INTEGER
#define REAL TSR_DEVICE_REAL
#define TEXT TSR_DEVICE_TEXT
#define ONE(MEMBER) offsetof(tsr_device, MEMBER)
#define ALL(MEMBER) offsetof(tsr_devices, MEMBER)

/* X(name, unit, type, how it is stored, where, what 1 is) */
#define FIELDS(X)                                                                                  \
  X("Index", "", INTEGER, STORED_INT, ONE(index), 1)                                               \
  X("Name", "", TEXT, STORED_TEXT, ONE(name), 1)                                                   \
  X("Usable", "", INTEGER, STORED_INT, ONE(usable), 1)                                             \
  X("Can Launch Kernels", "", INTEGER, STORED_INT, ONE(launches), 1)                               \
  X("Compute Capability", "", TEXT, STORED_CAPABILITY, ONE(major), 1)                              \
  X("Multiprocessors", "", INTEGER, STORED_INT, ONE(multiprocessors), 1)                           \
  X("Memory", "MiB", REAL, STORED_INT64, ONE(memory_bytes), MIB)                                   \
  X("Free", "MiB", REAL, STORED_INT64, ONE(free_bytes), MIB)                                       \
  X("Driver Version", "", TEXT, STORED_VERSION, ALL(driver_version), 1)                            \
  X("Runtime Version", "", TEXT, STORED_VERSION, ALL(runtime_version), 1)                          \
  X("Pending Launches", "", INTEGER, STORED_INT64, ONE(pending_launches), 1)                       \
  X("Default Pending Launches", "", INTEGER, STORED_INT64, ONE(default_pending_launches), 1)       \
  X("Heap", "MiB", REAL, STORED_INT64, ONE(heap_bytes), MIB)                                       \
  X("Default Heap", "MiB", REAL, STORED_INT64, ONE(default_heap_bytes), MIB)                       \
  X("Stack", "bytes", INTEGER, STORED_INT64, ONE(stack_bytes), 1)                                  \
  X("Default Stack", "bytes", INTEGER, STORED_INT64, ONE(default_stack_bytes), 1)                  \
  X("Largest Cluster", "blocks", INTEGER, STORED_INT, ONE(largest_cluster), 1)                     \
  X("SAXPY", "GB/s", REAL, STORED_DOUBLE, ONE(saxpy_rate), GB)                                     \
  X("Copy", "GB/s", REAL, STORED_DOUBLE, ONE(copy_rate), GB)                                       \
  X("Pinned Upload", "GB/s", REAL, STORED_DOUBLE, ONE(pinned_upload), GB)                          \
  X("Pinned Download", "GB/s", REAL, STORED_DOUBLE, ONE(pinned_download), GB)                      \
  X("Pageable Upload", "GB/s", REAL, STORED_DOUBLE, ONE(paged_upload), GB)                         \
  X("Pageable Download", "GB/s", REAL, STORED_DOUBLE, ONE(paged_download), GB)                     \
  X("Device Launches", "per second", REAL, STORED_DOUBLE, ONE(launch_rate), 1)                     \
  X("Deepest Nesting", "", INTEGER, STORED_INT, ONE(deepest_nesting), 1)                           \
  X("Diverge Expected", "", INTEGER, STORED_INT64, ONE(diverge_expected), 1)                       \
  X("Diverge Got", "", INTEGER, STORED_INT64, ONE(diverge_got), 1)                                 \
  X("Problem", "", TEXT, STORED_TEXT, ONE(problem), 1)

#define SHOWN(NAME, UNIT, TYPE, STORED, WHERE, ONE_IS) {NAME, UNIT, TYPE},
#define HELD(NAME, UNIT, TYPE, STORED, WHERE, ONE_IS) {STORED, WHERE, ONE_IS},
static const tsr_device_field shown[] = {FIELDS(SHOWN)};
static const column held[] = {FIELDS(HELD)};

const tsr_device_field *tsr_device_fields(int *n) {
  *n = (int)(sizeof shown / sizeof *shown);
  return shown;
}

int tsr_device_rows(const tsr_devices *devices) { return devices->count > 0 ? devices->count : 1; }

static void set_number(tsr_device_value *value, double stored, double unit) {
  value->known = stored >= 0.0;
  if (value->known) {
    value->real = stored / unit;
    value->integer = (int64_t)stored;
  }
}

/** A version or a compute capability; -1 and version 0 are unknown. */
static void set_pair(tsr_device_value *value, int known, int major, int minor) {
  value->known = known;
  if (known)
    snprintf(value->text, sizeof value->text, "%d.%d", major, minor);
}

void tsr_device_value_get(const tsr_devices *devices, int row, int field, tsr_device_value *value) {
  const column *from = &held[field];
  const char *base =
      from->stored == STORED_VERSION ? (const char *)devices : (const char *)&devices->device[row];
  const void *at = base + from->offset;
  const int *numbers = at;
  memset(value, 0, sizeof *value);
  value->integer = -1;
  value->real = NAN;
  strcpy(value->text, "-");
  switch (from->stored) {
  case STORED_INT:
    set_number(value, *numbers, from->unit);
    break;
  case STORED_INT64:
    set_number(value, (double)*(const int64_t *)at, from->unit);
    break;
  case STORED_DOUBLE:
    set_number(value, *(const double *)at, from->unit);
    break;
  case STORED_CAPABILITY:
    set_pair(value, numbers[0] >= 0, numbers[0], numbers[1]);
    break;
  case STORED_VERSION:
    set_pair(value, *numbers > 0, *numbers / 1000, *numbers % 1000 / 10);
    break;
  case STORED_TEXT:
    value->known = 1;
    snprintf(value->text, sizeof value->text, "%s", (const char *)at);
    break;
  }
}
