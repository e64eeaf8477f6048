# SPDX-License-Identifier: BSD-3-Clause
"""What all filters have in common as VTK filters."""
from __future__ import annotations

import ctypes as c
from typing import Any, Callable, ClassVar, NoReturn, Sequence

from vtkmodules.util.vtkAlgorithm import VTKPythonAlgorithmBase
from vtkmodules.vtkCommonCore import (vtkDataArray, vtkOutputWindow,
                                      vtkStringArray)
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkDataObjectTypes
from vtkmodules.vtkCommonExecutionModel import vtkAlgorithm

from .._library import call
from ..errors import Aborted, BadInput, BadOption, TesseraError, instead_of, warn
from ..execution import Execution
from ..properties import NAMES, ROWS, Property, struct_of
from .datasets import output_class, pass_field_data, place
from .job import Job


class TesseraAlgorithm(VTKPythonAlgorithmBase):
    """A filter with the properties of ParaView's, as attributes and as Set and Get methods.

    `Update` raises what is wrong as a TesseraError; where the filter runs inside a longer pipeline
    the sentence goes to VTK's output window, as of any filter, and the output is empty. What was left
    out comes as a TesseraWarning.
    """

    properties: ClassVar[Sequence[Property]] = ()
    input_classes: ClassVar[Sequence[str]] = ()
    leaf_class: ClassVar[str] = ""
    job: ClassVar[type[Job]]
    only_plugin: ClassVar[Sequence[str]] = ()
    joins: ClassVar[bool] = False  # one output of all blocks

    def leaf(self) -> str:
        """The class of what is made of a dataset."""
        return self.leaf_class

    def joins_blocks(self) -> bool:
        """Does a composite become one dataset?"""
        return self.joins

    def check_settings(self) -> None:
        """Raises BadOption for settings that the package does not have."""

    def refuse(self, condition: bool, what: str) -> None:
        """Raises BadOption where the condition holds."""
        if condition:
            raise BadOption(f"{what} is made by the plugin in ParaView; this package does not have it.")

    def __init__(self, **values: Any) -> None:
        """Properties by name: ChordError=0.01."""
        self._values = {one.name: one.default for one in self.properties}
        # The base class keeps a class's name in OutputType, which is a property of Adaptive Grid: it
        # gets that one's default, and FillOutputPortInformation stands below.
        base: Any = super()
        base.__init__(nInputPorts=1 if self.input_classes else 0, inputType="vtkDataObject",
                      nOutputPorts=1, outputType=0)
        self._problem: BaseException | None = None
        self._raises = False
        self._said: list[str] = []
        self.report_in_field_data = True
        self.Report: dict[str, Any] = {}
        for name, value in values.items():
            if name not in self._values:
                raise BadOption(f"{type(self).__name__} has no property '{name}'" +
                                instead_of(name, self._values))
            setattr(self, name, value)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a filter cannot be copied or pickled: it is part of a pipeline; make another one")

    def __init_subclass__(cls) -> None:
        for one in cls.properties:
            setattr(cls, one.name, _attribute(one))
            setattr(cls, "Set" + one.name, _setter(one))
            setattr(cls, "Get" + one.name, _getter(one))
            if one.type == NAMES:
                setattr(cls, "Add" + one.name[:-1], _adder(one))
                setattr(cls, "Clear" + one.name, _clearer(one))
            if one.type == ROWS:
                setattr(cls, f"Add{one.name}Point", _adder(one))
                setattr(cls, "Clear" + one.name, _clearer(one))

    def takes(self, data: vtkDataObject) -> str:
        """What input it takes, for one that it does not."""
        return (f"The input must be {', '.join(self.input_classes)} or a composite of such, not "
                f"{data.GetClassName()}.")

    def set_property(self, name: str, value: Any) -> None:
        """As an assignment to the attribute."""
        self._set(next(one for one in self.properties if one.name == name), value)

    def _set(self, one: Property, value: Any) -> None:
        value = one.cleaned(value)
        if self._values[one.name] != value:
            self._values[one.name] = value
            self.Modified()

    def get_property(self, one: Property) -> Any:
        """A list is a copy."""
        value = self._values[one.name]
        return list(value) if isinstance(value, list) else value

    def Update(self, *arguments: Any) -> Any:
        """As of any VTK algorithm; raises a TesseraError where nothing was made."""
        self._raises, self._problem, self._said = True, None, []
        try:
            super().Update(*arguments)
        finally:
            self._raises = False
        self._warn()
        if self._problem:
            problem, self._problem = self._problem, None
            raise problem

    def FillInputPortInformation(self, port: int, info: Any) -> int:
        # Any: what does not fit is refused below, so that Update can raise. VTK's own check only prints.
        info.Set(vtkAlgorithm.INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject")
        return 1

    def FillOutputPortInformation(self, port: int, info: Any) -> int:
        info.Set(vtkDataObject.DATA_TYPE_NAME(), "vtkDataObject")
        return 1

    def RequestDataObject(self, request: Any, inputs: Any, outputs: Any) -> int:
        data = vtkDataObject.GetData(inputs[0], 0)
        if data is None:
            return 0
        output = vtkDataObject.GetData(outputs, 0)
        wanted = self.leaf() if self.joins_blocks() else output_class(data, self.leaf())
        if output is None or output.GetClassName() != wanted:
            outputs.GetInformationObject(0).Set(vtkDataObject.DATA_OBJECT(),
                                                vtkDataObjectTypes.NewDataObject(wanted))
        return 1

    def RequestData(self, request: Any, inputs: Any, outputs: Any) -> int:
        self._empty(outputs)
        try:
            self._make(inputs, outputs)
        except BaseException as problem:  # none of them may pass through VTK, nor Ctrl-C
            self._empty(outputs)
            self._tell(problem)
        return 1

    def _empty(self, outputs: Any) -> None:
        vtkDataObject.GetData(outputs, 0).Initialize()
        self.Report = {}

    def new_job(self, data: vtkDataObject, execution: Execution) -> Job:
        """What makes the output of such an input."""
        return self.job(data, self.properties, dict(self._values), execution)

    def _run_job(self, inputs: Any) -> Job:
        """Checks the input and the settings, and does the work. Raises a TesseraError."""
        data = vtkDataObject.GetData(inputs[0], 0)
        if not any(data.IsA(one) for one in ("vtkCompositeDataSet", *self.input_classes)):
            raise BadInput(self.takes(data))
        for name in self.only_plugin:
            one = next(p for p in self.properties if p.name == name)
            self.refuse(self._values[name] != one.default, one.label)
        self.check_settings()
        common = struct_of("tsr_filter_choices", self.properties, self._values)
        call("tsr_filter_choices_check", c.byref(common), 0, 0, 0)
        execution = Execution(self._values["Threads"], self._progress, self._values["Backend"],
                              self._values["Device"])
        try:
            job = self.new_job(data, execution)
            job.run()
        finally:
            execution.close()
        return job

    def _make(self, inputs: Any, outputs: Any) -> None:
        data, output = vtkDataObject.GetData(inputs[0], 0), vtkDataObject.GetData(outputs, 0)
        job = self._run_job(inputs)
        self._said = job.warnings()
        if not self._raises:
            self._warn()
        if self.joins_blocks():
            if job.results[0]:
                output.ShallowCopy(job.results[0])
            pass_field_data(data, output)
        else:
            place(data, job.results, output)
        self.Report = job.report
        fields = output.GetFieldData()
        for k in reversed(range(fields.GetNumberOfArrays())):
            if (fields.GetArrayName(k) or "").startswith("Tessera "):  # of the filter before
                fields.RemoveArray(k)
        for name, value in job.report.items() if self.report_in_field_data else ():
            fields.AddArray(_field_array("Tessera " + name, value))
        self.UpdateProgress(1.0)

    def _progress(self, fraction: float) -> bool:
        self.UpdateProgress(fraction)
        check = getattr(self, "CheckAbort", None)  # of VTK 9.2.20230111 and later
        return bool(self.GetAbortExecute() or (check and check()))

    def _warn(self) -> None:
        """Says what there is to say."""
        said, self._said = self._said, []
        for one in said:
            warn(one)

    def _tell(self, problem: BaseException) -> None:
        if self._raises:
            self._problem = problem
        elif not isinstance(problem, Aborted):
            sentence = str(problem) if isinstance(problem, TesseraError) else repr(problem)
            vtkOutputWindow.GetInstance().DisplayErrorText(
                f"{type(self).__name__}: Nothing was made: {sentence}\n")


def _field_array(name: str, value: Any) -> Any:
    """Of the report: a text, a whole number, a number, or a list of one of them."""
    several = value if isinstance(value, list) else [value]
    array: Any
    if several and isinstance(several[0], str):
        array = vtkStringArray()
    else:
        array = vtkDataArray.CreateDataArray(11 if isinstance(several[0], float) else 12)
    array.SetName(name)
    for one in several:
        if isinstance(one, str):
            array.InsertNextValue(one)
        else:
            array.InsertNextTuple1(one)
    return array


def _attribute(one: Property) -> property:
    choices = f" One of {', '.join(map(repr, one.labels))}, or its number." if one.labels else ""
    return property(lambda self: self.get_property(one),
                    lambda self, value: self._set(one, value),
                    doc=f"{one.label}. Default {one.default!r}.{choices}")


def _setter(one: Property) -> Callable[..., None]:
    def setter(self: TesseraAlgorithm, *value: Any) -> None:
        self._set(one, value[0] if len(value) == 1 else value)

    return setter


def _getter(one: Property) -> Callable[[TesseraAlgorithm], Any]:
    return lambda self: self.get_property(one)


def _adder(one: Property) -> Callable[..., None]:
    return lambda self, *more: self._set(one, [*self._values[one.name], *more])


def _clearer(one: Property) -> Callable[[TesseraAlgorithm], None]:
    return lambda self: self._set(one, [])
