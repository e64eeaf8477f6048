# SPDX-License-Identifier: BSD-3-Clause
"""What tests of CUDA in ParaView share: the device that they need, and the bytes of an output."""
import os

from tessera_testing import SKIPPED, cell_types, say, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataObject

DEVICES = simple.CUDADeviceReport()
DEVICES.UpdatePipeline()
DEVICES.UpdatePipelineInformation()


def need_device():
    """Ends the script where no device is usable: as skipped, with TESSERA_REQUIRE_CUDA=1 in the environment as
    failed."""
    if DEVICES.Problem:
        say(f"no usable CUDA device: {DEVICES.Problem}")
        raise SystemExit(1 if os.environ.get("TESSERA_REQUIRE_CUDA") == "1" else SKIPPED)


def leaves_of(data):
    if not data.IsA("vtkCompositeDataSet"):
        return [data]
    iterator = data.NewIterator()
    found = []
    while not iterator.IsDoneWithTraversal():
        found.append(iterator.GetCurrentDataObject())
        iterator.GoToNextItem()
    return found


def bytes_of(data):
    """Points, cells, trees, blocks and every array of a grid, but not the report."""
    everything = []
    for leaf in leaves_of(data):
        if leaf.IsA("vtkUnstructuredGrid"):
            everything += [vtk_to_numpy(leaf.GetPoints().GetData()).tobytes(),
                           vtk_to_numpy(leaf.GetCells().GetConnectivityArray()).tobytes(),
                           vtk_to_numpy(leaf.GetCells().GetOffsetsArray()).tobytes(), cell_types(leaf).tobytes()]
        elif leaf.IsA("vtkUniformGrid"):
            everything += [leaf.GetExtent(), leaf.GetOrigin(), leaf.GetSpacing()]
        elif leaf.IsA("vtkHyperTreeGrid"):
            everything += [leaf.GetNumberOfLeaves(), leaf.GetNumberOfCells()]
        for kind in (vtkDataObject.POINT, vtkDataObject.CELL):
            attributes = leaf.GetAttributes(kind)
            for i in range(attributes.GetNumberOfArrays() if attributes else 0):
                everything.append((attributes.GetArrayName(i), vtk_to_numpy(attributes.GetArray(i)).tobytes()))
    return everything
