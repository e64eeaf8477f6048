// SPDX-License-Identifier: BSD-3-Clause
/** Structured datasets of which several processes hold parts, and how the work is divided among
 * them. */
#ifndef TesseraGridPieces_h
#define TesseraGridPieces_h

#include "frame/data/TesseraArrays.h"
#include "frame/data/TesseraDatasets.h"
#include "grid/TesseraGridSettings.h"
#include "mpi/TesseraProcesses.h"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <memory>

namespace tessera {

struct GridOctree;

/** Layers of input cells around its own that a process needs: the most that any criterion uses. */
enum { GRID_MARGIN = 1 };

/** Sets the text of an error about the input. Returns false. */
bool Fail(tsr_error &error, const std::string &text);

/** The box of first and last points along i, j and k. */
tsr_grid_box BoxFrom(const int extent[6]);

/** The extent of an image, a rectilinear or a structured grid. False for other datasets. */
bool GetBox(vtkDataObject *data, tsr_grid_box &box);

/** The coordinates of a rectilinear grid along an axis; NULL for others. */
vtkDataArray *AxisOf(vtkDataSet *data, int axis);

/** The geometry of a structured dataset for the core. Its arrays are borrowed as long as this
 * object lives. */
class GridView {
public:
  explicit GridView(vtkDataSet *data);
  GridView(const GridView &) = delete;
  GridView &operator=(const GridView &) = delete;

  tsr_grid_view Core;

private:
  ArrayView Coordinates[3], Points;
};

/** This process's part of a dataset. */
struct GridPiece {
  vtkSmartPointer<vtkDataSet> Data;
  std::shared_ptr<tsr_grid_shares> Shares;
  tsr_grid_box Own;    /**< box of whole roots whose output this process makes */
  bool Shared = false; /**< shared with other processes; its ghost cells of other processes are then
                  not hidden */
  bool Counts = true;  /**< this process counts what belongs to all that share it */
  std::shared_ptr<GridOctree> Octree; /**< cells of several sizes, all of which each process has;
                                         NULL: a structured dataset, with Shares and Own */
  int Ranks = 1, Rank = 0;            /**< of the processes that share an octree */
};

/** The piece of a dataset that this process does not share. Data is NULL, and `error` set, if it
 * cannot be used. */
GridPiece OwnPiece(vtkDataSet *data, const GridSettings &settings, tsr_error &error);

/**
 * Moves data such that each of the `sharers` holds its own box and a margin around it, whichever
 * process held the points before. The other processes hold nothing afterwards. Only numeric arrays
 * are moved. Collective over all processes; returns false on all of them if something failed on
 * one.
 */
bool GatherPieces(vtkDataSet *data, const GridSettings &settings, const std::vector<int> &sharers,
                  const Processes &processes, GridPiece &piece, WarningList &messages,
                  tsr_error &error);

/** A structured grid of which several processes hold pieces at the same place of the composite. */
struct SharedBlock {
  int64_t Place;
  vtkSmartPointer<vtkDataObject> Data; /**< this process's piece; empty if it has none */
  std::vector<int> Holders;            /**< the processes that have a piece */
};

/**
 * Finds the blocks whose pieces on all processes together, without duplicate ghost cells, tile a
 * box. If the pieces overlap or leave gaps, each piece is a grid of its own. Collective; all
 * processes get the same blocks in the same order.
 */
std::vector<SharedBlock> FindSharedBlocks(const std::vector<Dataset> &datasets,
                                          const Places &places, const Processes &processes,
                                          tsr_error &error);

} // namespace tessera

#endif
