// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkAdaptiveGrid
 * @brief makes a grid that is fine where the data changes, and coarse where it does not
 *
 * Input: vtkImageData, vtkRectilinearGrid or vtkStructuredGrid with point or cell data, 1D to 3D,
 * or a composite of these; blanked cells are left out. Output: vtkUnstructuredGrid,
 * vtkHyperTreeGrid or vtkOverlappingAMR, or a composite of the input's structure. Meaning and
 * defaults of what can be set are those of tsr_grid_options and tsr_grid_criterion. Values are not
 * clamped: one that is out of range is an error, with an empty output.
 */
#ifndef vtkAdaptiveGrid_h
#define vtkAdaptiveGrid_h

#include "vtkTesseraFilter.h"

#include <vector>

namespace tessera {
struct GridSettings;
}

class TESSERAFILTERS_EXPORT vtkAdaptiveGrid : public vtkTesseraFilter {
public:
  static vtkAdaptiveGrid *New();
  vtkTypeMacro(vtkAdaptiveGrid, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  enum OutputTypes { UNSTRUCTURED_GRID = 0, HYPER_TREE_GRID, OVERLAPPING_AMR };
  enum HangingNodeTypes { FREE = 0, CONSTRAINED, POLYGONS, CONFORMING };

  ///@{
  /** Adaptive (0, default), fixed coarse (1) or fixed fine (2). */
  vtkSetMacro(GridType, int);
  vtkGetMacro(GridType, int);
  ///@}

  ///@{
  /** A root cell holds 2^CoarsenLevels input cells along an axis; the finest are 2^-RefineLevels of
   *  an input cell. Defaults 3 and 0. */
  vtkSetMacro(CoarsenLevels, int);
  vtkGetMacro(CoarsenLevels, int);
  vtkSetMacro(RefineLevels, int);
  vtkGetMacro(RefineLevels, int);
  ///@}

  ///@{
  /** Nodes around refined ones that are refined as well; 0 to 16, default 0. */
  vtkSetMacro(BufferCells, int);
  vtkGetMacro(BufferCells, int);
  ///@}

  ///@{
  /** Neighbours differ by one level at most: none (0), across faces (1, default), edges (2),
   * corners (3). */
  vtkSetMacro(Balance, int);
  vtkGetMacro(Balance, int);
  ///@}

  ///@{
  /** Most cells of all processes; the thresholds are scaled until they fit. 0, the default: off. */
  vtkSetMacro(CellBudget, vtkIdType);
  vtkGetMacro(CellBudget, vtkIdType);
  ///@}

  ///@{
  /** A box in space, and the finest levels inside and outside it. Default off. */
  vtkSetMacro(UseRegion, bool);
  vtkGetMacro(UseRegion, bool);
  vtkSetVector6Macro(Region, double);
  vtkGetVector6Macro(Region, double);
  vtkSetMacro(LevelInside, int);
  vtkGetMacro(LevelInside, int);
  vtkSetMacro(LevelOutside, int);
  vtkGetMacro(LevelOutside, int);
  ///@}

  ///@{
  /** The arrays that the criteria look at, points before cells; none: the active scalars, else the
   *  first numeric array. */
  void AddCriteriaArray(const char *name);
  void ClearCriteriaArrays();
  ///@}

  ///@{
  /** Component of these arrays; -1, the default, is the magnitude. */
  vtkSetMacro(Component, int);
  vtkGetMacro(Component, int);
  ///@}

  ///@{
  /** The vectors of vorticity and Q-criterion; empty: the active ones, else the first. */
  vtkSetStdStringFromCharMacro(VelocityArray);
  vtkGetCharFromStdStringMacro(VelocityArray);
  ///@}

  ///@{
  /** Thresholds are in the unit of what they bound (0) or fractions of its range (1, default). */
  vtkSetMacro(ThresholdMode, int);
  vtkGetMacro(ThresholdMode, int);
  ///@}

  ///@{
  /** The criteria. A cell is refined where any that is switched on asks for it. */
  vtkSetMacro(UseInterpolationError, bool);
  vtkGetMacro(UseInterpolationError, bool);
  vtkSetMacro(InterpolationError, double);
  vtkGetMacro(InterpolationError, double);
  vtkSetMacro(UseValueRange, bool);
  vtkGetMacro(UseValueRange, bool);
  vtkSetMacro(ValueRange, double);
  vtkGetMacro(ValueRange, double);
  vtkSetMacro(UseGradient, bool);
  vtkGetMacro(UseGradient, bool);
  vtkSetMacro(Gradient, double);
  vtkGetMacro(Gradient, double);
  vtkSetMacro(UseSecondDerivative, bool);
  vtkGetMacro(UseSecondDerivative, bool);
  vtkSetMacro(SecondDerivative, double);
  vtkGetMacro(SecondDerivative, double);
  vtkSetMacro(UseStandardDeviation, bool);
  vtkGetMacro(UseStandardDeviation, bool);
  vtkSetMacro(StandardDeviation, double);
  vtkGetMacro(StandardDeviation, double);
  vtkSetMacro(UseVorticity, bool);
  vtkGetMacro(UseVorticity, bool);
  vtkSetMacro(Vorticity, double);
  vtkGetMacro(Vorticity, double);
  vtkSetMacro(UseQCriterion, bool);
  vtkGetMacro(UseQCriterion, bool);
  vtkSetMacro(QCriterion, double);
  vtkGetMacro(QCriterion, double);
  ///@}

  ///@{
  /** Refines where the array has a value within the range. Default off. */
  vtkSetMacro(UseArrayInRange, bool);
  vtkGetMacro(UseArrayInRange, bool);
  vtkSetVector2Macro(ArrayInRange, double);
  vtkGetVector2Macro(ArrayInRange, double);
  ///@}

  ///@{
  /** Which kind of dataset comes out. Default UNSTRUCTURED_GRID. */
  vtkSetMacro(OutputType, int);
  vtkGetMacro(OutputType, int);
  ///@}

  ///@{
  /** Cells of an unstructured grid: voxels and pixels (0, default) or hexahedra and quads (1). */
  vtkSetMacro(CellShape, int);
  vtkGetMacro(CellShape, int);
  ///@}

  ///@{
  /** What becomes of points that lie on a coarser neighbour. Default CONFORMING: there are none, as
   *  cells with finer neighbours are cut; balance is then at least across edges. */
  vtkSetMacro(HangingNodes, int);
  vtkGetMacro(HangingNodes, int);
  ///@}

  ///@{
  /** Cells along the side of a block of overlapping AMR: 2, 4, 8 ... 64, default 8. */
  vtkSetMacro(AMRBlockSize, int);
  vtkGetMacro(AMRBlockSize, int);
  ///@}

  ///@{
  /** vtkAlgorithm::DEFAULT_PRECISION (default: as the input), SINGLE_ or DOUBLE_PRECISION points.
   */
  vtkSetMacro(OutputPrecision, int);
  vtkGetMacro(OutputPrecision, int);
  ///@}

  ///@{
  /** Cell arrays made on request. Default off. */
  vtkSetMacro(GenerateLevel, bool);
  vtkGetMacro(GenerateLevel, bool);
  vtkSetMacro(GenerateIndicator, bool);
  vtkGetMacro(GenerateIndicator, bool);
  vtkSetMacro(GenerateSourceCell, bool);
  vtkGetMacro(GenerateSourceCell, bool);
  ///@}

  ///@{
  /** Find the largest error of each array. Default on. */
  vtkSetMacro(MeasureErrors, bool);
  vtkGetMacro(MeasureErrors, bool);
  ///@}

  ///@{
  /** The report beyond that of every filter, of the last execution. */
  double GetReportVisibleCells() const { return this->ReportVisibleCells; }
  double GetReportFineCells() const { return this->ReportFineCells; }
  double GetReportSaving() const;
  const char *GetReportErrors() const { return this->ReportErrors.c_str(); }
  ///@}

protected:
  vtkAdaptiveGrid();
  ~vtkAdaptiveGrid() override = default;

  int FillInputPortInformation(int port, vtkInformation *info) override;
  const char *GetLeafClass() const override;
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Job> NewJob(vtkDataObject *input,
                                       tessera::Execution &execution) const override;
  void AddJobReport(const tessera::Job &job, vtkDataObject *output) override;
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

  void FillSettings(tessera::GridSettings &settings) const;
  void FillCriteria(tessera::GridSettings &settings) const;

  int GridType, CoarsenLevels, RefineLevels, BufferCells, Balance;
  vtkIdType CellBudget;
  bool UseRegion = false;
  double Region[6] = {0.0, 1.0, 0.0, 1.0, 0.0, 1.0};
  int LevelInside, LevelOutside;
  std::vector<std::string> CriteriaArrays;
  int Component = -1;
  std::string VelocityArray;
  int ThresholdMode = 1;
  bool UseInterpolationError = true;
  double InterpolationError = 0.01;
  bool UseValueRange = false;
  double ValueRange = 0.1;
  bool UseGradient = false;
  double Gradient = 0.1;
  bool UseSecondDerivative = false;
  double SecondDerivative = 0.8;
  bool UseStandardDeviation = false;
  double StandardDeviation = 0.05;
  bool UseVorticity = false;
  double Vorticity = 0.25;
  bool UseQCriterion = false;
  double QCriterion = 0.1;
  bool UseArrayInRange = false;
  double ArrayInRange[2] = {0.0, 1.0};
  int OutputType = UNSTRUCTURED_GRID;
  int CellShape = 0;
  int HangingNodes = CONFORMING;
  int AMRBlockSize;
  int OutputPrecision = DEFAULT_PRECISION;
  bool GenerateLevel = false, GenerateIndicator = false, GenerateSourceCell = false;
  bool MeasureErrors = true;
  int Announced[6] = {0, -1, 0, -1, 0, -1}; /**< by the source, for all processes together */

  double ReportVisibleCells = 0.0, ReportFineCells = 0.0;
  std::string ReportErrors;
};

#endif
