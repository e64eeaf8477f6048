// SPDX-License-Identifier: BSD-3-Clause
/** Blocks of a composite dataset that several processes hold pieces of. */
#ifndef TesseraGridBlocks_h
#define TesseraGridBlocks_h

#include "frame/TesseraLeaves.h"
#include "mpi/TesseraProcesses.h"

namespace tessera {

/** A structured grid whose pieces lie in the same block on several processes. */
struct SharedBlock {
  unsigned int Block;
  vtkSmartPointer<vtkDataObject> Data; /**< this process's piece; an empty one where it has none */
  std::vector<int> Holders;            /**< the processes that have one */
};

/**
 * Finds the blocks whose pieces on the processes, without duplicate ghost cells, tile a box. Where
 * they overlap or leave gaps each is taken for a grid of its own. Collective; the same blocks in
 * the same order on all processes.
 */
std::vector<SharedBlock> FindSharedBlocks(const std::vector<Leaf> &leaves,
                                          const Processes &processes);

} // namespace tessera

#endif
