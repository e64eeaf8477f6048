// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridDataset.h"

#include "grid/octree/TesseraGridOctree.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tessera {

namespace {

/** The key of the points: a letter that those of arrays do not have, and a name for messages. */
const char GEOMETRY[] = "gcoordinates";

/** The numeric array of the name that is wanted, of points before cells. */
GridArray FindArray(vtkDataSet *data, const GridWanted &wanted) {
  tsr_type type;
  for (const bool cells : {false, true}) {
    vtkDataSetAttributes *attributes =
        data->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
    vtkDataArray *array = attributes->GetArray(wanted.Name.c_str());
    if (array && (cells ? wanted.Cells : wanted.Points) && CoreType(array->GetDataType(), type)) {
      return {array, cells};
    }
  }
  return {nullptr, false};
}

/** The active scalars, else the first numeric array with as many components; 0 = any number. */
GridArray FindDefault(vtkDataSet *data, int components) {
  tsr_type type;
  for (const bool cells : {false, true}) {
    vtkDataSetAttributes *attributes =
        data->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
    vtkDataArray *active = components == 3 ? attributes->GetVectors() : attributes->GetScalars();
    if (active && CoreType(active->GetDataType(), type)) {
      return {active, cells};
    }
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i) {
      vtkDataArray *array = attributes->GetArray(i);
      const char *name = array ? array->GetName() : nullptr;
      const bool ghosts = name && !std::strcmp(name, vtkDataSetAttributes::GhostArrayName());
      if (array && !ghosts && CoreType(array->GetDataType(), type) &&
          (components == 0 || array->GetNumberOfComponents() == components)) {
        return {array, cells};
      }
    }
  }
  return {nullptr, false};
}

} // namespace

std::string GridWanted::Missing() const {
  if (!this->Points || !this->Cells) {
    return std::string("there is no ") + (this->Velocity ? "" : "numeric ") +
           (this->Cells ? "cell" : "point") + " array '" + this->Name + "'" +
           (this->Velocity ? " of 3 components" : "");
  }
  if (this->Velocity) {
    return this->Name.empty()
               ? "there is no array of 3 components for the vorticity or the Q-criterion"
               : "there is no array '" + this->Name + "' of 3 components";
  }
  return this->Name.empty() ? "there is no numeric point or cell array for the criteria"
                            : "there is no numeric point or cell array '" + this->Name + "'";
}

std::vector<GridWanted> WantedArrays(const GridSettings &settings) {
  std::vector<GridWanted> wanted;
  if (settings.Options.mode != TSR_GRID_ADAPTIVE) {
    return wanted;
  }
  bool scalars = false, velocity = false;
  for (const tsr_grid_wish &criterion : settings.Wanted()) {
    if (!criterion.geometry) {
      (tsr_grid_measure_is_flow(criterion.measure) ? velocity : scalars) = true;
    }
  }
  const std::vector<std::string> &names = settings.Arrays;
  for (size_t i = 0; scalars && i < names.size(); ++i) {
    const bool another = i + 1 < names.size();
    const bool ofPoints = another && names[i] == "POINTS", ofCells = another && names[i] == "CELLS";
    i += ofPoints || ofCells ? 1 : 0;
    wanted.push_back({names[i], false, !ofCells, !ofPoints});
  }
  if (scalars && settings.Arrays.empty()) {
    wanted.push_back({"", false});
  }
  if (velocity) {
    wanted.push_back({settings.Velocity, true, !settings.VelocityOfCells});
  }
  return wanted;
}

GridDataset::GridDataset(const GridPiece &piece, unsigned int block, int64_t place,
                         const GridSettings &settings)
    : Piece(piece), Data(piece.Data), BlockIndex(block), Place(place), Set(settings),
      Lies(piece.Data), CoreView(Lies.Core), CoreOptions(settings.Options) {
  if (piece.Octree) {
    piece.Octree->Describe(this->CoreView);
    this->CoreOptions.refine_levels = 0; // cells of several sizes are never divided
    return;
  }
  this->CoreOptions.move_cells = 0;
  std::copy_n(piece.Shares->whole.at, 6, this->CoreView.whole);
  std::copy_n(piece.Own.at, 6, this->CoreView.owned);
  const int base = piece.Shares->base_levels;
  this->CoreOptions.base_levels = base;
  this->CoreOptions.coarsen_levels += base;
  this->CoreOptions.inside_level += base;
  this->CoreOptions.outside_level += base;
  this->Hide();
}

