// SPDX-License-Identifier: BSD-3-Clause
#include "vtkCUDADeviceReport.h"

#include "frame/TesseraRequests.h"
#include "mpi/TesseraProcesses.h"
#include "tessera.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkStringArray.h>
#include <vtkTable.h>

#include <cstdlib>
#include <functional>

vtkStandardNewMacro(vtkCUDADeviceReport);

namespace {

std::string Version(int number) {
  return number > 0 ? std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10)
                    : "-";
}

double MiB(int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

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

/** A column of the table, made by a function of a device. */
template <typename Array, typename Value>
void AddColumn(vtkTable *table, const char *name, const tsr_devices &devices, const Value &value) {
  vtkNew<Array> column;
  column->SetName(name);
  for (int i = 0; i < devices.count; ++i) {
    column->InsertNextValue(value(devices.device[i]));
  }
  table->AddColumn(column);
}

void AddColumns(vtkTable *table, const tsr_devices &devices, int process) {
  using One = tsr_device;
  AddColumn<vtkIntArray>(table, "Index", devices, [](const One &d) { return d.index; });
  AddColumn<vtkStringArray>(table, "Name", devices, [](const One &d) { return d.name; });
  AddColumn<vtkStringArray>(table, "Compute Capability", devices, [](const One &d) {
    return std::to_string(d.major) + "." + std::to_string(d.minor);
  });
  AddColumn<vtkIntArray>(table, "Multiprocessors", devices,
                         [](const One &d) { return d.multiprocessors; });
  AddColumn<vtkDoubleArray>(table, "Memory MiB", devices,
                            [](const One &d) { return MiB(d.memory_bytes); });
  AddColumn<vtkDoubleArray>(table, "Free MiB", devices,
                            [](const One &d) { return MiB(d.free_bytes); });
  AddColumn<vtkIntArray>(table, "Usable", devices, [](const One &d) { return d.usable; });
  AddColumn<vtkIntArray>(table, "Can Launch Kernels", devices,
                         [](const One &d) { return d.launches; });
  AddColumn<vtkStringArray>(table, "Problem", devices, [](const One &d) { return d.problem; });
  AddColumn<vtkIntArray>(table, "Process", devices, [process](const One &) { return process; });
}

} // namespace

vtkCUDADeviceReport::vtkCUDADeviceReport() { this->SetNumberOfInputPorts(0); }

void vtkCUDADeviceReport::PrintSelf(ostream &os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
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
  return tessera::GuardRequest(this, request, outputs, [=] {
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  });
}

int vtkCUDADeviceReport::RequestInformation(vtkInformation *, vtkInformationVector **,
                                            vtkInformationVector *outputs) {
  // Without it VTK runs the source on the first process alone.
  outputs->GetInformationObject(0)->Set(CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkCUDADeviceReport::RequestData(vtkInformation *, vtkInformationVector **,
                                     vtkInformationVector *outputs) {
  const tessera::Processes processes;
  tsr_devices devices = {};
  if (IsFirstToSeeThem(processes)) {
    tsr_device_report(&devices);
  }
  this->DeviceCount = devices.count;
  this->DriverVersion = Version(devices.driver_version);
  this->RuntimeVersion = Version(devices.runtime_version);
  this->Problem = devices.problem;
  vtkTable *table = vtkTable::GetData(outputs);
  AddColumns(table, devices, processes.Rank());
  AddText(table->GetFieldData(), "Driver Version", this->DriverVersion);
  AddText(table->GetFieldData(), "Runtime Version", this->RuntimeVersion);
  AddText(table->GetFieldData(), "Problem", this->Problem);
  return 1;
}
