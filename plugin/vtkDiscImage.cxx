// SPDX-License-Identifier: BSD-3-Clause
#include "vtkDiscImage.h"

#include "discs/TesseraDiscsJob.h"

#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <algorithm>
#include <cstring>

vtkStandardNewMacro(vtkDiscImage);

namespace {

void PrintNumbers(ostream &os, vtkIndent indent, const char *name, const double *values, int n) {
  os << indent << name << ":";
  for (int i = 0; i < n; ++i) {
    os << " " << values[i];
  }
  os << "\n";
}

} // namespace

vtkDiscImage::vtkDiscImage() {
  tsr_discs_options options;
  tsr_discs_options_init(&options);
  this->Plane = XY;
  this->Resolution[0] = options.width;
  this->Resolution[1] = options.height;
  this->Supersampling = options.supersampling;
  this->UseRegion = this->UseScalarRange = this->GenerateTopPoint = false;
  for (int side = 0; side < 6; ++side) {
    this->Region[side] = side % 2;
  }
  this->Radius = options.radius;
  this->RadiusScale = 1.0;
  this->RadiusUnit = options.radius_in_pixels;
  this->ColorMode = CONSTANT;
  std::copy_n(options.color, 3, this->Color);
  this->ScalarRange[0] = 0.0;
  this->ScalarRange[1] = 1.0;
  std::copy_n(options.nan_color, 3, this->NanColor);
  this->Opacity = options.opacity;
  this->Falloff = options.falloff;
  this->Sharpness = options.sharpness;
  this->Order = options.order;
  std::copy_n(options.background, 3, this->Background);
  this->BackgroundOpacity = options.background[3];
  this->ChildStream = options.launch.child_stream;
  this->PendingLaunchCount = static_cast<int>(options.launch.pending_launches);
  this->LaunchThreshold = static_cast<int>(options.launch.launch_threshold);
}

void vtkDiscImage::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Plane: " << this->Plane << "\n";
  os << indent << "Resolution: " << this->Resolution[0] << " " << this->Resolution[1] << "\n";
  os << indent << "Supersampling: " << this->Supersampling << "\n";
  os << indent << "UseRegion: " << this->UseRegion << "\n";
  PrintNumbers(os, indent, "Region", this->Region, 6);
  os << indent << "RadiusArray: " << this->RadiusArray << "\n";
  os << indent << "Radius: " << this->Radius << "\n";
  os << indent << "RadiusScale: " << this->RadiusScale << "\n";
  os << indent << "RadiusUnit: " << this->RadiusUnit << "\n";
  os << indent << "ColorMode: " << this->ColorMode << "\n";
  os << indent << "ColorArray: " << this->ColorArray << "\n";
  PrintNumbers(os, indent, "Color", this->Color, 3);
  os << indent << "ColorMap: " << this->ColorMap.size() / 4 << "\n";
  os << indent << "UseScalarRange: " << this->UseScalarRange << "\n";
  PrintNumbers(os, indent, "ScalarRange", this->ScalarRange, 2);
  PrintNumbers(os, indent, "NanColor", this->NanColor, 3);
  os << indent << "OpacityArray: " << this->OpacityArray << "\n";
  os << indent << "Opacity: " << this->Opacity << "\n";
  os << indent << "Falloff: " << this->Falloff << "\n";
  os << indent << "Sharpness: " << this->Sharpness << "\n";
  os << indent << "Order: " << this->Order << "\n";
  os << indent << "OrderArray: " << this->OrderArray << "\n";
  PrintNumbers(os, indent, "Background", this->Background, 3);
  os << indent << "BackgroundOpacity: " << this->BackgroundOpacity << "\n";
  os << indent << "GenerateTopPoint: " << this->GenerateTopPoint << "\n";
  os << indent << "ChildStream: " << this->ChildStream << "\n";
  os << indent << "PendingLaunchCount: " << this->PendingLaunchCount << "\n";
  os << indent << "LaunchThreshold: " << this->LaunchThreshold << "\n";
}

void vtkDiscImage::SetName(std::string &member, const char *name) {
  const std::string wanted = name && std::strcmp(name, "None") != 0 ? name : "";
  if (wanted != member) {
    member = wanted;
    this->Modified();
  }
}

void vtkDiscImage::SetRadiusArray(const char *name) { this->SetName(this->RadiusArray, name); }
void vtkDiscImage::SetColorArray(const char *name) { this->SetName(this->ColorArray, name); }
void vtkDiscImage::SetOpacityArray(const char *name) { this->SetName(this->OpacityArray, name); }
void vtkDiscImage::SetOrderArray(const char *name) { this->SetName(this->OrderArray, name); }

void vtkDiscImage::AddColorMapPoint(double value, double red, double green, double blue) {
  this->ColorMap.insert(this->ColorMap.end(), {value, red, green, blue});
  this->Modified();
}

