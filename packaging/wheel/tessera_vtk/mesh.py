# SPDX-License-Identifier: BSD-3-Clause
"""Unstructured meshes on numpy arrays as octrees, of which `tessera_vtk.grid` makes adaptive grids: a view, a
plan that knows exact sizes, a fill."""
from __future__ import annotations

import ctypes as c
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from . import arrays
from ._library import lib, new
from ._plan import Borrowing, Handle
from .arrays import Array
from .errors import BadInput
from .execution import Execution

_BYTES_OF_A_CELL = 300.0  # of the octree, beside its arrays

# Members of tsr_mesh_output: of which size, how many components, types. 0 components: one a corner.
_OUTPUTS = {
    "level": ("cells", 1, "u1"), "index": ("cells", 3, "i4"), "corners": ("cells", 0, "i8"),
    "outside": ("cells", 1, "u1"), "inside": ("points", 1, "u1"), "source": ("cells", 1, "i8"),
    "point_places": ("mesh_points", 3, "f8"), "cell_places": ("mesh_cells", 3, "f8"),
}


class Faces(NamedTuple):
    """The faces of polyhedra. cells: polyhedron i has the faces [cells[i], cells[i + 1]), other cells none.
    offsets: face f has the ids [offsets[f], offsets[f + 1]). ids: point ids."""

    cells: ArrayLike
    offsets: ArrayLike
    ids: ArrayLike


class View(Borrowing):
    """An unstructured mesh. Arrays are borrowed where the library can read them as they are.

    Parameters
    ----------
    points : array_like, (n, 3) or (n, 2)
        Points of the mesh.
    types : array_like, (cells,)
        VTK's numbers of the cell types.
    offsets : array_like, (cells + 1,)
        Cell i has the points [offsets[i], offsets[i + 1]) of the connectivity.
    connectivity : array_like
        Point ids, in VTK's order.
    faces : Faces, optional
        Those of polyhedra.
    hidden : array_like, (cells,), optional
        Not 0: the cell is ignored.

    Examples
    --------
    The octree of a tetrahedron, and the values of x at those of its corners that lie in the tetrahedron:

    >>> import numpy as np
    >>> from tessera_vtk import mesh
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> plan = mesh.Plan(mesh.View(corners, [10], [0, 4], range(4)), cell_size=0.25)
    >>> out, x = plan.new_outputs(), np.empty(plan.sizes.points)
    >>> plan.fill_into(out, [(corners[:, 0], False, x)])
    >>> sorted(x[out["inside"] == 1].tolist())
    [0.0, 0.0, 0.0, 1.0]
    """

    def __init__(self, points: ArrayLike, types: ArrayLike, offsets: ArrayLike, connectivity: ArrayLike,
                 faces: Faces | None = None, hidden: ArrayLike | None = None) -> None:
        at = arrays.places(points)
        at = at if at.dtype.kind == "f" else at.astype("f8")
        kinds = arrays.flat(types, "array of cell types", None, "u1")
        given = [("array of offsets", offsets, len(kinds) + 1), ("array of point ids", connectivity, None)]
        if faces is not None:
            given += [("array of faces of cells", faces.cells, len(kinds) + 1),
                      ("array of offsets of faces", faces.offsets, None),
                      ("array of point ids of faces", faces.ids, None)]
        ids = [arrays.flat(one, what, n, "i4", "i8") for what, one, n in given]
        if any(one.dtype != ids[0].dtype for one in ids):
            ids = [one.astype("i8") for one in ids]
        self._kept = [at, kinds, *ids]
        self.core = new("tsr_mesh_view")
        self.core.points = arrays.view(at, "array of points", 3)
        self.core.n_cells, self.core.types = len(kinds), arrays.pointer(kinds)
        self.core.offsets, self.core.connectivity = arrays.pointer(ids[0]), arrays.pointer(ids[1])
        self.core.n_connectivity, self.core.index_type = len(ids[1]), arrays.TYPES[ids[0].dtype]
        if faces is not None:
            self._check_faces(ids[2], ids[3], ids[4])
            self.core.cell_faces, self.core.face_offsets, self.core.face_ids = map(arrays.pointer, ids[2:])
            self.core.n_face_ids = len(ids[4])
        if hidden is not None:
            self._kept.append(arrays.flat(hidden, "array of hidden cells", len(kinds), "u1"))
            self.core.hidden_cells = arrays.pointer(self._kept[-1])
        self._refuse_device("meshes")

    @staticmethod
    def _check_faces(cells: Array, offsets: Array, ids: Array) -> None:
        """Raises BadInput where an offset would lead beyond the lists: the library does not know how many
        faces there are."""
        for what, one, most in (("faces of cells", cells, len(offsets) - 1), ("offsets of faces", offsets, len(ids))):
            if len(one) == 0 or one[0] != 0 or (np.diff(one) < 0).any() or one[-1] > most:
                raise BadInput(f"the array of {what} must rise from 0 to at most {most}")


