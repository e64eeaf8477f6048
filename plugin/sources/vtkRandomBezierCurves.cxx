// SPDX-License-Identifier: BSD-3-Clause
#include "sources/vtkRandomBezierCurves.h"

#include "frame/data/TesseraMemory.h"
#include "frame/data/TesseraPieces.h"
#include "mpi/TesseraProcesses.h"
#include "tessera.h"

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <new>

vtkStandardNewMacro(vtkRandomBezierCurves);

vtkRandomBezierCurves::vtkRandomBezierCurves() : Core(new tsr_random_curves_options) {
  this->SetNumberOfInputPorts(0);
  tsr_random_curves_options_init(this->Core.get());
  this->Table.Add(this->Core.get(), tsr_random_curves_properties);
}

vtkRandomBezierCurves::~vtkRandomBezierCurves() = default;

void vtkRandomBezierCurves::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  this->Table.Print(os, indent);
}

int vtkRandomBezierCurves::RequestInformation(vtkInformation *, vtkInformationVector **,
                                              vtkInformationVector *outputs) {
  outputs->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkRandomBezierCurves::RequestData(vtkInformation *, vtkInformationVector **,
                                       vtkInformationVector *outputs) {
  vtkInformation *info = outputs->GetInformationObject(0);
  tsr_error error;
  if (tsr_random_curves_check(this->Core.get(), &error) != TSR_OK) {
    vtkErrorMacro(<< error.text);
    return 1;
  }
  try {
    this->Fill(info);
  } catch (const std::bad_alloc &) {
    vtkErrorMacro("Nothing was made: the system gave no memory for " << this->Core->count
                                                                     << " curves.");
    vtkUnstructuredGrid::GetData(info)->Initialize();
  }
  return 1;
}

void vtkRandomBezierCurves::Fill(vtkInformation *info) {
  vtkUnstructuredGrid *grid = vtkUnstructuredGrid::GetData(info);
  const tessera::Share share = tessera::ShareOfPiece(info, this->Core->count);
  const vtkIdType size = this->Core->degree + 1;
  const double bytes = static_cast<double>(size) * (3 * 4 + sizeof(vtkIdType)); // of one curve
  tessera::RequireMemory(bytes * static_cast<double>(share.Count()));
  vtkNew<vtkFloatArray> coordinates;
  coordinates->SetNumberOfComponents(3);
  tessera::AllocateTuples(coordinates, share.Count() * size);
  tsr_error error;
  if (tsr_random_curves_fill(this->Core->seed, this->Core->degree, share.First, share.Last,
                             coordinates->GetPointer(0), &error) != TSR_OK) {
    vtkErrorMacro("Nothing was made: " << error.text << ".");
    return;
  }
  vtkNew<vtkPoints> points;
  points->SetData(coordinates);
  grid->SetPoints(points);
  auto cells = tessera::ConsecutiveCells(share.Count(), size);
  vtkNew<vtkIdTypeArray> numbers;
  numbers->SetName("Curve");
  tessera::AllocateTuples(numbers, share.Count());
  // A cell has its two ends first; the points themselves follow the curve.
  vtkDataArray *ids = cells->GetConnectivityArray();
  for (vtkIdType curve = 0; curve < share.Count(); ++curve) {
    numbers->SetValue(curve, share.First + curve);
    ids->SetComponent(curve * size + 1, 0, static_cast<double>(curve * size + this->Core->degree));
    for (vtkIdType k = 2; k < size; ++k) {
      ids->SetComponent(curve * size + k, 0, static_cast<double>(curve * size + k - 1));
    }
  }
  grid->SetCells(VTK_BEZIER_CURVE, cells);
  grid->GetCellData()->AddArray(numbers);
}
