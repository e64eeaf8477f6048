// SPDX-License-Identifier: BSD-3-Clause
#include "vtkTesseraFilter.h"

#include "tessera.h"

#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkStringArray.h>

namespace {

template <typename Array, typename Value>
void AddValue(vtkFieldData *data, const std::string &name, const Value &value) {
  vtkNew<Array> array;
  array->SetName(("Tessera " + name).c_str());
  array->InsertNextValue(value);
  data->AddArray(array);
}

} // namespace

void vtkTesseraFilter::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Backend: " << this->Backend << "\n";
  os << indent << "Threads: " << this->Threads << "\n";
  os << indent << "ReportBackend: " << this->ReportBackend << "\n";
  os << indent << "ReportThreads: " << this->ReportThreads << "\n";
  os << indent << "ReportItems: " << this->ReportItems << "\n";
  os << indent << "ReportPoints: " << this->ReportPoints << "\n";
  os << indent << "ReportCells: " << this->ReportCells << "\n";
  os << indent << "ReportChordTolerance: " << this->ReportChordTolerance << "\n";
  os << indent << "ReportToleranceScale: " << this->ReportToleranceScale << "\n";
  os << indent << "ReportPlanSeconds: " << this->ReportPlanSeconds << "\n";
  os << indent << "ReportFillSeconds: " << this->ReportFillSeconds << "\n";
}

bool vtkTesseraFilter::CheckChoice(const char *property, int value, int highest) {
  if (0 <= value && value <= highest) {
    return true;
  }
  vtkErrorMacro(<< property << " must be a number from 0 to " << highest << ", not " << value
                << ".");
  return false;
}

bool vtkTesseraFilter::CheckExecution() {
  if (this->Threads < 0) {
    vtkErrorMacro("Threads must be 0 (all) or more, not " << this->Threads << ".");
    return false;
  }
  return this->CheckChoice("Backend", this->Backend, CPU);
}

void vtkTesseraFilter::ClearReport() {
  this->ReportBackend.clear();
  this->ReportThreads = 0;
  this->ReportItems = this->ReportPoints = this->ReportCells = 0;
  this->ReportChordTolerance = 0.0;
  this->ReportToleranceScale = 1.0;
  this->ReportPlanSeconds = this->ReportFillSeconds = 0.0;
}

void vtkTesseraFilter::SetReport(const tsr_report &report) {
  this->ReportBackend = report.backend == TSR_BACKEND_CUDA ? "CUDA" : "CPU";
  this->ReportThreads = report.threads;
  this->ReportItems = report.items;
  this->ReportPoints = report.points;
  this->ReportCells = report.cells;
  this->ReportChordTolerance = report.chord_tolerance;
  this->ReportToleranceScale = report.tolerance_scale;
  this->ReportPlanSeconds = report.plan_seconds;
  this->ReportFillSeconds = report.fill_seconds;
}

void vtkTesseraFilter::AddReport(vtkDataObject *output, const char *items, const char *cells) {
  vtkFieldData *data = output->GetFieldData();
  AddValue<vtkStringArray>(data, "Backend", this->ReportBackend);
  AddValue<vtkIdTypeArray>(data, "Threads", this->ReportThreads);
  AddValue<vtkIdTypeArray>(data, items, this->ReportItems);
  AddValue<vtkIdTypeArray>(data, "Points", this->ReportPoints);
  AddValue<vtkIdTypeArray>(data, cells, this->ReportCells);
  AddValue<vtkDoubleArray>(data, "Chord Tolerance", this->ReportChordTolerance);
  AddValue<vtkDoubleArray>(data, "Tolerance Scale", this->ReportToleranceScale);
  AddValue<vtkDoubleArray>(data, "Plan Seconds", this->ReportPlanSeconds);
  AddValue<vtkDoubleArray>(data, "Fill Seconds", this->ReportFillSeconds);
}
