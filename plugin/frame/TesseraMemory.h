// SPDX-License-Identifier: BSD-3-Clause
#ifndef TesseraMemory_h
#define TesseraMemory_h

#include <vtkType.h>

class vtkAbstractArray;

namespace tessera {

/** Who writes an array first. */
enum class Writer { CPU, CUDA };

/**
 * Sets the array's number of tuples, with memory that is fast to write for the first time.
 *
 * A large output is written once into memory that no page stands behind yet, and asking for a page
 * of 4 KiB costs about as much as filling it. Large arrays therefore ask for huge pages where the
 * system has them, and for the core's own output memory where a CUDA device will write them. The
 * array frees the memory by itself and may be resized as any other.
 */
void AllocateTuples(vtkAbstractArray *array, vtkIdType tuples, Writer writer = Writer::CPU);

} // namespace tessera

#endif
