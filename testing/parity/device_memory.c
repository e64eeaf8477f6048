/* SPDX-License-Identifier: BSD-3-Clause */
#include "device_memory.h"
#include "outputs.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0x5a, BEHIND = 16 };

/** Bytes over the bus, either way: device_memory.h. */
enum { MOST_MOVED = 1 << 20, MOST_MOVED_SMALL = 64 << 10 };

static void must(cudaError_t code, const char *what) {
  if (code != cudaSuccess) {
    printf("the test failed at %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
  }
}

static void *make(placed *set, const char *name, size_t bytes, size_t shift) {
  void *memory = NULL;
  if (set->on_device) {
    must(cudaMalloc(&memory, bytes + shift + BEHIND), "cudaMalloc");
  } else {
    memory = malloc(bytes + shift + BEHIND);
  }
  if (!memory || set->n == MOST_PLACED) {
    printf("the test has no memory\n");
    exit(1);
  }
  set->at[set->n] = memory;
  set->bytes[set->n] = bytes;
  set->name[set->n] = name;
  set->n++;
  return (char *)memory + shift;
}

static void put(const placed *set, void *to, const void *from, size_t bytes) {
  if (set->on_device) {
    must(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  } else {
    memcpy(to, from, bytes);
  }
}

void *placed_input(placed *set, const void *from, size_t bytes, size_t shift) {
  void *memory;
  if (!from) {
    return NULL;
  }
  memory = make(set, NULL, bytes, shift);
  put(set, memory, from, bytes);
  return memory;
}

tsr_array placed_array(placed *set, tsr_array array) {
  array.data =
      placed_input(set, array.data,
                   (size_t)array.tuples * (size_t)array.components * tsr_type_size(array.type), 0);
  return array;
}

void *placed_output(placed *set, const char *name, size_t bytes) {
  void *poison = malloc(bytes + BEHIND), *memory = make(set, name, bytes, 0);
  memset(poison, POISON, bytes + BEHIND);
  put(set, memory, poison, bytes + BEHIND);
  free(poison);
  return memory;
}

/** The bytes of an output and those behind it, on the host; the caller frees them. */
static char *fetch(const placed *set, int k) {
  const size_t bytes = set->bytes[k] + BEHIND;
  char *to = malloc(bytes);
  if (set->on_device) {
    must(cudaMemcpy(to, set->at[k], bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  } else {
    memcpy(to, set->at[k], bytes);
  }
  return to;
}

static int next_output(const placed *set, int k) {
  while (k < set->n && !set->name[k]) {
    k++;
  }
  return k;
}

static char difference[200];

static const char *compare(const placed *one, int a, const placed *other, int b) {
  const char *said = NULL;
  char *x = fetch(one, a), *y = fetch(other, b);
  size_t at = 0;
  while (at < one->bytes[a] && x[at] == y[at]) {
    at++;
  }
  if (one->bytes[a] != other->bytes[b]) {
    snprintf(difference, sizeof difference, "%s: %zu bytes, and %zu", one->name[a], one->bytes[a],
             other->bytes[b]);
    said = difference;
  } else if (at < one->bytes[a]) {
    snprintf(difference, sizeof difference, "%s differs from byte %zu of %zu on", one->name[a], at,
             one->bytes[a]);
    said = difference;
  }
  for (size_t k = 0; !said && k < BEHIND; k++) {
    if (y[other->bytes[b] + k] != POISON || x[one->bytes[a] + k] != POISON) {
      snprintf(difference, sizeof difference, "%s is written past its end", one->name[a]);
      said = difference;
    }
  }
  free(x);
  free(y);
  return said;
}

const char *placed_difference(const placed *one, const placed *other) {
  int a = next_output(one, 0), b = next_output(other, 0);
  while (a < one->n && b < other->n) {
    const char *said = compare(one, a, other, b);
    if (said) {
      return said;
    }
    a = next_output(one, a + 1);
    b = next_output(other, b + 1);
  }
  return a < one->n || b < other->n ? "the outputs are not the same ones" : NULL;
}

void placed_free(placed *set) {
  for (int k = 0; k < set->n; k++) {
    if (set->on_device) {
      must(cudaFree(set->at[k]), "cudaFree");
    } else {
      free(set->at[k]);
    }
  }
  set->n = 0;
}

tsr_execution placed_execution(const placed *set, int cuda) {
  tsr_execution e = cuda ? execution_cuda() : execution_cpu();
  e.device_arrays = set->on_device;
  return e;
}

const char *placed_moved(tsr_bus_traffic before, int is_small) {
  static char said[80];
  const tsr_bus_traffic now = tsr_memory_traffic();
  const int64_t up = now.up - before.up, down = now.down - before.down;
  const int64_t most = is_small ? MOST_MOVED_SMALL : MOST_MOVED;
  snprintf(said, sizeof said, "%lld bytes up and %lld down", (long long)up, (long long)down);
  return up > most || down > most ? said : NULL;
}
