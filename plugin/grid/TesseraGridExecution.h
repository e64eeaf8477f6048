// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Adaptive Grid over all datasets and processes. */
#ifndef TesseraGridExecution_h
#define TesseraGridExecution_h

#include "frame/data/TesseraDatasets.h"
#include "frame/run/TesseraExecution.h"
#include "grid/TesseraGridDataset.h"

#include <cstdint>
#include <deque>

namespace tessera {

class GridMesh;
struct MeshWishes;

/** Notes of this filter in addition to those of the core. */
enum GridNote {
  GRID_NOTE_DATASET = TSR_GRID_NOTES, /**< a dataset of a kind that is not taken */
  GRID_NOTE_UNFIT,    /**< an unusable unstructured grid; the first one is an error */
  GRID_NOTE_NO_ARRAY, /**< a dataset that has none of the criteria's arrays */
  GRID_NOTES
};

/**
 * A dataset that is no composite is one grid, shared by all processes. So is a block of a composite
 * if several processes hold pieces of it. Every other block is a grid of its own on its process.
 * AMR, and the hyper tree grids and unstructured grids at one place of a composite, are one grid
 * that each of its processes has whole. All grids share the ranges of their arrays and the budget.
 * Merge Blocks makes one unstructured grid of a composite first, which is then the input.
 */
class GridExecution : public Execution {
public:
  /** steps: NULL, or the marks of the other time steps. only: true if only the marks are made,
   * without output. */
  GridExecution(vtkDataObject *input, const GridSettings &settings, ThreadRunner &runner,
                GridSteps *steps = nullptr, bool only = false);
  ~GridExecution() override { tsr_maxima_free(&this->Largest); }

  bool Run() override;

  /** Makes Run warn if the output saves nothing. Run then tries other thresholds, to suggest one.
   */
  void LookForGrowth() { this->LooksForGrowth = true; }

  /** The balance rule that was used, and why if it is not the one that was set. */
  const std::string &Balance() const { return this->BalanceInForce; }

  /** What Interpolation Error bounds in this kind of output. */
  std::string ErrorBound() const;

  /** Number of leaves of meshes that are too small to be divided and exceed the threshold of
   * Interpolation Error, on all processes together. Below 0 if no mesh has such a threshold. */
  int64_t LeavesAbove() const;

  /** Cells of the fixed fine grid, on all processes together. */
  int64_t FineCells() const { return this->Fine; }
  /** Cells of the output; for trees and blocks, only the visible cells. */
  int64_t VisibleCells() const { return this->Visible; }
  /** Bytes of memory that the input and the output take. */
  int64_t InputBytes() const { return this->BytesIn; }
  int64_t OutputBytes() const { return this->BytesOut; }
  /** Number of visible leaves, before some are cut into conforming cells. */
  int64_t VisibleLeaves() const { return this->Uncut; }
  const std::vector<vtkIdType> &CellsOfLevel() const { return this->OfLevel; }
  /** Number of levels that leaves may have. */
  int Levels() const { return this->MostLevels; }

  /** Largest distance, along an axis, between an input point and its position in the interpolant of
   * its output cell. -1: not measured. 0 for images and rectilinear grids. */
  double GeometricError() const { return this->Bent; }

  /** The mesh that Merge Blocks has made of this process's datasets of a composite; NULL if it
   * makes none. */
  vtkDataObject *Merged() const { return this->MergedBlocks; }

  /** The largest error of each array, ordered by name. If a point array and a cell array have the
   * same name, they are listed as "NAME (points)" and "NAME (cells)". */
  std::vector<GridArrayError> Errors() const;

private:
  std::string NoteSentence(int kind, const tsr_note_count &note,
                           const std::string &where) const override;
  void Collect();
  bool MergeBlocks();
  void CollectOwn(const std::vector<Dataset> &datasets, const Places &places);
  bool CollectShared(const SharedBlock &one, unsigned int block);
  void CollectOctrees(const std::vector<Dataset> &datasets, const Places &places);
  bool CollectOctree(const SharedBlock &one, unsigned int block);
  void AddOctree(size_t grid, const SharedBlock &one, const std::shared_ptr<GridOctree> &tree);
  bool CollectMeshes();
  bool ShareDomain(MeshWishes &wishes, tsr_error &error);
  struct PendingMesh;

