// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkSMTesseraBoundsDomain
 * @brief a bounds domain that has no default where there are no bounds yet
 *
 * The bounds of an input that never ran are empty, from 1 to -1, and ParaView's domain makes
 * defaults of them all the same: a radius below 0. With this one the property keeps the default of
 * its XML.
 *
 * In XML it is TesseraBoundsDomain in place of BoundsDomain.
 */
#ifndef vtkSMTesseraBoundsDomain_h
#define vtkSMTesseraBoundsDomain_h

#include "TesseraFiltersModule.h"

#include <vtkSMBoundsDomain.h>

class TESSERAFILTERS_EXPORT vtkSMTesseraBoundsDomain : public vtkSMBoundsDomain {
public:
  static vtkSMTesseraBoundsDomain *New();
  vtkTypeMacro(vtkSMTesseraBoundsDomain, vtkSMBoundsDomain);

  int SetDefaultValues(vtkSMProperty *property, bool unchecked) override;

protected:
  vtkSMTesseraBoundsDomain() = default;
  ~vtkSMTesseraBoundsDomain() override = default;

private:
  vtkSMTesseraBoundsDomain(const vtkSMTesseraBoundsDomain &) = delete;
  void operator=(const vtkSMTesseraBoundsDomain &) = delete;
};

#endif
