// SPDX-License-Identifier: BSD-3-Clause
#include "stamps.h"

#include <algorithm>
#include <cstring>

namespace emulator {

namespace {

const size_t most_bytes = 4 << 20; // of a block that is looked at: larger ones take too long
const size_t chunk = 4096;         // compared at once

} // namespace

stamps::stamps(const char *memory, size_t bytes) {
  if (bytes > most_bytes)
    return;
  seen.assign(memory, memory + bytes);
  numbers.assign(bytes, 0);
}

void stamps::look(const char *memory, uint32_t number) {
  for (size_t at = 0; at < seen.size(); at += chunk) {
    const size_t end = std::min(seen.size(), at + chunk);
    if (memcmp(&seen[at], memory + at, end - at) == 0)
      continue;
    for (size_t b = at; b < end; ++b)
      if (seen[b] != memory[b]) {
        seen[b] = memory[b];
        numbers[b] = number;
      }
  }
}

size_t stamps::later(size_t begin, size_t n, uint32_t most, uint32_t *number) const {
  size_t bytes = 0;
  for (size_t b = begin; b < std::min(numbers.size(), begin + n); ++b)
    if (numbers[b] > most) {
      *number = numbers[b];
      ++bytes;
    }
  return bytes;
}

} // namespace emulator
