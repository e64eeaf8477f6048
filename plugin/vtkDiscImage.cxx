// SPDX-License-Identifier: BSD-3-Clause
#include "vtkDiscImage.h"

#include "discs/TesseraDiscsJob.h"

#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <algorithm>

vtkStandardNewMacro(vtkDiscImage);

vtkDiscImage::vtkDiscImage() : Settings(new tessera::DiscsSettings) {
  this->Table.Add(&this->Settings->Options, tsr_discs_properties);
  this->Table.Add<tessera::DiscsChoices>(this->Settings.get(), tessera::DiscsProperties);
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

int vtkDiscImage::FillInputPortInformation(int, vtkInformation *info) {
  SetInputClasses(info, {"vtkPointSet"});
  return 1;
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
  // Where the image lies is known from the data only, unless they are bad: then it is empty.
  static const int axes[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  int whole[6] = {0, 0, 0, 0, 0, 0};
  const int chosen = this->Settings->Plane;
  const int plane = 0 <= chosen && chosen < 3 ? chosen : 0;
  const int sides[] = {this->Settings->Options.width, this->Settings->Options.height};
  for (int side = 0; side < 2; ++side) {
    whole[2 * axes[plane][side] + 1] = std::max(sides[side], 0) - 1;
  }
  outputs->GetInformationObject(0)->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), whole, 6);
  return 1;
}

bool vtkDiscImage::CheckResolution() {
  const tessera::DiscsSettings &set = *this->Settings;
  const int width = set.Options.width, height = set.Options.height;
  for (const int pixels : {width, height}) {
    if (pixels < 1 || pixels > TSR_DISCS_MAX_SIDE) {
      vtkErrorMacro("Resolution must be 1 to " << TSR_DISCS_MAX_SIDE
                                               << " pixels along each side, not " << width << " x "
                                               << height << ".");
      return false;
    }
  }
  for (int axis = 0; axis < 3 && set.UseRegion; ++axis) {
    const double low = set.Region[2 * axis], high = set.Region[2 * axis + 1];
    if (!(low <= high && low >= -1e100 && high <= 1e100)) {
      vtkErrorMacro("Region must rise along each axis, but " << low << " to " << high
                                                             << " does not.");
      return false;
    }
  }
  return true;
}

bool vtkDiscImage::CheckChoices(vtkDataObject *) {
  const tessera::DiscsSettings &set = *this->Settings;
  if (!this->CheckExecution(TSR_DISCS_AGGREGATED_CHILDREN, TSR_DISCS_FLAT) ||
      !this->CheckResolution()) {
    return false;
  }
  if (!(set.RadiusScale >= 0.0 && set.RadiusScale <= 1e100)) {
    vtkErrorMacro("Radius Scale must be a number from 0 to 1e100, not " << set.RadiusScale << ".");
    return false;
  }
  if (set.ColorMode != 0 && set.ColorArray.empty()) {
    vtkErrorMacro("Color Array must be chosen, or Color Mode be Constant.");
    return false;
  }
  if (set.Options.order == TSR_DISCS_BY_ARRAY && set.OrderArray.empty()) {
    vtkErrorMacro("Order Array must be chosen, or another Order.");
    return false;
  }
  if (set.UseScalarRange && !(set.ScalarRange[0] <= set.ScalarRange[1])) {
    vtkErrorMacro("Scalar Range must rise; it is " << set.ScalarRange[0] << " to "
                                                   << set.ScalarRange[1] << ".");
    return false;
  }
  return true;
}

std::unique_ptr<tessera::Job> vtkDiscImage::NewJob(vtkDataObject *input,
                                                   tessera::Execution &execution) const {
  tessera::DiscsSettings settings = *this->Settings;
  if (settings.UseScalarRange) {
    std::copy_n(settings.ScalarRange, 2, settings.Options.range);
  }
  if (settings.ColorMap.empty()) {
    settings.ColorMap = {0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0};
  }
  return std::unique_ptr<tessera::Job>(new tessera::DiscsJob(input, settings, execution));
}

void vtkDiscImage::SetResults(const tessera::Job &job, vtkDataObject *, vtkDataObject *output) {
  if (job.Results().front()) {
    output->ShallowCopy(job.Results().front());
  }
}

void vtkDiscImage::AddJobReport(const tessera::Job &, vtkDataObject *output) {
  this->AddReport(output, "Discs", "Discs Drawn");
}

void vtkDiscImage::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  AddText(data, "Launch Strategy", report.Strategy());
  AddText(data, "Child Stream", report.ChildStream());
  AddChildGrids(data, report);
}
