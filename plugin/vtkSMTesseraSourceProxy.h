// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkSMTesseraSourceProxy
 * @brief the proxy of a filter whose panel shows what its last execution did
 *
 * ParaView asks for a filter's information properties once, when its panel is new. This one asks
 * after each execution, so that the report in the panel is that of the output. In XML it is
 * TesseraSourceProxy in place of SourceProxy.
 */
#ifndef vtkSMTesseraSourceProxy_h
#define vtkSMTesseraSourceProxy_h

#include "TesseraFiltersModule.h"

#include <vtkSMSourceProxy.h>

class TESSERAFILTERS_EXPORT vtkSMTesseraSourceProxy : public vtkSMSourceProxy {
public:
  static vtkSMTesseraSourceProxy *New();
  vtkTypeMacro(vtkSMTesseraSourceProxy, vtkSMSourceProxy);

protected:
  vtkSMTesseraSourceProxy() = default;
  ~vtkSMTesseraSourceProxy() override = default;

  void PostUpdateData(bool usingCache) override;

private:
  vtkSMTesseraSourceProxy(const vtkSMTesseraSourceProxy &) = delete;
  void operator=(const vtkSMTesseraSourceProxy &) = delete;
};

#endif
