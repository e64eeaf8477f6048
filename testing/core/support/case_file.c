/* SPDX-License-Identifier: BSD-3-Clause */
#include "case_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, HEADER_BYTES = 64 + 3 * 8 };

/** VTK's cell types (vtkCellType.h). */
enum { VTK_BEZIER_CURVE = 75 };

int case_file_open(case_file *file, const char *name) {
  char path[4096];
  const char *folder = getenv("TESSERA_CASES_BIN");
  memset(file, 0, sizeof *file);
  if (folder == NULL) {
    printf("skipped: TESSERA_CASES_BIN names no folder with the converted cases\n");
    return 0;
  }
  snprintf(path, sizeof path, "%s/%s.bin", folder, name);
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) {
    printf("skipped: there is no %s\n", path);
    return 0;
  }
  fseek(stream, 0, SEEK_END);
  const long size = ftell(stream);
  rewind(stream);
  file->bytes = malloc(size > 0 ? (size_t)size : 1);
  const size_t got = file->bytes == NULL ? 0 : fread(file->bytes, 1, (size_t)size, stream);
  fclose(stream);
  if (size <= 0 || got != (size_t)size) {
    printf("cannot read %s\n", path);
    exit(1);
  }
  file->size = size;
  return 1;
}

void case_file_close(case_file *file) {
  free(file->bytes);
  memset(file, 0, sizeof *file);
}

tsr_array case_file_array(const case_file *file, const char *name) {
  tsr_array array = {NULL, TSR_INT8, 1, 0};
  int64_t at = 0;
  while (at + HEADER_BYTES <= file->size) {
    int64_t numbers[3];
    memcpy(numbers, file->bytes + at + NAME_BYTES, sizeof numbers);
    const int64_t bytes = numbers[1] * numbers[2] * (int64_t)tsr_type_size((tsr_type)numbers[0]);
    if (strncmp(file->bytes + at, name, NAME_BYTES) == 0) {
      array.data = file->bytes + at + HEADER_BYTES;
      array.type = (tsr_type)numbers[0];
      array.components = (int)numbers[1];
      array.tuples = numbers[2];
      return array;
    }
    at += HEADER_BYTES + (bytes + 7) / 8 * 8;
  }
  return array;
}

void case_file_curves(const case_file *file, tsr_curve_kind line_kind, curve_set *set) {
  const tsr_array points = case_file_array(file, "points");
  const tsr_array offsets = case_file_array(file, "offsets");
  const tsr_array ids = case_file_array(file, "connectivity");
  const tsr_array types = case_file_array(file, "types");
  const tsr_array weights = case_file_array(file, "p:RationalWeights");
  const int64_t *ends = offsets.data;
  double *xyz = malloc((size_t)points.tuples * 3 * sizeof *xyz);
  for (int64_t i = 0; i < 3 * points.tuples; i++) {
    xyz[i] = points.type == TSR_FLOAT ? (double)((const float *)points.data)[i]
                                      : ((const double *)points.data)[i];
  }
  curve_set_add_points(set, (int)points.tuples, xyz);
  free(xyz);
  for (int64_t i = 0; weights.data != NULL && i < weights.tuples; i++) {
    set->weights[i] = ((const double *)weights.data)[i];
    set->rational = 1;
  }
  for (int64_t i = 0; i + 1 < offsets.tuples; i++) {
    const int bezier = types.data != NULL && ((const uint8_t *)types.data)[i] == VTK_BEZIER_CURVE;
    curve_set_add_ids(set, bezier ? TSR_KIND_BEZIER : line_kind, (int)(ends[i + 1] - ends[i]),
                      (const int64_t *)ids.data + ends[i]);
  }
}
