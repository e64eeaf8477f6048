// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkAdaptiveCurves
 * @brief tessellates polylines and curve cells: fine where they bend, coarse where they do not
 *
 * Input: the lines of a vtkPolyData; the cells of type VTK_LINE, VTK_POLY_LINE,
 * VTK_QUADRATIC_EDGE, VTK_CUBIC_LINE, VTK_LAGRANGE_CURVE and VTK_BEZIER_CURVE of a
 * vtkUnstructuredGrid; composites of these. Vertices, polygons and strips pass through; other cells
 * are left out with a warning. Output: vtkPolyData with a polyline a curve, in input order, or a
 * composite of such of the input's structure. All point and cell arrays come along.
 *
 * The defaults are those of tsr_curves_options_init. Values are not clamped: one that is out of
 * range is an error, with an empty output.
 */
#ifndef vtkAdaptiveCurves_h
#define vtkAdaptiveCurves_h

#include "vtkTesseraFilter.h"

#include <vector>

namespace tessera {
class CurvesBoxes;
struct CurvesSettings;
} // namespace tessera

class TESSERAFILTERS_EXPORT vtkAdaptiveCurves : public vtkTesseraFilter {
public:
  static vtkAdaptiveCurves *New();
  vtkTypeMacro(vtkAdaptiveCurves, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  enum LineInterpretation {
    CATMULL_ROM = 0,
    QUADRATIC_BEZIER_CHAIN,
    CUBIC_BEZIER_CHAIN,
    QUADRATIC_B_SPLINE,
    CUBIC_B_SPLINE,
    STRAIGHT,
    AUTOMATIC,
    NATURAL_CUBIC_SPLINE
  };

  ///@{
  /** What the points of a polyline mean. AUTOMATIC, the default: CATMULL_ROM for lines of at most
   * 32 points that turn by more than 30 degrees at more than one in ten of them, else STRAIGHT. */
  TesseraProperty(InterpretLinesAs, int);
  ///@}

  ///@{
  /** Lines of two points that share points become polylines first, straight ones, which no third
   *  line or other curve meets on its way and along which no cell array changes. A polyline goes
   *  through its first cell in that cell's direction, and has its place and its cell data. Default
   *  on. */
  TesseraProperty(JoinLines, bool);
  ///@}

  ///@{
  /** Knot intervals of Catmull-Rom curves and natural splines: uniform (0), centripetal (1,
   * default), chordal (2). */
  TesseraProperty(CatmullRomKnots, int);
  ///@}

  ///@{
  /** Catmull-Rom tangents are scaled by 1 - Tension; in [0, 1], default 0. */
  TesseraProperty(Tension, double);
  ///@}

  ///@{
  /** Equal steps of the parameter (0), leaves of a dyadic tree of it (1), steps of equal error
   *  along the curve, each of them checked (2, default), or equal arc lengths of the whole curve
   *  (3). */
  TesseraProperty(Sampling, int);
  ///@}

  ///@{
  /** Segments of each curve under Sampling 3, unless UseMaximumSegmentLength is on; at least 1,
   *  default 100. */
  TesseraProperty(NumberOfSegments, int);
  ///@}

  ///@{
  /** Points between the spans of a curve: all of them stay (0), or those that the criteria need (1,
   *  default). */
  TesseraProperty(Joints, int);
  ///@}

  ///@{
  /** Vertices inside a span on the curve (0, default), or off it by up to the chord error where
   * that saves points (1): with steps of equal error and a chord error only. */
  TesseraProperty(Vertices, int);
  ///@}

  ///@{
  /** Deepest level of the tree; a span becomes at most 2^MaximumLevel segments. */
  TesseraProperty(MaximumLevel, int);
  ///@}

  ///@{
  /** The classic rule: n = min(max((int)(k factor), MinimumPoints), MaximumPoints) points a span,
   *  with k the deviation of the control points from the chord, over the chord. No span has more
   *  than MaximumPoints then, whatever the other criteria ask for. Default off. */
  TesseraProperty(UseCurvatureFactor, bool);
  TesseraProperty(CurvatureFactor, double);
  TesseraProperty(MinimumPoints, int);
  TesseraProperty(MaximumPoints, int);
  ///@}

  ///@{
  /** Guaranteed largest distance of the curve from its polyline: a length (mode 0) or a fraction of
   *  the diagonal of the box of all curves' points (mode 1). Default on, 0.001 of the diagonal. */
  TesseraProperty(UseChordError, bool);
  TesseraProperty(ChordError, double);
  TesseraProperty(ChordErrorMode, int);
  ///@}

  ///@{
  /** Largest angle between consecutive segments of a smooth curve, degrees. Default off. */
  TesseraProperty(UseTurningAngle, bool);
  TesseraProperty(TurningAngle, double);
  ///@}

  ///@{
  /** Largest length of a segment. Default off. */
  TesseraProperty(UseMaximumSegmentLength, bool);
  TesseraProperty(MaximumSegmentLength, double);
  ///@}

  ///@{
  /** Largest difference between point arrays along the curve and what is drawn: their linear course
   *  along the segments. A number in the unit of the arrays (mode 0) or a fraction of each array's
   *  range (mode 1). Of the chosen arrays, or of all numeric ones where none is chosen. Default on,
   *  0.01 of the range. */
  TesseraProperty(UseFieldError, bool);
  TesseraProperty(FieldError, double);
  TesseraProperty(FieldErrorMode, int);
  void AddFieldErrorArray(const char *name) { this->AddName(this->FieldErrorArrays, name); }
  void ClearFieldErrorArrays() { this->ClearNames(this->FieldErrorArrays); }
  ///@}

  ///@{
  /** Most points of all curves together; 0, the default, sets no bound. */
  TesseraProperty(PointBudget, vtkIdType);
  ///@}

  ///@{
  /** Point arrays follow the curve's own weights (0, default) or go linearly from point to point
   *  (1); integers of few values, labels, take that of the nearest point. The lists name arrays
   * that are to follow the curve, to go linearly or to take the nearest value, whatever they hold.
   */
  TesseraProperty(ArrayInterpolation, int);
  void AddCurveArray(const char *name) { this->AddName(this->CurveArrays, name); }
  void ClearCurveArrays() { this->ClearNames(this->CurveArrays); }
  void AddLinearArray(const char *name) { this->AddName(this->LinearArrays, name); }
  void ClearLinearArrays() { this->ClearNames(this->LinearArrays); }
  void AddNearestArray(const char *name) { this->AddName(this->NearestArrays, name); }
  void ClearNearestArrays() { this->ClearNames(this->NearestArrays); }
  ///@}

  ///@{
  /** vtkAlgorithm::DEFAULT_PRECISION (default: as the input), SINGLE_ or DOUBLE_PRECISION. */
  TesseraProperty(OutputPrecision, int);
  ///@}

  ///@{
  /** Arrays made on request. Default off. */
  TesseraProperty(GenerateParameter, bool);
  TesseraProperty(GenerateArcLength, bool);
  TesseraProperty(GenerateCurvature, bool);
  TesseraProperty(GenerateTangents, bool);
  TesseraProperty(GenerateSourceCell, bool);
  TesseraProperty(GenerateAchievedError, bool);
  ///@}

  ///@{
  /** How CUDA runs; the CPU does not look at it. Meaning, values and defaults are those of
   * tsr_curves_launch; DeviceHeapSize is in MiB. */
  TesseraProperty(LaunchStrategy, int);
  TesseraProperty(ChildStream, int);
  TesseraProperty(PendingLaunchCount, int);
  TesseraProperty(OutputMemory, int);
  TesseraProperty(DeviceHeapSize, int);
  TesseraProperty(LaunchThreshold, int);
  TesseraProperty(NestingDepth, int);
  ///@}

  ///@{
  /** MiB of input that stay on the device for the next execution; 0: none. Default 1024. */
  TesseraProperty(KeepInputOnDevice, int);
  ///@}

protected:
  vtkAdaptiveCurves();
  ~vtkAdaptiveCurves() override;

  tessera::Takes GetTaken() const override { return tessera::Takes::LINES; }
  const char *GetDatasetClass() const override { return "vtkPolyData"; }
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Execution> NewExecution(vtkDataObject *input,
                                                   tessera::ThreadRunner &runner) const override;
  void AddExecutionReport(const tessera::Execution &execution, vtkDataObject *output) override;
  void FillTable(const tessera::Execution &execution, vtkTable *table) const override;
  void AddLaunchReport(vtkFieldData *data, const tessera::Report &report) override;

private:
  vtkAdaptiveCurves(const vtkAdaptiveCurves &) = delete;
  void operator=(const vtkAdaptiveCurves &) = delete;

  std::unique_ptr<tessera::CurvesSettings> Settings; /**< without the names of arrays */
  std::unique_ptr<tessera::CurvesBoxes> Boxes;       /**< of the last execution */
  std::vector<std::string> FieldErrorArrays, CurveArrays, LinearArrays, NearestArrays;
};

#endif
