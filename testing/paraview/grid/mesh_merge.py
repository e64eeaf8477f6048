# SPDX-License-Identifier: BSD-3-Clause
"""Merge Blocks of Adaptive Grid: the datasets of a composite give one grid. Facts: the grid of the mesh that was cut
into the blocks, values that are constant in a block, and numbers of cells."""
import numpy as np
from grid_testing import GHOSTS, adapt, cells_of, image, points_of
from mesh_testing import flat, solid
from octree_testing import COPY, HIDDEN
from tessera_testing import (add_array, cell_array, check, field_value, grid, main, messages, output_of, points,
                             polydata, simple, source_of)
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdList
from vtkmodules.vtkCommonDataModel import (VTK_POLYHEDRON, VTK_WEDGE, vtkMultiBlockDataSet, vtkPartitionedDataSet,
                                           vtkPartitionedDataSetCollection, vtkUnstructuredGrid)
from vtkmodules.vtkFiltersCore import vtkExtractCells

SMALL = dict(CoarsenLevels=1, CriteriaArrays=["bump"], MergeBlocks=1)


def piece(data, numbers):
    """Some cells of a mesh, with points of their own."""
    ids = vtkIdList()
    for i in numbers:
        ids.InsertNextId(int(i))
    extract = vtkExtractCells()
    extract.SetInputData(data)
    extract.SetCellList(ids)
    extract.Update()
    made = vtkUnstructuredGrid()
    made.ShallowCopy(extract.GetOutput())
    made.GetPointData().RemoveArray("vtkOriginalPointIds")
    made.GetCellData().RemoveArray("vtkOriginalCellIds")
    return made


