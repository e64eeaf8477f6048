# SPDX-License-Identifier: BSD-3-Clause
"""Long runs in steady memory: soak.py [TIMES]; testing/long.sh has the long form.

What the process holds is looked at after each execution. The first third is for caches that fill;
after it the most that is held may grow by no more than what malloc's own pages make.
"""
import resource
import sys

from tessera_testing import Skipped, check, main, messages, say, simple

TIMES = int(sys.argv[1]) if len(sys.argv) > 1 else 60
ALLOWANCE = 6 << 20  # bytes in all, however many executions


def resident():
    if not sys.platform.startswith("linux"):
        raise Skipped("this reads memory as Linux tells it")
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def steady(what, times, step):
    held = []
    for i in range(times):
        step(i)
        held.append(resident())
    third = times // 3
    before, after = max(held[third:2 * third]), max(held[2 * third:])
    say(f"{what}: {times} times, {before >> 20} MiB in the second third, {after >> 20} in the last")
    check(after - before <= ALLOWANCE, f"{what}: {after - before} bytes more are held")
    said = messages()
    check(said == "", f"{what}: {said[-1000:]}")


def executions_of_curves():
    curves = simple.AdaptiveCurves(Input=simple.RandomBezierCurves(NumberOfCurves=2000),
                                   GenerateArcLength=1)

    def step(i):
        curves.ChordError = 0.001 if i % 2 else 0.0005
        curves.UpdatePipeline()
    steady("executions of curves", TIMES, step)


def executions_of_grids():
    grid = simple.AdaptiveGrid(Input=simple.TurbulentJet(Dimensions=[65, 33, 33]),
                               CriteriaArrays=["Temperature"])

    def step(i):
        grid.InterpolationError = 0.05 if i % 2 else 0.02
        grid.UpdatePipeline()
    steady("executions of grids", TIMES, step)


def creations_and_deletions():
    def step(_):
        jet = simple.TurbulentJet(Dimensions=[17, 9, 9])
        discs = simple.RandomDiscs(NumberOfDiscs=300)
        made = [simple.AdaptiveGrid(Input=jet), simple.AdaptivePointGrid(Input=discs),
                simple.PointsToCurves(Input=discs), simple.DiscImage(Input=discs, RadiusArray="Radius")]
        made.append(simple.AdaptiveCurves(Input=made[2]))
        for proxy in made:
            proxy.UpdatePipeline()
        for proxy in [*reversed(made), discs, jet]:
            simple.Delete(proxy)
    steady("creations and deletions", TIMES, step)


def steps_of_a_series():
    times = max(100, TIMES // 5)
    jet = simple.TurbulentJet(Dimensions=[49, 25, 25], TimeSteps=times)
    grid = simple.AdaptiveGrid(Input=jet, CriteriaArrays=["Temperature"])
    contour = simple.Contour(Input=grid, ContourBy=["POINTS", "Temperature"], Isosurfaces=[1000.0])
    jet.UpdatePipelineInformation()
    when = list(jet.TimestepValues)
    check(len(when) == times, f"{len(when)} steps")
    steady("steps of jet, grid and contour", times, lambda i: contour.UpdatePipeline(when[i]))


main(executions_of_curves, executions_of_grids, creations_and_deletions, steps_of_a_series)
