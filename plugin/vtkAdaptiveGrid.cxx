// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptiveGrid.h"

#include "grid/TesseraGridJob.h"
#include "grid/TesseraGridPieces.h"

#include <vtkCompositeDataSet.h>
#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkStringArray.h>

#include <sstream>

vtkStandardNewMacro(vtkAdaptiveGrid);

namespace {

const char *const OUTPUT_CLASSES[] = {"vtkUnstructuredGrid", "vtkHyperTreeGrid",
                                      "vtkOverlappingAMR"};

/** A field data array of the report. */
template <typename Array> vtkSmartPointer<Array> AddField(vtkDataObject *output, const char *name) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  output->GetFieldData()->AddArray(array);
  return array;
}

} // namespace

vtkAdaptiveGrid::vtkAdaptiveGrid() {
  tsr_grid_options options;
  tsr_grid_options_init(&options);
  this->GridType = options.mode;
  this->CoarsenLevels = options.coarsen_levels;
  this->RefineLevels = options.refine_levels;
  this->BufferCells = options.buffer_cells;
  this->Balance = options.balance;
  this->CellBudget = 0;
  this->LevelInside = options.inside_level;
  this->LevelOutside = options.outside_level;
  this->AMRBlockSize = options.block_size;
}

void vtkAdaptiveGrid::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "GridType: " << this->GridType << "\n";
  os << indent << "CoarsenLevels: " << this->CoarsenLevels << "\n";
  os << indent << "RefineLevels: " << this->RefineLevels << "\n";
  os << indent << "BufferCells: " << this->BufferCells << "\n";
  os << indent << "Balance: " << this->Balance << "\n";
  os << indent << "CellBudget: " << this->CellBudget << "\n";
  os << indent << "UseRegion: " << this->UseRegion << "\n";
  os << indent << "Region:";
  for (const double side : this->Region) {
    os << " " << side;
  }
  os << "\n";
  os << indent << "LevelInside: " << this->LevelInside << "\n";
  os << indent << "LevelOutside: " << this->LevelOutside << "\n";
  os << indent << "Component: " << this->Component << "\n";
  os << indent << "VelocityArray: " << this->VelocityArray << "\n";
  os << indent << "ThresholdMode: " << this->ThresholdMode << "\n";
  os << indent << "UseInterpolationError: " << this->UseInterpolationError << "\n";
  os << indent << "InterpolationError: " << this->InterpolationError << "\n";
  os << indent << "UseValueRange: " << this->UseValueRange << "\n";
  os << indent << "ValueRange: " << this->ValueRange << "\n";
  os << indent << "UseGradient: " << this->UseGradient << "\n";
  os << indent << "Gradient: " << this->Gradient << "\n";
  os << indent << "UseSecondDerivative: " << this->UseSecondDerivative << "\n";
  os << indent << "SecondDerivative: " << this->SecondDerivative << "\n";
  os << indent << "UseStandardDeviation: " << this->UseStandardDeviation << "\n";
  os << indent << "StandardDeviation: " << this->StandardDeviation << "\n";
  os << indent << "UseVorticity: " << this->UseVorticity << "\n";
  os << indent << "Vorticity: " << this->Vorticity << "\n";
  os << indent << "UseQCriterion: " << this->UseQCriterion << "\n";
  os << indent << "QCriterion: " << this->QCriterion << "\n";
  os << indent << "UseArrayInRange: " << this->UseArrayInRange << "\n";
  os << indent << "ArrayInRange: " << this->ArrayInRange[0] << " " << this->ArrayInRange[1] << "\n";
  os << indent << "OutputType: " << this->OutputType << "\n";
  os << indent << "CellShape: " << this->CellShape << "\n";
  os << indent << "HangingNodes: " << this->HangingNodes << "\n";
  os << indent << "AMRBlockSize: " << this->AMRBlockSize << "\n";
  os << indent << "OutputPrecision: " << this->OutputPrecision << "\n";
  os << indent << "GenerateLevel: " << this->GenerateLevel << "\n";
  os << indent << "GenerateIndicator: " << this->GenerateIndicator << "\n";
  os << indent << "GenerateSourceCell: " << this->GenerateSourceCell << "\n";
  os << indent << "MeasureErrors: " << this->MeasureErrors << "\n";
  os << indent << "CriteriaArrays: " << this->CriteriaArrays.size() << "\n";
  os << indent << "ReportVisibleCells: " << this->ReportVisibleCells << "\n";
  os << indent << "ReportFineCells: " << this->ReportFineCells << "\n";
  os << indent << "ReportErrors: " << this->ReportErrors << "\n";
}

