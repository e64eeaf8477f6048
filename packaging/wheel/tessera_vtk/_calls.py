# SPDX-License-Identifier: BSD-3-Clause
"""What the functions of `functions` do: a filter is made, set, run, and its output goes to PyVista."""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ._panel import METHODS, OF_BOUNDS
from .errors import BadInput, BadOption
from .properties import with_switches

if TYPE_CHECKING:
    from .filters.algorithm import TesseraAlgorithm


def call(proxy: str, mesh: Any, given: dict[str, Any], *, preference: str | None = None,
         inplace: bool = False, progress_bar: bool = False) -> Any:
    """The output of a filter, or of a source where mesh is None. given: values by the names of the
    properties in ParaView; None switches a criterion off."""
    import tessera_vtk

    made: TesseraAlgorithm = getattr(tessera_vtk, proxy)()
    pyvista = _pyvista(mesh)
    if made.input_classes:
        if not hasattr(mesh, "IsA"):
            raise TypeError(f"the mesh must be a dataset of PyVista or VTK, not {type(mesh).__name__}")
        _check_kind(made, mesh)
        if inplace and not mesh.IsA(made.leaf_class):
            raise TypeError(f"inplace=True needs a {made.leaf_class[3:]}, which is what comes out, not a "
                            f"{type(mesh).__name__}")
        _from_mesh(proxy, mesh, given, preference)
        made.SetInputDataObject(mesh)
    for name, value in with_switches(proxy, given).items():
        made.set_property(name, value)
    made.report_in_field_data = False
    with _Bar(made, proxy, progress_bar):
        made.Update()
    output = made.GetOutputDataObject(0)
    if pyvista:
        output = pyvista.wrap(output)
        if mesh is not None:
            keep_kinds(mesh, output)
    if inplace:
        if pyvista:
            mesh.copy_from(output, deep=False)
            keep_kinds(output, mesh)
        else:
            mesh.ShallowCopy(output)
        output = mesh
    if mesh is not None and hasattr(type(output), "tessera"):
        output.tessera.report = made.Report
    return output


def _pyvista(mesh: Any) -> Any:
    """The module, where the mesh is one of its, or where a source finds it installed; else None."""
    if mesh is not None:
        module = sys.modules.get("pyvista")
        return module if module and isinstance(mesh, module.DataObject) else None
    try:
        import pyvista
    except ImportError:
        return None
    return pyvista


def _check_kind(made: TesseraAlgorithm, mesh: Any) -> None:
    """Raises BadInput, with what to do instead, for a dataset that the filter does not take."""
    if not any(mesh.IsA(one) for one in ("vtkCompositeDataSet", *made.input_classes)):
        instead = next(hint for name, _, hint in METHODS.values() if name == type(made).__name__)
        raise BadInput(made.takes(mesh) + f" For a {type(mesh).__name__}: {instead}.")


def _from_mesh(proxy: str, mesh: Any, given: dict[str, Any], preference: str | None) -> None:
    """What PyVista takes from the mesh where it is not given."""
    if preference not in (None, "point", "cell"):
        raise BadOption(f"preference must be 'point' or 'cell', not {preference!r}.")
    for name, fraction in OF_BOUNDS[proxy].items():
        if given.get(name) is None:
            side = _longest_side(mesh)
            given[name] = fraction * side if side > 0 else 1.0
    if "ColorMap" in given and given["ColorMap"] is None:
        from ._panel import PROXIES
        given["ColorMap"] = [float(text) for text in PROXIES[proxy]["ColorMap"][3]]
    if "CriteriaArrays" not in given:
        return
    names, place = given["CriteriaArrays"], preference
    if names is None:  # PyVista's active array, which may be one of the cells
        about = getattr(mesh, "active_scalars_info", None)
        if about is None or about.name is None or about.association.name not in ("POINT", "CELL"):
            return
        names, place = [about.name], about.association.name.lower()
    names = [names] if isinstance(names, str) else list(names)
    if place:
        names = [one for name in names for one in (place.upper() + "S", name)]
    given["CriteriaArrays"] = names


def _longest_side(mesh: Any) -> float:
    """Of the box of all points."""
    from .filters.datasets import datasets

    each = [one.data.GetBounds() for one in datasets(mesh) if hasattr(one.data, "GetBounds")]
    sides = [max(one[2 * axis + 1] for one in each) - min(one[2 * axis] for one in each)
             for axis in range(3) if each]
    return float(max(sides, default=0.0))


def keep_kinds(mesh: Any, output: Any) -> None:
    """Truth values, complex numbers and the active arrays of the output are those of the mesh. PyVista
    keeps truth values as uint8, complex numbers as pairs."""
    if hasattr(output, "point_data") and hasattr(mesh, "point_data"):
        for here, there in ((mesh.point_data, output.point_data), (mesh.cell_data, output.cell_data)):
            for name in there.keys():
                kind = here[name].dtype if name in here else _of_statistic(mesh.point_data, name)
                if kind is not None and kind.kind in "bc" and there[name].dtype != kind:
                    there[name] = np.asarray(there[name]).view(kind).reshape(-1)
        for role in ("scalars", "vectors"):
            about = getattr(mesh, f"active_{role}_info")
            place = {"POINT": "point", "CELL": "cell"}.get(about.association.name)
            if about.name and place and about.name in getattr(output, place + "_data"):
                getattr(output, "set_active_" + role)(about.name, preference=place)
    elif hasattr(output, "n_blocks") and hasattr(mesh, "n_blocks"):
        for one, made in zip(mesh, output):
            if one is not None and made is not None:
                keep_kinds(one, made)


def _of_statistic(arrays: Any, name: str) -> Any:
    """The type of a cell array of a point grid that is made of truth values or of complex numbers; else None."""
    base, _, part = name.rpartition("_")
    kind = arrays[base].dtype if base in arrays else np.dtype(float)
    if kind.kind == "b" and part in ("least", "greatest"):
        return kind
    return np.dtype(complex) if kind.kind == "c" and part == "mean" else None


class _Bar:
    """A bar of tqdm while a filter runs, as PyVista shows it."""

    def __init__(self, made: TesseraAlgorithm, name: str, shown: bool) -> None:
        self._bar: Any = None
        if shown:
            try:
                from tqdm import tqdm  # type: ignore[import-untyped, unused-ignore]
            except ImportError:
                raise ImportError("progress_bar=True needs tqdm (pip install tqdm)") from None
            self._bar = tqdm(total=1.0, desc=name, leave=True,
                             bar_format="{l_bar}{bar}[{elapsed}<{remaining}]")
            cast(Any, made).AddObserver("ProgressEvent", lambda *_: self._show(made.GetProgress()))

    def _show(self, done: float) -> None:
        self._bar.update(max(0.0, done - self._bar.n))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *problem: object) -> None:
        if self._bar:
            self._bar.close()
