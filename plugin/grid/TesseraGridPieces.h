// SPDX-License-Identifier: BSD-3-Clause
/** Sharing out a structured dataset over the processes, in boxes of whole roots. */
#ifndef TesseraGridPieces_h
#define TesseraGridPieces_h

#include "grid/TesseraGridLeaf.h"
#include "mpi/TesseraProcesses.h"

#include <map>

namespace tessera {

/** The box of whole roots of 2^coarsen cells that process `rank` of `ranks` owns; empty where there
 *  are fewer roots than processes. All boxes together are the whole. */
Extent OwnedExtent(const Extent &whole, int coarsen, int rank, int ranks);

/** The box with `margin` cells more on every side, within the whole. */
Extent Grown(const Extent &extent, int margin, const Extent &whole);

/** The smallest box around two; an empty one does not count. */
Extent Around(const Extent &a, const Extent &b);

/** A dataset that this process has for itself. */
GridPiece WholePiece(vtkDataSet *data);

/**
 * Makes sure that the parts of the processes agree and are all of what the source announces (an
 * empty extent: nothing), and sees to it that each of the `sharers` holds its own box and `margin`
 * cells around it, wherever the points have been before; the other processes hold nothing.
 * Collective over all processes. False on all of them where something failed on one.
 */
bool GatherPieces(vtkDataSet *data, const Extent &announced, int coarsen, int margin,
                  const std::vector<int> &sharers, const Processes &processes, GridPiece &piece,
                  std::set<std::string> &messages, tsr_error &error);

/** The largest values under each name, over all processes. Collective. */
void MaximumByName(const Processes &processes,
                   std::map<std::string, std::pair<double, double>> &values);

} // namespace tessera

#endif
