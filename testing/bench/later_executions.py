# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmarks of whole filters share: the time of later executions, the report, and
the bytes of a dataset."""
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


def bytes_of(data):
    """Of points, arrays, and ids, offsets and types of cells. Faces of polyhedra count as often as cells have them."""
    grid = data.IsA("vtkUnstructuredGrid")
    lists = [data.GetCells()] if grid else [data.GetVerts(), data.GetLines(), data.GetPolys()]
    arrays = [data.GetPoints().GetData()] + ([data.GetFaces()] if grid else [])
    arrays += [array for one in lists for array in (one.GetConnectivityArray(), one.GetOffsetsArray())]
    arrays += [side.GetArray(a) for side in (data.GetPointData(), data.GetCellData())
               for a in range(side.GetNumberOfArrays())]
    return (sum(array.GetNumberOfValues() * array.GetDataTypeSize() for array in arrays if array)
            + data.GetNumberOfCells() * grid)
