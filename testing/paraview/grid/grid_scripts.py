# SPDX-License-Identifier: BSD-3-Clause
"""The filters' properties as a script sees them: their names, arrays as ParaView writes them, and a region
that was set before the input ran."""
import numpy as np
from grid_testing import cells_of, image, points_of
from tessera_testing import add_array, check, field_value, main, messages, simple, source_of, update

FILTERS = ("AdaptiveCurves", "AdaptiveGrid", "AdaptivePointGrid", "PointsToCurves", "DiscImage",
           "RandomBezierCurves", "RandomDiscs", "TurbulentJet", "CUDADeviceReport")


def names():
    """Each is made of words with capitals, and is the name that the XML has."""
    for name in FILTERS:
        simple.SetActiveSource(None)
        proxy = getattr(simple, name)()
        of_labels = set(proxy.ListProperties())
        check(all(one[0].isupper() and proxy.SMProxy.GetProperty(one) for one in of_labels),
              f"{name}: {sorted(one for one in of_labels if not proxy.SMProxy.GetProperty(one))}")
        check(not {"Size", "AsText", "DonebytheCPU", "CriteriaFolded"} & of_labels, name)
    simple.SetActiveSource(None)
    grid = simple.AdaptiveGrid()
    check(grid.EstimateText == "-" and grid.HideUnusedCriteria == 0 and "ByCPU" in dir(grid) and
          "ReportText" in dir(grid), "by their names")


def two_of_a_name():
    """Point and cell arrays of one name, each of which asks for cells of its own."""
    data = image([0, 16, 0, 16, 0, 8])
    p = points_of(data, "ijk")
    middle = p.reshape(9, 17, 17, 3)[:-1, :-1, :-1].reshape(-1, 3) + 0.5
    add_array(data.GetPointData(), "a", np.where(p[:, 0] < 4, p[:, 0] ** 2, 16.0))
    add_array(data.GetCellData(), "a", np.where(middle[:, 1] > 12, middle[:, 1], 12.0))
    for attributes, at in ((data.GetPointData(), p), (data.GetCellData(), middle)):
        add_array(attributes, "v", np.stack([at[:, 1] ** (2 if at is p else 3), 0 * at[:, 0], 0 * at[:, 0]], axis=1))
    return data


def said(proxy):
    proxy.UpdatePipeline()
    return proxy.GetClientSideObject().GetOutputDataObject(0), messages()


def criteria_arrays():
    data = two_of_a_name()
    settings = dict(HangingNodes="Free", Balance="None", GenerateLevel=1, InterpolationError=0.05)

    def levels(*arrays):
        grid = simple.AdaptiveGrid(Input=source_of(data), CriteriaArrays=list(arrays), **settings)
        out, words = said(grid)
        check(words == "" and list(grid.CriteriaArrays) == list(arrays), f"{arrays}: {words}")
        boxes = np.array([out.GetCell(c).GetBounds() for c in range(out.GetNumberOfCells())])
        fine = boxes[cells_of(out, "Level") == 3]
        return out.GetNumberOfCells(), fine[:, 0].min(), fine[:, 1].max(), fine[:, 2].min()

    plain = levels("a")
    check(levels("POINTS", "a") == plain and plain[2] <= 8, f"a name stands for the point array: {plain}")
    of_cells = levels("CELLS", "a")
    check(of_cells[1] == 0 and of_cells[2] == 16 and of_cells[3] >= 8, f"the cell array: {of_cells}")
    both = levels("POINTS", "a", "CELLS", "a")
    check(both[0] > max(plain[0], of_cells[0]), f"both: {both}")
    grid = simple.AdaptiveGrid(Input=source_of(data), CriteriaArrays=["CELLS", "ijk"])
    check("there is no numeric cell array 'ijk'" in said(grid)[1], "it is of points")
    add_array(data.GetPointData(), "POINTS", points_of(data, "a"))
    check(levels("POINTS") == plain and levels("POINTS", "POINTS") == plain, "a name as any other")


def velocity_array():
    data = two_of_a_name()
    cells = {}
    for array in ("v", ["POINTS", "v"], ["CELLS", "v"]):
        grid = simple.AdaptiveGrid(Input=source_of(data), UseInterpolationError=0, UseVorticity=1,
                                   Vorticity=0.5, VelocityArray=array)
        out, words = said(grid)
        check(words == "" and grid.VelocityArray[1] == "v", f"{array}: {words}")
        cells[str(array)] = out.GetNumberOfCells()
    plain, of_points, of_cells = cells.values()
    check(plain == of_points and of_points != of_cells, f"{cells}")
    grid.VelocityArray = ["CELLS", "ijk"]
    check("there is no cell array 'ijk' of 3 components" in said(grid)[1], "it is of points")


def spread_array():
    points = simple.RandomDiscs(NumberOfDiscs=2000)
    points.UpdatePipeline()
    name = points.PointData[0].GetName()
    counts = []
    for array in (name, ["POINTS", name]):
        grid = simple.AdaptivePointGrid(Input=points, UseSpread=1, Spread=0.01, SpreadArray=array)
        update(grid)
        check(grid.SpreadArray[:] == ["POINTS", name], f"{grid.SpreadArray[:]}")
        counts.append(grid.LeavesOut)
    check(counts[0] == counts[1] > 100, f"{counts}")
    grid.SpreadArray = ["CELLS", name]
    check("Spread Array must be a point array" in said(grid)[1], "and nothing else")


def a_region_before_the_input_ran():
    """The default region is the box of the input, whether or not the input ran before."""
    settings = dict(UseRegion=1, LevelOutside=0, CoarsenLevels=2, HangingNodes="Free", InterpolationError=0.001)
    leaves = []
    for first in (False, True):
        jet = simple.TurbulentJet(Dimensions=[33, 17, 17])
        if first:
            jet.UpdatePipeline()
        grid = simple.AdaptiveGrid(Input=jet, CriteriaArrays=["Temperature"], **settings)
        update(grid)
        leaves.append(field_value(grid.GetClientSideObject().GetOutputDataObject(0), "Leaves").ToLongLong())
    check(leaves[0] == leaves[1] > 1000, f"leaves: {leaves}")
    grid = simple.AdaptiveGrid(Input=simple.TurbulentJet(Dimensions=[33, 17, 17]), Region=[0, 1, 0, 1, 0, 1],
                               CriteriaArrays=["Temperature"], **settings)
    update(grid)
    check(field_value(grid.GetClientSideObject().GetOutputDataObject(0), "Leaves").ToLongLong() < leaves[0],
          "a region that is set is that one")


main(names, criteria_arrays, velocity_array, spread_array, a_region_before_the_input_ran)
