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

class TESSERAFILTERS_EXPORT vtkAdaptivePointGrid : public vtkTesseraFilter {
public:
  static vtkAdaptivePointGrid *New();
  vtkTypeMacro(vtkAdaptivePointGrid, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  enum OutputTypes { UNSTRUCTURED_GRID = 0, HYPER_TREE_GRID, POINTS };

  ///@{
  /** Octree (0, default), or quadtree with the thinnest axis dropped (1) or in the XY (2), YZ (3)
   * or XZ (4) plane. */
  vtkSetMacro(TreeShape, int);
  vtkGetMacro(TreeShape, int);
  ///@}

  ///@{
  /** A cell with more points is split, above the highest level. Defaults 64 and 20. */
  vtkSetMacro(MaximumPointsPerCell, vtkIdType);
  vtkGetMacro(MaximumPointsPerCell, vtkIdType);
  vtkSetMacro(MaximumLevel, int);
  vtkGetMacro(MaximumLevel, int);
  ///@}

  ///@{
  /** A cell in which the values of an array are further apart is split as well. Without a name the
   *  active scalars, else the first numeric array. Component -1, the default, is the magnitude. */
  vtkSetMacro(UseSpread, bool);
  vtkGetMacro(UseSpread, bool);
  vtkSetStdStringFromCharMacro(SpreadArray);
  vtkGetCharFromStdStringMacro(SpreadArray);
  vtkSetMacro(SpreadComponent, int);
  vtkGetMacro(SpreadComponent, int);
  vtkSetMacro(Spread, double);
  vtkGetMacro(Spread, double);
  ///@}

  ///@{
  /** Neighbours differ by one level at most: none (0, default), across faces (1), edges (2),
   * corners (3). */
  vtkSetMacro(Balance, int);
  vtkGetMacro(Balance, int);
  ///@}

  ///@{
  /** Which kind of dataset comes out. Default UNSTRUCTURED_GRID. */
  vtkSetMacro(OutputType, int);
  vtkGetMacro(OutputType, int);
  ///@}

  ///@{
  /** vtkAlgorithm::DEFAULT_PRECISION (default: as the input), SINGLE_ or DOUBLE_PRECISION points.
   */
  vtkSetMacro(OutputPrecision, int);
  vtkGetMacro(OutputPrecision, int);
  ///@}

  ///@{
  /** Arrays beside the number of points. Default on. */
  vtkSetMacro(GenerateLevel, bool);
  vtkGetMacro(GenerateLevel, bool);
  vtkSetMacro(GenerateDensity, bool);
  vtkGetMacro(GenerateDensity, bool);
  vtkSetMacro(GenerateMeans, bool);
  vtkGetMacro(GenerateMeans, bool);
  vtkSetMacro(GenerateExtremes, bool);
  vtkGetMacro(GenerateExtremes, bool);
  ///@}

  ///@{
  /** The report beyond that of every filter, of the last execution. */
  double GetReportLeaves() const { return this->ReportLeaves; }
  int GetReportHighestLevel() const { return this->ReportHighestLevel; }
  ///@}

  ///@{
  /** How CUDA runs; the CPU does not look at it. Meaning, values and defaults are those of
   * tsr_pointgrid_launch. */
  vtkSetMacro(ChildStream, int);
  vtkGetMacro(ChildStream, int);
  vtkSetMacro(PendingLaunchCount, int);
  vtkGetMacro(PendingLaunchCount, int);
  vtkSetMacro(NestingDepth, int);
  vtkGetMacro(NestingDepth, int);
  ///@}

protected:
  vtkAdaptivePointGrid();
  ~vtkAdaptivePointGrid() override = default;

  int FillInputPortInformation(int port, vtkInformation *info) override;
  const char *GetLeafClass() const override;
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Job> NewJob(vtkDataObject *input,
                                       tessera::Execution &execution) const override;
  void AddJobReport(const tessera::Job &job, vtkDataObject *output) override;
  void AddLaunchReport(vtkFieldData *data, const tessera::Report &report) override;
  void ClearReport() override;
  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;

private:
  vtkAdaptivePointGrid(const vtkAdaptivePointGrid &) = delete;
  void operator=(const vtkAdaptivePointGrid &) = delete;

  int TreeShape;
  vtkIdType MaximumPointsPerCell;
  int MaximumLevel;
  bool UseSpread = false;
  std::string SpreadArray;
  int SpreadComponent;
  double Spread = 1.0;
  int Balance;
  int OutputType = UNSTRUCTURED_GRID;
  int OutputPrecision = DEFAULT_PRECISION;
  bool GenerateLevel = true, GenerateDensity = true;
  bool GenerateMeans = true, GenerateExtremes = true;
  int ChildStream, PendingLaunchCount, NestingDepth;

  double ReportLeaves = 0.0;
  int ReportHighestLevel = 0;
};

#endif
