# SPDX-License-Identifier: BSD-3-Clause
"""Points To Curves over time: the particles of a series become their paths, a step at a time."""
import numpy as np
from ordering_testing import cells, join
from tessera_testing import (cell_values, check, main, messages, output_file, point_array, points,
                             simple)
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

STEPS, PARTICLES = 12, 40

# Step k has the particles from k % 3 on, backwards at every other step.
SCRIPT = f"""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
out = self.GetPolyDataOutput()
info = self.GetExecutive().GetOutputInformation(0)
time = info.Get(Pipeline.UPDATE_TIME_STEP()) if info.Has(Pipeline.UPDATE_TIME_STEP()) else 0.0
k = max(int(round((time - 1.0) / 0.5)), 0)
ids = np.arange(k % 3 if BY_ID else 0, {PARTICLES})
if k % 2 and BY_ID:
    ids = ids[::-1]
xyz = np.stack([ids + 0.1 * k, np.sin(0.5 * k) + 0 * ids, ids * 0.01], axis=1)
points = vtkPoints()
points.SetData(numpy_to_vtk(np.ascontiguousarray(xyz), deep=True))
out.SetPoints(points)
array = numpy_to_vtk(np.ascontiguousarray(ids), deep=True)
array.SetName("id")
out.GetPointData().AddArray(array)
"""
INFORMATION = f"""
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
info = self.GetExecutive().GetOutputInformation(0)
times = [1.0 + 0.5 * k for k in range({STEPS})]
info.Set(Pipeline.TIME_STEPS(), times, len(times))
info.Set(Pipeline.TIME_RANGE(), [times[0], times[-1]], 2)
"""


def series(by_id=True):
    return simple.ProgrammableSource(OutputDataSetType="vtkPolyData",
                                     Script=SCRIPT.replace("BY_ID", str(by_id)),
                                     ScriptRequestInformation=INFORMATION)


def position_of(particle, k):
    return [particle + 0.1 * k, np.sin(0.5 * k), particle * 0.01]


def check_paths(out, steps_of):
    check([len(c) for c in cells(out)] == [len(steps_of(p)) for p in range(PARTICLES)], "lengths")
    for p, ids in enumerate(cells(out)):
        expected = np.array([position_of(p, k) for k in steps_of(p)])
        check(np.allclose(points(out)[ids], expected, rtol=0, atol=1e-14), f"path {p}")
        check(np.array_equal(point_array(out, "Time")[ids],
                             [1.0 + 0.5 * k for k in steps_of(p)]), f"times {p}")


def paths_by_id():
    out, said = join(series(), GroupArray="id", Temporal=1)
    check(said == "", said)
    check_paths(out, lambda p: [k for k in range(STEPS) if p >= k % 3])
    check(np.array_equal(cell_values(out, "Group"), np.arange(PARTICLES)), "ids")
    check(cell_values(out, "FirstOrder")[2] == 1.0 and cell_values(out, "LastOrder")[0] == 5.5,
          "first and last time")


def paths_by_number():
    out, said = join(series(False), Temporal=1)
    check(said == "", said)
    check_paths(out, lambda p: range(STEPS))
    check(np.array_equal(cell_values(out, "Group"), np.arange(PARTICLES)), "numbers")
    names = [out.GetPointData().GetArrayName(i) for i in range(2)]
    check(out.GetPointData().GetNumberOfArrays() == 2 and sorted(names) == ["Time", "id"],
          f"no more arrays than these: {names}")


def gaps_in_time():
    out, _ = join(series(), GroupArray="id", Temporal=1, CutAtGaps=1, MaximumGap=0.75)
    # Particle 0 is there at every third step, 1 misses every third.
    group = cell_values(out, "Group")
    check((group == 0).sum() == 4 and (group == 1).sum() == 4 and (group == 5).sum() == 1,
          f"cut: {group[:12]}")


def without_temporal_one_step():
    proxy = simple.PointsToCurves(Input=series(), GroupArray="id")
    for k in (0, 4):
        proxy.UpdatePipeline(1.0 + 0.5 * k)
        out = proxy.GetClientSideObject().GetOutput()
        check(out.GetNumberOfPoints() == PARTICLES - k % 3 == len(cells(out)), "that step alone")
        check(not out.GetPointData().HasArray("Time"), "no times")
    check(messages() == "", "silence")


