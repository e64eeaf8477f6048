// SPDX-License-Identifier: BSD-3-Clause
/** The octree of a mesh, with its arrays. */
#include "grid/TesseraGridDataset.h"
#include "grid/TesseraGridPieces.h"
#include "grid/mesh/TesseraGridMesh.h"

#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>

#include <algorithm>
#include <cmath>

namespace tessera {

namespace {

/** Bytes that a cell of the octree takes beside its arrays, in the core and here. */
const double BYTES_OF_CELL = 300.0;

vtkDataSetAttributes *AttributesOf(vtkDataSet *data, bool cells) {
  return data->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
}

/** A plan of the core, freed at its end. */
class Plan {
public:
  Plan() = default;
  ~Plan() { tsr_mesh_plan_free(this->Core); }
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;

  tsr_mesh_plan *Core = nullptr;
};

/** The arrays whose interpolation error decides where the octree is divided. */
class Fields {
public:
  Fields(const GridMesh &mesh, const GridSettings &settings);

  std::vector<tsr_mesh_field> Core;

private:
  void Add(vtkDataArray *array, double tolerance, bool relative);

  std::vector<ArrayView> Views;
  std::vector<vtkSmartPointer<vtkDataArray>> Made;
};

/** One component of an array, as an array. */
vtkSmartPointer<vtkDataArray> ComponentOf(vtkDataArray *array, int component) {
  auto made = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(VTK_DOUBLE));
  AllocateTuples(made, array->GetNumberOfTuples());
  made->CopyComponent(0, array, component);
  return made;
}

/** Is there a bound of the interpolation error? */
bool BoundsError(const GridSettings &settings) {
  return settings.Options.mode == TSR_GRID_ADAPTIVE &&
         settings.thresholds[TSR_MEASURE_INTERPOLATION_ERROR].use;
}

Fields::Fields(const GridMesh &mesh, const GridSettings &settings) {
  if (BoundsError(settings) && settings.all_steps) {
    // The criteria of all time steps choose among the nodes of one octree, which therefore must not
    // follow the values of a step.
    this->Made.push_back(SquaredDistances(mesh.Core.points));
    this->Add(this->Made.back(), 0.0, false);
    return;
  }
  for (const MeshField &field : BoundedFields(mesh, settings)) {
    this->Made.push_back(field.Array);
    this->Add(field.Array, field.Tolerance, field.Relative);
  }
}

void Fields::Add(vtkDataArray *array, double tolerance, bool relative) {
  this->Views.emplace_back();
  this->Views.back().Set(array);
  this->Core.push_back({this->Views.back().Get(), tolerance, relative});
}

/** Plans the octree. */
bool MakePlan(const GridMesh &mesh, const MeshWishes &wishes,
              const std::vector<tsr_mesh_field> &fields, OctreeContext &context, Plan &plan) {
  tsr_mesh_options options;
  tsr_mesh_options_init(&options);
  options.cell_size = wishes.CellSize;
  std::copy_n(wishes.Bounds, 6, options.bounds);
  options.whole_cells = wishes.Settings.boundary == TSR_GRID_WHOLLY_INSIDE;
  options.extrapolate = wishes.Settings.boundary == TSR_GRID_CLIPPED;
  options.fields = fields.data();
  options.n_fields = static_cast<int>(fields.size());
  options.keep_bytes = wishes.Settings.Options.keep_bytes;
  options.limit_cells = static_cast<int64_t>(tsr_memory_look(nullptr).available / BYTES_OF_CELL);
  tsr_error &error = context.Error;
  return tsr_mesh_plan_create(&mesh.Core, &options, context.Runner.Core(), &plan.Core, &error) ==
         TSR_OK;
}

/** The conversion of one mesh. */
class Octree {
public:
  Octree(const GridMesh &mesh, GridOctree &tree, OctreeContext &context)
      : Mesh(mesh), Tree(tree), Context(context) {}

  bool Fill(tsr_mesh_plan *plan, const GridSettings &settings);

private:
  void Allocate(const tsr_mesh_sizes &sizes, const GridSettings &settings);
  void AddArrays(bool cells);
  void AddOthers();

