// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkTurbulentJet
 * @brief a jet of burning gas whose turbulence grows along x, as an image that changes with time
 *
 * Output: a vtkImageData with the point arrays Velocity (divergence-free), Temperature and Scalar
 * (the fuel's share). A value depends on the settings, its own index and the time only, so any
 * extent comes out the same, whatever process makes it.
 *
 * The defaults are those of tsr_jet_options_init.
 */
#ifndef vtkTurbulentJet_h
#define vtkTurbulentJet_h

#include "frame/TesseraProperties.h"

#include <vtkImageAlgorithm.h>

#include <memory>

struct tsr_jet_choices;
struct tsr_jet_options;

class TESSERAFILTERS_EXPORT vtkTurbulentJet : public vtkImageAlgorithm {
public:
  static vtkTurbulentJet *New();
  vtkTypeMacro(vtkTurbulentJet, vtkImageAlgorithm);
  void PrintSelf(ostream &os, vtkIndent indent) override;
  int ProcessRequest(vtkInformation *request, vtkInformationVector **inputs,
                     vtkInformationVector *outputs) override;

  ///@{
  /** Points along each axis; 1 along z makes it flat. */
  TesseraProperty3(Dimensions, int);
  ///@}

  ///@{
  /** Where the image lies: xmin xmax ymin ymax zmin zmax. */
  TesseraProperty6(Bounds, double);
  ///@}

  ///@{
  /** The waves: their number, the seed that they come from, how many of the first and of the last
   *  one fit into the length, and how strong they are beside the stream. */
  TesseraProperty(Modes, int);
  TesseraProperty(Seed, int);
  TesseraProperty(LowestWavenumber, double);
  TesseraProperty(HighestWavenumber, double);
  TesseraProperty(Strength, double);
  ///@}

  ///@{
  /** Speed of the stream on the axis. */
  TesseraProperty(Speed, double);
  ///@}

  ///@{
  /** Lowest and highest temperature. */
  TesseraProperty2(TemperatureRange, double);
  ///@}

  ///@{
  /** Number of time steps, at equal distances over TimeRange. Default 11 over 0 to 1. */
  TesseraProperty(TimeSteps, int);
  TesseraProperty2(TimeRange, double);
  ///@}

  ///@{
  /** SINGLE_PRECISION (default) or DOUBLE_PRECISION values. */
  TesseraProperty(OutputPrecision, int);
  ///@}

protected:
  vtkTurbulentJet();
  ~vtkTurbulentJet() override;

  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;

private:
  vtkTurbulentJet(const vtkTurbulentJet &) = delete;
  void operator=(const vtkTurbulentJet &) = delete;

  bool CheckSettings();
  bool CheckMemory(vtkImageData *image);
  bool Fill(double time, vtkImageData *image);

  std::unique_ptr<tsr_jet_options> Core; /**< but for the extent and the time */
  std::unique_ptr<tsr_jet_choices> Choices;
  tessera::PropertyTable Table;
};

#endif
