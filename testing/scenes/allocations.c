/* SPDX-License-Identifier: BSD-3-Clause */
#include "allocations.h"

#include <stdatomic.h>
#include <stdlib.h>

void *counted_malloc(size_t bytes);
void *counted_calloc(size_t n, size_t bytes);
void *counted_realloc(void *memory, size_t bytes);
void counted_free(void *memory);

static atomic_llong calls, fail_at, live;

void allocations_start(int64_t at) {
  atomic_store(&calls, 0);
  atomic_store(&fail_at, at);
}

int64_t allocations_stop(void) {
  atomic_store(&fail_at, 0);
  return atomic_load(&calls);
}

int64_t allocations_live(void) { return atomic_load(&live); }

static int fails(void) { return atomic_fetch_add(&calls, 1) + 1 == atomic_load(&fail_at); }

void *counted_malloc(size_t bytes) {
  void *memory = fails() ? NULL : malloc(bytes);
  atomic_fetch_add(&live, memory != NULL);
  return memory;
}

void *counted_calloc(size_t n, size_t bytes) {
  void *memory = fails() ? NULL : calloc(n, bytes);
  atomic_fetch_add(&live, memory != NULL);
  return memory;
}

void *counted_realloc(void *memory, size_t bytes) {
  void *more = fails() ? NULL : realloc(memory, bytes);
  atomic_fetch_add(&live, more != NULL && memory == NULL);
  return more;
}

void counted_free(void *memory) {
  atomic_fetch_sub(&live, memory != NULL);
  free(memory);
}
