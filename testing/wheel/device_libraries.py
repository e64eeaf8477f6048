# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of CuPy and PyTorch through the Python package, on a GPU: read and written where they lie, by equal
addresses; when the work on their streams has ended; and from one filter to the next with nothing but numbers over
the bus, counted by CUPTI.

    PYTHONPATH=FOLDER_OF_THE_PACKAGE python3 device_libraries.py
"""
import contextlib
import gc
import importlib.util
import os
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)

from tessera_vtk import NoBackend, curves, device, grid, pointgrid
from tessera_vtk.execution import Execution

MOST_TRAFFIC = 1 << 20  # bytes: it follows from the number of multiprocessors, not from the input
CYCLES = 400_000_000  # for which a stream is kept busy: 0.2 s of an H100, many times a call of these tests
RANDOM = np.random.default_rng(30)
POINTS = RANDOM.random((20000, 3))


class OfCupy:
    name = "cupy"

    def __init__(self):
        import cupy

        self.module, self.make, self.values = cupy, cupy.asarray, cupy.asnumpy
        self.synchronize = cupy.cuda.runtime.deviceSynchronize
        self._wait = cupy.RawKernel("""extern "C" __global__ void keep_busy(long long cycles) {
            for (long long start = clock64(); clock64() - start < cycles;) {} }""", "keep_busy")

    def place(self, array):
        return array.data.ptr

    @contextlib.contextmanager
    def stream(self):
        """A stream that no other one waits for; its address."""
        made = self.module.cuda.Stream(non_blocking=True)
        with made:
            yield made.ptr

    def keep_busy(self):
        self._wait((1,), (1,), (np.int64(CYCLES),))

    def copy(self, to, values):
        to[...] = values


class OfTorch:
    name = "torch"

    def __init__(self):
        import torch

        self.module, self.synchronize = torch, torch.cuda.synchronize

    def make(self, array):
        return self.module.as_tensor(array, device="cuda")

    def values(self, array):
        return array.cpu().numpy()

    def place(self, array):
        return array.data_ptr()

    @contextlib.contextmanager
    def stream(self):
        made = self.module.cuda.Stream()  # PyTorch makes those that do not wait for the default one
        with self.module.cuda.stream(made):
            yield made.cuda_stream

    def keep_busy(self):
        self.module.cuda._sleep(CYCLES)

    def copy(self, to, values):
        to.copy_(values)


class OfDlpack:
    """Nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OfInterface:
    """Nothing but __cuda_array_interface__, with the stream that the library names in it."""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


def tested_libraries():
    """Lists the libraries that are installed and see a GPU; ends the program where there is nothing to test."""
    try:
        device.empty((1,))
    except NoBackend as problem:
        if os.environ.get("TESSERA_REQUIRE_CUDA") == "1" and importlib.util.find_spec("cupy"):
            raise
        print(f"skipped: {problem}")
        sys.exit(77)
    found = []
    for one in (OfCupy, OfTorch):
        try:
            found.append(one())
        except ImportError as problem:
            print(f"without {one.name}: {problem}")
    if not found:
        print("skipped: neither CuPy nor PyTorch is installed")
        sys.exit(77)
    return found


