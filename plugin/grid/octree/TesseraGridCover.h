// SPDX-License-Identifier: BSD-3-Clause
/** Which cells of the blocks of AMR lie under cells of other blocks. */
#ifndef TesseraGridCover_h
#define TesseraGridCover_h

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

/** A box of cells of one block, without copies of cells of other blocks. */
struct CoverBox {
  int64_t Block;           /**< of two boxes of one level, that of the lower block covers */
  int64_t Level;           /**< number of halvings of the cells of level 0 */
  int64_t Low[3], High[3]; /**< its cells [Low, High), counted in the domain's cells of the level;
                              an axis without cells has the one cell 0 */
};

/** Divides the cells of a block, without copies of cells of other blocks, into boxes. whole: the
 * block; the results differ from it in Low and High. flags: of the ghost array, one a cell, or
 * NULL.
 */
std::vector<CoverBox> BoxesOfOwnCells(const CoverBox &whole, const unsigned char *flags);

class Cover {
public:
  /** boxes: of all processes. cells: of the domain's level 0 along each axis; 0 along an axis
   * without cells. */
  Cover(std::vector<CoverBox> boxes, const int32_t cells[3]);

  /** Sets the flag to 1 for each cell of a block that lies wholly under finer cells, or under those
   * of a lower block of its level. flags: one for each cell of `block`, x fastest. A cell that lies
   * partly under finer cells gets 1, too, if it has a flag; the first one without a flag is
   * returned. Returns -1 if there is none. */
  int64_t Flag(const CoverBox &block, std::vector<std::uint8_t> &flags);

private:
  /** A cell of a block of which boxes cover a part. */
  struct Part {
    int64_t Cell;
    std::size_t Box;
  };

  template <class Visit> void ForBins(const CoverBox &box, const Visit &visit) const;
  bool Covers(const CoverBox &over, const CoverBox &under) const;
  void FlagBy(std::size_t over, const CoverBox &block, std::vector<std::uint8_t> &flags,
              std::vector<Part> &parts) const;
  bool IsWhole(const CoverBox &block, int64_t cell, const Part *first, const Part *last) const;

  std::vector<CoverBox> Boxes;
  int32_t Cells[3];
  int Bins[3];
  std::vector<std::vector<std::size_t>>
      InBin;                 /**< the boxes that reach into each part of the domain */
  std::vector<int64_t> Seen; /**< for each box, the last block that it was compared with */
  int64_t Turn = 0;
};

} // namespace tessera

#endif
