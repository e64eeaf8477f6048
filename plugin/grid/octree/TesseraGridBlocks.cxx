// SPDX-License-Identifier: BSD-3-Clause
/** The cells of AMR. */
#include "frame/TesseraVersions.h"
#include "frame/data/TesseraMemory.h"
#include "grid/TesseraGridPieces.h"
#include "grid/octree/TesseraGridJoined.h"
#include "grid/octree/TesseraGridOctree.h"

#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkUniformGridAMR.h>

#include <algorithm>

namespace tessera {

namespace {

struct FreeAmr {
  void operator()(tsr_grid_amr *amr) const { tsr_grid_amr_free(amr); }
};

/** The conversion of the blocks that this process has. */
class BlockCells {
public:
  BlockCells(GridOctree &tree, OctreeContext &context) : Tree(tree), Context(context) {}

  /** Finds the blocks that have points. Fails at a block that is no image along the axes. */
  void Find(vtkUniformGridAMR *data);

  /** Places the blocks of all processes in one lattice. Collective. */
  void Place();

  void Write();

private:
  void Describe(vtkImageData *image, tsr_grid_amr_block &block);

  GridOctree &Tree;
  OctreeContext &Context;
  std::vector<vtkImageData *> Images;
  std::vector<tsr_grid_amr_block> Blocks; /**< of Images */
  std::unique_ptr<tsr_grid_amr, FreeAmr> Amr;
};

void BlockCells::Find(vtkUniformGridAMR *data) {
  if (!data) {
    return;
  }
  auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(data->NewIterator());
  auto *at = AMRIterator::SafeDownCast(it);
  for (it->InitTraversal(); at && !it->IsDoneWithTraversal(); it->GoToNextItem()) {
    auto *image = vtkImageData::SafeDownCast(it->GetCurrentDataObject());
    tsr_grid_amr_block block = {};
    block.level = static_cast<int64_t>(at->GetCurrentLevel());
    block.number = static_cast<int64_t>(at->GetCurrentIndex());
    if (!image || !image->GetDirectionMatrix()->IsIdentity()) {
      Fail(this->Context.Error, "block " + std::to_string(block.number) + " of level " +
                                    std::to_string(block.level) + " is no image along the axes");
      return;
    }
    if (image->GetNumberOfPoints() > 0) {
      this->Describe(image, block);
      this->Images.push_back(image);
      this->Blocks.push_back(block);
    }
  }
}

void BlockCells::Describe(vtkImageData *image, tsr_grid_amr_block &block) {
  int extent[6];
  image->GetExtent(extent);
  image->GetSpacing(block.spacing);
  image->GetOrigin(block.corner);
  for (int axis = 0; axis < 3; ++axis) {
    block.corner[axis] += extent[2 * axis] * block.spacing[axis];
    block.cells[axis] = extent[2 * axis + 1] - extent[2 * axis];
  }
  const std::string where = " The block is block " + std::to_string(block.number) + " of level " +
                            std::to_string(block.level) + ".";
  block.cell_ghosts = GhostsOf(image, true, where, this->Context.Messages);
  block.point_ghosts = GhostsOf(image, false, where, this->Context.Messages);
}

void BlockCells::Place() {
  const tsr_processes group = this->Context.Group.Core();
  tsr_grid_amr *amr = nullptr;
  if (tsr_grid_amr_create(this->Blocks.data(), static_cast<int64_t>(this->Blocks.size()), &group,
                          &amr, &this->Context.Error) == TSR_OK) {
    this->Amr.reset(amr);
    const tsr_grid_amr_sizes &sizes = *tsr_grid_amr_plan_sizes(amr);
    std::copy_n(sizes.cells, 3, this->Tree.Lattice.Cells);
    std::copy_n(sizes.origin, 3, this->Tree.Lattice.Origin);
    std::copy_n(sizes.spacing, 3, this->Tree.Lattice.Spacing);
  }
}

void BlockCells::Write() {
  GridOctree &tree = this->Tree;
  const tsr_grid_amr_sizes &sizes = *tsr_grid_amr_plan_sizes(this->Amr.get());
  std::vector<JoinedPart> parts;
  vtkIdType points = 0, cells = 0;
  for (size_t i = 0; i < this->Images.size(); ++i) {
    vtkImageData *image = this->Images[i];
    const std::uint8_t *dropped = tsr_grid_amr_dropped(this->Amr.get(), static_cast<int64_t>(i));
    if (dropped) {
      const vtkIdType n = image->GetNumberOfCells();
      parts.push_back({image, points, cells, dropped});
      points += image->GetNumberOfPoints();
      cells += n - std::count(dropped, dropped + n, std::uint8_t{1});
    }
  }
  tree.Count = sizes.n;
  tree.Level.Allocate(tree.Count);
  tree.Index.Allocate(3 * tree.Count);
  tree.Hidden.Allocate(sizes.any_hidden ? tree.Count : 0);
  tree.Corners.Allocate(HavePointArrays(parts) ? tree.Count << sizes.dimension : 0);
  if (tsr_grid_amr_fill(this->Amr.get(), this->Context.Runner.Core(), tree.Level.Get(),
                        tree.Index.Get(), tree.Corners.Get(), tree.Hidden.Get(),
                        &this->Context.Error) == TSR_OK) {
    tree.Data = JoinArrays(parts, tree.Corners.Get() ? sizes.points : 0, tree.Count, this->Context);
  }
}

} // namespace

void OctreeOfBlocks(vtkUniformGridAMR *data, GridOctree &tree, OctreeContext &context) {
  tsr_error &error = context.Error;
  BlockCells cells(tree, context);
  Guard(error, [data, &cells] { cells.Find(data); });
  if (!context.Group.AllFine(error)) {
    return;
  }
  cells.Place();
  if (error.status != TSR_OK) {
    return; // on all processes
  }
  Guard(error, [&cells] { cells.Write(); });
  tree.Data = tree.Data ? tree.Data : NewOctreeArrays(0, 0);
  if (data) {
    tree.Data->GetFieldData()->PassData(data->GetFieldData());
  }
  context.Group.AllFine(error);
}

} // namespace tessera
