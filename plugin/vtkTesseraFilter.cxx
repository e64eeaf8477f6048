// SPDX-License-Identifier: BSD-3-Clause
#include "vtkTesseraFilter.h"

#include "frame/data/TesseraDatasets.h"
#include "frame/data/TesseraTrees.h"
#include "frame/report/TesseraReport.h"
#include "frame/report/TesseraTables.h"
#include "frame/run/TesseraExecution.h"
#include "frame/run/TesseraRequests.h"
#include "frame/run/TesseraThreadRunner.h"
#include "mpi/TesseraProcesses.h"

#include <vtkDataObject.h>
#include <vtkDemandDrivenPipeline.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkVariant.h>

#include <cstring>

namespace {

/** Begins the names of the arrays of a report. */
const char PREFIX[] = "Tessera ";

template <typename Array, typename Value>
void AddValue(vtkFieldData *data, const std::string &name, const Value &value) {
  vtkNew<Array> array;
  array->SetName((std::string(PREFIX) + name).c_str());
  array->InsertNextValue(value);
  data->AddArray(array);
}

/** The name of the report's entry that the array is; empty if it is no entry. */
std::string EntryOf(vtkAbstractArray *array) {
  const std::string name = array->GetName() ? array->GetName() : "";
  const size_t size = sizeof PREFIX - 1;
  return name.compare(0, size, PREFIX) == 0 ? name.substr(size) : "";
}

/** Takes away the report of the filter before, which came along with its field data. */
void RemoveReport(vtkFieldData *data) {
  for (int i = data->GetNumberOfArrays() - 1; i >= 0; --i) {
    if (!EntryOf(data->GetAbstractArray(i)).empty()) {
      data->RemoveArray(i);
    }
  }
}

/** The entries of the report, a line each, and the values of one with spaces between them. */
std::string TextOf(vtkFieldData *data) {
  std::string text;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    const std::string name = EntryOf(array);
    if (!name.empty()) {
      text += (text.empty() ? "" : "\n") + name + ":";
      for (vtkIdType k = 0; k < array->GetNumberOfValues(); ++k) {
        text += " " + array->GetVariantValue(k).ToString();
      }
    }
  }
  return text;
}

} // namespace

vtkTesseraFilter::vtkTesseraFilter() : Choices(new tsr_filter_choices) {
  tsr_filter_choices_init(this->Choices.get());
  this->Table.Add(this->Choices.get(), tsr_filter_choices_properties);
  this->ClearReport();
}

vtkTesseraFilter::~vtkTesseraFilter() = default;

void vtkTesseraFilter::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "EstimateOnly: " << this->EstimateOnly << "\n";
  os << indent << "EstimateText: " << this->EstimateText << "\n";
  this->Table.Print(os, indent);
  os << indent << "ReportBackend: " << this->ReportBackend << "\n";
  os << indent << "ReportDevice: " << this->ReportDevice << "\n";
  os << indent << "ReportStrategy: " << this->ReportStrategy << "\n";
  os << indent << "ReportFallback: " << this->ReportFallback << "\n";
  os << indent << "ReportItems: " << this->GetReportItems() << "\n";
  os << indent << "ReportPoints: " << this->GetReportPoints() << "\n";
  os << indent << "ReportCells: " << this->GetReportCells() << "\n";
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
  return tessera::GuardRequest(this, request, outputs, [this, request, inputs, outputs] {
    tessera::FollowPort(request, outputs);
    if (request->Has(vtkDemandDrivenPipeline::REQUEST_DATA_NOT_GENERATED())) {
      this->Old.reset(new tessera::OldTrees(vtkDataObject::GetData(outputs)));
    }
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  });
}

int vtkTesseraFilter::FillInputPortInformation(int, vtkInformation *info) {
  info->Set(INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

int vtkTesseraFilter::FillOutputPortInformation(int port, vtkInformation *info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == 0 ? "vtkDataObject" : "vtkTable");
  return 1;
}

int vtkTesseraFilter::RequestDataObject(vtkInformation *, vtkInformationVector **inputs,
                                        vtkInformationVector *outputs) {
  vtkDataObject *input = vtkDataObject::GetData(inputs[0]);
  if (!input) {
    return 0;
  }
  const char *datasetClass = this->GetDatasetClass();
  vtkDataObject *like = this->MergesBlocks() ? nullptr : input;
  if (!tessera::IsOutputFor(vtkDataObject::GetData(outputs), like, datasetClass)) {
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(),
                                          tessera::NewOutput(like, datasetClass));
  }
  tessera::MakeSummaryTable(outputs);
  return 1;
}

