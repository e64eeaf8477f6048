// SPDX-License-Identifier: BSD-3-Clause
#include "vtkTesseraFilter.h"

#include "frame/TesseraExecution.h"
#include "frame/TesseraJob.h"
#include "frame/TesseraLeaves.h"
#include "frame/TesseraReport.h"
#include "frame/TesseraRequests.h"

#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkStringArray.h>

#include <atomic>
#include <cstring>

namespace {

/**
 * Nobody whose machine has no GPU wants a message box about it: a line in the log, once a process.
 */
void LogOnce(const std::string &warning) {
  static std::atomic<bool> said(false);
  if (!warning.empty() && !said.exchange(true)) {
    vtkLog(WARNING, << warning);
  }
}

template <typename Array, typename Value>
void AddValue(vtkFieldData *data, const std::string &name, const Value &value) {
  vtkNew<Array> array;
  array->SetName(("Tessera " + name).c_str());
  array->InsertNextValue(value);
  data->AddArray(array);
}

void AddNumber(vtkFieldData *data, const char *name, double number) {
  AddValue<vtkDoubleArray>(data, name, number);
}

} // namespace

vtkTesseraFilter::vtkTesseraFilter() {
  tsr_execution execution;
  tsr_execution_init(&execution);
  this->Backend = execution.backend;
  this->Device = execution.device;
  this->ClearReport();
}

vtkTesseraFilter::~vtkTesseraFilter() = default;

void vtkTesseraFilter::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Backend: " << this->Backend << "\n";
  os << indent << "Threads: " << this->Threads << "\n";
  os << indent << "Device: " << this->Device << "\n";
  this->Table.Print(os, indent);
  os << indent << "ReportBackend: " << this->ReportBackend << "\n";
  os << indent << "ReportDevice: " << this->ReportDevice << "\n";
  os << indent << "ReportStrategy: " << this->ReportStrategy << "\n";
  os << indent << "ReportFallback: " << this->ReportFallback << "\n";
  os << indent << "ReportItems: " << this->GetReportItems() << "\n";
  os << indent << "ReportPoints: " << this->GetReportPoints() << "\n";
  os << indent << "ReportCells: " << this->GetReportCells() << "\n";
}

void vtkTesseraFilter::SetInputClasses(vtkInformation *info,
                                       const std::vector<const char *> &classes) {
  info->Remove(INPUT_REQUIRED_DATA_TYPE());
  info->Append(INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
  for (const char *one : classes) {
    info->Append(INPUT_REQUIRED_DATA_TYPE(), one);
  }
}

void vtkTesseraFilter::AddName(std::vector<std::string> &names, const char *name) {
  if (name && *name) {
    names.emplace_back(name);
    this->Modified();
  }
}

void vtkTesseraFilter::ClearNames(std::vector<std::string> &names) {
  if (!names.empty()) {
    names.clear();
    this->Modified();
  }
}

void vtkTesseraFilter::SetName(std::string &member, const char *name) {
  const std::string wanted = name && std::strcmp(name, "None") != 0 ? name : "";
  if (wanted != member) {
    member = wanted;
    this->Modified();
  }
}

int vtkTesseraFilter::ProcessRequest(vtkInformation *request, vtkInformationVector **inputs,
                                     vtkInformationVector *outputs) {
  return tessera::GuardRequest(this, request, outputs, [=] {
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  });
}

int vtkTesseraFilter::RequestDataObject(vtkInformation *, vtkInformationVector **inputs,
                                        vtkInformationVector *outputs) {
  vtkDataObject *input = vtkDataObject::GetData(inputs[0]);
  if (!input) {
    return 0;
  }
  const char *leafClass = this->GetLeafClass();
  if (!tessera::IsOutputFor(vtkDataObject::GetData(outputs), input, leafClass)) {
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(),
                                          tessera::NewOutput(input, leafClass));
  }
  return 1;
}

