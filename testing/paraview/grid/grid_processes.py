# SPDX-License-Identifier: BSD-3-Clause
# ranks: 2 4 7 symmetric
"""Run with mpiexec: any number of processes makes the grid that one makes, cell by cell.

Each process gives its share of the input, some of them nothing. Process 0 makes the whole grid by
itself as well, and looks there for the cells of all processes: each has to be found once.
"""
import numpy as np
from grid_parts import (CONTROLLER, EXTENT, RANK, RANKS, a_rectilinear_grid, a_structured_grid, alone,
                        an_image, as_bytes, compare, parts_of, rows, same, with_data)
from grid_testing import GHOSTS, KINDS, Boxes, adapt, image, points_of, rectilinear, shape
from tessera_testing import (add_array, case, check, field_value, main, messages, output_file, simple,
                             source_of)
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkMultiBlockDataSet
from vtkmodules.vtkIOParallel import vtkMultiBlockPLOT3DReader
from vtkmodules.vtkFiltersExtraction import vtkExtractRectilinearGrid
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter, vtkXMLRectilinearGridWriter
from vtkmodules.vtkParallelCore import (vtkCommunicator, vtkDummyController,
                                        vtkMultiProcessController)


def criteria_that_look_beyond_their_cell():
    off = dict(UseInterpolationError=0)
    counts = [same(an_image, axis, CriteriaArrays=["f"], InterpolationError=0.05)
              for axis in range(3)]
    check(counts[0] == counts[1] == counts[2], f"{counts}")
    for arrays in (["f"], ["c"], ["f", "c"]):
        same(an_image, 0, CriteriaArrays=arrays, UseGradient=1, Gradient=0.2, **off)
        same(an_image, 2, CriteriaArrays=arrays, UseSecondDerivative=1, SecondDerivative=0.6, **off)
        same(an_image, 1, CriteriaArrays=arrays, UseStandardDeviation=1, StandardDeviation=0.05,
             **off)
    same(an_image, 0, UseVorticity=1, Vorticity=0.6, VelocityArray="flow", **off)
    same(an_image, 0, UseQCriterion=1, QCriterion=0.3, VelocityArray="flow", **off)
    same(an_image, 1, CriteriaArrays=["c"], UseArrayInRange=1, ArrayInRange=[0.4, 0.45], **off)


def rules_that_reach_over_borders():
    for balance in ("None", "Across Faces", "Across Edges", "Across Corners"):
        same(an_image, 0, CriteriaArrays=["f"], CoarsenLevels=3, RefineLevels=1, Balance=balance,
             UseArrayInRange=1, ArrayInRange=[0.98, 1])
    same(an_image, 0, CriteriaArrays=["f"], BufferCells=2)
    same(an_image, 0, CriteriaArrays=["f"], UseRegion=1, Region=[2, 7, -1, 6, 4, 15], LevelInside=2,
         LevelOutside=1)
    same(an_image, 0, CriteriaArrays=["f"], HangingNodes="Constrained", CoarsenLevels=3,
         Balance="None", InterpolationError=0.05)
    same(an_image, 1, [2, 60, 0, 44, 3, 3], CriteriaArrays=["f"], CoarsenLevels=3,
         HangingNodes="Polygons (2D)", InterpolationError=0.05)
    for kind in ("Fixed Coarse", "Fixed Fine"):
        same(an_image, 0, GridType=kind)


def budgets():
    for budget in (200, 1000):
        n = same(an_image, 0, CriteriaArrays=["f"], CellBudget=budget)
        check(RANK > 0 or budget / 2 < n <= budget, f"{n} cells for a budget of {budget}")


def every_geometry():
    for make in (a_rectilinear_grid, a_structured_grid):
        for axis in range(3):
            same(make, axis, CriteriaArrays=["f"], InterpolationError=0.05)
        same(make, 0, CriteriaArrays=["flow"], UseVorticity=1, Vorticity=0.5, VelocityArray="flow")