GridDataset::~GridDataset() { tsr_grid_plan_free(this->Plan); }

void GridDataset::Hide() {
  // Copies of what another process owns are to be seen by the criteria there; where nobody else
  // takes part they are left out.
  const int cellFlags = vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL |
                        (this->Piece.Shared ? 0 : vtkDataSetAttributes::DUPLICATECELL);
  for (const bool cells : {true, false}) {
    vtkDataSetAttributes *attributes =
        this->Data->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
    vtkAbstractArray *array = attributes->GetAbstractArray(vtkDataSetAttributes::GhostArrayName());
    const vtkIdType count =
        cells ? this->Data->GetNumberOfCells() : this->Data->GetNumberOfPoints();
    const int flags = cells ? cellFlags : static_cast<int>(vtkDataSetAttributes::HIDDENPOINT);
    std::vector<std::uint8_t> &hidden = cells ? this->HiddenCells : this->HiddenPoints;
    hidden = Flagged(attributes, count, flags);
    if (static_cast<vtkIdType>(hidden.size()) == count && array) {
      (cells ? this->CoreView.hidden_cells : this->CoreView.hidden_points) = hidden.data();
    } else if (array) {
      this->BadGhosts.push_back(UnusableGhosts(array, cells ? "cell" : "point", count));
    }
  }
}

GridArray FindWanted(vtkDataSet *data, const GridWanted &wanted) {
  const GridArray found =
      wanted.Name.empty() ? FindDefault(data, wanted.Velocity ? 3 : 0) : FindArray(data, wanted);
  const bool fits = found.Array && (!wanted.Velocity || found.Array->GetNumberOfComponents() == 3);
  return fits ? found : GridArray{nullptr, false};
}

void GridDataset::Add(const tsr_grid_wish &from, const GridArray &array) {
  tsr_grid_criterion to;
  tsr_grid_criterion_init(&to);
  ArrayView view;
  view.Set(array.Array);
  to.measure = from.measure;
  to.array = view.Get();
  to.cell_data = array.CellData;
  to.component = tsr_grid_measure_is_flow(from.measure) || from.geometry ? -1 : this->Set.component;
  to.threshold = from.threshold;
  to.lower = from.lower;
  to.upper = from.upper;
  to.relative = this->Set.relative;
  this->CriterionSamples.push_back(from.measure == TSR_MEASURE_INTERPOLATION_ERROR
                                       ? this->SamplesOf(array.Array, array.CellData)
                                       : ArrayView());
  to.samples = this->CriterionSamples.back().Get();
  this->Criteria.push_back(to);
  this->CriterionArrays.push_back(view);
  this->CriterionSources.push_back(array.Array);
  const char *name = array.Array->GetName();
  const bool joint = to.measure == TSR_MEASURE_INTERPOLATION_ERROR && to.component < 0;
  const char *const kinds = joint ? "jk" : "pc"; // of points, of cells; j, k: of all components
  this->CriterionKeys.push_back(
      from.geometry ? GEOMETRY : kinds[array.CellData ? 1 : 0] + std::string(name ? name : ""));
  this->CriterionNames.push_back(std::string("the ") + from.name + " of '" +
                                 this->CriterionKeys.back().substr(1) + "'");
  this->CriterionThresholds.push_back(from.threshold);
}

