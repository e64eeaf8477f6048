/* SPDX-License-Identifier: BSD-3-Clause */
/** Corners of more leaves than fit into narrow numbers give the same output. For the emulated
 * device, whose limit a test can go beyond. */
#include "check.h"
#include "outputs.h"
#include "point_case.h"

#include <string.h>

enum { MOST_NARROW = 100000 }; /* TSR_MOST_NARROW of the emulated device */

int main(void) {
  const tsr_execution on_cpu = execution_cpu();
  const tsr_execution execution = execution_cuda();
  tsr_pointgrid_options o;
  point_case points;
  point_out cpu, out;
  point_case_init(&points, 12500);
  point_case_crowd(&points);
  const tsr_pointgrid_view view = point_case_view(&points);
  tsr_pointgrid_options_init(&o);
  o.max_points = 1;
  CHECK_INT(point_run(&points, &view, &o, &on_cpu, &cpu), TSR_OK);
  CHECK_SAY(cpu.sizes.connectivity > MOST_NARROW, "only %lld corners",
            (long long)cpu.sizes.connectivity);

  if (CHECK_SAY(point_run(&points, &view, &o, &execution, &out) == TSR_OK, "%s", out.error.text)) {
    const tsr_pointgrid_sizes *s = &cpu.sizes;
    CHECK_INT(out.report.backend, TSR_BACKEND_CUDA);
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
