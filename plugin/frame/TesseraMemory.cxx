// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraMemory.h"

#include "tessera.h"

#include <vtkAbstractArray.h>
#include <vtkDataArray.h>

#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tessera {

namespace {

/** Smaller arrays are left to VTK. */
const size_t PAGE = size_t{1} << 21;
const size_t LEAST = 2 * PAGE;

/** Memory on huge pages, or nullptr where that is not to be had. Freed by std::free. */
void *HugePages(size_t bytes) {
#ifdef __linux__
  void *memory = std::aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
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

void AllocateTuples(vtkAbstractArray *array, vtkIdType tuples, Writer writer) {
  vtkDataArray *numbers = vtkDataArray::SafeDownCast(array);
  const vtkIdType values = tuples * array->GetNumberOfComponents();
  const size_t bytes =
      static_cast<size_t>(values) * static_cast<size_t>(array->GetElementComponentSize());
  void *memory = nullptr;
  if (numbers && numbers->HasStandardMemoryLayout() && array->GetDataType() != VTK_BIT &&
      bytes >= LEAST) {
    memory = writer == Writer::CUDA ? tsr_output_alloc(bytes) : HugePages(bytes);
  }
  if (!memory) {
    array->SetNumberOfTuples(tuples);
    return;
  }
  array->SetVoidArray(memory, values, 0, vtkAbstractArray::VTK_DATA_ARRAY_USER_DEFINED);
  array->SetArrayFreeFunction(writer == Writer::CUDA ? tsr_output_free : std::free);
}

} // namespace tessera
