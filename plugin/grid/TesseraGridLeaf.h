// SPDX-License-Identifier: BSD-3-Clause
/** One structured dataset, the part of this process, on its way through the core. */
#ifndef TesseraGridLeaf_h
#define TesseraGridLeaf_h

#include "grid/TesseraGridPieces.h"
#include "grid/TesseraGridSteps.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSetAttributes;

namespace tessera {

/** The name and place of an array that criteria look at. */
struct GridArray {
  vtkDataArray *Array;
  bool CellData;
};

/** What criteria look at: a named array, or the active one where there is no name. */
struct GridWanted {
  std::string Name;
  bool Velocity;                    /**< 3 components */
  bool Points = true, Cells = true; /**< where it is looked for, points first */

  /** That it is nowhere, for the user. */
  std::string Missing() const;
};

/** All arrays that the criteria look at; none where no criterion decides. */
std::vector<GridWanted> WantedArrays(const GridSettings &settings);

class GridLeaf {
public:
  /** block, place: in the input, as of Places. */
  GridLeaf(const GridPiece &piece, unsigned int block, int64_t place, const GridSettings &settings);
  ~GridLeaf();

  vtkDataSet *Input() const { return this->Data; }
  unsigned int Block() const { return this->BlockIndex; }

  /** Is it one grid of all processes? */
  bool IsShared() const { return this->Piece.Shared; }

  /** Input cells, those of other processes as well. */
  int64_t WholeCells() const { return tsr_grid_box_values(&this->Piece.Shares->whole, 1); }

  /** Makes the criteria of those arrays that are here. The interpolation error looks at a cell
   * array only where no other criterion does: it then bounds the range of the values in a cell.
   * Adds 1 to the count of each array found. */
  void FindArrays(const std::vector<GridWanted> &wanted, vtkIdType *counts);

  /** Is there an array of that name, of bits, which criteria cannot look at? */
  bool HasBits(const std::string &name) const;

  bool HasCriteria() const { return !this->Criteria.empty(); }

  /** A sentence about each ghost array that cannot be one, and is not used. */
  const std::vector<std::string> &GhostProblems() const { return this->BadGhosts; }

  /** Adds the range of the array of each criterion that has one, -smallest and largest, and the
   * bounds of the points that a geometric error is a fraction of. */
  void AddRanges(tsr_maxima &ranges) const;

  /** What the thresholds are fractions of. all: also those of arrays, in place of this dataset's
   * own ranges. */
  void SetRanges(const tsr_maxima &ranges, bool all);

  /** Is every point given? */
  bool IsCurved() const { return this->CoreView.geometry == TSR_GEOMETRY_POINTS; }

  /** The input points within the region, as lowest and highest index along each axis with the
   *  sign of the lowest turned, so that a maximum joins two. */
  void RegionIndices(double corners[6]) const;
  void SetRegion(const double corners[6]);

  /** Refines what these marks say as well; borrowed. keep: for KeepMarks. False where they are of
   *  another grid. */
  bool SetMarks(const GridMarksOfBlocks &marks, bool keep, tsr_error &error);

  /** The marks of the plan take the place of those of this dataset. */
  void KeepMarks(GridMarksOfBlocks &marks) const;

  /** The thresholds that are set, times this. */
  void ScaleThresholds(double scale);

  /** Cells of the output that are to be seen, here. */
  vtkIdType SeenCells() const;

  /** Collective where it is shared. Fails with the core's error. */
  bool MakePlan(const Processes &processes, const tsr_execution *execution, int64_t budget,
                int64_t limit, tsr_error &error);

  /** The visible cells that the fixed fine grid would have on this process, without a plan. */
  bool CountFine(int64_t &cells, tsr_error &error) const;

  const tsr_grid_sizes &Sizes() const { return *tsr_grid_plan_sizes(this->Plan); }
  tsr_grid_plan *CorePlan() const { return this->Plan; }
  const GridSettings &Settings() const { return this->Set; }
  const tsr_grid_view &View() const { return this->CoreView; }
  const tsr_grid_options &Options() const { return this->CoreOptions; }

  /** Bytes of memory that one output cell takes, roughly. */
  double BytesPerCell() const;

  /** The coordinates of the whole grid, for the core. */
  const double *const *Axes() const { return this->Piece.Shares->axes; }

  /** Are cells boxes along the axes? */
  bool IsAxisAligned() const { return tsr_grid_is_axis_aligned(&this->CoreView) != 0; }

private:
  GridLeaf(const GridLeaf &) = delete;
  void operator=(const GridLeaf &) = delete;

  void Hide();
  void Add(const tsr_grid_wish &criterion, const GridArray &array);
  void NameCriterion(tsr_error &error) const;
  GridArray Find(const GridWanted &wanted) const;

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
  std::vector<ArrayView> CriterionArrays;
  std::vector<vtkDataArray *> CriterionSources;
  std::vector<std::string> CriterionKeys;   /**< a letter, and the name of the array: arrays of one
                                                 key share a range */
  std::vector<const char *> CriterionNames; /**< the property */
  std::vector<double> CriterionThresholds;  /**< as they are set */
};

} // namespace tessera

#endif
