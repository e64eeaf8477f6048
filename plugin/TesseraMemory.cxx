// SPDX-License-Identifier: BSD-3-Clause
#include "TesseraMemory.h"

#include <vtkAbstractArray.h>
#include <vtkDataArray.h>

#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tessera {

namespace {

/** Large memory on huge pages, or nullptr where that is not to be had. Freed by std::free. */
void *HugePages(size_t bytes) {
#ifdef __linux__
  const size_t page = size_t{1} << 21;
  const size_t least = 2 * page;
  if (bytes < least) {
    return nullptr;
  }
  void *memory = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (memory) {
    madvise(memory, bytes, MADV_HUGEPAGE); // a wish: without it everything works as before
  }
  return memory;
#else
  (void)bytes;
  return nullptr;
#endif
}

} // namespace

void AllocateTuples(vtkAbstractArray *array, vtkIdType tuples) {
  vtkDataArray *numbers = vtkDataArray::SafeDownCast(array);
  const vtkIdType values = tuples * array->GetNumberOfComponents();
  void *memory = nullptr;
  if (numbers && numbers->HasStandardMemoryLayout() && array->GetDataType() != VTK_BIT) {
    memory = HugePages(static_cast<size_t>(values) *
                       static_cast<size_t>(array->GetElementComponentSize()));
  }
  if (!memory) {
    array->SetNumberOfTuples(tuples);
    return;
  }
  array->SetVoidArray(memory, values, 0, vtkAbstractArray::VTK_DATA_ARRAY_USER_DEFINED);
  array->SetArrayFreeFunction(std::free);
}

} // namespace tessera
