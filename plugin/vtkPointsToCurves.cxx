// SPDX-License-Identifier: BSD-3-Clause
#include "vtkPointsToCurves.h"

#include "frame/TesseraVersions.h"
#include "frame/report/TesseraTables.h"
#include "ordering/TesseraOrderingExecution.h"

#include <vtkDataObject.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTable.h>

#include <algorithm>
#include <cstddef>

vtkStandardNewMacro(vtkPointsToCurves);

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;

} // namespace

vtkPointsToCurves::vtkPointsToCurves() : Core(new tsr_ordering_options) {
  this->SetNumberOfOutputPorts(2);
  tsr_ordering_options_init(this->Core.get());
  this->Table.Add(this->Core.get(), tsr_ordering_properties);
}

vtkPointsToCurves::~vtkPointsToCurves() = default;

void vtkPointsToCurves::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "GroupArray: " << this->GroupArray << "\n";
  os << indent << "OrderArray: " << this->OrderArray << "\n";
  os << indent << "Temporal: " << this->Temporal << "\n";
  os << indent << "UpToCurrentTime: " << this->UpToCurrentTime << "\n";
}

int vtkPointsToCurves::RequestDataObject(vtkInformation *, vtkInformationVector **,
                                         vtkInformationVector *outputs) {
  if (!vtkPolyData::SafeDownCast(vtkDataObject::GetData(outputs))) {
    vtkNew<vtkPolyData> output;
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), output);
  }
  tessera::MakeSummaryTable(outputs);
  return 1;
}

int vtkPointsToCurves::RequestInformation(vtkInformation *, vtkInformationVector **inputs,
                                          vtkInformationVector *outputs) {
  vtkInformation *in = inputs[0]->GetInformationObject(0);
  this->Times.clear();
  if (in->Has(Pipeline::TIME_STEPS())) {
    const double *times = in->Get(Pipeline::TIME_STEPS());
    this->Times.assign(times, times + in->Length(Pipeline::TIME_STEPS()));
  }
  const bool timeless = this->Temporal && !this->UpToCurrentTime; // one result for all times
  for (int port = 0; port < 2 && timeless; ++port) {
    outputs->GetInformationObject(port)->Remove(Pipeline::TIME_STEPS());
    outputs->GetInformationObject(port)->Remove(Pipeline::TIME_RANGE());
  }
  return 1;
}

/** How many of the time steps, from the first on, the update takes; 1 where there are none. */
size_t vtkPointsToCurves::StepsWanted(vtkInformationVector *outputs) const {
  if (!this->UpToCurrentTime || this->Times.empty()) {
    return std::max<size_t>(this->Times.size(), 1);
  }
  vtkInformation *out = outputs->GetInformationObject(0);
  const double time = out->Has(Pipeline::UPDATE_TIME_STEP())
                          ? out->Get(Pipeline::UPDATE_TIME_STEP())
                          : this->Times.front();
  const auto after = std::upper_bound(this->Times.begin(), this->Times.end(), time);
  return static_cast<size_t>(std::max<std::ptrdiff_t>(after - this->Times.begin(), 1));
}

/** Only for UpToCurrentTime steps are kept from one update to the next, and not beyond a change of
 * the input or of the piece. */
void vtkPointsToCurves::ForgetOldSteps(vtkInformationVector *outputs) {
  vtkInformation *out = outputs->GetInformationObject(0);
  auto *input = vtkDemandDrivenPipeline::SafeDownCast(this->GetInputExecutive(0, 0));
  const std::vector<vtkMTimeType> now = {
      input ? input->GetPipelineMTime() : 0,
      static_cast<vtkMTimeType>(out->Get(Pipeline::UPDATE_PIECE_NUMBER())),
      static_cast<vtkMTimeType>(out->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()))};
  if (now != this->ReadOf || this->Times.empty()) {
    this->Read.clear();
  }
  this->ReadOf = now;
}

int vtkPointsToCurves::RequestUpdateExtent(vtkInformation *, vtkInformationVector **inputs,
                                           vtkInformationVector *outputs) {
  if (!this->Temporal) {
    return 1;
  }
  this->ForgetOldSteps(outputs);
  if (!this->Times.empty()) {
    // If all steps have been read, ask for the last one again, so that the input need not execute.
    const bool all = this->Read.size() >= this->StepsWanted(outputs);
    inputs[0]->GetInformationObject(0)->Set(Pipeline::UPDATE_TIME_STEP(),
                                            this->Times[this->Read.size() - (all ? 1 : 0)]);
  }
  return 1;
}

