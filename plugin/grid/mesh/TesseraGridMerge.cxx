// SPDX-License-Identifier: BSD-3-Clause
#include "grid/mesh/TesseraGridMerge.h"

#include "frame/TesseraVersions.h"
#include "frame/data/TesseraArrays.h"
#include "frame/data/TesseraDatasets.h"
#include "frame/report/TesseraNotes.h"
#include "grid/octree/TesseraGridJoined.h"

#include <vtkAppendFilter.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataSet.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace tessera {

namespace {

bool IsTaken(vtkDataObject *data) {
  return vtkUnstructuredGrid::SafeDownCast(data) || vtkImageData::SafeDownCast(data) ||
         vtkRectilinearGrid::SafeDownCast(data) || vtkStructuredGrid::SafeDownCast(data);
}

/** Says whether the faces of a polyhedron exist and have points of the grid. */
bool HasFaces(vtkUnstructuredGrid *grid, vtkIdType cell) {
  const vtkIdType points = grid->GetNumberOfPoints();
  vtkIdType faces = 0;
  bool good = true;
  const bool whole = ForFaces(grid, cell, [&](vtkIdType n, const vtkIdType *ids) {
    ++faces;
    good = good &&
           std::all_of(ids, ids + n, [points](vtkIdType id) { return 0 <= id && id < points; });
  });
  return whole && good && faces > 0;
}

/** Why the ids of a grid cannot be put behind those of others, among which wrong ids would pass for
 * right ones. Empty if they can. */
std::string WhyUnusable(vtkUnstructuredGrid *grid) {
  vtkCellArray *cells = grid->GetCells();
  if (!cells->IsValid()) {
    return "the offsets of its cells do not fit their ids";
  }
  IndexView ids;
  ids.Set(cells);
  std::vector<unsigned char> made;
  const unsigned char *types = CellTypes(grid, made);
  for (vtkIdType cell = 0; cell < ids.NumberOfCells(); ++cell) {
    for (vtkIdType k = ids.Offset(cell); k < ids.Offset(cell + 1); ++k) {
      if (ids.Id(k) < 0 || ids.Id(k) >= grid->GetNumberOfPoints()) {
        return "cell " + std::to_string(cell) + " of the mesh has a point that the mesh does not " +
               "have";
      }
    }
    if (types[cell] == VTK_POLYHEDRON && !HasFaces(grid, cell)) {
      return "cell " + std::to_string(cell) + " of the mesh is a polyhedron whose faces are " +
             "missing, or have points that the mesh does not have";
    }
  }
  return "";
}

/** Puts the datasets together. */
class Merge {
public:
  Merge(vtkDataObject *input, OctreeContext &context) : Input(input), Context(context) {}

  void Find();
  void AddWeights();
  vtkSmartPointer<vtkUnstructuredGrid> Make();

private:
  void Join(vtkUnstructuredGrid *all);
  void AddGhosts(vtkUnstructuredGrid *all, bool cells);

