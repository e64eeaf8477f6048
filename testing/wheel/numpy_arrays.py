# SPDX-License-Identifier: BSD-3-Clause
"""numpy arrays that do not fit are refused before the core reads or writes beyond them, in a sentence
that names the array; and the package holds what it has borrowed."""
import copy
import gc
import pickle
import subprocess
import sys
import time
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)

from tessera_vtk import BadInput, BadOption, TooLarge, curves, grid, memory
from tessera_vtk.execution import Execution

POINTS = np.random.default_rng(1).random((50, 3))
OFFSETS, IDS = np.array([0, 20, 50]), np.arange(50)


def plan(points=POINTS, offsets=OFFSETS, ids=IDS, **more):
    return curves.Plan(curves.View(points, offsets, ids, **more), curves.options(ChordError=0.01))


def read_only(array):
    array.flags.writeable = False
    return array


class Curves(unittest.TestCase):
    def refused(self, text, call, *arguments, **more):
        with self.assertRaisesRegex((BadInput, BadOption), text):
            call(*arguments, **more)

    def test_any_numbers(self):
        expected = plan().fill()["points"]
        self.assertTrue(np.array_equal(plan(read_only(POINTS.copy())).fill()["points"], expected))
        self.assertTrue(np.allclose(plan(POINTS.astype("f4")).fill()["points"].mean(0),
                                    expected.mean(0), atol=0.05))
        narrow = plan(offsets=OFFSETS.astype("i4"), ids=IDS.astype("i4")).fill()["points"]
        self.assertTrue(np.array_equal(narrow, expected))
        self.assertEqual(plan((POINTS * 9).astype("u1")).fill()["points"].dtype, np.float64)

    def test_arrays_that_the_core_cannot_read_are_copied(self):
        """Strided, of another byte order, lists, ids of two types: they give what plain ones give."""
        expected = plan().fill()["points"]
        wide = np.zeros((50, 6))
        wide[:, :3] = POINTS
        for points in (wide[:, :3], np.asfortranarray(POINTS), POINTS.astype(">f8"), POINTS.tolist(),
                       POINTS[::-1].copy()[::-1]):
            self.assertEqual(plan(points).fill()["points"].tobytes(), expected.tobytes())
        for more in ({"offsets": np.repeat(OFFSETS, 2)[::2]}, {"offsets": OFFSETS.astype("i4")},
                     {"ids": np.arange(50, dtype="u2")}, {"offsets": None, "ids": None},
                     {"kinds": [curves.CATMULL_ROM] * 2}):
            made = plan(**more).fill()
            if more.get("offsets", 0) is not None:
                self.assertEqual(made["points"].tobytes(), expected.tobytes())
        half = plan(POINTS.astype("f2")).fill()["points"]
        self.assertEqual(half.tobytes(), plan(POINTS.astype("f2").astype("f4")).fill()["points"].tobytes())

    def test_points_of_a_plane(self):
        flat = POINTS * [1, 1, 0]
        self.assertEqual(plan(POINTS[:, :2]).fill()["points"].tobytes(),
                         plan(flat).fill()["points"].tobytes())

    def test_truth_values_and_complex_numbers(self):
        """They come back as what they are, with the values of their parts."""
        wave = POINTS[:, 0] + 1j * POINTS[:, 1]
        out = plan().fill(point_arrays={"wave": wave, "real": wave.real, "imag": wave.imag.copy()})
        self.assertEqual(out["wave"].dtype, wave.dtype)
        self.assertEqual(out["wave"].real.tobytes(), out["real"].tobytes())
        self.assertEqual(out["wave"].imag.tobytes(), out["imag"].tobytes())
        flags = IDS > 20
        out = plan().fill(point_arrays={"flags": flags, "numbers": IDS}, interpolation=curves.NEAREST)
        self.assertEqual(out["flags"].dtype, np.bool_)
        self.assertEqual(out["flags"].tolist(), (out["numbers"] > 20).tolist())

    def test_one_call(self):
        heat = POINTS[:, 2].copy()
        out = curves.adapt(POINTS, OFFSETS, point_arrays={"heat": heat}, chord_error=0.01)
        by_hand = curves.Plan(curves.View(POINTS, OFFSETS, IDS), curves.options(chord_error=0.01),
                              fields=[heat], field_names=["heat"]).fill(point_arrays={"heat": heat})
        self.assertEqual({name: one.tobytes() for name, one in out.items()},
                         {name: one.tobytes() for name, one in by_hand.items()})
        j, i = np.mgrid[0:33, 0:33]
        plane = grid.adapt(2.0 * i + j, error=1e-9, relative=False, origin=(1, 2, 3), spacing=(2, 1, 1))
        self.assertEqual(len(plane["cell_type"]), 16)  # 32 / 2^3 along each side
        x, y, _ = (plane["points"] - [1, 2, 3]).T / [[2], [1], [1]]
        self.assertEqual(plane["values"].tobytes(), (2.0 * x + y).tobytes())

    def test_input(self):
        for text, points in (
                (r"array of points must have the shape \(n, 3\) or \(n, 2\), not \(150,\)", POINTS.ravel()),
                (r"array of points must have the shape .* not \(50, 1\)", POINTS[:, :1]),
                ("array of points is of type <U1", np.full((4, 3), "x")),
                ("array of points is of type object", np.full((4, 3), None)),
                ("array of points is no array", [[1, 2, 3], [1]])):
            self.refused(text, plan, points)
        for text, more in (
                ("array of offsets is of type float64; take int32 or int64",
                 {"offsets": OFFSETS.astype(float)}),
                ("array of offsets is empty", {"offsets": OFFSETS[:0]}),
                ("array of point ids must have the shape", {"ids": IDS.reshape(5, 10)}),
                (r"array of kinds must have the shape \(2,\)", {"kinds": np.zeros(1, "u1")}),
                ("array of kinds is of type int64; take uint8", {"kinds": np.full(2, 300)}),
                ("kind must be a number", {"kind": "Catmull-Rom"}),
                ("weights has 49 tuples", {"weights": np.ones(49)})):
            self.refused(text, plan, **more)

    def test_output(self):
        made = plan()
        n = made.sizes.points
        for text, out in (
                (f"'points' has room for {3 * n - 3} values; {3 * n} come out",
                 {"points": np.empty((n - 1, 3))}),
                ("'points' is read-only", {"points": read_only(np.empty((n, 3)))}),
                ("'points' is not contiguous", {"points": np.empty((n, 3), order="F")}),
                ("'points' is of type int64; take float32 or float64",
                 {"points": np.empty((n, 3), "i8")}),
                ("'points' must be a numpy array", {"points": [0.0]}),
                ("'offsets' has room for 2 values; 3 come out",
                 {"points": np.empty((n, 3)), "offsets": np.empty(2, "i8")}),
                ("'connectivity' is of type int32; take int64",
                 {"points": np.empty((n, 3)), "connectivity": np.empty(n, "i4")}),
                ("'tangents' is of type float64; take float32",
                 {"points": np.empty((n, 3), "f4"), "tangents": np.empty((n, 3))}),
                ("no output array 'tangent': did you mean 'tangents'",
                 {"points": np.empty((n, 3)), "tangent": np.empty((n, 3))}),
                ("no output array 'struct_size'", {"struct_size": np.empty(1)})):
            self.refused(text, made.fill_into, out)
        points = {"points": np.empty((n, 3))}
        for text, pair in (
                ("output of attribute 0 has room", (POINTS, np.empty((n - 1, 3)), 0)),
                ("output of attribute 0 is of type float32; take float64",
                 (POINTS, np.empty((n, 3), "f4"), 0)),
                ("attribute 0 has 49 tuples instead of 50", (POINTS[:49], np.empty((n, 3)), 0))):
            self.refused(text, made.fill_into, points, [pair])

    def test_point_arrays(self):
        made = plan()
        for text, array in (("'heat' has 49 tuples instead of 50", np.arange(49)),
                            ("'heat' is of type <U1", np.full(50, "x"))):
            self.refused(f"point array {text}", made.fill, point_arrays={"heat": array})
        self.refused("no point array can be named 'points'", made.fill, point_arrays={"points": IDS})
        self.refused("no generated array 'arclength': did you mean 'arc_length'", made.fill,
                     ["arclength"])
        self.assertIn("arc_length", made.fill("arc_length"))

    def test_a_number_for_each_field(self):
        view = curves.View(POINTS, OFFSETS, IDS)
        for name, one in (("ranges", 1), ("modes", 1), ("names", "heat")):
            self.refused(f"2 fields need 2 {name}, not 1", curves.Plan, view, curves.options(),
                         fields=[IDS, POINTS], **{f"field_{name}": [one]})

    def test_interpolation(self):
        for number in (7, -1):
            self.refused(f"interpolation of attribute 0, {number}, is unknown", plan().fill,
                         point_arrays={"heat": IDS}, interpolation=number)
            self.refused(f"interpolation of field 0, {number}, is unknown", curves.Plan,
                         curves.View(POINTS, OFFSETS, IDS), curves.options(UseFieldError=1),
                         fields=[IDS], field_modes=[number])
            self.refused("kind of curve .* is unknown", plan, kind=number + 20)

    def test_plans_are_not_copied(self):
        made = plan()
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "a plan cannot be copied or pickled"):
                way(made)
        gc.collect()
        self.assertGreater(len(made.fill()["points"]), 50)

    def test_memory(self):
        """The library's rule allows at most a quarter of the machine's memory."""
        with open("/proc/meminfo", encoding="ascii") as lines:
            total = 1024 * int(next(line for line in lines if line.startswith("MemTotal")).split()[1])
        self.assertLessEqual(memory.allowed(), total / 4)
        self.assertEqual(memory.allowed(1), 2**20)
        room = memory.Room(1)
        self.assertEqual(room.items(1024), 1024)
        room.take(2**19)
        self.assertEqual(room.items(1024), 512)
        with self.assertRaisesRegex(TooLarge, "take 1.9 MiB .9 points., more than the 1.0 MiB of Largest Output: relax the"):
            room.check("points", 9, 2e6)

    def test_a_tolerance_that_nothing_keeps(self):
        """Such a tolerance is refused at once, whatever the limit, which grows with the machine's
        memory."""
        t = np.linspace(0, 6.28, 2000)
        line = np.stack([np.cos(7 * t), np.sin(5 * t), np.cos(3 * t)], axis=1)
        view = curves.View(line, np.array([0, 2000]), np.arange(2000))
        heat = np.sin(11 * t)
        for property_, value, said in (("ChordError", 1e-19, "chord error, 1e-19, is below the"),
                                       ("MaximumSegmentLength", 1e-15, "segment length, 1e-15"),
                                       ("FieldError", 1e-300, "field error of 'heat', 1e-300")):
            on = {f"Use{one}": one == property_
                  for one in ("ChordError", "MaximumSegmentLength", "FieldError")}
            settings = curves.options(ChordErrorMode=0, FieldErrorMode=0, **on, **{property_: value})
            for limit in (0, 2**20, 2**40):
                settings.limit_points = limit
                began = time.process_time()
                with self.assertRaisesRegex(BadOption, said):
                    curves.Plan(view, settings, fields=[heat], field_names=["heat"])
                self.assertLess(time.process_time() - began, 1.0)

    def test_far_too_many_points(self):
        """They are refused without a count. The limit is fixed: what needs a few times the limit is
        counted up to it."""
        rng = np.random.default_rng(2)
        view = curves.View(rng.random((2000, 3)), np.array([0, 2000]), np.arange(2000))
        settings = curves.options(ChordError=1e-15, ChordErrorMode=0, UseFieldError=0)
        settings.limit_points = 2**27
        began = time.process_time()
        with self.assertRaisesRegex(TooLarge, "spans alone need at least"):
            curves.Plan(view, settings)
        self.assertLess(time.process_time() - began, 3.0)

    def test_threads(self):
        for threads in (-1, "2", 1.5):
            self.refused("threads must be 0 .all. or more", Execution, threads)

    def test_filters_say_that_they_need_vtk(self):
        code = ("import sys; sys.modules['vtkmodules'] = None\nimport tessera_vtk\n"
                "try: tessera_vtk.AdaptiveGrid\nexcept ImportError as problem: print(problem)")
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        self.assertIn("AdaptiveGrid needs VTK (pip install vtk)", said)

    def test_the_nearest_name(self):
        for text, call, wrong in (("no argument 'turnangle': did you mean 'turning_angle'", curves.options,
                                   "turnangle"),
                                  ("no argument 'x'; there are .*balance", grid.options, "x")):
            with self.assertRaisesRegex(TypeError, text):
                call(**{wrong: 3})


