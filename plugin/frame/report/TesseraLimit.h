// SPDX-License-Identifier: BSD-3-Clause
/** How large an output would be, over all processes, and whether that is too large. */
#ifndef TesseraLimit_h
#define TesseraLimit_h

#include "mpi/TesseraProcesses.h"
#include "tessera.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

/** Tolerances in use, as the panel names them. */
using Tolerances = std::vector<tsr_tolerance>;

class OutputSize {
public:
  /** limit: largest number of bytes on a machine. items: what is counted, such as "cells". */
  OutputSize(double limit, const char *items) : Limit(limit) { this->Size.items = items; }

  /** Sets the size of this process's output. Collective: the count becomes the sum over all
   * processes, the bytes those of the machine that needs most. */
  void Set(const Processes &processes, double count, double bytes);

  /** To be called instead of Set if counting stopped because the limit, or the available memory,
   * was exceeded: the size is then a lower bound, in items of `bytesPerItem`. Returns false if less
   * memory is available than the limit allows, so that the memory was exceeded. Collective. */
  bool SetAtLeast(const Processes &processes, double bytesPerItem);

  /** Sets the size from `datasets`, pointers that may be NULL to objects with Items(), Bytes() and
   * BytesPerItem(). counted: each has a plan; otherwise as SetAtLeast. Collective. */
  template <class Dataset>
  bool SetFrom(const Processes &processes, const std::vector<std::unique_ptr<Dataset>> &datasets,
               bool counted) {
    double items = 0.0, bytes = 0.0, each = 0.0;
    for (const auto &dataset : datasets) {
      items += dataset && counted ? dataset->Items() : 0.0;
      bytes += dataset && counted ? dataset->Bytes() : 0.0;
      each = dataset ? std::max(each, dataset->BytesPerItem()) : each;
    }
    if (!counted) {
      return this->SetAtLeast(processes, each);
    }
    this->Set(processes, items, bytes);
    return true;
  }

  bool Fits() const { return tsr_estimate_fits(&this->Size, this->Limit) != 0; }

  /** How many of `items`, the number over all processes, fit into the limit; at least 1. */
  double ItemsThatFit(double items) const {
    return tsr_estimate_items(&this->Size, this->Limit, items);
  }

  double Count() const { return this->Size.count; }

  /** The size as a sentence. */
  std::string Sentence() const;

  /** The end of an error message: why the output is not made, what the tolerances times `scale`
   * would be, which fits, and `otherwise`. */
  std::string Refusal(const Tolerances &tolerances, double scale,
                      const std::string &otherwise) const;

private:
  double Limit;
  tsr_estimate Size = {"", 0.0, 0.0, 0};
};

} // namespace tessera

#endif
