// SPDX-License-Identifier: BSD-3-Clause
/** The pipeline's requests, of which none may end the program. */
#ifndef TesseraRequests_h
#define TesseraRequests_h

#include "frame/TesseraMemory.h"

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace tessera {

/** An error of `self`, and outputs that are empty. */
void GiveUp(vtkAlgorithm *self, const tsr_error &error, vtkInformation *request,
            vtkInformationVector *outputs);

/** What `process` gives for a request; where it throws, a sentence. */
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
