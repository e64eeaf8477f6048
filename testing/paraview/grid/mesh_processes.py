# SPDX-License-Identifier: BSD-3-Clause
# ranks: 2 4 7 symmetric
"""Run with mpiexec: any number of processes makes of a mesh the grid that one makes, cell by cell. Each process has
some of the cells, with points of its own, and process 1 has none."""
import numpy as np
from curved_meshes import lagrange, quadratic
from grid_parts import RANK, RANKS, alone, as_bytes, compare
from grid_testing import GHOSTS, KINDS, Boxes, adapt, points_of
from mesh_testing import FLATS, SOLIDS, corner_ids, flat, solid
from octree_testing import COPY
from tessera_testing import add_array, cell_types, check, field_value, main, messages, simple, source_of
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdList
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkExtractCells

BUSY = [r for r in range(RANKS) if r != 1]


def part_of(data, copies=0):
    """The cells of this process: consecutive ones, and the first `copies` of the next process as ghost cells."""
    if RANK not in BUSY:
        return vtkUnstructuredGrid()
    n, at = data.GetNumberOfCells(), BUSY.index(RANK)
    begin, end = at * n // len(BUSY), (at + 1) * n // len(BUSY)
    last = min(n, end + copies)
    ids = vtkIdList()
    for i in range(begin, last):
        ids.InsertNextId(i)
    extract = vtkExtractCells()
    extract.SetInputData(data)
    extract.SetCellList(ids)
    extract.Update()
    part = vtkUnstructuredGrid()
    part.ShallowCopy(extract.GetOutput())
    part.GetPointData().RemoveArray("vtkOriginalPointIds")
    part.GetCellData().RemoveArray("vtkOriginalCellIds")
    if copies:
        flags = np.zeros(last - begin, np.uint8)
        flags[end - begin:] = COPY
        add_array(part.GetCellData(), GHOSTS, flags)
        vtk_to_numpy(part.GetCellData().GetArray("smooth"))[end - begin:] = 1e9
    return part


def rows(output):
    """Each cell as one string of bytes: its type, where it is, and all it carries."""
    if output.GetNumberOfElements(output.CELL) == 0:
        return []
    if not output.IsA("vtkUnstructuredGrid"):
        boxes = Boxes(output)
        return [] if len(boxes.low) == 0 else as_bytes(
            [np.round(boxes.low, 7) + 0.0, np.round(boxes.high, 7) + 0.0] +
            [boxes.arrays[n] for n in sorted(boxes.arrays)])
    cells, at = output.GetCellData(), output.GetPointData()
    columns = [cell_types(output)] + [vtk_to_numpy(cells.GetArray(i)) for i in range(cells.GetNumberOfArrays())]
    carried = [vtk_to_numpy(output.GetPoints().GetData())] + [
        points_of(output, at.GetArrayName(i)) for i in range(at.GetNumberOfArrays())]
    found, ids = [], corner_ids(output)
    sizes = np.array([len(i) for i in ids])
    for size in np.unique(sizes):
        some = np.flatnonzero(sizes == size)
        corners = np.array([ids[i] for i in some])
        found += as_bytes([c[some] for c in columns] + [p[corners] for p in carried])
    return found


def same(mine, whole, **properties):
    settings = dict(CoarsenLevels=1, GenerateLevel=1, GenerateIndicator=1, GenerateInside=1, GenerateSourceCell=1,
                    InterpolationError=0.05, HangingNodes="Conforming", CriteriaArrays=["bump"])
    settings.update(properties)
    made = adapt(mine, **settings)

    def expected():
        alone_made = alone(whole, **settings)
        for name in ("Leaves", "Fine Cells", "Input Cells", "Cells", "Leaves Above Threshold"):
            check(field_value(made, name) == field_value(alone_made, name), f"{name} of {properties}")
        return alone_made
    return compare(made, expected, f"{properties}", rows=rows)


def every_kind_of_cell():
    for kind in SOLIDS:
        data = solid(kind, 4)
        same(part_of(data), data)
    for kind in FLATS:
        data = flat(kind)
        same(part_of(data), data, HangingNodes="Free")


def curved_cells():
    """The tetrahedra of curved cells do not depend on where the cells are."""
    for data in (lagrange(3, 2), quadratic("wedges", 3), quadratic("triangles", 4)):
        same(part_of(data), data, CriteriaArrays=["wave"])
    same(part_of(lagrange(3, 3), copies=5), lagrange(3, 3), CriteriaArrays=["wave"], GenerateSourceCell=0)


def every_output_and_criterion():
    data = solid("mixed", 5)
    for output in KINDS[1:]:
        same(part_of(data), data, OutputType=output, AMRBlockSize="4")
    same(part_of(data), data, CellArrays="Move To Points")
    same(part_of(data), data, UseGradient=1, Gradient=0.1, BufferCells=1)
    same(part_of(data), data, FinestCell=0.07, InterpolationError=0.01)
    for boundary in ("Wholly Inside Cells", "Clipped At Surface"):
        same(part_of(data), data, FinestCell=0.07, Boundary=boundary)


def copies_are_left_out():
    data = solid("tetrahedra", 4)
    same(part_of(data, copies=9), data, GenerateSourceCell=0)


def one_process_has_bad_data():
    """The process says what is wrong, and nobody waits. Its own number of points is a wrong id, too, although another
    process has a point of that number."""
    for process, wrong in ((BUSY[-1], 10 ** 6), (0, None)):
        part = part_of(solid("tetrahedra", 3))
        if RANK == process:
            vtk_to_numpy(part.GetCells().GetConnectivityArray())[0] = wrong or part.GetNumberOfPoints()
        messages()
        proxy = simple.AdaptiveGrid(Input=source_of(part))
        proxy.UpdatePipeline()
        text = messages()
        check(proxy.GetClientSideObject().GetOutputDataObject(0).GetNumberOfCells() == 0, "nothing is made")
        check(RANK > 0 or "has a point that the mesh does not have" in text, f"process {RANK}: {text}")


def meshes_in_blocks():
    """One block is shared by all processes, the other has only one."""
    data, other = solid("hexahedra", 4), solid("tetrahedra", 3, shift=(2, 2, 2))

    def both(part, own):
        blocks = vtkMultiBlockDataSet()
        blocks.SetNumberOfBlocks(2)
        blocks.SetBlock(0, part)
        if own:
            blocks.SetBlock(1, other)
        return blocks
    settings = dict(CoarsenLevels=1, HangingNodes="Free", GridType="Fixed Fine", CriteriaArrays=["bump"])
    made = adapt(both(part_of(data), RANK == RANKS - 1), **settings)
    for place in (0, 1):
        here = made.GetBlock(place) or vtkUnstructuredGrid()
        compare(here, lambda: alone(both(data, True), **settings).GetBlock(place), f"block {place}", rows=rows)


def blocks_merged():
    """The cells of each process are a block of its own."""
    data, mine = solid("mixed", 4), vtkMultiBlockDataSet()
    mine.SetNumberOfBlocks(RANKS)
    mine.SetBlock(RANK, part_of(data))
    same(mine, data, MergeBlocks=1)


main(every_kind_of_cell, curved_cells, every_output_and_criterion, copies_are_left_out, one_process_has_bad_data,
     meshes_in_blocks, blocks_merged)
