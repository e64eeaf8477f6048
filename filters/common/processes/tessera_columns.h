/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: which arrays all of several processes have. A part of the public header; include
 *  tessera.h. */
#ifndef TESSERA_COLUMNS_H
#define TESSERA_COLUMNS_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array, by what has to be the same for arrays of several processes to be parts of one. */
typedef struct tsr_column {
  const char *name;
  int type;       /**< a number of the caller's */
  int components; /**< of a tuple */
  int roles;      /**< of the caller's; may differ */
} tsr_column;

/** An array that any process has. */
typedef struct tsr_common_column {
  tsr_column column; /**< with the roles that it has in the first process */
  int everywhere;    /**< do all processes that hold something have it? */
} tsr_common_column;

/**
 * Finds the arrays of all processes that hold something, in the order of the first process that has
 * each. Collective.
 * mine: n of them; not looked at where `holds` is 0, as this process holds nothing then.
 * all: receives *count of them, for free(); the names stand in the same memory.
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_columns_agree(const tsr_processes *processes, int holds, const tsr_column *mine,
                             int n, tsr_common_column **all, int *count, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
