// SPDX-License-Identifier: BSD-3-Clause
/** One structured dataset, or this process's part of it, from the input to the output. */
#ifndef TesseraGridDataset_h
#define TesseraGridDataset_h

#include "grid/TesseraGridPieces.h"
#include "grid/TesseraGridSteps.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataObject;
class vtkDataSetAttributes;

namespace tessera {

/** An array that criteria use, and whether it is on cells. */
struct GridArray {
  vtkDataArray *Array;
  bool CellData;
};

/** An array that criteria need: by its name or, with an empty name, the active one. */
struct GridWanted {
  std::string Name;
  bool Velocity;                    /**< it must have 3 components */
  bool Points = true, Cells = true; /**< where it is searched, points first */

  /** A sentence for the user that says that the array is missing. */
  std::string Missing() const;
};

/** All arrays that the criteria need; empty if no criterion decides. */
std::vector<GridWanted> WantedArrays(const GridSettings &settings);

/** The array that is wanted; NULL if `data` has none that fits. */
GridArray FindWanted(vtkDataSet *data, const GridWanted &wanted);

class GridDataset {
public:
  /** block: composite index in the input. place: its place, by Places. */
  GridDataset(const GridPiece &piece, unsigned int block, int64_t place,
              const GridSettings &settings);
  ~GridDataset();

  vtkDataSet *Input() const { return this->Data; }
  unsigned int Block() const { return this->BlockIndex; }

  /** True on one of the processes that share the grid: it counts what belongs to all of them. */
  bool Counts() const { return this->Piece.Counts; }

  /** Are its cells of several sizes? */
  bool IsOctree() const { return this->Piece.Octree != nullptr; }

  /** True if there are cell arrays besides a ghost array. */
  bool HasCellArrays() const;

  /** True if cell arrays become point arrays. */
  bool MovesCells() const { return this->IsOctree() && this->CoreOptions.move_cells != 0; }

  /** True if the output's points are by themselves of single precision. */
  bool IsSingle() const;

  /** Number of input cells, including those of other processes; of a mesh, those of its octree. */
  int64_t WholeCells() const;

  /** Number of cells of the mesh that the octree stands for; 0 if there is none. */
  int64_t MeshCells() const;

  /** The values at the points or cells of the mesh that `array`, one of Input(), was made of;
   * absent if there is no mesh. cells: is it a cell array? */
  ArrayView SamplesOf(vtkAbstractArray *array, bool cells) const;

  /** The octree; NULL if the cells are of one size. */
  const GridOctree *Octree() const { return this->Piece.Octree.get(); }

  /** Makes the criteria whose arrays this dataset has. The interpolation error uses a cell array
   * only if no other criterion does: it then bounds the range of the values in a cell. Adds 1 to
   * the count of each array found. */
  void FindArrays(const std::vector<GridWanted> &wanted, vtkIdType *counts);

  /** True if there is an array of that name whose values are bits, which criteria cannot use. */
  bool HasBits(const std::string &name) const;

  bool HasCriteria() const { return !this->Criteria.empty(); }

  /** A warning about each ghost array that is unusable and therefore ignored. */
  const std::vector<std::string> &GhostProblems() const { return this->BadGhosts; }

  /** Adds the range of each criterion's array, as -smallest and largest, and the bounds of the
   * points, of which a geometric error is a fraction. */
  void AddRanges(tsr_maxima &ranges) const;

  /** Sets the ranges of which relative thresholds are fractions. all: also the ranges of arrays,
   * which replace those of this dataset. */
  void SetRanges(const tsr_maxima &ranges, bool all);

  /** True if the grid has explicit points, as a structured grid. */
  bool IsCurved() const { return this->CoreView.geometry == TSR_GEOMETRY_POINTS; }

  /** The lowest and the highest index of the input points within the region along each axis. The
   * lowest indices are negated, so that the maximum of two results is the region of both. */
  void RegionIndices(double corners[6]) const;
  void SetRegion(const double corners[6]);

  /** Also refines the nodes that these marks, which are borrowed, contain. keep: KeepMarks will be
   * called. Returns false if the marks belong to another grid. */
  bool SetMarks(const GridMarksOfBlocks &marks, bool keep, tsr_error &error);

  /** Replaces the marks of this dataset in `marks` by those of the plan. */
  void KeepMarks(GridMarksOfBlocks &marks) const;

  /** Sets each threshold to the user's value times `scale`. */
  void ScaleThresholds(double scale);

  /** Number of visible output cells on this process. */
  vtkIdType SeenCells() const;

  /** Makes the plan. Collective if the dataset is shared. On failure, `error` is the core's error.
   */
  bool MakePlan(const Processes &processes, const tsr_execution *execution, int64_t budget,
                int64_t limit, tsr_error &error);

  /** Counts the visible cells that the fixed fine grid would have on this process, without a plan.
   */
  bool CountFine(int64_t &cells, tsr_error &error) const;

  const tsr_grid_sizes &Sizes() const { return *tsr_grid_plan_sizes(this->Plan); }
  tsr_grid_plan *CorePlan() const { return this->Plan; }
  const GridSettings &Settings() const { return this->Set; }
  const tsr_grid_view &View() const { return this->CoreView; }
  const tsr_grid_options &Options() const { return this->CoreOptions; }

  /** Approximate bytes of memory that one output cell takes. */
  double BytesPerCell() const;

  /** The coordinates of the whole grid, for the core. */
  const double *const *Axes() const;

  /** True if cells are boxes along the axes. */
  bool IsAxisAligned() const { return tsr_grid_is_axis_aligned(&this->CoreView) != 0; }

private:
  GridDataset(const GridDataset &) = delete;
  void operator=(const GridDataset &) = delete;

  void Hide();
  void Add(const tsr_grid_wish &criterion, const GridArray &array);

  GridPiece Piece;
  vtkDataSet *Data;
  unsigned int BlockIndex;
  int64_t Place;
  const GridSettings &Set;
  GridView Lies;
  tsr_grid_view &CoreView;
  tsr_grid_options CoreOptions;
  tsr_grid_plan *Plan = nullptr;
  std::vector<std::uint8_t> HiddenCells, HiddenPoints;
  std::vector<std::string> BadGhosts;
  std::vector<tsr_grid_criterion> Criteria;
  std::vector<ArrayView> CriterionArrays, CriterionSamples;
  std::vector<vtkDataArray *> CriterionSources;
  std::vector<std::string> CriterionKeys;  /**< letter and array name: equal keys share a range */
  std::vector<std::string> CriterionNames; /**< for errors: "the Gradient of 'T'" */
  std::vector<const char *> CoreNames;     /**< these, as CoreOptions has them */
  std::vector<double> CriterionThresholds; /**< thresholds as the user has set them */
};

} // namespace tessera

#endif