void vtkAdaptiveGrid::AddCriteriaArray(const char *name) {
  this->AddName(this->CriteriaArrays, name);
}

void vtkAdaptiveGrid::ClearCriteriaArrays() { this->ClearNames(this->CriteriaArrays); }

double vtkAdaptiveGrid::GetReportSaving() const {
  return this->ReportFineCells > 0.0 ? 1.0 - this->ReportVisibleCells / this->ReportFineCells : 0.0;
}

int vtkAdaptiveGrid::FillInputPortInformation(int, vtkInformation *info) {
  SetInputClasses(info, {"vtkImageData", "vtkRectilinearGrid", "vtkStructuredGrid"});
  return 1;
}

const char *vtkAdaptiveGrid::GetLeafClass() const {
  const bool known = 0 <= this->OutputType && this->OutputType <= OVERLAPPING_AMR;
  return OUTPUT_CLASSES[known ? this->OutputType : 0];
}

int vtkAdaptiveGrid::RequestInformation(vtkInformation *, vtkInformationVector **,
                                        vtkInformationVector *outputs) {
  outputs->GetInformationObject(0)->Set(CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkAdaptiveGrid::RequestUpdateExtent(vtkInformation *, vtkInformationVector **inputs,
                                         vtkInformationVector *outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation *in = inputs[0]->GetInformationObject(0);
  vtkInformation *out = outputs->GetInformationObject(0);
  if (!in->Has(Pipeline::WHOLE_EXTENT()) || this->CoarsenLevels < 0 || this->CoarsenLevels > 30) {
    return 1;
  }
  const tsr_grid_box whole = tessera::BoxFrom(in->Get(Pipeline::WHOLE_EXTENT()));
  if (tsr_grid_box_is_empty(&whole)) {
    return 1;
  }
  const int pieces = out->Get(Pipeline::UPDATE_NUMBER_OF_PIECES());
  const int piece = out->Get(Pipeline::UPDATE_PIECE_NUMBER());
  // Asking for the very box that this process will need saves moving the data afterwards.
  const tsr_grid_box needed = tsr_grid_needed_box(&whole, this->CoarsenLevels, tessera::GRID_MARGIN,
                                                  piece, pieces > 0 ? pieces : 1);
  int wanted[6];
  for (int side = 0; side < 6; ++side) {
    // A process that owns nothing asks for one point: sources take an empty request for an error.
    const bool nothing = tsr_grid_box_is_empty(&needed) != 0;
    wanted[side] = static_cast<int>(nothing ? whole.at[side / 2 * 2] : needed.at[side]);
  }
  in->Set(Pipeline::UPDATE_EXTENT(), wanted, 6);
  // Else the executive would take this extent for the whole and cut a piece out of it.
  in->Set(Pipeline::UPDATE_PIECE_NUMBER(), 0);
  in->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), 1);
  in->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
  return 1;
}

int vtkAdaptiveGrid::RequestData(vtkInformation *request, vtkInformationVector **inputs,
                                 vtkInformationVector *outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation *in = inputs[0]->GetInformationObject(0);
  static const int unknown[] = {0, -1, 0, -1, 0, -1};
  std::copy_n(unknown, 6, this->Announced);
  // Of another number of pieces, as writers ask for, the processes hold some at a time.
  if (outputs->GetInformationObject(0)->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()) ==
          tessera::Processes().Count() &&
      in->Has(Pipeline::WHOLE_EXTENT())) {
    in->Get(Pipeline::WHOLE_EXTENT(), this->Announced);
  }
  return this->Superclass::RequestData(request, inputs, outputs);
}

