// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptivePointGrid.h"

#include "frame/report/TesseraTables.h"
#include "pointgrid/TesseraPointGridExecution.h"

#include <vtkDataObject.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>

vtkStandardNewMacro(vtkAdaptivePointGrid);

vtkAdaptivePointGrid::vtkAdaptivePointGrid() : Settings(new tessera::PointGridSettings) {
  this->SetNumberOfOutputPorts(2);
  this->Table.Add(&this->Settings->Options, tsr_pointgrid_properties);
  this->Table.Add<tsr_pointgrid_choices>(this->Settings.get(), tsr_pointgrid_choices_properties);
}

vtkAdaptivePointGrid::~vtkAdaptivePointGrid() = default;

void vtkAdaptivePointGrid::SetSpreadArray(const char *name) {
  this->SetName(this->Settings->SpreadArray, name);
}

void vtkAdaptivePointGrid::SetSpreadArray(int, int, int, int association, const char *name) {
  if (association != vtkDataObject::POINT) {
    vtkErrorMacro("Spread Array must be a point array, which '" << (name ? name : "")
                                                                << "' is not.");
    return;
  }
  this->SetSpreadArray(name);
}

const char *vtkAdaptivePointGrid::GetSpreadArray() const {
  return this->Settings->SpreadArray.c_str();
}

void vtkAdaptivePointGrid::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SpreadArray: " << this->Settings->SpreadArray << "\n";
  os << indent << "ReportLeaves: " << this->ReportLeaves << "\n";
  os << indent << "ReportHighestLevel: " << this->ReportHighestLevel << "\n";
}

const char *vtkAdaptivePointGrid::GetDatasetClass() const {
  const tsr_pointgrid_output_kind kind = this->Settings->Options.output;
  return kind == TSR_POINTGRID_TREE     ? "vtkHyperTreeGrid"
         : kind == TSR_POINTGRID_POINTS ? "vtkPolyData"
                                        : "vtkUnstructuredGrid";
}

int vtkAdaptivePointGrid::RequestInformation(vtkInformation *, vtkInformationVector **,
                                             vtkInformationVector *outputs) {
  for (int port = 0; port < 2; ++port) {
    outputs->GetInformationObject(port)->Set(CAN_HANDLE_PIECE_REQUEST(), 1);
  }
  return 1;
}

bool vtkAdaptivePointGrid::CheckChoices(vtkDataObject *) {
  return this->CheckExecution(TSR_POINTGRID_FLAT, TSR_POINTGRID_HOST_WAVES);
}

std::unique_ptr<tessera::Execution>
vtkAdaptivePointGrid::NewExecution(vtkDataObject *input, tessera::ThreadRunner &runner) const {
  return std::unique_ptr<tessera::Execution>(
      new tessera::PointGridExecution(input, *this->Settings, runner));
}

void vtkAdaptivePointGrid::ClearReport() {
  this->Superclass::ClearReport();
  this->ReportLeaves = 0.0;
  this->ReportHighestLevel = 0;
}

void vtkAdaptivePointGrid::AddExecutionReport(const tessera::Execution &done,
                                              vtkDataObject *output) {
  const auto &execution = static_cast<const tessera::PointGridExecution &>(done);
  this->ReportLeaves = static_cast<double>(execution.Cells());
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level) {
    if (execution.CellsOfLevel()[static_cast<size_t>(level)] > 0) {
      this->ReportHighestLevel = level;
    }
  }
  this->AddReport(output, "Input Points", "Cells");
  vtkFieldData *fields = output->GetFieldData();
  AddCount(fields, "Leaves", execution.Cells());
  AddCounts(fields, "Leaves Of Level", execution.CellsOfLevel(), this->ReportHighestLevel + 1);
  AddCount(fields, "Empty Cells", execution.EmptyCells());
  AddCount(fields, "Hidden Points", execution.HiddenPoints());
  AddReason(fields, execution.WhyNone());
}

void vtkAdaptivePointGrid::FillTable(const tessera::Execution &done, vtkTable *table) const {
  const auto &execution = static_cast<const tessera::PointGridExecution &>(done);
  const auto cells = execution.CellsOfLevel().begin();
  tessera::AddLevels(table, std::vector<vtkIdType>(cells, cells + this->ReportHighestLevel + 1));
}

void vtkAdaptivePointGrid::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  AddText(data, "Launch Strategy", report.Text(TSR_SUMMARY_STRATEGY));
  AddText(data, "Child Stream", report.Text(TSR_SUMMARY_CHILD_STREAM));
  AddChildGrids(data, report);
}
