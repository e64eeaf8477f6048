// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkDiscImage
 * @brief draws points as discs into an image, one after another
 *
 * Input: any vtkPointSet, or composites of them; all datasets and processes make one image. Output:
 * a vtkImageData in the chosen plane with the point array Colors (RGBA, unsigned char), on process
 * 0; on the others it is empty. Discs are drawn dataset by dataset, process by process, unless
 * another order is chosen; ghost points are left out.
 *
 * The defaults are those of tsr_discs_options_init. Values are not clamped: one that is out of
 * range is an error, with an empty output.
 */
#ifndef vtkDiscImage_h
#define vtkDiscImage_h

#include "vtkTesseraFilter.h"

namespace tessera {
struct DiscsSettings;
}

class TESSERAFILTERS_EXPORT vtkDiscImage : public vtkTesseraFilter {
public:
  static vtkDiscImage *New();
  vtkTypeMacro(vtkDiscImage, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  ///@{
  /** The plane of the image: its rows run along the first axis. Default XY. */
  TesseraProperty(Plane, int);
  ///@}

  ///@{
  /** Pixels along the rows and columns. Default 1024 x 1024. */
  TesseraProperty2(Resolution, int);
  ///@}

  ///@{
  /** Samples along a side of a pixel: 1 (default), 2 or 4. */
  TesseraProperty(Supersampling, int);
  ///@}

  ///@{
  /** What the image holds: the box Region, as far as it lies in the plane, or (default) all discs.
   */
  TesseraProperty(UseRegion, bool);
  TesseraProperty6(Region, double);
  ///@}

  ///@{
  /** The radius of all discs, or the array that holds them (empty or None: none); in the units of
   *  the world (0) or in pixels (1); times RadiusScale. */
  void SetRadiusArray(const char *name);
  TesseraProperty(Radius, double);
  TesseraProperty(RadiusScale, double);
  TesseraProperty(RadiusUnit, int);
  ///@}

  ///@{
  /** Where colors come from: Color (0, default), ColorArray, which has 3 or 4 components (1), or
   *  ColorArray through the color map (2; of several components the magnitude). */
  TesseraProperty(ColorMode, int);
  void SetColorArray(const char *name);
  TesseraProperty3(Color, double);
  ///@}

  ///@{
  /** The color map: values that rise, with their colors; it is stretched over the range of the
   *  array, or over ScalarRange. Empty: black to white. */
  void AddColorMapPoint(double value, double red, double green, double blue);
  void ClearColorMap();
  TesseraProperty(UseScalarRange, bool);
  TesseraProperty2(ScalarRange, double);
  TesseraProperty3(NanColor, double);
  ///@}

  ///@{
  /** The opacity of all discs, times that of the array, if there is one; and how it falls off
   *  towards the edge: not at all (0, default) or as a Gaussian of the sharpness (1). */
  TesseraProperty(Opacity, double);
  void SetOpacityArray(const char *name);
  TesseraProperty(Falloff, int);
  TesseraProperty(Sharpness, double);
  ///@}

  ///@{
  /** Which disc is drawn first: that of the first point (0, default), the furthest one (1), or that
   *  of the smallest value of OrderArray (2). */
  TesseraProperty(Order, int);
  void SetOrderArray(const char *name);
  ///@}

  ///@{
  /** What lies behind all discs. Default: nothing. */
  TesseraProperty3(Background, double);
  TesseraProperty(BackgroundOpacity, double);
  ///@}

  ///@{
  /** Make the point array TopPoint: the point whose disc was drawn last at each pixel, or -1. */
  TesseraProperty(GenerateTopPoint, bool);
  ///@}

  ///@{
  /** How CUDA runs; the CPU does not look at it. Meaning, values and defaults are those of
   * tsr_discs_launch. */
  TesseraProperty(LaunchStrategy, int);
  TesseraProperty(ChildStream, int);
  TesseraProperty(PendingLaunchCount, int);
  TesseraProperty(LaunchThreshold, int);
  ///@}

protected:
  vtkDiscImage();
  ~vtkDiscImage() override;

  const char *GetDatasetClass() const override { return "vtkImageData"; }
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Execution> NewExecution(vtkDataObject *input,
                                                   tessera::ThreadRunner &runner) const override;
  void AddExecutionReport(const tessera::Execution &execution, vtkDataObject *output) override;
  void AddLaunchReport(vtkFieldData *data, const tessera::Report &report) override;
  void SetResults(const tessera::Execution &execution, vtkDataObject *input,
                  vtkDataObject *output) override;

  tessera::Takes GetTaken() const override { return tessera::Takes::POINTS; }
  int RequestDataObject(vtkInformation *request, vtkInformationVector **inputs,
                        vtkInformationVector *outputs) override;
  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;
  int RequestUpdateExtent(vtkInformation *request, vtkInformationVector **inputs,
                          vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;

private:
  vtkDiscImage(const vtkDiscImage &) = delete;
  void operator=(const vtkDiscImage &) = delete;

  std::unique_ptr<tessera::DiscsSettings> Settings;
  vtkMTimeType FailedAt = 0; /**< when settings or input had last changed before an execution that
                                made nothing; 0: the last one made an image */
};

#endif
