// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRandomDiscs
 * @brief points with radii, colors and opacities, to try Disc Image on
 *
 * Output: a vtkPolyData of points with a vertex each and the point arrays Radius, Color (RGB,
 * unsigned char) and Opacity. A disc depends on the settings and its index only: each process makes
 * its share of the same scene.
 *
 * The defaults are those of tsr_random_discs_options_init.
 */
#ifndef vtkRandomDiscs_h
#define vtkRandomDiscs_h

#include "frame/TesseraProperties.h"

#include <vtkPolyDataAlgorithm.h>

#include <memory>

struct tsr_random_discs_options;

class TESSERAFILTERS_EXPORT vtkRandomDiscs : public vtkPolyDataAlgorithm {
public:
  static vtkRandomDiscs *New();
  vtkTypeMacro(vtkRandomDiscs, vtkPolyDataAlgorithm);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  ///@{
  /** Random (0), RGB (1), Pattern (2), Snow (3), Big and Little (4). */
  TesseraProperty(Scene, int);
  ///@}

  ///@{
  /** How many discs, where the scene does not say; and the seed that they come from. */
  TesseraProperty(NumberOfDiscs, int);
  TesseraProperty(Seed, int);
  ///@}

  ///@{
  /** Least and greatest radius of the scene Random, and the opacity of all. */
  TesseraProperty2(RadiusRange, double);
  TesseraProperty(Opacity, double);
  ///@}

protected:
  vtkRandomDiscs();
  ~vtkRandomDiscs() override;

  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;

private:
  vtkRandomDiscs(const vtkRandomDiscs &) = delete;
  void operator=(const vtkRandomDiscs &) = delete;

  std::unique_ptr<tsr_random_discs_options> Core;
  tessera::PropertyTable Table;
};

#endif
