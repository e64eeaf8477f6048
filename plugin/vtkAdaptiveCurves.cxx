// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptiveCurves.h"

#include "curves/TesseraCurvesJob.h"

#include <vtkObjectFactory.h>

namespace {

const int64_t MIB = 1 << 20;

} // namespace

vtkStandardNewMacro(vtkAdaptiveCurves);

vtkAdaptiveCurves::vtkAdaptiveCurves() {
  tsr_curves_options options;
  tsr_curves_options_init(&options);
  this->InterpretLinesAs = CATMULL_ROM;
  this->CatmullRomKnots = options.knots;
  this->Tension = options.tension;
  this->Sampling = options.sampling;
  this->MaximumLevel = options.max_level;
  this->UseCurvatureFactor = options.use_curvature != 0;
  this->CurvatureFactor = options.curvature_factor;
  this->MinimumPoints = options.min_points;
  this->MaximumPoints = options.max_points;
  this->UseChordError = options.use_chord_error != 0;
  this->ChordError = options.chord_error;
  this->ChordErrorMode = options.chord_relative;
  this->UseTurningAngle = options.use_turning_angle != 0;
  this->TurningAngle = options.turning_angle;
  this->UseMaximumSegmentLength = options.use_max_length != 0;
  this->MaximumSegmentLength = options.max_length;
  this->UseFieldError = options.use_field_error != 0;
  this->FieldError = options.field_error;
  this->PointBudget = 0;
  this->ArrayInterpolation = options.interpolation;
  this->OutputPrecision = DEFAULT_PRECISION;
  this->GenerateParameter = this->GenerateArcLength = this->GenerateCurvature = false;
  this->GenerateTangents = this->GenerateSourceCell = this->GenerateAchievedError = false;
  this->ChildStream = options.launch.child_stream;
  this->PendingLaunchCount = static_cast<int>(options.launch.pending_launches);
  this->OutputMemory = options.launch.output_memory;
  this->DeviceHeapSize = static_cast<int>(options.launch.heap_bytes / MIB);
  this->LaunchThreshold = static_cast<int>(options.launch.launch_threshold);
  this->BlockSize = options.launch.block_size;
  this->ClusterSize = options.launch.cluster_size;
  this->SharedMemoryCarveout = options.launch.carveout;
  this->NestingDepth = options.launch.nesting_depth;
}

void vtkAdaptiveCurves::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "InterpretLinesAs: " << this->InterpretLinesAs << "\n";
  os << indent << "CatmullRomKnots: " << this->CatmullRomKnots << "\n";
  os << indent << "Tension: " << this->Tension << "\n";
  os << indent << "Sampling: " << this->Sampling << "\n";
  os << indent << "MaximumLevel: " << this->MaximumLevel << "\n";
  os << indent << "UseCurvatureFactor: " << this->UseCurvatureFactor << "\n";
  os << indent << "CurvatureFactor: " << this->CurvatureFactor << "\n";
  os << indent << "MinimumPoints: " << this->MinimumPoints << "\n";
  os << indent << "MaximumPoints: " << this->MaximumPoints << "\n";
  os << indent << "UseChordError: " << this->UseChordError << "\n";
  os << indent << "ChordError: " << this->ChordError << "\n";
  os << indent << "ChordErrorMode: " << this->ChordErrorMode << "\n";
  os << indent << "UseTurningAngle: " << this->UseTurningAngle << "\n";
  os << indent << "TurningAngle: " << this->TurningAngle << "\n";
  os << indent << "UseMaximumSegmentLength: " << this->UseMaximumSegmentLength << "\n";
  os << indent << "MaximumSegmentLength: " << this->MaximumSegmentLength << "\n";
  os << indent << "UseFieldError: " << this->UseFieldError << "\n";
  os << indent << "FieldError: " << this->FieldError << "\n";
  os << indent << "FieldErrorArrays: " << this->FieldErrorArrays.size() << "\n";
  os << indent << "PointBudget: " << this->PointBudget << "\n";
  os << indent << "ArrayInterpolation: " << this->ArrayInterpolation << "\n";
  os << indent << "OutputPrecision: " << this->OutputPrecision << "\n";
  os << indent << "GenerateParameter: " << this->GenerateParameter << "\n";
  os << indent << "GenerateArcLength: " << this->GenerateArcLength << "\n";
  os << indent << "GenerateCurvature: " << this->GenerateCurvature << "\n";
  os << indent << "GenerateTangents: " << this->GenerateTangents << "\n";
  os << indent << "GenerateSourceCell: " << this->GenerateSourceCell << "\n";
  os << indent << "GenerateAchievedError: " << this->GenerateAchievedError << "\n";
  os << indent << "ChildStream: " << this->ChildStream << "\n";
  os << indent << "PendingLaunchCount: " << this->PendingLaunchCount << "\n";
  os << indent << "OutputMemory: " << this->OutputMemory << "\n";
  os << indent << "DeviceHeapSize: " << this->DeviceHeapSize << "\n";
  os << indent << "LaunchThreshold: " << this->LaunchThreshold << "\n";
  os << indent << "BlockSize: " << this->BlockSize << "\n";
  os << indent << "ClusterSize: " << this->ClusterSize << "\n";
  os << indent << "SharedMemoryCarveout: " << this->SharedMemoryCarveout << "\n";
  os << indent << "NestingDepth: " << this->NestingDepth << "\n";
}

void vtkAdaptiveCurves::AddFieldErrorArray(const char *name) {
  this->AddName(this->FieldErrorArrays, name);
}

