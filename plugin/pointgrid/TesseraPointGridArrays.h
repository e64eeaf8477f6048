// SPDX-License-Identifier: BSD-3-Clause
/** Chooses the point arrays of a dataset that the output has, too, if several processes hold parts
 * of it. */
#ifndef TesseraPointGridArrays_h
#define TesseraPointGridArrays_h

#include "frame/report/TesseraWarningList.h"
#include "tessera.h"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class vtkPointData;

namespace tessera {

class Processes;

/** The numeric arrays that have `points` tuples. tellOthers: a warning about every other array is
 * added to `messages`. */
std::vector<vtkSmartPointer<vtkDataArray>> NumericArrays(vtkPointData *data, vtkIdType points,
                                                         bool tellOthers, WarningList &messages);

/** Keeps the arrays that every process with points has, in the same order on all processes. A
 * process without points gets empty arrays. Collective. */
std::vector<vtkSmartPointer<vtkDataArray>>
AgreeOnArrays(const std::vector<vtkSmartPointer<vtkDataArray>> &mine, vtkIdType points,
              const Processes &processes, WarningList &messages, tsr_error &error);

} // namespace tessera

#endif
