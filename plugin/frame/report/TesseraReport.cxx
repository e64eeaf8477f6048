// SPDX-License-Identifier: BSD-3-Clause
#include "frame/report/TesseraReport.h"

#include "mpi/TesseraProcesses.h"

#include <algorithm>
#include <cstring>

namespace tessera {

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
  return number ? tsr_property_get(number, &this->Sum.total, 0) : 0.0;
}

bool Report::IsCount(const char *name) {
  const tsr_property *number = Find(name);
  return number && number->type != TSR_PROPERTY_DOUBLE;
}

void Report::Agree(const Processes &processes) {
  const tsr_processes group = processes.Core();
  this->Rank = group.rank;
  this->Ranks = group.n;
  // What is missing then is the report only, and the next step finds out what is wrong.
  tsr_summary_agree(&this->Sum, &group, HostNumber(), nullptr);
}

std::string Report::Backend() const {
  if (this->UsedCUDA()) {
    return this->Sum.on_cpu > 0 ? "CPU and CUDA" : "CUDA";
  }
  return "CPU";
}

std::string Report::Device() const {
  return this->UsedCUDA() ? std::string(this->Sum.total.device_name) + " (device " +
                                std::to_string(this->Sum.total.device) + ")"
                          : "-";
}

std::string Report::Strategy() const {
  static const char *const names[] = {
      "Auto", "Block Per Item",        "Child Grid Per Item", "Aggregated Grids",
      "Flat", "Recursive Child Grids", "Host Waves",          "Device Launched"};
  const bool chosen = this->UsedCUDA() && this->Sum.total.strategy != 0; // Auto is none that runs
  return chosen ? names[this->Sum.total.strategy] : "-";
}

std::string Report::ChildStream() const {
  static const char *const names[] = {"Block NULL Stream", "Named Stream", "Fire and Forget",
                                      "Tail Launch"};
  const bool children = this->UsedCUDA() && this->Sum.total.strategy != TSR_STRATEGY_FLAT &&
                        this->Sum.total.strategy != TSR_STRATEGY_BLOCK_PER_ITEM;
  return children ? names[this->Sum.total.child_stream] : "-";
}

std::string Report::OutputMemory() const {
  static const char *const names[] = {"Exact", "Worst Case", "Device Heap"};
  return this->UsedCUDA() ? names[this->Sum.total.output_memory] : "-";
}

std::string Report::Warning() const {
  if (this->Sum.fallback == TSR_FALLBACK_NONE || this->Rank != 0) {
    return "";
  }
  const std::string where =
      this->Ranks > 1 ? " on process " + std::to_string(this->Sum.failed_process) : "";
  return "The CPU did the work" + where + ": " + this->Sum.total.fallback + ".";
}

} // namespace tessera
