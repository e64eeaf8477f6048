// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkAdaptiveGrid
 * @brief makes a grid that is fine where the data changes, and coarse where it does not
 *
 * Input: vtkImageData, vtkRectilinearGrid or vtkStructuredGrid with point or cell data, 1D to 3D;
 * vtkUniformGridAMR, vtkHyperTreeGrid, or a vtkUnstructuredGrid of any cells; or a composite of
 * these; blanked cells are left out. Output: vtkUnstructuredGrid,
 * vtkHyperTreeGrid or vtkOverlappingAMR, or, unless MergeBlocks is on, a composite of the input's
 * structure. Meaning and
 * defaults of what can be set are those of tsr_grid_options and tsr_grid_criterion. Values are not
 * clamped: one that is out of range is an error, with an empty output.
 */
#ifndef vtkAdaptiveGrid_h
#define vtkAdaptiveGrid_h

#include "vtkTesseraFilter.h"

namespace tessera {
struct GridSettings;
class GridSteps;
} // namespace tessera

class TESSERAFILTERS_EXPORT vtkAdaptiveGrid : public vtkTesseraFilter {
public:
  static vtkAdaptiveGrid *New();
  vtkTypeMacro(vtkAdaptiveGrid, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  ///@{
  /** Adaptive (0, default), fixed coarse (1) or fixed fine (2). */
  TesseraProperty(GridType, int);
  ///@}

  ///@{
  /** A root cell holds 2^CoarsenLevels input cells along an axis; the finest are 2^-RefineLevels of
   *  an input cell. Defaults 3 and 0. */
  TesseraProperty(CoarsenLevels, int);
  TesseraProperty(RefineLevels, int);
  ///@}

  ///@{
  /** Nodes around refined ones that are refined as well; 0 to 16, default 0. */
  TesseraProperty(BufferCells, int);
  ///@}

  ///@{
  /** Neighbours differ by one level at most: none (0), across faces (1, default), edges (2),
   * corners (3). */
  TesseraProperty(Balance, int);
  ///@}

  ///@{
  /** Most cells of all processes; the thresholds are scaled until they fit. 0, the default: off. */
  TesseraProperty(CellBudget, vtkIdType);
  ///@}

  ///@{
  /** A box in space, and the finest levels inside and outside it. Default off. */
  TesseraProperty(UseRegion, bool);
  TesseraProperty6(Region, double);
  TesseraProperty(LevelInside, int);
  TesseraProperty(LevelOutside, int);
  ///@}

  ///@{
  /** The arrays that the criteria look at, points before cells; none: the active scalars, else the
   *  first numeric array. "POINTS" or "CELLS" before a name says which one of that name it is. */
  void AddCriteriaArray(const char *name);
  void ClearCriteriaArrays();
  ///@}

  ///@{
  /** Component of these arrays; -1, the default, is the magnitude. */
  TesseraProperty(Component, int);
  ///@}

  ///@{
  /** The vectors of vorticity and Q-criterion; empty: the active ones, else the first. The second
   *  form is that of ParaView's properties, ["CELLS", name] in a script: of the numbers only the
   *  association counts. */
  void SetVelocityArray(const char *name);
  void SetVelocityArray(int, int, int, int association, const char *name);
  const char *GetVelocityArray() const;
  ///@}

  ///@{
  /** Thresholds are in the unit of what they bound (0) or fractions of its range (1, default). */
  TesseraProperty(ThresholdMode, int);
  ///@}

  ///@{
  /** The criteria. A cell is refined where any that is switched on asks for it. */
  TesseraProperty(UseInterpolationError, bool);
  TesseraProperty(InterpolationError, double);
  TesseraProperty(UseValueRange, bool);
  TesseraProperty(ValueRange, double);
  TesseraProperty(UseGradient, bool);
  TesseraProperty(Gradient, double);
  TesseraProperty(UseSecondDerivative, bool);
  TesseraProperty(SecondDerivative, double);
  TesseraProperty(UseStandardDeviation, bool);
  TesseraProperty(StandardDeviation, double);
  TesseraProperty(UseGeometricError, bool);
  TesseraProperty(GeometricError, double);
  TesseraProperty(UseVorticity, bool);
  TesseraProperty(Vorticity, double);
  TesseraProperty(UseQCriterion, bool);
  TesseraProperty(QCriterion, double);
  ///@}

  ///@{
  /** Refines where the array has a value within the range. Default off. */
  TesseraProperty(UseArrayInRange, bool);
  TesseraProperty2(ArrayInRange, double);
  ///@}

  ///@{
  /** Which kind of dataset comes out. Default: an unstructured grid. */
  TesseraProperty(OutputType, int);
  ///@}

  ///@{
  /** Cells of an unstructured grid: voxels and pixels (0, default) or hexahedra and quads (1). */
  TesseraProperty(CellShape, int);
  ///@}

  ///@{
  /** What becomes of points that lie on a coarser neighbour. By default there are none, as
   *  cells with finer neighbours are cut; balance is then at least across edges. */
  TesseraProperty(HangingNodes, int);
  ///@}

  ///@{
  /** Cell arrays of AMR, hyper tree grids and unstructured grids stay on cells (0, default) or
   *  become point arrays (1), where the output has points. */
  TesseraProperty(CellArrays, int);
  ///@}

  ///@{
  /** Of unstructured meshes: the side of the finest cells; 0, the default: the mesh's median edge.
   */
  TesseraProperty(FinestCell, double);
  ///@}

  ///@{
  /** Of unstructured meshes: the grid has the cells that touch the mesh (0, default), those that
   *  lie wholly inside it (1), or those that touch it, cut at its surface (2). */
  TesseraProperty(Boundary, int);
  ///@}

  ///@{
  /** Of composites: a grid for each dataset (0, default), or one grid of the mesh that all of them
   *  form together (1). */
  TesseraProperty(MergeBlocks, bool);
  ///@}

  ///@{
  /** A grid for each time step (0, default), or one that fulfils the criteria at all of them (1):
   *  all steps are read for it, one at a time. */
  TesseraProperty(OverTime, int);
  ///@}

  ///@{
  /** Cells along the side of a block of overlapping AMR: 2, 4, 8 ... 64, default 8. */
  TesseraProperty(AMRBlockSize, int);
  ///@}

  ///@{
  /** vtkAlgorithm::DEFAULT_PRECISION (default: as the input), SINGLE_ or DOUBLE_PRECISION points.
   */
  TesseraProperty(OutputPrecision, int);
  ///@}

  ///@{
  /** Cell arrays made on request. Default off. */
  TesseraProperty(GenerateLevel, bool);
  TesseraProperty(GenerateIndicator, bool);
  TesseraProperty(GenerateSourceCell, bool);
  ///@}

  ///@{
  /** Of unstructured meshes: an array that is 1 for the points that lie in the mesh. Default off.
   */
  TesseraProperty(GenerateInside, bool);
  ///@}

  ///@{
  /** Find the largest error of each array. Default on. */
  TesseraProperty(MeasureErrors, bool);
  ///@}

  ///@{
  /** How the kernels are launched, as the room's part of the core numbers it. Default Auto. */
  TesseraProperty(LaunchStrategy, int);
  ///@}

  ///@{
  /** MiB of input that stay on the device for the next execution; 0: none. Default 1024. */
  TesseraProperty(KeepInputOnDevice, int);
  ///@}

  ///@{
  /** The report beyond that of every filter, of the last execution. */
  double GetReportVisibleCells() const { return this->ReportVisibleCells; }
  double GetReportFineCells() const { return this->ReportFineCells; }
  double GetReportSaving() const;
  double GetReportInputBytes() const { return this->ReportInputBytes; }
  double GetReportOutputBytes() const { return this->ReportOutputBytes; }
  double GetReportSavingInBytes() const;
  double GetReportLeavesAbove() const { return this->ReportLeavesAbove; }
  double GetReportGeometricError() const { return this->ReportGeometricError; }
  const char *GetReportErrors() const { return this->ReportErrors.c_str(); }
  const char *GetReportByCPU() const { return this->ReportByCPU.c_str(); }
  ///@}

protected:
  vtkAdaptiveGrid();
  ~vtkAdaptiveGrid() override;

  tessera::Takes GetTaken() const override { return tessera::Takes::GRIDS; }
  const char *GetDatasetClass() const override;
  bool MergesBlocks() const override;
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Execution> NewExecution(vtkDataObject *input,
                                                   tessera::ThreadRunner &runner) const override;
  void SetResults(const tessera::Execution &execution, vtkDataObject *input,
                  vtkDataObject *output) override;
  void AddExecutionReport(const tessera::Execution &execution, vtkDataObject *output) override;
  void FillTable(const tessera::Execution &execution, vtkTable *table) const override;
  void ClearReport() override;
  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;
  int RequestUpdateExtent(vtkInformation *request, vtkInformationVector **inputs,
                          vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;

private:
  vtkAdaptiveGrid(const vtkAdaptiveGrid &) = delete;
  void operator=(const vtkAdaptiveGrid &) = delete;

  /** True if each process needs the whole input, which may hold cells of several sizes. */
  bool TakesWhole(vtkInformation *in) const;
  void AskForTime(vtkInformation *in, vtkInformation *out);
  void LookAtStep(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs);

  std::unique_ptr<tessera::GridSettings> Settings;
  std::unique_ptr<tessera::GridSteps> Steps; /**< of All Steps */

  double ReportVisibleCells = 0.0, ReportFineCells = 0.0;
  vtkMTimeType LookedForGrowth = 0; /**< the settings with which it was last looked for */
  bool LooksForGrowth = true;
  double ReportGeometricError = 0.0, ReportLeavesAbove = 0.0;
  double ReportInputBytes = 0.0, ReportOutputBytes = 0.0;
  std::string ReportErrors, ReportByCPU;
};

#endif
