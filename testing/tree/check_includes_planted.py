#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shows that check_includes.py can fail: a clean little tree passes, and each violation planted
into it alone is found.

Use: check_includes_planted.py SCRATCH_FOLDER
"""
import os
import shutil
import subprocess
import sys

CLEAN = {
    "filters/tessera.h": '#include "curves/tessera_curves.h"\n',
    "filters/common/support.h":
        "#ifndef TSR_COMMON_SUPPORT_H\n#define TSR_COMMON_SUPPORT_H\n#include <stddef.h>\n#endif\n",
    "filters/curves/tessera_curves.h": '#include "common/support.h"\n',
    "filters/curves/span_math.h": "#include <math.h>\n",
    "filters/curves/plan.c": '#include "curves/span_math.h"\n#include <stdlib.h>\n',
    "filters/grid/plan.h": '#include "common/support.h"\n',
    "cuda/common/common.cuh": "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n",
    "cuda/curves/plan.cu": '#include "cuda/common/common.cuh"\n#include "curves/span_math.h"\n',
    "cuda/grid/plan.cuh": '#include "cuda/common/common.cuh"\n',
    "cuda/launching/chain.cu": '#include "cuda/grid/plan.cuh"\n',
    "plugin/frame/Job.h": '#ifndef Job_h\n#define Job_h\n#include "tessera.h"\n#endif\n',
    "plugin/grid/Leaf.h": '#include "frame/Job.h"\n',
    "plugin/vtkAdaptiveCurves.cxx":
        '#include "tessera.h"\n#include "frame/Job.h"\n#include <vtkPolyData.h>\n',
    "tools/print.h": '#include "tessera.h"\n#include <stdio.h>\n',
    "tools/report.c": '#include "print.h"\n',
    "xml/AdaptiveCurves.xml": "<x/>\n",
}
# File, and the line that must be refused there.
VIOLATIONS = (
    ("filters/curves/plan.c", "#include <vtkPolyData.h>"),
    ("filters/curves/plan.c", '#include "vtkPolyData.h"'),
    ("filters/curves/plan.c", "  #  include <cuda_runtime.h>"),
    ("filters/curves/plan.c", '#include "cuda/common/common.cuh"'),
    ("filters/curves/plan.c", "#include <vector>"),
    ("filters/curves/plan.c", "#include <pthread.h>"),
    ("filters/curves/plan.c", "#include <windows.h>"),
    ("filters/curves/plan.c", '#include "../../cuda/common/common.cuh"'),
    ("filters/curves/plan.c", "#include HEADER"),
    ("filters/curves/plan.c", '#include "grid/plan.h"'),
    ("filters/common/support.h", '#include "curves/span_math.h"'),
    ("filters/curves/span_math.h", '#include "tessera.h"'),
    ("filters/common/support.h", '#include "common/support.h"'),
    ("filters/grid/plan.h", "#ifndef TSR_PLAN_H"),
    ("cuda/grid/plan.cuh", "#ifndef TSR_GRID_PLAN_H"),
    ("plugin/grid/Leaf.h", "#ifndef Job_h"),
    ("filters/grid/plan.cxx", "class Grid"),
    ("cuda/curves/plan.cu", "#include <vtkPolyData.h>"),
    ("cuda/curves/plan.cu", '#include "../../plugin/frame/Job.h"'),
    ("cuda/curves/plan.cu", '#include "cuda/grid/plan.cuh"'),
    ("cuda/curves/plan.cu", '#include "grid/plan.h"'),
    ("cuda/common/common.cuh", '#include "curves/span_math.h"'),
    ("plugin/vtkAdaptiveCurves.cxx", '#include "curves/span_math.h"'),
    ("plugin/vtkAdaptiveCurves.cxx", "#include <cuda_runtime.h>"),
    ("plugin/vtkAdaptiveCurves.cxx", '#include "cuda/common/common.cuh"'),
    ("plugin/curves/Leaf.h", '#include "grid/Leaf.h"'),
    ("tools/report.c", '#include "curves/span_math.h"'),
    ("tools/report.c", '#include "common/support.h"'),
    ("tools/report.c", "#include <cuda_runtime.h>"),
    ("tools/report.c", "#include <vtkPolyData.h>"),
    ("tools/report.c", "#include <unistd.h>"),
    ("xml/compute.py", "x = 1"),
)


def check(folder, extra=None):
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in {**CLEAN, **({extra[0]: CLEAN.get(extra[0], "") + extra[1] + "\n"}
                                   if extra else {})}.items():
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
    checker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_includes.py")
    return subprocess.run([sys.executable, checker, folder], capture_output=True, text=True)


def main():
    folder = sys.argv[1]
    clean = check(folder)
    if clean.returncode:
        print("the clean tree was refused:\n" + clean.stdout + clean.stderr)
        return 1
    for path, line in VIOLATIONS:
        result = check(folder, (path, line))
        if result.returncode != 1 or path not in result.stdout:
            print(f"not refused, or without naming the file: '{line}' in {path}\n{result.stdout}"
                  f"{result.stderr}")
            return 1
    print(f"{len(VIOLATIONS)} planted violations were found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
