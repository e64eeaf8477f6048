// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkAdaptivePointGrid
 * @brief makes a quadtree or octree of points: small cells where there are many, large elsewhere
 *
 * Input: any vtkPointSet, or a composite of these; its cells are not looked at. Output:
 * vtkUnstructuredGrid, vtkHyperTreeGrid or the points in the order of their cells as vtkPolyData,
 * or a composite of the input's structure. Meaning and defaults of what can be set are those of
 * tsr_pointgrid_options. Values are not clamped: one that is out of range is an error, with an
 * empty output.
 */
#ifndef vtkAdaptivePointGrid_h
#define vtkAdaptivePointGrid_h

#include "vtkTesseraFilter.h"

namespace tessera {
struct PointGridSettings;
}

class TESSERAFILTERS_EXPORT vtkAdaptivePointGrid : public vtkTesseraFilter {
public:
  static vtkAdaptivePointGrid *New();
  vtkTypeMacro(vtkAdaptivePointGrid, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  ///@{
  /** Octree (0, default), or quadtree with the thinnest axis dropped (1) or in the XY (2), YZ (3)
   * or XZ (4) plane. */
  TesseraProperty(TreeShape, int);
  ///@}

  ///@{
  /** A cell with more points is split, above the highest level. Defaults 64 and 20. */
  TesseraProperty(MaximumPointsPerCell, vtkIdType);
  TesseraProperty(MaximumLevel, int);
  ///@}

  ///@{
  /** A cell in which the values of an array (SpreadOf 0, default) or the X (1), Y (2) or Z (3)
   *  coordinates of the points are further apart is split as well. Without a name the array is the
   *  active scalars, else the first numeric array; the form of five arguments is that of ParaView's
   *  properties, ["POINTS", name] in a script. Component -1, the default, is the magnitude. */
  TesseraProperty(UseSpread, bool);
  TesseraProperty(SpreadOf, int);
  void SetSpreadArray(const char *name);
  void SetSpreadArray(int, int, int, int association, const char *name);
  const char *GetSpreadArray() const;
  TesseraProperty(SpreadComponent, int);
  TesseraProperty(Spread, double);
  ///@}

  ///@{
  /** Neighbours differ by one level at most: none (0, default), across faces (1), edges (2),
   * corners (3). */
  TesseraProperty(Balance, int);
  ///@}

  ///@{
  /** Which kind of dataset comes out. Default: an unstructured grid. */
  TesseraProperty(OutputType, int);
  ///@}

  ///@{
  /** vtkAlgorithm::DEFAULT_PRECISION (default: as the input), SINGLE_ or DOUBLE_PRECISION points.
   */
  TesseraProperty(OutputPrecision, int);
  ///@}

  ///@{
  /** Arrays beside the number of points. Default on, but for those of the coordinates. */
  TesseraProperty(GenerateLevel, bool);
  TesseraProperty(GenerateDensity, bool);
  TesseraProperty(GenerateMeans, bool);
  TesseraProperty(GenerateExtremes, bool);
  TesseraProperty(GenerateCoordinates, bool);
  ///@}

  ///@{
  /** The report beyond that of every filter, of the last execution. */
  double GetReportLeaves() const { return this->ReportLeaves; }
  int GetReportHighestLevel() const { return this->ReportHighestLevel; }
  ///@}

  ///@{
  /** How CUDA runs; the CPU does not look at it. Meaning, values and defaults are those of
   * tsr_pointgrid_launch. */
  TesseraProperty(LaunchStrategy, int);
  TesseraProperty(ChildStream, int);
  TesseraProperty(PendingLaunchCount, int);
  TesseraProperty(NestingDepth, int);
  ///@}

protected:
  vtkAdaptivePointGrid();
  ~vtkAdaptivePointGrid() override;

  tessera::Takes GetTaken() const override { return tessera::Takes::POINTS; }
  const char *GetDatasetClass() const override;
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Execution> NewExecution(vtkDataObject *input,
                                                   tessera::ThreadRunner &runner) const override;
  void AddExecutionReport(const tessera::Execution &execution, vtkDataObject *output) override;
  void FillTable(const tessera::Execution &execution, vtkTable *table) const override;
  void AddLaunchReport(vtkFieldData *data, const tessera::Report &report) override;
  void ClearReport() override;
  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;

private:
  vtkAdaptivePointGrid(const vtkAdaptivePointGrid &) = delete;
  void operator=(const vtkAdaptivePointGrid &) = delete;

  std::unique_ptr<tessera::PointGridSettings> Settings;

  double ReportLeaves = 0.0;
  int ReportHighestLevel = 0;
};

#endif
