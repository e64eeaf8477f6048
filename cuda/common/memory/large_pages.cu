// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/memory/large_pages.cuh"

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

void tsr_advise_large(void *memory, size_t bytes) {
#ifdef __linux__
  const uintptr_t first =
      ((uintptr_t)memory + tsr_large_page - 1) / tsr_large_page * tsr_large_page;
  const uintptr_t last = ((uintptr_t)memory + bytes) / tsr_large_page * tsr_large_page;
  if (last > first)
    madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)bytes;
#endif
}
