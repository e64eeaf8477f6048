/* SPDX-License-Identifier: BSD-3-Clause */
/** What each room can be asked for, one plan and its fill after the other, for tests that make
 * calls fail underneath: every output kind, sampling and search, on small inputs. */
#ifndef TESSERA_SCENE_H
#define TESSERA_SCENE_H

#include "tessera.h"

/** What a run gave. */
typedef struct scene_result {
  tsr_status status;
  tsr_error error;
  tsr_report report;
  uint64_t bytes; /**< a number made of all sizes and arrays */
} scene_result;

/** An input with its options. */
typedef struct scene scene;
struct scene {
  char name[100];
  void (*run)(const scene *it, const tsr_execution *execution, scene_result *to);
  const void *of; /**< the room's own */
};

/** Who looks at scenes, and how large they are. */
typedef struct scene_visit {
  void (*look)(void *data, const scene *it);
  void *data;
  int64_t curves; /**< of every kind */
  int64_t cells;  /**< of Bezier, in single precision */
  int64_t side;   /**< points along an axis of a grid */
  int64_t points; /**< of point grids and orders, and discs */
  int devices; /**< 1: for devices: every launch strategy, and processes that share a grid, as well.
                     A process without memory for a message is not waited for */
  int fill_again; /**< 1: a fill without memory is called once more */
} scene_visit;

/** Goes through the scenes of a room. */
void scenes_of_cells(const scene_visit *visit);
void scenes_of_curves(const scene_visit *visit);
void scenes_of_grids(const scene_visit *visit);
void scenes_of_meshes(const scene_visit *visit);
void scenes_of_points(const scene_visit *visit);
void scenes_of_orders(const scene_visit *visit);
void scenes_of_discs(const scene_visit *visit);
void scenes_of_jets(const scene_visit *visit);

/** Runs a scene: result->bytes is only set where the status is TSR_OK. */
scene_result scene_run(const scene *it, const tsr_execution *execution);

/** Shows a scene to who looks. */
void scene_show(const scene_visit *visit, const char *name,
                void (*run)(const scene *it, const tsr_execution *execution, scene_result *to),
                const void *of);

/** Adds an array to result->bytes. */
void scene_add(scene_result *result, const void *data, size_t bytes);

/** Zeros; ends the program where there is no memory. */
void *scene_room(int64_t n, size_t size);

/** As if all processes had the same to say. */
int scene_echo(void *context, const void *mine, int64_t bytes, void *all, const int64_t *sizes);

#endif
