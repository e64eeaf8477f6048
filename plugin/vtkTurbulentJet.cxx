// SPDX-License-Identifier: BSD-3-Clause
#include "vtkTurbulentJet.h"

#include "frame/TesseraMemory.h"
#include "frame/TesseraRequests.h"
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

#include <cmath>
#include <cstdio>
#include <vector>

vtkStandardNewMacro(vtkTurbulentJet);

namespace {

/** All steps are listed in the pipeline's information, and passed on by every filter. */
const int MAX_TIME_STEPS = 1000000;

/** The core's loops on VTK's threads. */
void RunOnThreads(void *, int64_t n, int64_t grain, tsr_task task, void *data) {
  if (!tessera::CanStart(vtkSMPTools::GetEstimatedNumberOfThreads())) {
    task(data, 0, n);
    return;
  }
  vtkSMPTools::For(0, static_cast<vtkIdType>(n), static_cast<vtkIdType>(grain),
                   [task, data](vtkIdType begin, vtkIdType end) { task(data, begin, end); });
}

/** An array of the image's points, added to it. */
vtkDataArray *NewPointArray(vtkImageData *image, const char *name, int type, int components) {
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  array->SetName(name);
  array->SetNumberOfComponents(components);
  tessera::AllocateTuples(array, image->GetNumberOfPoints());
  image->GetPointData()->AddArray(array);
  return array;
}

} // namespace

vtkTurbulentJet::vtkTurbulentJet() : Core(new tsr_jet_options) {
  this->SetNumberOfInputPorts(0);
  tsr_jet_options_init(this->Core.get());
  this->Table.Add(this->Core.get(), tsr_jet_properties);
  for (int axis = 0; axis < 3; ++axis) {
    this->Dimensions[axis] = static_cast<int>(this->Core->whole[2 * axis + 1]) + 1;
  }
}

vtkTurbulentJet::~vtkTurbulentJet() = default;

void vtkTurbulentJet::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Dimensions: " << this->Dimensions[0] << " " << this->Dimensions[1] << " "
     << this->Dimensions[2] << "\n";
  this->Table.Print(os, indent);
  os << indent << "TimeSteps: " << this->TimeSteps << "\n";
  os << indent << "TimeRange: " << this->TimeRange[0] << " " << this->TimeRange[1] << "\n";
  os << indent << "OutputPrecision: " << this->OutputPrecision << "\n";
}

bool vtkTurbulentJet::CheckSettings() { return this->CheckImage() && this->CheckTime(); }

bool vtkTurbulentJet::CheckImage() {
  double points = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (this->Dimensions[axis] < 1) {
      vtkErrorMacro("Dimensions must be 1 or more along each axis, not " << this->Dimensions[axis]
                                                                         << ".");
      return false;
    }
    points *= this->Dimensions[axis];
    const double low = this->Core->bounds[2 * axis];
    const double high = this->Core->bounds[2 * axis + 1];
    if (!(low < high) || !std::isfinite(high - low)) {
      vtkErrorMacro("Bounds must rise along each axis, but " << low << " to " << high
                                                             << " does not.");
      return false;
    }
  }
  if (points > static_cast<double>(TSR_JET_MAX_POINTS)) {
    vtkErrorMacro("Dimensions of " << this->Dimensions[0] << " x " << this->Dimensions[1] << " x "
                                   << this->Dimensions[2] << " make " << points
                                   << " points, and at most " << TSR_JET_MAX_POINTS << " can be.");
    return false;
  }
  return true;
}

bool vtkTurbulentJet::CheckTime() {
  if (this->TimeSteps < 1 || this->TimeSteps > MAX_TIME_STEPS) {
    vtkErrorMacro("Time Steps must be a number from 1 to " << MAX_TIME_STEPS << ", not "
                                                           << this->TimeSteps << ".");
    return false;
  }
  // The difference of two finite numbers may be infinite.
  if (!std::isfinite(this->TimeRange[1] - this->TimeRange[0])) {
    vtkErrorMacro("Time Range must be finite; it is " << this->TimeRange[0] << " to "
                                                      << this->TimeRange[1] << ".");
    return false;
  }
  return true;
}

