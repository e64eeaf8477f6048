# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on a device through the Python package: the bytes that numpy's arrays give, in arrays of the input's
library, with next to nothing over the bus. It runs on the emulated device, and on a GPU; there it also takes
arrays of CuPy and PyTorch where they are installed. Without a device: only what is refused, and DLPack of the CPU.

    PYTHONPATH=FOLDER_OF_THE_PACKAGE python3 device_arrays.py
"""
import os
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)

from tessera_vtk import BadInput, BadOption, NoBackend, curves, device, discs, grid, ordering, pointgrid
from tessera_vtk.execution import CPU, Execution

try:
    device.empty((1,))
    HAS_DEVICE = True
except NoBackend as problem:
    if os.environ.get("TESSERA_REQUIRE_CUDA") == "1":
        raise
    print(f"no device: {problem}")
    HAS_DEVICE = False

MOST_TRAFFIC = 256 << 10  # it follows from the number of multiprocessors, not from the input
RANDOM = np.random.default_rng(30)
POINTS = RANDOM.random((20000, 3))
FIELD = np.tanh(np.add.outer(np.arange(40.0), np.add.outer(np.arange(40.0), np.arange(40.0))) / 3 - 20)


class OfDlpack:
    """Nothing but an array of DLPack, of the CPU."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OfOther:
    """An array of another library: nothing but __cuda_array_interface__."""

    def __init__(self, array, **more):
        self.array, self.more = device.array(array), more

    @property
    def __cuda_array_interface__(self):
        return {**self.array.__cuda_array_interface__, **self.more}


def makers():
    """How to make an array on the device of one of numpy: {library: function}."""
    found = {"own": device.array, "interface": OfOther}
    for name in ("cupy", "torch"):
        try:
            module = __import__(name)
        except ImportError:
            continue
        found[name] = module.asarray if name == "cupy" else lambda one: module.as_tensor(one).cuda()
    return found


def here(array):
    """The values of any array, on the host."""
    there = device.borrow(array)
    return array if there is None else there.numpy()


class OnDevice(unittest.TestCase):
    def compare(self, function, *arguments, **more):
        """function(convert) gives a dictionary of arrays; convert is for its inputs."""
        expected = function(lambda one: one, *arguments, **more)
        for library, make in makers().items():
            inputs = {}
            function(lambda one: inputs.setdefault(id(one), make(one)), *arguments, **more)
            before = device.traffic()
            made = function(lambda one: inputs[id(one)], *arguments, **more)
            moved = [now - then for now, then in zip(device.traffic(), before)]
            self.assertLess(max(moved), MOST_TRAFFIC, library)
            self.assertEqual(set(made), set(expected))
            for name, array in made.items():
                self.assertIsNotNone(device.borrow(array), f"{library}: {name} is on the host")
                if library in ("cupy", "torch"):
                    self.assertEqual(type(array).__module__.split(".")[0], library)
                self.assertEqual(here(array).tobytes(), expected[name].tobytes(), f"{library}: {name}")

    def test_point_grid(self):
        values = RANDOM.random(len(POINTS)).astype("f4")
        self.compare(lambda place: pointgrid.adapt(place(POINTS), point_arrays={"a": place(values)}))

    def test_grid(self):
        self.compare(lambda place: grid.adapt(place(FIELD), error=0.02))
        single = FIELD.astype("f4")
        self.compare(lambda place: grid.adapt(place(single), error=0.02, spacing=(0.5, 1, 2)))

    def test_curves(self):
        offsets, ids = np.arange(0, len(POINTS) + 1, 10), np.arange(len(POINTS))
        pair = RANDOM.random((len(POINTS), 2))
        more = {"use_field_error": False, "want": ["arc_length", "tangents"]}
        self.compare(lambda place: curves.adapt(place(POINTS), place(offsets), place(ids),
                                                point_arrays={"pair": place(pair)}, **more))
        self.compare(lambda place: curves.adapt(place(POINTS), None, place(ids), **more))

    def test_curves_after_points(self):
        """The output of one is the input of the next, and nothing goes over the bus between them."""
        def chain(place):
            options = pointgrid.options(output_type="points_in_cell_order")
            plan = pointgrid.Plan(pointgrid.View(place(POINTS)), options)
            n = plan.sizes.points
            model = place(POINTS)
            there = device.borrow(model) is not None
            points, ids = [device.new_like(model, shape, kind) if there else np.empty(shape, kind)
                           for shape, kind in (((n, 3), "f4"), ((n,), "i8"))]
            plan.fill_into({"points": points, "connectivity": ids})
            return curves.adapt(points, None, ids, chord_error=0.05, use_field_error=False)
        self.compare(chain)

    def test_places(self):
        """Arrays are borrowed and filled where they are: no copy is between."""
        points = device.array(POINTS)
        self.assertEqual(pointgrid.View(points).core.points.data, points.place)
        self.assertEqual(pointgrid.View(OfOther(POINTS)).core.points.tuples, len(POINTS))
        plan = pointgrid.Plan(pointgrid.View(points), pointgrid.options())
        out = device.empty((plan.sizes.points, 3))
        ctypes_place = out.__cuda_array_interface__["data"][0]
        plan.fill_into({"points": out})
        self.assertEqual(out.place, ctypes_place)
        self.assertTrue(np.isfinite(out.numpy()).all())

    def test_refused(self):
        points = device.array(POINTS)
        strided = OfOther(POINTS, strides=(48, 8), shape=(len(POINTS) // 2, 3))
        for text, wrong in (
                ("not contiguous", lambda: pointgrid.View(strided)),
                (r"shape \(n, 3\)", lambda: pointgrid.View(device.array(POINTS[:, :2]))),
                ("float32 or float64", lambda: pointgrid.View(device.array(POINTS.astype("i4")))),
                ("mask", lambda: pointgrid.View(OfOther(POINTS, mask=1))),
                ("CPU", lambda: pointgrid.Plan(pointgrid.View(points), pointgrid.options(),
                                               execution=Execution(1, backend=CPU))),
                ("with balance", lambda: pointgrid.adapt(points, balance="across_faces")),
                ("device_arrays=True", lambda: pointgrid.Plan(pointgrid.View(POINTS), pointgrid.options())
                 .fill_into({"points": device.empty((1 << 20, 3))})),
                ("discs take arrays on the host", lambda: discs.draw(points)),
                ("curves through points take", lambda: ordering.join(points)),
                ("has room", lambda: pointgrid.Plan(pointgrid.View(points), pointgrid.options())
                 .fill_into({"points": device.empty((1, 3))}))):
            with self.assertRaisesRegex((BadInput, BadOption), text):
                wrong()


class OnHost(unittest.TestCase):
    def test_dlpack(self):
        expected = pointgrid.adapt(POINTS)
        made = pointgrid.adapt(OfDlpack(POINTS))
        for name, array in made.items():
            self.assertIsInstance(array, np.ndarray)
            self.assertEqual(array.tobytes(), expected[name].tobytes())
        self.assertEqual(pointgrid.View(OfDlpack(POINTS)).core.points.data, POINTS.ctypes.data)

    @unittest.skipIf(HAS_DEVICE, "there is a device")
    def test_no_device(self):
        described = type("There", (), {"__cuda_array_interface__": {
            "shape": (5, 3), "typestr": "<f8", "version": 3, "strides": None, "data": (4096, False)}})()
        with self.assertRaises(NoBackend):
            pointgrid.adapt(described)


if not HAS_DEVICE:
    del OnDevice
if __name__ == "__main__":
    print(f"libraries: {', '.join(makers()) if HAS_DEVICE else 'none'}")
    unittest.main()
