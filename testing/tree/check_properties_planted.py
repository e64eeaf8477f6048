#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shows that check_properties.py can fail: each fault planted into docs/ or xml/ is found.

Use: check_properties_planted.py SOURCE_FOLDER SCRATCH_FOLDER
"""
import shutil
import subprocess
import sys
from pathlib import Path

# File, what stands there, what is put in its place, and the words of the complaint.
FAULTS = (
    ("docs/adaptive-curves.md", "| **on**, **0.001** |", "| **on**, **0.01** |", "Chord Error"),
    ("docs/adaptive-curves.md", "| **on**, **0.001** |", "| **off**, **0.001** |", "Chord Error"),
    ("docs/adaptive-curves.md", "Uniform, **Centripetal**, Chordal", "**Uniform**, Chordal",
     "Catmull-Rom Knots"),
    ("docs/adaptive-curves.md", "| Tension |", "| Tenseness |", "Tension"),
    ("docs/adaptive-grid.md", "| Buffer Cells | **0**", "| Buffer Cells | **1**", "Buffer Cells"),
    ("docs/sources.md", "| **128 x 64 x 64** |", "| **128 x 64 x 32** |", "Dimensions"),
    ("docs/adaptive-point-grid.md", "| **64** |", "| **32** |", "Maximum Points Per Cell"),
    ("docs/points-to-curves.md", "| **off**, **0** |", "| **off**, **1** |", "Repeat Tolerance"),
    ("docs/sources.md", "| **0.5** |", "| **1** |", "Opacity"),
    ("docs/execution.md", "| 1 to 24, **8** |", "| 1 to 24, **9** |", "Nesting Depth"),
    ("xml/AdaptiveGrid.xml", 'label="Coarsen Levels"', 'label="Coarsening"', "Coarsening"),
    ("xml/properties/ReportText.xml", 'label="Report Text"', 'label="As Text"', "in scripts"),
    ("xml/properties/ExecutionReport.xml", "GetReportPlanSeconds", "GetReportPlanTime", "PlanTime"),
    ("filters/common/report.c", "ONE(LaunchPool,", "ONE(Pool,", "LaunchPool"),
    ("xml/properties/Execution.xml", 'default_values="-1"', 'default_values="0"', "Device"),
)


def check(folder):
    checker = Path(__file__).resolve().parent / "check_properties.py"
    return subprocess.run([sys.executable, checker, folder], capture_output=True, text=True)


def main():
    source, scratch = Path(sys.argv[1]), Path(sys.argv[2])
    for path, text, fault, words in FAULTS:
        shutil.rmtree(scratch, ignore_errors=True)
        for name in ("docs", "xml", "filters", "plugin"):
            shutil.copytree(source / name, scratch / name)
        before = (scratch / path).read_text(encoding="utf-8")
        if text not in before:
            print(f"{path} has no '{text}' to change")
            return 1
        (scratch / path).write_text(before.replace(text, fault), encoding="utf-8")
        result = check(scratch)
        if result.returncode != 1 or words not in result.stdout:
            print(f"not noticed: '{fault}' in {path}\n{result.stdout}{result.stderr}")
            return 1
    print(f"{len(FAULTS)} planted faults were found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
