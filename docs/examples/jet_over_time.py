# SPDX-License-Identifier: BSD-3-Clause
"""A series, one grid a step: pvbatch jet_over_time.py FOLDER [STEPS], also under mpiexec

Each step is refined anew, written to FOLDER/jet_NNNN.pvtu, and told in one line, so that a job's log
says how far it is. The picture shows the first, the middle and the last step.
"""
import os
import sys
import time

from paraview.simple import *  # noqa: F403 (ParaView's own way)

TOLERANCE = 0.03  # of the range of the temperature


def main():
    folder, steps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9
    jet = TurbulentJet(Dimensions=[257, 65, 1], TimeSteps=steps, TimeRange=[0.0, 2.0])
    grid = AdaptiveGrid(Input=jet, CoarsenLevels=4, CriteriaArrays=["Temperature"],
                        InterpolationError=TOLERANCE, GenerateLevel=1)
    jet.UpdatePipelineInformation()
    view = CreateView("RenderView", ViewSize=[900, 1400], UseColorPaletteForBackground=0,
                      Background=[1.0, 1.0, 1.0], OrientationAxesVisibility=0)
    shown = {0: 2.1, steps // 2: 0.0, steps - 1: -2.1}
    start = time.monotonic()
    for step, when in enumerate(jet.TimestepValues):
        grid.UpdatePipeline(when)
        name = os.path.join(folder, f"jet_{step:04d}.pvtu")
        SaveData(name, proxy=grid, DataMode="Binary")
        print(f"step {step + 1} of {steps}, time {when:.3f}: {grid.CellsOut:.0f} cells, "
              f"{100 * grid.Saving:.0f} % saved, {time.monotonic() - start:.1f} s", flush=True)
        if step in shown:
            moved = Transform(Input=XMLPartitionedUnstructuredGridReader(FileName=[name]))
            moved.Transform.Translate = [0.0, shown[step], 0.0]
            display = Show(moved, view)
            display.Representation, display.EdgeColor = "Surface With Edges", [0.6, 0.6, 0.6]
            ColorBy(display, ("POINTS", "Temperature"))
            display.SetScalarBarVisibility(view, False)
    ResetCamera(view)
    GetActiveCamera().Zoom(1.8)
    SaveScreenshot(os.path.join(folder, "jet_over_time.png"), view)


main()
