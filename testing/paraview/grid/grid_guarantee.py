# SPDX-License-Identifier: BSD-3-Clause
"""The interpolation error at every node of real flows, worked out from the output in numpy."""
import numpy as np
from grid_testing import adapt, cells_of, points_of, shape
from tessera_testing import case, check, main, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

COARSEN = 3
VTK_HEXAHEDRON = 12


def leaf(output):
    return output if output.IsA("vtkUnstructuredGrid") else output.GetBlock(0)


def output_of(proxy):
    proxy.UpdatePipeline()
    data = proxy.GetClientSideObject().GetOutputDataObject(0)
    return data.GetBlock(0) if data.IsA("vtkMultiBlockDataSet") else data


class Leaves:
    """The leaves in index space from 0, and the point ids of their corners, x fastest."""

    def __init__(self, out, cells):
        n = np.array(cells[::-1])
        source = cells_of(out, "SourceCell")
        self.low = np.stack([source % n[0], source // n[0] % n[1], source // (n[0] * n[1])], axis=1)
        side = 2 ** (COARSEN - cells_of(out, "Level"))[:, None]
        self.high = np.minimum(self.low + side, n)
        self.ids = vtk_to_numpy(out.GetCells().GetConnectivityArray()).reshape(-1, 8)
        if out.GetCellType(0) == VTK_HEXAHEDRON:
            self.ids = self.ids[:, [0, 1, 3, 2, 4, 5, 7, 6]]

    def nodes(self, values):
        """For all leaves of a size, and each input node in them: its index, and what the corners'
        values make of it."""
        size = self.high - self.low
        for one in np.unique(size, axis=0):
            mine = np.flatnonzero((size == one).all(axis=1))
            corners = values[self.ids[mine]].astype(float)
            for offset in np.ndindex(*(one + 1)):
                t = np.array(offset) / one
                weights = [np.prod([t[a] if k >> a & 1 else 1 - t[a] for a in range(3)])
                           for k in range(8)]
                yield self.low[mine] + offset, corners @ weights


def check_flow(source, name, tolerances=(0.05, 0.01)):
    data = output_of(source)
    exact = points_of(data, name).reshape(shape(data)).astype(float)
    spread = exact.max() - exact.min()
    cells = shape(data, cells=True)
    counts = []
    for tolerance in tolerances:
        for balance in ("None", "Across Faces", "Across Corners"):
            out = leaf(adapt(source, CoarsenLevels=COARSEN, CriteriaArrays=[name], GenerateLevel=1,
                             InterpolationError=tolerance, Balance=balance, GenerateSourceCell=1))
            leaves = Leaves(out, cells)
            volume = (leaves.high - leaves.low).prod(axis=1).sum()
            check(volume == np.prod(cells), f"{balance}: {volume} of {np.prod(cells)} input cells")
            worst, reached = 0.0, np.zeros(exact.shape, bool)
            for at, made in leaves.nodes(points_of(out, name)):
                place = tuple(at.T[::-1])
                worst = max(worst, abs(made - exact[place]).max())
                reached[place] = True
            check(reached.all(), "every node lies in a leaf")
            check(worst <= tolerance * spread * (1 + 1e-6), f"{balance}: {worst / spread}")
            counts.append(len(leaves.low))
    check(counts[0] <= counts[1] <= counts[2] < counts[5], f"cells {counts}")


def check_no_jumps(source, name):
    """Constrained: whatever leaf a point lies in or on, that leaf's interpolant is its value."""
    data = output_of(source)
    n = np.array(shape(data)[::-1])
    spread = np.ptp(points_of(data, name))
    for balance in ("Across Faces", "Across Corners"):
        out = leaf(adapt(source, CoarsenLevels=COARSEN, CriteriaArrays=[name], GenerateLevel=1,
                         InterpolationError=0.05, Balance=balance, GenerateSourceCell=1,
                         HangingNodes="Constrained"))
        leaves, values = Leaves(out, shape(data, cells=True)), points_of(out, name)
        point = np.full(n.prod(), -1)  # the output point at a node
        for k in range(8):
            at = np.where([k & 1, k >> 1 & 1, k >> 2 & 1], leaves.high, leaves.low)
            point[at @ [1, n[0], n[0] * n[1]]] = leaves.ids[:, k]
        jump, hanging = 0.0, 0
        for at, made in leaves.nodes(values):
            here = point[at @ [1, n[0], n[0] * n[1]]]
            jump = max(jump, abs(made - values[here])[here >= 0].max(initial=0.0))
            hanging += np.count_nonzero(here >= 0)
        check(hanging > leaves.ids.size, "some points hang")
        check(jump <= 1e-5 * spread, f"{balance}: a jump of {jump / spread} of the range")


def carotid():
    return simple.LegacyVTKReader(FileNames=[case("flow/carotid.vtk")])


def combustor():
    return simple.PLOT3DReader(FileName=[case("flow/combxyz.bin")],
                               QFileName=[case("flow/combq.bin")])


def jet():
    return simple.TurbulentJet(Dimensions=[61, 35, 29])


def carotid_is_bounded():
    check_flow(carotid(), "scalars")


def combustor_is_bounded():
    check_flow(combustor(), "Density")


def jet_is_bounded():
    check_flow(jet(), "Scalar")


def constrained_points_leave_no_jumps_in_the_jet():
    check_no_jumps(jet(), "Scalar")


def constrained_points_leave_no_jumps_in_the_combustor():
    check_no_jumps(combustor(), "Density")


main(carotid_is_bounded, combustor_is_bounded, jet_is_bounded,
     constrained_points_leave_no_jumps_in_the_jet,
     constrained_points_leave_no_jumps_in_the_combustor)
