# SPDX-License-Identifier: BSD-3-Clause
"""The surface of curved hexahedra in a ball: Adaptive Cells on one thread beside VTK's Nonlinear
Subdivision Level (of vtkDataSetSurfaceFilter) and Tessellate.

Use: pvpython bench_cells.py [cells along each axis, 20]; TESSERA_PLUGIN_FILE names the plugin.

Adaptive Cells gets the chord error with which it reaches the error of VTK's filters. Errors are measured
alike: the largest distance from the sphere of places in the triangles, which the cells
themselves are near. Tessellate makes tetrahedra, of which the outside is counted; it
runs on 27 cells, since thousands take it minutes. Seconds are those of the processor, the best of three.
"""
import os
import sys
import time

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (VTK_LAGRANGE_HEXAHEDRON, vtkHigherOrderHexahedron,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkFiltersCore import vtkTriangleFilter
from vtkmodules.vtkFiltersGeneral import vtkTessellatorFilter
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter

if not hasattr(simple, "AdaptiveCells"):
    simple.LoadPlugin(os.environ["TESSERA_PLUGIN_FILE"], remote=False, ns=simple.__dict__)


def ball(n, degree):
    """n x n x n Lagrange hexahedra that fill the unit ball; outside nodes lie on the sphere."""
    m = n * degree + 1
    z, y, x = np.meshgrid(*[np.linspace(-1, 1, m)] * 3, indexing="ij")
    places = np.stack([x * np.sqrt(1 - y ** 2 / 2 - z ** 2 / 2 + y ** 2 * z ** 2 / 3),
                       y * np.sqrt(1 - x ** 2 / 2 - z ** 2 / 2 + x ** 2 * z ** 2 / 3),
                       z * np.sqrt(1 - x ** 2 / 2 - y ** 2 / 2 + x ** 2 * y ** 2 / 3)], axis=-1).reshape(-1, 3)
    grid, points = vtkUnstructuredGrid(), vtkPoints()
    points.SetData(numpy_to_vtk(places, deep=1))
    grid.SetPoints(points)
    steps = np.empty((degree + 1) ** 3, np.int64)
    for k in np.ndindex(degree + 1, degree + 1, degree + 1):
        steps[vtkHigherOrderHexahedron.PointIndexFromIJK(k[2], k[1], k[0], [degree] * 3)] = (k[0] * m + k[1]) * m + k[2]
    for c in np.ndindex(n, n, n):
        grid.InsertNextCell(VTK_LAGRANGE_HEXAHEDRON, len(steps), steps + ((c[0] * m + c[1]) * m + c[2]) * degree)
    return grid


def best(work):
    times = []
    for _ in range(3):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return min(times), result


def measured(surface):
    """Number of triangles, and the largest distance of 15 places of each from the sphere."""
    triangles = vtkTriangleFilter()
    triangles.SetInputData(surface)
    triangles.PassLinesOff()
    triangles.Update()
    out = triangles.GetOutput()
    corners = vtk_to_numpy(out.GetPoints().GetData()).astype(float)[
        vtk_to_numpy(out.GetPolys().GetConnectivityArray()).reshape(-1, 3)]
    off = 0.0
    for i in range(5):
        for j in range(5 - i):
            place = (corners * (np.array([i, j, 4 - i - j]) / 4)[:, None]).sum(axis=1)
            off = max(off, np.abs(np.linalg.norm(place, axis=1) - 1).max())
    return len(corners), off


def adaptive(data, chord):
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    made = simple.AdaptiveCells(Input=source, ChordErrorMode="Absolute", ChordError=chord, UseFieldError=0, Threads=1,
                                Backend="CPU", OutputPrecision="Double")
    made.UpdatePipeline()
    return made.GetClientSideObject().GetOutputDataObject(0)


def subdivided(data, level):
    surface = vtkDataSetSurfaceFilter()
    surface.SetInputData(data)
    surface.SetNonlinearSubdivisionLevel(level)
    surface.Update()
    return surface.GetOutput()


def tessellated(data, chord):
    tessellator = vtkTessellatorFilter()
    tessellator.SetInputData(data)
    tessellator.SetChordError(chord)
    tessellator.MergePointsOn()
    tessellator.Update()
    return tessellator.GetOutput()


def equal_error(data, off):
    """Adaptive Cells with the largest chord error that is found with which it is no farther off: that chord error,
    seconds, output."""
    low, high = 0.25 * off, 4.0 * off
    for _ in range(9):
        chord = np.sqrt(low * high)
        if measured(adaptive(data, chord))[1] <= off:
            low = chord
        else:
            high = chord
    return low, *best(lambda: adaptive(data, low))


def show(name, seconds, triangles, off, mine):
    print(f"  {name:38} {seconds:8.3f} s {triangles:9} triangles, off by {off:.2e}"
          f"{'' if mine is None else f'; {seconds / mine[0]:6.1f} times, {triangles / mine[1]:5.2f} the triangles'}")


def main(n):
    for degree in (2, 4):
        data = ball(n, degree)
        print(f"{n ** 3} hexahedra of degree {degree}")
        for level in (2, 3):
            seconds, surface = best(lambda: subdivided(data, level))
            triangles, off = measured(surface)
            chord, time_mine, mine = equal_error(data, off)
            found = measured(mine)
            show(f"Adaptive Cells, chord error {chord:.1e}", time_mine, *found, None)
            show(f"Nonlinear Subdivision Level {level}", seconds, triangles, off, (time_mine, found[0]))
    data = ball(3, 2)
    print("27 hexahedra of degree 2")
    seconds, tetrahedra = best(lambda: tessellated(data, 0.01))
    triangles, off = measured(subdivided(tetrahedra, 0))
    chord, time_mine, mine = equal_error(data, off)
    show(f"Adaptive Cells, chord error {chord:.1e}", time_mine, *measured(mine), None)
    show("Tessellate, chord error 0.01", seconds, triangles, off, (time_mine, measured(mine)[0]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
