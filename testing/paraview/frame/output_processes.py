# SPDX-License-Identifier: BSD-3-Clause
# ranks: 1 3
"""Run with mpiexec: tables, estimates and refusals speak of all processes together, and once."""
import re

from tessera_testing import check, main, messages, simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def grid_of(**properties):
    jet = simple.TurbulentJet(Dimensions=[65, 33, 33])
    return simple.AdaptiveGrid(Input=jet, CriteriaArrays=["Temperature"], HangingNodes="Free",
                               **properties)


def curves_of(**properties):
    return simple.AdaptiveCurves(Input=simple.RandomBezierCurves(), UseFieldError=0, **properties)


def count_in(proxy):
    proxy.SMProxy.InvokeCommand("Estimate")
    text = proxy.SMProxy.GetProperty("EstimateText").GetElement(0)
    found = re.match(r"([\d,]+) ", text)
    check(found, text)
    return int(found.group(1).replace(",", ""))


def estimates_and_tables():
    for proxy, count, column in ((grid_of(), "GetNumberOfCells", "Cells"),
                                 (curves_of(), "GetNumberOfPoints", "Points")):
        expected = count_in(proxy)
        proxy.UpdatePipeline()
        made = getattr(proxy.GetDataInformation(0).DataInformation, count)()
        check(made == expected, f"{expected} were announced, {made} came")
        table = proxy.GetClientSideObject().GetOutputDataObject(1)
        total = vtk_to_numpy(table.GetColumnByName(column)).sum()
        check(total == made, f"{total} in the table of process 0, {made} in all")
        rows = proxy.GetDataInformation(1).DataInformation.GetNumberOfRows()
        check(rows == table.GetNumberOfRows(), f"{rows} rows of all processes")


def refusals():
    for make, bad in ((grid_of, {"InterpolationError": 1e-7}), (curves_of, {"ChordError": 1e-7})):
        messages()
        proxy = make(LargestOutput=1, **bad)
        proxy.UpdatePipeline()
        said = messages()
        check(said.count("it would fit with") == 1, said)
        found = re.search(r"it would fit with [A-Za-z ]+ ([\d.e-]+\d)", said)
        fits = make(LargestOutput=1, **{name: float(found.group(1)) for name in bad})
        fits.UpdatePipeline()
        said = messages()
        check(said == "", said)
        check(fits.GetDataInformation(0).DataInformation.GetNumberOfPoints() > 1000, "it fits")


main(estimates_and_tables, refusals)
