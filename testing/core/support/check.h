/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Checks for the C tests. A failed check prints file, line, value and expectation and goes on;
 * main ends with `return check_result();`, which is 1 after a failure.
 */
#ifndef TESSERA_TEST_CHECK_H
#define TESSERA_TEST_CHECK_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/** What CTest takes for "skipped". */
#define CHECK_SKIPPED 77

static int64_t check_count;
static int64_t check_failures;

/** Prints the first failures of a run; the rest are only counted. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static inline int
check_that(int fulfilled, const char *file, int line, const char *format, ...) {
  check_count++;
  if (fulfilled) {
    return 1;
  }
  check_failures++;
  if (check_failures <= 40) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: ", file, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
  }
  return 0;
}

/** The value of main: 0, or 1 after a failed check. */
static inline int check_result(void) {
  printf("%lld checks, %lld failed\n", (long long)check_count, (long long)check_failures);
  return check_failures > 0 || check_count == 0 ? 1 : 0;
}

#define CHECK(condition) check_that((condition) ? 1 : 0, __FILE__, __LINE__, "%s", #condition)

/** As CHECK, with a printf format and arguments that say more. */
#define CHECK_SAY(condition, ...) check_that((condition) ? 1 : 0, __FILE__, __LINE__, __VA_ARGS__)

/* These three are functions underneath, so that each argument is evaluated once. */

static inline int check_int(int64_t value, int64_t expected, const char *file, int line,
                            const char *text) {
  return check_that(value == expected, file, line, "%s is %lld, not %lld", text, (long long)value,
                    (long long)expected);
}

static inline int check_near(double value, double expected, double tolerance, const char *file,
                             int line, const char *text) {
  return check_that(fabs(value - expected) <= tolerance, file, line,
                    "%s is %.17g, not %.17g within %g", text, value, expected, tolerance);
}

static inline int check_at_most(double value, double bound, const char *file, int line,
                                const char *text) {
  return check_that(value <= bound, file, line, "%s is %.17g, above %.17g", text, value, bound);
}

#define CHECK_INT(value, expected)                                                                 \
  check_int((int64_t)(value), (int64_t)(expected), __FILE__, __LINE__, #value)

#define CHECK_NEAR(value, expected, tolerance)                                                     \
  check_near((double)(value), (double)(expected), (double)(tolerance), __FILE__, __LINE__, #value)

#define CHECK_AT_MOST(value, bound)                                                                \
  check_at_most((double)(value), (double)(bound), __FILE__, __LINE__, #value)

#endif