void GridDataset::FindArrays(const std::vector<GridWanted> &wanted, vtkIdType *counts) {
  std::vector<GridArray> arrays;
  for (const GridWanted &one : wanted) {
    arrays.push_back(FindWanted(this->Data, one));
    *counts++ += arrays.back().Array ? 1 : 0;
  }
  const std::vector<tsr_grid_wish> wishes = this->Set.Wanted();
  const bool others = std::any_of(wishes.begin(), wishes.end(), [](const tsr_grid_wish &wish) {
    return wish.measure != TSR_MEASURE_INTERPOLATION_ERROR &&
           !tsr_grid_measure_is_flow(wish.measure);
  });
  for (const tsr_grid_wish &criterion : wishes) {
    if (criterion.geometry) {
      if (this->IsCurved() && this->CoreView.points.data) {
        this->Add(criterion,
                  {vtkPointSet::SafeDownCast(this->Data)->GetPoints()->GetData(), false});
      }
      continue;
    }
    const bool leftOut = others && criterion.measure == TSR_MEASURE_INTERPOLATION_ERROR;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (arrays[i].Array &&
          wanted[i].Velocity == (tsr_grid_measure_is_flow(criterion.measure) != 0) &&
          !(leftOut && arrays[i].CellData)) {
        this->Add(criterion, arrays[i]);
      }
    }
  }
}

bool GridDataset::HasBits(const std::string &name) const {
  bool has = false;
  for (const int kind : {vtkDataObject::POINT, vtkDataObject::CELL}) {
    vtkDataArray *array = this->Data->GetAttributes(kind)->GetArray(name.c_str());
    has = has || (array && array->GetDataType() == VTK_BIT);
  }
  return has;
}

void GridDataset::AddRanges(tsr_maxima &ranges) const {
  for (size_t i = 0; i < this->Criteria.size(); ++i) {
    vtkDataArray *array = this->CriterionSources[i];
    const std::string &key = this->CriterionKeys[i];
    const int count = array->GetNumberOfComponents();
    const bool each = key == GEOMETRY, joint = each || key[0] == 'j' || key[0] == 'k';
    for (int c = 0; c < (joint ? count : 1); ++c) {
      double range[2];
      array->GetFiniteRange(range, joint ? c : count == 1 ? 0 : this->Set.component);
      range[0] = -range[0];
      if (!tsr_grid_measure_is_flow(this->Criteria[i].measure)) {
        Require(tsr_maxima_add(&ranges, key.c_str(), each ? 2 * c : 0, range, 2, nullptr));
      }
    }
  }
}

void GridDataset::SetRanges(const tsr_maxima &ranges, bool all) {
  for (size_t i = 0; i < this->Criteria.size(); ++i) {
    int n;
    const bool diagonal = this->CriterionKeys[i] == GEOMETRY;
    const double *range = tsr_maxima_find(&ranges, this->CriterionKeys[i].c_str(), &n);
    if (!range || tsr_grid_measure_is_flow(this->Criteria[i].measure) || !(all || diagonal)) {
      continue;
    }
    double sum = 0.0;
    for (int axis = 0; diagonal && axis < 3; ++axis) {
      const double side = std::max(0.0, range[2 * axis] + range[2 * axis + 1]);
      sum += side * side;
    }
    this->Criteria[i].range[0] = diagonal ? 0.0 : -range[0];
    this->Criteria[i].range[1] = diagonal ? std::sqrt(sum) : range[1];
  }
}

bool GridDataset::SetMarks(const GridMarksOfBlocks &marks, bool keep, tsr_error &error) {
  this->CoreOptions.keep_marks = keep;
  const auto found = marks.find(this->Place);
  if (found == marks.end()) {
    return true;
  }
  if (!std::equal(found->second.Whole, found->second.Whole + 6, this->CoreView.whole)) {
    return Fail(error, this->Piece.Octree
                           ? "Over Time can be All Steps only where the domain has the same number "
                             "of coarsest cells along each axis at all time steps"
                           : "Over Time can be All Steps only where a dataset has the same number "
                             "of points along each axis at all time steps");
  }
  this->CoreOptions.marks.nodes = found->second.Nodes.data();
  this->CoreOptions.marks.n = static_cast<int64_t>(found->second.Nodes.size());
  return true;
}

void GridDataset::KeepMarks(GridMarksOfBlocks &marks) const {
  const tsr_grid_marks made = tsr_grid_plan_marks(this->Plan);
  GridMarks &mine = marks[this->Place];
  std::copy_n(this->CoreView.whole, 6, mine.Whole);
  mine.Nodes = std::vector<tsr_grid_node>(made.nodes, made.nodes + made.n);
}

