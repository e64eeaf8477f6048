// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptiveGrid.h"

#include "frame/TesseraVersions.h"
#include "frame/report/TesseraTables.h"
#include "grid/TesseraGridExecution.h"
#include "grid/TesseraGridPieces.h"
#include "grid/TesseraGridSteps.h"
#include "grid/octree/TesseraGridOctree.h"

#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkStringArray.h>
#include <vtkTable.h>

#include <cmath>
#include <sstream>

vtkStandardNewMacro(vtkAdaptiveGrid);

namespace {

const char *const OUTPUT_CLASSES[] = {"vtkUnstructuredGrid", "vtkHyperTreeGrid",
                                      "vtkOverlappingAMR"};

} // namespace

vtkAdaptiveGrid::vtkAdaptiveGrid()
    : Settings(new tessera::GridSettings), Steps(new tessera::GridSteps) {
  this->SetNumberOfOutputPorts(2);
  this->Table.Add(&this->Settings->Options, tsr_grid_properties);
  this->Table.Add<tsr_grid_choices>(this->Settings.get(), tsr_grid_choices_properties);
}

vtkAdaptiveGrid::~vtkAdaptiveGrid() { tsr_device_forget(this); }

void vtkAdaptiveGrid::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "VelocityArray: " << this->Settings->Velocity << "\n";
  os << indent << "CriteriaArrays: " << this->Settings->Arrays.size() << "\n";
  os << indent << "ReportVisibleCells: " << this->ReportVisibleCells << "\n";
  os << indent << "ReportFineCells: " << this->ReportFineCells << "\n";
  os << indent << "ReportGeometricError: " << this->ReportGeometricError << "\n";
  os << indent << "ReportInputBytes: " << this->ReportInputBytes << "\n";
  os << indent << "ReportOutputBytes: " << this->ReportOutputBytes << "\n";
  os << indent << "ReportErrors: " << this->ReportErrors << "\n";
  os << indent << "ReportByCPU: " << this->ReportByCPU << "\n";
}

void vtkAdaptiveGrid::AddCriteriaArray(const char *name) {
  this->AddName(this->Settings->Arrays, name);
}

void vtkAdaptiveGrid::ClearCriteriaArrays() { this->ClearNames(this->Settings->Arrays); }

void vtkAdaptiveGrid::SetVelocityArray(const char *name) {
  this->SetVelocityArray(0, 0, 0, vtkDataObject::POINT, name);
}

void vtkAdaptiveGrid::SetVelocityArray(int, int, int, int association, const char *name) {
  const bool ofCells = association == vtkDataObject::CELL;
  this->SetName(this->Settings->Velocity, name);
  if (ofCells != this->Settings->VelocityOfCells) {
    this->Settings->VelocityOfCells = ofCells;
    this->Modified();
  }
}

const char *vtkAdaptiveGrid::GetVelocityArray() const { return this->Settings->Velocity.c_str(); }

double vtkAdaptiveGrid::GetReportSaving() const {
  return this->ReportFineCells > 0.0 ? 1.0 - this->ReportVisibleCells / this->ReportFineCells : 0.0;
}

double vtkAdaptiveGrid::GetReportSavingInBytes() const {
  return this->ReportInputBytes > 0.0 ? 1.0 - this->ReportOutputBytes / this->ReportInputBytes
                                      : 0.0;
}

const char *vtkAdaptiveGrid::GetDatasetClass() const {
  const int type = this->Settings->output;
  const bool known = TSR_GRID_UNSTRUCTURED <= type && type <= TSR_GRID_AMR;
  return OUTPUT_CLASSES[known ? type : 0];
}

bool vtkAdaptiveGrid::MergesBlocks() const { return this->Settings->merge_blocks != 0; }

bool vtkAdaptiveGrid::TakesWhole(vtkInformation *in) const {
  vtkDataObject *input = in->Get(vtkDataObject::DATA_OBJECT());
  return tessera::HoldsOctree(input) || (this->MergesBlocks() && tessera::AsComposite(input));
}

