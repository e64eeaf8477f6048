# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid: Backend = CUDA gives the bytes of the CPU, by both strategies.

Skipped where no device is usable; a failure there with TESSERA_REQUIRE_CUDA=1 in the environment.
"""
from cuda_testing import bytes_of, need_device
from tessera_testing import case, check, field_value, main, messages, simple, source_of
from vtkmodules.vtkIOLegacy import vtkDataSetReader

STRATEGIES = ["Host Waves", "Device Launched"]
NONE = dict(UseInterpolationError=0)
CRITERIA = [dict(InterpolationError=0.05), dict(NONE, UseValueRange=1, ValueRange=0.1),
            dict(NONE, UseGradient=1, Gradient=0.05), dict(NONE, UseSecondDerivative=1),
            dict(NONE, UseStandardDeviation=1), dict(NONE, UseVorticity=1), dict(NONE, UseQCriterion=1),
            dict(UseValueRange=1, UseVorticity=1, RefineLevels=1, BufferCells=2, Balance="Across Edges"),
            dict(NONE, UseValueRange=1, ValueRange=0.01, CellBudget=3000)]


def output_of(source, **properties):
    proxy = simple.AdaptiveGrid(Input=source, GenerateIndicator=1, GenerateLevel=1, **properties)
    messages()
    proxy.UpdatePipeline()
    text = messages()
    check(text == "", f"{properties}: {text}")
    return proxy.GetClientSideObject().GetOutputDataObject(0)


def compare(source, what, **properties):
    cpu = output_of(source, Backend="CPU", **properties)
    check(len(bytes_of(cpu)) > 2, f"{what}: something was made")
    for strategy in STRATEGIES:
        cuda = output_of(source, Backend="CUDA", LaunchStrategy=strategy, **properties)
        check(field_value(cuda, "Backend").ToString() == "CUDA" and
              field_value(cuda, "Launch Strategy").ToString() == strategy, f"{what}: it ran so")
        check(bytes_of(cuda) == bytes_of(cpu), f"{what} {properties} {strategy}: the same bytes")


def every_criterion_gives_the_grid_of_the_cpu():
    jet = simple.TurbulentJet(Dimensions=[65, 33, 17])
    for criteria in CRITERIA:
        compare(jet, "jet", CriteriaArrays=["Temperature"], VelocityArray="Velocity", **criteria)


def every_output_type_gives_the_grid_of_the_cpu():
    jet = simple.TurbulentJet(Dimensions=[65, 33, 17])
    for kind in ("Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR"):
        compare(jet, "jet", CriteriaArrays=["Temperature"], OutputType=kind)


def flat_and_cell_data():
    jet = simple.TurbulentJet(Dimensions=[129, 65, 1])
    compare(jet, "flat jet", CriteriaArrays=["Temperature"], InterpolationError=0.02)
    cells = simple.PointDatatoCellData(Input=simple.TurbulentJet(Dimensions=[65, 33, 17]))
    compare(cells, "cells", CriteriaArrays=["Temperature"], UseInterpolationError=0, UseValueRange=1)


def carotid():
    reader = vtkDataSetReader()
    reader.SetFileName(case("flow/carotid.vtk"))
    reader.ReadAllScalarsOn()
    reader.ReadAllVectorsOn()
    reader.Update()
    source = source_of(reader.GetOutput())
    for criteria in CRITERIA[:3]:
        compare(source, "carotid", **criteria)


need_device()
main(every_criterion_gives_the_grid_of_the_cpu, every_output_type_gives_the_grid_of_the_cpu,
     flat_and_cell_data, carotid)