  const GridMesh &Mesh;
  GridOctree &Tree;
  OctreeContext &Context;
  Writer Filler = Writer::CPU;
  Values<std::uint8_t> Inside;
  std::vector<ArrayView> Inputs;
  std::vector<tsr_mesh_attribute> Attributes;
  std::vector<std::pair<vtkAbstractArray *, vtkAbstractArray *>>
      Others; /**< cell arrays of the mesh and of the octree that VTK copies, tuple by tuple */
};

void Octree::AddArrays(bool cells) {
  vtkDataSetAttributes *from = AttributesOf(this->Mesh.Data, cells);
  vtkDataSetAttributes *to = AttributesOf(this->Tree.Data, cells);
  vtkDataSetAttributes *samples = AttributesOf(this->Tree.Samples, cells);
  const vtkIdType count = cells ? this->Mesh.Core.n_cells : this->Mesh.Core.points.tuples;
  const vtkIdType tuples = cells ? this->Tree.Count : this->Tree.Data->GetNumberOfPoints();
  for (int i = 0; i < from->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = from->GetAbstractArray(i);
    ArrayView view;
    const bool numeric = view.Set(vtkDataArray::SafeDownCast(array));
    if (IsGhostArray(array) ||
        !CheckArray(from, array, count, cells ? "cell" : "point", this->Context.Messages)) {
      continue;
    }
    if (!numeric && !cells) {
      LeaveOutPointArray(array, this->Context.Messages);
      continue;
    }
    auto made = NewArrayLike(array, tuples, this->Filler);
    to->AddArray(made);
    samples->AddArray(array);
    if (numeric) {
      this->Inputs.push_back(view);
      this->Attributes.push_back({view.Get(), cells, made->GetVoidPointer(0)});
      this->Context.Runner.KnowMade(made->GetVoidPointer(0));
    } else {
      this->Others.emplace_back(array, made);
    }
  }
  const int none[] = {-1};
  CopyRoles(from, to, none);
}

bool HasArrays(vtkDataSet *data, bool cells) {
  return AttributesOf(data, cells)->GetNumberOfArrays() > 0;
}

void Octree::AddOthers() {
  for (const auto &pair : this->Others) {
    for (int64_t cell = 0; cell < this->Tree.Count; ++cell) {
      pair.second->SetTuple(cell, this->Tree.Source[cell], pair.first);
    }
  }
}

void Octree::Allocate(const tsr_mesh_sizes &sizes, const GridSettings &settings) {
  const tsr_mesh_view &mesh = this->Mesh.Core;
  GridOctree &tree = this->Tree;
  tree.Level.Allocate(sizes.n, this->Filler);
  tree.Index.Allocate(3 * sizes.n, this->Filler);
  tree.Outside.Allocate(sizes.n, this->Filler);
  this->Inside.Allocate(settings.inside ? sizes.points : 0, this->Filler);
  tree.Inside.Allocate(settings.inside ? sizes.points : 0);
  tree.Data = NewOctreeArrays(sizes.points, sizes.n);
  tree.Samples = NewOctreeArrays(mesh.points.tuples, mesh.n_cells);
  tree.Data->GetFieldData()->PassData(this->Mesh.Data->GetFieldData());
  this->AddArrays(false);
  this->AddArrays(true);
  // Finding the mesh cell of each leaf takes a third of the conversion, and the places of the
  // mesh's cells can be larger than the octree. So both are made only where somebody reads them.
  const bool sources = settings.source_cell || !this->Others.empty();
  const int64_t points = HasArrays(tree.Samples, false) ? mesh.points.tuples : 0;
  const int64_t cells = HasArrays(tree.Samples, true) ? mesh.n_cells : 0;
  tree.Source.Allocate(sources ? sizes.n : 0, this->Filler);
  tree.PointPlaces.Allocate(3 * points, this->Filler);
  tree.CellPlaces.Allocate(3 * cells, this->Filler);
}

bool Octree::Fill(tsr_mesh_plan *plan, const GridSettings &settings) {
  const tsr_mesh_sizes &sizes = *tsr_mesh_plan_sizes(plan);
  const tsr_mesh_view &mesh = this->Mesh.Core;
  GridOctree &tree = this->Tree;
  tsr_report report;
  tsr_mesh_plan_report(plan, &report);
  this->Filler = WriterOf(report);
  std::copy_n(sizes.cells, 3, tree.Lattice.Cells);
  std::copy_n(sizes.origin, 3, tree.Lattice.Origin);
  std::fill_n(tree.Lattice.Spacing, 3, sizes.spacing);
  tree.Lattice.Single = mesh.points.type == TSR_FLOAT;
  tree.Count = sizes.n;
  tree.MeshCells = this->Mesh.InputCells - this->Mesh.Copies;
  tree.InOrder = true;
  this->Allocate(sizes, settings);
  tsr_mesh_output output;
  tsr_mesh_output_init(&output);
  output.level = tree.Level.Get();
  output.index = tree.Index.Get();
  output.outside = tree.Outside.Get();
  output.inside = this->Inside.Get();
  output.source = tree.Source.Get();
  output.point_places = tree.PointPlaces.Get();
  output.cell_places = tree.CellPlaces.Get();
  output.attributes = this->Attributes.data();
  output.n_attributes = static_cast<int>(this->Attributes.size());
  for (const void *made : std::initializer_list<const void *>{
           output.level, output.index, output.outside, output.point_places, output.cell_places}) {
    this->Context.Runner.KnowMade(made);
  }
  if (tsr_mesh_fill(plan, &output, &this->Context.Error) != TSR_OK) {
    return false;
  }
  for (int64_t i = 0; output.inside && i < sizes.points; ++i) {
    tree.Inside[i] = this->Inside[i] ? 1.0F : 0.0F;
  }
  this->AddOthers();
  for (int64_t i = 0; tree.Source.Get() && i < tree.Count; ++i) {
    tree.Source[i] = this->Mesh.InputCell(tree.Source[i]);
  }
  return true;
}

/** Warns about what the plan noticed. False if there is nothing. */
bool AddNotes(const tsr_mesh_sizes &sizes, WarningList &messages) {
  bool any = false;
  for (int kind = 0; kind < TSR_MESH_NOTES; ++kind) {
    char text[500];
    if (sizes.notes[kind].count > 0) {
      tsr_mesh_note_sentence(static_cast<tsr_mesh_note>(kind), sizes.notes[kind], text,
                             sizeof text);
      messages.Add(text);
      any = true;
    }
  }
  return any;
}

/** Says why the octree has no cells. noted: warnings about cells that are ignored say it. */
void TellOfNothing(const GridMesh &mesh, const tsr_mesh_sizes &sizes, bool noted,
                   OctreeContext &context) {
  const uint8_t *hidden = mesh.Core.hidden_cells;
  if (sizes.dimension > 0) {
    context.Messages.Add(NOTHING_WHOLLY_INSIDE);
  } else if (hidden &&
             std::find(hidden, hidden + mesh.Core.n_cells, 0) == hidden + mesh.Core.n_cells) {
    context.Messages.Add("All " + std::to_string(mesh.Core.n_cells) +
                         " cells of the input are hidden: the output has none.");
  } else if (!noted) {
    context.Error = mesh.WhyNoOctree;
  }
}

} // namespace

