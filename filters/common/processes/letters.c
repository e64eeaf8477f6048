/* SPDX-License-Identifier: BSD-3-Clause */
/** An exchange made of messages. */
#include "common/processes/tessera_letters.h"

#include <string.h>

/* Where the bytes for or from a process begin. */
static int64_t begin_of(const int64_t *sizes, int rank) {
  int64_t begin = 0;
  for (int k = 0; k < rank; ++k)
    begin += sizes[k];
  return begin;
}

int tsr_exchange_letters(const tsr_letters *letters, const void *send, const int64_t *send_bytes,
                         void *receive, const int64_t *receive_bytes) {
  const int n = letters->n, mine = letters->rank;
  const char *out = send;
  char *in = receive;
  int failed = 0, rounds = 1;
  if (send_bytes[mine] > 0)
    memcpy(in + begin_of(receive_bytes, mine), out + begin_of(send_bytes, mine),
           (size_t)send_bytes[mine]);
  while (rounds < n)
    rounds *= 2;
  for (int round = 1; round < rounds; ++round) {
    const int partner = mine ^ round;
    for (int turn = 0; turn < 2 && partner < n; ++turn) {
      const int sends = (turn == 0) == (mine < partner);
      if (sends && send_bytes[partner] > 0)
        failed |= letters->send(letters->context, out + begin_of(send_bytes, partner),
                                send_bytes[partner], partner);
      else if (!sends && receive_bytes[partner] > 0)
        failed |= letters->receive(letters->context, in + begin_of(receive_bytes, partner),
                                   receive_bytes[partner], partner);
    }
  }
  return failed;
}
