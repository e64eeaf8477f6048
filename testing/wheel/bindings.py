# SPDX-License-Identifier: BSD-3-Clause
"""The package on numpy arrays, without VTK: answers known from outside, no copies, errors, threads."""
import ctypes
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
import types
import unittest
import xml.etree.ElementTree as ElementTree

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)

from tessera_vtk import _library, curves, errors, grid
from tessera_vtk.execution import Execution

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
SQUARE = np.array([[0.0, 0, 0], [1, 2, 0], [3, 2, 0], [4, 0, 0]])


def one_curve(points=SQUARE, kind=curves.BEZIER, **values):
    n = len(points)
    order = np.array([0, n - 1, *range(1, n - 1)]) if kind == curves.BEZIER else np.arange(n)
    view = curves.View(points, np.array([0, n]), order, kind)
    return curves.Plan(view, curves.options(ChordErrorMode=0, UseFieldError=0, **values))


def bezier(t):
    """The cubic, by Bernstein's polynomials."""
    t = t[:, None]
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return sum(w * p for w, p in zip(weights, SQUARE))


def distance(places, line):
    """Of each place from a polyline."""
    a, b = line[:-1], line[1:]
    d = b - a
    u = np.clip(((places[:, None] - a) * d).sum(2) / (d * d).sum(1), 0, 1)
    return np.linalg.norm(places[:, None] - a - u[..., None] * d, axis=2).min(1)


class Curves(unittest.TestCase):
    def test_chord_error_is_kept(self):
        for error in (0.1, 0.01, 0.001):
            out = one_curve(ChordError=error).fill(["parameter", "achieved_error"])
            self.assertLessEqual(distance(bezier(np.linspace(0, 1, 999)), out["points"]).max(), error)
            self.assertTrue(np.allclose(bezier(out["parameter"]), out["points"], atol=1e-14))
            self.assertLessEqual(out["achieved_error"][0], error)

    def test_a_field_follows_the_curve(self):
        field = SQUARE[:, 0] * 3 + 1  # an affine function of the place
        out = one_curve(ChordError=0.01).fill(point_arrays={"field": field})
        self.assertTrue(np.allclose(out["field"], out["points"][:, 0] * 3 + 1))

    def test_the_fill_writes_into_what_is_given(self):
        plan = one_curve(ChordError=0.01)
        n = plan.sizes.points
        whole = np.full((n + 2, 3), 7.0)
        plan.fill_into({"points": whole[1:-1]})
        self.assertTrue((whole[[0, -1]] == 7.0).all())
        self.assertTrue(np.array_equal(whole[1:-1], plan.fill()["points"]))

    def test_the_view_borrows(self):
        points = SQUARE.copy()
        view = curves.View(points, np.array([0, 4]), np.arange(4))
        self.assertEqual(view.core.points.data, points.ctypes.data)

    def test_threads_do_not_matter(self):
        places = np.modf(np.outer(np.arange(4000), [0.7548776662, 0.5698402910, 0.31]))[0].copy()
        offsets = np.arange(0, 4001, 8)
        view = curves.View(places, offsets, np.arange(4000), curves.CATMULL_ROM)
        made, names = [], set()
        for threads in (1, 3):
            execution = Execution(threads, lambda _: names.add(threading.current_thread().name))
            plan = curves.Plan(view, curves.options(ChordError=1e-4), execution)
            made.append(plan.fill()["points"])
            self.assertEqual(plan.report().threads, threads)
            execution.close()
        self.assertEqual(made[0].tobytes(), made[1].tobytes())
        self.assertEqual(names, {threading.current_thread().name})

    def test_budget(self):
        plan = one_curve(ChordError=1e-6)
        self.assertGreater(curves.fit_budget([plan], 20), 1.0)
        self.assertLessEqual(plan.sizes.points, 20)

    def test_stopping(self):
        with self.assertRaises(errors.Aborted):
            places = np.ones((64000, 3)) * np.arange(64000)[:, None]
            view = curves.View(places, np.arange(0, 64001, 4), np.arange(64000))
            curves.Plan(view, curves.options(), Execution(1, lambda _: True))

    def test_control_c(self):
        points = np.random.default_rng(3).random((20, 3))
        settings = curves.options(ChordError=1e-15, ChordErrorMode=0)  # minutes, and gigabytes
        settings.limit_points = 2**60
        for threads in (1, 2):
            view = curves.View(points, np.array([0, 20]), np.arange(20))
            before = signal.getsignal(signal.SIGINT)
            key = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                key.start()
                curves.Plan(view, settings, Execution(threads))
            self.assertLess(time.monotonic() - began, 20.0)
            self.assertIs(signal.getsignal(signal.SIGINT), before)
            key.join()

    def test_notes(self):
        view = curves.View(SQUARE, np.array([0, 4, 6]), np.array([0, 1, 2, 3, 0, 99]))
        notes = curves.Plan(view, curves.options()).notes("wire")
        self.assertEqual(len(notes), 1)
        self.assertIn("1 wire (number 1)", notes[0])


