/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: settings that every filter has, and their checks. A part of the public header; include
 * tessera.h.
 *
 * A room's options hold what the core works by. Settings of the user that the core does not need
 * (which arrays to make, for example) are in the room's *choices*: a struct with its own table of
 * properties. A caller checks choices before anything else; the error text is a whole sentence
 * with the property's name as the panel shows it.
 */
#ifndef TSR_COMMON_TESSERA_CHOICES_H
#define TSR_COMMON_TESSERA_CHOICES_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a property's name as the panel shows it: "ChildStream" becomes "Child Stream". text:
 *  receives at most `size` bytes, a NUL included; a longer label is cut. */
void tsr_property_label(const char *name, char *text, size_t size);

/** Checks that every property of type CHOICE in a table of n properties is within its bounds. Fails
 *  with BAD_OPTION and a whole sentence. options: the struct that the table describes. */
tsr_status tsr_properties_check(const tsr_property *properties, int n, const void *options,
                                tsr_error *error);

/** Where a filter runs, and how large its output may be. Set up by tsr_filter_choices_init;
 *  defaults in brackets. */
typedef struct tsr_filter_choices {
  int backend;        /**< [AUTO] a tsr_backend_id */
  int threads;        /**< [0] threads of the CPU backend; 0 = all */
  int device;         /**< [-1] index of the CUDA device; -1 = one device for each process */
  int largest_output; /**< [0] limit for all processes of a machine in MiB; 0 = a quarter of its
                           memory */
} tsr_filter_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_filter_choices_init(tsr_filter_choices *choices);

/** The table of properties of tsr_filter_choices; n: receives their number. */
const tsr_property *tsr_filter_choices_properties(int *n);

/**
 * Checks the numbers in `choices` and the launch strategy before they go to the core. Properties of
 * type CHOICE are checked by tsr_properties_check instead.
 * strategy: the launch strategy that is set. Valid are 0 (Auto) and first_strategy to
 * last_strategy; a filter without strategies passes 0 and 0.
 * Fails with BAD_OPTION and a whole sentence.
 */
tsr_status tsr_filter_choices_check(const tsr_filter_choices *choices, int strategy,
                                    int first_strategy, int last_strategy, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
