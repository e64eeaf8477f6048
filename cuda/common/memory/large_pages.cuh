// SPDX-License-Identifier: BSD-3-Clause
// Huge pages for large host memory.
#ifndef TSR_COMMON_MEMORY_LARGE_PAGES_CUH
#define TSR_COMMON_MEMORY_LARGE_PAGES_CUH

#include <cstddef>

const size_t tsr_large_page = (size_t)2 << 20; // bytes of a huge page of x86-64

// Asks the system for huge pages for memory that is about to be touched for the first time.
void tsr_advise_large(void *memory, size_t bytes);

#endif
