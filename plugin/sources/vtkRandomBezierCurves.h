// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRandomBezierCurves
 * @brief Bezier curves whose control points are random, to try Adaptive Curves on
 *
 * Output: a vtkUnstructuredGrid of VTK_BEZIER_CURVE cells, whose points lie in the unit cube, with
 * the cell array Curve (its number). A curve depends on the settings and its number only: each
 * process makes its share of the same curves.
 */
#ifndef vtkRandomBezierCurves_h
#define vtkRandomBezierCurves_h

#include "frame/TesseraProperties.h"

#include <vtkUnstructuredGridAlgorithm.h>

#include <memory>

struct tsr_random_curves_options;

class TESSERAFILTERS_EXPORT vtkRandomBezierCurves : public vtkUnstructuredGridAlgorithm {
public:
  static vtkRandomBezierCurves *New();
  vtkTypeMacro(vtkRandomBezierCurves, vtkUnstructuredGridAlgorithm);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  ///@{
  /** Number of curves. Default 1000. */
  TesseraProperty(NumberOfCurves, int);
  ///@}

  ///@{
  /** Degree of all curves: 1 to 10, default 2. */
  TesseraProperty(Degree, int);
  ///@}

  ///@{
  /** Seed of the random control points. Default 1. */
  TesseraProperty(Seed, int);
  ///@}

protected:
  vtkRandomBezierCurves();
  ~vtkRandomBezierCurves() override;

  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;

private:
  vtkRandomBezierCurves(const vtkRandomBezierCurves &) = delete;
  void operator=(const vtkRandomBezierCurves &) = delete;

  void Fill(vtkInformation *info);

  std::unique_ptr<tsr_random_curves_options> Core;
  tessera::PropertyTable Table;
};

#endif
