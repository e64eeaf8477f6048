# SPDX-License-Identifier: BSD-3-Clause
# ranks: 1 2 4 symmetric
"""Disc Image on several processes: the image of one, on process 0. Every rank runs this script."""
import numpy as np
from tessera_testing import check, main, messages, point_array, simple
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkParallelCore import vtkMultiProcessController

controller = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = controller.GetLocalProcessId(), controller.GetNumberOfProcesses()
LOOK = {"RadiusArray": "Radius", "ColorMode": "Array of Colors", "ColorArray": "Color",
        "OpacityArray": "Opacity", "Resolution": [80, 60]}


def piece_of_image(source, rank, ranks, **properties):
    discs = simple.DiscImage(Input=source, **properties)
    discs.UpdateVTKObjects()
    algorithm = discs.GetClientSideObject()
    algorithm.UpdatePiece(rank, ranks, 0)
    image = algorithm.GetOutputDataObject(0)
    return point_array(image, "Colors").copy() if image.GetNumberOfPoints() else None, discs


def expected(**properties):
    """The image of all discs, from a copy of them on this process alone."""
    source = simple.RandomDiscs(NumberOfDiscs=500)
    algorithm = source.GetClientSideObject()
    algorithm.UpdatePiece(0, 1, 0)
    whole = vtkPolyData()
    whole.DeepCopy(algorithm.GetOutput())
    return whole


def the_image_of_one_process():
    for order in ("Input", "Depth"):
        source = simple.RandomDiscs(NumberOfDiscs=500)
        messages()
        parts, discs = piece_of_image(source, RANK, RANKS, Order=order, **LOOK)
        check(messages() == "", "nothing is said")
        # Process 0 holds everything, the others nothing.
        whole = simple.TrivialProducer()
        whole.GetClientSideObject().SetOutput(expected() if RANK == 0 else vtkPolyData())
        one, _ = piece_of_image(whole, RANK, RANKS, Order=order, **LOOK)
        if RANK == 0:
            check(parts is not None and np.array_equal(parts, one), f"{order}: the same image")
            check(parts.reshape(-1, 4)[:, 3].max() > 100, "something is seen")
        else:
            check(parts is None, "an empty image")
        discs.UpdatePropertyInformation()
        check(discs.DiscsIn == 500, f"{discs.DiscsIn} discs")


def an_array_that_no_process_has():
    source = simple.RandomDiscs(NumberOfDiscs=50)
    messages()
    piece_of_image(source, RANK, RANKS, RadiusArray="nothing", Resolution=[8, 8])
    check(messages().count("another Radius Array than 'nothing'") == (RANK == 0), "a sentence, once")


main(the_image_of_one_process, an_array_that_no_process_has)
