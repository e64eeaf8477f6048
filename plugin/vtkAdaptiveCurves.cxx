// SPDX-License-Identifier: BSD-3-Clause
#include "vtkAdaptiveCurves.h"

#include "curves/TesseraCurvesExecution.h"
#include "frame/report/TesseraTables.h"

#include <vtkObjectFactory.h>

vtkStandardNewMacro(vtkAdaptiveCurves);

vtkAdaptiveCurves::vtkAdaptiveCurves()
    : Settings(new tessera::CurvesSettings), Boxes(new tessera::CurvesBoxes) {
  this->SetNumberOfOutputPorts(2);
  this->Table.Add(&this->Settings->Options, tsr_curves_properties);
  this->Table.Add<tsr_curves_choices>(this->Settings.get(), tsr_curves_choices_properties);
}

vtkAdaptiveCurves::~vtkAdaptiveCurves() { tsr_device_forget(this); }

void vtkAdaptiveCurves::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FieldErrorArrays: " << this->FieldErrorArrays.size() << "\n";
  os << indent << "CurveArrays: " << this->CurveArrays.size() << "\n";
  os << indent << "LinearArrays: " << this->LinearArrays.size() << "\n";
  os << indent << "NearestArrays: " << this->NearestArrays.size() << "\n";
}

bool vtkAdaptiveCurves::CheckChoices(vtkDataObject *) {
  tsr_error error;
  return tsr_curves_choices_check(this->Settings.get(), &error) == TSR_OK
             ? this->CheckExecution(TSR_STRATEGY_BLOCK_PER_ITEM, TSR_STRATEGY_RECURSIVE_CHILDREN)
             : this->Refuse(error);
}

std::unique_ptr<tessera::Execution>
vtkAdaptiveCurves::NewExecution(vtkDataObject *input, tessera::ThreadRunner &runner) const {
  tessera::CurvesSettings settings = *this->Settings;
  tsr_curves_options_settle(&settings.Options);
  if (settings.Options.use_field_error) {
    settings.FieldErrorArrays = this->FieldErrorArrays;
  }
  settings.Arrays = {this->CurveArrays, this->LinearArrays, this->NearestArrays,
                     settings.FieldErrorArrays, settings.Options.interpolation};
  return std::unique_ptr<tessera::Execution>(
      new tessera::CurvesExecution(input, settings, *this->Boxes, runner));
}

void vtkAdaptiveCurves::AddExecutionReport(const tessera::Execution &execution,
                                           vtkDataObject *output) {
  this->AddReport(output, "Curves", "Polylines",
                  {"SmoothLines", "ChordTolerance", "ToleranceScale"});
  const auto &curves = static_cast<const tessera::CurvesExecution &>(execution);
  const std::string apart =
      curves.Apart().Text("joint between lines was kept since the cell array",
                          "joints between lines were kept since the cell array", " differs");
  const std::string labels = curves.KeptByLabels().Text(
      "pair of neighbouring points was kept since the point array",
      "pairs of neighbouring points were kept since the point array", " changes between them");
  if (!apart.empty()) {
    AddText(output->GetFieldData(), "Lines Not Joined", apart);
  }
  if (!labels.empty()) {
    AddText(output->GetFieldData(), "Points Kept", labels);
  }
}

void vtkAdaptiveCurves::FillTable(const tessera::Execution &execution, vtkTable *table) const {
  static_cast<const tessera::CurvesExecution &>(execution).Classes().Fill(table);
}

void vtkAdaptiveCurves::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  AddText(data, "Launch Strategy", report.Text(TSR_SUMMARY_STRATEGY));
  AddText(data, "Child Stream", report.Text(TSR_SUMMARY_CHILD_STREAM));
  AddText(data, "Output Memory", report.Text(TSR_SUMMARY_OUTPUT_MEMORY));
  AddChildGrids(data, report);
  AddField(data, report, "Pieces");
}
