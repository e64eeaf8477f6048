// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Adaptive Point Grid over all datasets and processes. */
#ifndef TesseraPointGridExecution_h
#define TesseraPointGridExecution_h

#include "frame/data/TesseraDatasets.h"
#include "frame/run/TesseraExecution.h"
#include "pointgrid/TesseraPointGridDataset.h"
#include "pointgrid/TesseraPointGridOutput.h"

#include <cstdint>
#include <memory>

namespace tessera {

/** Notes of this filter in addition to those of the core. */
enum PointGridNote { POINTGRID_NOTE_DATASET = TSR_POINTGRID_NOTES, POINTGRID_NOTES };

/**
 * A dataset that is no composite is one tree, shared by all processes. A block of a composite is
 * one tree, shared by the processes that have points in it.
 */
class PointGridExecution : public Execution {
public:
  PointGridExecution(vtkDataObject *input, const PointGridSettings &settings, ThreadRunner &runner);

  bool Run() override;

  /** Number of leaves over all processes. */
  int64_t Cells() const { return this->AllLeaves; }
  const std::vector<vtkIdType> &CellsOfLevel() const { return this->OfLevel; }
  vtkIdType HiddenPoints() const { return this->Sums[0]; }
  vtkIdType EmptyCells() const { return this->Sums[1]; }

  /** Why no cell came out; empty where there is one. */
  std::string WhyNone() const;

private:
  std::string NoteSentence(int kind, const tsr_note_count &note,
                           const std::string &where) const override;
  void Collect();
  void CollectBlocks();
  void AddDataset(vtkDataObject *data, unsigned int block, const std::vector<int> &holders);
  bool MakePlans();

  /** counted: true if the plans know their sizes; false if each found that it would be too large.
   */
  bool IsWithinLimit(bool counted);
  bool FillAll();
  void MakeOutput(size_t dataset);
  void Conclude();

  const PointGridSettings Settings;
  /** Shared ones first, in the same order on all processes; NULL if empty or not supported. */
  std::vector<std::unique_ptr<PointGridDataset>> Datasets;
  std::vector<std::unique_ptr<PointGridOutput>> Fills;
  size_t SharedDatasets = 0;
  std::vector<vtkIdType> OfLevel;
  int64_t AllLeaves = 0;
  vtkIdType Sums[3] = {}; /**< hidden points, empty cells, points that are not finite */
};

} // namespace tessera

#endif
