// SPDX-License-Identifier: BSD-3-Clause
/** The warnings of one execution. */
#ifndef TesseraWarningList_h
#define TesseraWarningList_h

#include <map>
#include <set>
#include <string>

namespace tessera {

/** Sentences for the user, each once, and why arrays are left out of the output. */
class WarningList {
public:
  void Add(const std::string &sentence) { this->Sentences.insert(sentence); }
  void Add(const WarningList &other);

  /** Warns that an array is left out. clause: the warning as the end of a sentence: "the point
   * array 'a' is not numeric and is left out". */
  void LeaveOut(const std::string &array, const std::string &clause);

  /** The clause with which an array was left out; empty if it was not. */
  std::string WhyLeftOut(const std::string &array) const;

  std::set<std::string> &All() { return this->Sentences; }
  const std::set<std::string> &All() const { return this->Sentences; }

private:
  std::set<std::string> Sentences;
  std::map<std::string, std::string> Clauses; /**< by the name of the array */
};

} // namespace tessera

#endif