int vtkAdaptiveGrid::RequestInformation(vtkInformation *, vtkInformationVector **inputs,
                                        vtkInformationVector *outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation *in = inputs[0]->GetInformationObject(0);
  for (int port = 0; port < 2; ++port) {
    outputs->GetInformationObject(port)->Set(CAN_HANDLE_PIECE_REQUEST(), 1);
  }
  std::vector<double> times;
  if (in->Has(Pipeline::TIME_STEPS())) {
    const double *first = in->Get(Pipeline::TIME_STEPS());
    times.assign(first, first + in->Length(Pipeline::TIME_STEPS()));
  }
  this->Steps->Begin(times); // the input or a property has changed
  return 1;
}

void vtkAdaptiveGrid::AskForTime(vtkInformation *in, vtkInformation *out) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  if (!this->Settings->all_steps || !this->Steps->HasTimes()) {
    return;
  }
  this->Steps->SetPiece(out->Get(Pipeline::UPDATE_PIECE_NUMBER()),
                        out->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()));
  const bool any = this->Steps->Collects() || !out->Has(Pipeline::UPDATE_TIME_STEP());
  in->Set(Pipeline::UPDATE_TIME_STEP(),
          any ? this->Steps->Time() : out->Get(Pipeline::UPDATE_TIME_STEP()));
}

int vtkAdaptiveGrid::RequestUpdateExtent(vtkInformation *, vtkInformationVector **inputs,
                                         vtkInformationVector *outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation *in = inputs[0]->GetInformationObject(0);
  vtkInformation *out = outputs->GetInformationObject(0);
  const int coarsen = this->Settings->Options.coarsen_levels;
  this->AskForTime(in, out);
  if (this->TakesWhole(in)) {
    if (tessera::Processes().Count() == 1) { // its last piece is the whole
      in->Set(Pipeline::UPDATE_PIECE_NUMBER(), 0);
      in->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), 1);
    }
    in->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
    return 1;
  }
  if (!in->Has(Pipeline::WHOLE_EXTENT()) || coarsen < 0 || coarsen > TSR_GRID_MAX_LEVEL) {
    return 1;
  }
  const tsr_grid_box whole = tessera::BoxFrom(in->Get(Pipeline::WHOLE_EXTENT()));
  if (tsr_grid_box_is_empty(&whole)) {
    return 1;
  }
  const bool alone = tessera::Processes().Count() == 1; // its last piece is the whole
  const int pieces = alone ? 1 : out->Get(Pipeline::UPDATE_NUMBER_OF_PIECES());
  const int piece = alone ? 0 : out->Get(Pipeline::UPDATE_PIECE_NUMBER());
  const bool trees = this->Settings->output == TSR_GRID_HYPER_TREE &&
                     vtkImageData::SafeDownCast(vtkDataObject::GetData(in));
  const int base = trees ? tsr_grid_base_levels(&whole, TSR_GEOMETRY_UNIFORM, coarsen,
                                                this->Settings->Options.refine_levels)
                         : 0;
  // Asking for the very box that this process will need saves moving the data afterwards.
  const tsr_grid_box needed = tsr_grid_needed_box(&whole, coarsen + base, tessera::GRID_MARGIN,
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
  std::copy_n(unknown, 6, this->Settings->Announced);
  // One process makes the whole grid as its last piece, by which VTK's writers describe all of
  // them: pieces by themselves would overlap.
  vtkInformation *out = outputs->GetInformationObject(0);
  if ((in->Has(Pipeline::WHOLE_EXTENT()) || this->TakesWhole(in)) &&
      tessera::Processes().Count() == 1 &&
      out->Get(Pipeline::UPDATE_PIECE_NUMBER()) + 1 <
          out->Get(Pipeline::UPDATE_NUMBER_OF_PIECES())) {
    request->Remove(Pipeline::CONTINUE_EXECUTING());
    vtkDataObject::GetData(outputs)->Initialize();
    if (vtkTable *table = tessera::SummaryTable(outputs)) {
      table->Initialize();
    }
    this->ClearReport();
    return 1;
  }
  // Writers may ask for more pieces than processes, which then hold some of them at a time.
  if (out->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()) == tessera::Processes().Count() &&
      in->Has(Pipeline::WHOLE_EXTENT())) {
    in->Get(Pipeline::WHOLE_EXTENT(), this->Settings->Announced);
  }
  if (this->Settings->all_steps && this->Steps->Collects()) {
    try {
      this->LookAtStep(request, inputs, outputs);
    } catch (...) { // no further step is to be read
      request->Remove(Pipeline::CONTINUE_EXECUTING());
      throw;
    }
    return 1;
  }
  request->Remove(Pipeline::CONTINUE_EXECUTING());
  return this->Superclass::RequestData(request, inputs, outputs);
}

