// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkDiscImage
 * @brief draws points as discs into an image, one after another
 *
 * Input: any vtkPointSet, or composites of them; all leaves and processes make one image. Output: a
 * vtkImageData in the chosen plane with the point array Colors (RGBA, unsigned char), on process 0;
 * on the others it is empty. Discs are drawn leaf by leaf, process by process, unless another order
 * is chosen; ghost points are left out.
 *
 * The defaults are those of tsr_discs_options_init. Values are not clamped: one that is out of
 * range is an error, with an empty output.
 */
#ifndef vtkDiscImage_h
#define vtkDiscImage_h

#include "vtkTesseraFilter.h"

#include <string>
#include <vector>

namespace tessera {
struct DiscsSettings;
}

class TESSERAFILTERS_EXPORT vtkDiscImage : public vtkTesseraFilter {
public:
  static vtkDiscImage *New();
  vtkTypeMacro(vtkDiscImage, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  enum PlaneType { XY = 0, YZ, XZ };
  enum ColorModeType { CONSTANT = 0, COLORS, MAPPED };

  ///@{
  /** The plane of the image: its rows run along the first axis. Default XY. */
  vtkSetMacro(Plane, int);
  vtkGetMacro(Plane, int);
  ///@}

  ///@{
  /** Pixels along the rows and columns. Default 1024 x 1024. */
  vtkSetVector2Macro(Resolution, int);
  vtkGetVector2Macro(Resolution, int);
  ///@}

  ///@{
  /** Samples along a side of a pixel: 1 (default), 2 or 4. */
  vtkSetMacro(Supersampling, int);
  vtkGetMacro(Supersampling, int);
  ///@}

  ///@{
  /** What the image holds: the box Region, as far as it lies in the plane, or (default) all discs.
   */
  vtkSetMacro(UseRegion, bool);
  vtkGetMacro(UseRegion, bool);
  vtkSetVector6Macro(Region, double);
  vtkGetVector6Macro(Region, double);
  ///@}

  ///@{
  /** The radius of all discs, or the array that holds them (empty or None: none); in the units of
   *  the world (0) or in pixels (1); times RadiusScale. */
  void SetRadiusArray(const char *name);
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  vtkSetMacro(RadiusScale, double);
  vtkGetMacro(RadiusScale, double);
  vtkSetMacro(RadiusUnit, int);
  vtkGetMacro(RadiusUnit, int);
  ///@}

  ///@{
  /** Where colors come from: CONSTANT (Color, default), COLORS (ColorArray has 3 or 4 components),
   *  MAPPED (ColorArray through the color map, of several components the magnitude). */
  vtkSetMacro(ColorMode, int);
  vtkGetMacro(ColorMode, int);
  void SetColorArray(const char *name);
  vtkSetVector3Macro(Color, double);
  vtkGetVector3Macro(Color, double);
  ///@}

  ///@{
  /** The color map: values that rise, with their colors; it is stretched over the range of the
   *  array, or over ScalarRange. Empty: black to white. */
  void AddColorMapPoint(double value, double red, double green, double blue);
  void ClearColorMap();
  vtkSetMacro(UseScalarRange, bool);
  vtkGetMacro(UseScalarRange, bool);
  vtkSetVector2Macro(ScalarRange, double);
  vtkGetVector2Macro(ScalarRange, double);
  vtkSetVector3Macro(NanColor, double);
  vtkGetVector3Macro(NanColor, double);
  ///@}

  ///@{
  /** The opacity of all discs, times that of the array, if there is one; and how it falls off
   *  towards the edge: not at all (0, default) or as a Gaussian of the sharpness (1). */
  vtkSetMacro(Opacity, double);
  vtkGetMacro(Opacity, double);
  void SetOpacityArray(const char *name);
  vtkSetMacro(Falloff, int);
  vtkGetMacro(Falloff, int);
  vtkSetMacro(Sharpness, double);
  vtkGetMacro(Sharpness, double);
  ///@}

  ///@{
  /** Which disc is drawn first: that of the first point (0, default), the furthest one (1), or that
   *  of the smallest value of OrderArray (2). */
  vtkSetMacro(Order, int);
  vtkGetMacro(Order, int);
  void SetOrderArray(const char *name);
  ///@}

  ///@{
  /** What lies behind all discs. Default: nothing. */
  vtkSetVector3Macro(Background, double);
  vtkGetVector3Macro(Background, double);
  vtkSetMacro(BackgroundOpacity, double);
  vtkGetMacro(BackgroundOpacity, double);
  ///@}

  ///@{
  /** Make the point array TopPoint: the point whose disc was drawn last at each pixel, or -1. */
  vtkSetMacro(GenerateTopPoint, bool);
  vtkGetMacro(GenerateTopPoint, bool);
  ///@}

  ///@{
  /** How CUDA runs; the CPU does not look at it. Meaning, values and defaults are those of
   * tsr_discs_launch. */
  vtkSetMacro(ChildStream, int);
  vtkGetMacro(ChildStream, int);
  vtkSetMacro(PendingLaunchCount, int);
  vtkGetMacro(PendingLaunchCount, int);
  vtkSetMacro(LaunchThreshold, int);
  vtkGetMacro(LaunchThreshold, int);
  ///@}

protected:
  vtkDiscImage();
  ~vtkDiscImage() override = default;

  const char *GetLeafClass() const override { return "vtkImageData"; }
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Job> NewJob(vtkDataObject *input,
                                       tessera::Execution &execution) const override;
  void AddJobReport(const tessera::Job &job, vtkDataObject *output) override;
  void AddLaunchReport(vtkFieldData *data, const tessera::Report &report) override;
  void SetResults(const tessera::Job &job, vtkDataObject *input, vtkDataObject *output) override;

  int FillInputPortInformation(int port, vtkInformation *info) override;
  int RequestDataObject(vtkInformation *request, vtkInformationVector **inputs,
                        vtkInformationVector *outputs) override;
  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;

private:
  vtkDiscImage(const vtkDiscImage &) = delete;
  void operator=(const vtkDiscImage &) = delete;

  void SetName(std::string &member, const char *name);
  bool CheckResolution();
  void FillSettings(tessera::DiscsSettings &settings) const;

  int Plane, Resolution[2], Supersampling;
  bool UseRegion;
  double Region[6];
  std::string RadiusArray, ColorArray, OpacityArray, OrderArray;
  double Radius, RadiusScale;
  int RadiusUnit, ColorMode;
  double Color[3];
  std::vector<double> ColorMap;
  bool UseScalarRange;
  double ScalarRange[2], NanColor[3], Opacity;
  int Falloff;
  double Sharpness;
  int Order;
  double Background[3], BackgroundOpacity;
  bool GenerateTopPoint;
  int ChildStream, PendingLaunchCount, LaunchThreshold;
};

#endif
