// SPDX-License-Identifier: BSD-3-Clause
/**
 * Allocation such that running out of memory ends in an error message. VTK's arrays cannot be
 * relied on for that: in debug builds, such as Debian's, they end the program if the system has no
 * memory. Everything large is therefore allocated here, where a failure throws std::bad_alloc, and
 * then handed to VTK. Enough memory is left over for the small arrays that VTK allocates itself.
 */
#ifndef TesseraMemory_h
#define TesseraMemory_h

#include "tessera.h"

#include <vtkType.h>

#include <cstddef>

class vtkAbstractArray;

namespace tessera {

/** Who writes an array first. */
enum class Writer { CPU, CUDA };

/** Who fills the output of a plan with this report. */
inline Writer WriterOf(const tsr_report &report) {
  return report.backend == TSR_BACKEND_CUDA ? Writer::CUDA : Writer::CPU;
}

/**
 * Sets the array's number of tuples, with memory that is fast to write for the first time. Throws
 * std::bad_alloc if there is none.
 *
 * A large output is written once, into pages that the system has not provided yet, and providing a
 * page of 4 KiB takes about as long as filling it. Large arrays therefore ask for huge pages if the
 * system has them; arrays that a CUDA device writes use the core's own output memory. The array
 * frees the memory itself and may be resized like any other.
 */
void AllocateTuples(vtkAbstractArray *array, vtkIdType tuples, Writer writer = Writer::CPU);

/** Memory for std::free, on huge pages where it is large and the system has them; nullptr where
 * there is none. */
void *SystemMemory(size_t bytes);

/** Memory for tsr_output_free, as AllocateTuples takes it; nullptr where there is none. */
void *MemoryFor(Writer writer, size_t bytes);

/** Throws std::bad_alloc if so little memory is left that VTK may not get memory for its small
 * arrays. */
void RequireHeadroom();

/** Throws std::bad_alloc unless the status is TSR_OK. For calls that can only fail because memory
 * has run out. */
void Require(tsr_status status);

/** True if there is memory for the stacks of this many threads. Starting threads without it ends
 * the program. */
bool CanStart(int threads);

/** To be called within a catch block: describes the exception in `error`. */
void DescribeException(tsr_error &error);

/** Runs `work`. If it throws, describes the exception in `error` and returns false. */
template <typename Work> bool Guard(tsr_error &error, const Work &work) {
  try {
    work();
    return true;
  } catch (...) {
    DescribeException(error);
    return false;
  }
}

} // namespace tessera

#endif
