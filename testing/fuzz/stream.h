/* SPDX-License-Identifier: BSD-3-Clause */
/** What the fuzz targets share: values read from the input, and what must hold. */
#ifndef TESSERA_FUZZ_STREAM_H
#define TESSERA_FUZZ_STREAM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera.h"

/** Reads values from the front of the input; zeros when it is used up. */
typedef struct stream {
  const uint8_t *bytes;
  size_t size;
} stream;

static inline void take(stream *s, void *out, size_t size) {
  const size_t have = size < s->size ? size : s->size;
  memset(out, 0, size);
  if (have > 0) {
    memcpy(out, s->bytes, have);
  }
  s->bytes += have;
  s->size -= have;
}

static inline uint8_t byte(stream *s) {
  uint8_t value;
  take(s, &value, 1);
  return value;
}

/** Mostly a modest number, at times a special one or any bit pattern. */
static inline double number(stream *s) {
  static const double special[] = {
      0.0,        -0.0,  1e-300, 1e300, 1e100,  -1e100, 1e99,
      5e-324,     1e-12, 1e-20,  1e20,  0.5,    1.0,    -1.0,
      1e6,        1e-6,  1e308,  1e200, 1e-200, -1e308, (double)INFINITY,
      (double)NAN};
  const uint8_t how = byte(s);
  if (how < 200) {
    int16_t value;
    take(s, &value, sizeof value);
    return value / 256.0;
  }
  if (how < 244) {
    return special[how % (sizeof special / sizeof *special)];
  }
  double value;
  take(s, &value, sizeof value);
  return value;
}

/** What must hold and does not: libFuzzer keeps the input. */
static inline void must(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "broken: %s\n", what);
    abort();
  }
}

/** Memory of exactly this size, so that the address sanitizer sees any overrun. */
static inline void *exactly(int64_t count, size_t size) {
  must(count >= 0 && count <= (int64_t)1 << 21, "a size beyond the limit");
  void *memory = malloc((size_t)count * size);
  must(memory != NULL || count == 0, "memory for the test");
  return memory;
}

/** Values of any type: exactly so many. */
static inline void *array_of(stream *s, tsr_type type, int64_t values) {
  char *memory = exactly(values, tsr_type_size(type));
  for (int64_t i = 0; i < values; i++) {
    if (type == TSR_FLOAT) {
      const double value = number(s);
      ((float *)memory)[i] = fabs(value) <= 3e38 ? (float)value : (float)INFINITY;
    } else if (type == TSR_DOUBLE) {
      ((double *)memory)[i] = number(s);
    } else {
      const size_t size = tsr_type_size(type);
      take(s, memory + (size_t)i * size, size);
    }
  }
  return memory;
}

#endif
