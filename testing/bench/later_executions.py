# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmarks of whole filters share: the time of later executions, and the report."""
import statistics
import time


def said(output, name):
    """What the filter's report says under a name; "-": nothing."""
    array = output.GetFieldData().GetAbstractArray("Tessera " + name)
    return array.GetVariantValue(0).ToString() if array else "-"


def median_of(proxy, threshold, runs, cleared=True):
    """Median of the seconds of Update(), the input ready and another value of the property `threshold`
    each time, and the last output. cleared: the output before is gone by then, else Update() sees to
    it."""
    filter_ = proxy.GetClientSideObject()
    first = proxy.GetPropertyValue(threshold)
    seconds = []
    for run in range(runs + 2):  # the first two start the device and its pools
        setattr(proxy, threshold, first * (1.0 + 1e-6 * run))
        proxy.UpdateVTKObjects()
        if cleared:
            filter_.GetOutputDataObject(0).Initialize()
        start = time.perf_counter()
        filter_.Update()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[2:]), filter_.GetOutputDataObject(0)
