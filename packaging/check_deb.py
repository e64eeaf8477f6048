# SPDX-License-Identifier: BSD-3-Clause
"""Makes a curve with the plugin that is installed, and ends the program that runs this: pvpython,
which is told the plugin's file (Debian's pvpython finds no plugin by its name, not even ParaView's own),
or the GUI, which has it from its command line."""
import os
import sys
import traceback

from paraview import servermanager, simple

status = 1
try:
    if sys.argv[-1].endswith("/Tessera.so"):
        simple.LoadPlugin(sys.argv[-1], remote=False, ns=vars(simple))
    line = simple.PolyLineSource(Points=[0, 0, 0, 1, 1, 0, 2, 0, 0])
    curves = servermanager.filters.AdaptiveCurves(Input=line)
    curves.UpdatePipeline()
    points = curves.GetDataInformation().GetNumberOfPoints()
    os.write(1, f"{points} points\n".encode())  # what is printed is lost at such an end
    status = 0 if points > 3 else 1
except BaseException:
    traceback.print_exc()
os._exit(status)
