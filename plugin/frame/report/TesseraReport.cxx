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
  // A failure leaves out the report only; the next step finds out what is wrong.
  tsr_summary_agree(&this->Sum, &group, HostNumber(), nullptr);
}

std::string Report::Text(tsr_summary_word word) const {
  char text[TSR_SUMMARY_TEXT];
  tsr_summary_text(&this->Sum, word, text);
  return text;
}

std::string Report::Warning() const {
  char text[TSR_SUMMARY_TEXT];
  tsr_summary_warning(&this->Sum, this->Ranks, text);
  return this->Rank == 0 ? text : "";
}

} // namespace tessera
