# SPDX-License-Identifier: BSD-3-Clause
"""Disc Image as a VTK filter."""
from __future__ import annotations

import ctypes as c
from typing import Any, Sequence

import numpy as np
from vtkmodules.vtkCommonCore import vtkDataArray
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkImageData, vtkPointSet
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

from .. import _core as core
from .. import discs
from .._library import call, lib, text_of
from ..arrays import Array
from ..errors import BadInput
from ..execution import Execution
from ..properties import Property, struct_of
from .algorithm import TesseraAlgorithm
from .datasets import block_text
from .job import Job, counted, no_points
from .joined_points import own_points
from .vtk_arrays import GHOSTS, is_numeric, new_array, values

_DATASET = core.TSR_DISCS_NOTES
_ONE_COLOR, _COLOR_ARRAY, _COLOR_MAP = range(3)  # tsr_discs_coloring
_BY_ARRAY = 2  # a tsr_discs_order
# Components of a field where the values of several datasets are joined.
_COMPONENTS = {"points": 3, "radii": 1, "colors": 4, "scalars": 1, "opacities": 1, "order": 1}
_PROPERTIES = {"radii": "Radius Array", "colors": "Color Array", "scalars": "Color Array",
               "opacities": "Opacity Array", "order": "Order Array"}


def _joinable(field: str, array: vtkDataArray | None, own: Array) -> Array:
    """The values of own points as doubles; not-a-number where there are none."""
    made = np.full((len(own), _COMPONENTS[field]), np.nan)
    if field == "colors":
        made[:, 3] = 1.0  # without a color, the disc is drawn black, with a note
    if array is None:
        return made
    given = values(array)[own].astype("f8")
    if field == "scalars" and given.shape[1] > 1:
        square = np.zeros(len(given))
        for k in range(given.shape[1]):
            square += given[:, k] * given[:, k]
        given = np.sqrt(square)[:, None]
    if field == "colors" and array.GetDataTypeAsString() == "unsigned char":
        given *= 1.0 / 255.0
    made[:, :given.shape[1]] = given
    return made


