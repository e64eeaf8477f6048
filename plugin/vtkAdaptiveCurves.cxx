// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptiveCurves.h"

#include "curves/TesseraCurvesJob.h"
#include "frame/TesseraTables.h"

#include <vtkObjectFactory.h>

vtkStandardNewMacro(vtkAdaptiveCurves);

vtkAdaptiveCurves::vtkAdaptiveCurves() : Core(new tsr_curves_options) {
  this->SetNumberOfOutputPorts(2);
  tsr_curves_options_init(this->Core.get());
  this->Table.Add(this->Core.get(), tsr_curves_properties);
  this->InterpretLinesAs = CATMULL_ROM;
  this->JoinLines = true;
  this->PointBudget = 0;
  this->OutputPrecision = DEFAULT_PRECISION;
  this->GenerateParameter = this->GenerateArcLength = this->GenerateCurvature = false;
  this->GenerateTangents = this->GenerateSourceCell = this->GenerateAchievedError = false;
}

vtkAdaptiveCurves::~vtkAdaptiveCurves() = default;

void vtkAdaptiveCurves::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "InterpretLinesAs: " << this->InterpretLinesAs << "\n";
  os << indent << "JoinLines: " << this->JoinLines << "\n";
  os << indent << "FieldErrorArrays: " << this->FieldErrorArrays.size() << "\n";
  os << indent << "CurveArrays: " << this->CurveArrays.size() << "\n";
  os << indent << "LinearArrays: " << this->LinearArrays.size() << "\n";
  os << indent << "NearestArrays: " << this->NearestArrays.size() << "\n";
  os << indent << "PointBudget: " << this->PointBudget << "\n";
  os << indent << "OutputPrecision: " << this->OutputPrecision << "\n";
  os << indent << "GenerateParameter: " << this->GenerateParameter << "\n";
  os << indent << "GenerateArcLength: " << this->GenerateArcLength << "\n";
  os << indent << "GenerateCurvature: " << this->GenerateCurvature << "\n";
  os << indent << "GenerateTangents: " << this->GenerateTangents << "\n";
  os << indent << "GenerateSourceCell: " << this->GenerateSourceCell << "\n";
  os << indent << "GenerateAchievedError: " << this->GenerateAchievedError << "\n";
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
         this->CheckChoice("Interpret Lines As", this->InterpretLinesAs, STRAIGHT) &&
         this->CheckChoice("Output Precision", this->OutputPrecision, DEFAULT_PRECISION);
}

void vtkAdaptiveCurves::FillSettings(tessera::CurvesSettings &settings) const {
  static const tsr_curve_kind kinds[] = {TSR_KIND_CATMULL_ROM,   TSR_KIND_BEZIER2_CHAIN,
                                         TSR_KIND_BEZIER3_CHAIN, TSR_KIND_BSPLINE2,
                                         TSR_KIND_BSPLINE3,      TSR_KIND_STRAIGHT};
  settings.Options = *this->Core;
  settings.PolylineKind = kinds[this->InterpretLinesAs];
  settings.JoinLines = this->JoinLines;
  settings.OutputPrecision = this->OutputPrecision;
  settings.PointBudget = this->PointBudget;
  settings.Parameter = this->GenerateParameter;
  settings.ArcLength = this->GenerateArcLength;
  settings.Curvature = this->GenerateCurvature;
  settings.Tangents = this->GenerateTangents;
  settings.SourceCell = this->GenerateSourceCell;
  settings.AchievedError = this->GenerateAchievedError;
  settings.FieldErrorArrays = this->FieldErrorArrays;
  settings.Arrays = {this->CurveArrays, this->LinearArrays, this->NearestArrays,
                     this->FieldErrorArrays, this->Core->interpolation};
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

void vtkAdaptiveCurves::FillTable(const tessera::Job &job, vtkTable *table) const {
  static_cast<const tessera::CurvesJob &>(job).Classes().Fill(table);
}

void vtkAdaptiveCurves::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  AddText(data, "Launch Strategy", report.Strategy());
  AddText(data, "Child Stream", report.ChildStream());
  AddText(data, "Output Memory", report.OutputMemory());
  AddChildGrids(data, report);
  AddField(data, report, "Pieces");
}
