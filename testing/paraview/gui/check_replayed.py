# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch check_replayed.py FILE STATE: whether a trace or a state makes what the panels reported, which
stands in the state, where trace.py's session was saved."""
import os
import runpy
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import states

# What of the output is which entry of the report.
REPORTS = {"AdaptiveCurves": {"points": "PointsOut", "cells": "PolylinesOut"},
           "AdaptiveGrid": {"points": "PointsOut", "cells": "CellsOut"},
           "AdaptivePointGrid": {"cells": "LeavesOut"},
           "PointsToCurves": {"points": "PointsOut", "cells": "CurvesOut"},
           "DiscImage": {}}
SETTINGS = {"AdaptiveCurves": {"ChordError": 0.02, "Vertices": "Within Tolerance", "UseFieldError": 0},
            "AdaptiveGrid": {"InterpolationError": 0.05, "HangingNodes": "Free"},
            "AdaptivePointGrid": {"MaximumPointsPerCell": 7},
            "PointsToCurves": {"CutAtDistances": 1, "MaximumDistance": 0.25},
            "DiscImage": {"Resolution": [370, 230]}}


def check(path, state):
    if path.endswith(".pvsm"):
        simple.LoadState(path)
    else:
        runpy.run_path(path)
    found = {proxy.GetXMLName(): proxy for proxy in simple.GetSources().values()}
    for kind, reports in REPORTS.items():
        proxy = found[kind]
        for name, value in SETTINGS[kind].items():
            is_set = proxy.GetPropertyValue(name)
            is_set = list(is_set) if isinstance(value, list) else is_set
            assert is_set == value, (kind, name, is_set)
        proxy.UpdatePipeline()
        output = proxy.GetDataInformation().DataInformation
        made = {"points": output.GetNumberOfPoints(), "cells": output.GetNumberOfCells()}
        reported = states.only(state, kind)
        for what, name in reports.items():
            assert made[what] == int(reported[name][0]) > 0, (kind, made, reported[name])
    image = found["DiscImage"].GetDataInformation().DataInformation.GetExtent()
    assert list(image) == [0, 369, 0, 229, 0, 0], image


if __name__ == "__main__":
    check(*sys.argv[1:])
