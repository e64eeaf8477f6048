// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/TesseraMessages.h"

#include <vtkMultiProcessController.h>

#include <algorithm>
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

/** Where the bytes of each process begin. */
std::vector<int64_t> Begins(const int64_t *sizes, size_t count) {
  std::vector<int64_t> begins(1, 0);
  for (size_t rank = 0; rank < count; ++rank) {
    begins.push_back(begins.back() + sizes[rank]);
  }
  return begins;
}

} // namespace

int ExchangeBytes(void *, const void *send, const int64_t *sendBytes, void *receive,
                  const int64_t *receiveBytes) {
  vtkMultiProcessController *controller = vtkMultiProcessController::GetGlobalController();
  const int count = controller->GetNumberOfProcesses(), mine = controller->GetLocalProcessId();
  const std::vector<int64_t> from = Begins(sendBytes, static_cast<size_t>(count));
  const std::vector<int64_t> to = Begins(receiveBytes, static_cast<size_t>(count));
  const char *out = static_cast<const char *>(send);
  char *in = static_cast<char *>(receive);
  bool good = true;
  std::copy_n(out + from[static_cast<size_t>(mine)], sendBytes[mine],
              in + to[static_cast<size_t>(mine)]);
  // In each round every process has one partner, and the lower one of the two sends first.
  int rounds = 1;
  while (rounds < count) {
    rounds *= 2;
  }
  for (int round = 1; round < rounds; ++round) {
    const int partner = mine ^ round;
    for (const bool sends : {mine<partner, mine> partner}) {
      if (partner >= count) {
        continue;
      }
      if (sends && sendBytes[partner] > 0) {
        good = controller->Send(out + from[static_cast<size_t>(partner)],
                                static_cast<vtkIdType>(sendBytes[partner]), partner, TAG) != 0 &&
               good;
      } else if (!sends && receiveBytes[partner] > 0) {
        good =
            controller->Receive(in + to[static_cast<size_t>(partner)],
                                static_cast<vtkIdType>(receiveBytes[partner]), partner, TAG) != 0 &&
            good;
      }
    }
  }
  return good ? 0 : 1;
}

} // namespace tessera
