# SPDX-License-Identifier: BSD-3-Clause
"""The table of docs/adaptive-grid.md that says which of ParaView's filters works on which output.

Each filter is applied with its defaults, or what it cannot do without, and has one of three ends:
"yes", a dataset with points or cells and no message; "no", a message or nothing; "ends", ParaView ends
itself. So the filters run in a process for each kind of output, which says what came of each before
the next; where it ends, another one goes on behind that filter.
"""
import os
import re
import shutil
import subprocess
import sys

from grid_testing import KINDS
from tessera_testing import Skipped, check, main, messages, say, simple

SEEDS = {}


def jet():
    return simple.TurbulentJet(Dimensions=[33, 17, 17], OutputPrecision="Double")


def point_or_cell(kind):
    return "POINTS" if kind == KINDS[0] else "CELLS"


def on(name, arrays=None, **properties):
    """A filter with some properties; arrays: property to array."""
    def make(grid, kind):
        chosen = {p: [point_or_cell(kind), array] for p, array in (arrays or {}).items()}
        return getattr(simple, name)(Input=grid, **chosen, **properties)
    return make


def resample(grid, kind):
    return simple.ResampleWithDataset(SourceDataArrays=grid, DestinationMesh=SEEDS["points"])


def trace(grid, kind):
    return simple.StreamTracerWithCustomSource(Input=grid, SeedSource=SEEDS["points"],
                                               Vectors=[point_or_cell(kind), "Velocity"])


def slice_of(grid, kind):
    cut = simple.Slice(Input=grid)
    if kind == KINDS[1]:
        cut.HyperTreeGridSlicer.Origin = [2, 0.1, 0.1]
    cut.SliceType.Origin = [2, 0.1, 0.1]
    return cut


def clip(grid, kind):
    return simple.Clip(Input=grid)


# In the order, and by the names, of the table.
FILTERS = {
    "Calculator": on("Calculator", Function="Temperature * 2"),
    "Cell Centers": on("CellCenters"),
    "Cell Data to Point Data": on("CellDatatoPointData"),
    "Cell Size": on("CellSize"),
    "Clean to Grid": on("CleantoGrid"),
    "Clip": clip,
    "Connectivity": on("Connectivity"),
    "Contour": on("Contour", {"ContourBy": "Temperature"}, Isosurfaces=[1000.0]),
    "Extract Surface": on("ExtractSurface"),
    "Glyph": on("Glyph"),
    "Histogram": on("Histogram", {"SelectInputArray": "Temperature"}),
    "Integrate Variables": on("IntegrateVariables"),
    "Merge Blocks": on("MergeBlocks"),
    "Outline": on("Outline"),
    "Plot Over Line": on("PlotOverLine", Point1=[0.1, -0.4, -0.3], Point2=[3.8, 0.5, 0.4]),
    "Probe Location": on("ProbeLocation", ProbeType="Fixed Radius Point Source"),
    "Resample To Image": on("ResampleToImage", SamplingDimensions=[20, 10, 10]),
    "Resample With Dataset": resample,
    "Shrink": on("Shrink"),
    "Slice": slice_of,
    "Stream Tracer": trace,
    "Tetrahedralize": on("Tetrahedralize"),
    "Threshold": on("Threshold", {"Scalars": "Temperature"}, LowerThreshold=900.0,
                    UpperThreshold=1800.0),
    "Warp By Vector": on("WarpByVector", {"Vectors": "Velocity"}),
}


def outcome(name, grid, kind):
    """What comes of a filter, as long as it does not end this process."""
    messages()
    try:
        made = FILTERS[name](grid, kind)
        made.UpdatePipeline()
        info = made.GetDataInformation()
        some = info.GetNumberOfPoints() + info.GetNumberOfCells() + info.GetNumberOfRows() > 0
    except Exception as reason:  # ParaView refuses it
        return "no", str(reason).strip().splitlines()[-1:]
    said = messages()
    return ("yes" if some and not said else "no"), said.strip().splitlines()[-1:]


def run_some(kind, names):
    """In a process of its own."""
    SEEDS["points"] = simple.PointSource(Center=[2, 0.05, 0.05], Radius=0.3, NumberOfPoints=30)
    grid = simple.AdaptiveGrid(Input=jet(), OutputType=kind, CriteriaArrays=["Temperature"],
                               InterpolationError=0.1, CoarsenLevels=2)
    grid.UpdatePipeline()
    for name in names:
        say(f"begin {name}")
        end, why = outcome(name, grid, kind)
        say(f"end {name}: {end} {why}")
    say("all")


def ends(kind):
    """What comes of each filter on this kind of output."""
    found, names = {}, list(FILTERS)
    while names:
        made = subprocess.run([shutil.which("pvpython"), os.path.abspath(__file__), kind,
                               ",".join(names)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, check=False, timeout=150)
        for name, end in re.findall(r"^end (.*): (yes|no)", made.stdout, re.M):
            found[name] = end
        begun = re.findall(r"^begin (.*)$", made.stdout, re.M)
        check(begun, f"{kind}: nothing began: {made.stdout}")
        if begun[-1] not in found:
            found[begun[-1]] = "ends"
        names = [name for name in names if name not in found]
    return found


def documented():
    """The table's rows: filter to the three kinds' words."""
    path = os.path.join(os.path.dirname(__file__), "../../../docs/adaptive-grid.md")
    with open(path, encoding="utf-8") as page:
        text = page.read()
    part = text[text.index("### Which filter works on which output"):]
    rows = re.findall(r"^\| ([A-Z][\w ]+) \| (yes|no|ends) \| (yes|no|ends) \| (yes|no|ends) \|",
                      part, re.M)
    return {row[0]: row[1:] for row in rows}


def the_table_is_true():
    from paraview import servermanager
    version = servermanager.vtkSMProxyManager
    if (version.GetVersionMajor(), version.GetVersionMinor()) != (5, 11):
        raise Skipped("the table is that of ParaView 5.11")
    by_kind = [ends(kind) for kind in KINDS]
    found = {name: tuple(one[name] for one in by_kind) for name in FILTERS}
    for name, row in found.items():
        say(f"| {name} | " + " | ".join(row) + " |")
    table = documented()
    check(list(table) == list(FILTERS), f"the table has {list(table)}")
    wrong = {name: (table[name], row) for name, row in found.items() if table[name] != row}
    check(not wrong, f"documented, found: {wrong}")


if len(sys.argv) > 2:
    run_some(sys.argv[1], sys.argv[2].split(","))
    os._exit(0)
main(the_table_is_true)
