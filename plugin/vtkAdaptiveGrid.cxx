// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptiveGrid.h"

#include "TesseraGridJob.h"
#include "TesseraGridPieces.h"
#include "TesseraLeaves.h"

#include <vtkCompositeDataSet.h>
#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkDataObjectTree.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkStringArray.h>

#include <sstream>

vtkStandardNewMacro(vtkAdaptiveGrid);

namespace {

const char *const OUTPUT_CLASSES[] = {"vtkUnstructuredGrid", "vtkHyperTreeGrid",
                                      "vtkOverlappingAMR"};

/** A field data array of the report. */
template <typename Array>
vtkSmartPointer<Array> AddField(vtkDataObject *output, const char *name) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  output->GetFieldData()->AddArray(array);
  return array;
}

/** As SetLeaves, but composites that are no trees come out as blocks in their order. */
void SetResults(vtkDataObject *input, const std::vector<vtkSmartPointer<vtkDataObject>> &results,
                vtkDataObject *output) {
  vtkMultiBlockDataSet *blocks = vtkMultiBlockDataSet::SafeDownCast(output);
  if (!vtkCompositeDataSet::SafeDownCast(input) || vtkDataObjectTree::SafeDownCast(input)) {
    if (!results.empty() && (results.front() || vtkDataObjectTree::SafeDownCast(input))) {
      tessera::SetLeaves(input, results, output);
    }
    return;
  }
  for (unsigned int i = 0; i < results.size(); ++i) {
    blocks->SetBlock(i, results[i]);
  }
  output->GetFieldData()->PassData(input->GetFieldData());
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
  if (name && *name) {
    this->CriteriaArrays.emplace_back(name);
    this->Modified();
  }
}

void vtkAdaptiveGrid::ClearCriteriaArrays() {
  if (!this->CriteriaArrays.empty()) {
    this->CriteriaArrays.clear();
    this->Modified();
  }
}

double vtkAdaptiveGrid::GetReportSaving() const {
  return this->ReportFineCells > 0.0 ? 1.0 - this->ReportVisibleCells / this->ReportFineCells : 0.0;
}

int vtkAdaptiveGrid::FillInputPortInformation(int, vtkInformation *info) {
  // With composites first the executive hands them over whole: ranges, the budget and the agreement
  // between processes belong to all leaves together.
  info->Remove(INPUT_REQUIRED_DATA_TYPE());
  info->Append(INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
  info->Append(INPUT_REQUIRED_DATA_TYPE(), "vtkImageData");
  info->Append(INPUT_REQUIRED_DATA_TYPE(), "vtkRectilinearGrid");
  info->Append(INPUT_REQUIRED_DATA_TYPE(), "vtkStructuredGrid");
  return 1;
}

int vtkAdaptiveGrid::RequestDataObject(vtkInformation *, vtkInformationVector **inputs,
                                       vtkInformationVector *outputs) {
  vtkDataObject *input = vtkDataObject::GetData(inputs[0]);
  if (!input) {
    return 0;
  }
  const bool known = 0 <= this->OutputType && this->OutputType <= OVERLAPPING_AMR;
  const char *leafClass = OUTPUT_CLASSES[known ? this->OutputType : 0];
  if (!tessera::IsOutputFor(vtkDataObject::GetData(outputs), input, leafClass)) {
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(),
                                          tessera::NewOutput(input, leafClass));
  }
  return 1;
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
  tessera::Extent whole;
  if (!in->Has(Pipeline::WHOLE_EXTENT()) || this->CoarsenLevels < 0 || this->CoarsenLevels > 30) {
    return 1;
  }
  in->Get(Pipeline::WHOLE_EXTENT(), whole.At);
  const int pieces = out->Get(Pipeline::UPDATE_NUMBER_OF_PIECES());
  const int piece = out->Get(Pipeline::UPDATE_PIECE_NUMBER());
  // Asking for the very box that this process will own saves exchanging the data afterwards.
  const tessera::Extent owned =
      tessera::OwnedExtent(whole, this->CoarsenLevels, piece, pieces > 0 ? pieces : 1);
  const tessera::Extent wanted = tessera::Grown(owned, 1, whole);
  in->Set(Pipeline::UPDATE_EXTENT(), wanted.At, 6);
  return 1;
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
  return this->CheckExecution() && this->CheckChoice("Grid Type", this->GridType, TSR_GRID_FINE) &&
         this->CheckChoice("Balance", this->Balance, TSR_BALANCE_CORNER) &&
         this->CheckChoice("Threshold Mode", this->ThresholdMode, 1) &&
         this->CheckChoice("Output Type", this->OutputType, OVERLAPPING_AMR) &&
         this->CheckChoice("Cell Shape", this->CellShape, 1) &&
         this->CheckChoice("Hanging Nodes", this->HangingNodes, POLYGONS) &&
         this->CheckChoice("Output Precision", this->OutputPrecision, DEFAULT_PRECISION);
}

