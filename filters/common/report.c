/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of the report's numbers. */
#include "common/support.h"

/* Name, member, type, how several become one. */
#define ONE(NAME, MEMBER, TYPE, JOIN)                                                              \
  { TSR_PROPERTY(tsr_report, NAME, MEMBER, TYPE, 1, 1, 0, 0, 0), TSR_JOIN_##JOIN }

static const tsr_report_field fields[] = {ONE(Threads, threads, INT, OWN),
                                          ONE(Items, items, INT64, SUM),
                                          ONE(Spans, spans, INT64, SUM),
                                          ONE(Points, points, INT64, SUM),
                                          ONE(Cells, cells, INT64, SUM),
                                          ONE(SmoothLines, smooth_lines, INT64, SUM),
                                          ONE(ChordTolerance, chord_tolerance, DOUBLE, MOST),
                                          ONE(ToleranceScale, tolerance_scale, DOUBLE, COMMON),
                                          ONE(LeastPoints, least_points, INT64, SUM),
                                          ONE(PlanSeconds, plan_seconds, DOUBLE, SLOWEST),
                                          ONE(FillSeconds, fill_seconds, DOUBLE, SLOWEST),
                                          ONE(ChildLaunches, child_launches, INT64, SUM),
                                          ONE(RefusedLaunches, refused_launches, INT64, SUM),
                                          ONE(ChildItems, child_items, INT64, SUM),
                                          ONE(InlineItems, inline_items, INT64, SUM),
                                          ONE(DeepestNesting, deepest_nesting, INT, MOST),
                                          ONE(LaunchPool, pool_in_force, INT64, MOST),
                                          ONE(Pieces, pieces, INT64, SUM),
                                          ONE(DevicePeakBytes, device_peak_bytes, INT64, MOST),
                                          ONE(UploadSeconds, upload_seconds, DOUBLE, SLOWEST),
                                          ONE(DownloadSeconds, download_seconds, DOUBLE, SLOWEST)};

double tsr_report_over_least(const tsr_report *report) {
  return report->least_points > 0 ? (double)report->points / (double)report->least_points : 0.0;
}

const tsr_report_field *tsr_report_fields(int *n) {
  *n = sizeof fields / sizeof fields[0];
  return fields;
}
