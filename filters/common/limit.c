/* SPDX-License-Identifier: BSD-3-Clause */
/** The size of an output before it is made, in words. */
#include "common/tessera_limit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tsr_bytes_text(double bytes, char *text, size_t size) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (bytes >= 1024.0 && unit < 6) {
    bytes /= 1024.0;
    unit++;
  }
  snprintf(text, size, unit > 0 && bytes < 100.0 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

/* "1,234,567" */
static void count_text(double count, char text[40]) {
  char digits[32];
  size_t n, to = 0;
  snprintf(digits, sizeof digits, "%.0f", fmin(count, 1e18));
  n = strlen(digits);
  for (size_t k = 0; k < n; k++) {
    text[to++] = digits[k];
    if (k + 1 < n && (n - k - 1) % 3 == 0)
      text[to++] = ',';
  }
  text[to] = '\0';
}

/* The least number of three digits that is not below `value`. */
static void rounded_up(double value, char text[32]) {
  const double step = value > 0.0 ? pow(10.0, floor(log10(value)) - 2.0) : 0.0;
  const double up = value > 0.0 ? ceil(value / step - 1e-9) * step : value;
  snprintf(text, 32, "%.3g", up);
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
append(char *text, size_t size, const char *format, ...) {
  const size_t n = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + n, size - n, format, arguments);
  va_end(arguments);
}

/* "Field Error 0.01 of the range" */
static void tolerance_text(const tsr_tolerance *tolerance, double scale, char *text, size_t size) {
  char value[32];
  rounded_up(tolerance->value * scale, value);
  snprintf(text, size, "%s %s", tolerance->name, value);
  if (tolerance->of)
    append(text, size, " %s %s", tolerance->value * scale > 1.0 ? "times" : "of", tolerance->of);
}

static void size_text(const tsr_estimate *estimate, char text[100]) {
  char bytes[32], count[40];
  tsr_bytes_text(estimate->bytes, bytes, sizeof bytes);
  count_text(estimate->count, count);
  snprintf(text, 100, "%s%s (%s %s)", estimate->at_least ? "more than " : "", bytes, count,
           estimate->items);
}

int tsr_estimate_fits(const tsr_estimate *estimate, double limit) {
  return estimate->bytes <= limit && !estimate->at_least;
}

double tsr_estimate_items(const tsr_estimate *estimate, double limit, double items) {
  const double margin = 0.98;
  const double share = estimate->bytes > 0.0 ? limit / estimate->bytes : 1.0;
  return fmax(1.0, margin * items * fmin(share, 1.0));
}

tsr_estimate tsr_estimate_ended(const char *items, double available, double item_bytes) {
  const tsr_estimate ended = {items, item_bytes > 0.0 ? available / item_bytes : 0.0, available, 1};
  return ended;
}

void tsr_estimate_sentence(const tsr_estimate *estimate, double limit, char *text, size_t size) {
  char bytes[32], count[40], most[32];
  tsr_bytes_text(estimate->bytes, bytes, sizeof bytes);
  count_text(estimate->count, count);
  snprintf(text, size, "%s %s, about %s", count, estimate->items, bytes);
  if (!isinf(limit)) {
    tsr_bytes_text(limit, most, sizeof most);
    append(text, size, " of the %s allowed", most);
  }
  append(text, size, ".");
}

void tsr_refusal_sentence(const tsr_estimate *estimate, double limit,
                          const tsr_tolerance *tolerances, int n, double scale,
                          const char *otherwise, char *text, size_t size) {
  char wanted[100], most[32], one[100];
  size_text(estimate, wanted);
  tsr_bytes_text(limit, most, sizeof most);
  snprintf(text, size, "the output would take %s, more than the %s of Largest Output: ", wanted,
           most);
  if (n == 0 || !(scale < INFINITY)) {
    append(text, size, "%s, or allow more", otherwise);
    return;
  }
  append(text, size, "it would fit with ");
  for (int k = 0; k < n; k++) {
    tolerance_text(&tolerances[k], scale, one, sizeof one);
    append(text, size, "%s%s", k == 0 ? "" : k + 1 < n ? ", " : " and ", one);
  }
}
