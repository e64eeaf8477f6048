# script-version: 2.0
# SPDX-License-Identifier: BSD-3-Clause
"""A Catalyst 2 script: Adaptive Grid on what a solver hands over, in the solver's process.

The channel is called "input" and has the point array Heat. Each step is written where the environment
variable TESSERA_OUTPUT says, and told in one line. Run by solver.py, or named to any other simulation
that has a Catalyst adaptor.
"""
import os

from paraview import catalyst
from paraview.simple import *  # noqa: F403 (ParaView's own way)

if "AdaptiveGrid" not in globals():  # PV_PLUGIN_PATH may have loaded it already
    LoadPlugin(os.environ["TESSERA_PLUGIN_FILE"], remote=False, ns=globals())
options = catalyst.Options()
channel = TrivialProducer(registrationName="input")
grid = AdaptiveGrid(Input=channel, CoarsenLevels=4, CriteriaArrays=["Heat"],
                    ThresholdMode="Absolute", InterpolationError=0.01)


def catalyst_execute(info):
    grid.UpdatePipeline(info.time)
    name = os.path.join(os.environ.get("TESSERA_OUTPUT", "."), f"heat_{info.timestep:04d}.pvtu")
    SaveData(name, proxy=grid, DataMode="Binary")
    print(f"step {info.timestep}: {grid.CellsOut:.0f} cells, {100 * grid.Saving:.0f} % saved",
          flush=True)