void GridDataset::ScaleThresholds(double scale) {
  for (size_t i = 0; i < this->Criteria.size(); ++i) {
    this->Criteria[i].threshold = this->CriterionThresholds[i] * scale;
  }
}

int64_t GridDataset::WholeCells() const {
  return this->Piece.Octree ? this->Piece.Octree->Count
                            : tsr_grid_box_values(&this->Piece.Shares->whole, 1);
}

int64_t GridDataset::MeshCells() const {
  return this->Piece.Octree ? this->Piece.Octree->MeshCells : 0;
}

ArrayView GridDataset::SamplesOf(vtkAbstractArray *array, bool cells) const {
  ArrayView view;
  if (this->Piece.Octree) {
    view.Set(vtkDataArray::SafeDownCast(this->Piece.Octree->SamplesOf(array, cells)));
  }
  return view;
}

const double *const *GridDataset::Axes() const {
  return this->Piece.Octree ? this->Piece.Octree->Axes() : this->Piece.Shares->axes;
}

bool GridDataset::HasCellArrays() const {
  vtkCellData *cells = this->Data->GetCellData();
  return cells->GetNumberOfArrays() > cells->HasArray(vtkDataSetAttributes::GhostArrayName());
}

bool GridDataset::IsSingle() const {
  return this->Piece.Octree && this->Piece.Octree->Lattice.Single;
}

vtkIdType GridDataset::SeenCells() const {
  const tsr_grid_sizes &sizes = this->Sizes();
  return this->CoreOptions.output == TSR_GRID_CONFORMING ? sizes.cells : sizes.leaves;
}

bool GridDataset::MakePlan(const Processes &processes, const tsr_execution *execution,
                           int64_t budget, int64_t limit, tsr_error &error) {
  tsr_grid_options &options = this->CoreOptions;
  options.criteria = this->Criteria.data();
  options.n_criteria = static_cast<int>(this->Criteria.size());
  this->CoreNames.clear();
  for (const std::string &name : this->CriterionNames) {
    this->CoreNames.push_back(name.c_str());
  }
  options.criterion_names = this->CoreNames.data();
  options.cell_budget = budget;
  options.limit_cells = limit;
  options.n_ranks = this->Piece.Ranks;
  options.rank = this->Piece.Rank;
  if (this->Piece.Shared && !this->Piece.Octree) {
    const tsr_processes group = processes.Core();
    options.gather = group.gather;
    options.n_ranks = group.n;
    options.rank = group.rank;
  }
  tsr_grid_plan_free(this->Plan);
  this->Plan = nullptr;
  return tsr_grid_plan_create(&this->CoreView, &options, execution, &this->Plan, &error) == TSR_OK;
}

bool GridDataset::CountFine(int64_t &cells, tsr_error &error) const {
  return tsr_grid_count_fine(&this->CoreView, &this->CoreOptions, &cells, &error) == TSR_OK;
}

double GridDataset::BytesPerCell() const {
  // Points, connectivity, offsets and types; trees and blocks have next to nothing of that.
  double bytes = this->CoreOptions.output == TSR_GRID_TREES     ? 8.0
                 : this->CoreOptions.output == TSR_GRID_PATCHES ? 4.0
                                                                : 100.0;
  for (const int kind : {vtkDataObject::POINT, vtkDataObject::CELL}) {
    vtkDataSetAttributes *attributes = this->Data->GetAttributes(kind);
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i) {
      vtkAbstractArray *array = attributes->GetAbstractArray(i);
      bytes += static_cast<double>(array->GetNumberOfComponents()) *
               static_cast<double>(array->GetDataTypeSize());
    }
  }
  return bytes;
}

void GridDataset::RegionIndices(double corners[6]) const {
  tsr_grid_region(&this->CoreView, this->Axes(), this->Set.region, corners);
}

void GridDataset::SetRegion(const double corners[6]) {
  this->CoreOptions.use_region = 1;
  for (int axis = 0; axis < 3; ++axis) {
    this->CoreOptions.region[2 * axis] = -corners[2 * axis];
    this->CoreOptions.region[2 * axis + 1] = corners[2 * axis + 1];
  }
}

} // namespace tessera