bool vtkAdaptiveGrid::CheckChoices(vtkDataObject *input) {
  if (this->CellBudget < 0) {
    vtkErrorMacro("Cell Budget must be 0 (off) or more, not " << this->CellBudget << ".");
    return false;
  }
  if (this->Component < -1) {
    vtkErrorMacro("Component must be -1 (the magnitude) or more, not " << this->Component << ".");
    return false;
  }
  if (this->OutputType == OVERLAPPING_AMR && vtkCompositeDataSet::SafeDownCast(input)) {
    vtkErrorMacro("Overlapping AMR comes from one image, not from a composite dataset.");
    return false;
  }
  for (int axis = 0; axis < 3 && this->UseRegion; ++axis) {
    const double low = this->Region[2 * axis], high = this->Region[2 * axis + 1];
    if (!(low <= high)) {
      vtkErrorMacro("Region must reach from a lower to a higher "
                    << "xyz"[axis] << ", not from " << low << " to " << high << ".");
      return false;
    }
  }
  return this->CheckExecution(TSR_STRATEGY_HOST_WAVES, TSR_STRATEGY_DEVICE_LAUNCHED) &&
         this->CheckChoice("Grid Type", this->GridType, TSR_GRID_FINE) &&
         this->CheckChoice("Balance", this->Balance, TSR_BALANCE_CORNER) &&
         this->CheckChoice("Threshold Mode", this->ThresholdMode, 1) &&
         this->CheckChoice("Output Type", this->OutputType, OVERLAPPING_AMR) &&
         this->CheckChoice("Cell Shape", this->CellShape, 1) &&
         this->CheckChoice("Hanging Nodes", this->HangingNodes, CONFORMING) &&
         this->CheckChoice("Output Precision", this->OutputPrecision, DEFAULT_PRECISION);
}

void vtkAdaptiveGrid::FillCriteria(tessera::GridSettings &settings) const {
  const double lower = this->ArrayInRange[0], upper = this->ArrayInRange[1];
  const struct {
    bool Use;
    tessera::GridCriterion Criterion;
  } all[] = {
      {this->UseInterpolationError,
       {"Interpolation Error", TSR_MEASURE_INTERPOLATION_ERROR, this->InterpolationError, 0.0,
        0.0}},
      {this->UseValueRange, {"Value Range", TSR_MEASURE_VALUE_RANGE, this->ValueRange, 0.0, 0.0}},
      {this->UseGradient, {"Gradient", TSR_MEASURE_GRADIENT, this->Gradient, 0.0, 0.0}},
      {this->UseSecondDerivative,
       {"Second Derivative", TSR_MEASURE_SECOND_DERIVATIVE, this->SecondDerivative, 0.0, 0.0}},
      {this->UseStandardDeviation,
       {"Standard Deviation", TSR_MEASURE_STANDARD_DEVIATION, this->StandardDeviation, 0.0, 0.0}},
      {this->UseVorticity, {"Vorticity", TSR_MEASURE_VORTICITY, this->Vorticity, 0.0, 0.0}},
      {this->UseQCriterion, {"Q-Criterion", TSR_MEASURE_Q, this->QCriterion, 0.0, 0.0}},
      {this->UseArrayInRange, {"Array In Range", TSR_MEASURE_IN_RANGE, 0.0, lower, upper}}};
  for (const auto &one : all) {
    if (one.Use) {
      settings.Criteria.push_back(one.Criterion);
    }
  }
}

