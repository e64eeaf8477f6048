// SPDX-License-Identifier: BSD-3-Clause
/** Answers the pipeline's requests such that no exception ends the program. */
#ifndef TesseraRequests_h
#define TesseraRequests_h

#include "frame/data/TesseraMemory.h"

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace tessera {

/** Reports `error` as an error of `self`, and empties the outputs. */
void GiveUp(vtkAlgorithm *self, const tsr_error &error, vtkInformation *request,
            vtkInformationVector *outputs);

/** Returns the result of `process`. If it throws, reports an error instead. */
template <typename Process>
int GuardRequest(vtkAlgorithm *self, vtkInformation *request, vtkInformationVector *outputs,
                 const Process &process) {
  tsr_error error;
  int result = 1; // with a failure here VTK would add two messages of its own
  if (!Guard(error, [&] { result = process(); })) {
    GiveUp(self, error, request, outputs);
  }
  return result;
}

} // namespace tessera

#endif
