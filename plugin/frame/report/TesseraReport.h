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

  /** Adds the report of one dataset, except its tolerance scale, which the filter sets. */
  void Add(const tsr_report &one) { tsr_summary_add(&this->Sum, &one, tsr_devices_present()); }

  /** Adds up over all processes. Collective. */
  void Agree(const Processes &processes);

  /** The numbers of the report. Numbers about CUDA are from the lowest process that used it. */
  const tsr_report &Core() const { return this->Sum.total; }

  /** A number of the report, by its name in tsr_report_fields. */
  double Number(const char *name) const;

  /** True if the number of that name is an integer. */
  static bool IsCount(const char *name);

  void SetThreads(int threads) { this->Sum.total.threads = threads; }
  void SetToleranceScale(double scale) { this->Sum.total.tolerance_scale = scale; }

  /** True if any dataset of any process was processed with CUDA. */
  bool UsedCUDA() const { return this->Sum.on_cuda > 0; }

  /** A word or sentence of the core's summary. */
  std::string Text(tsr_summary_word word) const;

  /** Number of different devices that were used. */
  int Devices() const { return this->Sum.devices; }

  /** Which steps ran on the CPU although a device was used; empty if none. */
  std::string ByCPU() const { return this->Sum.total.by_cpu; }

  /** Why Auto chose the CPU although CUDA is built in; empty if it did not. */
  std::string Fallback() const { return this->Sum.total.fallback; }

  /** A warning about such a fallback, on process 0; empty if there is nothing to say. */
  std::string Warning() const;

  /** True if Auto chose the CPU because there is no device. */
  bool NoDevice() const { return this->Sum.fallback == TSR_FALLBACK_NO_DEVICE; }

private:
  static const tsr_property *Find(const char *name);

  tsr_summary Sum;
  int Rank = 0, Ranks = 1;
};

} // namespace tessera

#endif
