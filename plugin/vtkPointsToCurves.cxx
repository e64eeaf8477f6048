// SPDX-License-Identifier: BSD-3-Clause
#include "vtkPointsToCurves.h"

#include "frame/TesseraVersions.h"
#include "frame/report/TesseraTables.h"
#include "ordering/TesseraOrderingJob.h"

#include <vtkDataObject.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTable.h>

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
  this->NextStep = 0;
  for (int port = 0; port < 2 && this->Temporal; ++port) { // one result for all times
    outputs->GetInformationObject(port)->Remove(Pipeline::TIME_STEPS());
    outputs->GetInformationObject(port)->Remove(Pipeline::TIME_RANGE());
  }
  return 1;
}

int vtkPointsToCurves::RequestUpdateExtent(vtkInformation *, vtkInformationVector **inputs,
                                           vtkInformationVector *) {
  if (this->Temporal && this->NextStep < this->Times.size()) {
    inputs[0]->GetInformationObject(0)->Set(Pipeline::UPDATE_TIME_STEP(),
                                            this->Times[this->NextStep]);
  }
  return 1;
}

/** Takes the step that was read; true where there is another one to read. */
bool vtkPointsToCurves::ReadsOn(vtkInformation *request, vtkInformationVector **inputs) {
  const double time = this->NextStep < this->Times.size() ? this->Times[this->NextStep] : 0.0;
  this->Points->AddStep(vtkDataObject::GetData(inputs[0]), time, this->Times.size() < 2);
  ++this->NextStep;
  // Together: what the input is made of may wait for all processes in each step.
  const bool more =
      this->NextStep < this->Times.size() && !tessera::Processes().Any(tessera::IsAborted(this));
  if (more) {
    request->Set(Pipeline::CONTINUE_EXECUTING(), 1);
    this->UpdateProgress(0.5 * static_cast<double>(this->NextStep) /
                         static_cast<double>(this->Times.size()));
  } else {
    request->Remove(Pipeline::CONTINUE_EXECUTING());
    this->NextStep = 0;
  }
  return more;
}

int vtkPointsToCurves::RequestData(vtkInformation *request, vtkInformationVector **inputs,
                                   vtkInformationVector *outputs) {
  if (!this->Points || !this->Temporal || this->NextStep == 0) {
    this->Points.reset(new tessera::OrderingPoints);
    // What cannot be done is to be found out before all steps are read.
    if (this->Temporal && !this->Accepts(vtkDataObject::GetData(inputs[0]))) {
      vtkDataObject::GetData(outputs)->Initialize();
      tessera::SummaryTable(outputs)->Initialize();
      this->ClearReport();
      this->Points.reset();
      return 1;
    }
  }
  try {
    if (this->Temporal && this->ReadsOn(request, inputs)) {
      return 1;
    }
    const int result = this->Superclass::RequestData(request, inputs, outputs);
    this->Points.reset();
    return result;
  } catch (...) { // no further step is to be read
    request->Remove(Pipeline::CONTINUE_EXECUTING());
    this->NextStep = 0;
    this->Points.reset();
    throw;
  }
}

bool vtkPointsToCurves::CheckChoices(vtkDataObject *) { return this->CheckExecution(0, 0); }

std::unique_ptr<tessera::Job> vtkPointsToCurves::NewJob(vtkDataObject *input,
                                                        tessera::Execution &execution) const {
  tessera::OrderingSettings settings;
  settings.Options = *this->Core;
  settings.Group = this->GroupArray;
  settings.Order = this->OrderArray;
  settings.Temporal = this->Temporal;
  return std::unique_ptr<tessera::Job>(
      new tessera::OrderingJob(input, settings, *this->Points, execution));
}

void vtkPointsToCurves::SetResults(const tessera::Job &job, vtkDataObject *input,
                                   vtkDataObject *output) {
  output->ShallowCopy(job.Results().front());
  output->GetFieldData()->PassData(input->GetFieldData());
}

void vtkPointsToCurves::AddJobReport(const tessera::Job &job, vtkDataObject *output) {
  const auto &ordering = static_cast<const tessera::OrderingJob &>(job);
  this->AddReport(output, "Input Points", "Curves");
  vtkFieldData *data = output->GetFieldData();
  AddCount(data, "Repeats", ordering.Repeats());
  AddCount(data, "Cuts", ordering.Cuts());
  AddCount(data, "Single Points Dropped", ordering.SinglesDropped());
}

void vtkPointsToCurves::FillTable(const tessera::Job &job, vtkTable *table) const {
  static_cast<const tessera::OrderingJob &>(job).Classes().Fill(table);
}

void vtkPointsToCurves::AddLaunchReport(vtkFieldData *, const tessera::Report &) {}
