# SPDX-License-Identifier: BSD-3-Clause
"""Whole calls of the Python package with input and output on a device, in arrays of CuPy and PyTorch:

    PYTHONPATH=FOLDER_OF_THE_PACKAGE python3 bench_device_libraries.py [SIDE POINTS LINES]     512, 100 million, 200,000

"plan and fill" are the two calls of the library without making the arrays of the output; "adapt" is the short form,
which makes them by the allocator of CuPy or PyTorch. The best of 7 after one that is not timed. The input is like that
of bench_device_arrays.c. The floor is the time in which the device copies as many bytes as come in and go out, at the
speed of copying 1 GiB, where it reads and writes each byte.
"""
import pathlib
import sys
import time

import numpy as np

from tessera_vtk import curves, device, grid, pointgrid
from tessera_vtk.execution import Execution

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "wheel"))
import device_libraries  # noqa: E402

RUNS, POINTS_OF_LINE = 7, 300
RANDOM = np.random.default_rng(30)


def planned(make_plan, model, kinds, fill):
    """Seconds of plan and fill, and the output. kinds: by name the number of rows by the sizes, components, type.
    fill(plan, arrays)."""
    start = time.perf_counter()
    plan = make_plan()
    spent = time.perf_counter() - start
    made = {name: device.new_like(model, (n, components) if components > 1 else (n,), kind)
            for name, (n, components, kind) in kinds(plan.sizes).items()}
    start = time.perf_counter()
    fill(plan, made)
    return spent + time.perf_counter() - start, made


def short(function):
    start = time.perf_counter()
    made = function()
    return time.perf_counter() - start, made


def best(function):
    """The least milliseconds, and bytes of the output."""
    times, size = [], 0
    for _ in range(RUNS + 1):
        spent, made = function()
        times.append(spent)
        size = sum(one.nbytes for one in made.values())
        del made
    return 1e3 * min(times[1:]), size


def copy_speed(library):
    """Bytes a millisecond, read and written, of a copy on the device."""
    source, target = (library.make(np.zeros(1 << 30, "u1")) for _ in range(2))
    times = []
    for _ in range(RUNS + 1):
        library.synchronize()
        start = time.perf_counter()
        for _ in range(10):
            library.copy(target, source)
        library.synchronize()
        times.append(time.perf_counter() - start)
    return 2 * 10 * (1 << 30) / (1e3 * min(times[1:]))


def show(library, what, found, size, speed, goal):
    """goal: milliseconds by the bytes of the output."""
    ms, out = found
    floor = (size + out) / speed
    limit = goal(out)
    print(f"{library.name:6} {what:28} {ms:8.3f} ms, goal {limit:7.3f} ms: {'kept' if ms <= limit else 'MISSED':6}  in "
          f"{size / 1e6:7.1f} MB, out {out / 1e6:7.1f} MB, {ms / floor:6.2f} times the floor of {floor:.3f} ms, "
          f"{ms * speed / size:6.2f} reads of the input")


def cell_arrays(sizes, **more):
    return {"points": (sizes.points, 3, "f4"), "offsets": (sizes.cells + 1, 1, "i8"),
            "connectivity": (sizes.connectivity, 1, "i8"), **more}


def bench_grid(library, host, speed):
    field = library.make(host)
    flat = field.reshape(-1)

    def plan():
        settings = grid.options(coarsen_levels=4)
        settings.output = grid.CONFORMING
        view = grid.View([one for n in host.shape[::-1] for one in (0, n - 1)]).image((0, 0, 0), (1, 1, 1))
        view.settle()
        rule = grid.criterion(grid.INTERPOLATION_ERROR, flat, threshold=0.01, relative=True)
        return grid.Plan(view, settings, [rule])

    def fill(plan, made):
        values = made["values"]
        cells = {name: one for name, one in made.items() if name != "values"}
        plan.fill_into(cells, attributes=[(flat, False, values)])

    def kinds(sizes):
        return cell_arrays(sizes, cell_type=(sizes.cells, 1, "u1"), values=(sizes.points, 1, "f4"))

    def goal(_):
        return 8 * host.nbytes / speed

    show(library, "grid, plan and fill", best(lambda: planned(plan, field, kinds, fill)), host.nbytes, speed, goal)
    show(library, "grid, adapt", best(lambda: short(lambda: grid.adapt(field, error=0.01))), host.nbytes, speed, goal)


def bench_points(library, host, speed):
    points = library.make(host)

    def kinds(sizes):
        return cell_arrays(sizes, count=(sizes.cells, 1, "i8"))

    def goal(_):
        return 25.0

    show(library, "point grid, plan and fill",
         best(lambda: planned(lambda: pointgrid.Plan(pointgrid.View(points), pointgrid.options()), points, kinds,
                              lambda plan, made: plan.fill_into(made))), host.nbytes, speed, goal)
    show(library, "point grid, adapt", best(lambda: short(lambda: pointgrid.adapt(points))), host.nbytes, speed, goal)


def bench_curves(library, host, offsets, ids, speed):
    points, ends, at = map(library.make, (host, offsets, ids))
    size = host.nbytes + offsets.nbytes + ids.nbytes
    settings = {"use_field_error": False}

    def plan():
        view = curves.View(points, ends, at, curves.STRAIGHT, single_points=True)
        return curves.Plan(view, curves.options(**settings), Execution(1))

    def goal(out):
        return 3 * (size + out) / speed + 0.3

    show(library, "stream lines, plan and fill",
         best(lambda: planned(plan, points, cell_arrays, lambda plan, made: plan.fill_into(made))), size, speed, goal)
    show(library, "stream lines, adapt",
         best(lambda: short(lambda: curves.adapt(points, ends, at, kind=curves.STRAIGHT, **settings))), size, speed,
         goal)


def lines(n):
    """The points of stream lines, like those of bench_device_arrays.c, and where they begin."""
    a, b, d = RANDOM.random((3, n, 1), "f4")
    t = np.arange(POINTS_OF_LINE, dtype="f4") / POINTS_OF_LINE
    points = np.stack([a + t, b + 0.1 * np.sin(9 * t * d), d + 0.1 * np.cos(7 * t * a)], axis=-1)
    return points.reshape(-1, 3).astype("f4", copy=False), np.arange(0, n * POINTS_OF_LINE + 1, POINTS_OF_LINE)


def main():
    side, n_points, n_lines = [int(one) for one in sys.argv[1:4]] or (512, 100_000_000, 200_000)
    axis = np.arange(side, dtype="f4") / side
    field = np.tanh(20 * (axis + 0.4 * axis[:, None] + 0.2 * axis[:, None, None] - 0.8), dtype="f4")
    cloud = RANDOM.random((n_points, 3), "f4")
    cloud *= RANDOM.random((n_points, 3), "f4")
    points, offsets = lines(n_lines)
    ids = np.arange(len(points))
    for library in device_libraries.LIBRARIES:
        speed = copy_speed(library)
        print(f"{library.name}: a copy on the device reads and writes {speed / 1e6:.0f} GB/s")
        bench_grid(library, field, speed)
        bench_points(library, cloud, speed)
        bench_curves(library, points, offsets, ids, speed)
        if library.name == "cupy":
            library.module.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