/** Takes the step that was read, if it is missing; true where there is another one to read. */
bool vtkPointsToCurves::ReadsOn(vtkInformation *request, vtkInformationVector **inputs,
                                size_t wanted) {
  if (this->Read.size() < wanted) {
    this->Read.push_back(tessera::PointsOf(vtkDataObject::GetData(inputs[0])));
  }
  // Together: what the input is made of may wait for all processes in each step.
  const bool more =
      this->Read.size() < wanted && !tessera::Processes().Any(tessera::IsAborted(this));
  if (more) {
    request->Set(Pipeline::CONTINUE_EXECUTING(), 1);
    this->UpdateProgress(0.5 * static_cast<double>(this->Read.size()) /
                         static_cast<double>(wanted));
  } else {
    request->Remove(Pipeline::CONTINUE_EXECUTING());
  }
  return more;
}

/** Joins the first steps. Memory of a step that is not kept is freed when it is joined. */
void vtkPointsToCurves::JoinSteps(size_t wanted) {
  for (size_t step = 0; step < std::min(wanted, this->Read.size()); ++step) {
    const double time = step < this->Times.size() ? this->Times[step] : 0.0;
    this->Points->AddStep(this->Read[step], time, this->UpToCurrentTime || wanted == 1);
    if (!this->UpToCurrentTime) {
      this->Read[step] = nullptr;
    }
  }
}

int vtkPointsToCurves::RequestData(vtkInformation *request, vtkInformationVector **inputs,
                                   vtkInformationVector *outputs) {
  const size_t wanted = this->StepsWanted(outputs);
  // Find errors in the input and the settings before all steps are read.
  if (this->Temporal && !this->Accepts(vtkDataObject::GetData(inputs[0]))) {
    vtkDataObject::GetData(outputs)->Initialize();
    tessera::SummaryTable(outputs)->Initialize();
    this->ClearReport();
    this->Read.clear();
    return 1;
  }
  try {
    if (this->Temporal && this->ReadsOn(request, inputs, wanted)) {
      return 1;
    }
    this->Points.reset(new tessera::OrderingPoints);
    if (this->Temporal) {
      this->JoinSteps(wanted);
    }
    const int result = this->Superclass::RequestData(request, inputs, outputs);
    this->Points.reset();
    if (!this->Temporal || !this->UpToCurrentTime) {
      this->Read.clear();
    } else if (wanted <= this->Times.size()) {
      vtkDataObject::GetData(outputs)->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(),
                                                             this->Times[wanted - 1]);
    }
    return result;
  } catch (...) { // no further step is to be read
    request->Remove(Pipeline::CONTINUE_EXECUTING());
    this->Read.clear();
    this->Points.reset();
    throw;
  }
}

bool vtkPointsToCurves::CheckChoices(vtkDataObject *) { return this->CheckExecution(0, 0); }

std::unique_ptr<tessera::Execution>
vtkPointsToCurves::NewExecution(vtkDataObject *input, tessera::ThreadRunner &runner) const {
  tessera::OrderingSettings settings;
  settings.Options = *this->Core;
  settings.Group = this->GroupArray;
  settings.Order = this->OrderArray;
  settings.Temporal = this->Temporal;
  return std::unique_ptr<tessera::Execution>(
      new tessera::OrderingExecution(input, settings, *this->Points, runner));
}

void vtkPointsToCurves::SetResults(const tessera::Execution &execution, vtkDataObject *input,
                                   vtkDataObject *output) {
  output->ShallowCopy(execution.Results().front());
  output->GetFieldData()->PassData(input->GetFieldData());
}

void vtkPointsToCurves::AddExecutionReport(const tessera::Execution &execution,
                                           vtkDataObject *output) {
  const auto &ordering = static_cast<const tessera::OrderingExecution &>(execution);
  this->AddReport(output, "Input Points", "Curves");
  vtkFieldData *data = output->GetFieldData();
  AddCount(data, "Repeats", ordering.Repeats());
  AddCount(data, "Cuts", ordering.Cuts());
  AddCount(data, "Single Points Dropped", ordering.SinglesDropped());
  AddCount(data, "Hidden Points", ordering.Hidden());
  AddCount(data, "Points Without Group", ordering.Groupless());
  AddReason(data, ordering.WhyNone());
}

void vtkPointsToCurves::FillTable(const tessera::Execution &execution, vtkTable *table) const {
  static_cast<const tessera::OrderingExecution &>(execution).Classes().Fill(table);
}

void vtkPointsToCurves::AddLaunchReport(vtkFieldData *, const tessera::Report &) {}
