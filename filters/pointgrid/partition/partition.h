/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids of several processes: which process owns which leaves. Not public. */
#ifndef TSR_POINTGRID_PARTITION_PARTITION_H
#define TSR_POINTGRID_PARTITION_PARTITION_H

#include "common/processes/tessera_route.h"
#include "pointgrid/tree/tree.h"

/** The route of this process's points to their owners, and the points received. One process: all
 *  NULL. */
typedef struct tsr_pointgrid_route {
  tsr_route way; /**< of the view's points */
  void *points;  /**< received */
  void *spread;  /**< values of the spread array, received */
} tsr_pointgrid_route;

/* ---- share.c. All functions are collective. */

/** Replaces *box by the box around the boxes of all processes. */
tsr_status tsr_pointgrid_share_box(const tsr_pointgrid_input *input, tsr_pointgrid_box *box,
                                   tsr_error *error);

/** Divides the keys into one range for each owner, sets this process's range in input->rule, and
 *  sends the points to their owners: input then has the points received. */
tsr_status tsr_pointgrid_share_points(tsr_pointgrid_input *input, tsr_pointgrid_route *route,
                                      tsr_error *error);

/* ---- route.c: points and values on their way to their owners */

/** Sends the tuples of an array along the route. *out: receives the tuples that arrive, to be
 *  freed. */
tsr_status tsr_pointgrid_send(const tsr_pointgrid_input *input, const tsr_pointgrid_route *route,
                              const tsr_array *array, void **out, tsr_error *error);

/** Makes the route by which each item goes to its owner, and sends points and spread array along
 *  it. */
tsr_status tsr_pointgrid_travel(tsr_pointgrid_input *input, tsr_pointgrid_route *route,
                                const tsr_pointgrid_item *items, const int *owner_of_item,
                                tsr_error *error);

void tsr_pointgrid_route_free(tsr_pointgrid_route *route);

#endif
