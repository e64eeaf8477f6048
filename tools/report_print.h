/* SPDX-License-Identifier: BSD-3-Clause */
/** The device report as text and as JSON, and its exit status. */
#ifndef TSR_REPORT_PRINT_H
#define TSR_REPORT_PRINT_H

#include "tessera.h"

#include <stdio.h>

/** Exit statuses of tessera-report; scripts depend on them. */
enum {
  REPORT_USABLE = 0,       /**< at least one device can be used */
  REPORT_NONE = 1,         /**< none can */
  REPORT_USAGE = 2,        /**< the command line is wrong */
  REPORT_CHECK_FAILED = 3, /**< a self-check failed on a device that seemed usable */
  REPORT_NOT_WRITTEN = 4   /**< the report could not be written */
};

int report_status(const tsr_devices *devices);

/** A paragraph a row, a line a field that is known. */
void report_print_text(FILE *to, const tsr_devices *devices);

/** One object; an array of objects, a row each. What is not known is null. */
void report_print_json(FILE *to, const tsr_devices *devices);

#endif
