/* SPDX-License-Identifier: BSD-3-Clause */
/** One report of several datasets and processes, which threads play, and what processes agree on.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

static tsr_report report_of(int64_t points, double seconds, int device) {
  tsr_report one;
  memset(&one, 0, sizeof one);
  one.backend = device >= 0 ? TSR_BACKEND_CUDA : TSR_BACKEND_CPU;
  one.items = 2;
  one.points = points;
  one.plan_seconds = seconds;
  one.fill_seconds = 2.0 * seconds;
  one.device_peak_bytes = 10 * points;
  one.deepest_nesting = (int)points % 7;
  one.device = device;
  one.strategy = device + 3;
  snprintf(one.device_name, sizeof one.device_name, "device %d", device);
  return one;
}

static void datasets(void) {
  tsr_summary sum;
  tsr_report one = report_of(5, 1.0, -1);
  tsr_summary_init(&sum);
  CHECK(sum.total.backend == TSR_BACKEND_CPU && sum.total.tolerance_scale == 1.0);
  tsr_summary_add(&sum, &one, 0);
  one = report_of(20, 0.5, 2);
  strcpy(one.fallback, "first");
  tsr_summary_add(&sum, &one, 4);
  one = report_of(3, 0.25, 1);
  strcpy(one.fallback, "second");
  tsr_summary_add(&sum, &one, 4);
  CHECK_INT(sum.total.items, 6);
  CHECK_INT(sum.total.points, 28);
  CHECK_INT(sum.total.device_peak_bytes, 200);
  CHECK_INT(sum.total.deepest_nesting, 6);
  CHECK(sum.total.plan_seconds == 1.75 && sum.total.fill_seconds == 3.5);
  CHECK(sum.on_cpu == 1 && sum.on_cuda == 2);
  CHECK(sum.total.backend == TSR_BACKEND_CUDA && sum.total.device == 2 && sum.total.strategy == 5);
  CHECK(strcmp(sum.total.device_name, "device 2") == 0);
  CHECK(sum.fallback == TSR_FALLBACK_FAILED && strcmp(sum.total.fallback, "first") == 0);
}

/** One process: its device, -1 for none, and why it did without. */
typedef struct process {
  int device, host, present;
  const char *why;
  tsr_summary sum;
  tsr_status status;
} process;

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  tsr_report one = report_of(10 + processes->rank, 1.0 + processes->rank % 2, p->device);
  tsr_error error;
  tsr_summary_init(&p->sum);
  p->sum.total.threads = 40 + processes->rank;
  if (p->why) {
    strcpy(one.fallback, p->why);
  }
  tsr_summary_add(&p->sum, &one, p->present);
  p->sum.total.tolerance_scale = 1.0 + processes->rank;
  p->status = tsr_summary_agree(&p->sum, processes, p->host, &error);
}

static void processes(void) {
  process p[5] = {{.device = -1, .host = 7, .present = 0, .why = "none here"},
                  {.device = 1, .host = 7, .present = 2},
                  {.device = 1, .host = 7, .present = 2},
                  {.device = 1, .host = 8, .present = 2},
                  {.device = -1, .host = 8, .present = 2, .why = "it broke"}};
  ranks_run(5, work, p, sizeof *p);
  for (int r = 0; r < 5; r++) {
    const tsr_summary *sum = &p[r].sum;
    CHECK_INT(p[r].status, TSR_OK);
    CHECK_INT(sum->total.points, 10 + 11 + 12 + 13 + 14);
    CHECK_INT(sum->total.items, 10);
    CHECK_INT(sum->total.device_peak_bytes, 140);
    CHECK(sum->total.plan_seconds == 2.0 && sum->total.tolerance_scale == 5.0);
    CHECK_INT(sum->total.threads, 40 + r);
    CHECK(sum->on_cpu == 2 && sum->on_cuda == 3);
    CHECK_INT(sum->devices, 2); /* that of host 7 is one, though two processes use it */
    CHECK(sum->total.device == 1 && sum->total.backend == TSR_BACKEND_CUDA);
    CHECK_INT(sum->fallback, TSR_FALLBACK_FAILED);
    CHECK_INT(sum->failed_process, 4);
    CHECK(strcmp(sum->total.fallback, "it broke") == 0);
  }
}

