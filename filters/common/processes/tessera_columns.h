/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the arrays that all processes have in common. A part of the public header; include
 *  tessera.h. */
#ifndef TSR_COMMON_PROCESSES_TESSERA_COLUMNS_H
#define TSR_COMMON_PROCESSES_TESSERA_COLUMNS_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Description of an array. Arrays of two processes are parts of one array where name, type and
 *  components are equal. */
typedef struct tsr_column {
  const char *name;
  int type;       /**< any number that the caller uses for a type */
  int components; /**< of a tuple */
  int roles;      /**< any bits of the caller's; may differ between processes */
} tsr_column;

/** An array that at least one process has. */
typedef struct tsr_common_column {
  tsr_column column; /**< roles: those in the lowest process that has the array */
  int everywhere;    /**< 1: all processes that hold data have it */
} tsr_common_column;

/**
 * Lists the arrays of all processes that hold data: first those of the lowest such process in its
 * order, then further ones of the next process, and so on. Collective.
 * holds: 1 if this process holds data. mine: its n arrays; ignored where `holds` is 0.
 * all: receives *count arrays, to be freed by free(); the names are in the same block of memory.
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_columns_agree(const tsr_processes *processes, int holds, const tsr_column *mine,
                             int n, tsr_common_column **all, int *count, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
