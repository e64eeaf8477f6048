/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads the flat files that cases_to_bin.py makes (see there for the format). */
#ifndef TESSERA_TEST_CASE_FILE_H
#define TESSERA_TEST_CASE_FILE_H

#include "curve_set.h"

typedef struct case_file {
  char *bytes;
  int64_t size;
} case_file;

/**
 * Opens NAME.bin in the folder that the environment variable TESSERA_CASES_BIN names.
 * Returns 0, having said so, where it is missing: the test is then skipped.
 */
int case_file_open(case_file *file, const char *name);
void case_file_close(case_file *file);

/** The array of that name (borrowed); data is NULL if there is none. */
tsr_array case_file_array(const case_file *file, const char *name);

/** Adds the file's mesh of doubles to an empty set: VTK's lines and Bezier cells, or all
 *  polylines as `line_kind`. */
void case_file_curves(const case_file *file, tsr_curve_kind line_kind, curve_set *set);

#endif