def read_ghosts(view: View, cells: Array | None, points: Array | None,
                execution: Execution | None = None) -> tuple[Array, Array]:
    """Flags of the cells that ghost arrays hide, and of those that are copies of other processes' ones, uint8.

    cells, points: the ghost arrays, uint8 with VTK's bits, a value for each cell and point of the view; None: there
    is none.
    """
    n, run = view.core.n_cells, execution or Execution(1)
    given = [None if one is None else arrays.flat(one, "ghost array", tuples, "u1")
             for one, tuples in ((cells, n), (points, view.core.points.tuples))]
    hidden, copies = np.zeros(n, "u1"), np.zeros(n, "u1")
    run.call("tsr_mesh_read_ghosts", c.byref(view.core), *map(arrays.pointer, given), c.byref(run.core),
             arrays.pointer(hidden), arrays.pointer(copies))
    return hidden, copies


class Boxes:
    """The cells of a mesh, where they are boxes along the axes that form an octree. Raises BadInput, with the first
    cell at fault, where they do not.

    level, index, corners: as `octree.OctreeView` takes them. core: the lattice, a tsr_mesh_boxes.

    Examples
    --------
    A square, and beside it four of half its side:

    >>> from tessera_vtk import mesh
    >>> points = [(x / 2, y / 2) for y in range(3) for x in (0, 2, 3, 4)]
    >>> ids = [0, 1, 8, 9] + [4 * j + i + k for j in (0, 1) for i in (1, 2) for k in (0, 1, 4, 5)]
    >>> boxes = mesh.Boxes(mesh.View(points, [8] * 5, range(0, 21, 4), ids))
    >>> boxes.level.tolist(), boxes.index[:, 0].tolist()
    ([0, 1, 1, 1, 1], [0, 2, 3, 2, 3])
    """

    def __init__(self, view: View, execution: Execution | None = None) -> None:
        run, n = execution or Execution(1), view.core.n_cells
        self.core = core.tsr_mesh_boxes()
        run.call("tsr_mesh_boxes_find", c.byref(view.core), None, c.byref(run.core), c.byref(self.core))
        self.level, self.index = np.empty(n, "u1"), np.empty((n, 3), "i4")
        self.corners = np.empty((n, 1 << self.core.dimension), "i8")
        run.call("tsr_mesh_boxes_fill", c.byref(view.core), c.byref(self.core), c.byref(run.core),
                 *map(arrays.pointer, (self.level, self.index, self.corners)))


class Field(NamedTuple):
    """A point array whose interpolation error decides where the octree is divided. relative: the tolerance is a
    fraction of the array's range."""

    values: ArrayLike
    tolerance: float
    relative: bool = False


class _Sizes:
    """Of what comes out, by the names that the outputs need."""

    def __init__(self, sizes: Any, view: View) -> None:
        self.cells, self.points, self.corners = sizes.n, sizes.points, 1 << sizes.dimension
        self.mesh_cells, self.mesh_points = view.core.n_cells, view.core.points.tuples


