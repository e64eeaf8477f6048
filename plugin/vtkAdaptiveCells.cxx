// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptiveCells.h"

#include "cells/TesseraCellsExecution.h"

#include <vtkDataObject.h>
#include <vtkFieldData.h>
#include <vtkObjectFactory.h>

vtkStandardNewMacro(vtkAdaptiveCells);

vtkAdaptiveCells::vtkAdaptiveCells() : Settings(new tessera::CellsSettings) {
  this->Table.Add(&this->Settings->Options, tsr_cells_properties);
  this->Table.Add<tsr_cells_choices>(this->Settings.get(), tsr_cells_choices_properties);
}

vtkAdaptiveCells::~vtkAdaptiveCells() = default;

void vtkAdaptiveCells::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FieldErrorArrays: " << this->FieldErrorArrays.size() << "\n";
}

const char *vtkAdaptiveCells::GetDatasetClass() const {
  return this->Settings->Options.output == TSR_CELLS_VOLUMES ? "vtkUnstructuredGrid"
                                                             : "vtkPolyData";
}

bool vtkAdaptiveCells::CheckChoices(vtkDataObject *) {
  tsr_error error;
  return tsr_cells_choices_check(this->Settings.get(), &error) == TSR_OK
             ? this->CheckExecution(0, 0)
             : this->Refuse(error);
}

std::unique_ptr<tessera::Execution>
vtkAdaptiveCells::NewExecution(vtkDataObject *input, tessera::ThreadRunner &runner) const {
  tessera::CellsSettings settings = *this->Settings;
  if (settings.Options.use_field_error) {
    settings.FieldErrorArrays = this->FieldErrorArrays;
  }
  return std::unique_ptr<tessera::Execution>(new tessera::CellsExecution(input, settings, runner));
}

void vtkAdaptiveCells::AddExecutionReport(const tessera::Execution &execution,
                                          vtkDataObject *output) {
  const auto &cells = static_cast<const tessera::CellsExecution &>(execution);
  this->AddReport(output, "Input Cells", "Output Cells", {"ChordTolerance", "ToleranceScale"});
  AddCount(output->GetFieldData(), "Curved Faces", cells.Faces());
}

void vtkAdaptiveCells::AddLaunchReport(vtkFieldData *, const tessera::Report &) {}
