// SPDX-License-Identifier: BSD-3-Clause
/**
 * Memory that runs out must end in a sentence. VTK's arrays cannot be relied on for that: built for
 * debugging, as Debian's are, they end the program where the system gives them nothing. So all that
 * has size is allocated here, which throws std::bad_alloc, and then handed to VTK; and enough is
 * left over for the small arrays that VTK makes by itself.
 */
#ifndef TesseraMemory_h
#define TesseraMemory_h

#include "tessera.h"

#include <vtkType.h>

class vtkAbstractArray;

namespace tessera {

/** Who writes an array first. */
enum class Writer { CPU, CUDA };

/**
 * Sets the array's number of tuples, with memory that is fast to write for the first time. Throws
 * std::bad_alloc where there is none.
 *
 * A large output is written once into memory that no page stands behind yet, and asking for a page
 * of 4 KiB costs about as much as filling it. Large arrays therefore ask for huge pages where the
 * system has them, and for the core's own output memory where a CUDA device will write them. The
 * array frees the memory by itself and may be resized as any other.
 */
void AllocateTuples(vtkAbstractArray *array, vtkIdType tuples, Writer writer = Writer::CPU);

/** Throws std::bad_alloc where so little memory is left that VTK's small arrays may get none. */
void RequireHeadroom();

/** Throws std::bad_alloc unless the status is TSR_OK: of calls that can fail for want of memory
 * only.
 */
void Require(tsr_status status);

/** Is there memory for the stacks of so many threads? Starting them without ends the program. */
bool CanStart(int threads);

/** Within a catch block: puts into `error`, in a sentence, what was thrown. */
void DescribeException(tsr_error &error);

/** Runs `work`. Where it throws, `error` says so in a sentence and the result is false. */
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
