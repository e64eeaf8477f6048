# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on an overlapping AMR beside vtkAMRContourFilter, which VTK has from 9.7 on.

    bench_octree_peer.py [CELLS, 64] [LEVELS, 4]

Run it in pvpython with TESSERA_PLUGIN_FILE for Adaptive Grid, and in a Python with VTK from 9.7 on for VTK's
filters: each Python has one of them. Both take the same AMR, CELLS along each axis of each level, around a sphere
through all levels, with one thread. Printed are seconds of the processor: for Adaptive Grid the best of three runs,
for VTK's filters the first one. vtkAMRInterfaceFilter is the step of vtkAMRContourFilter that makes the cells between
levels; both keep them for later runs.
"""
import os
import sys
import time

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkAMRBox, vtkAMRUtilities, vtkDataObject, vtkOverlappingAMR, vtkUniformGrid

CELLS, LEVELS = [int(a) for a in sys.argv[1:]] + [64, 4][len(sys.argv) - 1:]
MIDDLE, RADIUS = 0.3, 0.2  # of the boxes; of the sphere, which goes through this place
CENTRE = MIDDLE + RADIUS / np.sqrt(3)


def make_amr():
    """The box of each level is half as wide as that of the level before."""
    data = vtkOverlappingAMR()
    data.Initialize(LEVELS, [1] * LEVELS)
    data.SetOrigin([0.0] * 3)
    for level in range(LEVELS):
        low = 0 if level == 0 else 2 * int((MIDDLE * 2 ** level - 0.5) * CELLS / 2)
        step = 1.0 / (CELLS * 2 ** level)
        block = vtkUniformGrid()
        block.SetOrigin([low * step] * 3)
        block.SetSpacing([step] * 3)
        block.SetDimensions([CELLS + 1] * 3)
        at = (np.arange(low, low + CELLS) + 0.5) * step - CENTRE
        z, y, x = np.meshgrid(at, at, at, indexing="ij")
        array = numpy_to_vtk(np.sqrt(x * x + y * y + z * z).astype(np.float32).ravel(), deep=True)
        array.SetName("f")
        block.GetCellData().SetScalars(array)
        data.SetSpacing(level, [step] * 3)
        data.SetRefinementRatio(level, 2)
        data.SetAMRBox(level, 0, vtkAMRBox([low] * 3, [low + CELLS - 1] * 3))
        data.SetDataSet(level, 0, block)
    data.SetGridDescription(8)
    data.GenerateParentChildInformation()
    vtkAMRUtilities.BlankCells(data)
    return data


def seconds_of(run):
    """Of the processor: other work on the machine does not count."""
    start = time.process_time()
    run()
    return time.process_time() - start


def tessera(data, cells):
    from paraview import simple
    simple.LoadPlugin(os.environ["TESSERA_PLUGIN_FILE"], remote=False, ns=simple.__dict__)
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    grid = simple.AdaptiveGrid(Input=source, CellArrays="Move To Points", CriteriaArrays=["f"], Threads=1)
    for title, settings in (("own resolution", dict(GridType="Fixed Fine")),
                            ("error 1 % of the range", dict(GridType="Adaptive", InterpolationError=0.01,
                                                            ThresholdMode="Fraction of Range"))):
        for name, value in settings.items():
            setattr(grid, name, value)
        grid.UpdatePipeline()
        one = grid.GetClientSideObject()

        def again():
            one.Modified()
            one.Update()

        seconds = min(seconds_of(again) for _ in range(3))
        print(f"Adaptive Grid, {title}: {seconds:.2f} s of {cells / 1e6:.2f} M cells", flush=True)


def peer(data, cells):
    from vtkmodules.vtkCommonCore import vtkSMPTools, vtkVersion
    from vtkmodules.vtkFiltersAMR import vtkAMRContourFilter, vtkAMRInterfaceFilter
    vtkSMPTools.Initialize(1)
    for make in (vtkAMRInterfaceFilter, vtkAMRContourFilter):
        one = make()
        one.SetInputData(data)
        one.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, "f")
        if make is vtkAMRContourFilter:
            one.SetValue(0, RADIUS)
        print(f"{one.GetClassName()} of VTK {vtkVersion().GetVTKVersion()}: {seconds_of(one.Update):.2f} s of "
              f"{cells / 1e6:.2f} M cells", flush=True)


amr = make_amr()
visible = CELLS ** 3 * (LEVELS - (LEVELS - 1) / 8)
(tessera if os.environ.get("TESSERA_PLUGIN_FILE") else peer)(amr, visible)