def halves(data):
    n = data.GetNumberOfCells()
    return piece(data, range(n // 2)), piece(data, range(n // 2, n))


def blocks(*parts):
    made = vtkMultiBlockDataSet()
    made.SetNumberOfBlocks(len(parts))
    for i, part in enumerate(parts):
        made.SetBlock(i, part)
    return made


def merged(parts, *sentences, **properties):
    """The grid of some blocks, of which all these sentences are said, and nothing else."""
    messages()
    source = source_of(blocks(*parts))
    proxy = simple.AdaptiveGrid(Input=source, HangingNodes="Free", **properties)
    proxy.UpdatePipeline()
    text, made = messages(), output_of(proxy)
    simple.Delete(proxy)
    simple.Delete(source)
    check(text.count("vtkAdaptiveGrid (") == len(sentences) and all(one in text for one in sentences),
          f"not {sentences}, but: {text}")
    return made


def contents(output):
    """Everything that a grid holds, by name."""
    if not output.IsA("vtkUnstructuredGrid"):
        return {name: cells_of(output, name) for name in ("bump", "number", "linear")}
    found = {"points": points(output), "ids": vtk_to_numpy(output.GetCells().GetConnectivityArray())}
    for kind, attributes in (("point", output.GetPointData()), ("cell", output.GetCellData())):
        for i in range(attributes.GetNumberOfArrays()):
            found[f"{kind} {attributes.GetArrayName(i)}"] = vtk_to_numpy(attributes.GetArray(i))
    return found


def alike(made, expected, what):
    check(made.IsA(expected.GetClassName()), f"{what}: {made.GetClassName()}")
    mine, theirs = contents(made), contents(expected)
    check(list(mine) == list(theirs), f"{what}: {list(mine)}, not {list(theirs)}")
    for name, values in theirs.items():
        check(values.tobytes() == mine[name].tobytes(), f"{what}: '{name}' differs")
    for name in ("Cells", "Input Cells", "Leaves Above Threshold"):
        check(field_value(made, name) == field_value(expected, name), f"{what}: {name}")


def halves_give_the_grid_of_the_whole():
    for kind in ("tetrahedra", "polyhedra", "mixed", "quads"):
        data = flat(kind) if kind == "quads" else solid(kind, 3, jitter=0.3)
        for chosen in ({}, {"Boundary": "Wholly Inside Cells", "FinestCell": 0.06}, {"Boundary": "Clipped At Surface"}):
            chosen = dict(SMALL, InterpolationError=0.02, GenerateSourceCell=1, **chosen)
            alike(adapt(blocks(*halves(data)), **chosen), adapt(data, **chosen), f"{kind}, {chosen}")


def trees_of_composites():
    """Hyper tree grids come from composites merged; blocks of a collection are merged alike."""
    data = solid("wedges", 4)
    collection = vtkPartitionedDataSetCollection()
    for i, half in enumerate(halves(data)):
        parts = vtkPartitionedDataSet()
        parts.SetPartition(0, half)
        collection.SetPartitionedDataSet(i, parts)
    chosen = dict(SMALL, InterpolationError=0.02, OutputType="Hyper Tree Grid")
    alike(adapt(collection, **chosen), adapt(data, **chosen), "trees")
    check(adapt(collection, **dict(chosen, OutputType="Overlapping AMR")).IsA("vtkOverlappingAMR"), "blocks")


def copies_and_hidden_cells():
    """Copies of cells of the other block are left out; one block has ghosts, and the other none."""
    data = solid("tetrahedra", 4)
    n = data.GetNumberOfCells()
    first, whole = piece(data, range(n // 2)), adapt(data, InterpolationError=0.02, **SMALL)
    more = piece(data, range(n // 2 - 9, n))
    add_array(more.GetCellData(), GHOSTS, np.where(np.arange(n // 2 + 9) < 9, COPY, 0).astype(np.uint8))
    vtk_to_numpy(more.GetCellData().GetArray("smooth"))[:9] = 1e9
    alike(adapt(blocks(first, more), InterpolationError=0.02, **SMALL), whole, "copies")
    flags = np.where(np.arange(n) % 3 == 0, HIDDEN, 0).astype(np.uint8)
    one, other = halves(data)
    for where, some in ((data, flags), (one, flags[:n // 2]), (other, flags[n // 2:])):
        add_array(where.GetCellData(), GHOSTS, some)
    alike(adapt(blocks(one, other), **SMALL), adapt(data, **SMALL), "hidden cells")


def wedges_beside(shift, value):
    """A cube of two wedges, all values of which are one number."""
    xyz = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
    data = grid(xyz + [shift, 0, 0], [(VTK_WEDGE, [0, 1, 2, 4, 5, 6]), (VTK_WEDGE, [1, 3, 2, 5, 7, 6])])
    add_array(data.GetPointData(), "f", np.full(8, float(value)))
    return data


def the_first_block_counts_where_both_have_values():
    """Two blocks meet at x = 1 with different values: those of the cell with the lowest number are kept there."""
    left, right = wedges_beside(0, 1), wedges_beside(1, 2)
    for parts, there in (((left, right), 1), ((right, left), 2)):
        out = adapt(blocks(*parts), GridType="Fixed Fine", FinestCell=0.25, CoarsenLevels=0, MergeBlocks=1)
        x, f = points(out)[:, 0].astype(float), points_of(out, "f")
        check(np.all(f[x < 0.99] == 1) and np.all(f[x > 1.01] == 2), "values of the blocks")
        between = np.abs(x - 1) < 1e-6
        check(between.any() and np.all(f[between] == there), f"{f[between]}, not {there}")


def arrays_that_one_block_lacks():
    data = solid("tetrahedra", 3)
    one, other = halves(data)
    other.GetPointData().RemoveArray("linear")
    other.GetCellData().RemoveArray("number")
    add_array(one.GetCellData(), "smooth", np.zeros(one.GetNumberOfCells(), np.float32))  # of another type
    said = ["The point array 'linear' is not the same on every block and is left out.",
            "The cell array 'number' is not the same on every block and is left out.",
            "The cell array 'smooth' is not the same on every block and is left out."]
    out = merged((one, other), *said, **SMALL)
    check(not out.GetPointData().HasArray("linear") and out.GetCellData().GetNumberOfArrays() == 0, "left out")
    check(out.GetPointData().HasArray("bump") and out.GetPointData().HasArray("flow"), "what both have stays")
    out = merged((one, other), "there is no numeric point or cell array 'linear': the point array 'linear' is not the "
                 "same on every block and is left out", **dict(SMALL, CriteriaArrays=["linear"]))
    check(out.GetNumberOfCells() == 0, "a criterion's array must be everywhere")


def images_go_along():
    """Two images side by side are the boxes of an octree together, and an image beside a mesh is a part of it."""
    one, other = image([0, 4, 0, 4, 0, 4]), image([4, 8, 0, 4, 0, 4])
    out = adapt(blocks(one, other), GridType="Fixed Fine", CriteriaArrays=["ijk"], MergeBlocks=1, CoarsenLevels=0)
    check(out.GetNumberOfCells() == 128, f"{out.GetNumberOfCells()} cells")
    check(np.allclose(points_of(out, "ijk"), points(out)), "values")
    one.GetPointData().Initialize()
    add_array(one.GetPointData(), "f", np.full(125, 1.0))
    out = adapt(blocks(one, wedges_beside(4, 2)), GridType="Fixed Fine", FinestCell=1, CoarsenLevels=0, MergeBlocks=1)
    check(out.GetNumberOfCells() == 65, f"{out.GetNumberOfCells()} cells of 64 and a cube")


def all_time_steps():
    """One grid for all steps of a series in a composite is that of the series alone, at each step."""
    source = simple.TurbulentJet(Dimensions=[9, 5, 5], TimeSteps=3)
    jet = simple.Tetrahedralize(Input=source)
    chosen = dict(OverTime="All Steps", HangingNodes="Free", CriteriaArrays=["Temperature"], CoarsenLevels=2)
    whole = simple.AdaptiveGrid(Input=jet, **chosen)
    both = simple.AdaptiveGrid(Input=simple.GroupDatasets(Input=[jet]), MergeBlocks=1, **chosen)
    for time in source.TimestepValues:
        messages()
        for proxy in (whole, both):
            proxy.UpdatePipeline(time)
        check(messages() == "", "nothing is said")
        one, other = output_of(both), output_of(whole)
        check(one.IsA("vtkUnstructuredGrid") and one.GetNumberOfCells() > 0, "a grid")
        check(np.array_equal(points(one), points(other)), f"places at {time}")
        check(np.array_equal(points_of(one, "Temperature"), points_of(other, "Temperature")), f"values at {time}")


def what_cannot_be_merged():
    data = solid("polyhedra", 2)
    wrong, faceless = solid("tetrahedra", 2), vtkUnstructuredGrid()
    vtk_to_numpy(wrong.GetCells().GetConnectivityArray())[7] = wrong.GetNumberOfPoints()
    faceless.SetPoints(data.GetPoints())
    put = getattr(faceless, "SetPolyhedralCells", faceless.SetCells)  # VTK 9.4 has the first one
    put(numpy_to_vtk(np.full(1, VTK_POLYHEDRON, np.uint8), deep=True), cell_array([range(8)]), None, None)
    expected = adapt(data, **SMALL)
    lines = polydata([[0, 0, 0], [1, 0, 0]], lines=[[0, 1]])
    for other, sentence in (
            (wrong, "The unstructured grid in block 2 is left out: cell 1 of the mesh has a point that the mesh does "
             "not have."),
            (faceless, "The unstructured grid in block 2 is left out: cell 0 of the mesh is a polyhedron whose faces "
             "are missing"),
            (lines, "1 dataset is of a kind that Merge Blocks does not take and is left out; the first is in block 2")):
        alike(adapt(blocks(data, other), sentence, **SMALL), expected, sentence)
    alike(adapt(blocks(vtkUnstructuredGrid(), data, None), **SMALL), expected, "empty blocks")
    check(adapt(blocks(), MergeBlocks=1).GetNumberOfCells() == 0, "no blocks")
    out = adapt(blocks(lines), "1 dataset is of a kind that Merge Blocks does not take", MergeBlocks=1)
    check(out.GetNumberOfCells() == 0, "nothing that is taken")


main(halves_give_the_grid_of_the_whole, trees_of_composites, copies_and_hidden_cells,
     the_first_block_counts_where_both_have_values, arrays_that_one_block_lacks, images_go_along,
     all_time_steps, what_cannot_be_merged)
