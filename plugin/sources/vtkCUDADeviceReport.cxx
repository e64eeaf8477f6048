// SPDX-License-Identifier: BSD-3-Clause
#include "sources/vtkCUDADeviceReport.h"

#include "frame/run/TesseraRequests.h"
#include "mpi/TesseraProcesses.h"
#include "tessera.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkTypeInt64Array.h>
#include <vtkVariant.h>

#include <cstdlib>
#include <functional>

vtkStandardNewMacro(vtkCUDADeviceReport);

namespace {

std::string Version(int number) {
  return number > 0 ? std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10)
                    : "-";
}

/** Processes of a machine see the same devices, unless the launcher gives each its own. */
bool IsFirstToSeeThem(const tessera::Processes &processes) {
  const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const size_t text = std::hash<std::string>()(visible ? visible : "all");
  const std::vector<vtkIdType> all =
      processes.Gather({tessera::HostNumber(), static_cast<vtkIdType>(text)});
  const size_t mine = 2 * static_cast<size_t>(processes.Rank());
  for (size_t i = 0; i < mine; i += 2) {
    if (all[i] == all[mine] && all[i + 1] == all[mine + 1]) {
      return false;
    }
  }
  return true;
}

void AddText(vtkFieldData *data, const char *name, const std::string &text) {
  vtkNew<vtkStringArray> array;
  array->SetName(name);
  array->InsertNextValue(text);
  data->AddArray(array);
}

vtkSmartPointer<vtkAbstractArray> NewColumn(tsr_device_type type) {
  if (type == TSR_DEVICE_TEXT) {
    return vtkSmartPointer<vtkStringArray>::New();
  }
  if (type == TSR_DEVICE_REAL) {
    return vtkSmartPointer<vtkDoubleArray>::New();
  }
  return vtkSmartPointer<vtkTypeInt64Array>::New();
}

vtkVariant VariantOf(tsr_device_type type, const tsr_device_value &value) {
  if (type == TSR_DEVICE_TEXT) {
    return vtkVariant(value.text);
  }
  return type == TSR_DEVICE_REAL ? vtkVariant(value.real)
                                 : vtkVariant(static_cast<vtkTypeInt64>(value.integer));
}

/** The report's fields as columns, and which process they are from. */
void AddColumns(vtkTable *table, const tsr_devices &devices, int rows, int process) {
  int n = 0;
  const tsr_device_field *fields = tsr_device_fields(&n);
  for (int f = 0; f < n; ++f) {
    const std::string unit = fields[f].unit;
    const auto column = NewColumn(fields[f].type);
    column->SetName((fields[f].name + (unit.empty() ? "" : " " + unit)).c_str());
    column->SetNumberOfValues(rows);
    for (int row = 0; row < rows; ++row) {
      tsr_device_value value;
      tsr_device_value_get(&devices, row, f, &value);
      column->SetVariantValue(row, VariantOf(fields[f].type, value));
    }
    table->AddColumn(column);
  }
  vtkNew<vtkIntArray> processes;
  processes->SetName("Process");
  processes->SetNumberOfValues(rows);
  processes->FillValue(process);
  table->AddColumn(processes);
}

} // namespace

vtkCUDADeviceReport::vtkCUDADeviceReport() { this->SetNumberOfInputPorts(0); }

void vtkCUDADeviceReport::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Measure: " << this->Measure << "\n";
  os << indent << "DeviceCount: " << this->DeviceCount << "\n";
  os << indent << "DriverVersion: " << this->DriverVersion << "\n";
  os << indent << "RuntimeVersion: " << this->RuntimeVersion << "\n";
  os << indent << "Problem: " << this->Problem << "\n";
}

void vtkCUDADeviceReport::ReleaseMemory() {
  tsr_device_release();
  this->Modified();
}

int vtkCUDADeviceReport::ProcessRequest(vtkInformation *request, vtkInformationVector **inputs,
                                        vtkInformationVector *outputs) {
  return tessera::GuardRequest(this, request, outputs, [this, request, inputs, outputs] {
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  });
}

int vtkCUDADeviceReport::RequestInformation(vtkInformation *, vtkInformationVector **,
                                            vtkInformationVector *outputs) {
  // Without this key, VTK runs the source on the first process only.
  outputs->GetInformationObject(0)->Set(CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkCUDADeviceReport::RequestData(vtkInformation *, vtkInformationVector **,
                                     vtkInformationVector *outputs) {
  const tessera::Processes processes;
  tsr_devices devices = {};
  const bool reports = IsFirstToSeeThem(processes);
  if (reports) {
    tsr_device_report(&devices);
    if (this->Measure) {
      tsr_device_measure(&devices);
    }
  }
  this->DeviceCount = devices.count;
  this->DriverVersion = Version(devices.driver_version);
  this->RuntimeVersion = Version(devices.runtime_version);
  this->Problem = devices.problem;
  vtkTable *table = vtkTable::GetData(outputs);
  AddColumns(table, devices, reports ? tsr_device_rows(&devices) : 0, processes.Rank());
  AddText(table->GetFieldData(), "Driver Version", this->DriverVersion);
  AddText(table->GetFieldData(), "Runtime Version", this->RuntimeVersion);
  AddText(table->GetFieldData(), "Problem", this->Problem);
  return 1;
}
