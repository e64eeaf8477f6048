// SPDX-License-Identifier: BSD-3-Clause
/** Which kinds of data a filter takes, and what to do with the others. */
#ifndef TesseraInputs_h
#define TesseraInputs_h

#include <string>

class vtkDataObject;

namespace tessera {

/** What a filter takes: these datasets, and composites of anything. */
enum class Takes {
  GRIDS, /**< images, rectilinear and structured grids */
  LINES, /**< polygonal data and unstructured grids, which hold lines */
  POINTS /**< datasets with points of their own */
};

/**
 * Empty where the filter takes `input`, or there is none; else a sentence that says what the filter
 * takes, what it got, and which filter of ParaView to put before it, where there is one.
 */
std::string WrongKind(vtkDataObject *input, Takes takes);

} // namespace tessera

#endif
