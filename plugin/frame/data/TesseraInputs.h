// SPDX-License-Identifier: BSD-3-Clause
/** Which kinds of data a filter takes, and what to tell the user about other kinds. */
#ifndef TesseraInputs_h
#define TesseraInputs_h

#include <string>

class vtkDataObject;

namespace tessera {

/** The datasets that a filter takes, by themselves or in composites. */
enum class Takes {
  GRIDS,  /**< images, rectilinear and structured grids; AMR, hyper trees, unstructured grids */
  LINES,  /**< polygonal data and unstructured grids, which hold lines */
  POINTS, /**< datasets with points of their own */
  CELLS   /**< unstructured grids */
};

/**
 * Empty if the filter takes `input` or there is none. Otherwise a sentence that says what the
 * filter takes, what it got and, if there is one, which filter of ParaView to apply first.
 */
std::string WrongKind(vtkDataObject *input, Takes takes);

} // namespace tessera

#endif