class Plan(Handle):
    """The octree of a mesh, counted. Frees itself.

    cell_size: side of the finest cells; 0: the median edge of the mesh. bounds: xmin xmax ymin ymax zmin zmax
    that the domain holds at least; None: those of the mesh. whole_cells: only cells wholly inside the mesh are
    a part of the octree. levels: above the finest one; None: as many as the library takes by itself. extrapolate:
    values at corners outside the mesh are not clamped to the range of the array: for `clip`.
    """

    _feature = "mesh"

    def __init__(self, view: View, cell_size: float = 0.0, fields: Iterable[Field] = (),
                 bounds: Sequence[float] | None = None, whole_cells: bool = False,
                 levels: int | None = None, execution: Execution | None = None, extrapolate: bool = False) -> None:
        super().__init__()
        self.view = view
        set_ = new("tsr_mesh_options")
        set_.cell_size, set_.whole_cells, set_.extrapolate = cell_size, bool(whole_cells), bool(extrapolate)
        set_.limit_cells = int(lib.tsr_memory_items(lib.tsr_memory_look(None).available, _BYTES_OF_A_CELL))
        if levels is not None:
            set_.levels = levels
        if bounds is not None:
            set_.bounds[:] = arrays.numbers(bounds, "list of bounds", 6)
        kept: list[Any] = [view]
        rows = []
        for k, (values, tolerance, relative) in enumerate(fields):
            kept.append(arrays.tidy(values, f"field {k}"))
            rows.append(core.tsr_mesh_field(arrays.view(kept[-1], f"field {k}", None, view.core.points.tuples),
                                            tolerance, bool(relative)))
        kept.append(arrays.vector(core.tsr_mesh_field, rows))
        set_.fields, set_.n_fields = arrays.address(kept[-1]), len(rows)
        self.levels = set_.levels
        self._create(view.core, set_, execution, kept)

    def new_outputs(self, names: Iterable[str] | None = None) -> dict[str, Array]:
        """New arrays for members of tsr_mesh_output; None: for all."""
        wanted, sizes = list(_OUTPUTS if names is None else names), _Sizes(self.sizes, self.view)
        made = arrays.new_outputs([one for one in wanted if one != "corners"], _OUTPUTS, sizes)
        if "corners" in wanted:
            made["corners"] = np.empty((sizes.cells, sizes.corners), "i8")
        return made

    def fill_into(self, outputs: Mapping[str, Array],
                  attributes: Iterable[tuple[ArrayLike, bool, Array]] = ()) -> None:
        """Fills arrays that are there, without copies. outputs: by the members of tsr_mesh_output. attributes:
        an array of the mesh, of cells?, and an array of its type for the octree's corners or cells."""
        made, sizes = new("tsr_mesh_output"), _Sizes(self.sizes, self.view)
        given = list(attributes)
        self._check_place([*outputs.values(), *[one[k] for one in given for k in (0, 2)]])
        arrays.set_outputs(made, {name: one for name, one in outputs.items() if name != "corners"}, _OUTPUTS, sizes)
        if "corners" in outputs:
            made.corners = arrays.target(outputs["corners"], "array 'corners'", sizes.cells * sizes.corners, "i8")
        kept, rows = [], []
        for k, (one, of_cells, out) in enumerate(given):
            what = f"attribute {k}"
            kept.append(arrays.tidy(one, what))
            view = arrays.view(kept[-1], what, None, sizes.mesh_cells if of_cells else sizes.mesh_points)
            n = (sizes.cells if of_cells else sizes.points) * view.components
            rows.append(core.tsr_mesh_attribute(view, bool(of_cells),
                                                arrays.target(out, f"output of {what}", n, kept[-1].dtype)))
        held = arrays.vector(core.tsr_mesh_attribute, rows)
        made.attributes, made.n_attributes = arrays.address(held), len(rows)
        self._fill(made)
