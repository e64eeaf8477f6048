// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/TesseraMessages.h"

#include <vtkMultiProcessController.h>

#include <vector>

namespace tessera {

int GatherBytes(void *, const void *mine, int64_t bytes, void *all, const int64_t *sizes) {
  vtkMultiProcessController *controller = vtkMultiProcessController::GetGlobalController();
  const size_t count = static_cast<size_t>(controller->GetNumberOfProcesses());
  std::vector<vtkIdType> lengths(sizes, sizes + count), offsets(count, 0);
  for (size_t rank = 1; rank < count; ++rank) {
    offsets[rank] = offsets[rank - 1] + lengths[rank - 1];
  }
  // Some MPI reads the address even where there is nothing.
  char nothing = 0;
  const char *send = mine ? static_cast<const char *>(mine) : &nothing;
  char *receive = all ? static_cast<char *>(all) : &nothing;
  const int good = controller->AllGatherV(send, receive, static_cast<vtkIdType>(bytes),
                                          lengths.data(), offsets.data());
  return good ? 0 : 1;
}

} // namespace tessera