class Errors(unittest.TestCase):
    def test_sentences(self):
        with self.assertRaisesRegex(errors.BadOption, "chord error"):
            one_curve(ChordError=-1)
        with self.assertRaisesRegex(TypeError, "no argument 'ChordEror': did you mean 'chord_error'"):
            curves.options(ChordEror=1)
        with self.assertRaisesRegex(errors.BadOption, "'Bisection'.*not 'Bisect'"):
            curves.options(Sampling="Bisect")
        with self.assertRaisesRegex(errors.BadInput, "<U1"):
            curves.View(np.full((4, 3), "x"), np.array([0, 4]), np.arange(4))

    def test_another_library_is_refused(self):
        class Larger(ctypes.Structure):
            _fields_ = [("struct_size", ctypes.c_size_t), ("bytes", ctypes.c_char * 4088)]

        described = types.SimpleNamespace(__name__="described", tsr_execution=Larger)
        with self.assertRaisesRegex(ImportError, "another version.*tsr_execution has .* 4096 here"):
            _library._check_sizes(_library.lib, described)

    def test_plans_free_themselves(self):
        freed, real = [], _library.lib.tsr_curves_plan_free
        plan = one_curve()
        handle = plan._handle.value
        _library.lib.tsr_curves_plan_free = lambda one: (freed.append(one.value), real(one))
        try:
            del plan
            gc.collect()
        finally:
            _library.lib.tsr_curves_plan_free = real
        self.assertEqual(freed, [handle])


class Grids(unittest.TestCase):
    def plan(self, values, threshold, **options):
        view = grid.View((0, 32, 0, 32, 0, 0)).image((0, 0, 0), (1, 1, 1))
        view.settle(0)
        criterion = grid.criterion(grid.INTERPOLATION_ERROR, values, threshold=threshold)
        return grid.Plan(view, grid.options(**options), [criterion])

    def test_a_plane_stays_coarse(self):
        j, i = np.mgrid[0:33, 0:33]
        plan = self.plan((2.0 * i + 3.0 * j).ravel(), 1e-9)
        self.assertEqual(plan.sizes.leaves, 16)  # 32 / 2^3 along each side
        self.assertEqual(plan.sizes.fine_cells, 1024)

    def test_the_error_is_kept(self):
        j, i = np.mgrid[0:33, 0:33]
        values = 1.0 / (1.0 + (i - 9.0) ** 2 + (j - 20.0) ** 2).ravel()
        plan = self.plan(values, 0.01)
        out = {"points": np.empty((plan.sizes.points, 3)),
               "connectivity": np.empty(plan.sizes.connectivity, np.int64),
               "offsets": np.empty(plan.sizes.cells + 1, np.int64)}
        at_points = np.empty(plan.sizes.points)
        errors_of = plan.fill_into(out, attributes=[(values, False, at_points)])
        self.assertLessEqual(errors_of[0], 0.01)
        # Points of the input among the output's carry the input's values.
        x, y = out["points"][:, 0].astype(int), out["points"][:, 1].astype(int)
        self.assertEqual(at_points.tobytes(), values[y * 33 + x].tobytes())
        self.assertLess(plan.sizes.leaves, 512)


class Panel(unittest.TestCase):
    """Names, defaults and choices are those of ParaView's panel."""

    def compare(self, file, properties):
        root = ElementTree.parse(os.path.join(ROOT, "xml", file)).getroot()
        mine = {one.name: one for one in properties}
        seen = set()
        for element in root.iter():
            name = element.get("name")
            if not element.tag.endswith("VectorProperty") or element.get("information_only"):
                continue
            if element.get("command") is None:  # of the panel alone: it never reaches the filter
                continue
            self.assertIn(name, mine)
            seen.add(name)
            one = mine[name]
            text = element.get("default_values")
            if text and text != "None" and one.type < 4:
                default = one.default if one.numbers > 1 else [one.default]
                self.assertEqual([float(t) for t in text.split()], [float(d) for d in default], name)
            entries = {int(e.get("value")): e.get("text") for e in element.iter("Entry")}
            if entries:
                self.assertEqual({text: k for k, text in entries.items()}, one.labels, name)
        return set(mine) - seen

    def test_curves(self):
        shared = self.compare("AdaptiveCurves.xml", curves.PROPERTIES)
        self.assertNotIn("ChordError", shared)

    def test_grids(self):
        shared = self.compare("AdaptiveGrid.xml", grid.PROPERTIES)
        self.assertNotIn("CoarsenLevels", shared)

    def test_keywords(self):
        words = {one.name: one.keyword for one in (*curves.PROPERTIES,
                                                   *grid.PROPERTIES)}
        self.assertEqual([words[name] for name in ("ChordError", "AMRBlockSize", "UseQCriterion",
                                                   "CatmullRomKnots", "QCriterion")],
                         ["chord_error", "amr_block_size", "use_q_criterion", "catmull_rom_knots",
                          "q_criterion"])
        self.assertTrue(all(re.fullmatch(r"[a-z_]+", word) for word in words.values()))


class Import(unittest.TestCase):
    def test_it_is_quick_and_loads_nothing_else(self):
        code = ("import sys, time\nbefore = time.process_time()\nimport tessera_vtk\n"
                "print(time.process_time() - before)\n"
                "print(*(one for one in ('numpy', 'vtkmodules', 'pyvista') if one in sys.modules))")
        said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                               check=True).stdout.split("\n") for _ in range(3)]
        self.assertLess(min(float(one[0]) for one in said), 0.15)
        self.assertEqual(said[0][1], "")


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
