/* SPDX-License-Identifier: BSD-3-Clause */
/** The bits of VTK's ghost arrays (vtkDataSetAttributes.h), and the tolerance of datasets whose
 * cells are to lie in one lattice. Not public. */
#ifndef TSR_COMMON_GHOSTS_H
#define TSR_COMMON_GHOSTS_H

#include <stdint.h>

enum { TSR_GHOST_COPY = 1, TSR_GHOST_HIDDEN_POINT = 2, TSR_GHOST_HIDDEN_CELL = 32 | 8 };

/** 1 if flags of a cell hide it, or say that other cells refine it. */
static inline int tsr_is_hidden_cell(uint8_t flags) { return (flags & TSR_GHOST_HIDDEN_CELL) != 0; }

/** 1 if flags of a point hide it, and with it the cells that have it. */
static inline int tsr_is_hidden_point(uint8_t flags) {
  return (flags & TSR_GHOST_HIDDEN_POINT) != 0;
}

/** 1 if flags of a cell say that it is a copy of one of another process or block. */
static inline int tsr_is_copy(uint8_t flags) { return (flags & TSR_GHOST_COPY) != 0; }

/** How far coordinates may be from where they belong, as a fraction of the largest one: 16
 *  roundings of single precision (2^-24), which sums of spacings add up to; texts with six digits
 *  are as exact. */
#define TSR_LATTICE_TOLERANCE 1e-6

/** Most cells of the finest level along an axis, as a power of 2: indices have 32 bits. */
enum { TSR_LATTICE_BITS = 30 };

#endif