def every_kind_of_output():
    for kind in KINDS[1:]:
        for properties in (dict(CriteriaArrays=["f"], InterpolationError=0.05),
                           dict(CriteriaArrays=["c"], UseInterpolationError=0, UseGradient=1),
                           dict(CriteriaArrays=["f"], CellBudget=1500)):
            same(an_image, 0, OutputType=kind, AMRBlockSize=4, **properties)
        same(an_image, 1, [0, 40, 0, 37, 5, 5], CriteriaArrays=["f"], OutputType=kind)
        same(an_image, 0, [0, 40, 2, 2, 0, 33], CriteriaArrays=["f"], OutputType=kind)
    same(lambda e: with_data(rectilinear(e, *(np.arange(e[2 * a], e[2 * a + 1] + 1) * 3.0
                                             for a in range(3)))),
         0, CriteriaArrays=["f"], OutputType="Hyper Tree Grid")


def hidden_cells():
    def make(extent):
        data = an_image(extent)
        numbers = vtk_to_numpy(data.GetCellData().GetArray("number"))
        hidden = (numbers % 7 == 0) * vtkDataSetAttributes.HIDDENCELL
        add_array(data.GetCellData(), GHOSTS, hidden.astype(np.uint8))
        return data
    for kind in KINDS:
        same(make, 0, CriteriaArrays=["f"], OutputType=kind)


def more_processes_than_roots():
    same(an_image, 0, [0, 9, 0, 7, 0, 5], CriteriaArrays=["f"], CoarsenLevels=4)
    for kind in KINDS:
        same(an_image, 0, [0, 9, 0, 7, 0, 5], CriteriaArrays=["f"], CoarsenLevels=3, OutputType=kind)


def ghost_cells_of_the_source():
    """Pieces that overlap, as readers with ghost levels give them, count once."""
    part = parts_of(EXTENT, 0)
    data = an_image(EXTENT).NewInstance()
    if part:
        grown = list(part)
        grown[0], grown[1] = max(part[0] - 2, EXTENT[0]), min(part[1] + 2, EXTENT[1])
        data = an_image(grown)
        ghost = np.zeros(shape(data, cells=True), np.uint8)
        ghost[:, :, :part[0] - grown[0]] = vtkDataSetAttributes.DUPLICATECELL
        ghost[:, :, part[1] - grown[0]:] = vtkDataSetAttributes.DUPLICATECELL
        add_array(data.GetCellData(), GHOSTS, ghost.ravel())
    settings = dict(CoarsenLevels=2, CriteriaArrays=["f"], GenerateLevel=1)
    compare(adapt(data, **settings), lambda: alone(an_image(EXTENT), **settings), "ghosts")


def each_process_does_its_share():
    part = parts_of(EXTENT, 0)
    out = adapt(an_image(part) if part else an_image(EXTENT).NewInstance(), GridType="Fixed Fine",
                CoarsenLevels=1)
    check(out.GetNumberOfCells() > 27 * 13 * 13 / RANKS / 2, f"{out.GetNumberOfCells()} cells here")


def a_hole_between_the_processes():
    if RANKS > 1:
        data = an_image(EXTENT).NewInstance()
        if RANK in (0, RANKS - 1):
            data = an_image([2, 12, -4, 9, 0, 13] if RANK == 0 else [14, 29, -4, 9, 0, 13])
        text = said_about(data, CriteriaArrays=["f"])
        check("no process holds the input point 13 " in text or RANK > 0, f"told: {text}")


def announcing(extent, part):
    """A source of images that announces an extent, of which this process gives a part."""
    producer = source_of(an_image(part) if part else an_image([0, 1, 0, 1, 0, 1]).NewInstance())
    producer.GetClientSideObject().SetWholeExtent(extent)
    producer.MarkModified(None)
    return producer


