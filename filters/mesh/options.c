/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the caller's structs, and sentences of notes. */
#include "mesh/mesh.h"

#include <stdio.h>
#include <string.h>

void tsr_mesh_view_init(tsr_mesh_view *view) {
  memset(view, 0, sizeof *view);
  view->struct_size = sizeof *view;
  view->index_type = TSR_INT64;
}

void tsr_mesh_options_init(tsr_mesh_options *options) {
  memset(options, 0, sizeof *options);
  options->struct_size = sizeof *options;
  options->levels = 4;
  options->keep_bytes = 1 << 30;
  for (int a = 0; a < 3; ++a) {
    options->bounds[2 * a] = 1.0;
    options->bounds[2 * a + 1] = -1.0;
  }
}

void tsr_mesh_output_init(tsr_mesh_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
}

void tsr_mesh_note_sentence(tsr_mesh_note note, tsr_note_count count, char *text, size_t size) {
  static const char *const texts[TSR_MESH_NOTES] = {
      "%lld cells have a point whose coordinates are not finite, first cell %lld: they are ignored",
      "%lld cells have no volume, first cell %lld: they give no values to corners inside",
      "%lld cells have negative volume, first cell %lld: they are taken as if turned round",
      "%lld cells are of kinds that are not supported, first cell %lld: they are ignored"};
  static const char *const single[TSR_MESH_NOTES] = {
      "cell %lld has a point whose coordinates are not finite: it is ignored",
      "cell %lld has no volume: it gives no values to corners inside",
      "cell %lld has negative volume: it is taken as if turned round",
      "cell %lld is of a kind that is not supported: it is ignored"};
  if (count.count == 1)
    snprintf(text, size, single[note], (long long)count.first);
  else if (count.count > 1)
    snprintf(text, size, texts[note], (long long)count.count, (long long)count.first);
}
