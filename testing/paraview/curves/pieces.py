# SPDX-License-Identifier: BSD-3-Clause
# ranks: 1 2 4
"""As a user runs pvbatch on a cluster: one script, the pieces of a file spread over the processes.

The same curves come from one file, which one process reads, and from six pieces.
"""
import numpy as np
from tessera_testing import (add_array, check, main, output_file, point_array, points, polydata,
                             simple)
from paraview import servermanager
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter
from vtkmodules.vtkParallelCore import vtkMultiProcessController

RANKS = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
PIECES, CURVES = 6, 40


def write(name, coordinates, first):
    n = len(coordinates) // 8
    data = polydata(coordinates, [range(8 * i, 8 * i + 8) for i in range(n)])
    add_array(data.GetPointData(), "curve", np.repeat(np.arange(first, first + n), 8))
    writer = vtkXMLPolyDataWriter()
    writer.SetInputData(data)
    writer.SetFileName(output_file(name))
    writer.SetDataModeToAscii()
    writer.Write()


def write_all():
    xyz = np.random.default_rng(8).random((8 * CURVES, 3))
    write(f"whole_{RANKS}.vtp", xyz, 0)
    first = 0
    for piece in range(PIECES):
        n = 0 if piece == 2 else CURVES - first if piece == PIECES - 1 else 3 + piece
        write(f"piece_{RANKS}_{piece}.vtp", xyz[8 * first:8 * (first + n)], first)
        first += n
    sources = "".join(f'<Piece Source="piece_{RANKS}_{p}.vtp"/>' for p in range(PIECES))
    with open(output_file(f"pieces_{RANKS}.pvtp"), "w") as out:
        out.write('<VTKFile type="PPolyData" version="0.1"><PPolyData GhostLevel="0">'
                  '<PPointData><PDataArray type="Int64" Name="curve"/></PPointData>'
                  '<PPoints><PDataArray type="Float64" NumberOfComponents="3"/></PPoints>'
                  f"{sources}</PPolyData></VTKFile>")


def result(reader, **properties):
    """Points of each curve, whatever process made them, and the report."""
    curves = simple.AdaptiveCurves(Input=reader, **properties)
    curves.UpdatePipeline()
    curves.UpdatePipelineInformation()
    data = servermanager.Fetch(curves)
    number = point_array(data, "curve")
    xyz = points(data)
    return {c: xyz[number == c].tobytes() for c in range(CURVES)}, (curves.CurvesIn, curves.PointsOut)


def one_file_and_six_pieces():
    write_all()
    whole = simple.XMLPolyDataReader(FileName=[output_file(f"whole_{RANKS}.vtp")])
    pieces = simple.XMLPartitionedPolydataReader(FileName=[output_file(f"pieces_{RANKS}.pvtp")])
    for properties in (dict(), dict(PointBudget=900), dict(ChordErrorMode="Absolute", ChordError=0.01)):
        one, report = result(whole, **properties)
        other, other_report = result(pieces, **properties)
        check(one == other, f"the points with {properties}")
        check(report == other_report and report[0] == CURVES, f"the reports: {report}, {other_report}")
        check(all(len(xyz) > 8 * 24 for xyz in one.values()), "every curve is there")


main(one_file_and_six_pieces)