def parts_that_are_announced_but_not_there():
    """One process gives half of what its source announces, the others nothing."""
    half = [0, 10, 0, 8, 0, 8]
    settings = dict(CriteriaArrays=["f"], CoarsenLevels=1)
    text, cells = told_and_made(announcing(half, half if RANK == 0 else None), **settings)
    check(text == "" and (cells > 0 or RANK > 0), f"all of it is there: {text}")
    if RANKS > 1:
        for whole, missing in (([0, 20, 0, 8, 0, 8], "11 0 0"), ([0, 10, -3, 8, 0, 8], "0 -3 0")):
            source = announcing(whole, half if RANK == 0 else None)
            text, cells = told_and_made(source, **settings)
            check(f"no process holds the input point {missing}" in text or RANK > 0, f"told: {text}")
            check(cells == 0, "nothing comes of a half")


def parts_that_do_not_agree():
    """On where they lie: each would move the others' points in silence."""
    if RANKS == 1:
        return
    part = [0, 9, 0, 9, 9 * RANK, 9 * RANK + 9]
    wrong = RANK == RANKS - 1
    turned = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    for data in (image(part, spacing=(1, 2 if wrong else 1, 1)),
                 image(part, origin=(0, 0, 1e-3 if wrong else 0)),
                 image(part, direction=turned if wrong else None)):
        text, cells = told_and_made(source_of(with_data(data)), CriteriaArrays=["f"])
        check("parts of one image have to agree" in text or RANK > 0, f"told: {text}")
        check(cells == 0, "nothing comes of them")
    data = image(part, origin=(0, 0, 1e-9 if wrong else 0))  # rounding
    text, cells = told_and_made(source_of(with_data(data)), CriteriaArrays=["f"])
    check(text == "" and cells > 0, f"rounding is let pass: {text}")
    z = np.arange(part[4], part[5] + 1.0)
    z[0] += 0.5 if wrong else 0
    data = with_data(rectilinear(part, np.arange(10), np.arange(10), z))
    text, cells = told_and_made(source_of(data), CriteriaArrays=["f"])
    check("parts of one grid have to agree" in text or RANK > 0, f"told: {text}")
    check(cells == 0, "nothing comes of them")


def parts_of_the_wrong_length():
    """One process has more coordinates than points; a sentence everywhere, and nobody waits."""
    part = parts_of(EXTENT, 0)
    data = a_rectilinear_grid(part) if part else a_rectilinear_grid(EXTENT).NewInstance()
    if RANK == 0:
        data.GetYCoordinates().InsertNextTuple1(1000)
    text = said_about(data, CriteriaArrays=["f"])
    check("there are 15 coordinates along y for 14 points" in text or RANK > 0, f"told: {text}")


def grids_of_one_process():
    """All is on one process, and the others have grids without even coordinates."""
    for holder in range(min(RANKS, 2)):
        for make in (an_image, a_rectilinear_grid, a_structured_grid):
            data = make(EXTENT)
            if RANK != holder:
                data.Initialize()
            settings = dict(CriteriaArrays=["f"], CoarsenLevels=2, GenerateLevel=1)
            compare(adapt(data, **settings), lambda: alone(make(EXTENT), **settings),
                    f"all on process {holder}")


def write_once(writer, data, name):
    """The file that one process has written, when it is there for all."""
    name = output_file(name)
    if RANK == 0:
        writer.SetInputData(data)
        writer.SetFileName(name)
        writer.SetDataModeToBinary()
        writer.Write()
    CONTROLLER.Barrier()
    return name


