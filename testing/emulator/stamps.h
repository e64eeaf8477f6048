// SPDX-License-Identifier: BSD-3-Clause
// The number of the launch that wrote each byte of a block of memory last, as far as its value
// shows.
#ifndef EMULATOR_STAMPS_H
#define EMULATOR_STAMPS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulator {

class stamps {
  std::vector<char> seen;
  std::vector<uint32_t> numbers; // 0: as it was allocated; empty: the block is not looked at

public:
  stamps(const char *memory, size_t bytes);

  // Stamps what has changed since the last look.
  void look(const char *memory, uint32_t number);

  // Bytes of [begin, begin + n) with a number above `most`, and the last one's.
  size_t later(size_t begin, size_t n, uint32_t most, uint32_t *number) const;
};

} // namespace emulator

#endif
