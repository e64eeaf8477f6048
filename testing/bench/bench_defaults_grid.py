# SPDX-License-Identifier: BSD-3-Clause
"""What Adaptive Grid makes of common inputs with nothing set: points, cells, bytes and seconds.

Use: pvpython bench_defaults_grid.py [--plugin FILE] [--cases FOLDER] [--only TEXT] [--runs N]
     [--set NAME=VALUE]...
The plugin comes from PV_PLUGIN_PATH where --plugin is not given. FOLDER has carotid.vtk, combxyz.bin and
combq.bin in `flow`; inputs that are not there are left out. --only: those with TEXT in their names.
--set: a property that is not left at its default.

Prints a table in Markdown, a row an input. Bytes are what VTK says of the whole dataset; seconds are the
least of N executions with the input ready, with the search for what the warning says. An input is added
by a line in INPUTS.
"""
import argparse
import ast
import math
import os
import re
import sys
import time

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints, vtkStringOutputWindow, vtkOutputWindow
from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet, vtkStructuredGrid


def flow(name):
    return lambda cases: simple.LegacyVTKReader(FileNames=[os.path.join(cases, "flow", name)])


def combustor(cases):
    return simple.PLOT3DReader(FileName=[os.path.join(cases, "flow", "combxyz.bin")],
                               QFileName=[os.path.join(cases, "flow", "combq.bin")])


def jet(*dimensions):
    return lambda cases: simple.TurbulentJet(Dimensions=dimensions)


def wavelet(half):
    return lambda cases: simple.Wavelet(WholeExtent=[-half, half] * 3)


def can(cells):
    """A half cylinder of a can that is being crushed, as ParaView's example has it: a curved structured
    grid with the displacement and the acceleration of its points and a plastic strain of its cells."""
    def make(_):
        n = np.array(cells) + 1
        r, angle, z = np.meshgrid(*(np.linspace(0, 1, m) for m in n), indexing="ij")
        r, angle = 4.0 + 0.5 * r, math.pi * angle
        wave = np.exp(-8 * (1 - z)) * np.cos(6 * angle)
        moved = np.stack([-0.6 * wave * np.cos(angle), -0.6 * wave * np.sin(angle),
                          -1.5 * z ** 2 * (1 + 0.2 * np.cos(3 * angle))], axis=-1)
        place = np.stack([r * np.cos(angle), r * np.sin(angle), 10 * z], axis=-1) + moved
        data = vtkStructuredGrid()
        data.SetDimensions(*(int(m) for m in n))
        points = vtkPoints()

        def column(values, name=None):
            flat = values.swapaxes(0, 2).reshape(-1, values.shape[-1])
            array = numpy_to_vtk(np.ascontiguousarray(flat, np.float32), deep=True)
            array.SetName(name or "Points")
            return array

        points.SetData(column(place))
        data.SetPoints(points)
        data.GetPointData().AddArray(column(moved, "DISPL"))
        data.GetPointData().AddArray(column(np.gradient(moved, axis=2) * 1e3, "ACCL"))
        middle = tuple(slice(None, -1) for _ in range(3))
        strain = np.abs(np.diff(wave, axis=2))[:-1, :-1, :, None]
        data.GetCellData().AddArray(column(strain * np.ones(wave[middle].shape + (1,)), "EQPS"))
        producer = simple.TrivialProducer()
        producer.GetClientSideObject().SetOutput(data)
        producer.MarkModified(None)
        return producer
    return make


INPUTS = {
    "carotid": flow("carotid.vtk"),
    "combustor": combustor,
    "jet 33 x 17 x 17": jet(33, 17, 17),
    "jet 65 x 33 x 33": jet(65, 33, 33),
    "jet 129 x 65 x 65": jet(129, 65, 65),
    "Wavelet, 20 cubed": wavelet(10),
    "Wavelet, 100 cubed": wavelet(50),
    "can, 4 x 64 x 48": can((4, 64, 48)),
    "can, 16 x 256 x 192": can((16, 256, 192)),
}


def parts(data):
    """The datasets that the data is, or consists of."""
    if not isinstance(data, vtkCompositeDataSet):
        return [data]
    it = data.NewIterator()
    found = []
    it.InitTraversal()
    while not it.IsDoneWithTraversal():
        found.append(it.GetCurrentDataObject())
        it.GoToNextItem()
    return found


def size(data):
    """Points, cells and bytes."""
    of = parts(data)
    points = sum(part.GetNumberOfPoints() for part in of if part.IsA("vtkDataSet"))
    return points, sum(part.GetNumberOfCells() for part in of), 1024 * data.GetActualMemorySize()


def row(name, make, arguments, settings):
    source = make(arguments.cases)
    source.UpdatePipeline()
    source_data = source.GetClientSideObject().GetOutputDataObject(0)
    window = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    grid = simple.AdaptiveGrid(Input=source, **settings)
    grid.UpdatePipeline()
    vtk_filter, best = grid.GetClientSideObject(), math.inf
    for _ in range(arguments.runs):
        vtk_filter.Modified()
        start = time.perf_counter()
        vtk_filter.Update()
        best = min(best, time.perf_counter() - start)
    vtkOutputWindow.SetInstance(None)
    before, after = size(source_data), size(vtk_filter.GetOutputDataObject(0))
    cells = grid.CellsOut  # of trees and blocks, those that are to be seen
    advice = re.search(r"There would be .*?\.(?= |$)", " ".join(window.GetOutput().split()))
    said = advice.group(0) if advice else ""
    columns = [name, f"{before[0]:,.0f}, {after[0]:,.0f}", f"{before[1]:,.0f}, {cells:,.0f}",
               f"{100 * (cells / before[1] - 1):+.0f} %",
               f"{before[2] / 1e6:.2f}, {after[2] / 1e6:.2f}", f"{best:.3f}", said]
    print("| " + " | ".join(columns) + " |", flush=True)
    simple.Delete(grid)
    simple.Delete(source)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--cases", default=os.environ.get("TESSERA_CASES", ""))
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    if arguments.plugin:
        simple.LoadPlugin(arguments.plugin, remote=False, ns=vars(simple))
    if not hasattr(simple, "AdaptiveGrid"):
        print("the plugin is not loaded: give --plugin, or set PV_PLUGIN_PATH")
        return 1
    settings = {}
    for one in arguments.set:
        name, value = one.split("=", 1)
        try:
            settings[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            settings[name] = value
    print("| input | points in, out | cells in, out | more cells | MB in, out | seconds | the warning says |")
    print("|---|---|---|---|---|---|---|")
    for name, make in INPUTS.items():
        needs_file = make is combustor or make.__qualname__.startswith("flow")
        if arguments.only in name and (not needs_file or os.path.isdir(arguments.cases)):
            row(name, make, arguments, settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
