/* SPDX-License-Identifier: BSD-3-Clause */
/** Counting far too many points: it takes no more memory for more threads, and can be stopped. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "check.h"
#include "curve_set.h"
#include "executor.h"

/** Memory is the sanitizers' own under them, and so is the time. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Bezier cells that ask for very many segments. */
static void endless_curves(curve_set *set, int items) {
  curve_set_init(set);
  for (int i = 0; i < items; i++) {
    const double y = (double)i;
    const double xyz[] = {0, y, 0, 1, y, 1, 2, y, 0};
    curve_set_add(set, TSR_KIND_BEZIER, 3, xyz, NULL, 0);
  }
}

static tsr_curves_options endless_options(int64_t limit) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.use_chord_error = 0;
  o.use_max_length = 1;
  o.max_length = 5e-9; /* some 5e8 segments, about half of what a span can have */
  o.max_level = 30;
  o.limit_points = limit;
  return o;
}

/** Plans and throws the plan away. */
static tsr_status plan(const curve_set *set, const tsr_curves_options *o,
                       const tsr_execution *execution, tsr_error *error) {
  const tsr_curves_view view = curve_set_view(set);
  tsr_curves_plan *made = NULL;
  const tsr_status status = tsr_curves_plan_create(&view, o, execution, &made, error);
  tsr_curves_plan_free(made);
  return status;
}

/** The most bytes that this process has had so far. */
static double peak_bytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

/** 16 threads, each with a chunk of spans of its own, together collect what one may. */
static void check_bounded(void) {
  const int64_t limit = 2000000;
  curve_set set;
  endless_curves(&set, 16 * 256);
  /* Some 1,500 segments a span: too many, and not so many that it is known without a count. */
  tsr_curves_options o = endless_options(limit);
  o.max_length = 1.57e-3;
  o.sampling = TSR_SAMPLING_BISECTION; /* adds leaf after leaf */
  for (int threads = 1; threads <= 16; threads *= 4) {
    executor exec = {.threads = threads};
    const tsr_execution execution = executor_execution(&exec);
    tsr_error error = {0};
    const double before = peak_bytes();
    CHECK_INT(plan(&set, &o, &execution, &error), TSR_TOO_LARGE);
    const char *asked = strstr(error.text, "asked for ");
    if (CHECK_SAY(asked != NULL, "the sentence is: %s", error.text)) {
      const long long count = strtoll(asked + strlen("asked for "), NULL, 10);
      CHECK_SAY(count > limit && count <= limit + 1024 * threads,
                "%lld leaves were collected for a limit of %lld", count, (long long)limit);
    }
    /* 4 bytes a leaf, in memory that doubles: with the copy it is up to 3 times as much. */
    if (!SANITIZED) {
      CHECK_AT_MOST(peak_bytes() - before, 3.0 * 4.0 * (double)limit + 4e6);
    }
  }
  curve_set_free(&set);
}

/** A user who wants to stop some time after the start. */
typedef struct user {
  pthread_mutex_t lock;
  double patience, start, asked, last, longest;
} user;

static int progress(void *context, double fraction) {
  user *u = context;
  pthread_mutex_lock(&u->lock);
  const double t = now();
  CHECK(fraction >= 0.0 && fraction <= 1.0);
  u->longest = fmax(u->longest, t - u->last);
  u->last = t;
  const int stop = t - u->start > u->patience;
  if (stop && u->asked == 0.0) {
    u->asked = t;
  }
  pthread_mutex_unlock(&u->lock);
  return stop;
}

static void check_stopped(const curve_set *set, tsr_curves_options o, int threads,
                          const char *what) {
  user u = {.patience = 0.3};
  executor exec = {.threads = threads};
  tsr_execution execution = executor_execution(&exec);
  tsr_error error = {0};
  pthread_mutex_init(&u.lock, NULL);
  execution.progress = progress;
  execution.progress_context = &u;
  u.start = u.last = now();
  const tsr_status status = plan(set, &o, &execution, &error);
  const double end = now();
  const double slow = SANITIZED ? 10.0 : 1.0;
  CHECK_SAY(status == TSR_ABORTED, "%s, %d threads: status %d", what, threads, (int)status);
  CHECK_SAY(u.longest <= 0.2 * slow, "%s, %d threads: no progress for %g s", what, threads,
            u.longest);
  CHECK_SAY(u.asked > 0.0 && end - u.asked <= 0.2 * slow,
            "%s, %d threads: it went on for %g s after the stop", what, threads, end - u.asked);
  pthread_mutex_destroy(&u.lock);
}

/** One chunk of spans, or a chunk a thread; light spans, or such that each leaf takes long. */
static void check_stops(void) {
  enum { COMPONENTS = 60 };
  static const int items[] = {1, 200, 1024};
  for (int i = 0; i < 3; i++) {
    curve_set set;
    endless_curves(&set, items[i]);
    tsr_curves_options o = endless_options(0);
    double *values = calloc((size_t)set.n_points, COMPONENTS * sizeof *values);
    const tsr_array field = {values, TSR_DOUBLE, COMPONENTS, set.n_points};
    for (int threads = 1; threads <= 4; threads += 3) {
      check_stopped(&set, o, threads, "light leaves");
      o.use_max_length = 0;
      o.use_field_error = 1;
      o.fields = &field;
      o.n_fields = 1;
      o.field_error = 2e-16; /* of the range, and just above the rounding of the values */
      /* Only the last component asks for more points. */
      for (int64_t p = 0; p < set.n_points; p++) {
        values[p * COMPONENTS + COMPONENTS - 1] = p % 3 == 2 ? 1e6 : 0.0;
      }
      check_stopped(&set, o, threads, "heavy leaves");
      o = endless_options(o.limit_points);
    }
    free(values);
    curve_set_free(&set);
  }
}

int main(void) {
  check_bounded();
  check_stops();
  return check_result();
}
