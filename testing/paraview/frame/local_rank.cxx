// SPDX-License-Identifier: BSD-3-Clause
// Which of the processes of its machine a process is: it takes a GPU by that number.
#include "mpi/TesseraLocalRank.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

int Failures = 0;

void Check(bool good, const char *what) {
  if (!good) {
    std::printf("FAILED: %s\n", what);
    ++Failures;
  }
}

bool RanksAre(const std::vector<tessera::Place> &places, const std::vector<int64_t> &expected) {
  bool same = places.size() == expected.size();
  for (size_t i = 0; same && i < places.size(); ++i) {
    same = tessera::LocalRank(places, i) == expected[i];
  }
  return same;
}

void Set(const char *name, const char *value) {
  if (value) {
    setenv(name, value, 1);
  } else {
    unsetenv(name);
  }
}

void CheckLauncher() {
  Set("OMPI_COMM_WORLD_LOCAL_RANK", nullptr);
  Set("MPI_LOCALRANKID", nullptr);
  Set("MV2_COMM_WORLD_LOCAL_RANK", nullptr);
  Set("SLURM_LOCALID", nullptr);
  Check(tessera::LauncherLocalRank() == -1, "no launcher, no number");
  Set("SLURM_LOCALID", "5");
  Check(tessera::LauncherLocalRank() == 5, "Slurm");
  Set("MPI_LOCALRANKID", "4");
  Check(tessera::LauncherLocalRank() == 4, "MPICH, in a job of Slurm");
  Set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
  Check(tessera::LauncherLocalRank() == 0, "Open MPI, and 0 is a number");
  Set("OMPI_COMM_WORLD_LOCAL_RANK", "two");
  Check(tessera::LauncherLocalRank() == 4, "no number: the next one");
}

void CheckRanks() {
  Check(RanksAre({{7, -1}}, {0}), "one process");
  Check(RanksAre({{7, 3}}, {3}), "one of several programs that share a machine by their launcher");
  Check(RanksAre({{7, -1}, {7, -1}, {7, -1}}, {0, 1, 2}), "in the order of the ranks");
  Check(RanksAre({{7, -1}, {9, -1}, {7, -1}, {9, -1}}, {0, 0, 1, 1}), "two machines in turn");
  Check(RanksAre({{7, 1}, {9, 0}, {7, 0}, {9, 1}}, {1, 0, 0, 1}), "the launcher's own order");
  Check(RanksAre({{7, 0}, {7, 0}, {7, 0}}, {0, 1, 2}), "inherited numbers");
  Check(RanksAre({{7, 0}, {7, -1}, {9, 1}, {9, 0}}, {0, 1, 1, 0}), "only some have a number");
}

} // namespace

int main() {
  CheckLauncher();
  CheckRanks();
  return Failures > 0 ? 1 : 0;
}
