// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraReport.h"

#include "mpi/TesseraProcesses.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

namespace tessera {

namespace {

enum FallbackKind { NONE = 0, NO_DEVICE, DEVICE_FAILED };

/** The members that are added up, and those whose largest counts. */
int64_t tsr_report::*const SUMS[] = {
    &tsr_report::items,       &tsr_report::spans,          &tsr_report::points,
    &tsr_report::cells,       &tsr_report::child_launches, &tsr_report::refused_launches,
    &tsr_report::child_items, &tsr_report::inline_items,   &tsr_report::pieces};
int64_t tsr_report::*const PEAKS[] = {&tsr_report::pool_in_force, &tsr_report::device_peak_bytes};
double tsr_report::*const SECONDS[] = {&tsr_report::plan_seconds, &tsr_report::fill_seconds,
                                       &tsr_report::upload_seconds, &tsr_report::download_seconds};

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
  for (const auto member : SUMS) {
    this->Total.*member += one.*member;
  }
  for (const auto member : PEAKS) {
    this->Total.*member = std::max(this->Total.*member, one.*member);
  }
  for (const auto member : SECONDS) {
    this->Total.*member += one.*member;
  }
  this->Total.deepest_nesting = std::max(this->Total.deepest_nesting, one.deepest_nesting);
  this->Total.chord_tolerance = std::max(this->Total.chord_tolerance, one.chord_tolerance);
  if (one.fallback[0] && this->Failure == NONE) {
    std::memcpy(this->Total.fallback, one.fallback, sizeof(this->Total.fallback));
    this->Failure = tsr_devices_present() == 0 ? NO_DEVICE : DEVICE_FAILED;
  }
}

void Report::Agree(const Processes &processes) {
  this->Rank = processes.Rank();
  this->Ranks = processes.Count();
  this->AgreeOnDevices(processes);
  this->AgreeOnFallback(processes);

  std::vector<vtkIdType> sums = {this->OnCPU, this->OnCUDA};
  for (const auto member : SUMS) {
    sums.push_back(this->Total.*member);
  }
  processes.Sum(sums.data(), static_cast<int>(sums.size()));
  this->OnCPU = sums[0];
  this->OnCUDA = sums[1];
  size_t next = 2;
  for (const auto member : SUMS) {
    this->Total.*member = sums[next++];
  }

  std::vector<double> most = {this->Total.chord_tolerance, this->Total.tolerance_scale,
                              static_cast<double>(this->Total.deepest_nesting)};
  for (const auto member : PEAKS) {
    most.push_back(static_cast<double>(this->Total.*member));
  }
  for (const auto member : SECONDS) {
    most.push_back(this->Total.*member);
  }
  processes.Max(most.data(), static_cast<int>(most.size()));
  this->Total.chord_tolerance = most[0];
  this->Total.tolerance_scale = most[1];
  this->Total.deepest_nesting = static_cast<int>(most[2]);
  next = 3;
  for (const auto member : PEAKS) {
    this->Total.*member = static_cast<int64_t>(most[next++]);
  }
  for (const auto member : SECONDS) {
    this->Total.*member = most[next++];
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
