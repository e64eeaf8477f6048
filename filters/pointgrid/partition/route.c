/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids of several processes: points and their values travel to the owners of their leaves.
 *  Points from lower ranks come first, each rank's in its own order, as in the input of one
 *  process. */
#include "pointgrid/partition/partition.h"

#include <stdlib.h>
#include <string.h>

tsr_status tsr_pointgrid_send(const tsr_pointgrid_input *input, const tsr_pointgrid_route *route,
                              const tsr_array *array, void **out, tsr_error *error) {
  const tsr_route *way = &route->way;
  const size_t bytes = tsr_tuple_bytes(array);
  tsr_status status;
  *out = tsr_alloc(way->n_received, bytes, "points from other processes", error);
  status = tsr_route_move(way, input->processes, array->data, bytes, *out, error);
  if (status != TSR_OK) {
    free(*out);
    *out = NULL;
  }
  return status;
}

/** Who sends how much to whom, and the points to send in the order of their receivers. */
static tsr_status make_route(const tsr_pointgrid_input *input, tsr_route *way,
                             const tsr_pointgrid_item *items, const int *owner_of_item,
                             tsr_error *error) {
  const tsr_status status =
      tsr_route_make(way, input->processes, owner_of_item, input->n_items, error);
  for (int64_t k = 0; status == TSR_OK && k < way->n_sent; ++k)
    way->sent[k] = items[way->sent[k]].point;
  return status;
}

/** Types and components may not be known where there is no point: those of any other process. */
static tsr_status agree_on_type(const tsr_pointgrid_input *input, tsr_array *array,
                                const char *name, tsr_error *error) {
  const int32_t mine[2] = {array->tuples > 0 ? (int32_t)array->type : -1, array->components};
  int32_t *all = tsr_alloc(input->options.n_ranks, sizeof mine, "a message", error),
          seen[2] = {-1, 0};
  if (!all)
    return TSR_NO_MEMORY;
  tsr_status status = tsr_processes_gather(input->processes, mine, sizeof mine, all, error);
  for (int rank = 0; status == TSR_OK && rank < input->options.n_ranks; ++rank) {
    const int32_t *one = &all[2 * rank];
    if (one[0] >= 0 && seen[0] >= 0 && (one[0] != seen[0] || one[1] != seen[1]))
      status = tsr_fail(error, TSR_BAD_INPUT, -1,
                        "%s differ in type or components between the processes", name);
    if (one[0] >= 0)
      memcpy(seen, one, sizeof seen);
  }
  if (status == TSR_OK && seen[0] >= 0) {
    array->type = (tsr_type)seen[0];
    array->components = seen[1];
  }
  free(all);
  return status;
}

tsr_status tsr_pointgrid_travel(tsr_pointgrid_input *input, tsr_pointgrid_route *route,
                                const tsr_pointgrid_item *items, const int *owner_of_item,
                                tsr_error *error) {
  tsr_status status = agree_on_type(input, &input->points, "the points", error);
  if (status == TSR_OK && input->rule.use_spread)
    status = agree_on_type(input, &input->spread, "the values of the spread array", error);
  if (status == TSR_OK)
    status = make_route(input, &route->way, items, owner_of_item, error);
  if (status == TSR_OK)
    status = tsr_pointgrid_send(input, route, &input->points, &route->points, error);
  if (status == TSR_OK && input->rule.use_spread)
    status = tsr_pointgrid_send(input, route, &input->spread, &route->spread, error);
  if (status == TSR_OK) {
    input->points.data = route->points;
    input->spread.data = route->spread;
    input->n_items = input->points.tuples = input->spread.tuples = route->way.n_received;
    input->hidden = NULL;
  }
  return status;
}

void tsr_pointgrid_route_free(tsr_pointgrid_route *route) {
  tsr_route_free(&route->way);
  free(route->points);
  free(route->spread);
}
