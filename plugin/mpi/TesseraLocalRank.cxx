// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/TesseraLocalRank.h"

#include <cstdlib>

namespace tessera {

int64_t LauncherLocalRank() {
  // Slurm's comes last: inside a batch job another launcher's processes inherit it.
  const char *names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                         "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"};
  for (const char *name : names) {
    const char *text = std::getenv(name);
    char *end = nullptr;
    const long number = text ? std::strtol(text, &end, 10) : -1;
    if (text && end != text && *end == '\0' && number >= 0) {
      return number;
    }
  }
  return -1;
}

int64_t LocalRank(const std::vector<Place> &places, size_t rank) {
  const Place &mine = places[rank];
  int64_t before = 0;
  bool differ = true;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].Host != mine.Host) {
      continue;
    }
    before += i < rank;
    differ = differ && places[i].Local >= 0;
    for (size_t k = 0; k < i; ++k) {
      differ = differ && (places[k].Host != mine.Host || places[k].Local != places[i].Local);
    }
  }
  return differ ? mine.Local : before;
}

} // namespace tessera
