/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints a report of made-up devices and ends with its status, as tessera-report does.
 *  Use: made_report KIND [--json]; KIND: good, broken, miscounted, mute or none. */
#include "report_print.h"

#include <string.h>

static tsr_devices devices;

static void make(int d, const char *kind) {
  tsr_device *it = &devices.device[d];
  it->index = d;
  strcpy(it->name, "Made \"GPU\" \\ with a tab\t, \xc3\xa9 and \x01");
  it->usable = it->launches = 1;
  it->saxpy_rate = 4.0e12;
  it->paged_upload = -1.0;
  it->memory_bytes = (int64_t)3 << 30;
  it->launch_rate = 3000000.0;
  it->deepest_nesting = 64;
  it->diverge_expected = it->diverge_got = 213760;
  if (strcmp(kind, "miscounted") == 0)
    it->diverge_got = 0;
  if (strcmp(kind, "mute") == 0)
    it->launches = 0;
  if (strcmp(kind, "broken") == 0) {
    it->usable = it->launches = 0;
    strcpy(it->problem, "it is broken");
    strcpy(devices.problem, it->problem);
  }
}

int main(int argc, char **argv) {
  const char *kind = argc > 1 ? argv[1] : "good";
  tsr_device_report(&devices);
  devices.problem[0] = '\0';
  devices.count = strcmp(kind, "none") == 0 ? 0 : 2;
  if (devices.count > 0)
    make(0, "good");
  if (devices.count > 0)
    make(1, kind);
  if (strcmp(kind, "broken") == 0)
    make(0, kind);
  if (argc > 2)
    report_print_json(stdout, &devices);
  else
    report_print_text(stdout, &devices);
  return report_status(&devices);
}
