/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: an exchange between processes made of messages from one to another. A part of the
 * public header; include tessera.h. */
#ifndef TESSERA_LETTERS_H
#define TESSERA_LETTERS_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Messages that may wait until the other side takes part. Each returns 0, or not 0 if it failed.
 */
typedef struct tsr_letters {
  int n, rank; /**< how many processes there are, and which one this is */
  int (*send)(void *context, const void *bytes, int64_t n, int to);
  int (*receive)(void *context, void *bytes, int64_t n, int from);
  void *context; /**< of both */
} tsr_letters;

/** An exchange as tsr_exchange describes it. In each of the rounds every process has one partner,
 *  and the lower one of the two sends first, so nobody waits for one who waits. */
int tsr_exchange_letters(const tsr_letters *letters, const void *send, const int64_t *send_bytes,
                         void *receive, const int64_t *receive_bytes);

#ifdef __cplusplus
}
#endif
#endif
