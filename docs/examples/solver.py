# SPDX-License-Identifier: BSD-3-Clause
"""A small solver with Tessera in situ: pvbatch solver.py [STEPS]

Heat spreads from a point over a plate; after each hundred time steps the plate goes through Catalyst
to catalyst_grid.py.
"""
import os
import sys

import numpy as np
from paraview.catalyst import bridge
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData

SIZE, SHARE = 129, 0.2  # points along a side; what a point gives to each neighbour, stable below 1/4


def plate(heat):
    image = vtkImageData()
    image.SetDimensions(SIZE, SIZE, 1)
    array = numpy_to_vtk(heat.ravel(), deep=True)
    array.SetName("Heat")
    image.GetPointData().SetScalars(array)
    return image


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    axis = np.linspace(-1, 1, SIZE)
    heat = np.exp(-(axis[:, None] ** 2 + axis[None, :] ** 2) * 200)
    bridge.initialize()
    bridge.add_pipeline(os.path.join(os.path.dirname(os.path.abspath(__file__)), "catalyst_grid.py"))
    for step in range(steps):
        bridge.coprocess(float(step), step, plate(heat), name="input")
        for _ in range(100):
            inner = heat[1:-1, 1:-1]
            heat[1:-1, 1:-1] = inner + SHARE * (heat[2:, 1:-1] + heat[:-2, 1:-1] + heat[1:-1, 2:]
                                                + heat[1:-1, :-2] - 4 * inner)
    bridge.finalize()


main()
