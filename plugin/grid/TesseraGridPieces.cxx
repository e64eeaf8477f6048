// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridPieces.h"

#include "grid/TesseraGridExchange.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataObjectTypes.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace tessera {

namespace {

std::shared_ptr<tsr_grid_shares> NewShares() {
  return std::shared_ptr<tsr_grid_shares>(new tsr_grid_shares(), [](tsr_grid_shares *shares) {
    tsr_grid_shares_free(shares);
    delete shares;
  });
}

/** How a dataset is shared out; without the dataset and the sharers. */
tsr_grid_part PartFor(const GridSettings &settings) {
  tsr_grid_part part = {};
  part.coarsen_levels = settings.Options.coarsen_levels;
  part.refine_levels = settings.Options.refine_levels;
  part.trees = settings.Options.output == TSR_GRID_TREES;
  return part;
}

/** Shares a dataset out; the result tells whether anything has to move. */
bool Share(vtkDataSet *data, const tsr_processes &processes, tsr_grid_part &part, GridPiece &piece,
           tsr_error &error) {
  const GridView view(data);
  part.view = &view.Core;
  part.kind = data->GetDataObjectType();
  piece = GridPiece();
  piece.Data = data;
  piece.Shares = NewShares();
  piece.Shared = processes.n > 1;
  piece.Counts = processes.rank == 0;
  if (tsr_grid_share(&part, &processes, piece.Shares.get(), &error) != TSR_OK) {
    return false;
  }
  piece.Own = piece.Shares->own[processes.rank];
  return true;
}

vtkSmartPointer<vtkDataObject> NewOfType(int type) {
  return vtkSmartPointer<vtkDataObject>::Take(vtkDataObjectTypes::NewDataObject(type));
}

/** The points of the cells that are no copies of another process's; empty where they fill no box.
 */
tsr_grid_box OwnBox(vtkDataSet *data, const tsr_grid_box &all) {
  auto *ghosts = vtkUnsignedCharArray::SafeDownCast(
      data->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
  const bool fits = ghosts && ghosts->GetNumberOfTuples() == data->GetNumberOfCells();
  return tsr_grid_own_box(all.at, fits ? ghosts->GetPointer(0) : nullptr,
                          vtkDataSetAttributes::DUPLICATECELL);
}

} // namespace

bool Fail(tsr_error &error, const std::string &text) {
  error.status = TSR_BAD_INPUT;
  error.item = -1;
  std::snprintf(error.text, sizeof(error.text), "%s", text.c_str());
  return false;
}

tsr_grid_box BoxFrom(const int extent[6]) {
  tsr_grid_box box;
  std::copy_n(extent, 6, box.at);
  return box;
}

bool GetBox(vtkDataObject *data, tsr_grid_box &box) {
  auto *image = vtkImageData::SafeDownCast(data);
  auto *rectilinear = vtkRectilinearGrid::SafeDownCast(data);
  auto *structured = vtkStructuredGrid::SafeDownCast(data);
  const int *extent = image         ? image->GetExtent()
                      : rectilinear ? rectilinear->GetExtent()
                      : structured  ? structured->GetExtent()
                                    : nullptr;
  if (extent) {
    box = BoxFrom(extent);
  }
  return extent != nullptr;
}

vtkDataArray *AxisOf(vtkDataSet *data, int axis) {
  auto *grid = vtkRectilinearGrid::SafeDownCast(data);
  return !grid       ? nullptr
         : axis == 0 ? grid->GetXCoordinates()
         : axis == 1 ? grid->GetYCoordinates()
                     : grid->GetZCoordinates();
}

GridView::GridView(vtkDataSet *data) {
  tsr_grid_view_init(&this->Core);
  tsr_grid_box box;
  if (GetBox(data, box)) {
    std::copy_n(box.at, 6, this->Core.extent);
  }
  if (auto *image = vtkImageData::SafeDownCast(data)) {
    this->Core.geometry = TSR_GEOMETRY_UNIFORM;
    image->GetOrigin(this->Core.origin);
    image->GetSpacing(this->Core.spacing);
    std::copy_n(image->GetDirectionMatrix()->GetData(), 9, this->Core.direction);
  } else if (vtkRectilinearGrid::SafeDownCast(data)) {
    this->Core.geometry = TSR_GEOMETRY_RECTILINEAR;
    for (int axis = 0; axis < 3; ++axis) {
      this->Coordinates[axis].Set(AxisOf(data, axis));
      this->Core.coordinates[axis] = this->Coordinates[axis].Get();
    }
  } else if (auto *structured = vtkStructuredGrid::SafeDownCast(data)) {
    this->Core.geometry = TSR_GEOMETRY_POINTS;
    if (structured->GetPoints()) {
      this->Points.Set(structured->GetPoints()->GetData());
    }
    this->Core.points = this->Points.Get();
    this->Core.points.components = 3;
  }
}

GridPiece OwnPiece(vtkDataSet *data, const GridSettings &settings, tsr_error &error) {
  const tsr_processes alone = {1, 0, nullptr, nullptr, nullptr};
  tsr_grid_part part = PartFor(settings);
  GridPiece piece;
  if (!Share(data, alone, part, piece, error)) {
    piece.Data = nullptr;
  }
  return piece;
}

bool GatherPieces(vtkDataSet *data, const GridSettings &settings, const std::vector<int> &sharers,
                  const Processes &processes, GridPiece &piece, WarningList &messages,
                  tsr_error &error) {
  tsr_grid_part part = PartFor(settings);
  part.announced = BoxFrom(settings.Announced);
  part.margin = GRID_MARGIN;
  part.sharers = sharers.data();
  part.n_sharers = static_cast<int>(sharers.size());
  if (!Share(data, processes.Core(), part, piece, error)) {
    return false;
  }
  const tsr_grid_shares &shares = *piece.Shares;
  const bool nothing = tsr_grid_box_is_empty(&shares.held[processes.Rank()]) != 0;
  if (nothing && shares.teller >= 0 && data->GetDataObjectType() != shares.kind) {
    piece.Data = vtkDataSet::SafeDownCast(NewOfType(shares.kind));
  }
  if (processes.Count() > 1 && shares.teller >= 0) {
    GridExchange exchange(piece.Data, shares, processes, messages);
    piece.Data = shares.in_place ? exchange.Keep(error) : exchange.Run(error);
  }
  return piece.Data != nullptr;
}

std::vector<SharedBlock> FindSharedBlocks(const std::vector<Dataset> &datasets,
                                          const Places &places, const Processes &processes,
                                          tsr_error &error) {
  std::vector<tsr_grid_piece> mine;
  std::map<int64_t, vtkDataObject *> held;
  for (const Dataset &dataset : datasets) {
    tsr_grid_box box;
    const int64_t place = places.Of(dataset.Block);
    held[place] = dataset.Data;
    if (GetBox(dataset.Data, box) && !tsr_grid_box_is_empty(&box)) {
      mine.push_back({place, dataset.Data->GetDataObjectType(), processes.Rank(),
                      OwnBox(vtkDataSet::SafeDownCast(dataset.Data), box)});
    }
  }
  const tsr_processes group = processes.Core();
  tsr_grid_piece *pieces = nullptr;
  int64_t count = 0;
  tsr_grid_shared_pieces(&group, mine.data(), static_cast<int64_t>(mine.size()), &pieces, &count,
                         &error);
  std::vector<SharedBlock> shared;
  for (const tsr_grid_piece *piece = pieces; piece < pieces + count; ++piece) {
    if (shared.empty() || shared.back().Place != piece->block) {
      const auto here = held.find(piece->block);
      shared.push_back(
          {piece->block, here != held.end() ? here->second : NewOfType(piece->kind).Get(), {}});
    }
    shared.back().Holders.push_back(piece->rank);
  }
  tsr_grid_pieces_free(pieces);
  return shared;
}

} // namespace tessera