std::vector<MeshField> BoundedFields(const GridMesh &mesh, const GridSettings &settings) {
  const tsr_grid_threshold &error = settings.thresholds[TSR_MEASURE_INTERPOLATION_ERROR];
  std::vector<MeshField> fields;
  if (!BoundsError(settings)) {
    return fields;
  }
  for (const GridWanted &wanted : WantedArrays(settings)) {
    const GridArray found =
        wanted.Velocity ? GridArray{nullptr, false} : FindWanted(mesh.Data, wanted);
    if (!found.Array || found.CellData ||
        found.Array->GetNumberOfTuples() != mesh.Core.points.tuples ||
        settings.component >= found.Array->GetNumberOfComponents()) {
      continue; // it is told later
    }
    const bool part = settings.component >= 0 && found.Array->GetNumberOfComponents() > 1;
    vtkSmartPointer<vtkDataArray> array = found.Array;
    if (part) {
      array = ComponentOf(array, settings.component);
    }
    fields.push_back({array, error.threshold, settings.relative != 0});
  }
  return fields;
}

void LeaveOutPointArray(vtkAbstractArray *array, WarningList &messages) {
  const bool bits = array->GetDataType() == VTK_BIT; // nothing between 0 and 1
  messages.LeaveOut(NameOf(array), "the point array '" + NameOf(array) + "' " +
                                       (bits ? "holds bits" : "is not numeric") +
                                       " and is left out");
}

vtkSmartPointer<vtkDataArray> SquaredDistances(const tsr_array &points) {
  auto made = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(VTK_DOUBLE));
  AllocateTuples(made, points.tuples);
  auto *to = static_cast<double *>(made->GetVoidPointer(0));
  const auto at = [&points](int64_t i) {
    return points.type == TSR_FLOAT
               ? static_cast<double>(static_cast<const float *>(points.data)[i])
               : static_cast<const double *>(points.data)[i];
  };
  for (int64_t i = 0; i < points.tuples; ++i) {
    double sum = 0.0;
    for (int64_t axis = 0; axis < 3; ++axis) {
      const double from = at(3 * i + axis) - at(axis);
      sum += from * from;
    }
    to[i] = sum;
  }
  return made;
}

bool FindDomain(const GridMesh &mesh, const MeshWishes &wishes, OctreeContext &context,
                MeshDomain &domain) {
  Plan plan;
  if (!MakePlan(mesh, wishes, {}, context, plan)) {
    return false;
  }
  const tsr_mesh_sizes &sizes = *tsr_mesh_plan_sizes(plan.Core);
  tsr_mesh_options options;
  tsr_mesh_options_init(&options);
  domain.CellSize = std::ldexp(sizes.spacing, -options.levels);
  for (int axis = 0; axis < 3; ++axis) {
    domain.Bounds[2 * axis] = sizes.origin[axis];
    domain.Bounds[2 * axis + 1] = sizes.origin[axis] + sizes.cells[axis] * sizes.spacing;
  }
  return true;
}

std::shared_ptr<GridOctree> MakeMeshOctree(const GridMesh &mesh, const MeshWishes &wishes,
                                           OctreeContext &context) {
  const Fields fields(mesh, wishes.Settings);
  Plan plan;
  if (!MakePlan(mesh, wishes, fields.Core, context, plan)) {
    return nullptr;
  }
  const tsr_mesh_sizes &sizes = *tsr_mesh_plan_sizes(plan.Core);
  // Parts of curved cells may be flat, or turned inside out by less than the chord error.
  const bool noted = !mesh.IsDivided() && AddNotes(sizes, context.Messages);
  if (sizes.n == 0) {
    TellOfNothing(mesh, sizes, noted, context);
    return nullptr;
  }
  auto tree = std::make_shared<GridOctree>();
  return Octree(mesh, *tree, context).Fill(plan.Core, wishes.Settings) ? tree : nullptr;
}

} // namespace tessera
