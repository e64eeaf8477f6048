// SPDX-License-Identifier: BSD-3-Clause
#include "sources/vtkRandomDiscs.h"

#include "frame/data/TesseraMemory.h"
#include "frame/data/TesseraPieces.h"
#include "mpi/TesseraProcesses.h"
#include "tessera.h"

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <new>

vtkStandardNewMacro(vtkRandomDiscs);

namespace {

/** Makes a new point array with room for the share. Returns a pointer to its values. */
template <typename Array>
auto NewArray(vtkPolyData *data, const char *name, int components, vtkIdType tuples) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  tessera::AllocateTuples(array, tuples);
  data->GetPointData()->AddArray(array);
  return array->GetPointer(0);
}

} // namespace

vtkRandomDiscs::vtkRandomDiscs() : Core(new tsr_random_discs_options) {
  this->SetNumberOfInputPorts(0);
  tsr_random_discs_options_init(this->Core.get());
  this->Table.Add(this->Core.get(), tsr_random_discs_properties);
}

vtkRandomDiscs::~vtkRandomDiscs() = default;

void vtkRandomDiscs::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  this->Table.Print(os, indent);
}

int vtkRandomDiscs::RequestInformation(vtkInformation *, vtkInformationVector **,
                                       vtkInformationVector *outputs) {
  outputs->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkRandomDiscs::RequestData(vtkInformation *, vtkInformationVector **,
                                vtkInformationVector *outputs) {
  vtkInformation *info = outputs->GetInformationObject(0);
  vtkPolyData *data = vtkPolyData::GetData(info);
  const auto all = static_cast<vtkIdType>(tsr_random_discs_count(this->Core.get()));
  const tessera::Share share = tessera::ShareOfPiece(info, all > 0 ? all : 0);
  try {
    const double bytes = 3 * 4 + 4 + 4 + 3 + 2 * sizeof(vtkIdType); // the arrays of one disc
    tessera::RequireMemory(bytes * static_cast<double>(share.Count()));
    tsr_random_discs_output output;
    tsr_random_discs_output_init(&output);
    vtkNew<vtkFloatArray> coordinates;
    coordinates->SetNumberOfComponents(3);
    tessera::AllocateTuples(coordinates, share.Count());
    vtkNew<vtkPoints> points;
    points->SetData(coordinates);
    data->SetPoints(points);
    data->SetVerts(tessera::ConsecutiveCells(share.Count(), 1));
    output.points = coordinates->GetPointer(0);
    output.radii = NewArray<vtkFloatArray>(data, "Radius", 1, share.Count());
    output.opacities = NewArray<vtkFloatArray>(data, "Opacity", 1, share.Count());
    output.colors = NewArray<vtkUnsignedCharArray>(data, "Color", 3, share.Count());
    data->GetPointData()->SetActiveScalars("Color");
    tsr_error error;
    if (tsr_random_discs_fill(this->Core.get(), share.First, share.Last, &output, &error) !=
        TSR_OK) {
      vtkErrorMacro("Nothing was made: " << error.text << ".");
      data->Initialize();
    }
  } catch (const std::bad_alloc &) {
    vtkErrorMacro("Nothing was made: the system gave no memory for " << share.Count() << " discs.");
    data->Initialize();
  }
  return 1;
}
