// SPDX-License-Identifier: BSD-3-Clause
/** One dataset on its way through Adaptive Cells: view, plan, output. */
#ifndef TesseraCellsDataset_h
#define TesseraCellsDataset_h

#include "frame/data/TesseraArrays.h"
#include "frame/report/TesseraNotes.h"

#include <cstdint>
#include <string>
#include <vector>

class vtkPointSet;
class vtkUnstructuredGrid;

namespace tessera {

class ThreadRunner;

/** What the user has set, the same for every dataset. */
struct CellsSettings : tsr_cells_choices {
  CellsSettings() {
    tsr_cells_choices_init(this);
    tsr_cells_options_init(&this->Options);
  }

  tsr_cells_options Options; /**< without the fields, which each dataset has its own of */
  std::vector<std::string> FieldErrorArrays;
};

/** Notes of the filter beyond those of the core. */
enum CellsNote {
  CELLS_NOTE_DATASET = TSR_CELLS_NOTES, /**< a dataset of a type that is not supported */
  CELLS_NOTES
};

class CellsDataset {
public:
  /** Builds the view. `input` and `settings` have to outlive this. */
  CellsDataset(vtkUnstructuredGrid *input, const CellsSettings &settings);
  ~CellsDataset();
  CellsDataset(const CellsDataset &) = delete;
  CellsDataset &operator=(const CellsDataset &) = delete;

  vtkUnstructuredGrid *Input() const { return this->Data; }
  tsr_cells_plan *Plan() const { return this->CorePlan; }
  const CellsSettings &Choices() const { return this->Settings; }
  /** True if the output is a vtkUnstructuredGrid with volume cells, not a vtkPolyData. */
  bool IsSolid() const { return this->Options.output == TSR_CELLS_VOLUMES; }
  bool IsSingle() const { return this->View.single_points != 0; }

  /** Adds the range of each component of the fields. */
  void AddRanges(tsr_maxima &ranges) const;

  /** True if the point array of that name can be a field. */
  bool HasField(const std::string &name) const;

  /** Number of output points, and bytes of memory that each takes. */
  double Items() const { return static_cast<double>(this->Sizes().points); }
  double BytesPerItem() const;

  /** Bytes that the planned output takes. */
  double Bytes() const;

  /** Sets the box of all datasets, and double precision where there are curved cells, single
   * precision takes much of the chord error, and the type of the output points is free. 0: the
   * dataset's own. */
  void SetBox(double referenceLength, double largestPlace);

  /** ranges: of the fields. limitPoints: 0 = no limit. To be called after SetBox. */
  bool MakePlan(const tsr_execution *execution, const tsr_maxima &ranges, int64_t limitPoints,
                tsr_error &error);

  /** Points and cells that the plan makes. */
  const tsr_cells_sizes &Sizes() const { return *tsr_cells_plan_sizes(this->CorePlan); }

  /** Makes the output of the plan. NULL on failure. Adds to `messages` a sentence about every
   *  array that cannot go along. */
  vtkSmartPointer<vtkPointSet> Fill(ThreadRunner &runner, WarningList &messages, tsr_error &error);

private:
  void ChooseFields();
  bool IsField(vtkDataArray *array) const;
  void SetRoles();
  void TellOfRounding(WarningList &messages) const;

  vtkUnstructuredGrid *Data;
  const CellsSettings &Settings;

  tsr_cells_view View;
  tsr_cells_options Options;
  tsr_cells_plan *CorePlan = nullptr;
  bool MayCurve = false; /**< there are cells of types that may be curved */
  bool Widened = false;  /**< the points would be in single precision but for the chord error */
  ArrayView Points, Weights, Degrees;
  IndexView Indices;
  std::vector<unsigned char> Types;
  std::vector<std::uint8_t> Roles;
  std::vector<vtkDataArray *> Sources; /**< of the fields */
  std::vector<ArrayView> FieldViews;
  std::vector<tsr_array> Fields;
  std::vector<double> Ranges, Largest; /**< of the fields */
};

} // namespace tessera

#endif
