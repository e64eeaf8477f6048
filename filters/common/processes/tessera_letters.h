/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: an all-to-all exchange made of point-to-point messages. A part of the public header;
 *  include tessera.h. */
#ifndef TSR_COMMON_PROCESSES_TESSERA_LETTERS_H
#define TSR_COMMON_PROCESSES_TESSERA_LETTERS_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Blocking point-to-point messages: send may wait until the receiver takes part. Both callbacks
 *  return 0, or not 0 if they failed. */
typedef struct tsr_letters {
  int n, rank; /**< how many processes there are, and which one this is */
  int (*send)(void *context, const void *bytes, int64_t n, int to);
  int (*receive)(void *context, void *bytes, int64_t n, int from);
  void *context; /**< first argument of both callbacks */
} tsr_letters;

/** Implements tsr_exchange by messages. The exchange goes in rounds: in each round a process has
 * one partner, and the one of lower rank sends first. So no two processes wait for each other. */
int tsr_exchange_letters(const tsr_letters *letters, const void *send, const int64_t *send_bytes,
                         void *receive, const int64_t *receive_bytes);

#ifdef __cplusplus
}
#endif
#endif