void vtkAdaptiveGrid::LookAtStep(vtkInformation *request, vtkInformationVector **inputs,
                                 vtkInformationVector *outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkDataObject *input = vtkDataObject::GetData(inputs[0]);
  vtkDataObject::GetData(outputs)->Initialize();
  this->ClearReport();
  request->Remove(Pipeline::CONTINUE_EXECUTING());
  if (!this->Accepts(input)) {
    return;
  }
  tsr_execution wishes;
  this->GetExecution(wishes);
  tessera::ThreadRunner runner(this, wishes, this->GetThreads());
  tessera::GridSettings settings = *this->Settings;
  tsr_grid_choices_apply(&settings, &settings.Options);
  tessera::GridExecution execution(input, settings, runner, this->Steps.get(), true);
  if (!execution.Run()) {
    const std::string sentence = execution.Error();
    if (!sentence.empty()) {
      vtkErrorMacro("Nothing was made: " << sentence << ".");
    }
    return;
  }
  this->UpdateProgress(0.9 * this->Steps->Progress());
  if (!tessera::Processes().Any(tessera::IsAborted(this))) {
    request->Set(Pipeline::CONTINUE_EXECUTING(), 1); // with the next step, or the one asked for
  }
}

bool vtkAdaptiveGrid::CheckChoices(vtkDataObject *input) {
  const tessera::GridSettings &set = *this->Settings;
  const bool composite = tessera::Processes().Any(tessera::AsComposite(input) != nullptr);
  tsr_error error;
  this->LooksForGrowth = this->LookedForGrowth != this->GetMTime(); // once, not at each time step
  return tsr_grid_choices_check(&set, &set.Options, composite, &error) == TSR_OK
             ? this->CheckExecution(TSR_STRATEGY_HOST_WAVES, TSR_STRATEGY_DEVICE_LAUNCHED)
             : this->Refuse(error);
}

std::unique_ptr<tessera::Execution>
vtkAdaptiveGrid::NewExecution(vtkDataObject *input, tessera::ThreadRunner &runner) const {
  tessera::GridSettings settings = *this->Settings;
  tsr_grid_choices_apply(&settings, &settings.Options);
  std::unique_ptr<tessera::GridExecution> execution(new tessera::GridExecution(
      input, settings, runner, settings.all_steps ? this->Steps.get() : nullptr));
  if (this->LooksForGrowth) {
    execution->LookForGrowth();
  }
  return execution;
}

void vtkAdaptiveGrid::ClearReport() {
  this->Superclass::ClearReport();
  this->ReportVisibleCells = this->ReportFineCells = 0.0;
  this->ReportInputBytes = this->ReportOutputBytes = this->ReportGeometricError = 0.0;
  this->ReportLeavesAbove = 0.0;
  this->ReportErrors = "-";
  this->ReportByCPU = "-";
}

