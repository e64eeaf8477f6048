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

  /** This group of processes in the form that the core takes. */
  tsr_processes Core() const {
    return {this->NumberOfProcesses, this->LocalRank, GatherBytes, ExchangeBytes, nullptr};
  }

  void Sum(vtkIdType *values, int n) const;
  void Max(double *values, int n) const;

  /** True if `mine` is true on any process. */
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
   * Returns true if no process has failed. Otherwise error.status is not OK on any process
   * afterwards, and `sentence` receives the text for the user: on every failed process its own
   * error, unless it equals that of the lowest failed process; on process 0, if it has not failed,
   * the error of the lowest failed process; elsewhere, and after an abort, nothing.
   */
  bool Agree(tsr_error &error, std::string &sentence) const;

  /** Like Agree, but within a step, and without a text for the user, which the end of the step
   * provides. On processes that have not failed, the status becomes ABORTED if another one has. */
  bool AllFine(tsr_error &error) const;

private:
  vtkMultiProcessController *Controller;
  int LocalRank = 0;
  int NumberOfProcesses = 1;
};

/** A number computed from the machine's name: the same on every process of a machine. */
vtkIdType HostNumber();

/** The index of this process among the processes of its machine. Collective. */
vtkIdType NodeLocalRank(const Processes &processes);

/** Throws std::bad_alloc if fewer than `bytes` bytes of memory are available. */
void RequireMemory(double bytes);

/**
 * Checks that the outputs of all processes on this machine fit into its available memory. bytes:
 * what this process's output of `points` points takes. If they do not fit, `error` says so with
 * numbers. Collective.
 */
void CheckMemory(const Processes &processes, double points, double bytes, tsr_error &error);

} // namespace tessera

#endif
