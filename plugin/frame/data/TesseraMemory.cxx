// SPDX-License-Identifier: BSD-3-Clause
#include "frame/data/TesseraMemory.h"

#include "tessera.h"

#include <vtkAbstractArray.h>
#include <vtkDataArray.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#ifdef __linux__
#include <pthread.h>
#include <sys/mman.h>
#endif

namespace tessera {

namespace {

/** Smaller arrays ask for no huge pages. */
const size_t PAGE = size_t{1} << 21;
const size_t LEAST = 2 * PAGE;

/** Memory that VTK may use for its own small arrays before we check again. */
const size_t HEADROOM = size_t{16} << 20;

/** Would the system give so much now? Nothing is written to it, so asking costs next to nothing. */
bool CanGive(size_t bytes) {
#ifdef __linux__
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && munmap(memory, bytes) == 0;
#else
  void *memory = std::malloc(bytes);
  std::free(memory);
  return memory != nullptr;
#endif
}

void SetFailure(tsr_error &error, tsr_status status, const char *what, const char *name) {
  error.status = status;
  error.item = -1;
  std::snprintf(error.text, sizeof(error.text), "%s%s", what, name);
}

} // namespace

void *SystemMemory(size_t bytes) {
#ifdef __linux__
  if (bytes >= LEAST) {
    void *memory = std::aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    if (memory) {
      madvise(memory, bytes, MADV_HUGEPAGE); // a wish: without it everything works as before
    }
    return memory;
  }
#endif
  return std::malloc(bytes);
}

void *MemoryFor(Writer writer, size_t bytes) {
  void *memory = writer == Writer::CUDA ? tsr_output_alloc(bytes) : nullptr;
  return memory ? memory : SystemMemory(bytes);
}

void AllocateTuples(vtkAbstractArray *array, vtkIdType tuples, Writer writer) {
  vtkDataArray *numbers = vtkDataArray::SafeDownCast(array);
  const vtkIdType values = tuples * array->GetNumberOfComponents();
  const bool plain =
      numbers && numbers->HasStandardMemoryLayout() && array->GetDataType() != VTK_BIT;
  if (!plain || values == 0) {
    array->SetNumberOfTuples(tuples);
    return;
  }
  const size_t bytes =
      static_cast<size_t>(values) * static_cast<size_t>(array->GetElementComponentSize());
  void *memory = MemoryFor(writer, bytes);
  if (!memory) {
    throw std::bad_alloc();
  }
  array->SetVoidArray(memory, values, 0, vtkAbstractArray::VTK_DATA_ARRAY_USER_DEFINED);
  array->SetArrayFreeFunction(writer == Writer::CUDA ? tsr_output_free : std::free);
  if (bytes >= LEAST) {
    RequireHeadroom();
  }
}

void RequireHeadroom() {
  if (!CanGive(HEADROOM)) {
    throw std::bad_alloc();
  }
}

void Require(tsr_status status) {
  if (status != TSR_OK) {
    throw std::bad_alloc();
  }
}

bool CanStart(int threads) {
  size_t stack = size_t{8} << 20;
#ifdef __linux__
  pthread_attr_t defaults;
  if (pthread_attr_init(&defaults) == 0) {
    pthread_attr_getstacksize(&defaults, &stack);
    pthread_attr_destroy(&defaults);
  }
#endif
  return CanGive(static_cast<size_t>(threads) * stack + HEADROOM);
}

void DescribeException(tsr_error &error) {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    SetFailure(error, TSR_NO_MEMORY, "the system gave no memory for the output arrays", "");
  } catch (const std::exception &problem) {
    SetFailure(error, TSR_BAD_INPUT, "something unforeseen went wrong: ", problem.what());
  } catch (...) {
    SetFailure(error, TSR_BAD_INPUT, "something unforeseen went wrong", "");
  }
}

} // namespace tessera