class Tests:
    """Of one library; arrays on the host give the expected bytes."""

    def compare(self, library, made, expected):
        self.assertEqual(set(made), set(expected))
        for name, array in made.items():
            self.assertEqual(type(array).__module__.split(".")[0], library.name, name)
            self.assertEqual(library.values(array).tobytes(), expected[name].tobytes(), name)

    # ---- places

    def test_input_is_read_in_place(self):
        offsets, ids = np.array([0, 20000]), np.arange(20000)
        library = self.library
        points, ends, at = map(library.make, (POINTS, offsets, ids))
        for wrap in (lambda one: one, OfDlpack, OfInterface):
            core = pointgrid.View(wrap(points)).core
            self.assertEqual(core.points.data, library.place(points))
            core = curves.View(wrap(points), wrap(ends), wrap(at)).core
            self.assertEqual((core.points.data, core.offsets, core.connectivity),
                             tuple(map(library.place, (points, ends, at))))
            rule = grid.criterion(grid.INTERPOLATION_ERROR, wrap(points))
            self.assertEqual(rule.array.data, library.place(points))

    def test_output_is_written_in_place(self):
        """Into arrays of the library, whose places do not change, also where they are handed over by DLPack."""
        expected = pointgrid.adapt(POINTS)["points"]
        library = self.library
        for wrap in (lambda one: one, OfDlpack, OfInterface):
            plan = pointgrid.Plan(pointgrid.View(library.make(POINTS)), pointgrid.options())
            out = library.make(np.full((plan.sizes.points, 3), -1.0))
            place = library.place(out)
            plan.fill_into({"points": wrap(out)})
            self.assertEqual(library.place(out), place)
            self.assertEqual(library.values(out).tobytes(), expected.tobytes())

    def test_own_arrays_are_taken_in_place(self):
        """CuPy and PyTorch take a DeviceArray without a copy, and keep its memory."""
        library = self.library
        module = library.module
        takers = ([module.from_dlpack, module.asarray] if library.name == "cupy" else
                  [module.from_dlpack, lambda one: module.as_tensor(one, device="cuda")])
        for take in takers:
            own = device.array(POINTS)
            taken = take(own)
            self.assertEqual(library.place(taken), own.place)
            del own
            gc.collect()
            device.array(POINTS + 1)
            self.assertEqual(library.values(taken).tobytes(), POINTS.tobytes())

    def test_from_library_to_library(self):
        """What comes out as CuPy's is PyTorch's by DLPack at one place, and the other way round."""
        library = self.library
        made = pointgrid.adapt(library.make(POINTS))["points"]
        for other in LIBRARIES:
            taken = other.module.from_dlpack(made)
            self.assertEqual(other.place(taken), library.place(made))
            self.compare(other, pointgrid.adapt(taken), pointgrid.adapt(library.values(made)))

    # ---- streams

    def test_work_on_the_stream_is_waited_for(self):
        """The values are written by a stream that is busy for long before; the call reads them, not the zeros."""
        expected = pointgrid.adapt(POINTS)
        library = self.library
        wraps = [lambda one: one, OfDlpack] + [OfInterface] * (library.name == "cupy")
        for wrap in wraps:
            points, values = library.make(np.zeros_like(POINTS)), library.make(POINTS)
            library.synchronize()
            with library.stream():
                library.keep_busy()
                library.copy(points, values)
                made = pointgrid.adapt(wrap(points))
            if wrap is wraps[0]:
                self.compare(library, made, expected)
            else:
                self.assertEqual(made["points"].numpy().tobytes(), expected["points"].tobytes())

    def test_a_stream_of_the_execution_is_waited_for(self):
        """A DeviceArray names no stream; the execution does."""
        expected = pointgrid.adapt(POINTS)["points"]
        library = self.library
        own = device.array(np.zeros_like(POINTS))
        points, values = library.module.from_dlpack(own), library.make(POINTS)
        library.synchronize()
        with library.stream() as address:
            library.keep_busy()
            library.copy(points, values)
            plan = pointgrid.Plan(pointgrid.View(own), pointgrid.options(),
                                  execution=Execution(stream=address))
            out = device.empty((plan.sizes.points, 3))
            plan.fill_into({"points": out})
        self.assertEqual(out.numpy().tobytes(), expected.tobytes())

    def test_output_is_not_written_too_early(self):
        """A stream that still has to read the old values of an array gets them."""
        library = self.library
        plan = pointgrid.Plan(pointgrid.View(library.make(POINTS)), pointgrid.options())
        out = library.make(np.full((plan.sizes.points, 3), -1.0))
        kept = library.make(np.zeros((plan.sizes.points, 3)))
        library.synchronize()
        with library.stream():
            library.keep_busy()
            library.copy(kept, out)
            plan.fill_into({"points": out})
        library.synchronize()
        self.assertTrue((library.values(kept) == -1).all())
        self.assertTrue((library.values(out) >= 0).all())

    # ---- chains

    def chain(self, what, function, *inputs):
        """function(*inputs) gives a list of dictionaries of arrays, of which each filter makes one. Counts what all
        of it moves over the bus, and prints it."""
        expected = function(*inputs)
        library = self.library
        there = [library.make(one) for one in inputs]
        before = device.traffic()
        with bus_counter(library.synchronize) as bus:
            made = function(*there)
        own = [now - then for now, then in zip(device.traffic(), before)]
        size = sum(one.nbytes for one in inputs)
        steps = " + ".join(f"{sum(one.nbytes for one in part.values()) / 1e6:.1f}" for part in expected)
        print(f"{what:32} {library.name:6} in {size / 1e6:7.1f} MB, out {steps} MB; over the bus by CUPTI "
              f"{bus.up} up, {bus.down} down in {bus.copies} copies; by Tessera {own[0]} up, {own[1]} down")
        for part, right in zip(made, expected):
            self.compare(library, part, right)
        self.assertLess(max(bus.up, bus.down, *own), MOST_TRAFFIC)
        self.assertGreaterEqual(size, 20 * MOST_TRAFFIC)

    def test_point_grid_after_grid_after_field(self):
        def both(field):
            cells = grid.adapt(field, error=0.01, threads=0)
            return [cells, pointgrid.adapt(cells["points"], point_arrays={"a": cells["values"]}, threads=0)]
        axis = np.linspace(-9, 9, 192, dtype="f4")
        self.chain("point grid after grid after field", both,
                   np.tanh(axis[:, None, None] + 0.4 * axis[:, None] + 0.2 * axis))

    def test_curves_after_points(self):
        def both(points, offsets):
            options = pointgrid.options(output_type="points_in_cell_order", maximum_points_per_cell=200)
            plan = pointgrid.Plan(pointgrid.View(points), options, execution=Execution(0))
            n, there = plan.sizes.points, device.borrow(points) is not None
            made = {name: device.new_like(points, shape, kind) if there else np.empty(shape, kind)
                    for name, shape, kind in (("points", (n, 3), "f4"), ("connectivity", (n,), "i8"))}
            plan.fill_into(made)
            return [made, curves.adapt(made["points"], offsets, made["connectivity"], chord_error=0.05,
                                       use_field_error=False, threads=0)]
        self.chain("curves after points", both, RANDOM.random((1_000_000, 3)), np.arange(0, 1_000_001, 100))

    def test_point_grid_after_curves(self):
        def both(points, offsets, ids):
            lines = curves.adapt(points, offsets, ids, chord_error=0.0005, use_field_error=False,
                                 want=["arc_length"], threads=0)
            return [lines, pointgrid.adapt(lines["points"], point_arrays={"arc": lines["arc_length"]}, threads=0)]
        n, each = 8000, 100
        t = np.linspace(0, 1, each)
        start, turn = RANDOM.random((2, n, 3, 1))
        points = np.ascontiguousarray((start + 0.3 * np.sin(9 * turn * t)).transpose(0, 2, 1).reshape(-1, 3))
        self.chain("point grid after curves", both, points, np.arange(0, n * each + 1, each), np.arange(n * each))

    def test_the_counter_counts(self):
        library = self.library
        library.values(library.make(POINTS))
        with bus_counter(library.synchronize) as bus:
            there = library.make(POINTS)
            library.values(there[:100])
        self.assertEqual((bus.up, bus.down), (POINTS.nbytes, 2400))


def bus_counter(synchronize):
    """See bus_counter.py; skips the test where CUPTI is missing or may not count."""
    from bus_counter import BusCounter

    try:
        return BusCounter(synchronize)
    except OSError as problem:
        raise unittest.SkipTest(str(problem)) from None


LIBRARIES = tested_libraries()
for one in LIBRARIES:
    globals()[f"Of{one.name.title()}Arrays"] = type(f"Of{one.name.title()}Arrays", (Tests, unittest.TestCase),
                                                    {"library": one})
if __name__ == "__main__":
    print(f"libraries: {', '.join(f'{one.name} {one.module.__version__}' for one in LIBRARIES)}")
    unittest.main()