void vtkTurbulentJet::GetPlace(double origin[3], double spacing[3]) const {
  for (int axis = 0; axis < 3; ++axis) {
    const double low = this->Core->bounds[2 * axis];
    const double length = this->Core->bounds[2 * axis + 1] - low;
    const int cells = this->Dimensions[axis] - 1;
    origin[axis] = cells > 0 ? low : low + 0.5 * length;
    spacing[axis] = cells > 0 ? length / cells : length;
  }
}

void vtkTurbulentJet::GetOptions(double time, tsr_jet_options &options) const {
  options = *this->Core;
  for (int axis = 0; axis < 3; ++axis) {
    options.whole[2 * axis] = 0;
    options.whole[2 * axis + 1] = this->Dimensions[axis] - 1;
  }
  options.time = time;
}

int vtkTurbulentJet::ProcessRequest(vtkInformation *request, vtkInformationVector **inputs,
                                    vtkInformationVector *outputs) {
  return tessera::GuardRequest(this, request, outputs, [=] {
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  });
}

int vtkTurbulentJet::RequestInformation(vtkInformation *, vtkInformationVector **,
                                        vtkInformationVector *outputs) {
  vtkInformation *info = outputs->GetInformationObject(0);
  if (!this->CheckSettings()) {
    // An empty image; with a failure here VTK would add two messages of its own.
    const int nothing[6] = {0, -1, 0, -1, 0, -1};
    info->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), nothing, 6);
    info->Remove(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
    info->Remove(vtkStreamingDemandDrivenPipeline::TIME_RANGE());
    return 1;
  }
  double origin[3], spacing[3];
  this->GetPlace(origin, spacing);
  const int whole[6] = {0, this->Dimensions[0] - 1, 0, this->Dimensions[1] - 1,
                        0, this->Dimensions[2] - 1};
  info->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), whole, 6);
  info->Set(vtkDataObject::ORIGIN(), origin, 3);
  info->Set(vtkDataObject::SPACING(), spacing, 3);
  info->Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
  std::vector<double> steps(static_cast<size_t>(this->TimeSteps), this->TimeRange[0]);
  for (size_t step = 1; step < steps.size(); ++step) {
    steps[step] += (this->TimeRange[1] - this->TimeRange[0]) * static_cast<double>(step) /
                   static_cast<double>(steps.size() - 1);
  }
  const double range[2] = {steps.front(), steps.back()};
  info->Set(vtkStreamingDemandDrivenPipeline::TIME_STEPS(), steps.data(), this->TimeSteps);
  info->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range, 2);
  return 1;
}

int vtkTurbulentJet::RequestData(vtkInformation *, vtkInformationVector **,
                                 vtkInformationVector *outputs) {
  vtkInformation *info = outputs->GetInformationObject(0);
  vtkImageData *image = vtkImageData::GetData(info);
  double origin[3], spacing[3];
  this->GetPlace(origin, spacing);
  image->Initialize();
  image->SetOrigin(origin);
  image->SetSpacing(spacing);
  image->SetExtent(info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_EXTENT()));
  const double time = info->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
                          ? info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
                          : this->TimeRange[0];
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
  const int values = 5; // the velocity, the temperature and the scalar
  const double bytes = points * values * (this->OutputPrecision == DOUBLE_PRECISION ? 8.0 : 4.0);
  const double available = static_cast<double>(tessera::AvailableMemory());
  if (available >= 0.0 && bytes > available) {
    char text[300];
    std::snprintf(
        text, sizeof(text),
        "the image would have %.0f points and need %.0f bytes of memory, where %.0f bytes "
        "are available; choose smaller Dimensions",
        points, bytes, available);
    vtkErrorMacro("Nothing was made: " << text << ".");
    return false;
  }
  return true;
}

bool vtkTurbulentJet::Fill(double time, vtkImageData *image) {
  const bool wide = this->OutputPrecision == DOUBLE_PRECISION;
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
  tsr_jet_options options;
  this->GetOptions(time, options);
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
