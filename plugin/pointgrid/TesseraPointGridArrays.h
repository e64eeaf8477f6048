// SPDX-License-Identifier: BSD-3-Clause
/** Which point arrays of a dataset come along, where several processes hold parts of it. */
#ifndef TesseraPointGridArrays_h
#define TesseraPointGridArrays_h

#include "tessera.h"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <set>
#include <string>
#include <vector>

class vtkPointData;

namespace tessera {

class Processes;

/** The numeric arrays of `points` points; the others are left out with a sentence in `messages`. */
std::vector<vtkSmartPointer<vtkDataArray>> NumericArrays(vtkPointData *data, vtkIdType points,
                                                         bool tellOthers,
                                                         std::set<std::string> &messages);

/** The same arrays in the same order on all processes: those that every process with points has. A
 *  process without points gets empty ones. Collective. */
std::vector<vtkSmartPointer<vtkDataArray>>
AgreeOnArrays(const std::vector<vtkSmartPointer<vtkDataArray>> &mine, vtkIdType points,
              const Processes &processes, std::set<std::string> &messages, tsr_error &error);

} // namespace tessera

#endif
