// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraVersions.h"
#include "grid/TesseraGridOutput.h"
#include "mpi/TesseraProcesses.h"

#include <vtkAMRBox.h>
#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkUniformGrid.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera {

namespace {

/** Where the nodes of a level lie. */
struct Place {
  double Origin[3], Root[3];
  bool Active[3];
  int Description;

  explicit Place(const GridLeaf &leaf) {
    const tsr_grid_view &view = leaf.View();
    const double root = static_cast<double>(int64_t{1} << leaf.Options().coarsen_levels);
    int active = 0;
    for (int axis = 0; axis < 3; ++axis) {
      this->Active[axis] = view.whole[2 * axis + 1] > view.whole[2 * axis];
      this->Origin[axis] = leaf.Coordinate(axis, view.whole[2 * axis]);
      // VTK divides by the spacing of a flat axis, too.
      const bool usable = this->Active[axis] || view.spacing[axis] > 0.0;
      this->Root[axis] = usable ? view.spacing[axis] * root : 1.0;
      active += this->Active[axis] << axis;
    }
    this->Description = active == 3   ? XY_PLANE
                        : active == 5 ? XZ_PLANE
                        : active == 6 ? YZ_PLANE
                                      : XYZ_GRID;
  }

  void Spacing(int level, double spacing[3]) const {
    for (int axis = 0; axis < 3; ++axis) {
      spacing[axis] = std::ldexp(this->Root[axis], -level);
    }
  }

  void Corner(const tsr_grid_patch &patch, double corner[3], int points[3]) const {
    double spacing[3];
    this->Spacing(patch.level, spacing);
    for (int axis = 0; axis < 3; ++axis) {
      corner[axis] =
          this->Origin[axis] + (this->Active[axis] ? spacing[axis] * patch.begin[axis] : 0.0);
      points[axis] = this->Active[axis] ? patch.end[axis] - patch.begin[axis] + 1 : 1;
    }
  }
};

bool Check(const GridLeaf &leaf, tsr_error &error) {
  if (leaf.View().geometry != TSR_GEOMETRY_UNIFORM || !leaf.IsAxisAligned() ||
      leaf.Sizes().dimension < 2) {
    return Fail(error, "overlapping AMR needs a 2D or 3D image without rotation");
  }
  if (!leaf.IsRising()) {
    return Fail(error, "overlapping AMR needs spacings above 0");
  }
  return true;
}

/** The blocks of all processes, one process after the other; `first`: this one's first. */
std::vector<tsr_grid_patch> AllPatches(const std::vector<tsr_grid_patch> &mine,
                                       const Processes &processes, size_t &first) {
  std::vector<vtkIdType> sizes;
  const std::string all = processes.Concatenate(
      std::string(reinterpret_cast<const char *>(mine.data()), mine.size() * sizeof(mine[0])),
      sizes);
  const auto end = sizes.begin() + processes.Rank();
  first = static_cast<size_t>(std::accumulate(sizes.begin(), end, vtkIdType{0})) / sizeof(mine[0]);
  std::vector<tsr_grid_patch> patches(all.size() / sizeof(mine[0]));
  std::copy(all.begin(), all.end(), reinterpret_cast<char *>(patches.data()));
  return patches;
}

/** The block's part of every array, and flags for the cells that are not its leaves. */
vtkSmartPointer<vtkUniformGrid> NewBlock(const tsr_grid_patch &patch, const Place &place,
                                         vtkCellData *all, const unsigned char *states) {
  double corner[3], spacing[3];
  int points[3];
  place.Corner(patch, corner, points);
  place.Spacing(patch.level, spacing);
  auto block = vtkSmartPointer<vtkUniformGrid>::New();
  block->SetOrigin(corner);
  block->SetSpacing(spacing);
  block->SetDimensions(points);
  const vtkIdType cells = block->GetNumberOfCells();
  for (int i = 0; i < all->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *from = all->GetAbstractArray(i);
    auto to = NewArrayLike(from, cells);
    to->InsertTuples(0, cells, static_cast<vtkIdType>(patch.first), from);
    block->GetCellData()->AddArray(to);
  }
  const int none[] = {-1};
  CopyRoles(all, block->GetCellData(), none);
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  AllocateTuples(ghosts, cells);
  std::transform(states + patch.first, states + patch.first + cells, ghosts->GetPointer(0),
                 [](unsigned char state) -> unsigned char {
                   return state == TSR_STATE_LEAF      ? 0
                          : state == TSR_STATE_COVERED ? vtkDataSetAttributes::REFINEDCELL
                                                       : vtkDataSetAttributes::HIDDENCELL;
                 });
  block->GetCellData()->AddArray(ghosts);
  return block;
}

} // namespace

vtkSmartPointer<vtkDataObject> MakeAMR(GridOutput &output, const Processes &processes,
                                       tsr_error &error) {
  const GridLeaf &leaf = output.Leaf;
  if (!Check(leaf, error)) {
    return nullptr; // all processes alike
  }
  std::vector<tsr_grid_patch> mine(static_cast<size_t>(leaf.Sizes().patches));
  vtkNew<vtkCellData> arrays;
  output.Core.patches = mine.data();
  output.AddArrays(nullptr, arrays);
  const bool good = output.Fill(error);
  output.AddGeneratedArrays(arrays);
  size_t first;
  const std::vector<tsr_grid_patch> all = AllPatches(mine, processes, first);
  if (!good || all.empty()) {
    return vtkSmartPointer<vtkOverlappingAMR>::New();
  }
  const Place place(leaf);
  // Levels whose cells are all larger than the box have no blocks; VTK's levels begin after them.
  const int coarsest = std::min_element(all.begin(), all.end(),
                                        [](const tsr_grid_patch &a, const tsr_grid_patch &b) {
                                          return a.level < b.level;
                                        })
                           ->level;
  std::vector<unsigned int> blocks;
  for (const tsr_grid_patch &patch : all) {
    const size_t level = static_cast<size_t>(patch.level - coarsest);
    blocks.resize(std::max(blocks.size(), level + 1), 0);
    ++blocks[level];
  }
  auto amr = vtkSmartPointer<vtkOverlappingAMR>::New();
  SetLevels(amr, blocks);
  amr->SetOrigin(place.Origin);
  amr->SetGridDescription(place.Description);
  for (unsigned int level = 0; level < blocks.size(); ++level) {
    double spacing[3];
    place.Spacing(static_cast<int>(level) + coarsest, spacing);
    amr->SetSpacing(level, spacing);
    amr->SetRefinementRatio(level, 2);
  }
  std::vector<unsigned int> next(blocks.size(), 0);
  for (size_t i = 0; i < all.size(); ++i) {
    const unsigned int level = static_cast<unsigned int>(all[i].level - coarsest);
    const unsigned int id = next[level]++;
    const int last[] = {all[i].end[0] - 1, all[i].end[1] - 1, all[i].end[2] - 1};
    vtkAMRBox box;
    box.SetDimensions(all[i].begin, last, place.Description);
    amr->SetAMRBox(level, id, box);
    if (i >= first && i < first + mine.size()) {
      RequireHeadroom();
      amr->SetDataSet(level, id, NewBlock(all[i], place, arrays, output.States->GetPointer(0)));
    }
  }
  amr->GetFieldData()->PassData(leaf.Input()->GetFieldData());
  return amr;
}

} // namespace tessera