class DiscsJob(Job):
    """The points of all datasets are drawn into one image."""

    def __init__(self, data: vtkDataObject, properties: Sequence[Property], settings: dict[str, Any],
                 execution: Execution) -> None:
        super().__init__(data, properties, settings, execution)
        self.options, self.choices = self.struct("tsr_discs_options"), self.struct("tsr_discs_choices")
        call("tsr_discs_choices_check", c.byref(self.choices), c.byref(self.options),
             bool(settings["ColorArray"]), bool(settings["OrderArray"]))
        mode = settings["ColorMode"]
        self.names = {"radii": settings["RadiusArray"], "opacities": settings["OpacityArray"],
                      "colors" if mode == _COLOR_ARRAY else "scalars":
                          "" if mode == _ONE_COLOR else settings["ColorArray"],
                      "order": settings["OrderArray"] if settings["Order"] == _BY_ARRAY else ""}
        self.names = {field: name for field, name in self.names.items() if name}
        self.problems: dict[str, list[str]] = {}
        self.found: set[str] = set()

    def run(self) -> None:
        """Collect, place, draw."""
        pixels = self.options.width * self.options.height
        self.room.check("pixels", pixels, pixels * (12.0 if self.settings["GenerateTopPoint"] else 4.0),
                        "take a lower Resolution")
        given = self._collect()
        view = discs.View(given.pop("points"), **given)
        # The panel takes the radius from the bounds, which an empty input does not have.
        one = not self.settings["RadiusArray"] and view.core.points.tuples > 0
        lib.tsr_discs_choices_apply(c.byref(self.choices), one, c.byref(self.options))
        if self.settings["ColorMode"] == _COLOR_MAP:
            discs.use_color_map(self.options, self.settings["ColorMap"] or [0.0] * 4 + [1.0] * 4)
        if self.settings["UseRegion"]:
            low, high = (c.c_double * 3)(), (c.c_double * 3)()
            lib.tsr_discs_choices_region(c.byref(self.choices), low, high)
        else:
            low, high = view.bounds(self.options)
        lib.tsr_discs_frame(low, high, c.byref(self.options))
        self.results = [self._draw(view)]

    def _collect(self) -> dict[str, Array]:
        """The values of each field: those of the one dataset as they are, or joined."""
        whole = []
        for one in self.datasets:
            if not isinstance(one.data, vtkPointSet):
                self.notes.add(_DATASET, 1, 0, one.block)
            elif one.data.GetNumberOfPoints() > 0:
                whole.append((one.data, self._arrays(one.data, one.block)))
        for field, name in self.names.items():
            if field not in self.found and whole:
                why = sorted(self.problems.get(field, []))
                raise BadInput(f"choose another {_PROPERTIES[field]} than '{name}'" +
                               (f": {why[0]}" if why else ""))
        if len(whole) == 1 and len(self.datasets) == 1:
            data, fields = whole[0]
            plain = (not data.GetPointData().HasArray(GHOSTS) and all(fields.values()) and
                     ("scalars" not in fields or fields["scalars"].GetNumberOfComponents() == 1))
            if plain:
                return {field: values(array) for field, array in fields.items()}
        parts: dict[str, list[Array]] = {field: [] for field in ("points", *self.names)}
        for data, fields in whole:
            own = own_points(data)
            for field, array in fields.items():
                parts[field].append(_joinable(field, array, np.arange(data.GetNumberOfPoints())
                                              if own is None else own))
        return {field: np.concatenate(one) if one else np.empty((0, _COMPONENTS[field]))
                for field, one in parts.items()}

    def _arrays(self, data: vtkPointSet, block: int) -> dict[str, Any]:
        """The array of each field; None, with a sentence, where it cannot be used."""
        fields: dict[str, Any] = {"points": data.GetPoints().GetData()}
        points, where = data.GetNumberOfPoints(), block_text(self.data, block)
        for field, name in self.names.items():
            array = data.GetPointData().GetArray(name)
            n = array.GetNumberOfComponents() if array else 0
            problem = ""
            if not data.GetPointData().HasArray(name):
                problem = " is missing"
            elif not is_numeric(array):
                problem = " is not of numbers"
            elif array.GetNumberOfTuples() != points:
                problem = (f" has {counted(array.GetNumberOfTuples(), 'tuple', 'tuples')} for "
                           f"{counted(points, 'point', 'points')}")
            elif n not in (3, 4) if field == "colors" else field != "scalars" and n != 1:
                problem = (f" has {counted(n, 'component', 'components')}" +
                           ("; colors have 3 or 4" if field == "colors" else "; one is needed"))
            fields[field] = None if problem else array
            if problem:
                self.messages.add(f"The point array '{name}'{' ' + where if where else ''}{problem}.")
                self.problems.setdefault(field, []).append(f"{where + ' ' if where else ''}it{problem}")
            else:
                self.found.add(field)
        return fields

    def _draw(self, view: discs.View) -> vtkImageData:
        extent, origin = (c.c_int * 6)(), (c.c_double * 3)()
        lib.tsr_discs_choices_extent(c.byref(self.choices), c.byref(self.options), extent)
        lib.tsr_discs_first_pixel(c.byref(self.options), origin)
        image = vtkImageData()
        image.SetExtent(list(extent))
        image.SetOrigin(list(origin))
        image.SetSpacing([self.options.pixel_size] * 3)
        plan = discs.Plan(view, self.options, self.execution)
        colors = new_array("Colors", "u1", 4, image.GetNumberOfPoints())
        outputs = {"rgba": values(colors)}
        image.GetPointData().SetScalars(colors)
        if self.settings["GenerateTopPoint"]:
            top = new_array("TopPoint", "id", 1, image.GetNumberOfPoints())
            outputs["top"] = values(top).reshape(-1)
            image.GetPointData().AddArray(top)
        plan.fill_into(outputs)
        self.add_up([plan.report()], "Discs", "Discs Drawn")
        sizes = plan.sizes
        for kind, note in enumerate(sizes.notes):
            # A scene may well have a few small discs; where all are, the user wonders what went wrong.
            if kind != core.TSR_DISCS_NOTE_SMALL or note.count == sizes.inside:
                self.notes.add(kind, note.count, note.first, 0)
        return image

    def say(self, kind: int, count: int, first: int, where: str) -> str:
        if kind == _DATASET:
            return no_points(count, where)
        # The core counts points through all datasets.
        return text_of("tsr_discs_note_sentence", kind, core.tsr_note_count(count, first))


class DiscImage(TesseraAlgorithm):
    """Draws points as discs into an image, one exactly after another.

    Input: vtkPointSet, or a composite of these. Output: vtkImageData. Properties, their units and defaults
    are those of the filter in ParaView; the color map is rows of value, red, green and blue.
    """

    properties = discs.PROPERTIES
    input_classes = ("vtkPointSet",)
    leaf_class = "vtkImageData"
    job = DiscsJob
    joins = True

    def RequestInformation(self, request: Any, inputs: Any, outputs: Any) -> int:
        """How many pixels the image has; the data decide where it lies."""
        extent = (c.c_int * 6)()
        lib.tsr_discs_choices_extent(c.byref(struct_of("tsr_discs_choices", self.properties, self._values)),
                                     c.byref(struct_of("tsr_discs_options", self.properties, self._values)),
                                     extent)
        outputs.GetInformationObject(0).Set(Pipeline.WHOLE_EXTENT(), list(extent), 6)
        return 1

    def RequestUpdateExtent(self, request: Any, inputs: Any, outputs: Any) -> int:
        """All of an input that has an extent, not that of the image."""
        info = inputs[0].GetInformationObject(0)
        if info.Has(Pipeline.WHOLE_EXTENT()):
            info.Set(Pipeline.UPDATE_EXTENT(), info.Get(Pipeline.WHOLE_EXTENT()), 6)
        return 1