void vtkDiscImage::ClearColorMap() {
  if (!this->ColorMap.empty()) {
    this->ColorMap.clear();
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
  const int plane = 0 <= this->Plane && this->Plane <= XZ ? this->Plane : 0;
  for (int side = 0; side < 2; ++side) {
    whole[2 * axes[plane][side] + 1] = std::max(this->Resolution[side], 0) - 1;
  }
  outputs->GetInformationObject(0)->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), whole, 6);
  return 1;
}

bool vtkDiscImage::CheckResolution() {
  for (const int pixels : this->Resolution) {
    if (pixels < 1 || pixels > TSR_DISCS_MAX_SIDE) {
      vtkErrorMacro("Resolution must be 1 to "
                    << TSR_DISCS_MAX_SIDE << " pixels along each side, not " << this->Resolution[0]
                    << " x " << this->Resolution[1] << ".");
      return false;
    }
  }
  for (int axis = 0; axis < 3 && this->UseRegion; ++axis) {
    const double low = this->Region[2 * axis], high = this->Region[2 * axis + 1];
    if (!(low <= high && low >= -1e100 && high <= 1e100)) {
      vtkErrorMacro("Region must rise along each axis, but " << low << " to " << high
                                                             << " does not.");
      return false;
    }
  }
  return true;
}

bool vtkDiscImage::CheckChoices(vtkDataObject *) {
  if (!this->CheckExecution(TSR_DISCS_AGGREGATED_CHILDREN, TSR_DISCS_FLAT) ||
      !this->CheckChoice("Child Stream", this->ChildStream, TSR_CHILD_TAIL) ||
      !this->CheckChoice("Plane", this->Plane, XZ) || !this->CheckResolution() ||
      !this->CheckChoice("Radius Unit", this->RadiusUnit, 1) ||
      !this->CheckChoice("Color Mode", this->ColorMode, MAPPED) ||
      !this->CheckChoice("Falloff", this->Falloff, TSR_DISCS_GAUSSIAN) ||
      !this->CheckChoice("Order", this->Order, TSR_DISCS_BY_ARRAY)) {
    return false;
  }
  if (!(this->RadiusScale >= 0.0 && this->RadiusScale <= 1e100)) {
    vtkErrorMacro("Radius Scale must be a number from 0 to 1e100, not " << this->RadiusScale
                                                                        << ".");
    return false;
  }
  if (this->ColorMode != CONSTANT && this->ColorArray.empty()) {
    vtkErrorMacro("Color Array must be chosen, or Color Mode be Constant.");
    return false;
  }
  if (this->Order == TSR_DISCS_BY_ARRAY && this->OrderArray.empty()) {
    vtkErrorMacro("Order Array must be chosen, or another Order.");
    return false;
  }
  if (this->UseScalarRange && !(this->ScalarRange[0] <= this->ScalarRange[1])) {
    vtkErrorMacro("Scalar Range must rise; it is " << this->ScalarRange[0] << " to "
                                                   << this->ScalarRange[1] << ".");
    return false;
  }
  return true;
}

void vtkDiscImage::FillSettings(tessera::DiscsSettings &settings) const {
  tsr_discs_options &options = settings.Options;
  tsr_discs_options_init(&options);
  options.width = this->Resolution[0];
  options.height = this->Resolution[1];
  options.supersampling = this->Supersampling;
  options.radius_in_pixels = this->RadiusUnit;
  std::copy_n(this->Color, 3, options.color);
  std::copy_n(this->NanColor, 3, options.nan_color);
  if (this->UseScalarRange) {
    std::copy_n(this->ScalarRange, 2, options.range);
  }
  options.opacity = this->Opacity;
  options.falloff = static_cast<tsr_discs_falloff>(this->Falloff);
  options.sharpness = this->Sharpness;
  options.order = static_cast<tsr_discs_order>(this->Order);
  std::copy_n(this->Background, 3, options.background);
  options.background[3] = this->BackgroundOpacity;
  options.launch.strategy = static_cast<tsr_discs_strategy>(this->LaunchStrategy);
  options.launch.child_stream = static_cast<tsr_child_stream>(this->ChildStream);
  options.launch.pending_launches = this->PendingLaunchCount;
  options.launch.launch_threshold = this->LaunchThreshold;
  settings.Plane = this->Plane;
  settings.UseRegion = this->UseRegion;
  std::copy_n(this->Region, 6, settings.Region);
  settings.Radius = this->Radius;
  settings.RadiusScale = this->RadiusScale;
  settings.ColorMode = this->ColorMode;
  settings.RadiusArray = this->RadiusArray;
  settings.ColorArray = this->ColorArray;
  settings.OpacityArray = this->OpacityArray;
  settings.OrderArray = this->OrderArray;
  settings.ColorMap = this->ColorMap;
  if (settings.ColorMap.empty()) {
    settings.ColorMap = {0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0};
  }
  settings.TopPoint = this->GenerateTopPoint;
}

std::unique_ptr<tessera::Job> vtkDiscImage::NewJob(vtkDataObject *input,
                                                   tessera::Execution &execution) const {
  tessera::DiscsSettings settings;
  this->FillSettings(settings);
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
