// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptivePointGrid.h"

#include "pointgrid/TesseraPointGridJob.h"

#include <vtkDataObject.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>

vtkStandardNewMacro(vtkAdaptivePointGrid);

vtkAdaptivePointGrid::vtkAdaptivePointGrid() {
  tsr_pointgrid_options options;
  tsr_pointgrid_options_init(&options);
  this->TreeShape = options.shape;
  this->MaximumPointsPerCell = options.max_points;
  this->MaximumLevel = options.max_level;
  this->SpreadComponent = options.spread_component;
  this->Balance = options.balance;
  this->ChildStream = options.launch.child_stream;
  this->PendingLaunchCount = static_cast<int>(options.launch.pending_launches);
  this->NestingDepth = options.launch.nesting_depth;
}

void vtkAdaptivePointGrid::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "TreeShape: " << this->TreeShape << "\n";
  os << indent << "MaximumPointsPerCell: " << this->MaximumPointsPerCell << "\n";
  os << indent << "MaximumLevel: " << this->MaximumLevel << "\n";
  os << indent << "UseSpread: " << this->UseSpread << "\n";
  os << indent << "SpreadArray: " << this->SpreadArray << "\n";
  os << indent << "SpreadComponent: " << this->SpreadComponent << "\n";
  os << indent << "Spread: " << this->Spread << "\n";
  os << indent << "Balance: " << this->Balance << "\n";
  os << indent << "OutputType: " << this->OutputType << "\n";
  os << indent << "OutputPrecision: " << this->OutputPrecision << "\n";
  os << indent << "GenerateLevel: " << this->GenerateLevel << "\n";
  os << indent << "GenerateDensity: " << this->GenerateDensity << "\n";
  os << indent << "GenerateMeans: " << this->GenerateMeans << "\n";
  os << indent << "GenerateExtremes: " << this->GenerateExtremes << "\n";
  os << indent << "ChildStream: " << this->ChildStream << "\n";
  os << indent << "PendingLaunchCount: " << this->PendingLaunchCount << "\n";
  os << indent << "NestingDepth: " << this->NestingDepth << "\n";
  os << indent << "ReportLeaves: " << this->ReportLeaves << "\n";
  os << indent << "ReportHighestLevel: " << this->ReportHighestLevel << "\n";
}

int vtkAdaptivePointGrid::FillInputPortInformation(int, vtkInformation *info) {
  SetInputClasses(info, {"vtkPointSet"});
  return 1;
}

const char *vtkAdaptivePointGrid::GetLeafClass() const {
  return this->OutputType == HYPER_TREE_GRID ? "vtkHyperTreeGrid"
         : this->OutputType == POINTS        ? "vtkPolyData"
                                             : "vtkUnstructuredGrid";
}

int vtkAdaptivePointGrid::RequestInformation(vtkInformation *, vtkInformationVector **,
                                             vtkInformationVector *outputs) {
  outputs->GetInformationObject(0)->Set(CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

bool vtkAdaptivePointGrid::CheckChoices(vtkDataObject *) {
  return this->CheckExecution(TSR_POINTGRID_FLAT, TSR_POINTGRID_HOST_WAVES) &&
         this->CheckChoice("Tree Shape", this->TreeShape, TSR_POINTGRID_XZ) &&
         this->CheckChoice("Balance", this->Balance, TSR_BALANCE_CORNER) &&
         this->CheckChoice("Output Type", this->OutputType, POINTS) &&
         this->CheckChoice("Output Precision", this->OutputPrecision, DEFAULT_PRECISION) &&
         this->CheckChoice("Child Stream", this->ChildStream, TSR_CHILD_TAIL);
}

std::unique_ptr<tessera::Job> vtkAdaptivePointGrid::NewJob(vtkDataObject *input,
                                                           tessera::Execution &execution) const {
  tessera::PointGridSettings settings;
  tsr_pointgrid_options &options = settings.Options;
  tsr_pointgrid_options_init(&options);
  options.shape = static_cast<tsr_pointgrid_shape>(this->TreeShape);
  options.max_points = this->MaximumPointsPerCell;
  options.max_level = this->MaximumLevel;
  options.use_spread = this->UseSpread;
  options.spread_component = this->SpreadComponent;
  options.spread = this->Spread;
  options.balance = static_cast<tsr_balance>(this->Balance);
  options.output = static_cast<tsr_pointgrid_output_kind>(this->OutputType);
  options.launch.strategy = static_cast<tsr_pointgrid_strategy>(this->LaunchStrategy);
  options.launch.child_stream = static_cast<tsr_child_stream>(this->ChildStream);
  options.launch.pending_launches = this->PendingLaunchCount;
  options.launch.nesting_depth = this->NestingDepth;
  settings.SpreadArray = this->SpreadArray;
  settings.OutputPrecision = this->OutputPrecision;
  settings.Level = this->GenerateLevel;
  settings.Density = this->GenerateDensity;
  settings.Means = this->GenerateMeans;
  settings.Extremes = this->GenerateExtremes;
  return std::unique_ptr<tessera::Job>(new tessera::PointGridJob(input, settings, execution));
}

void vtkAdaptivePointGrid::ClearReport() {
  this->Superclass::ClearReport();
  this->ReportLeaves = 0.0;
  this->ReportHighestLevel = 0;
}

void vtkAdaptivePointGrid::AddJobReport(const tessera::Job &done, vtkDataObject *output) {
  const auto &job = static_cast<const tessera::PointGridJob &>(done);
  this->ReportLeaves = static_cast<double>(job.Cells());
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level) {
    if (job.CellsOfLevel()[static_cast<size_t>(level)] > 0) {
      this->ReportHighestLevel = level;
    }
  }
  this->AddReport(output, "Input Points", "Cells");
  vtkFieldData *fields = output->GetFieldData();
  fields->RemoveArray("Tessera Chord Tolerance"); // of curves
  fields->RemoveArray("Tessera Tolerance Scale");
  vtkNew<vtkIdTypeArray> leaves, levels;
  leaves->SetName("Tessera Leaves");
  leaves->InsertNextValue(job.Cells());
  fields->AddArray(leaves);
  levels->SetName("Tessera Leaves Of Level");
  for (int level = 0; level <= this->ReportHighestLevel; ++level) {
    levels->InsertNextValue(job.CellsOfLevel()[static_cast<size_t>(level)]);
  }
  fields->AddArray(levels);
}

void vtkAdaptivePointGrid::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  AddText(data, "Launch Strategy", report.Strategy());
  AddText(data, "Child Stream", report.ChildStream());
  AddChildGrids(data, report);
}
