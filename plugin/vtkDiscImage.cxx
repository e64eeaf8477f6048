// SPDX-License-Identifier: BSD-3-Clause
#include "vtkDiscImage.h"

#include "discs/TesseraDiscsExecution.h"

#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <algorithm>

vtkStandardNewMacro(vtkDiscImage);

vtkDiscImage::vtkDiscImage() : Settings(new tessera::DiscsSettings) {
  this->Table.Add(&this->Settings->Options, tsr_discs_properties);
  this->Table.Add<tsr_discs_choices>(this->Settings.get(), tsr_discs_choices_properties);
}

vtkDiscImage::~vtkDiscImage() = default;

void vtkDiscImage::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "RadiusArray: " << this->Settings->RadiusArray << "\n";
  os << indent << "ColorArray: " << this->Settings->ColorArray << "\n";
  os << indent << "ColorMap: " << this->Settings->ColorMap.size() / 4 << "\n";
  os << indent << "OpacityArray: " << this->Settings->OpacityArray << "\n";
  os << indent << "OrderArray: " << this->Settings->OrderArray << "\n";
}

void vtkDiscImage::SetRadiusArray(const char *name) {
  this->SetName(this->Settings->RadiusArray, name);
}

void vtkDiscImage::SetColorArray(const char *name) {
  this->SetName(this->Settings->ColorArray, name);
}

void vtkDiscImage::SetOpacityArray(const char *name) {
  this->SetName(this->Settings->OpacityArray, name);
}

void vtkDiscImage::SetOrderArray(const char *name) {
  this->SetName(this->Settings->OrderArray, name);
}

void vtkDiscImage::AddColorMapPoint(double value, double red, double green, double blue) {
  this->Settings->ColorMap.insert(this->Settings->ColorMap.end(), {value, red, green, blue});
  this->Modified();
}

void vtkDiscImage::ClearColorMap() {
  if (!this->Settings->ColorMap.empty()) {
    this->Settings->ColorMap.clear();
    this->Modified();
  }
}

int vtkDiscImage::RequestDataObject(vtkInformation *, vtkInformationVector **,
                                    vtkInformationVector *outputs) {
  if (!vtkImageData::GetData(outputs)) {
    vtkNew<vtkImageData> image;
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), image);
  }
  return 1;
}

int vtkDiscImage::RequestInformation(vtkInformation *, vtkInformationVector **,
                                     vtkInformationVector *outputs) {
  // The data decide where the image lies, not how many pixels it has; with bad data it has none.
  int whole[6];
  tsr_discs_choices_extent(this->Settings.get(), &this->Settings->Options, whole);
  outputs->GetInformationObject(0)->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), whole, 6);
  return 1;
}

int vtkDiscImage::RequestUpdateExtent(vtkInformation *, vtkInformationVector **inputs,
                                      vtkInformationVector *) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation *in = inputs[0]->GetInformationObject(0);
  if (in->Has(Pipeline::WHOLE_EXTENT())) {
    // The executive asks an input that has an extent, as a structured grid, for that of the image.
    int whole[6];
    in->Get(Pipeline::WHOLE_EXTENT(), whole);
    in->Set(Pipeline::UPDATE_EXTENT(), whole, 6);
  }
  return 1;
}

int vtkDiscImage::RequestData(vtkInformation *request, vtkInformationVector **inputs,
                              vtkInformationVector *outputs) {
  // At every update the executive asks anew for pixels that the last execution did not make. The
  // user is told once.
  vtkDataObject *input = vtkDataObject::GetData(inputs[0]);
  const vtkMTimeType changed = std::max(this->GetMTime(), input->GetMTime());
  if (changed == this->FailedAt) {
    return 1;
  }
  const int result = this->Superclass::RequestData(request, inputs, outputs);
  const bool made = vtkDataObject::GetData(outputs)->GetNumberOfElements(vtkDataObject::POINT) > 0;
  this->FailedAt = made ? 0 : changed;
  return result;
}

bool vtkDiscImage::CheckChoices(vtkDataObject *) {
  const tessera::DiscsSettings &set = *this->Settings;
  tsr_error error;
  return this->CheckExecution(TSR_DISCS_AGGREGATED_CHILDREN, TSR_DISCS_FLAT) &&
         (tsr_discs_choices_check(&set, &set.Options, !set.ColorArray.empty(),
                                  !set.OrderArray.empty(), &error) == TSR_OK ||
          this->Refuse(error));
}

std::unique_ptr<tessera::Execution>
vtkDiscImage::NewExecution(vtkDataObject *input, tessera::ThreadRunner &runner) const {
  tessera::DiscsSettings settings = *this->Settings;
  if (settings.ColorMap.empty()) {
    settings.ColorMap = {0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0};
  }
  return std::unique_ptr<tessera::Execution>(new tessera::DiscsExecution(input, settings, runner));
}

void vtkDiscImage::SetResults(const tessera::Execution &execution, vtkDataObject *input,
                              vtkDataObject *output) {
  if (execution.Results().front()) {
    output->ShallowCopy(execution.Results().front());
    output->GetFieldData()->PassData(input->GetFieldData());
  }
}

void vtkDiscImage::AddExecutionReport(const tessera::Execution &, vtkDataObject *output) {
  this->AddReport(output, "Discs", "Discs Drawn");
}

void vtkDiscImage::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  AddText(data, "Launch Strategy", report.Text(TSR_SUMMARY_STRATEGY));
  AddText(data, "Child Stream", report.Text(TSR_SUMMARY_CHILD_STREAM));
  AddChildGrids(data, report);
}