def subsets():
    """Extract Subset gives some processes nothing of a rectilinear grid."""
    settings = dict(CriteriaArrays=["f"], CoarsenLevels=2, GenerateLevel=1)
    voi = [3, 15, 2, 14, 0, 9]
    whole = a_rectilinear_grid([0, 20, 0, 16, 0, 24])
    name = write_once(vtkXMLRectilinearGridWriter(), whole, f"rectilinear_{RANKS}.vtr")
    subset = vtkExtractRectilinearGrid()
    subset.SetInputData(whole)
    subset.SetVOI(voi)
    subset.Update()
    reader = simple.XMLRectilinearGridReader(FileName=[name])
    mine = adapt(simple.ExtractSubset(Input=reader, VOI=voi), **settings)
    compare(mine, lambda: alone(subset.GetOutput(), **settings), "a subset")


def sources_of_paraview():
    """What makes its own pieces: the jet, and a file."""
    settings = dict(CoarsenLevels=2, CriteriaArrays=["f"], GenerateLevel=1)
    whole = an_image(EXTENT)
    name = write_once(vtkXMLImageDataWriter(), whole, f"image_{RANKS}.vti")
    for kind in KINDS:
        mine = adapt(simple.XMLImageDataReader(FileName=[name]), OutputType=kind, **settings)
        compare(mine, lambda: alone(whole, OutputType=kind, **settings), f"a file as {kind}")
    jet = simple.TurbulentJet(Dimensions=[50, 33, 21], OutputPrecision="Double")
    volume = lambda boxes: (boxes.high - boxes.low).prod(axis=1).sum() if len(boxes.low) else 0.0
    for kind in KINDS:
        mine = adapt(jet, OutputType=kind, CriteriaArrays=["Scalar"], CoarsenLevels=2)
        total = np.array([volume(Boxes(mine)) if mine.GetNumberOfCells() else 0.0])
        result = numpy_to_vtk(np.zeros(1), deep=True)
        CONTROLLER.AllReduce(numpy_to_vtk(total, deep=True), result, vtkCommunicator.SUM_OP)
        b = list(jet.Bounds)
        box = (b[1] - b[0]) * (b[3] - b[2]) * (b[5] - b[4])
        check(abs(result.GetValue(0) - box) < 1e-9 * box, f"{kind}: {result.GetValue(0)} of {box}")


def one_grid_for_all_time_steps():
    """The jet's, of 5 steps, at two of them: made by all processes, and by one."""
    settings = dict(OverTime="All Steps", CriteriaArrays=["Temperature"], CoarsenLevels=2,
                    InterpolationError=0.05, GenerateLevel=1)

    def voxels(output):
        if output.GetNumberOfCells() == 0:
            return []
        at = vtk_to_numpy(output.GetCells().GetConnectivityArray()).reshape(-1, 8)
        places = vtk_to_numpy(output.GetPoints().GetData())[at]
        return as_bytes([places, points_of(output, "Temperature")[at],
                         vtk_to_numpy(output.GetCellData().GetArray("Level"))])

    def made(time):
        jet = simple.TurbulentJet(Dimensions=[34, 17, 19], OutputPrecision="Double", TimeSteps=5)
        grid = simple.AdaptiveGrid(Input=jet, HangingNodes="Free", **settings)
        grid.UpdatePipeline(time)
        check(messages() == "", "nothing is said")
        return grid.GetClientSideObject().GetOutputDataObject(0)

    def made_alone(time):
        dummy = vtkDummyController()
        vtkMultiProcessController.SetGlobalController(dummy)
        try:
            return made(time)
        finally:
            vtkMultiProcessController.SetGlobalController(CONTROLLER)

    for time in (0.0, 0.75):
        compare(made(time), lambda: made_alone(time), f"all steps at {time}", voxels)


def blocks(pieces):
    data = vtkMultiBlockDataSet()
    for i, piece in enumerate(pieces):
        data.SetBlock(i, piece)
    return data


def all_rows(composite):
    leaves = [composite.GetBlock(i) for i in range(composite.GetNumberOfBlocks())]
    return [bytes([i]) + row for i, leaf in enumerate(leaves) if leaf for row in rows(leaf)]