  /** Replaces curved cells of the meshes by tetrahedra and triangles, and sets the cell size if
   * there are some. Collective. */
  bool DivideCurved(MeshWishes &wishes, tsr_error &error);

  /** True if the mesh has no error on any process, or is left out for its error, with a warning;
   * otherwise the execution fails. Collective. */
  bool KeepsMesh(const PendingMesh &one, tsr_error &error);

  /** True, with a warning, if the block is an unstructured grid of a composite that cannot be
   * taken; error: why. Collective. */
  bool LeavesOut(const SharedBlock &one, unsigned int block, const tsr_error &error);

  /** Warns about choices that have no effect on the input. */
  void WarnOfChoices();
  void FindArrays();
  void NoteGridsWithoutCriteria(bool wanted);

  /** Tells the core about the input's arrays, so that they may stay on a device. */
  void KnowArrays();
  void ShareRanges();
  void ShareRegion();
  /** most: bytes of the output. */
  bool MakePlans(int64_t budget, double most);
  double PlanOne(size_t i, double bytes, int64_t budget, int64_t limit);
  bool IsWithinLimit(bool counted);
  bool IsFineWithinLimit();
  bool CheckSize(OutputSize &size);
  void Measure(OutputSize &size) const;
  std::string Advice(OutputSize &size, Tolerances &list, double &scale);
  Tolerances InUse() const;
  void AddStep();
  void NameBalance();

  /** True if Interpolation Error bounds the error of a mesh. */
  bool BoundsMesh() const;

  /** Number of visible cells with all thresholds times `scale`; -1 if the plan cannot be made.
   * Collective. */
  int64_t CountCells(double scale);

  /** Warns if the output saves nothing, and says which thresholds would help, by trying them. This
   * replaces the plans. Collective. */
  void WarnOfGrowth();
  int64_t BudgetOf(size_t dataset, int64_t budget) const;
  bool FillAll();
  vtkSmartPointer<vtkDataObject> Fill(GridDataset &dataset);
  void CollectErrors(const std::deque<GridArrayError> &errors);

  /** What is summed over grids and processes. CELLS: of the inputs; a grid that several processes
   * have counts on one of them. */
  enum Sum { VISIBLE, FINE, LEAVES, BYTES_IN, BYTES_OUT, CELLS, OF_OCTREES, ABOVE, SUMS };
  /** Adds a grid to the report and to sums[SUMS]. more: cells that are reported beside its own. */
  void CountGrid(const GridDataset &dataset, int64_t more, vtkIdType *sums);
  void TakeSums(const vtkIdType *sums);
  void Conclude();

  const GridSettings Settings;
  /** Shared ones first, in the same order on all processes; NULL if empty or not supported. */
  std::vector<std::unique_ptr<GridDataset>> Grids;
  /** Meshes that are not octrees yet, in the same order on all processes. */
  struct PendingMesh {
    SharedBlock Block;
    std::shared_ptr<GridMesh> Mesh; /**< NULL on processes that have no part of it */
    size_t Grid;                    /**< where its octree goes in Grids */
  };
  std::vector<PendingMesh> Meshes;
  size_t SharedGrids = 0;
  vtkSmartPointer<vtkDataObject> MergedBlocks;
  vtkIdType InputCells = 0; /**< of all datasets and processes, if the input is a composite */
  tsr_maxima Largest = {};  /**< largest error of each array */
  std::vector<vtkIdType> OfLevel;
  int64_t Fine = 0, Visible = 0, Uncut = 0, BytesIn = 0, BytesOut = 0;
  int64_t OfOctrees = 0; /**< cells of the octrees that were made of meshes */
  int64_t Above = 0;     /**< leaves above the threshold, of meshes */
  double Bent = -1.0;
  int MostLevels;
  int UnfitBlocks = 0; /**< unusable unstructured grids; the same on all processes */
  std::string BalanceInForce;
  GridSteps *Steps;
  const bool MarksOnly;
  bool LooksForGrowth = false;
  int64_t CutMore = 0; /**< cells that cutting at the surface of meshes has added */
};

} // namespace tessera

#endif
