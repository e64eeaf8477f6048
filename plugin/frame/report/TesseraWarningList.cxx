// SPDX-License-Identifier: BSD-3-Clause
#include "frame/report/TesseraWarningList.h"

#include <cctype>

namespace tessera {

void WarningList::Add(const WarningList &other) {
  this->Sentences.insert(other.Sentences.begin(), other.Sentences.end());
  this->Clauses.insert(other.Clauses.begin(), other.Clauses.end());
}

void WarningList::LeaveOut(const std::string &array, const std::string &clause) {
  std::string sentence = clause + ".";
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  this->Add(sentence);
  this->Clauses[array] = clause;
}

std::string WarningList::WhyLeftOut(const std::string &array) const {
  const auto found = this->Clauses.find(array);
  return found == this->Clauses.end() ? std::string() : found->second;
}

} // namespace tessera
