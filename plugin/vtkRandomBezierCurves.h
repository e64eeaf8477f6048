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

#include "TesseraFiltersModule.h"

#include <vtkUnstructuredGridAlgorithm.h>

class TESSERAFILTERS_EXPORT vtkRandomBezierCurves : public vtkUnstructuredGridAlgorithm {
public:
  static vtkRandomBezierCurves *New();
  vtkTypeMacro(vtkRandomBezierCurves, vtkUnstructuredGridAlgorithm);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  ///@{
  /** How many curves. Default 1000. */
  vtkSetMacro(NumberOfCurves, int);
  vtkGetMacro(NumberOfCurves, int);
  ///@}

  ///@{
  /** Degree of all curves: 1 to 10, default 2. */
  vtkSetMacro(Degree, int);
  vtkGetMacro(Degree, int);
  ///@}

  ///@{
  /** The control points come from it. Default 1. */
  vtkSetMacro(Seed, int);
  vtkGetMacro(Seed, int);
  ///@}

protected:
  vtkRandomBezierCurves();
  ~vtkRandomBezierCurves() override = default;

  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;

private:
  vtkRandomBezierCurves(const vtkRandomBezierCurves &) = delete;
  void operator=(const vtkRandomBezierCurves &) = delete;

  bool CheckSettings();
  void Fill(vtkInformation *info);

  int NumberOfCurves = 1000;
  int Degree = 2;
  int Seed = 1;
};

#endif
