// SPDX-License-Identifier: BSD-3-Clause
#include "frame/report/TesseraLimit.h"

#include <vtksys/SystemInformation.hxx>

#include <algorithm>
#include <map>

namespace tessera {

void OutputSize::Set(const Processes &processes, double count, double bytes) {
  const double largest = 4e18; // of all processes together within 64 bits
  const double share = largest / processes.Count();
  const std::vector<vtkIdType> all =
      processes.Gather({HostNumber(), static_cast<vtkIdType>(std::min(count, share)),
                        static_cast<vtkIdType>(std::min(bytes, share))});
  std::map<vtkIdType, double> machines;
  this->Size.count = 0.0;
  for (size_t i = 0; i < all.size(); i += 3) {
    this->Size.count += static_cast<double>(all[i + 1]);
    machines[all[i]] += static_cast<double>(all[i + 2]);
  }
  this->Size.bytes = 0.0;
  for (const auto &machine : machines) {
    this->Size.bytes = std::max(this->Size.bytes, machine.second);
  }
  this->Size.at_least = 0;
}

bool OutputSize::SetAtLeast(const Processes &processes, double bytesPerItem) {
  double most[2] = {bytesPerItem, static_cast<double>(std::max<vtkIdType>(0, AvailableMemory()))};
  processes.Max(most, 2);
  this->Size.count = most[0] > 0.0 ? most[1] / most[0] : 0.0;
  this->Size.bytes = most[1];
  this->Size.at_least = 1;
  return this->Size.bytes >= this->Limit;
}

double OutputSize::ItemsThatFit(double items) const {
  const double margin = 0.98; // bytes an item differ a little from output to output
  const double share = this->Size.bytes > 0.0 ? this->Limit / this->Size.bytes : 1.0;
  return std::max(1.0, margin * items * std::min(share, 1.0));
}

std::string OutputSize::Sentence() const {
  char text[200];
  tsr_estimate_sentence(&this->Size, this->Limit, text, sizeof(text));
  return text;
}

std::string OutputSize::Refusal(const Tolerances &tolerances, double scale,
                                const std::string &otherwise) const {
  char text[480];
  tsr_refusal_sentence(&this->Size, this->Limit, tolerances.data(),
                       static_cast<int>(tolerances.size()), scale, otherwise.c_str(), text,
                       sizeof(text));
  return text;
}

double MachineMemory() {
  vtksys::SystemInformation system;
  return 1024.0 * static_cast<double>(std::max(0LL, system.GetHostMemoryTotal()));
}

} // namespace tessera
