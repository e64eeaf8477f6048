/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the table of what the user sets. */
#include "cells/tessera_cells.h"
#include "common/support.h"

#include <math.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_cells_options, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)
#define BYTES(NAME, MEMBER, LEAST, MOST, VALUE) /* shown in MiB */                                 \
  TSR_PROPERTY(tsr_cells_options, NAME, MEMBER, INT64, 1, 1 << 20, LEAST, MOST, VALUE)

static const tsr_property properties[] = {
    ONE(OutputType, output, CHOICE, 1, 0, TSR_CELLS_VOLUMES, TSR_CELLS_SURFACE),
    ONE(UseChordError, use_chord_error, INT, 1, 0, 1, 1),
    ONE(ChordError, chord_error, DOUBLE, 1, 0, INFINITY, 0.001),
    ONE(ChordErrorMode, chord_relative, CHOICE, 1, 0, 1, 1),
    ONE(UseFieldError, use_field_error, INT, 1, 0, 1, 1),
    ONE(FieldError, field_error, DOUBLE, 1, 0, INFINITY, 0.01),
    ONE(FieldErrorMode, field_relative, CHOICE, 1, 0, 1, 1),
    ONE(UseNormalAngle, use_normal_angle, INT, 1, 0, 1, 0),
    ONE(NormalAngle, normal_angle, DOUBLE, 1, 0, 180, 15),
    ONE(UseMaximumEdgeLength, use_max_length, INT, 1, 0, 1, 0),
    ONE(MaximumEdgeLength, max_length, DOUBLE, 1, 0, INFINITY, 1),
    ONE(MaximumSegments, max_segments, INT, 1, 1, 4096, 1024),
    ONE(MergePoints, merge_points, INT, 1, 0, 1, 0),
    BYTES(KeepInputOnDevice, keep_bytes, 0, INFINITY, 1 << 30)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_cells_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_cells_options_init(tsr_cells_options *options) {
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
}
