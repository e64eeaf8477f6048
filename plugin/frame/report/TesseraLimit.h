// SPDX-License-Identifier: BSD-3-Clause
/** How large an output would be, over all processes, and whether that is too large. */
#ifndef TesseraLimit_h
#define TesseraLimit_h

#include "mpi/TesseraProcesses.h"
#include "tessera.h"

#include <string>
#include <vector>

namespace tessera {

/** Tolerances in use, as the panel names them. */
using Tolerances = std::vector<tsr_tolerance>;

class OutputSize {
public:
  /** limit: most bytes on a machine. items: what is counted. */
  OutputSize(double limit, const char *items) : Limit(limit) { this->Size.items = items; }

  /** What the output of this process takes. Collective: the count is that of all processes, the
   *  bytes those of the machine with the most. */
  void Set(const Processes &processes, double count, double bytes);

  /** Where the count ended since the limit, or the available memory, was full: that much, or more,
   *  in items of `bytesPerItem`. False where less memory is available than the limit allows: then
   *  the memory is what was exceeded. Collective. */
  bool SetAtLeast(const Processes &processes, double bytesPerItem);

  bool Fits() const { return tsr_estimate_fits(&this->Size, this->Limit) != 0; }

  /** How many of `items`, all processes together, the limit leaves room for; 1 at least. */
  double ItemsThatFit(double items) const {
    return tsr_estimate_items(&this->Size, this->Limit, items);
  }

  double Count() const { return this->Size.count; }

  /** The size as a sentence. */
  std::string Sentence() const;

  /** Why it is not made: the end of a sentence. Each tolerance times `scale` would fit. */
  std::string Refusal(const Tolerances &tolerances, double scale,
                      const std::string &otherwise) const;

private:
  double Limit;
  tsr_estimate Size = {"", 0.0, 0.0, 0};
};

} // namespace tessera

#endif
