// SPDX-License-Identifier: BSD-3-Clause
#include "frame/run/TesseraRequests.h"

#include <vtkAlgorithm.h>
#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkSetGet.h>
#include <vtkStreamingDemandDrivenPipeline.h>

namespace tessera {

void GiveUp(vtkAlgorithm *self, const tsr_error &error, vtkInformation *request,
            vtkInformationVector *outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  // Memory is freed before the message is made, which takes some as well.
  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port) {
    vtkInformation *info = outputs->GetInformationObject(port);
    vtkDataObject *output = vtkDataObject::GetData(info);
    if (output && request->Has(Pipeline::REQUEST_DATA())) {
      output->Initialize();
    }
    if (info->Has(Pipeline::WHOLE_EXTENT()) && request->Has(Pipeline::REQUEST_INFORMATION())) {
      // Otherwise the request for data that follows would be answered.
      const int nothing[6] = {0, -1, 0, -1, 0, -1};
      info->Set(Pipeline::WHOLE_EXTENT(), nothing, 6);
    }
  }
  vtkErrorWithObjectMacro(self, "Nothing was made: " << error.text << ".");
}

} // namespace tessera