int vtkTesseraFilter::RequestData(vtkInformation *, vtkInformationVector **inputs,
                                  vtkInformationVector *outputs) {
  vtkDataObject *input = vtkDataObject::GetData(inputs[0]);
  vtkDataObject *output = vtkDataObject::GetData(outputs);
  output->Initialize();
  this->ClearReport();
  if (!this->CheckChoices(input)) {
    return 1;
  }
  tsr_execution wishes;
  this->GetExecution(wishes);
  tessera::Execution execution(this, wishes, this->Threads);
  std::unique_ptr<tessera::Job> job = this->NewJob(input, execution);
  if (!job->Run()) {
    const std::string sentence = job->Error();
    job.reset(); // a message takes memory, which may be what there is none of
    if (!sentence.empty()) {
      vtkErrorMacro("Nothing was made: " << sentence << ".");
    }
    return 1;
  }
  tessera::RequireHeadroom();
  for (const std::string &warning : job->Warnings()) {
    vtkWarningMacro(<< warning);
  }
  this->SetResults(*job, input, output);
  this->SetReport(job->Summary());
  this->AddJobReport(*job, output);
  this->UpdateProgress(1.0);
  return 1;
}

void vtkTesseraFilter::SetResults(const tessera::Job &job, vtkDataObject *input,
                                  vtkDataObject *output) {
  tessera::SetLeaves(input, job.Results(), output);
}

bool vtkTesseraFilter::CheckChoice(const char *property, int value, int highest) {
  if (0 <= value && value <= highest) {
    return true;
  }
  vtkErrorMacro(<< property << " must be a number from 0 to " << highest << ", not " << value
                << ".");
  return false;
}

bool vtkTesseraFilter::CheckExecution(int firstStrategy, int lastStrategy) {
  if (this->Threads < 0) {
    vtkErrorMacro("Threads must be 0 (all) or more, not " << this->Threads << ".");
    return false;
  }
  if (this->Device < -1) {
    vtkErrorMacro("Device must be -1 (by process) or the index of a device, not " << this->Device
                                                                                  << ".");
    return false;
  }
  const int strategy = static_cast<int>(this->Table.Get("LaunchStrategy"));
  if (strategy != 0 && (strategy < firstStrategy || strategy > lastStrategy)) {
    const std::string others = lastStrategy == 0
                                   ? ""
                                   : " or a number from " + std::to_string(firstStrategy) + " to " +
                                         std::to_string(lastStrategy);
    vtkErrorMacro("Launch Strategy must be 0 (Auto)" << others << ", not " << strategy << ".");
    return false;
  }
  const std::string bad = this->Table.BadChoice();
  if (!bad.empty()) {
    vtkErrorMacro(<< bad);
    return false;
  }
  return this->CheckChoice("Backend", this->Backend, CPU);
}

void vtkTesseraFilter::GetExecution(tsr_execution &execution) const {
  tsr_execution_init(&execution);
  execution.backend = static_cast<tsr_backend_id>(this->Backend);
  execution.device = this->Device;
}

void vtkTesseraFilter::ClearReport() {
  this->Report.reset(new tessera::Report);
  this->ReportBackend.clear();
  this->ReportDevice = this->ReportStrategy = "-";
  this->ReportFallback.clear();
}

void vtkTesseraFilter::SetReport(const tessera::Report &report) {
  *this->Report = report;
  this->ReportBackend = report.Backend();
  this->ReportDevice = report.Device();
  this->ReportStrategy = report.Strategy();
  this->ReportFallback = report.Fallback();
  const std::string warning = report.Warning();
  if (report.NoDevice()) {
    LogOnce(warning);
  } else if (!warning.empty() && warning != this->LastWarning) {
    vtkWarningMacro(<< warning);
  }
  this->LastWarning = warning;
}

void vtkTesseraFilter::AddCount(vtkFieldData *data, const char *name, int64_t count) {
  AddValue<vtkIdTypeArray>(data, name, static_cast<vtkIdType>(count));
}

void vtkTesseraFilter::AddText(vtkFieldData *data, const char *name, const std::string &text) {
  AddValue<vtkStringArray>(data, name, text);
}

