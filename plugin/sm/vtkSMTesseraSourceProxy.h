// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkSMTesseraSourceProxy
 * @brief the proxy of a filter whose panel shows what it did last, and what it would do
 *
 * ParaView asks for a filter's information properties once, when its panel is new. This one asks
 * after each execution, so that the report in the panel is that of the output.
 *
 * The command Estimate makes another filter with the settings that the panel shows, applied or not,
 * has it plan only, and puts what it says into EstimateText. The filter itself stays as it is.
 *
 * A property whose command is Preset sets others, by its hints: <Set property="..." value="..."/>,
 * or switches one over: <Toggle property="..."/>.
 *
 * ParaView's box widget knows a corner and a size, filters know bounds. With the hint
 * <Box bounds="..." corner="..." size="..."/> the proxy has three such properties say the same at
 * all times; the filter gets the bounds alone.
 *
 * The first one tells ParaView to color arrays named Level by one color a level.
 *
 * In XML it is TesseraSourceProxy in place of SourceProxy.
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
  vtkSMTesseraSourceProxy();
  ~vtkSMTesseraSourceProxy() override;

  void PostUpdateData(bool usingCache) override;

private:
  vtkSMTesseraSourceProxy(const vtkSMTesseraSourceProxy &) = delete;
  void operator=(const vtkSMTesseraSourceProxy &) = delete;

  void OnCommand(vtkObject *caller, unsigned long event, void *name);
  void OnModified(vtkObject *caller, unsigned long event, void *name);
  void Estimate();
  void TakePreset(vtkPVXMLElement *hints);

  bool BoxFollows = false; // while one of the two ways to say a box is made to follow the other
};

#endif
