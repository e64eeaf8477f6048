/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_print.h"

#include <ctype.h>

int report_status(const tsr_devices *devices) {
  int usable = 0;
  for (int d = 0; d < devices->count; d++)
    usable += devices->device[d].usable;
  if (tsr_device_checks_failed(devices) > 0)
    return REPORT_CHECK_FAILED;
  return usable > 0 ? REPORT_USABLE : REPORT_NONE;
}

static void print_text_value(FILE *to, const tsr_device_field *field,
                             const tsr_device_value *value) {
  if (field->type == TSR_DEVICE_TEXT)
    fputs(value->text[0] ? value->text : "-", to);
  else if (field->type == TSR_DEVICE_INTEGER)
    fprintf(to, "%lld", (long long)value->integer);
  else
    fprintf(to, value->real < 1e6 ? "%.2f" : "%.0f", value->real);
  if (field->unit[0])
    fprintf(to, " %s", field->unit);
}

void report_print_text(FILE *to, const tsr_devices *devices) {
  int n;
  const tsr_device_field *fields = tsr_device_fields(&n);
  for (int row = 0; row < tsr_device_rows(devices); row++) {
    if (row > 0)
      fputc('\n', to);
    for (int f = 0; f < n; f++) {
      tsr_device_value value;
      tsr_device_value_get(devices, row, f, &value);
      if (!value.known)
        continue;
      fprintf(to, "%-26s", fields[f].name);
      print_text_value(to, &fields[f], &value);
      fputc('\n', to);
    }
  }
}

/** Any bytes as a JSON string: what is not printable ASCII becomes a question mark. */
static void print_string(FILE *to, const char *text) {
  fputc('"', to);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', to);
    fputc(*text >= 32 && *text < 127 ? *text : '?', to);
  }
  fputc('"', to);
}

/** "Memory", "MiB" is memory_mib: small letters and digits, the rest underscores. */
static void print_key(FILE *to, const tsr_device_field *field) {
  fputc('"', to);
  for (const char *c = field->name; *c; c++)
    fputc(isalnum((unsigned char)*c) ? tolower((unsigned char)*c) : '_', to);
  if (field->unit[0])
    fputc('_', to);
  for (const char *c = field->unit; *c; c++)
    fputc(isalnum((unsigned char)*c) ? tolower((unsigned char)*c) : '_', to);
  fputs("\": ", to);
}

static void print_json_value(FILE *to, const tsr_device_field *field,
                             const tsr_device_value *value) {
  if (!value->known)
    fputs("null", to);
  else if (field->type == TSR_DEVICE_TEXT)
    print_string(to, value->text);
  else if (field->type == TSR_DEVICE_INTEGER)
    fprintf(to, "%lld", (long long)value->integer);
  else
    fprintf(to, "%.9g", value->real);
}

void report_print_json(FILE *to, const tsr_devices *devices) {
  int n;
  const tsr_device_field *fields = tsr_device_fields(&n);
  fputs("{\n  \"version\": ", to);
  print_string(to, TESSERA_VERSION);
  fprintf(to, ",\n  \"built_with_cuda\": %s", devices->built ? "true" : "false");
  fprintf(to, ",\n  \"device_count\": %d", devices->count);
  fprintf(to, ",\n  \"checks_failed\": %d", tsr_device_checks_failed(devices));
  fputs(",\n  \"problem\": ", to);
  print_string(to, devices->problem);
  fputs(",\n  \"devices\": [", to);
  for (int row = 0; row < tsr_device_rows(devices); row++) {
    fputs(row > 0 ? ",\n    {" : "\n    {", to);
    for (int f = 0; f < n; f++) {
      tsr_device_value value;
      tsr_device_value_get(devices, row, f, &value);
      fputs(f > 0 ? ",\n      " : "\n      ", to);
      print_key(to, &fields[f]);
      print_json_value(to, &fields[f], &value);
    }
    fputs("\n    }", to);
  }
  fputs("\n  ]\n}\n", to);
}
