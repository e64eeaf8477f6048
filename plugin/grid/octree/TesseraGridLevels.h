// SPDX-License-Identifier: BSD-3-Clause
/** The blocks of AMR of all processes, and the lattice in which their cells lie. */
#ifndef TesseraGridLevels_h
#define TesseraGridLevels_h

#include "grid/octree/TesseraGridOctree.h"

#include <vector>

class vtkImageData;
class vtkUniformGridAMR;

namespace tessera {

/** Where a block lies: plain bytes, which processes send each other. */
struct BlockPlace {
  int64_t Level, Number;        /**< in the AMR; the same on all processes */
  double Corner[3], Spacing[3]; /**< as the block has them */
  int64_t Cells[3];             /**< along each axis; 0 along an axis with one point */
};

/** A block of this process. */
struct Block {
  vtkImageData *Data;
  BlockPlace Place;
};

/** The blocks of this process that have points. Fails at a block that is no image along the axes.
 */
std::vector<Block> BlocksOf(vtkUniformGridAMR *data, tsr_error &error);

/** The lattice of the blocks of all processes, and where they lie in it. */
class BlockLattice {
public:
  /** all: of all processes. Fails with a sentence if they do not fit together. */
  BlockLattice(const std::vector<BlockPlace> &all, tsr_error &error);

  /** Does the block have cells of the lattice's dimension? */
  bool HasCells(const BlockPlace &block) const;

  /** The number of halvings of a cell of level 0 to one of the block. */
  int DepthOf(const BlockPlace &block) const {
    return this->Depths[static_cast<size_t>(block.Level)];
  }

  /** The block's first cell among the domain's cells of its level, along each axis. */
  void FirstCell(const BlockPlace &block, int64_t first[3]) const;

  OctreeLattice Lattice;

private:
  bool FindLevels(const std::vector<BlockPlace> &all, tsr_error &error);
  bool AddLevel(const BlockPlace &block, const BlockPlace &coarser, tsr_error &error);
  bool CheckBlock(const BlockPlace &block, tsr_error &error) const;
  bool FindDomain(const std::vector<BlockPlace> &all, tsr_error &error);
  double SpacingAt(int depth, int axis) const;

  bool Active[3] = {false, false, false};
  double Tolerance = 0.0;  /**< of coordinates */
  std::vector<int> Depths; /**< by level of the AMR; -1: no process has a block of it */
};

} // namespace tessera

#endif