void vtkAdaptiveCurves::ClearFieldErrorArrays() { this->ClearNames(this->FieldErrorArrays); }

int vtkAdaptiveCurves::FillInputPortInformation(int, vtkInformation *info) {
  SetInputClasses(info, {"vtkPolyData", "vtkUnstructuredGrid"});
  return 1;
}

bool vtkAdaptiveCurves::CheckChoices(vtkDataObject *) {
  if (this->PointBudget < 0) {
    vtkErrorMacro("Point Budget must be 0 (off) or more, not " << this->PointBudget << ".");
    return false;
  }
  return this->CheckExecution(TSR_STRATEGY_BLOCK_PER_ITEM, TSR_STRATEGY_RECURSIVE_CHILDREN) &&
         this->CheckChoice("Child Stream", this->ChildStream, TSR_CHILD_TAIL) &&
         this->CheckChoice("Output Memory", this->OutputMemory, TSR_MEMORY_DEVICE_HEAP) &&
         this->CheckChoice("Interpret Lines As", this->InterpretLinesAs, STRAIGHT) &&
         this->CheckChoice("Catmull-Rom Knots", this->CatmullRomKnots, TSR_KNOTS_CHORDAL) &&
         this->CheckChoice("Sampling", this->Sampling, TSR_SAMPLING_BISECTION) &&
         this->CheckChoice("Chord Error Mode", this->ChordErrorMode, 1) &&
         this->CheckChoice("Array Interpolation", this->ArrayInterpolation,
                           TSR_INTERPOLATE_LINEAR) &&
         this->CheckChoice("Output Precision", this->OutputPrecision, DEFAULT_PRECISION);
}

void vtkAdaptiveCurves::FillSettings(tessera::CurvesSettings &settings) const {
  static const tsr_curve_kind kinds[] = {TSR_KIND_CATMULL_ROM,   TSR_KIND_BEZIER2_CHAIN,
                                         TSR_KIND_BEZIER3_CHAIN, TSR_KIND_BSPLINE2,
                                         TSR_KIND_BSPLINE3,      TSR_KIND_STRAIGHT};
  tsr_curves_options &options = settings.Options;
  tsr_curves_options_init(&options);
  options.knots = static_cast<tsr_knots>(this->CatmullRomKnots);
  options.tension = this->Tension;
  options.sampling = static_cast<tsr_sampling>(this->Sampling);
  options.max_level = this->MaximumLevel;
  options.use_curvature = this->UseCurvatureFactor;
  options.curvature_factor = this->CurvatureFactor;
  options.min_points = this->MinimumPoints;
  options.max_points = this->MaximumPoints;
  options.use_chord_error = this->UseChordError;
  options.chord_error = this->ChordError;
  options.chord_relative = this->ChordErrorMode;
  options.use_turning_angle = this->UseTurningAngle;
  options.turning_angle = this->TurningAngle;
  options.use_max_length = this->UseMaximumSegmentLength;
  options.max_length = this->MaximumSegmentLength;
  options.use_field_error = this->UseFieldError;
  options.field_error = this->FieldError;
  options.interpolation = static_cast<tsr_interpolation>(this->ArrayInterpolation);
  options.launch.strategy = static_cast<tsr_curves_strategy>(this->LaunchStrategy);
  options.launch.child_stream = static_cast<tsr_child_stream>(this->ChildStream);
  options.launch.pending_launches = this->PendingLaunchCount;
  options.launch.output_memory = static_cast<tsr_output_memory>(this->OutputMemory);
  options.launch.heap_bytes = this->DeviceHeapSize * MIB;
  options.launch.launch_threshold = this->LaunchThreshold;
  options.launch.block_size = this->BlockSize;
  options.launch.cluster_size = this->ClusterSize;
  options.launch.carveout = this->SharedMemoryCarveout;
  options.launch.nesting_depth = this->NestingDepth;
  settings.PolylineKind = kinds[this->InterpretLinesAs];
  settings.OutputPrecision = this->OutputPrecision;
  settings.PointBudget = this->PointBudget;
  settings.Parameter = this->GenerateParameter;
  settings.ArcLength = this->GenerateArcLength;
  settings.Curvature = this->GenerateCurvature;
  settings.Tangents = this->GenerateTangents;
  settings.SourceCell = this->GenerateSourceCell;
  settings.AchievedError = this->GenerateAchievedError;
  settings.FieldErrorArrays = this->FieldErrorArrays;
}

std::unique_ptr<tessera::Job> vtkAdaptiveCurves::NewJob(vtkDataObject *input,
                                                        tessera::Execution &execution) const {
  tessera::CurvesSettings settings;
  this->FillSettings(settings);
  return std::unique_ptr<tessera::Job>(new tessera::CurvesJob(input, settings, execution));
}

void vtkAdaptiveCurves::AddJobReport(const tessera::Job &, vtkDataObject *output) {
  this->AddReport(output, "Curves", "Polylines");
}

void vtkAdaptiveCurves::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  const tsr_report &core = report.Core();
  AddText(data, "Child Stream", report.ChildStream());
  AddText(data, "Output Memory", report.OutputMemory());
  AddCount(data, "Child Launches", core.child_launches);
  AddCount(data, "Refused Launches", core.refused_launches);
  AddCount(data, "Child Items", core.child_items);
  AddCount(data, "Inline Items", core.inline_items);
  AddCount(data, "Deepest Nesting", core.deepest_nesting);
  AddCount(data, "Launch Pool", core.pool_in_force);
  AddCount(data, "Pieces", core.pieces);
}
