/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the turbulent jet as an image in space and time. A part of the public header; include
 * tessera.h. */
#ifndef TSR_JET_TESSERA_JET_CHOICES_H
#define TSR_JET_TESSERA_JET_CHOICES_H

#include "jet/tessera_jet.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most time steps: all are listed for every filter that the image goes through. */
#define TSR_JET_MAX_STEPS 1000000

/** What the user of a program sets about the image beside the jet's options. Set up by
 *  tsr_jet_choices_init; the table has the defaults. */
typedef struct tsr_jet_choices {
  int dimensions[3];    /**< points along each axis */
  int time_steps;       /**< at equal distances over the range */
  double time_range[2]; /**< the first and the last */
  int output_precision; /**< of the values: 0 float, 1 double */
} tsr_jet_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_jet_choices_init(tsr_jet_choices *choices);

/** The table of properties of tsr_jet_choices; n: receives their number. */
const tsr_property *tsr_jet_choices_properties(int *n);

/** Checks choices and options; the extent and the time of the options are ignored. Fails with
 *  BAD_OPTION and a whole sentence. */
tsr_status tsr_jet_choices_check(const tsr_jet_choices *choices, const tsr_jet_options *options,
                                 tsr_error *error);

/** Sets the extent of the whole image and the time. */
void tsr_jet_choices_apply(const tsr_jet_choices *choices, double time, tsr_jet_options *options);

/** The place of the first point and the distances between points, of choices that are checked. */
void tsr_jet_place(const tsr_jet_choices *choices, const tsr_jet_options *options, double origin[3],
                   double spacing[3]);

/** The time of a step, which is from 0 to time_steps - 1. */
double tsr_jet_time(const tsr_jet_choices *choices, int step);

/** Checks that the values at `points` points fit into the available memory. available:
 *  tsr_system_memory.available. Fails with TOO_LARGE and the end of a sentence. */
tsr_status tsr_jet_check_memory(const tsr_jet_choices *choices, double points, double available,
                                tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