/** What a process gives to the others, and what it hears of them. */
typedef struct teller {
  tsr_status mine, agreed, told;
  tsr_error error;
  int64_t sum[2], before[2], sizes[MAX_RANKS], total, later_total;
  double most[2];
  char *all;
  void *later; /* three letters of each, told where none has failed before */
} teller;

static void tell(void *data, const tsr_processes *processes) {
  teller *t = data;
  const int r = processes->rank;
  char text[MAX_RANKS];
  memset(text, 'a' + r, sizeof text);
  t->sum[0] = r;
  t->sum[1] = 1;
  t->before[0] = 10 + r;
  t->before[1] = -1;
  t->most[0] = -r;
  t->most[1] = r == 2 ? 9.0 : 1.0;
  tsr_processes_sum(processes, t->sum, 2, &t->error);
  tsr_processes_before(processes, t->before, 2, &t->error);
  tsr_processes_max(processes, t->most, 2, &t->error);
  tsr_processes_gather_bytes(processes, TSR_OK, text, r, (void **)&t->all, t->sizes, &t->total,
                             &t->error);
  t->agreed = tsr_processes_agree(processes, t->mine, &t->error);
  t->told = tsr_processes_gather_bytes(processes, t->mine, t->mine == TSR_OK ? text : NULL, 3,
                                       &t->later, NULL, &t->later_total, &t->error);
}

static void agreements(void) {
  for (int n = 1; n <= MAX_RANKS; n++) {
    for (int failing = -1; failing < n; failing += n) {
      teller t[MAX_RANKS];
      memset(t, 0, sizeof t);
      if (failing >= 0) {
        t[failing].mine = TSR_BAD_INPUT;
      }
      ranks_run(n, tell, t, sizeof *t);
      for (int r = 0; r < n; r++) {
        CHECK(t[r].sum[0] == n * (n - 1) / 2 && t[r].sum[1] == n);
        CHECK(t[r].before[0] == 10 * r + r * (r - 1) / 2 && t[r].before[1] == -r);
        CHECK(t[r].most[0] == 0.0 && t[r].most[1] == (n > 2 ? 9.0 : 1.0));
        CHECK_INT(t[r].total, n * (n - 1) / 2);
        for (int k = 0, at = 0; k < n; k++) {
          CHECK_INT(t[r].sizes[k], k);
          for (int i = 0; i < k; i++) {
            CHECK(t[r].all[at++] == 'a' + k);
          }
        }
        CHECK_INT(t[r].agreed, failing < 0 ? TSR_OK : failing == r ? TSR_BAD_INPUT : TSR_ABORTED);
        CHECK_INT(t[r].told, t[r].agreed);
        CHECK_INT(t[r].later_total, failing < 0 ? 3 * n : 0);
        CHECK((t[r].later != NULL) == (failing < 0));
        for (int i = 0; i < t[r].later_total; i++) {
          CHECK(((const char *)t[r].later)[i] == 'a' + i / 3);
        }
        free(t[r].all);
        free(t[r].later);
      }
    }
  }
}

/** Each process has another note. The first item of one is that of the lowest process. */
typedef struct noter {
  tsr_placed_note notes[3];
  tsr_status status;
} noter;

static void note(void *data, const tsr_processes *processes) {
  noter *t = data;
  const int r = processes->rank;
  tsr_error error;
  memset(t->notes, 0, sizeof t->notes);
  t->notes[0].items = (tsr_note_count){r, 10 * r}; /* the first process has none */
  t->notes[1].items = (tsr_note_count){1, 100 - r};
  t->notes[0].block = t->notes[1].block = 7 + r;
  t->notes[2].items.first = -1;
  t->status = tsr_notes_agree(t->notes, 3, processes, &error);
}