int vtkTesseraFilter::RequestData(vtkInformation *, vtkInformationVector **inputs,
                                  vtkInformationVector *outputs) {
  vtkDataObject *input = vtkDataObject::GetData(inputs[0]);
  vtkDataObject *output = vtkDataObject::GetData(outputs);
  vtkTable *table = tessera::SummaryTable(outputs);
  const std::unique_ptr<tessera::OldTrees> old = std::move(this->Old);
  output->Initialize();
  if (table) {
    table->Initialize();
  }
  this->ClearReport();
  if (!this->Accepts(input)) {
    return 1;
  }
  tsr_execution wishes;
  this->GetExecution(wishes);
  tessera::ThreadRunner runner(this, wishes, this->Choices->threads);
  runner.Before = old.get();
  std::unique_ptr<tessera::Execution> execution = this->NewExecution(input, runner);
  execution->SetLimit(this->Choices->largest_output, this->EstimateOnly);
  const bool made = execution->Run();
  if (old) {
    old->Free(runner);
  }
  if (!made) {
    const std::string sentence = execution->Error();
    execution.reset(); // frees memory, which the message needs and may have run out
    tsr_device_forget(this);
    this->EstimateText = sentence.empty() ? "-" : "Nothing would be made: " + sentence + ".";
    if (!this->EstimateOnly && !sentence.empty()) {
      vtkErrorMacro("Nothing was made: " << sentence << ".");
    }
    return 1;
  }
  this->EstimateText = execution->Estimate();
  if (this->EstimateOnly) {
    return 1;
  }
  tessera::RequireHeadroom();
  for (const std::string &warning : execution->Warnings()) {
    vtkWarningMacro(<< warning);
  }
  this->SetResults(*execution, input, output);
  this->SetReport(execution->Summary());
  RemoveReport(output->GetFieldData());
  this->AddExecutionReport(*execution, output);
  this->ReportText = TextOf(output->GetFieldData());
  if (table && tessera::Processes().Rank() == 0) {
    this->FillTable(*execution, table);
  }
  this->UpdateProgress(1.0);
  return 1;
}

void vtkTesseraFilter::SetResults(const tessera::Execution &execution, vtkDataObject *input,
                                  vtkDataObject *output) {
  tessera::SetDatasets(input, execution.Results(), output);
}

void vtkTesseraFilter::FillTable(const tessera::Execution &, vtkTable *) const {}

bool vtkTesseraFilter::Accepts(vtkDataObject *input) {
  const std::string wrong = tessera::WrongKind(input, this->GetTaken());
  if (!wrong.empty() && tessera::Processes().Rank() == 0) { // all have the same kind of input
    vtkErrorMacro("Nothing was made: " << wrong << ".");
  }
  return wrong.empty() && this->CheckChoices(input);
}

bool vtkTesseraFilter::Refuse(const tsr_error &error) {
  if (tessera::Processes().Rank() == 0) { // all have the same settings
    vtkErrorMacro(<< error.text);
  }
  return false;
}

bool vtkTesseraFilter::CheckExecution(int firstStrategy, int lastStrategy) {
  const int strategy = static_cast<int>(this->Table.Get("LaunchStrategy"));
  tsr_error error;
  const bool good = tsr_filter_choices_check(this->Choices.get(), strategy, firstStrategy,
                                             lastStrategy, &error) == TSR_OK;
  return (good && this->Table.Check(error)) || this->Refuse(error);
}

void vtkTesseraFilter::GetExecution(tsr_execution &execution) const {
  tsr_execution_init(&execution);
  execution.backend = static_cast<tsr_backend_id>(this->Choices->backend);
  execution.device = this->Choices->device;
}

void vtkTesseraFilter::ClearReport() {
  this->Report.reset(new tessera::Report);
  this->ReportBackend.clear();
  this->ReportDevice = this->ReportStrategy = "-";
  this->ReportFallback.clear();
  this->ReportText = "-";
}

