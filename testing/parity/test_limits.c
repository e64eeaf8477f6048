/* SPDX-License-Identifier: BSD-3-Clause */
/** What is too large for a device, Auto has the CPU do, and says so; Backend CUDA refuses it with a
 *  sentence. For the emulated device, which has limits that a test can go beyond. */
#include "check.h"
#include "outputs.h"
#include "point_case.h"

#include <string.h>

enum { MOST_CORNERS = 100000 }; /* TSR_MOST_CORNERS of the emulated device */

int main(void) {
  const tsr_execution on_cpu = execution_cpu();
  tsr_execution execution = execution_cuda();
  tsr_pointgrid_options o;
  point_case points;
  point_out cpu, out;
  point_case_init(&points, 12500); /* Auto takes a device from 12,000 on */
  point_case_crowd(&points);
  const tsr_pointgrid_view view = point_case_view(&points);
  tsr_pointgrid_options_init(&o);
  o.max_points = 1;
  CHECK_INT(point_run(&points, &view, &o, &on_cpu, &cpu), TSR_OK);
  CHECK_SAY(cpu.sizes.connectivity > MOST_CORNERS, "only %lld corners",
            (long long)cpu.sizes.connectivity);

  CHECK_INT(point_run(&points, &view, &o, &execution, &out), TSR_NO_MEMORY);
  CHECK_SAY(strstr(out.error.text, "at most 12500 leaves") != NULL, "%s", out.error.text);
  point_out_free(&out);

  execution.backend = TSR_BACKEND_AUTO;
  if (CHECK_SAY(point_run(&points, &view, &o, &execution, &out) == TSR_OK, "%s", out.error.text)) {
    const tsr_pointgrid_sizes *s = &cpu.sizes;
    CHECK_INT(out.report.backend, TSR_BACKEND_CPU);
    CHECK_SAY(strstr(out.report.fallback, "at most 12500 leaves") != NULL, "%s",
              out.report.fallback);
    CHECK_INT(memcmp(s, &out.sizes, sizeof *s), 0);
    CHECK_INT(memcmp(cpu.points, out.points, (size_t)s->points * 24), 0);
    CHECK_INT(memcmp(cpu.connectivity, out.connectivity, (size_t)s->connectivity * 8), 0);
    CHECK_INT(memcmp(cpu.mean, out.mean, (size_t)s->cells * 8), 0);
  }
  point_out_free(&out);
  point_out_free(&cpu);
  point_case_free(&points);
  return check_result();
}