class Grids(unittest.TestCase):
    @staticmethod
    def view():
        view = grid.View((0, 32, 0, 32, 0, 0)).image((0, 0, 0), (1, 1, 1))
        view.settle(0)
        return view

    def plan(self):
        j, i = np.mgrid[0:33, 0:33]
        rule = grid.criterion(grid.INTERPOLATION_ERROR, (2.0 * i + j).ravel(), threshold=1e-9)
        junk = [np.random.default_rng(k).random(33 * 33) for k in range(50)]
        del junk
        return grid.Plan(self.view(), grid.options(), [rule])

    def test_a_criterion_holds_its_array(self):
        self.assertEqual(self.plan().sizes.leaves, 16)  # a plane: 32 / 2^3 along each side

    def test_sizes_hold_their_plan(self):
        sizes = self.plan().sizes
        gc.collect()
        self.plan()
        self.assertEqual((sizes.leaves, sizes.fine_cells), (16, 1024))

    def test_output(self):
        made = self.plan()
        n = made.sizes.points
        for text, out in (("'points' has room", {"points": np.empty((n - 1, 3))}),
                          ("'level' is of type int64; take int32", {"level": np.empty(n, "i8")}),
                          ("'offsets' has room for 16 values; 17", {"offsets": np.empty(16, "i8")}),
                          ("no output array 'levels': did you mean 'level'", {"levels": IDS})):
            with self.assertRaisesRegex((BadInput, BadOption), text):
                made.fill_into(out)
        values = np.zeros(33 * 33)
        with self.assertRaisesRegex(BadInput, "output of attribute 0 has room"):
            made.fill_into({}, attributes=[(values, False, np.empty(n - 1))])
        with self.assertRaises((BadInput, BadOption)):
            made.fill_into({}, attributes=[(values[:-1], False, np.empty(n))])

    def test_places(self):
        """Points, coordinates and numbers of the wrong shape."""
        for wrong in (POINTS[:12, :1].copy(), np.arange(36.0), POINTS[:11]):
            with self.assertRaisesRegex(BadInput, "array of points (must have|has 11 tuples)"):
                grid.View((0, 3, 0, 2, 0, 0)).structured(wrong)
        axes = [np.arange(4.0), np.arange(3.0), np.zeros(1)]
        grid.View((0, 3, 0, 2, 0, 0)).rectilinear(axes)
        for wrong in (axes[:2], axes * 2, [np.arange(3.0), *axes[1:]], [POINTS[:4].copy(), *axes[1:]]):
            with self.assertRaisesRegex(BadInput, "coordinates"):
                grid.View((0, 3, 0, 2, 0, 0)).rectilinear(wrong)
        for origin, spacing in (((0, 0), (1, 1, 1)), ((0, 0, 0), (1, 1)), ("abc", (1, 1, 1)),
                                (None, (1, 1, 1))):
            with self.assertRaisesRegex(BadInput, "must be 3 numbers"):
                grid.View((0, 3, 0, 2, 0, 0)).image(origin, spacing)
        with self.assertRaisesRegex(BadInput, "must be 9 numbers"):
            grid.View((0, 3, 0, 2, 0, 0)).image((0, 0, 0), (1, 1, 1), (1, 0, 0))

    def test_numbers_of_choices(self):
        values = np.zeros(33 * 33)
        for number in (8, -1, 99):
            with self.assertRaises((BadInput, BadOption)):
                grid.Plan(self.view(), grid.options(), [grid.criterion(number, values, threshold=1)])
        for component in (1, 7):
            with self.assertRaises((BadInput, BadOption)):
                rule = grid.criterion(grid.VALUE_RANGE, values, component=component, threshold=1)
                grid.Plan(self.view(), grid.options(), [rule])
        with self.assertRaisesRegex(BadInput, "cell types must be 4 numbers"):
            self.plan().fill_into({}, cell_types=(1, 2))

    def levels(self, steps, marks=None):
        """Of the cell that each input cell lies in, by the value range of one time step after the other, each of which
        gets the marks of the one before; and those marks."""
        for values in steps:
            rule = grid.criterion(grid.VALUE_RANGE, values.ravel(), threshold=0.5)
            settings = grid.options(coarsen_levels=3, balance="none")
            plan = grid.Plan(self.view(), settings, [rule], marks=marks, keep_marks=True)
            marks = plan.marks()
        found = np.full((32, 32), -1)
        for level, (i, j, _) in zip(*plan.nodes()):
            side = 8 >> level
            found[j * side:(j + 1) * side, i * side:(i + 1) * side] = level
        return found, marks

    def test_one_grid_for_several_steps(self):
        """By value ranges its levels are the largest of those of the steps, in any order of these."""
        j, i = np.mgrid[0:33, 0:33]
        steps = [np.tanh((i - 8.0 * k - 4) / 2) + j / 40 for k in range(4)]
        own = [self.levels([one])[0] for one in steps]
        self.assertGreater(min((own[0] != one).sum() for one in own[1:]), 50)
        for order in (steps, steps[::-1]):
            marks = self.levels(order)[1]
            for one in steps:
                self.assertTrue((self.levels([one], marks)[0] == np.max(own, axis=0)).all())
        with self.assertRaisesRegex(BadInput, r"marks must have the shape \(n, 4\)"):
            self.levels(steps, [[0, 0, 0]])
        plan = grid.Plan(self.view(), grid.options(), marks=[])
        self.assertEqual(plan.marks().shape, (0, 4))

    def test_axes_are_not_copied(self):
        view = self.view()
        for one in (view, view.settle(0)):
            for way in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled: it holds memory"):
                    way(one)

    def test_input(self):
        with self.assertRaisesRegex(BadInput, "extent is 6 numbers"):
            grid.View((0, 32))
        with self.assertRaisesRegex(BadInput, r"hidden cells must have the shape \(1024,\)"):
            self.view().hide(np.zeros(1000, "u1"), None)
        with self.assertRaisesRegex(BadInput, "hidden points is of type float64; take uint8"):
            self.view().hide(None, np.zeros(1089))
        self.view().hide(None, np.zeros(1089, bool))
        with self.assertRaises(BadInput):
            rule = grid.criterion(grid.VALUE_RANGE, np.zeros(1000), threshold=1)
            grid.Plan(self.view(), grid.options(), [rule])


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
