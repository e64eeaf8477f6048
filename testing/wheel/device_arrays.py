# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on a device through the Python package: the bytes that numpy's arrays give, in arrays of the input's
library, with next to nothing over the bus. It runs on the emulated device, and on a GPU; there it also takes
arrays of CuPy and PyTorch where they are installed. Without a device: only what is refused, and DLPack of the CPU.

    PYTHONPATH=FOLDER_OF_THE_PACKAGE python3 device_arrays.py
"""
import ctypes
import gc
import os
import sys
import types
import unittest
import weakref
from unittest import mock

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


class DLTensor(ctypes.Structure):
    """As dlpack.h has it."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Taken:
    """What another library reads of a capsule, which it makes its own by a new name."""

    DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

    def __init__(self, capsule, versioned=False):
        api = ctypes.PyDLL(None)
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
        name = b"dltensor_versioned" if versioned else b"dltensor"
        self.name = b"used_" + name  # Python keeps the address
        self.place = api.PyCapsule_GetPointer(capsule, name)
        api.PyCapsule_SetName(capsule, self.name)
        # Version, context and deleter stand in front of the flags and the tensor; or context and deleter behind.
        start = 8 + 8 + 8 + 8 if versioned else 0
        self.tensor = DLTensor.from_address(self.place + start)
        self.version = tuple((ctypes.c_uint32 * 2).from_address(self.place)) if versioned else None
        self.flags = ctypes.c_uint64.from_address(self.place + 24).value if versioned else 0
        at = self.place + (16 if versioned else ctypes.sizeof(DLTensor) + 8)
        self._delete = self.DELETER(ctypes.c_void_p.from_address(at).value)
        self._capsule = capsule

    def shape(self):
        return tuple(self.tensor.shape[:self.tensor.ndim])

    def strides(self):
        return tuple(self.tensor.strides[:self.tensor.ndim])

    def done(self):
        self._delete(self.place)


