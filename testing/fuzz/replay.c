/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Stands in for libFuzzer where there is no clang: runs a target on files, such as an input that
 * libFuzzer kept, or on made bytes, so that every test run compiles the targets and looks at what
 * they assert.
 * Use: TARGET FILE... | TARGET -inputs=COUNT [-seed=NUMBER]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Marsaglia's xorshift: the next state is the next number. */
static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/** Inputs of up to MOST_BYTES bytes. Every other one is mostly of small bytes: counts and choices
 *  are then in their ranges more often than by chance. */
static void run_made(long count, uint64_t state) {
  static uint8_t bytes[MOST_BYTES];
  for (long i = 0; i < count; i++) {
    const size_t size = (size_t)(next(&state) % (MOST_BYTES + 1));
    for (size_t k = 0; k < size; k++) {
      const uint64_t any = next(&state);
      bytes[k] = (uint8_t)(i % 2 && any >> 32 & 7 ? any & 15 : any);
    }
    LLVMFuzzerTestOneInput(bytes, size);
  }
}

static int run_file(const char *name) {
  uint8_t *bytes = malloc(MOST_BYTES);
  FILE *file = fopen(name, "rb");
  const int good = bytes && file;
  if (good)
    LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, MOST_BYTES, file));
  else
    fprintf(stderr, "%s cannot be read\n", name);
  if (file)
    fclose(file);
  free(bytes);
  return good ? 0 : 1;
}

int main(int argc, char **argv) {
  long count = 0;
  uint64_t seed = 1;
  int status = 0;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "-inputs=", 8) == 0)
      count = atol(argv[i] + 8);
    else if (strncmp(argv[i], "-seed=", 6) == 0)
      seed = strtoull(argv[i] + 6, NULL, 10) | 1;
    else
      status |= run_file(argv[i]);
  }
  run_made(count, seed * 0x9e3779b97f4a7c15u);
  return status;
}
