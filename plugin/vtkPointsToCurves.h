// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkPointsToCurves
 * @brief joins points into polylines: by a group array, in the order of an order array
 *
 * Input: any vtkPointSet, or a composite of them, whose points are taken together; their cells are
 * not looked at. Output: a vtkPolyData with a polyline a curve, in the order of (group, order), on
 * several processes one after the other. All point arrays come along; the cell arrays Group,
 * FirstOrder, LastOrder and Length are made. The rules of sorting, repeats and cuts are those of
 * tessera_ordering.h; groups that are texts are sorted as such.
 *
 * The defaults are those of tsr_ordering_options_init. Values are not clamped: one that is out of
 * range is an error, with an empty output.
 */
#ifndef vtkPointsToCurves_h
#define vtkPointsToCurves_h

#include "vtkTesseraFilter.h"

#include <vtkSmartPointer.h>

#include <vector>

struct tsr_ordering_options;
namespace tessera {
class OrderingPoints;
}

class TESSERAFILTERS_EXPORT vtkPointsToCurves : public vtkTesseraFilter {
public:
  static vtkPointsToCurves *New();
  vtkTypeMacro(vtkPointsToCurves, vtkTesseraFilter);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  ///@{
  /** The point array whose equal values make a curve: integers, numbers or texts. Empty or "None",
   *  the default: all points are one curve; with Temporal, points of the same number in each time
   *  step are. */
  void SetGroupArray(const char *name) { this->SetName(this->GroupArray, name); }
  const char *GetGroupArray() const { return this->GroupArray.c_str(); }
  ///@}

  ///@{
  /** The point array that the points of a curve ascend by. Empty or "None", the default: their
   *  index; with Temporal the time. */
  void SetOrderArray(const char *name) { this->SetName(this->OrderArray, name); }
  const char *GetOrderArray() const { return this->OrderArray.c_str(); }
  ///@}

  ///@{
  /** Join the points of all time steps, and give each the point array Time. One step is read at a
   *  time. Default off. */
  vtkSetMacro(Temporal, bool);
  vtkGetMacro(Temporal, bool);

  /** With Temporal: join only the time steps up to the time of the update, so that an animation
   *  grows the curves. Points and point arrays of steps that were read are kept for
   * the next update until the input changes. Default off. */
  vtkSetMacro(UpToCurrentTime, bool);
  vtkGetMacro(UpToCurrentTime, bool);
  ///@}

  ///@{
  /** A curve ends where the order grows by more than MaximumGap. Default off. */
  TesseraProperty(CutAtGaps, bool);
  TesseraProperty(MaximumGap, double);
  ///@}

  ///@{
  /** A curve ends where the next point is farther away than MaximumDistance. Default off. */
  TesseraProperty(CutAtDistances, bool);
  TesseraProperty(MaximumDistance, double);
  ///@}

  ///@{
  /** Points within RepeatTolerance of the last one kept are dropped. Default off, 0. */
  TesseraProperty(RemoveRepeats, bool);
  TesseraProperty(RepeatTolerance, double);
  ///@}

  ///@{
  /** A curve of one point becomes a vertex (0, default) or goes (1). */
  TesseraProperty(SinglePoints, int);
  ///@}

protected:
  vtkPointsToCurves();
  ~vtkPointsToCurves() override;

  tessera::Takes GetTaken() const override { return tessera::Takes::POINTS; }
  int RequestDataObject(vtkInformation *request, vtkInformationVector **inputs,
                        vtkInformationVector *outputs) override;
  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;
  int RequestUpdateExtent(vtkInformation *request, vtkInformationVector **inputs,
                          vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;
  const char *GetDatasetClass() const override { return "vtkPolyData"; }
  bool CheckChoices(vtkDataObject *input) override;
  std::unique_ptr<tessera::Execution> NewExecution(vtkDataObject *input,
                                                   tessera::ThreadRunner &runner) const override;
  void SetResults(const tessera::Execution &execution, vtkDataObject *input,
                  vtkDataObject *output) override;
  void AddExecutionReport(const tessera::Execution &execution, vtkDataObject *output) override;
  void FillTable(const tessera::Execution &execution, vtkTable *table) const override;

  /** Sorting launches no kernels from kernels: there is nothing to say. */
  void AddLaunchReport(vtkFieldData *data, const tessera::Report &report) override;

private:
  vtkPointsToCurves(const vtkPointsToCurves &) = delete;
  void operator=(const vtkPointsToCurves &) = delete;

  size_t StepsWanted(vtkInformationVector *outputs) const;
  void ForgetOldSteps(vtkInformationVector *outputs);
  bool ReadsOn(vtkInformation *request, vtkInformationVector **inputs, size_t wanted);
  void JoinSteps(size_t wanted);

  std::string GroupArray, OrderArray;
  bool Temporal = false, UpToCurrentTime = false;
  std::unique_ptr<tsr_ordering_options> Core;

  std::vector<double> Times;                        /**< of the input's steps */
  std::vector<vtkSmartPointer<vtkDataObject>> Read; /**< points of the first steps */
  std::vector<vtkMTimeType> ReadOf; /**< what Read was read of: the input's state, and its piece */
  std::unique_ptr<tessera::OrderingPoints> Points; /**< of the steps joined, in an execution */
};

#endif