static void notes(void) {
  for (int n = 1; n <= MAX_RANKS; n++) {
    noter t[MAX_RANKS];
    ranks_run(n, note, t, sizeof *t);
    for (int r = 0; r < n; r++) {
      const tsr_placed_note *made = t[r].notes;
      CHECK_INT(t[r].status, TSR_OK);
      CHECK_INT(made[0].items.count, n * (n - 1) / 2);
      CHECK_INT(made[0].items.first, n > 1 ? 10 : -1);
      CHECK(n == 1 || (made[0].block == 8 && made[0].process == 1));
      CHECK(made[1].items.count == n && made[1].items.first == 100);
      CHECK(made[1].block == 7 && made[1].process == 0);
      CHECK(made[2].items.count == 0 && made[2].items.first == -1);
    }
  }
}

static void check_text(const tsr_summary *sum, tsr_summary_word word, const char *expected) {
  char text[TSR_SUMMARY_TEXT];
  tsr_summary_text(sum, word, text);
  CHECK_SAY(strcmp(text, expected) == 0, "'%s', not '%s'", text, expected);
}

static void words(void) {
  static const char *const strategies[] = {
      "-",    "Block Per Item",        "Child Grid Per Item", "Aggregated Grids",
      "Flat", "Recursive Child Grids", "Host Waves",          "Device Launched"};
  tsr_summary sum;
  tsr_report one = report_of(5, 1.0, -1);
  tsr_summary_init(&sum);
  tsr_summary_add(&sum, &one, 0);
  check_text(&sum, TSR_SUMMARY_BACKEND, "CPU");
  for (int word = TSR_SUMMARY_DEVICE; word <= TSR_SUMMARY_OUTPUT_MEMORY; word++) {
    check_text(&sum, (tsr_summary_word)word, "-");
  }
  one = report_of(20, 0.5, 2);
  one.child_stream = TSR_CHILD_TAIL;
  one.output_memory = 1;
  tsr_summary_add(&sum, &one, 4);
  check_text(&sum, TSR_SUMMARY_BACKEND, "CPU and CUDA");
  check_text(&sum, TSR_SUMMARY_DEVICE, "device 2 (device 2)");
  check_text(&sum, TSR_SUMMARY_OUTPUT_MEMORY, "Worst Case");
  for (sum.total.strategy = 0; sum.total.strategy < 8; sum.total.strategy++) {
    const int none = sum.total.strategy == TSR_STRATEGY_BLOCK_PER_ITEM ||
                     sum.total.strategy == TSR_STRATEGY_FLAT;
    check_text(&sum, TSR_SUMMARY_STRATEGY, strategies[sum.total.strategy]);
    check_text(&sum, TSR_SUMMARY_CHILD_STREAM, none ? "-" : "Tail Launch");
  }
  sum.on_cpu = 0;
  check_text(&sum, TSR_SUMMARY_BACKEND, "CUDA");
}

static void warnings(void) {
  char text[TSR_SUMMARY_TEXT] = "old";
  tsr_summary sum;
  tsr_summary_init(&sum);
  tsr_summary_warning(&sum, 4, text);
  CHECK_INT(strlen(text), 0);
  strcpy(sum.total.fallback, "it broke");
  sum.fallback = TSR_FALLBACK_FAILED;
  sum.failed_process = 3;
  tsr_summary_warning(&sum, 4, text);
  CHECK(strcmp(text, "The CPU did the work on process 3: it broke.") == 0);
  tsr_summary_warning(&sum, 1, text);
  CHECK(strcmp(text, "The CPU did the work: it broke.") == 0);
  memset(sum.total.fallback, 'x', sizeof sum.total.fallback - 1); /* the longest one fits */
  tsr_summary_warning(&sum, 1 << 30, text);
  CHECK_INT(text[strlen(text) - 1], '.');
}

int main(void) {
  datasets();
  processes();
  agreements();
  notes();
  words();
  warnings();
  return check_result();
}
