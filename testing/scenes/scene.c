/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

scene_result scene_run(const scene *it, const tsr_execution *execution) {
  scene_result result;
  memset(&result, 0, sizeof result);
  result.bytes = 14695981039346656037u; /* FNV-1a */
  it->run(it, execution, &result);
  return result;
}

void scene_show(const scene_visit *visit, const char *name,
                void (*run)(const scene *it, const tsr_execution *execution, scene_result *to),
                const void *of) {
  scene it = {.run = run, .of = of};
  snprintf(it.name, sizeof it.name, "%s", name);
  visit->look(visit->data, &it);
}

void scene_add(scene_result *result, const void *data, size_t bytes) {
  for (size_t k = 0; k < bytes; k++) {
    result->bytes = (result->bytes ^ ((const unsigned char *)data)[k]) * 1099511628211u;
  }
}

void *scene_room(int64_t n, size_t size) {
  void *room = calloc((size_t)n + 1, size);
  if (!room) {
    printf("the test has no memory\n");
    exit(1);
  }
  return room;
}

int scene_echo(void *context, const void *mine, int64_t bytes, void *all, const int64_t *sizes) {
  const int n = *(const int *)context;
  char *to = all;
  for (int r = 0; r < n; r++) {
    if (sizes[r] != bytes) {
      return 1;
    }
    if (bytes > 0) {
      memcpy(to, mine, (size_t)bytes);
    }
    to += bytes;
  }
  return 0;
}
