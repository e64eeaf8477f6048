// SPDX-License-Identifier: BSD-3-Clause
/** Structured datasets whose parts several processes hold, and how they share them out. */
#ifndef TesseraGridPieces_h
#define TesseraGridPieces_h

#include "frame/TesseraArrays.h"
#include "frame/TesseraLeaves.h"
#include "grid/TesseraGridSettings.h"
#include "mpi/TesseraProcesses.h"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <memory>

namespace tessera {

/** Input cells beyond its own that a process needs: the most that any criterion looks at. */
enum { GRID_MARGIN = 1 };

/** Sets the error about the input. Returns false. */
bool Fail(tsr_error &error, const std::string &text);

/** First and last point along i, j, k. */
tsr_grid_box BoxFrom(const int extent[6]);

/** The extent of an image, a rectilinear or a structured grid. False for other datasets. */
bool GetBox(vtkDataObject *data, tsr_grid_box &box);

/** The coordinates of a rectilinear grid along an axis; NULL for others. */
vtkDataArray *AxisOf(vtkDataSet *data, int axis);

/** Where a structured dataset lies, for the core; its arrays are borrowed as long as this lives. */
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
  tsr_grid_box Own; /**< whole roots that this process puts out */
  bool Shared;      /**< with other processes, whose ghost cells then are not left out */
};

/** A dataset that this process has for itself. Data is NULL where it cannot be one. */
GridPiece OwnPiece(vtkDataSet *data, tsr_error &error);

/**
 * Sees to it that each of the `sharers` holds its own box and a margin around it, wherever the
 * points have been before; the other processes hold nothing. Numeric arrays only travel. Collective
 * over all processes. False on all of them where something failed on one.
 */
bool GatherPieces(vtkDataSet *data, const GridSettings &settings, const std::vector<int> &sharers,
                  const Processes &processes, GridPiece &piece, std::set<std::string> &messages,
                  tsr_error &error);

/** A structured grid whose pieces lie at the same place on several processes. */
struct SharedBlock {
  int64_t Place;
  vtkSmartPointer<vtkDataObject> Data; /**< this process's piece; an empty one where it has none */
  std::vector<int> Holders;            /**< the processes that have one */
};

/**
 * Finds the blocks whose pieces on the processes, without duplicate ghost cells, tile a box. Where
 * they overlap or leave gaps each is taken for a grid of its own. Collective; the same blocks in
 * the same order on all processes.
 */
std::vector<SharedBlock> FindSharedBlocks(const std::vector<Leaf> &leaves, const Places &places,
                                          const Processes &processes, tsr_error &error);

} // namespace tessera

#endif