void vtkTesseraFilter::SetReport(const tessera::Report &report) {
  *this->Report = report;
  this->ReportBackend = report.Text(TSR_SUMMARY_BACKEND);
  this->ReportDevice = report.Text(TSR_SUMMARY_DEVICE);
  this->ReportStrategy = report.Text(TSR_SUMMARY_STRATEGY);
  this->ReportFallback = report.Fallback();
  const std::string warning = report.Warning();
  if (!report.NoDevice() && !warning.empty() && warning != this->LastWarning) {
    vtkWarningMacro(<< warning);
  }
  this->LastWarning = warning;
}

void vtkTesseraFilter::AddCount(vtkFieldData *data, const char *name, int64_t count) {
  AddValue<vtkIdTypeArray>(data, name, static_cast<vtkIdType>(count));
}

void vtkTesseraFilter::AddNumber(vtkFieldData *data, const char *name, double number) {
  AddValue<vtkDoubleArray>(data, name, number);
}

void vtkTesseraFilter::AddCounts(vtkFieldData *data, const char *name,
                                 const std::vector<vtkIdType> &counts, int n) {
  vtkNew<vtkIdTypeArray> array;
  array->SetName((std::string(PREFIX) + name).c_str());
  for (int k = 0; k < n; ++k) {
    array->InsertNextValue(counts[static_cast<size_t>(k)]);
  }
  data->AddArray(array);
}

void vtkTesseraFilter::AddText(vtkFieldData *data, const char *name, const std::string &text) {
  AddValue<vtkStringArray>(data, name, text);
}

void vtkTesseraFilter::AddReason(vtkFieldData *data, const std::string &whyNothing) {
  if (!whyNothing.empty()) {
    AddText(data, "Nothing Was Made", whyNothing);
  }
}

void vtkTesseraFilter::AddField(vtkFieldData *data, const tessera::Report &report,
                                const char *field) {
  const std::string label = tessera::Label(field);
  const double number = report.Number(field);
  if (tessera::Report::IsCount(field)) {
    AddCount(data, label.c_str(), static_cast<int64_t>(number));
  } else {
    AddNumber(data, label.c_str(), number);
  }
}

void vtkTesseraFilter::AddLaunchReport(vtkFieldData *data, const tessera::Report &report) {
  AddText(data, "Launch Strategy", report.Text(TSR_SUMMARY_STRATEGY));
  AddField(data, report, "ChildLaunches");
  AddField(data, report, "DeepestNesting");
}

void vtkTesseraFilter::AddChildGrids(vtkFieldData *data, const tessera::Report &report) {
  for (const char *field : {"ChildLaunches", "RefusedLaunches", "ChildItems", "InlineItems",
                            "DeepestNesting", "LaunchPool"}) {
    AddField(data, report, field);
  }
}

void vtkTesseraFilter::AddReport(vtkDataObject *output, const char *items, const char *cells,
                                 const std::vector<const char *> &fields) {
  vtkFieldData *data = output->GetFieldData();
  const tsr_report &core = this->Report->Core();
  AddText(data, "Backend", this->ReportBackend);
  AddField(data, *this->Report, "Threads");
  AddCount(data, items, core.items);
  AddField(data, *this->Report, "Points");
  AddCount(data, cells, core.cells);
  for (const char *field : fields) {
    AddField(data, *this->Report, field);
  }
  for (const char *field : {"PlanSeconds", "FillSeconds"}) {
    AddField(data, *this->Report, field);
  }
  if (core.least_points > 0) {
    AddField(data, *this->Report, "LeastPoints");
    AddNumber(data, "Points Over Least", tsr_report_over_least(&core));
  }
  if (this->Report->UsedCUDA()) {
    AddText(data, "Device", this->ReportDevice);
    AddCount(data, "Devices", this->Report->Devices());
    this->AddLaunchReport(data, *this->Report);
    for (const char *field : {"DevicePeakBytes", "UploadSeconds", "DownloadSeconds"}) {
      AddField(data, *this->Report, field);
    }
  }
  if (!this->ReportFallback.empty()) {
    AddText(data, "Fallback", this->ReportFallback);
  }
}

double vtkTesseraFilter::GetReportPointsOverLeast() const {
  return tsr_report_over_least(&this->Report->Core());
}

double vtkTesseraFilter::GetReportNumber(const char *name) const {
  return this->Report->Number(name);
}
