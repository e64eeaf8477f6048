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

#endif
