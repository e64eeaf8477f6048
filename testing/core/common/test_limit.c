/* SPDX-License-Identifier: BSD-3-Clause */
/** Sizes and refusals in words: numbers read back from the sentence are those that were meant. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

static void check_bytes(double bytes, const char *expected) {
  char text[32];
  tsr_bytes_text(bytes, text, sizeof text);
  CHECK_SAY(strcmp(text, expected) == 0, "%.0f bytes are '%s', not '%s'", bytes, text, expected);
}

static void bytes(void) {
  check_bytes(0.0, "0 bytes");
  check_bytes(1023.0, "1023 bytes");
  check_bytes(1536.0, "1.5 KiB");
  check_bytes(104857600.0, "100 MiB");
  check_bytes(5.0 * 1073741824.0, "5.0 GiB");
  check_bytes(1e30, "867361737988 EiB");
}

static void estimates(void) {
  const tsr_estimate e = {"points", 1234567.0, 14814804.0, 0};
  char text[500];
  tsr_estimate_sentence(&e, 1073741824.0, text, sizeof text);
  CHECK_SAY(strcmp(text, "1,234,567 points, about 14.1 MiB of the 1.0 GiB allowed.") == 0, "%s",
            text);
  tsr_estimate_sentence(&e, INFINITY, text, sizeof text);
  CHECK_SAY(strcmp(text, "1,234,567 points, about 14.1 MiB.") == 0, "%s", text);
}

/* The number named is the least of three digits that is not below what fits. */
static void refusals(void) {
  const tsr_estimate e = {"cells", 2e9, 2.4e11, 1};
  const tsr_tolerance one[] = {
      {"Chord Error", 1e-7, NULL}, {"Turning Angle", 0.5, NULL}, {"Field Error", 3.0, NULL}};
  const tsr_tolerance parts[] = {{"Chord Error", 0.001, "the diagonal"},
                                 {"Turning Angle", 0.5, NULL},
                                 {"Field Error", 0.01, "the range"}};
  char text[500];
  for (double scale = 1.0; scale < 1e9; scale *= 1.37) {
    const char *at;
    double named;
    tsr_refusal_sentence(&e, 1e9, one, 1, scale, "?", text, sizeof text);
    at = strstr(text, "fit with Chord Error ");
    CHECK(at != NULL);
    named = at ? strtod(at + strlen("fit with Chord Error "), NULL) : 0.0;
    CHECK_SAY(named >= 1e-7 * scale * (1.0 - 1e-12) && named <= 1e-7 * scale * 1.0101,
              "%.17g for %.17g", named, 1e-7 * scale);
  }
  tsr_refusal_sentence(&e, 1073741824.0, one, 3, 2.0, "?", text, sizeof text);
  CHECK_SAY(strcmp(text, "the output would take more than 224 GiB (2,000,000,000 cells), more than "
                         "the 1.0 GiB of Largest Output: it would fit with Chord Error 2e-07, "
                         "Turning Angle 1 and Field Error 6") == 0,
            "%s", text);
  tsr_refusal_sentence(&e, 1e9, parts, 3, 250.0, "?", text, sizeof text);
  CHECK_SAY(strstr(text, "fit with Chord Error 0.25 of the diagonal, Turning Angle 125 and Field "
                         "Error 2.5 times the range") != NULL,
            "%s", text);
  tsr_refusal_sentence(&e, 1e9, one, 1, INFINITY, "take fewer levels", text, sizeof text);
  CHECK(strstr(text, "take fewer levels, or allow more") != NULL);
  tsr_refusal_sentence(&e, 1e9, NULL, 0, 2.0, "take fewer levels", text, 40);
  CHECK_INT(strlen(text), 39);
}

static void fits(void) {
  tsr_estimate e = {"cells", 1000.0, 4000.0, 0};
  CHECK(tsr_estimate_fits(&e, 4000.0) && !tsr_estimate_fits(&e, 3999.0));
  e.at_least = 1;
  CHECK(!tsr_estimate_fits(&e, 1e9));
  CHECK_NEAR(tsr_estimate_items(&e, 2000.0, 1000.0), 490.0, 1e-9);
  CHECK_NEAR(tsr_estimate_items(&e, 1e9, 1000.0), 980.0, 1e-9);
  CHECK(tsr_estimate_items(&e, 0.1, 1000.0) == 1.0);
  e.bytes = 0.0;
  CHECK_NEAR(tsr_estimate_items(&e, 1.0, 1000.0), 980.0, 1e-9);
  e = tsr_estimate_ended("points", 1e6, 8.0);
  CHECK(e.count == 125000.0 && e.bytes == 1e6 && e.at_least && strcmp(e.items, "points") == 0);
  CHECK(tsr_estimate_ended("points", 1e6, 0.0).count == 0.0);
}

int main(void) {
  bytes();
  estimates();
  refusals();
  fits();
  return check_result();
}
