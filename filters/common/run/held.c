/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/run/held.h"

#include "common/support.h"

#include <stdlib.h>
#include <string.h>

tsr_status tsr_held_alloc(tsr_held *held, tsr_executor *executor, void *to, int64_t n, size_t size,
                          const char *what, tsr_error *error) {
  void *memory = NULL, **more;
  const tsr_status status = executor->alloc(executor, &memory, n > 0 ? n : 1, size, what, error);
  if (status != TSR_OK)
    return status;
  more = tsr_grow(held->memory, held->n, &held->room, 64, sizeof *more);
  if (!more) {
    executor->free(executor, memory);
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is not enough memory for %s", what);
  }
  held->memory = more;
  held->memory[held->n++] = memory;
  memcpy(to, &memory, sizeof memory);
  return TSR_OK;
}

void tsr_held_release(tsr_held *held, tsr_executor *executor, void *to) {
  void *memory;
  memcpy(&memory, to, sizeof memory);
  for (int64_t k = held->n; k-- > 0 && memory;)
    if (held->memory[k] == memory) {
      executor->free(executor, memory);
      held->memory[k] = held->memory[--held->n];
      memory = NULL;
    }
  memset(to, 0, sizeof memory);
}

void tsr_held_free(tsr_held *held, tsr_executor *executor) {
  for (int64_t k = 0; k < held->n; ++k)
    executor->free(executor, held->memory[k]);
  free(held->memory);
  *held = (tsr_held){NULL, 0, 0};
}
