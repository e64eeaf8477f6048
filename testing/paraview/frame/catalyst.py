# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid in a solver's process through Catalyst: catalyst.py PVBATCH SOLVER

Every step must be told and written, and heat must spread within its bounds.
"""
import glob
import os
import re
import subprocess
import sys

from tessera_testing import check, main, output_file, simple

PVBATCH, SOLVER = sys.argv[1], sys.argv[2]
STEPS, POINTS = 4, 129


def a_solver_refines_its_data():
    for old in glob.glob(output_file("heat_*.pvtu")):
        os.remove(old)
    done = subprocess.run([PVBATCH, SOLVER, str(STEPS)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    told = re.findall(r"step (\d+): (\d+) cells, (\d+) % saved", done.stdout)
    check(done.returncode == 0 and len(told) == STEPS, f"{done.returncode}: {done.stdout[-2500:]}")
    peaks = []
    for step, (number, cells, saved) in enumerate(told):
        of_all = int(cells) / (POINTS - 1) ** 2
        check(int(number) == step and abs(100 * (1 - of_all) - int(saved)) <= 0.5 and of_all < 0.5,
              f"step {step}: {told[step]}")
        reader = simple.XMLPartitionedUnstructuredGridReader(
            FileName=[output_file(f"heat_{step:04d}.pvtu")])
        reader.UpdatePipeline()
        written = reader.GetDataInformation().GetNumberOfCells()  # some of them cut, hence more
        check(int(cells) <= written < 4 * int(cells), f"{written} cells are in the file of {step}")
        low, high = reader.PointData["Heat"].GetRange(0)
        check(0 <= low and high <= 1, f"heat comes from nowhere: {low} to {high}")
        peaks.append(high)
    check(all(a > b for a, b in zip(peaks, peaks[1:])), f"heat spreads: {peaks}")


main(a_solver_refines_its_data)