void vtkAdaptiveGrid::FillSettings(tessera::GridSettings &settings) const {
  static const tsr_grid_output_kind kinds[] = {TSR_GRID_CELLS, TSR_GRID_TREES, TSR_GRID_PATCHES};
  tsr_grid_options &options = settings.Options;
  tsr_grid_options_init(&options);
  options.mode = static_cast<tsr_grid_mode>(this->GridType);
  options.launch.strategy = static_cast<tsr_grid_strategy>(this->LaunchStrategy);
  options.coarsen_levels = this->CoarsenLevels;
  options.refine_levels = this->RefineLevels;
  options.buffer_cells = this->BufferCells;
  options.balance = static_cast<tsr_balance>(this->Balance);
  options.cell_budget = this->CellBudget;
  options.inside_level = this->LevelInside;
  options.outside_level = this->LevelOutside;
  options.block_size = this->AMRBlockSize;
  options.output = kinds[this->OutputType];
  if (this->OutputType == UNSTRUCTURED_GRID) {
    options.constrain = this->HangingNodes == CONSTRAINED;
    options.output = this->HangingNodes == POLYGONS     ? TSR_GRID_POLYGONS
                     : this->HangingNodes == CONFORMING ? TSR_GRID_CONFORMING
                                                        : TSR_GRID_CELLS;
  }
  settings.Arrays = this->CriteriaArrays;
  settings.Velocity = this->VelocityArray;
  settings.Component = this->Component;
  settings.Relative = this->ThresholdMode == 1;
  settings.UseRegion = this->UseRegion;
  std::copy_n(this->Region, 6, settings.Region);
  settings.Output = static_cast<tessera::GridSettings::OutputType>(this->OutputType);
  settings.Hexahedra = this->CellShape == 1;
  settings.OutputPrecision = this->OutputPrecision;
  settings.Errors = this->MeasureErrors;
  settings.Level = this->GenerateLevel;
  settings.Indicator = this->GenerateIndicator;
  settings.SourceCell = this->GenerateSourceCell;
  std::copy_n(this->Announced, 6, settings.Announced);
  this->FillCriteria(settings);
}

std::unique_ptr<tessera::Job> vtkAdaptiveGrid::NewJob(vtkDataObject *input,
                                                      tessera::Execution &execution) const {
  tessera::GridSettings settings;
  this->FillSettings(settings);
  return std::unique_ptr<tessera::Job>(new tessera::GridJob(input, settings, execution));
}

void vtkAdaptiveGrid::ClearReport() {
  this->Superclass::ClearReport();
  this->ReportVisibleCells = this->ReportFineCells = 0.0;
  this->ReportErrors = "-";
}

void vtkAdaptiveGrid::AddJobReport(const tessera::Job &done, vtkDataObject *output) {
  const auto &job = static_cast<const tessera::GridJob &>(done);
  this->ReportVisibleCells = static_cast<double>(job.VisibleCells());
  this->ReportFineCells = static_cast<double>(job.FineCells());
  this->AddReport(output, "Input Cells", "Cells");
  output->GetFieldData()->RemoveArray("Tessera Chord Tolerance"); // of curves
  AddField<vtkIdTypeArray>(output, "Tessera Leaves")->InsertNextValue(job.VisibleCells());
  AddField<vtkIdTypeArray>(output, "Tessera Fine Cells")->InsertNextValue(job.FineCells());
  AddField<vtkDoubleArray>(output, "Tessera Saving")->InsertNextValue(this->GetReportSaving());
  auto levels = AddField<vtkIdTypeArray>(output, "Tessera Leaves Of Level");
  const int finest = this->CoarsenLevels + this->RefineLevels;
  for (int level = 0; level <= finest; ++level) {
    levels->InsertNextValue(job.CellsOfLevel()[static_cast<size_t>(level)]);
  }
  std::ostringstream text;
  vtkSmartPointer<vtkStringArray> names;
  vtkSmartPointer<vtkDoubleArray> errors;
  if (!job.Errors().empty()) { // arrays of no tuples disturb tables and files
    names = AddField<vtkStringArray>(output, "Tessera Error Arrays");
    errors = AddField<vtkDoubleArray>(output, "Tessera Largest Errors");
  }
  for (const tessera::GridArrayError &error : job.Errors()) {
    names->InsertNextValue(error.Name);
    errors->InsertNextValue(error.Largest);
    text << (text.tellp() > 0 ? "\n" : "") << error.Name << " " << error.Largest;
  }
  this->ReportErrors = text.str().empty() ? "-" : text.str();
}