def makers():
    """How to make an array on the device of one of numpy: {library: function}."""
    found = {"own": device.array, "interface": OfOther, "dlpack": lambda one: OfDlpack(device.array(one))}
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

    def test_dlpack_out(self):
        """An array of the library is the same memory to another one, on any stream; or a copy of it."""
        there = device.array(FIELD)
        self.assertEqual(there.__dlpack_device__(), (2, 0))
        for stream in (None, -1, 1, 2):
            again = device.borrow(type("Other", (), {
                "__dlpack__": lambda self, stream=stream, **_: there.__dlpack__(stream=stream),
                "__dlpack_device__": lambda self: there.__dlpack_device__()})())
            self.assertEqual((again.place, again.shape, again.dtype), (there.place, there.shape, there.dtype))
            self.assertEqual(again.numpy().tobytes(), FIELD.tobytes())
        copied = device.borrow(type("Copied", (), {
            "__dlpack__": lambda self, **_: there.__dlpack__(copy=True),
            "__dlpack_device__": lambda self: there.__dlpack_device__()})())
        self.assertNotEqual(copied.place, there.place)
        self.assertEqual(copied.numpy().tobytes(), FIELD.tobytes())
        on_host = type("Host", (), {"__dlpack__": lambda self, **_: there.__dlpack__(dl_device=(1, 0)),
                                    "__dlpack_device__": lambda self: (1, 0)})()
        self.assertEqual(np.from_dlpack(on_host).tobytes(), FIELD.tobytes())

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

    def test_dlpack_out(self):
        """What comes out on the host is numpy's, which exports it."""
        made = pointgrid.adapt(POINTS)["points"]
        again = np.from_dlpack(made)
        self.assertEqual(again.__array_interface__["data"][0], made.__array_interface__["data"][0])

    def described(self, array, **more):
        """A DeviceArray with the memory of an array of numpy: nothing here reads it on a device."""
        return device.DeviceArray(array.ctypes.data, array.shape, array.dtype, 3, array, **more)

    def test_dlpack_describes_the_array(self):
        for dtype, code in (("f8", 2), ("f4", 2), ("i8", 0), ("u1", 1), ("?", 6), ("c16", 5)):
            for shape in ((4, 3), (5,), (), (0, 3), (2, 3, 4)):
                array = np.zeros(shape, dtype)
                for versioned in (False, True):
                    one = Taken(self.described(array).__dlpack__(max_version=(1, 2) if versioned else None), versioned)
                    tensor = one.tensor
                    self.assertEqual((tensor.data, tensor.device_type, tensor.device_id), (array.ctypes.data, 2, 3))
                    self.assertEqual((tensor.code, tensor.bits, tensor.lanes, tensor.byte_offset),
                                     (code, 8 * array.itemsize, 1, 0))
                    self.assertEqual((one.shape(), one.flags, one.version),
                                     (shape, 0, (1, 0) if versioned else None))
                    if array.size:
                        self.assertEqual(one.strides(), tuple(step // array.itemsize for step in array.strides))
                    one.done()

    def test_dlpack_keeps_the_memory(self):
        """Until the consumer is done with it; or until the capsule goes, where nobody took it."""
        class Owner:
            pass

        for taken in (False, True):
            owner = Owner()
            gone = weakref.ref(owner)
            array = device.DeviceArray(4096, (2,), "f8", 0, owner)
            capsule = array.__dlpack__()
            one = Taken(capsule) if taken else None
            del owner, array
            gc.collect()
            self.assertIsNotNone(gone())
            del capsule
            if taken:
                one._capsule = None
                self.assertIsNotNone(gone())
                one.done()
            gc.collect()
            self.assertIsNone(gone())

    def test_dlpack_is_refused(self):
        array = self.described(np.zeros(3))
        frozen = self.described(np.zeros(3), writeable=False)
        for stream in (0, -2, "1"):
            with self.assertRaisesRegex(ValueError, "no stream of CUDA for DLPack"):
                array.__dlpack__(stream=stream)
        for text, wrong in (("read only", lambda: frozen.__dlpack__()),
                            ("lies on device 3", lambda: array.__dlpack__(dl_device=(2, 0))),
                            ("only by a copy", lambda: array.__dlpack__(dl_device=(1, 0), copy=False)),
                            ("no type for", lambda: self.described(np.zeros(2, "S3")).__dlpack__())):
            with self.assertRaisesRegex(BufferError, text):
                wrong()
        one = Taken(frozen.__dlpack__(max_version=(1, 0)), True)
        self.assertEqual(one.flags, 1)
        one.done()

    def test_streams_that_are_waited_for(self):
        """That which an array names; before version 3 of the interface, which names none, PyTorch's current one, and
        the default one (no address) of other libraries."""
        class Tensor:
            device = type("Device", (), {"index": 5})

        Tensor.__module__ = "torch"
        current = types.SimpleNamespace(current_stream=lambda place: types.SimpleNamespace(cuda_stream=place.index + 70))
        default = types.SimpleNamespace(current_stream=lambda place: types.SimpleNamespace(cuda_stream=0))
        for kind, torch, more, expected in (
                (Tensor, current, {"version": 2}, [(5, 75)]), (Tensor, default, {"version": 2}, [(5, None)]),
                (OnHost, current, {"version": 2}, [(0, None)]), (OnHost, current, {"version": 3}, []),
                (OnHost, current, {"version": 3, "stream": 75}, [(0, 75)]),
                (OnHost, current, {"version": 3, "stream": 1}, [(0, None)])):
            described = {"shape": (5, 3), "typestr": "<f8", "data": (4096, False), **more}
            given = type(kind.__name__, (), {"__module__": kind.__module__, "__cuda_array_interface__": described,
                                             "device": getattr(kind, "device", None)})()
            waited = []
            with mock.patch.object(device, "call", lambda name, *what: waited.append(what)), \
                    mock.patch.dict(sys.modules, torch=types.SimpleNamespace(cuda=torch)):
                self.assertEqual(device.borrow(given).place, 4096)
            self.assertEqual(waited, expected)

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
