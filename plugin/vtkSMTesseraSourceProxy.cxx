// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMTesseraSourceProxy.h"

#include <vtkObjectFactory.h>

vtkStandardNewMacro(vtkSMTesseraSourceProxy);

void vtkSMTesseraSourceProxy::PostUpdateData(bool usingCache) {
  const bool executed = this->NeedsUpdate && !usingCache;
  this->Superclass::PostUpdateData(usingCache);
  if (executed) {
    this->UpdatePropertyInformation();
  }
}
