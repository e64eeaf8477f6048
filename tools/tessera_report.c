/* SPDX-License-Identifier: BSD-3-Clause */
/** tessera-report: the CUDA devices of this machine, for people and for job scripts. */
#include "report_print.h"

#include <string.h>

static const char help[] =
    "Usage: tessera-report [--json] [--quick]\n"
    "\n"
    "Lists the CUDA devices of this machine, tries on each whether Tessera can use it,\n"
    "measures it (about half a second a device) and lets kernels there check themselves.\n"
    "\n"
    "  --json     print JSON; what is not known is null\n"
    "  --quick    list and try only; measure nothing\n"
    "  --help     print this and end\n"
    "  --version  print the version and end\n"
    "\n"
    "Exit status: 0 at least one device can be used, 1 none can, 2 the command line is\n"
    "wrong, 3 a self-check failed on a device, 4 the report could not be written.\n";

/** The status, or that of the output: a full disk must not pass for a device that works. */
static int ended(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  fputs("tessera-report: the report could not be written\n", stderr);
  return REPORT_NOT_WRITTEN;
}

int main(int argc, char **argv) {
  static tsr_devices devices;
  int json = 0, quick = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0) {
      json = 1;
    } else if (strcmp(argv[i], "--quick") == 0) {
      quick = 1;
    } else if (strcmp(argv[i], "--help") == 0) {
      fputs(help, stdout);
      return ended(0);
    } else if (strcmp(argv[i], "--version") == 0) {
      puts("tessera-report " TESSERA_VERSION);
      return ended(0);
    } else {
      fprintf(stderr, "tessera-report: there is no option '%s'; --help lists them\n", argv[i]);
      return REPORT_USAGE;
    }
  }
  tsr_device_report(&devices);
  if (!quick)
    tsr_device_measure(&devices);
  if (json)
    report_print_json(stdout, &devices);
  else
    report_print_text(stdout, &devices);
  return ended(report_status(&devices));
}
