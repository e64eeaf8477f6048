/* SPDX-License-Identifier: BSD-3-Clause */
/** What CUPTI calls to count copies, for bus_counter.py. It calls on threads of the library that
 * copies, for which a function in Python would wait until the caller of the library lets Python go:
 * ParaView's never do. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** How all versions of CUpti_ActivityMemcpy begin. */
typedef struct __attribute__((packed)) copy {
  uint32_t kind;
  uint8_t direction, source, target, flags;
  uint64_t bytes;
} copy;

enum { MEMCPY = 1, BUFFER = 1 << 20, ALIGNMENT = 8 };

atomic_llong bus_up, bus_down, bus_copies;
int (*bus_next)(uint8_t *buffer, size_t valid, copy **record); /**< cuptiActivityGetNextRecord */

void bus_requested(uint8_t **buffer, size_t *size, size_t *most_records) {
  *buffer = aligned_alloc(ALIGNMENT, BUFFER);
  *size = *buffer ? BUFFER : 0;
  *most_records = 0;
}

void bus_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
  copy *record = NULL;
  (void)context;
  (void)stream;
  (void)size;
  while (valid > 0 && bus_next(buffer, valid, &record) == 0) {
    if (record->kind != MEMCPY)
      continue;
    bus_copies += 1;
    if (record->direction == 1 || record->direction == 3) /* host to device, or its textures */
      bus_up += (long long)record->bytes;
    if (record->direction == 2 || record->direction == 4)
      bus_down += (long long)record->bytes;
  }
  free(buffer);
}
