/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: what a program's user sets about every filter, and sentences about what cannot be. A
 * part of the public header; include tessera.h.
 *
 * A room whose users set more than its options have has choices as well: a struct with a table of
 * properties like the options'. Checks of choices come before all else, so their sentences are
 * whole ones, with the property's name as a panel writes it.
 */
#ifndef TESSERA_CHOICES_H
#define TESSERA_CHOICES_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a property's name as a panel has it: "ChildStream" becomes "Child Stream". text: `size`
 *  bytes, which the label ends within. */
void tsr_property_label(const char *name, char *text, size_t size);

/** Is every choice of a table of n properties one of those that there are? BAD_OPTION, with a whole
 *  sentence, where one is not. options: the struct that the table is of. */
tsr_status tsr_properties_check(const tsr_property *properties, int n, const void *options,
                                tsr_error *error);

/** Where a filter is to run, and how large its output may be. Set up by tsr_filter_choices_init;
 *  defaults in brackets. */
typedef struct tsr_filter_choices {
  int backend;        /**< [AUTO] a tsr_backend_id */
  int threads;        /**< [0] of the CPU backend; 0 = all */
  int device;         /**< [-1] index of the CUDA device; -1 = by process */
  int largest_output; /**< [0] MiB on a machine; 0 = a quarter of its memory */
} tsr_filter_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_filter_choices_init(tsr_filter_choices *choices);

/** The table of them; n: receives how many. */
const tsr_property *tsr_filter_choices_properties(int *n);

/**
 * Can these be handed to the core? Choices of the table are left to tsr_properties_check.
 * strategy: the launch strategy that is set. The filter has 0, which is Auto, and those from
 * first_strategy to last_strategy; 0 and 0: no others.
 * BAD_OPTION, with a whole sentence, where they cannot.
 */
tsr_status tsr_filter_choices_check(const tsr_filter_choices *choices, int strategy,
                                    int first_strategy, int last_strategy, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
