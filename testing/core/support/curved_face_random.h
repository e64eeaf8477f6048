/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved faces at random. */
#ifndef TESSERA_TEST_CURVED_FACE_RANDOM_H
#define TESSERA_TEST_CURVED_FACE_RANDOM_H

#include <stdint.h>

#include "curved_face.h"

/** A face near the unit square or triangle, whose nodes are off their places by up to `noise`.
 * Every second one is made hard. Raises *seed by the numbers that it takes. */
curved_face curved_face_random(uint64_t *seed, double noise);

#endif
