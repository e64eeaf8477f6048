# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on the turbulent jet: volumes, the interpolation error, each output type."""
import numpy as np
from tessera_testing import check, main, messages, output_file, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOParallelXML import vtkXMLPUnstructuredGridWriter
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader

BOX = [33, 17, 17]


def jet():
    return simple.TurbulentJet(Dimensions=BOX, OutputPrecision="Double")


def grid(source, **properties):
    properties.setdefault("HangingNodes", "Free")
    made = simple.AdaptiveGrid(Input=source, **properties)
    made.UpdatePipeline()
    said = messages()
    check(said == "", f"unexpected message: {said}")
    return made


def volume(proxy):
    sizes = simple.CellSize(Input=proxy, ComputeVertexCount=0, ComputeLength=0, ComputeArea=0)
    total = simple.IntegrateVariables(Input=sizes, DivideCellDataByVolume=0)
    total.UpdatePipeline()
    return total.CellData["Volume"].GetRange(0)[0]


def cells(proxy):
    return proxy.GetDataInformation().GetNumberOfCells()


def the_leaves_fill_the_box():
    source = jet()
    source.UpdatePipeline()
    b = source.GetDataInformation().GetBounds()
    box = (b[1] - b[0]) * (b[3] - b[2]) * (b[5] - b[4])
    for levels in (1, 2, 3):  # 2^3 does not divide 32 x 16 x 16 any further than it must
        made = grid(source, CoarsenLevels=levels)
        check(abs(volume(made) - box) < 1e-9 * box, f"{levels} levels: volume {volume(made)}")


def adaptive_lies_between_coarse_and_fine():
    source = jet()
    counts = {kind: cells(grid(source, GridType=kind, CoarsenLevels=2))
              for kind in ("Fixed Coarse", "Adaptive", "Fixed Fine")}
    check(counts["Fixed Coarse"] == 8 * 4 * 4, f"coarse: {counts}")
    check(counts["Fixed Fine"] == 32 * 16 * 16, f"fine: {counts}")
    check(counts["Fixed Coarse"] < counts["Adaptive"] < counts["Fixed Fine"], f"{counts}")


def interpolation_error_holds_at_every_node():
    """Resampling the adaptive grid to the input's nodes must give the input within the tolerance;
    the leaves are boxes whose corners hold the array, so that VTK's own interpolation is ours."""
    source = jet()
    source.UpdatePipeline()
    exact = vtk_to_numpy(
        source.GetClientSideObject().GetOutputDataObject(0).GetPointData().GetArray("Temperature"))
    spread = exact.max() - exact.min()
    for tolerance in (0.1, 0.02):
        made = grid(source, CoarsenLevels=2, CriteriaArrays=["Temperature"],
                    ThresholdMode="Fraction of Range", UseInterpolationError=1,
                    InterpolationError=tolerance)
        probe = simple.ResampleWithDataset(SourceDataArrays=made, DestinationMesh=source)
        probe.UpdatePipeline()
        out = probe.GetClientSideObject().GetOutputDataObject(0).GetPointData()
        valid = vtk_to_numpy(out.GetArray("vtkValidPointMask")) == 1
        check(valid.all(), f"{np.count_nonzero(~valid)} nodes lie in no leaf")
        off = abs(vtk_to_numpy(out.GetArray("Temperature")) - exact).max()
        check(off <= tolerance * spread * (1 + 1e-9), f"{tolerance}: {off / spread} of the range")


def read_back(filter_):
    """The number of cells, written as three pieces."""
    writer, reader = vtkXMLPUnstructuredGridWriter(), vtkXMLPUnstructuredGridReader()
    writer.SetInputConnection(filter_.GetOutputPort(0))
    writer.SetNumberOfPieces(3)
    writer.SetEndPiece(2)
    writer.SetDataModeToAscii()
    for one in (writer, reader):
        one.SetFileName(output_file("pieces.pvtu"))
    writer.Write()
    reader.Update()
    return reader.GetOutput().GetNumberOfCells()


def several_pieces_in_one_process():
    """As a writer of VTK asks for them: together they are the whole grid, whatever the input holds."""
    for updated in (False, True):
        for kind in ("Unstructured Grid", "Hyper Tree Grid"):
            source = jet()
            made = simple.AdaptiveGrid(Input=source, CriteriaArrays=["Temperature"], OutputType=kind)
            made.UpdatePipelineInformation()
            if updated:
                source.UpdatePipeline()
            counts = []
            filter_ = made.GetClientSideObject()
            for pieces, piece in ((1, 0), (3, 0), (3, 1), (3, 2), (1, 0)):
                filter_.UpdatePiece(piece, pieces, 0)
                counts.append(filter_.GetOutputDataObject(0).GetNumberOfCells())
                rows = filter_.GetOutputDataObject(1).GetNumberOfRows()
                check((rows > 0) == (piece == pieces - 1), f"{rows} rows in piece {piece}")
            whole = counts[0]
            check(whole > 0 and counts == [whole, 0, 0, whole, whole], f"{kind}: {counts}")
            check(messages() == "", "nothing is said")
            if made.OutputType == "Unstructured Grid":
                check(read_back(filter_) == whole, "cells of a file of three pieces")


main(the_leaves_fill_the_box, adaptive_lies_between_coarse_and_fine,
     interpolation_error_holds_at_every_node, several_pieces_in_one_process)
