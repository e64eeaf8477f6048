// SPDX-License-Identifier: BSD-3-Clause
/** The report of one execution, over all datasets and processes. */
#ifndef TesseraReport_h
#define TesseraReport_h

#include "tessera.h"

#include <string>

namespace tessera {

class Processes;

/** The core's summary, in words. */
class Report {
public:
  Report() { tsr_summary_init(&this->Sum); }

  /** Adds what ran for one dataset. Its tolerance scale is left to the filter. */
  void Add(const tsr_report &one) { tsr_summary_add(&this->Sum, &one, tsr_devices_present()); }

  /** Adds up over all processes. Collective. */
  void Agree(const Processes &processes);

  /** The numbers; what concerns CUDA is that of the lowest process that used it. */
  const tsr_report &Core() const { return this->Sum.total; }

  /** A number by the name that tsr_report_fields has for it. */
  double Number(const char *name) const;

  /** Is that a whole number? */
  static bool IsCount(const char *name);

  void SetThreads(int threads) { this->Sum.total.threads = threads; }
  void SetToleranceScale(double scale) { this->Sum.total.tolerance_scale = scale; }

  /** Did any dataset of any process go through CUDA? */
  bool UsedCUDA() const { return this->Sum.on_cuda > 0; }

  /** What the core says of it. */
  std::string Text(tsr_summary_word word) const;

  /** How many different devices were in use. */
  int Devices() const { return this->Sum.devices; }

  /** What the CPU did where a device did the rest; empty where there was nothing. */
  std::string ByCPU() const { return this->Sum.total.by_cpu; }

  /** Why Auto took the CPU though CUDA is built in; empty where it did not. */
  std::string Fallback() const { return this->Sum.total.fallback; }

  /** A sentence that says so, on process 0; empty where there is nothing to say. */
  std::string Warning() const;

  /** Is the reason that there is no device at all? */
  bool NoDevice() const { return this->Sum.fallback == TSR_FALLBACK_NO_DEVICE; }

private:
  static const tsr_property *Find(const char *name);

  tsr_summary Sum;
  int Rank = 0, Ranks = 1;
};

} // namespace tessera

#endif