void vtkAdaptiveGrid::FillCriteria(tessera::GridSettings &settings) const {
  const struct {
    bool Use;
    tsr_grid_measure Measure;
    double Threshold;
  } all[] = {
      {this->UseInterpolationError, TSR_MEASURE_INTERPOLATION_ERROR, this->InterpolationError},
      {this->UseValueRange, TSR_MEASURE_VALUE_RANGE, this->ValueRange},
      {this->UseGradient, TSR_MEASURE_GRADIENT, this->Gradient},
      {this->UseSecondDerivative, TSR_MEASURE_SECOND_DERIVATIVE, this->SecondDerivative},
      {this->UseStandardDeviation, TSR_MEASURE_STANDARD_DEVIATION, this->StandardDeviation},
      {this->UseVorticity, TSR_MEASURE_VORTICITY, this->Vorticity},
      {this->UseQCriterion, TSR_MEASURE_Q, this->QCriterion}};
  for (const auto &one : all) {
    if (one.Use) {
      settings.Criteria.push_back({one.Measure, one.Threshold, 0.0, 0.0});
    }
  }
  if (this->UseArrayInRange) {
    settings.Criteria.push_back(
        {TSR_MEASURE_IN_RANGE, 0.0, this->ArrayInRange[0], this->ArrayInRange[1]});
  }
}

void vtkAdaptiveGrid::FillSettings(tessera::GridSettings &settings) const {
  static const tsr_grid_output_kind kinds[] = {TSR_GRID_CELLS, TSR_GRID_TREES, TSR_GRID_PATCHES};
  tsr_grid_options &options = settings.Options;
  tsr_grid_options_init(&options);
  options.mode = static_cast<tsr_grid_mode>(this->GridType);
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
    options.output = this->HangingNodes == POLYGONS ? TSR_GRID_POLYGONS : TSR_GRID_CELLS;
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
  this->FillCriteria(settings);
}

void vtkAdaptiveGrid::TakeReport(const tessera::GridJob &job, vtkDataObject *output) {
  this->SetReport(job.Summary());
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
  auto names = AddField<vtkStringArray>(output, "Tessera Error Arrays");
  auto errors = AddField<vtkDoubleArray>(output, "Tessera Largest Errors");
  for (const tessera::GridArrayError &error : job.Errors()) {
    names->InsertNextValue(error.Name);
    errors->InsertNextValue(error.Largest);
    text << (text.tellp() > 0 ? ", " : "") << error.Name << " " << error.Largest;
  }
  this->ReportErrors = text.str().empty() ? "-" : text.str();
}

int vtkAdaptiveGrid::RequestData(vtkInformation *, vtkInformationVector **inputs,
                                 vtkInformationVector *outputs) {
  vtkDataObject *input = vtkDataObject::GetData(inputs[0]);
  vtkDataObject *output = vtkDataObject::GetData(outputs);
  output->Initialize();
  this->ClearReport();
  this->ReportVisibleCells = this->ReportFineCells = 0.0;
  this->ReportErrors = "-";
  if (!this->CheckChoices(input)) {
    return 1;
  }
  tessera::GridSettings settings;
  this->FillSettings(settings);
  tsr_execution wishes;
  this->GetExecution(wishes);
  tessera::Execution execution(this, wishes, this->Threads);
  tessera::GridJob job(input, settings, execution);
  if (!job.Run()) {
    if (!job.Error().empty()) {
      vtkErrorMacro("Nothing was made: " << job.Error() << ".");
    }
    return 1;
  }
  for (const std::string &warning : job.Warnings()) {
    vtkWarningMacro(<< warning);
  }
  SetResults(input, job.Results(), output);
  this->TakeReport(job, output);
  this->UpdateProgress(1.0);
  return 1;
}
