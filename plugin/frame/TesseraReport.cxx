// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraReport.h"

#include "mpi/TesseraProcesses.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

namespace tessera {

namespace {

enum FallbackKind { NONE = 0, NO_DEVICE, DEVICE_FAILED };

/** The numbers of the report that become one in this way. */
std::vector<const tsr_property *> Joined(std::initializer_list<tsr_report_join> ways) {
  int n;
  const tsr_report_field *fields = tsr_report_fields(&n);
  std::vector<const tsr_property *> joined;
  for (int f = 0; f < n; ++f) {
    if (std::find(ways.begin(), ways.end(), fields[f].join) != ways.end()) {
      joined.push_back(&fields[f].number);
    }
  }
  return joined;
}

/** `to` takes over what `from` says about the device and how it was used. */
void CopyDevice(const tsr_report &from, tsr_report &to) {
  std::memcpy(to.device_name, from.device_name, sizeof(to.device_name));
  to.device = from.device;
  to.strategy = from.strategy;
  to.child_stream = from.child_stream;
  to.output_memory = from.output_memory;
}

} // namespace

Report::Report() {
  std::memset(&this->Total, 0, sizeof(this->Total));
  this->Total.backend = TSR_BACKEND_CPU;
  this->Total.tolerance_scale = 1.0;
}

void Report::Add(const tsr_report &one) {
  const bool cuda = one.backend == TSR_BACKEND_CUDA;
  if (cuda && this->OnCUDA == 0) {
    CopyDevice(one, this->Total);
    this->Total.backend = TSR_BACKEND_CUDA;
  }
  ++(cuda ? this->OnCUDA : this->OnCPU);
  for (const tsr_property *number : Joined({TSR_JOIN_SUM, TSR_JOIN_SLOWEST})) {
    tsr_property_set(number, &this->Total, 0,
                     tsr_property_get(number, &this->Total, 0) + tsr_property_get(number, &one, 0));
  }
  for (const tsr_property *number : Joined({TSR_JOIN_MOST})) {
    tsr_property_set(
        number, &this->Total, 0,
        std::max(tsr_property_get(number, &this->Total, 0), tsr_property_get(number, &one, 0)));
  }
  if (one.fallback[0] && this->Failure == NONE) {
    std::memcpy(this->Total.fallback, one.fallback, sizeof(this->Total.fallback));
    this->Failure = tsr_devices_present() == 0 ? NO_DEVICE : DEVICE_FAILED;
  }
}

const tsr_property *Report::Find(const char *name) {
  int n;
  const tsr_report_field *fields = tsr_report_fields(&n);
  const auto *found = std::find_if(fields, fields + n, [name](const tsr_report_field &field) {
    return std::strcmp(field.number.name, name) == 0;
  });
  return found < fields + n ? &found->number : nullptr;
}

double Report::Number(const char *name) const {
  const tsr_property *number = Find(name);
  return number ? tsr_property_get(number, &this->Total, 0) : 0.0;
}

bool Report::IsCount(const char *name) {
  const tsr_property *number = Find(name);
  return number && number->type != TSR_PROPERTY_DOUBLE;
}

void Report::Agree(const Processes &processes) {
  this->Rank = processes.Rank();
  this->Ranks = processes.Count();
  this->AgreeOnDevices(processes);
  this->AgreeOnFallback(processes);

  const auto added = Joined({TSR_JOIN_SUM});
  std::vector<vtkIdType> sums = {this->OnCPU, this->OnCUDA};
  for (const tsr_property *number : added) {
    sums.push_back(static_cast<vtkIdType>(tsr_property_get(number, &this->Total, 0)));
  }
  processes.Sum(sums.data(), static_cast<int>(sums.size()));
  this->OnCPU = sums[0];
  this->OnCUDA = sums[1];
  for (size_t k = 0; k < added.size(); ++k) {
    tsr_property_set(added[k], &this->Total, 0, static_cast<double>(sums[k + 2]));
  }

  const auto largest = Joined({TSR_JOIN_MOST, TSR_JOIN_SLOWEST, TSR_JOIN_COMMON});
  std::vector<double> most;
  for (const tsr_property *number : largest) {
    most.push_back(tsr_property_get(number, &this->Total, 0));
  }
  processes.Max(most.data(), static_cast<int>(most.size()));
  for (size_t k = 0; k < largest.size(); ++k) {
    tsr_property_set(largest[k], &this->Total, 0, most[k]);
  }
}

void Report::AgreeOnDevices(const Processes &processes) {
  const vtkIdType device = this->OnCUDA > 0 ? this->Total.device : -1;
  const std::vector<vtkIdType> all = processes.Gather({device, HostNumber()});
  std::set<std::pair<vtkIdType, vtkIdType>> different;
  int first = -1;
  for (int rank = 0; rank < this->Ranks; ++rank) {
    const vtkIdType *one = &all[2 * static_cast<size_t>(rank)];
    if (one[0] >= 0) {
      first = first < 0 ? rank : first;
      different.emplace(one[0], one[1]);
    }
  }
  this->NumberOfDevices = static_cast<int>(different.size());
  if (first >= 0) {
    tsr_report one = this->Total;
    processes.Broadcast(&one, sizeof(one), first);
    CopyDevice(one, this->Total);
    this->Total.backend = TSR_BACKEND_CUDA;
  }
}

void Report::AgreeOnFallback(const Processes &processes) {
  const std::vector<vtkIdType> all = processes.Gather({this->Failure});
  // A failure tells more than a process without a device.
  const auto worst = std::max_element(all.begin(), all.end());
  this->Failure = static_cast<int>(*worst);
  this->FailedProcess = static_cast<int>(worst - all.begin());
  if (this->Failure != NONE) {
    processes.Broadcast(this->Total.fallback, sizeof(this->Total.fallback), this->FailedProcess);
  }
}

std::string Report::Backend() const {
  if (this->UsedCUDA()) {
    return this->OnCPU > 0 ? "CPU and CUDA" : "CUDA";
  }
  return "CPU";
}

std::string Report::Device() const {
  return this->UsedCUDA() ? std::string(this->Total.device_name) + " (device " +
                                std::to_string(this->Total.device) + ")"
                          : "-";
}

std::string Report::Strategy() const {
  static const char *const names[] = {
      "Auto", "Block Per Item",        "Child Grid Per Item", "Aggregated Child Grids",
      "Flat", "Recursive Child Grids", "Host Waves",          "Device Launched"};
  const bool chosen = this->UsedCUDA() && this->Total.strategy != 0; // Auto is none that runs
  return chosen ? names[this->Total.strategy] : "-";
}

std::string Report::ChildStream() const {
  static const char *const names[] = {"Block NULL Stream", "Named Stream", "Fire and Forget",
                                      "Tail Launch"};
  const bool children = this->UsedCUDA() && this->Total.strategy != TSR_STRATEGY_FLAT &&
                        this->Total.strategy != TSR_STRATEGY_BLOCK_PER_ITEM;
  return children ? names[this->Total.child_stream] : "-";
}

std::string Report::OutputMemory() const {
  static const char *const names[] = {"Exact", "Worst Case", "Device Heap"};
  return this->UsedCUDA() ? names[this->Total.output_memory] : "-";
}

std::string Report::Warning() const {
  if (this->Failure == NONE || this->Rank != 0) {
    return "";
  }
  const std::string where =
      this->Ranks > 1 ? " on process " + std::to_string(this->FailedProcess) : "";
  return "The CPU did the work" + where + ": " + this->Total.fallback + ".";
}

bool Report::NoDevice() const { return this->Failure == NO_DEVICE; }

} // namespace tessera
