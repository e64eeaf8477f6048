# SPDX-License-Identifier: BSD-3-Clause
"""Real outlines whose lengths and shapes are known from elsewhere."""
import numpy as np
from tessera_testing import case, check, field_value, length, main, points, run, simple


def read(name):
    reader = simple.XMLUnstructuredGridReader(FileName=[case(name)])
    reader.UpdatePipeline()
    return reader.GetClientSideObject().GetOutputDataObject(0)


def lengths_from_below(data, exact, tolerances):
    """Polylines on a curve are never longer than it; with the tolerance the gap goes to nothing."""
    gaps = []
    for tolerance in tolerances:
        out = run(data, ChordErrorMode="Absolute", ChordError=tolerance, OutputPrecision="Double",
                  GenerateAchievedError=1)
        gaps.append(1 - length(out) / exact)
        reached = out.GetCellData().GetArray("AchievedError").GetRange()[1]
        check(reached <= tolerance, f"an error of {reached} for {tolerance}")
        check(out.GetNumberOfLines() == data.GetNumberOfCells(), "one polyline a cell")
    # The published length is rounded in its last digit.
    check(all(gap > -1e-10 for gap in gaps), f"longer than the curve: {gaps}")
    check(gaps == sorted(gaps, reverse=True) and gaps[-1] < 3e-6, f"gaps {gaps}")


def dejavu_sans():
    lengths_from_below(read("curves/DejaVuSans_bezier.vtu"), 49230273.35968, (20, 5, 1, 0.1, 0.01))


def tiger():
    lengths_from_below(read("curves/tiger_bezier.vtu"), 46940.342975, (1, 0.1, 0.01, 1e-3, 1e-4))


def quarter_circle():
    data = read("peers/vtk_rational_quarter_circle.vtu")
    for error in (1e-2, 1e-5):
        for sampling in ("Uniform in Parameter", "Bisection"):
            out = run(data, ChordErrorMode="Absolute", ChordError=error, Sampling=sampling,
                      OutputPrecision="Double")
            check(np.abs(np.linalg.norm(points(out), axis=1) - 1).max() < 1e-12, "radius 1")
            # A chord with sagitta e on the unit circle spans 2 acos(1 - e).
            least = (np.pi / 2) / (2 * np.arccos(1 - error))
            check(out.GetNumberOfPoints() - 1 >= least, "no fewer segments than any polyline needs")
            check(field_value(out, "Polylines").ToInt() == 1, "one polyline")


main(dejavu_sans, tiger, quarter_circle)
