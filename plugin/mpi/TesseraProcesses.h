// SPDX-License-Identifier: BSD-3-Clause
/** The processes that run a filter together, and what they agree on. */
#ifndef TesseraProcesses_h
#define TesseraProcesses_h

#include "mpi/TesseraMessages.h"
#include "tessera.h"

#include <vtkType.h>

#include <set>
#include <string>
#include <vector>

class vtkMultiProcessController;

namespace tessera {

/**
 * Collective calls over the global controller. Every process has to make the same calls in the
 * same order; with one process, or no controller, they return at once.
 */
class Processes {
public:
  Processes();

  int Rank() const { return this->LocalRank; }
  int Count() const { return this->NumberOfProcesses; }

  /** The same for the core. */
  tsr_processes Core() const {
    return {this->NumberOfProcesses, this->LocalRank, GatherBytes, ExchangeBytes, nullptr};
  }

  void Sum(vtkIdType *values, int n) const;
  void Max(double *values, int n) const;

  /** Is it so on any process? */
  bool Any(bool mine) const;

  /** The values of every process, one after the other. */
  std::vector<vtkIdType> Gather(const std::vector<vtkIdType> &values) const;

  /** The bytes of every process, one after the other. Throws std::bad_alloc where there is no
   * memory for them. */
  std::string Concatenate(const std::string &mine) const;

  /** On process 0 the numbers of all, one process after the other; on the others nothing. */
  std::vector<double> CollectNumbers(const std::vector<double> &mine) const;

  /** On process 0 the texts of all; on the others nothing. */
  void Collect(std::set<std::string> &texts) const;

  /** Every process gets the bytes of process `source`. */
  void Broadcast(void *bytes, size_t size, int source) const;

  /**
   * True where no process has failed. Otherwise error.status is not OK on any process afterwards,
   * and `sentence` receives what to tell the user: on the failing processes their own text, unless
   * it is that of the lowest one, on process 0 that, elsewhere and after an abort nothing.
   */
  bool Agree(tsr_error &error, std::string &sentence) const;

  /** The same within a step, which leaves the sentence to its end: where another process has
   * failed, the status becomes ABORTED. */
  bool AllFine(tsr_error &error) const;

private:
  vtkMultiProcessController *Controller;
  int LocalRank = 0;
  int NumberOfProcesses = 1;
};

/** A number made of the name of the machine: the same on every process there. */
vtkIdType HostNumber();

/** The number of this process among those of its machine. Collective. */
vtkIdType NodeLocalRank(const Processes &processes);

/** Throws std::bad_alloc where less memory than `bytes` is available. */
void RequireMemory(double bytes);

/**
 * Do the `bytes` that this process's output of `points` points takes, together with those of the
 * other processes on the same host, fit into the memory available? Collective. Where they do not,
 * `error` says so with numbers.
 */
void CheckMemory(const Processes &processes, double points, double bytes, tsr_error &error);

} // namespace tessera

#endif
