/* SPDX-License-Identifier: BSD-3-Clause */
/** Labels of properties, and the sentences about choices that cannot be. */
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

static void check_label(const char *name, const char *expected) {
  char text[40];
  tsr_property_label(name, text, sizeof text);
  CHECK_SAY(strcmp(text, expected) == 0, "%s is '%s', not '%s'", name, text, expected);
}

static void labels(void) {
  char text[6];
  check_label("Points", "Points");
  check_label("ChildStream", "Child Stream");
  check_label("AMRBlockSize", "AMR Block Size");
  check_label("UseQCriterion", "Use Q Criterion");
  check_label("InterpretLinesAs", "Interpret Lines As");
  check_label("", "");
  tsr_property_label("ChildStream", text, sizeof text);
  CHECK(strcmp(text, "Child") == 0);
  tsr_property_label("AbcDe", text, sizeof text);
  CHECK_SAY(strcmp(text, "Abc D") == 0, "'%s' ends within its bytes", text);
}

typedef struct settings {
  int color, size;
} settings;

static void tables(void) {
  const tsr_property table[] = {TSR_PROPERTY(settings, PaintColor, color, CHOICE, 1, 1, 2, 4, 2),
                                TSR_PROPERTY(settings, Size, size, INT, 1, 1, 0, 9, 0)};
  tsr_error error = {TSR_OK, 0, ""};
  for (int color = -1; color < 7; color++) {
    const settings set = {color, 70}; /* what is no choice is not looked at */
    const int good = 2 <= color && color <= 4;
    CHECK_INT(tsr_properties_check(table, 2, &set, &error), good ? TSR_OK : TSR_BAD_OPTION);
    if (!good) {
      char text[80];
      snprintf(text, sizeof text, "Paint Color must be a number from 2 to 4, not %d.", color);
      CHECK_SAY(strcmp(error.text, text) == 0, "%s", error.text);
    }
  }
}

/** Checks what is said of choices, or that nothing is where `expected` is NULL. */
static void said(const tsr_filter_choices *choices, int strategy, int last, const char *expected) {
  tsr_error error = {TSR_OK, 0, ""};
  const tsr_status status =
      tsr_filter_choices_check(choices, strategy, last > 0 ? 3 : 0, last, &error);
  CHECK_INT(status, expected ? TSR_BAD_OPTION : TSR_OK);
  CHECK_SAY(!expected || strcmp(error.text, expected) == 0, "%s", error.text);
}

static void filters(void) {
  tsr_filter_choices good, bad;
  memset(&good, 0xa5, sizeof good);
  tsr_filter_choices_init(&good);
  CHECK(good.backend == TSR_BACKEND_AUTO && good.threads == 0 && good.device == -1 &&
        good.largest_output == 0);
  said(&good, 0, 0, NULL);
  said(&good, 0, 5, NULL);
  said(&good, 3, 5, NULL);
  said(&good, 5, 5, NULL);
  said(&good, 2, 5, "Launch Strategy must be 0 (Auto) or a number from 3 to 5, not 2.");
  said(&good, 6, 5, "Launch Strategy must be 0 (Auto) or a number from 3 to 5, not 6.");
  said(&good, 1, 0, "Launch Strategy must be 0 (Auto), not 1.");
  bad = good;
  bad.threads = -2;
  said(&bad, 0, 0, "Threads must be 0 (all) or more, not -2.");
  bad = good;
  bad.device = -3;
  said(&bad, 0, 0, "Device must be -1 (by process) or the index of a device, not -3.");
  bad = good;
  bad.largest_output = -4;
  said(&bad, 0, 0, "Largest Output must be 0 (a quarter of the memory) or more MiB, not -4.");
}

int main(void) {
  labels();
  tables();
  filters();
  return check_result();
}
