// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Adaptive Curves over all datasets and processes. */
#ifndef TesseraCurvesExecution_h
#define TesseraCurvesExecution_h

#include "curves/TesseraCurvesBoxes.h"
#include "curves/TesseraCurvesDataset.h"
#include "frame/report/TesseraTables.h"
#include "frame/run/TesseraExecution.h"

namespace tessera {

class CurvesExecution : public Execution {
public:
  /** boxes: those of the filter's last execution; receives those of this one, and has to outlive
   *  it. */
  CurvesExecution(vtkDataObject *input, const CurvesSettings &settings, CurvesBoxes &boxes,
                  ThreadRunner &runner);
  ~CurvesExecution() override { tsr_maxima_free(&this->Ranges); }

  bool Run() override;
  std::vector<std::string> Warnings() const override;

  /** The polylines of all processes, counted by class. */
  const PolylineClasses &Classes() const { return this->Made; }

  /** For each cell array, the joints between lines that were kept since its values differ, counted
   *  over all processes. */
  const NamedCounts &Apart() const { return this->KeptApart; }

  /** For each label, the pairs of neighbouring points that were kept since its value changes,
   * counted over all processes. */
  const NamedCounts &KeptByLabels() const { return this->LabelChanges; }

private:
  std::string NoteSentence(int kind, const tsr_note_count &note,
                           const std::string &where) const override;
  void Collect();
  void CountFields(const CurvesDataset &curves, unsigned int block);
  bool FindBox(const CurvesDataset &dataset, CurvesBoxes &found, CurvesBoxes::Box &box);
  void Bounds();
  void ShareBounds();
  void ShareModes();
  void ShareRanges();
  void ChoosePrecision();
  bool MakePlans();
  bool MakePlansAgain();
  void FitBudget(int64_t budget);
  bool IsWithinLimit(bool counted);
  void Refuse(const OutputSize &size, double fit);
  Tolerances InUse() const;
  bool CheckSizes();
  bool FillAll();
  bool CountLabelChanges();
  void Conclude();
  void AddFieldWarnings(std::vector<std::string> &warnings) const;

  const CurvesSettings Settings;
  CurvesModes Modes;
  CurvesBoxes &Boxes;
  std::vector<std::unique_ptr<CurvesDataset>> Curves; /**< one a dataset, NULL if not supported */
  double Box[6]; /**< xmin xmax ymin ymax zmin zmax of all points */
  double ReferenceLength = 0.0;
  double LargestPlace = 0.0;
  bool TooCoarse = false; /**< single precision does not hold the chord error */
  tsr_maxima Ranges = {}; /**< of the fields, by name */
  double BudgetScale = 1.0;
  PolylineClasses Made;
  NamedCounts KeptApart, LabelChanges;
  std::vector<vtkIdType> FieldCounts; /**< datasets by array and FieldState */
};

} // namespace tessera

#endif