  vtkDataObject *Input;
  OctreeContext &Context;
  std::vector<JoinedPart> Parts;
  std::vector<vtkSmartPointer<vtkDataSet>> Copies; /**< of datasets that get weights */
  std::vector<std::string> Places;                 /**< of the parts, for warnings */
  vtkIdType Points = 0, Cells = 0;
  bool Wide = false; /**< some points are no single precision */
};

void Merge::Find() {
  vtkIdType others = 0;
  std::string first;
  for (const Dataset &one : Datasets(this->Input)) {
    const std::string where = BlockText(this->Input, one.Block);
    auto *data = vtkDataSet::SafeDownCast(one.Data);
    auto *mesh = vtkUnstructuredGrid::SafeDownCast(data);
    if (!IsTaken(one.Data)) {
      first = others++ == 0 ? where : first;
    } else if (data->GetNumberOfCells() > 0) {
      const std::string why = mesh ? WhyUnusable(mesh) : "";
      if (!why.empty()) {
        this->Context.Messages.Add("The unstructured grid " + where + " is left out: " + why + ".");
        continue;
      }
      auto *points = vtkPointSet::SafeDownCast(data);
      this->Wide = this->Wide || !points || points->GetPoints()->GetDataType() != VTK_FLOAT;
      this->Parts.push_back({data, this->Points, this->Cells, nullptr});
      this->Places.push_back(" The dataset is " + where + ".");
      this->Points += data->GetNumberOfPoints();
      this->Cells += data->GetNumberOfCells();
    }
  }
  if (others > 0) {
    this->Context.Messages.Add(CountedFirst(
        others, "dataset is of a kind that Merge Blocks does not take and is left out",
        "datasets are of kinds that Merge Blocks does not take and are left out", " " + first));
  }
}

/** Where only some datasets have rational weights, gives the others weights of 1, as their cells
 * have. */
void Merge::AddWeights() {
  vtkDataArray *like = nullptr;
  for (const JoinedPart &part : this->Parts) {
    vtkDataArray *weights = part.Data->GetPointData()->GetRationalWeights();
    like = like ? like : weights;
  }
  for (JoinedPart &part : this->Parts) {
    if (!like || !like->GetName() || part.Data->GetPointData()->HasArray(like->GetName())) {
      continue;
    }
    auto copy = vtkSmartPointer<vtkDataSet>::Take(part.Data->NewInstance());
    copy->ShallowCopy(part.Data);
    auto ones = vtkSmartPointer<vtkDataArray>::Take(like->NewInstance());
    ones->SetName(like->GetName());
    AllocateTuples(ones, copy->GetNumberOfPoints());
    ones->Fill(1.0);
    copy->GetPointData()->AddArray(ones);
    copy->GetPointData()->SetActiveAttribute(like->GetName(),
                                             vtkDataSetAttributes::RATIONALWEIGHTS);
    this->Copies.push_back(copy);
    part.Data = copy;
  }
}

vtkSmartPointer<vtkUnstructuredGrid> Merge::Make() {
  auto all = vtkSmartPointer<vtkUnstructuredGrid>::New();
  if (!this->Parts.empty()) {
    vtkNew<vtkAppendFilter> append;
    append->SetOutputPointsPrecision(this->Wide ? vtkAlgorithm::DOUBLE_PRECISION
                                                : vtkAlgorithm::SINGLE_PRECISION);
    for (const JoinedPart &part : this->Parts) {
      auto bare = vtkSmartPointer<vtkDataSet>::Take(part.Data->NewInstance());
      bare->CopyStructure(part.Data);
      append->AddInputData(bare);
    }
    append->Update();
    all->ShallowCopy(append->GetOutput());
    this->Join(all);
  }
  all->GetFieldData()->PassData(this->Input->GetFieldData());
  return all;
}

void Merge::Join(vtkUnstructuredGrid *all) {
  const auto arrays = JoinArrays(this->Parts, this->Points, this->Cells, this->Context);
  all->GetPointData()->ShallowCopy(arrays->GetPointData());
  all->GetCellData()->ShallowCopy(arrays->GetCellData());
  this->AddGhosts(all, false);
  this->AddGhosts(all, true);
}

void Merge::AddGhosts(vtkUnstructuredGrid *all, bool cells) {
  vtkNew<vtkUnsignedCharArray> flags;
  flags->SetName(vtkDataSetAttributes::GhostArrayName());
  AllocateTuples(flags, cells ? this->Cells : this->Points);
  flags->FillValue(0);
  bool any = false;
  for (size_t i = 0; i < this->Parts.size(); ++i) {
    const JoinedPart &part = this->Parts[i];
    const unsigned char *own = GhostsOf(part.Data, cells, this->Places[i], this->Context.Messages);
    if (own) {
      any = true;
      std::copy_n(own, cells ? part.Data->GetNumberOfCells() : part.Data->GetNumberOfPoints(),
                  flags->GetPointer(cells ? part.FirstCell : part.FirstPoint));
    }
  }
  if (any) {
    all->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT)->AddArray(flags);
  }
}

} // namespace

vtkSmartPointer<vtkUnstructuredGrid> MergeDatasets(vtkDataObject *input, OctreeContext &context) {
  Merge merge(input, context);
  merge.Find();
  merge.AddWeights();
  return merge.Make();
}

} // namespace tessera
