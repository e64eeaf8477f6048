// SPDX-License-Identifier: BSD-3-Clause
#include "sources/vtkTurbulentJet.h"

#include "frame/data/TesseraMemory.h"
#include "frame/run/TesseraRequests.h"
#include "mpi/TesseraProcesses.h"
#include "tessera.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkSMPTools.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <vector>

vtkStandardNewMacro(vtkTurbulentJet);

namespace {

/** Runs the core's loops on VTK's threads. */
void RunOnThreads(void *, int64_t n, int64_t grain, tsr_task task, void *data) {
  if (!tessera::CanStart(vtkSMPTools::GetEstimatedNumberOfThreads())) {
    task(data, 0, n);
    return;
  }
  vtkSMPTools::For(0, static_cast<vtkIdType>(n), static_cast<vtkIdType>(grain),
                   [task, data](vtkIdType begin, vtkIdType end) { task(data, begin, end); });
}

/** Makes a point array and adds it to the image. */
vtkDataArray *NewPointArray(vtkImageData *image, const char *name, int type, int components) {
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  array->SetName(name);
  array->SetNumberOfComponents(components);
  tessera::AllocateTuples(array, image->GetNumberOfPoints());
  image->GetPointData()->AddArray(array);
  return array;
}

} // namespace

vtkTurbulentJet::vtkTurbulentJet() : Core(new tsr_jet_options), Choices(new tsr_jet_choices) {
  this->SetNumberOfInputPorts(0);
  tsr_jet_options_init(this->Core.get());
  tsr_jet_choices_init(this->Choices.get());
  this->Table.Add(this->Core.get(), tsr_jet_properties);
  this->Table.Add(this->Choices.get(), tsr_jet_choices_properties);
}

vtkTurbulentJet::~vtkTurbulentJet() = default;

void vtkTurbulentJet::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  this->Table.Print(os, indent);
}

bool vtkTurbulentJet::CheckSettings() {
  tsr_error error;
  if (tsr_jet_choices_check(this->Choices.get(), this->Core.get(), &error) != TSR_OK) {
    vtkErrorMacro(<< error.text);
    return false;
  }
  return true;
}

int vtkTurbulentJet::ProcessRequest(vtkInformation *request, vtkInformationVector **inputs,
                                    vtkInformationVector *outputs) {
  return tessera::GuardRequest(this, request, outputs, [this, request, inputs, outputs] {
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  });
}

int vtkTurbulentJet::RequestInformation(vtkInformation *, vtkInformationVector **,
                                        vtkInformationVector *outputs) {
  vtkInformation *info = outputs->GetInformationObject(0);
  if (!this->CheckSettings()) {
    // Leave an empty image: a failure here would make VTK add two error messages of its own.
    const int nothing[6] = {0, -1, 0, -1, 0, -1};
    info->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), nothing, 6);
    info->Remove(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
    info->Remove(vtkStreamingDemandDrivenPipeline::TIME_RANGE());
    return 1;
  }
  double origin[3], spacing[3];
  tsr_jet_place(this->Choices.get(), this->Core.get(), origin, spacing);
  const int *points = this->Choices->dimensions;
  const int whole[6] = {0, points[0] - 1, 0, points[1] - 1, 0, points[2] - 1};
  info->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), whole, 6);
  info->Set(vtkDataObject::ORIGIN(), origin, 3);
  info->Set(vtkDataObject::SPACING(), spacing, 3);
  info->Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
  std::vector<double> steps;
  for (int step = 0; step < this->Choices->time_steps; ++step) {
    steps.push_back(tsr_jet_time(this->Choices.get(), step));
  }
  const double range[2] = {steps.front(), steps.back()};
  info->Set(vtkStreamingDemandDrivenPipeline::TIME_STEPS(), steps.data(),
            this->Choices->time_steps);
  info->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range, 2);
  return 1;
}

int vtkTurbulentJet::RequestData(vtkInformation *, vtkInformationVector **,
                                 vtkInformationVector *outputs) {
  vtkInformation *info = outputs->GetInformationObject(0);
  vtkImageData *image = vtkImageData::GetData(info);
  double origin[3], spacing[3];
  tsr_jet_place(this->Choices.get(), this->Core.get(), origin, spacing);
  image->Initialize();
  image->SetOrigin(origin);
  image->SetSpacing(spacing);
  image->SetExtent(info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_EXTENT()));
  const double time = info->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
                          ? info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
                          : this->Choices->time_range[0];
  image->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
  if (!this->CheckMemory(image) || !this->Fill(time, image)) {
    image->Initialize();
  }
  return 1;
}

bool vtkTurbulentJet::CheckMemory(vtkImageData *image) {
  const int *extent = image->GetExtent();
  double points = 1.0; // of 64 bits there may be too few
  for (int axis = 0; axis < 3; ++axis) {
    points *= static_cast<double>(extent[2 * axis + 1]) - extent[2 * axis] + 1.0;
  }
  tsr_error error;
  if (tsr_jet_check_memory(this->Choices.get(), points, tsr_memory_look(nullptr).available,
                           &error) != TSR_OK) {
    vtkErrorMacro("Nothing was made: " << error.text << ".");
    return false;
  }
  return true;
}

bool vtkTurbulentJet::Fill(double time, vtkImageData *image) {
  const bool wide = this->Choices->output_precision == DOUBLE_PRECISION;
  const int type = wide ? VTK_DOUBLE : VTK_FLOAT;
  tsr_jet_output output;
  tsr_jet_output_init(&output);
  output.type = wide ? TSR_DOUBLE : TSR_FLOAT;
  output.velocity = NewPointArray(image, "Velocity", type, 3)->GetVoidPointer(0);
  output.temperature = NewPointArray(image, "Temperature", type, 1)->GetVoidPointer(0);
  output.scalar = NewPointArray(image, "Scalar", type, 1)->GetVoidPointer(0);
  image->GetPointData()->SetActiveScalars("Temperature");
  image->GetPointData()->SetActiveVectors("Velocity");
  if (image->GetNumberOfPoints() == 0) {
    return true;
  }
  tsr_execution execution;
  tsr_execution_init(&execution);
  execution.run = RunOnThreads;
  execution.threads = vtkSMPTools::GetEstimatedNumberOfThreads();
  tsr_jet_options options = *this->Core;
  tsr_jet_choices_apply(this->Choices.get(), time, &options);
  int64_t extent[6];
  for (int side = 0; side < 6; ++side) {
    extent[side] = image->GetExtent()[side];
  }
  tsr_error error;
  if (tsr_jet_fill(&options, extent, &execution, &output, &error) != TSR_OK) {
    vtkErrorMacro("Nothing was made: " << error.text << ".");
    return false;
  }
  return true;
}
