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
#include <cstdlib>

namespace tessera {

namespace {

/** VTK's word for the axes along which the nodes lie. */
int DescriptionOf(const tsr_grid_levels &levels) {
  const int flat = levels.active[0] + 2 * levels.active[1] + 4 * levels.active[2];
  return flat == 3 ? XY_PLANE : flat == 5 ? XZ_PLANE : flat == 6 ? YZ_PLANE : XYZ_GRID;
}

/** The blocks of all processes, one process after the other. */
std::vector<tsr_grid_patch> AllPatches(const std::vector<tsr_grid_patch> &mine,
                                       const Processes &processes, int64_t &first,
                                       tsr_error &error) {
  const tsr_processes group = processes.Core();
  tsr_grid_patch *all = nullptr;
  int64_t count = 0;
  tsr_grid_gather_patches(&group, mine.data(), static_cast<int64_t>(mine.size()), &all, &count,
                          &first, &error);
  const std::vector<tsr_grid_patch> patches(all, all + count);
  std::free(all);
  return patches;
}

/** The block's part of every array, and flags for the cells that are not its leaves. */
vtkSmartPointer<vtkUniformGrid> NewBlock(const tsr_grid_patch &patch, const tsr_grid_levels &levels,
                                         vtkCellData *all, const unsigned char *states) {
  double corner[3], spacing[3];
  int points[3];
  tsr_grid_patch_place(&levels, &patch, corner, points);
  tsr_grid_levels_spacing(&levels, patch.level, spacing);
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
  const GridDataset &dataset = output.Dataset;
  if (dataset.IsOctree() && dataset.View().geometry != TSR_GEOMETRY_UNIFORM) {
    Fail(error,
         "overlapping AMR needs roots at equal distances, which the hyper tree grid does not "
         "have");
    return nullptr; // all processes alike
  }
  if (tsr_grid_check_blocks(&dataset.View(), dataset.Axes(), dataset.Sizes().dimension, &error) !=
      TSR_OK) {
    return nullptr; // all processes alike
  }
  std::vector<tsr_grid_patch> mine(static_cast<size_t>(dataset.Sizes().patches));
  vtkNew<vtkCellData> arrays;
  output.Core.patches = mine.data();
  output.AddArrays(nullptr, arrays);
  const bool good = output.Fill(error);
  output.AddGeneratedArrays(nullptr, arrays);
  int64_t first = 0;
  const std::vector<tsr_grid_patch> all = AllPatches(mine, processes, first, error);
  if (!good || all.empty()) {
    return vtkSmartPointer<vtkOverlappingAMR>::New();
  }
  tsr_grid_levels levels;
  tsr_grid_levels_place(&dataset.View(), dataset.Axes(), dataset.Options().coarsen_levels, &levels);
  std::vector<unsigned int> blocks(TSR_GRID_MAX_LEVEL + 1);
  int coarsest; // VTK's levels begin with it
  blocks.resize(static_cast<size_t>(tsr_grid_patch_levels(
      all.data(), static_cast<int64_t>(all.size()), &coarsest, blocks.data())));
  auto amr = vtkSmartPointer<vtkOverlappingAMR>::New();
  SetLevels(amr, blocks);
  amr->SetOrigin(levels.origin);
  const int description = DescriptionOf(levels);
  amr->SetGridDescription(description);
  for (unsigned int level = 0; level < blocks.size(); ++level) {
    double spacing[3];
    tsr_grid_levels_spacing(&levels, static_cast<int>(level) + coarsest, spacing);
    amr->SetSpacing(level, spacing);
    amr->SetRefinementRatio(level, 2);
  }
  std::vector<unsigned int> next(blocks.size(), 0);
  for (size_t i = 0; i < all.size(); ++i) {
    const unsigned int level = static_cast<unsigned int>(all[i].level - coarsest);
    const unsigned int id = next[level]++;
    const int last[] = {all[i].end[0] - 1, all[i].end[1] - 1, all[i].end[2] - 1};
    vtkAMRBox box;
    box.SetDimensions(all[i].begin, last, description);
    amr->SetAMRBox(level, id, box);
    if (i >= static_cast<size_t>(first) && i < static_cast<size_t>(first) + mine.size()) {
      RequireHeadroom();
      amr->SetDataSet(level, id, NewBlock(all[i], levels, arrays, output.States->GetPointer(0)));
    }
  }
  amr->GetFieldData()->PassData(dataset.Input()->GetFieldData());
  return amr;
}

} // namespace tessera
