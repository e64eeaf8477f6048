// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/TesseraMessages.h"

#include "tessera.h"

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

namespace {

const int TAG = 7301;

int SendTo(void *, const void *bytes, int64_t n, int to) {
  return vtkMultiProcessController::GetGlobalController()->Send(static_cast<const char *>(bytes),
                                                                static_cast<vtkIdType>(n), to, TAG)
             ? 0
             : 1;
}

int ReceiveFrom(void *, void *bytes, int64_t n, int from) {
  return vtkMultiProcessController::GetGlobalController()->Receive(
             static_cast<char *>(bytes), static_cast<vtkIdType>(n), from, TAG)
             ? 0
             : 1;
}

} // namespace

int ExchangeBytes(void *, const void *send, const int64_t *sendBytes, void *receive,
                  const int64_t *receiveBytes) {
  vtkMultiProcessController *controller = vtkMultiProcessController::GetGlobalController();
  const tsr_letters letters = {controller->GetNumberOfProcesses(), controller->GetLocalProcessId(),
                               SendTo, ReceiveFrom, nullptr};
  return tsr_exchange_letters(&letters, send, sendBytes, receive, receiveBytes);
}

} // namespace tessera
