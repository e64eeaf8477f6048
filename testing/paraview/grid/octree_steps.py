# SPDX-License-Identifier: BSD-3-Clause
"""One grid for all time steps of an octree whose finer level moves. Facts from outside: at each step the cells are
the same, and as fine as any step has them; a linear field stays exact."""
import numpy as np
from grid_testing import points_of
from octree_testing import linear, sizes_of
from tessera_testing import check, main, messages, points, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

STEPS = 3
SCRIPT = """
import sys
sys.path[:0] = {path}
from octree_testing import Nested, octree
info = self.GetOutputInformation(0)
time = info.Get(self.GetExecutive().UPDATE_TIME_STEP()) if info.Has(
    self.GetExecutive().UPDATE_TIME_STEP()) else 0.0
low = 2 + 4 * int(time)
shape = Nested([8 if int(time) < {steps} else 16, 8, 8], [[[(low, low + 6), (4, 10), (6, 12)]]])
self.GetOutputDataObject(0).ShallowCopy(octree(shape))
"""
TIMES = """
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
info.Remove(executive.TIME_STEPS())
for time in range({count}):
    info.Append(executive.TIME_STEPS(), float(time))
info.Set(executive.TIME_RANGE(), [0.0, {count} - 1.0], 2)
"""


def moving(count=STEPS):
    import sys
    return simple.ProgrammableSource(
        OutputDataSetType="vtkUnstructuredGrid", Script=SCRIPT.format(path=repr(sys.path), steps=STEPS),
        ScriptRequestInformation=TIMES.format(count=count))


def at(proxy, time):
    proxy.UpdatePipeline(float(time))
    said = messages()
    check(said == "", f"time {time}: {said}")
    data = proxy.GetClientSideObject().GetOutputDataObject(0)
    copy = data.NewInstance()
    copy.DeepCopy(data)
    return copy


def one_grid_for_all():
    settings = dict(CoarsenLevels=1, CriteriaArrays=["POINTS", "distance_p"], InterpolationError=1e-4,
                    GenerateLevel=1)
    for nodes in ("Free", "Conforming"):
        each = simple.AdaptiveGrid(Input=moving(), HangingNodes=nodes, **settings)
        every = simple.AdaptiveGrid(Input=moving(), HangingNodes=nodes, OverTime="All Steps", **settings)
        first = at(every, 0)
        check(abs(sizes_of(first).sum() - 1) < 1e-9, "volume")
        for time in range(STEPS):
            one = at(every, time)
            check(np.array_equal(points(one), points(first)), f"{nodes}: the points of time {time}")
            check(np.array_equal(vtk_to_numpy(one.GetCells().GetConnectivityArray()),
                                 vtk_to_numpy(first.GetCells().GetConnectivityArray())), "the cells")
            check(np.abs(points_of(one, "linear_p") - linear(points(one))).max() < 1e-9, "a linear field")
            alone = {tuple(p) for p in np.round(points(at(each, time)), 9)}
            check(alone <= {tuple(p) for p in np.round(points(one), 9)}, f"{nodes}: as fine as time {time} alone")


def domains_that_differ():
    every = simple.AdaptiveGrid(Input=moving(STEPS + 1), OverTime="All Steps", CoarsenLevels=1)
    messages()
    every.UpdatePipeline(0.0)
    said = messages()
    check("Over Time can be All Steps only where the domain has the same number of coarsest cells along each axis "
          "at all time steps" in said, said)


main(one_grid_for_all, domains_that_differ)
