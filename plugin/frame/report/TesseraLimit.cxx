// SPDX-License-Identifier: BSD-3-Clause
#include "frame/report/TesseraLimit.h"

#include <algorithm>

namespace tessera {

void OutputSize::Set(const Processes &processes, double count, double bytes) {
  const tsr_processes group = processes.Core();
  this->Size = {this->Size.items, count, bytes, 0};
  tsr_estimate_agree(&this->Size, &group, HostNumber(), nullptr);
}

bool OutputSize::SetAtLeast(const Processes &processes, double bytesPerItem) {
  double most[2] = {bytesPerItem, std::min(tsr_memory_look(nullptr).available, this->Limit)};
  processes.Max(most, 2);
  this->Size = tsr_estimate_ended(this->Size.items, most[1], most[0]);
  return this->Size.bytes >= this->Limit;
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
} // namespace tessera
