// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkAdaptiveCells
 * @brief draws curved cells: the surface or the inside of high-order meshes, within an error
 *
 * Input: a vtkUnstructuredGrid of any cells, or a composite of them. Output: vtkPolyData with the
 * surface, or a composite of such of the input's structure: surface cells, faces of volume cells
 * that no other volume cell shares, lines and vertices. Quadratic, Lagrange and Bezier cells up to
 * degree 10 are divided within the criteria, without gaps; linear cells go along as they are. All
 * point and cell arrays come along. With OutputType 2 the output is a vtkUnstructuredGrid: curved
 * volume cells become tetrahedra, and linear ones are copied.
 *
 * The defaults are those of tsr_cells_options_init. Values are not clamped: one that is out of
 * range is an error, with an empty output.
 */
#ifndef vtkAdaptiveCells_h
#define vtkAdaptiveCells_h

#include "vtkTesseraFilter.h"

#include <vector>

namespace tessera {
struct CellsSettings;
} // namespace tessera

class TESSERAFILTERS_EXPORT vtkAdaptiveCells : public vtkTesseraFilter {
public:
  static vtkAdaptiveCells *New();
  vtkTypeMacro(vtkAdaptiveCells, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  ///@{
  /** Largest distance between the surface and its triangles, in both directions, as a length (0) or
   * as a fraction of the diagonal of the points' box (1, default). Default 0.001. */
  TesseraProperty(UseChordError, bool);
  TesseraProperty(ChordError, double);
  TesseraProperty(ChordErrorMode, int);
  ///@}

  ///@{
  /** Largest difference between a point array on the surface and as it is drawn, in its own unit
   * (0) or as a fraction of its range (1, default), for the named arrays, or for all of
   * floating-point numbers. Default 0.01. */
  TesseraProperty(UseFieldError, bool);
  TesseraProperty(FieldError, double);
  TesseraProperty(FieldErrorMode, int);
  void AddFieldErrorArray(const char *name) { this->AddName(this->FieldErrorArrays, name); }
  void ClearFieldErrorArrays() { this->ClearNames(this->FieldErrorArrays); }
  ///@}

  ///@{
  /** What comes out: the surface (0, default), the edges of its faces as lines (1), or
   *  everything, the insides of volume cells as tetrahedra (2). */
  TesseraProperty(OutputType, int);
  ///@}

  ///@{
  /** Largest angle between the normals of the surface and of its triangles, in degrees. Default 15,
   *  not in use. */
  TesseraProperty(UseNormalAngle, bool);
  TesseraProperty(NormalAngle, double);
  ///@}

  ///@{
  /** Longest edge of what curved cells become, in the unit of the coordinates. Default 1, not in
   *  use. */
  TesseraProperty(UseMaximumEdgeLength, bool);
  TesseraProperty(MaximumEdgeLength, double);
  ///@}

  ///@{
  /** Take points of a dataset at equal positions for one, the one with the lowest id. Default off.
   */
  TesseraProperty(MergePoints, bool);
  ///@}

  ///@{
  /** Most points of all blocks and processes together: what the criteria allow is scaled up until
   *  the points fit. 0 (default): no bound. */
  TesseraProperty(PointBudget, vtkIdType);
  ///@}

  ///@{
  /** Most segments of an edge, and of a face in each direction. Default 1024. */
  TesseraProperty(MaximumSegments, int);
  ///@}

  ///@{
  /** vtkAlgorithm::DEFAULT_PRECISION (default: as the input), SINGLE_ or DOUBLE_PRECISION. */
  TesseraProperty(OutputPrecision, int);
  ///@}

  ///@{
  /** MiB of input that stay on the device for the next execution; 0: none. Default 1024. */
  TesseraProperty(KeepInputOnDevice, int);
  ///@}

  ///@{
  /** Make the cell array SourceCell. Default off. */
  TesseraProperty(GenerateSourceCell, bool);
  ///@}

  ///@{
  /** Make the normals of the curved surface. Default off. */
  TesseraProperty(GenerateNormals, bool);
  ///@}

  ///@{
  /** Make the cell array AchievedError: a bound of the distance from the surface. Default off. */
  TesseraProperty(GenerateAchievedError, bool);
  ///@}

  ///@{
  /** Make the point arrays ParametricCoordinates and ParametricCell: a cell of the input with the
   *  point, and where the point is in it. Default off. */
  TesseraProperty(GenerateParametricCoordinates, bool);
  ///@}

protected:
  vtkAdaptiveCells();
  ~vtkAdaptiveCells() override;

  tessera::Takes GetTaken() const override { return tessera::Takes::CELLS; }
  const char *GetDatasetClass() const override;
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Execution> NewExecution(vtkDataObject *input,
                                                   tessera::ThreadRunner &runner) const override;
  void AddExecutionReport(const tessera::Execution &execution, vtkDataObject *output) override;

  /** There are no kernels: there is nothing to say. */
  void AddLaunchReport(vtkFieldData *data, const tessera::Report &report) override;

private:
  vtkAdaptiveCells(const vtkAdaptiveCells &) = delete;
  void operator=(const vtkAdaptiveCells &) = delete;

  std::unique_ptr<tessera::CellsSettings> Settings; /**< without the names of arrays */
  std::vector<std::string> FieldErrorArrays;
};

#endif
