// SPDX-License-Identifier: BSD-3-Clause
#include "sm/vtkSMTesseraBoundsDomain.h"

#include <vtkMath.h>
#include <vtkObjectFactory.h>
#include <vtkPVDataInformation.h>

vtkStandardNewMacro(vtkSMTesseraBoundsDomain);

int vtkSMTesseraBoundsDomain::SetDefaultValues(vtkSMProperty *property, bool unchecked) {
  vtkPVDataInformation *input = this->GetInputInformation();
  double bounds[6] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
  if (input) {
    input->GetBounds(bounds);
  }
  return vtkMath::AreBoundsInitialized(bounds)
             ? this->Superclass::SetDefaultValues(property, unchecked)
             : 0;
}
