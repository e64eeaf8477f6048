// SPDX-License-Identifier: BSD-3-Clause
/** One set of points, or this process's part of it, from the input to the output. */
#ifndef TesseraPointGridDataset_h
#define TesseraPointGridDataset_h

#include "frame/data/TesseraArrays.h"
#include "pointgrid/TesseraPointGridSettings.h"

#include <vtkDataArray.h>
#include <vtkPointSet.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <vector>

namespace tessera {

class Processes;

class PointGridDataset {
public:
  /** holders: the processes that have points; empty: it belongs to this process alone. */
  PointGridDataset(vtkPointSet *data, unsigned int block, const std::vector<int> &holders,
                   const PointGridSettings &settings);
  ~PointGridDataset();

  vtkPointSet *Input() const { return this->Data; }
  unsigned int Block() const { return this->BlockIndex; }
  vtkIdType NumberOfPoints() const { return this->Data->GetNumberOfPoints(); }

  /** True if several processes make one tree of it. */
  bool IsShared() const { return !this->Holders.empty(); }

  /** True if its points were sent to other processes, so that no input tuple belongs to an output
   * point. */
  bool IsTravelled() const { return !this->Owners.empty(); }

  /** Finds the arrays that the output has, too. Collective if the dataset is shared. */
  void FindArrays(const Processes &processes, WarningList &messages, tsr_error &error);
  const std::vector<vtkSmartPointer<vtkDataArray>> &Arrays() const { return this->Numeric; }

  /** Makes the plan. Collective if the dataset is shared. On failure, `error` is the core's error.
   */
  bool MakePlan(const Processes &processes, const tsr_execution *execution, int64_t limit,
                tsr_error &error);

  tsr_pointgrid_plan *CorePlan() const { return this->Plan; }
  const tsr_pointgrid_sizes &Sizes() const { return *tsr_pointgrid_plan_sizes(this->Plan); }
  const PointGridSettings &Settings() const { return this->Set; }

  /** Number of output cells, and about how many bytes of memory each takes. */
  double Items() const { return static_cast<double>(this->Sizes().cells); }
  double BytesPerItem() const;

  /** Bytes of memory that the planned output takes. */
  double Bytes() const;

private:
  PointGridDataset(const PointGridDataset &) = delete;
  void operator=(const PointGridDataset &) = delete;

  void AddCoordinates(WarningList &messages);
  bool FindSpreadArray(tsr_pointgrid_options &options, tsr_error &error);

  vtkSmartPointer<vtkPointSet> Data;
  unsigned int BlockIndex;
  std::vector<int> Holders;
  const PointGridSettings &Set;
  tsr_pointgrid_plan *Plan = nullptr;
  ArrayView Points, Spread;
  std::vector<std::uint8_t> Hidden, Owners;
  std::vector<vtkSmartPointer<vtkDataArray>> Numeric;
};

} // namespace tessera

#endif
