# SPDX-License-Identifier: BSD-3-Clause
"""Memory that runs out ends in a sentence, however much of it there was: never in an abort.

Each level is a process of its own, which limits its addresses (as `ulimit -v`) or its data (as
`ulimit -d`) to what it has and so many MiB more, and then runs a filter. Without arguments the script
is the test; with a kind, a level and a limit it is such a process. More levels by hand: memory.py KIND
MIB AS, or DATA.
"""
import os
import re
import shutil
import subprocess
import sys

from tessera_testing import Skipped, check, main, messages, polydata, say, simple, source_of


def a_grid(output):
    wavelet = simple.Wavelet(WholeExtent=[0, 149, 0, 149, 0, 149])
    wavelet.UpdatePipeline()
    return simple.AdaptiveGrid(Input=wavelet, OutputType=output, InterpolationError=1e-9)


def curves():
    import numpy as np
    t = np.linspace(0, 1, 100001)
    line = polydata(np.stack([t, np.sin(900 * t), np.cos(700 * t)], axis=1), [range(len(t))])
    return simple.AdaptiveCurves(Input=source_of(line), MinimumPoints=20)


KINDS = {
    "grid": lambda: a_grid("Unstructured Grid"),
    "trees": lambda: a_grid("Hyper Tree Grid"),
    "blocks": lambda: a_grid("Overlapping AMR"),
    "curves": curves,
    "jet": lambda: simple.TurbulentJet(Dimensions=[150, 150, 150]),
    "large_jet": lambda: simple.TurbulentJet(Dimensions=[3000, 3000, 3000]),
    "long_jet": lambda: simple.TurbulentJet(Dimensions=[9, 9, 9])}


def limited(kind, mib, what):
    """What such a process does."""
    import resource
    proxy = KINDS[kind]()
    messages()
    counted = {"AS": "VmSize", "DATA": "VmData"}[what]  # the stack is no data to the kernel
    with open("/proc/self/status", encoding="ascii") as lines:
        used = next(int(line.split()[1]) for line in lines if line.startswith(counted))
    limit = (used << 10) + (mib << 20)
    resource.setrlimit(getattr(resource, f"RLIMIT_{what}"), (limit, limit))
    if kind == "long_jet":
        proxy.TimeSteps = 20000000  # what a source tells of itself takes memory, too
    proxy.UpdatePipeline()
    output = proxy.GetClientSideObject().GetOutputDataObject(0)
    count = output.GetNumberOfCells()
    say(f"cells {count}: {messages()}")


def ends_well(kind, mib, what="AS"):
    """The number of cells, and the sentence where there are none."""
    done = subprocess.run([shutil.which("pvpython"), os.path.abspath(__file__), kind, str(mib), what],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=150)
    text = done.stdout.decode(errors="replace")
    found = re.search(r"cells (\d+): (.*)", text, re.DOTALL)
    check(done.returncode == 0 and found, f"{kind} with {mib} MiB of {what} ends with {done.returncode}: "
          f"{text[-1500:]}")
    cells, said = int(found.group(1)), found.group(2).strip()
    check((cells == 0) == ("Nothing was made: " in said or "Time Steps" in said),
          f"{kind} with {mib} MiB: {cells} cells, told: {said}")
    return cells, said


def every_level(kind, levels, what="AS"):
    if not sys.platform.startswith("linux") or not shutil.which("pvpython"):
        raise Skipped("this limits memory as Linux does")
    return [ends_well(kind, mib, what) for mib in levels]


def grids():
    results = every_level("grid", (1, 350, 470))
    check(results[0][0] == 0, "nothing of 1 MiB")


def grids_of_other_kinds():
    every_level("trees", (300,))
    every_level("blocks", (340,))


def long_curves():
    results = every_level("curves", (10, 2000))
    check(results[0][0] == 0 and results[-1][0] == 1, "no line of 10 MiB, one of 2000")


def images():
    results = every_level("jet", (75, 1000))
    check(results[0][0] == 0 and results[-1][0] == 149 ** 3, "nothing of 75 MiB, all of 1000")
    for what in ("AS", "DATA"):
        _, said = every_level("large_jet", (500,), what)[0]
        numbers = [int(n) for n in re.findall(r"\d+", said.split("Nothing was made")[1])]
        check(numbers[:2] == [3000 ** 3, 3000 ** 3 * 20], f"points and bytes: {said}")
        check(0 < numbers[2] <= 500 << 20, f"no more is offered than is left: {said}")
    check(every_level("long_jet", (100,))[0][0] == 0, "no memory for the times of all steps")


if len(sys.argv) == 4:
    limited(sys.argv[1], int(sys.argv[2]), sys.argv[3])
else:
    main(grids, grids_of_other_kinds, long_curves, images)
