// SPDX-License-Identifier: BSD-3-Clause
/** The core's messages between processes, over the global controller. */
#ifndef TesseraMessages_h
#define TesseraMessages_h

#include <cstdint>

namespace tessera {

/** As tsr_gather; the context is not used. */
int GatherBytes(void *context, const void *mine, int64_t bytes, void *all, const int64_t *sizes);

/** As tsr_pointgrid_options::exchange; the context is not used. */
int ExchangeBytes(void *context, const void *send, const int64_t *sendBytes, void *receive,
                  const int64_t *receiveBytes);

} // namespace tessera

#endif