def again_and_in_time():
    proxy = simple.PointsToCurves(Input=series(), GroupArray="id", Temporal=1)
    for time in (None, 3.0, 1.5):
        proxy.UpdatePipeline(time) if time else proxy.UpdatePipeline()
        out = proxy.GetClientSideObject().GetOutput()
        check_paths(out, lambda p: [k for k in range(STEPS) if p >= k % 3])
    check(list(proxy.TimestepValues or []) == [] if hasattr(proxy, "TimestepValues") else True,
          "one result for all times")
    proxy.Temporal = 0
    proxy.UpdatePipeline(2.0)
    check(proxy.GetClientSideObject().GetOutput().GetNumberOfPoints() == PARTICLES - 2, "a step")
    proxy.Temporal = 1
    proxy.UpdatePipeline(2.0)
    check_paths(proxy.GetClientSideObject().GetOutput(),
                lambda p: [k for k in range(STEPS) if p >= k % 3])
    check(messages() == "", "silence")


def counted_series(log):
    """As series(); each execution writes its time into the file."""
    script = SCRIPT.replace("BY_ID", "True") + f"open({log!r}, 'a').write(f'{{time}}\\n')\n"
    return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=script,
                                     ScriptRequestInformation=INFORMATION)


def tracks_grow():
    """Up To Current Time: at each time what all steps up to there give; no step is read twice."""
    log = output_file("steps_read.txt")
    open(log, "w").close()
    source = counted_series(log)
    proxy = simple.PointsToCurves(Input=source, GroupArray="id", Temporal=1, UpToCurrentTime=1)

    def look(time, last, reads):
        proxy.UpdatePipeline(time)
        out = proxy.GetClientSideObject().GetOutput()
        check_paths(out, lambda p: [k for k in range(last + 1) if p >= k % 3])
        check(out.GetInformation().Get(out.DATA_TIME_STEP()) == 1.0 + 0.5 * last, "its time")
        with open(log) as file:
            read = [float(line) for line in file]
        check(read == [1.0 + 0.5 * k for k in range(reads)], f"at {time}: {read}")

    look(1.0, 0, 1)
    look(2.5, 3, 4)
    look(3.0, 4, 5)
    look(1.5, 1, 5)  # back: shorter tracks, of what was read
    look(3.2, 4, 5)  # between two steps
    look(0.0, 0, 5)  # before all: the first
    look(99.0, STEPS - 1, STEPS)
    proxy.CutAtGaps = 1  # the filter's own settings leave what was read
    proxy.MaximumGap = 99.0
    look(2.0, 2, STEPS)
    info = proxy.GetClientSideObject().GetOutputInformation(0)
    check(info.Length(Pipeline.TIME_STEPS()) == STEPS, "steps for an animation")
    with open(log, "w"):
        pass
    source.Script = source.Script + "\n"  # the input changes: all is read anew
    look(1.5, 1, 2)
    check(messages() == "", "silence")


def arrays_of_later_steps_do_not_matter_before():
    """Back in time an array is there again that a later step lacks."""
    script = SCRIPT.replace("BY_ID", "True") + """
if k < 3:
    array = numpy_to_vtk(np.ascontiguousarray(ids * 2.0), deep=True)
    array.SetName("early")
    out.GetPointData().AddArray(array)
"""
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=script,
                                       ScriptRequestInformation=INFORMATION)
    proxy = simple.PointsToCurves(Input=source, GroupArray="id", Temporal=1, UpToCurrentTime=1)
    for time, there in ((2.0, True), (3.0, False), (2.0, True)):
        proxy.UpdatePipeline(time)
        out = proxy.GetClientSideObject().GetOutput()
        check(bool(out.GetPointData().HasArray("early")) == there, f"at {time}")
        check(("'early'" in messages()) != there, "a warning where it is left out")


def tracks_of_blocks_grow():
    """Composites of points, and a block of another kind, which is told of once a time."""
    images = simple.Wavelet(WholeExtent=[0, 1, 0, 1, 0, 1])
    blocks = simple.GroupDatasets(Input=[series(), series(), images])
    proxy = simple.PointsToCurves(Input=blocks, GroupArray="id", Temporal=1, UpToCurrentTime=1)
    for time, steps in ((1.0, 1), (2.0, 3), (1.5, 2)):
        proxy.UpdatePipeline(time)
        out = proxy.GetClientSideObject().GetOutput()
        expected = 2 * np.sum([PARTICLES - k % 3 for k in range(steps)])
        check(out.GetNumberOfPoints() == expected, f"{out.GetNumberOfPoints()} of {expected} points")
        said = messages()
        check(said.count("Warning") == 1 and "no points of " in said and "in block 3" in said, said)


main(paths_by_id, paths_by_number, gaps_in_time, without_temporal_one_step, again_and_in_time,
     tracks_grow, arrays_of_later_steps_do_not_matter_before, tracks_of_blocks_grow)
