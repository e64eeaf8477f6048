# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on random meshes with random properties: cells turned inside out, without volume, on points that are
not finite, duplicates, holes, nothing at all. Values are finite, points of the mesh lie in cells of the grid, errors
are bounded and as reported.

    random_meshes.py [CASES] [SEED] [FIRST]

makes the cases FIRST, FIRST + 1 ... of a seed, each from its two numbers alone; `1 SEED CASE` makes one
again. What fails is printed with its numbers, and the rest goes on.
"""
import numpy as np
from grid_testing import GHOSTS, points_of
from mesh_testing import FLATS, SOLIDS, Leaves, flat, reported, solid
from random_testing import counts, run_cases, run_twice
from tessera_testing import add_array, cell_types, check, main, points
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import VTK_POLYHEDRON, VTK_PYRAMID, vtkUnstructuredGrid

CELLS = r"(\d+ cells? ha(s|ve)|cell \d+ has) "
SAID = {
    "lost point said": (CELLS + "a point whose coordinates are not finite.*ignored", lambda case, _:
                        "lost point" in case.damaged),
    "no value said": (".*have a value that is not finite.*|.*has a value that is not finite.*", lambda case, _:
                      "no value" in case.damaged),
    "no volume said": (CELLS + "no volume.*", lambda case, _: bool(case.damaged)),
    "inverted said": (CELLS + "negative volume.*", lambda case, _: bool(case.damaged)),
    "nothing left said": (r"All \d+ cells of the input are hidden: .*", lambda case, _: "hole" in case.damaged),
    "none inside said": ("No cell lies wholly inside the mesh: .*", lambda case, _:
                         case.properties["Boundary"] != "Touching Cells")}


def is_turned_round(data):
    """Whether the apex of a pyramid has come below the mean of its base: a small jitter does that to few, and to no other
    kind of cell."""
    p = points(data).astype(float)
    for c in np.flatnonzero(cell_types(data) == VTK_PYRAMID):
        ids = data.GetCell(int(c)).GetPointIds()
        *base, apex = (p[ids.GetId(k)] for k in range(5))
        middle = np.mean(base, axis=0)
        if sum(np.dot(np.cross(base[k] - middle, base[(k + 1) % 4] - middle), apex - middle) for k in range(4)) <= 0:
            return True
    return False


class MeshCase:
    """A mesh, what was done to it, and the properties of the filter."""

    def __init__(self, rng):
        self.refused, self.damaged = "", set()
        kind = rng.choice(list(SOLIDS) + list(FLATS))
        jitter = float(rng.choice([0, 0.3, 2.0]))  # 2: cells turned inside out
        if kind in SOLIDS:
            self.data = solid(kind, int(rng.integers(1, 4)), jitter=jitter, seed=int(rng.integers(1000)))
        else:
            self.data = flat(kind, int(rng.integers(1, 6)), jitter=jitter, seed=int(rng.integers(1000)))
        if jitter > 1 or is_turned_round(self.data):
            self.damaged.add("inverted")
        self.kind, self.flat = kind, kind in FLATS
        for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
            self.harm(rng)
        self.properties = self.choose(rng)

    def harm(self, rng):
        p, ids = points(self.data), vtk_to_numpy(self.data.GetCells().GetConnectivityArray())
        what = rng.choice(["lost point", "equal points", "no value", "wrong id", "hole", "repeated cells", "empty"],
                          p=[0.17, 0.17, 0.16, 0.16, 0.16, 0.16, 0.02])
        if len(p) == 0 or len(ids) == 0:
            return
        self.damaged.add(str(what))
        i, j = rng.integers(len(p), size=2)
        if what == "lost point":
            p[i] = rng.choice([np.nan, np.inf])
        elif what == "equal points":
            p[i] = p[j]
        elif what == "no value":
            vtk_to_numpy(self.data.GetPointData().GetArray("bump"))[i] = np.nan
        elif what == "wrong id":
            ids[rng.integers(len(ids))] = ids[rng.integers(len(ids))]
        elif what == "hole":
            add_array(self.data.GetCellData(), GHOSTS,
                      np.where(rng.random(self.data.GetNumberOfCells()) < 0.3, 32, 0).astype(np.uint8))
        elif what == "repeated cells":
            self.repeat(rng)
        else:
            self.data = vtkUnstructuredGrid()

    def repeat(self, rng):
        """Cells on cells, without cell arrays."""
        for c in rng.integers(self.data.GetNumberOfCells(), size=3):
            if self.data.GetCellType(int(c)) != VTK_POLYHEDRON:
                cell = self.data.GetCell(int(c)).GetPointIds()
                self.data.InsertNextCell(self.data.GetCellType(int(c)), cell)
        self.data.GetCellData().Initialize()

    def choose(self, rng):
        self.error = float(rng.choice([1e-3, 0.05]))
        chosen = dict(
            CoarsenLevels=int(rng.integers(0, 3)), FinestCell=float(rng.choice([0, 0.1, 0.05])),
            InterpolationError=self.error, CriteriaArrays=["bump"], ThresholdMode="Absolute",
            OutputType=str(rng.choice(["Unstructured Grid", "Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR"])),
            HangingNodes=str(rng.choice(["Free", "Free", "Conforming"])),
            Boundary=str(rng.choice(["Touching Cells", "Touching Cells", "Wholly Inside Cells"])),
            GenerateInside=int(rng.integers(2)), Balance=str(rng.choice(["None", "None", "Across Corners"])))
        if rng.random() < 0.3:
            chosen.update(UseValueRange=1, ValueRange=float(rng.choice([0.05, 0.3])))
        if rng.random() < 0.2:
            chosen.update(GridType=str(rng.choice(["Fixed Fine", "Fixed Coarse"])))
        return chosen


def finite(output):
    for attributes in (output.GetPointData(), output.GetCellData()):
        for i in range(attributes.GetNumberOfArrays()):
            array = attributes.GetArray(i)
            # A value that is not finite may be copied.
            if array and array.GetNumberOfTuples() and array.GetName() in ("linear", "smooth"):
                check(np.isfinite(vtk_to_numpy(array)).all(), f"'{array.GetName()}' is not finite")
    if output.IsA("vtkUnstructuredGrid"):
        check(np.isfinite(points(output)).all(), "a point is not finite")


def sound_points(data):
    """Corners of the cells that are seen and have finite corners and volume."""
    ghosts = data.GetCellData().GetArray(GHOSTS)
    seen = vtk_to_numpy(ghosts) == 0 if ghosts else np.ones(data.GetNumberOfCells(), bool)
    p, used = points(data).astype(float), []
    for c in np.flatnonzero(seen):
        cell = data.GetCell(int(c)).GetPointIds()
        ids = [cell.GetId(k) for k in range(cell.GetNumberOfIds())]
        at = p[ids]
        if np.isfinite(at).all() and len(set(map(tuple, at))) == len(ids):
            used.append(ids)
    return np.unique(np.concatenate(used)).astype(int) if used else np.zeros(0, int)


def check_case(case, output, kinds):
    counts[case.kind] += 1
    for harm in case.damaged:
        counts[harm] += 1
    if not output.IsA("vtkUnstructuredGrid"):
        return
    finite(output)
    chosen = case.properties
    if chosen["HangingNodes"] != "Free" or chosen["Boundary"] != "Touching Cells" or not output.GetNumberOfCells():
        return
    at, leaves = points(case.data).astype(float), Leaves(output)
    used = sound_points(case.data)
    values = points_of(case.data, "bump").astype(float)
    finest = (leaves.high - leaves.low)[:, leaves.axes].max(axis=1).min()
    slack, least, most = 1e-4 * finest, 0.0, 0.0
    bounded = chosen.get("GridType", "Adaptive") == "Adaptive" and chosen["Balance"] == "None"
    for i, holding in zip(used, leaves.holders(at[used], slack)):
        # Of a cell without volume nothing is kept but what others share.
        check(len(holding) > 0 or case.damaged, f"point {i} at {at[i]} lies in no cell")
        counts["lost"] += len(holding) == 0
        if len(holding) == 0 or not np.isfinite(values[i]):
            continue
        errors = np.array([abs(leaves.values("bump", leaf, at[i]) - values[i]) for leaf in holding])
        if not np.isfinite(errors).all():
            continue
        # A point on a side counts in one of its leaves, which may be of the finest size.
        least, most = max(least, errors.min()), max(most, errors.max())
        if bounded and (leaves.high - leaves.low)[holding].max(axis=1).min() > finest * 1.5:
            counts["bounded points"] += 1
            check(errors.min() <= case.error * (1 + 1e-4) + 1e-5, f"point {i} is off by {errors.min()} in a large cell")
    if not case.damaged:
        # The report is about corners of the octree of the mesh as well, where the bound holds in all cells.
        told, grid = reported(output, "bump"), chosen.get("GridType", "Adaptive")
        most = max(most, {"Adaptive": case.error, "Fixed Coarse": np.inf, "Fixed Fine": 0}[grid])
        check(least - 1e-5 <= told <= most + 1e-5, f"{told} is reported, not {least} to {most}")
        counts["reports"] += 1
    counts["looked at"] += 1


def random_meshes():
    run_cases("random_meshes.py", "meshes", MeshCase,
              lambda case, rng: run_twice("AdaptiveGrid", case, rng, SAID, check_case))


main(random_meshes)