def blocks_in_pieces():
    """A block that several processes hold pieces of is one grid; others are not torn apart."""
    part = parts_of(EXTENT, 0)
    small = [0, 12, 0, 9, 0, 5]
    mine = blocks([a_structured_grid(part) if part else None,
                   an_image(small) if RANK == 0 else None])
    for properties in (dict(InterpolationError=0.05), dict(CellBudget=900),
                       dict(UseRegion=1, Region=[5, 20, 0, 9, 0, 9], LevelOutside=1)):
        settings = dict(CoarsenLevels=2, CriteriaArrays=["f"], GenerateLevel=1, **properties)
        compare(adapt(mine, **settings),
                lambda: alone(blocks([a_structured_grid(EXTENT), an_image(small)]), **settings),
                f"blocks with {properties}", all_rows)
    same_extent = blocks([an_image(small)])  # not pieces: each process has all of it
    out = adapt(same_extent, GridType="Fixed Fine")
    check(out.GetBlock(0).GetNumberOfCells() == 12 * 9 * 5, "a grid on each process")
    check(field_value(out, "Cells").ToLongLong() == RANKS * 12 * 9 * 5, "counted as such")


def the_combustor():
    reader = simple.PLOT3DReader(FileName=[case("flow/combxyz.bin")],
                                 QFileName=[case("flow/combq.bin")])
    settings = dict(CoarsenLevels=3, CriteriaArrays=["Density"], GenerateLevel=1)

    def whole():
        plain = vtkMultiBlockPLOT3DReader()
        plain.SetFileName(case("flow/combxyz.bin"))
        plain.SetQFileName(case("flow/combq.bin"))
        plain.SetController(vtkDummyController())
        plain.Update()
        return alone(plain.GetOutput(), **settings)
    compare(adapt(reader, **settings), whole, "combustor", densities)


def densities(composite):
    """Each cell as its level, and places and densities of its corners."""
    found = []
    for i in range(composite.GetNumberOfBlocks()):
        grid = composite.GetBlock(i)
        if grid and grid.GetNumberOfCells():
            ids = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 8)
            table = np.hstack([vtk_to_numpy(grid.GetPoints().GetData())[ids].reshape(-1, 24),
                               points_of(grid, "Density")[ids],
                               vtk_to_numpy(grid.GetCellData().GetArray("Level"))[:, None]])
            found += [row.tobytes() for row in table]
    return found


def warnings_come_once():
    part = parts_of(EXTENT, 0)
    data = an_image(part) if part else an_image(EXTENT).NewInstance()
    if part:
        points_of(data, "f")[(points_of(data, "ijk") == [20, 3, 5]).all(axis=1)] = np.nan
    text = said_about(data, CriteriaArrays=["f"])
    if RANK == 0:
        check(text.count("8 input cells") == 1, f"told: {text}")
    else:
        check(text == "", f"silence elsewhere: {text}")
    text = said_about(data, CriteriaArrays=["nothing"])
    check("no numeric point or cell array 'nothing'" in text or RANK > 0, f"the error: {text}")


def told_and_made(source, **properties):
    """The messages of this process, and its number of cells."""
    messages()
    made = simple.AdaptiveGrid(Input=source, **properties)
    made.UpdatePipeline()
    return messages(), made.GetClientSideObject().GetOutputDataObject(0).GetNumberOfCells()


def said_about(data, **properties):
    return told_and_made(source_of(data), **properties)[0]


main(criteria_that_look_beyond_their_cell, rules_that_reach_over_borders, budgets, every_geometry,
     every_kind_of_output, hidden_cells, more_processes_than_roots, ghost_cells_of_the_source,
     blocks_in_pieces, the_combustor, each_process_does_its_share, a_hole_between_the_processes,
     sources_of_paraview, one_grid_for_all_time_steps, warnings_come_once, grids_of_one_process,
     subsets,
     parts_of_the_wrong_length, parts_that_are_announced_but_not_there, parts_that_do_not_agree)