void vtkTesseraFilter::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  AddText(data, "Launch Strategy", report.Strategy());
  AddCount(data, "Child Launches", report.Core().child_launches);
  AddCount(data, "Deepest Nesting", report.Core().deepest_nesting);
}

void vtkTesseraFilter::AddChildGrids(vtkFieldData *data, const tessera::Report &report) {
  const tsr_report &core = report.Core();
  AddCount(data, "Child Launches", core.child_launches);
  AddCount(data, "Refused Launches", core.refused_launches);
  AddCount(data, "Child Items", core.child_items);
  AddCount(data, "Inline Items", core.inline_items);
  AddCount(data, "Deepest Nesting", core.deepest_nesting);
  AddCount(data, "Launch Pool", core.pool_in_force);
}

void vtkTesseraFilter::AddReport(vtkDataObject *output, const char *items, const char *cells) {
  vtkFieldData *data = output->GetFieldData();
  const tsr_report &core = this->Report->Core();
  AddText(data, "Backend", this->ReportBackend);
  AddCount(data, "Threads", core.threads);
  AddCount(data, items, core.items);
  AddCount(data, "Points", core.points);
  AddCount(data, cells, core.cells);
  AddNumber(data, "Chord Tolerance", core.chord_tolerance);
  AddNumber(data, "Tolerance Scale", core.tolerance_scale);
  AddNumber(data, "Plan Seconds", core.plan_seconds);
  AddNumber(data, "Fill Seconds", core.fill_seconds);
  if (this->Report->UsedCUDA()) {
    AddText(data, "Device", this->ReportDevice);
    AddCount(data, "Devices", this->Report->Devices());
    this->AddLaunchReport(data, *this->Report);
    AddCount(data, "Device Peak Bytes", core.device_peak_bytes);
    AddNumber(data, "Upload Seconds", core.upload_seconds);
    AddNumber(data, "Download Seconds", core.download_seconds);
  }
  if (!this->ReportFallback.empty()) {
    AddText(data, "Fallback", this->ReportFallback);
  }
}

int vtkTesseraFilter::GetReportThreads() const { return this->Report->Core().threads; }

int vtkTesseraFilter::GetReportDeepestNesting() const {
  return this->Report->Core().deepest_nesting;
}

double vtkTesseraFilter::GetReportItems() const {
  return static_cast<double>(this->Report->Core().items);
}

double vtkTesseraFilter::GetReportPoints() const {
  return static_cast<double>(this->Report->Core().points);
}

double vtkTesseraFilter::GetReportCells() const {
  return static_cast<double>(this->Report->Core().cells);
}

double vtkTesseraFilter::GetReportChordTolerance() const {
  return this->Report->Core().chord_tolerance;
}

double vtkTesseraFilter::GetReportToleranceScale() const {
  return this->Report->Core().tolerance_scale;
}

double vtkTesseraFilter::GetReportPlanSeconds() const { return this->Report->Core().plan_seconds; }

double vtkTesseraFilter::GetReportFillSeconds() const { return this->Report->Core().fill_seconds; }

double vtkTesseraFilter::GetReportChildLaunches() const {
  return static_cast<double>(this->Report->Core().child_launches);
}

double vtkTesseraFilter::GetReportRefusedLaunches() const {
  return static_cast<double>(this->Report->Core().refused_launches);
}

double vtkTesseraFilter::GetReportChildItems() const {
  return static_cast<double>(this->Report->Core().child_items);
}

double vtkTesseraFilter::GetReportInlineItems() const {
  return static_cast<double>(this->Report->Core().inline_items);
}

double vtkTesseraFilter::GetReportLaunchPool() const {
  return static_cast<double>(this->Report->Core().pool_in_force);
}

double vtkTesseraFilter::GetReportDevicePeakBytes() const {
  return static_cast<double>(this->Report->Core().device_peak_bytes);
}

double vtkTesseraFilter::GetReportUploadSeconds() const {
  return this->Report->Core().upload_seconds;
}

double vtkTesseraFilter::GetReportDownloadSeconds() const {
  return this->Report->Core().download_seconds;
}
