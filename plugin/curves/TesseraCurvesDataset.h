// SPDX-License-Identifier: BSD-3-Clause
/** One dataset on its way through Adaptive Curves: view, plan, output. */
#ifndef TesseraCurvesDataset_h
#define TesseraCurvesDataset_h

#include "curves/TesseraCurvesFields.h"
#include "curves/TesseraCurvesJoin.h"
#include "curves/TesseraCurvesModes.h"
#include "curves/TesseraPassThrough.h"
#include "frame/data/TesseraArrays.h"
#include "frame/report/TesseraNotes.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class vtkPointSet;
class vtkPolyData;
class vtkUnstructuredGrid;

namespace tessera {

class ThreadRunner;
class PolylineClasses;

/** What the user has set, the same for every dataset. */
struct CurvesSettings : tsr_curves_choices {
  CurvesSettings() {
    tsr_curves_choices_init(this);
    tsr_curves_options_init(&this->Options);
  }

  tsr_curves_options Options; /**< without the fields, which each dataset has its own of */
  std::vector<std::string> FieldErrorArrays;
  ArrayChoices Arrays = {}; /**< how point arrays go along */
};

/** Notes of the filter beyond those of the core. */
enum CurvesNote {
  CURVES_NOTE_LEFT_OUT = TSR_NOTES, /**< cells of dimension 2 and 3 */
  CURVES_NOTE_BAD_CELL,             /**< a cell to pass through has point ids out of range */
  CURVES_NOTE_TOO_LARGE,            /**< such a cell goes beyond single precision */
  CURVES_NOTE_DEGREES,              /**< the HigherOrderDegrees do not fit the point count */
  CURVES_NOTE_DATASET,              /**< a dataset of a type that is not supported */
  CURVES_NOTE_WEIGHTS,              /**< a dataset with another number of weights than of points */
  CURVES_NOTES
};

class CurvesDataset {
public:
  /** Builds the view. `input` is a vtkPolyData or vtkUnstructuredGrid and, as `settings` and
   *  `modes`, has to outlive this. */
  CurvesDataset(vtkPointSet *input, unsigned int block, const CurvesSettings &settings,
                const CurvesModes &modes);
  ~CurvesDataset();
  CurvesDataset(const CurvesDataset &) = delete;
  CurvesDataset &operator=(const CurvesDataset &) = delete;

  /** Joins lines, if that is set. To be called before all other functions. */
  bool JoinLines(tsr_error &error);

  /** For each cell array, the joints between lines that were kept since its values differ. */
  const NamedCounts &Apart() const { return this->Joined.Apart(); }

  const tsr_curves_view *View() const { return &this->CoreView; }
  tsr_curves_plan *Plan() const { return this->CorePlan; }
  vtkPointSet *Input() const { return this->Data; }
  const CurvesSettings &Choices() const { return this->Settings; }

  /** The arrays that decide with the curves. */
  CurvesFields &Fields() { return this->ArrayFields; }
  const CurvesFields &Fields() const { return this->ArrayFields; }

  /** True if the output points are single precision. */
  bool IsSingle() const { return this->CoreView.single_points != 0; }

  /** Makes the output points double precision. To be called before MakePlan. */
  void UseDouble() { this->CoreView.single_points = 0; }

  /** True if there is one rational weight for each point, or no weights at all. */
  bool WeightsFit() const;

  /** Bytes of memory that one output point takes. */
  double BytesPerPoint() const;

  double Items() const { return static_cast<double>(this->Sizes().points); }

  /** Bytes of an output point and of its id in a line. */
  double BytesPerItem() const { return this->BytesPerPoint() + sizeof(vtkIdType); }

  /** Bytes that the planned output takes. */
  double Bytes() const;

  /** referenceLength, largestPlace: 0 = the dataset's own. ranges: where the field error is
   * relative. limitPoints: 0 = no limit. defer: the search of a budget will count the points. */
  bool MakePlan(const tsr_execution *execution, double referenceLength, double largestPlace,
                const tsr_maxima &ranges, int64_t limitPoints, bool defer, tsr_error &error);

  /** Points and cells that the plan makes of the curves. */
  const tsr_curves_sizes &Sizes() const { return *tsr_curves_plan_sizes(this->CorePlan); }

  /** Makes the output of the plan. NULL on failure. Adds to `messages` a sentence about every
   *  array that cannot go along as it is. */
  vtkSmartPointer<vtkPolyData> Fill(ThreadRunner &runner, PolylineClasses &classes,
                                    WarningList &messages, tsr_error &error);

  void AddNotes(Notes &notes) const;

  /** Adds for each label the pairs of neighbouring points that are kept since its value changes. */
  void AddLabelChanges(NamedCounts &counts, tsr_error &error) const;

private:
  void ViewPolyData(vtkPolyData *input);
  void ViewUnstructuredGrid(vtkUnstructuredGrid *input);
  vtkIdType CellOfItem(int64_t item) const;
  void CheckDegrees(vtkDataArray *degrees, const unsigned char *types);

  vtkPointSet *Data;
  unsigned int Block;
  const CurvesSettings &Settings;
  const CurvesModes &Modes;

  tsr_curves_view CoreView;
  tsr_curves_options Options;
  tsr_curves_plan *CorePlan = nullptr;
  ArrayView Points, Weights;
  IndexView Indices;
  std::vector<uint8_t> Kinds; /**< empty: all are of the view's kind */
  std::vector<uint8_t> Roles; /**< of the cells in joining; empty: all are lines */
  bool HasLines = true;       /**< false: no cell can be joined */
  CurvesJoin Joined;
  vtkIdType FirstLine = 0; /**< the input cell that the view's cell 0 is */
  PassThrough Passed;

  CurvesFields ArrayFields;

  Notes OwnNotes;

  friend class CurvesOutput;
};

} // namespace tessera

#endif