void vtkAdaptiveGrid::SetResults(const tessera::Execution &execution, vtkDataObject *input,
                                 vtkDataObject *output) {
  vtkDataObject *merged = static_cast<const tessera::GridExecution &>(execution).Merged();
  this->Superclass::SetResults(execution, merged ? merged : input, output);
}

void vtkAdaptiveGrid::AddExecutionReport(const tessera::Execution &done, vtkDataObject *output) {
  const auto &execution = static_cast<const tessera::GridExecution &>(done);
  this->LookedForGrowth = this->GetMTime();
  this->ReportVisibleCells = static_cast<double>(execution.VisibleCells());
  this->ReportFineCells = static_cast<double>(execution.FineCells());
  this->ReportInputBytes = static_cast<double>(execution.InputBytes());
  this->ReportOutputBytes = static_cast<double>(execution.OutputBytes());
  this->AddReport(output, "Input Cells", "Cells", {"ToleranceScale"});
  vtkFieldData *data = output->GetFieldData();
  AddCount(data, "Leaves", execution.VisibleLeaves());
  AddCount(data, "Fine Cells", execution.FineCells());
  AddNumber(data, "Saving", this->GetReportSaving());
  AddCount(data, "Input Bytes", execution.InputBytes());
  AddCount(data, "Output Bytes", execution.OutputBytes());
  AddNumber(data, "Saving In Bytes", this->GetReportSavingInBytes());
  AddText(data, "Balance", execution.Balance());
  AddText(data, "Error Bound", execution.ErrorBound());
  if (execution.LeavesAbove() >= 0) {
    this->ReportLeavesAbove = static_cast<double>(execution.LeavesAbove());
    AddCount(data, "Leaves Above Threshold", execution.LeavesAbove());
  }
  if (execution.GeometricError() >= 0.0) {
    this->ReportGeometricError = execution.GeometricError();
    AddNumber(data, "Largest Geometric Error", execution.GeometricError());
  }
  const std::string byCPU = execution.Summary().ByCPU();
  if (!byCPU.empty()) {
    AddText(data, "By CPU", byCPU);
    this->ReportByCPU = byCPU;
  }
  AddCounts(data, "Leaves Of Level", execution.CellsOfLevel(), execution.Levels());
  std::ostringstream text;
  vtkNew<vtkStringArray> names;
  vtkNew<vtkDoubleArray> errors;
  names->SetName("Tessera Error Arrays");
  errors->SetName("Tessera Largest Errors");
  for (const tessera::GridArrayError &error : execution.Errors()) {
    names->InsertNextValue(error.Name);
    errors->InsertNextValue(error.Largest);
    text << (text.tellp() > 0 ? "\n" : "") << error.Name << " " << error.Largest;
  }
  if (names->GetNumberOfValues() > 0) { // arrays of no tuples disturb tables and files
    data->AddArray(names);
    data->AddArray(errors);
  }
  this->ReportErrors = text.str().empty() ? "-" : text.str();
}

void vtkAdaptiveGrid::FillTable(const tessera::Execution &done, vtkTable *table) const {
  const auto &execution = static_cast<const tessera::GridExecution &>(done);
  const tsr_grid_options &options = this->Settings->Options;
  const int levels = execution.Levels();
  const auto cells = execution.CellsOfLevel().begin();
  tessera::AddLevels(table, std::vector<vtkIdType>(cells, cells + levels));
  std::vector<double> sizes;
  for (int level = 0; level < levels; ++level) {
    sizes.push_back(std::ldexp(1.0, options.coarsen_levels - level));
  }
  tessera::AddColumn(table, "Size", sizes);
  // These values are of the whole grid. They stand in every row, so that Plot Data Over Time finds
  // them.
  const auto rows = static_cast<size_t>(levels);
  tessera::AddColumn(table, "Saving", std::vector<double>(rows, this->GetReportSaving()));
  for (const tessera::GridArrayError &error : execution.Errors()) {
    tessera::AddColumn(table, "Largest Error of " + error.Name,
                       std::vector<double>(rows, error.Largest));
  }
}
