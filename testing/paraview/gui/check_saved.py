# SPDX-License-Identifier: BSD-3-Clause
"""pvpython check_saved.py FILE: whether a state, a trace or curves that the GUI saved are right."""
import runpy
import sys

from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def check_filter(path):
    """The settings of adaptive_curves.py's apply_and_save, and the 50 points that they make."""
    if path.endswith(".pvsm"):
        simple.LoadState(path)
    else:
        runpy.run_path(path)
    filters = [proxy for (name, _), proxy in simple.GetSources().items()
               if name == "AdaptiveCurves1"]
    assert len(filters) == 1, f"{len(filters)} filters named AdaptiveCurves1"
    curves = filters[0]
    curves.UpdatePipeline()
    information = curves.GetDataInformation().DataInformation
    points, lines = information.GetNumberOfPoints(), information.GetNumberOfCells()
    assert (points, lines) == (50, 3), f"{points} points, {lines} lines"
    arrays = sorted(curves.PointData.keys())
    assert arrays == ["ArcLength", "Temperature", "Velocity"], arrays
    settings = (curves.Sampling, curves.UseChordError, curves.MinimumPoints, curves.MaximumPoints)
    assert settings == ("Uniform", 0, 5, 5), settings


def check_curves(path):
    """Catmull-Rom curves: every point of curves.vtk, with its temperature, and more between."""
    def read(name):
        reader = simple.LegacyVTKReader(FileNames=[name])
        reader.UpdatePipeline()
        return reader.GetClientSideObject().GetOutputDataObject(0)

    def rows(data):
        return {(*point, temperature) for point, temperature in
                zip(vtk_to_numpy(data.GetPoints().GetData()).tolist(),
                    vtk_to_numpy(data.GetPointData().GetArray("Temperature")).tolist())}

    before, after = read(path.replace("found", "curves")), read(path)
    assert after.GetNumberOfLines() == 3, f"{after.GetNumberOfLines()} lines"
    assert rows(before) <= rows(after), f"missing: {rows(before) - rows(after)}"
    assert len(rows(after)) > 3 * len(rows(before)), f"only {len(rows(after))} points"


if __name__ == "__main__":
    check = check_curves if sys.argv[1].endswith(".vtk") else check_filter
    check(sys.argv[1])
