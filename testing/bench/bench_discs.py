# SPDX-License-Identifier: BSD-3-Clause
"""Disc Image beside vtkGaussianSplatter, in one run on two threads.

Use: pvpython bench_discs.py [--points N] [--pixels N] [--runs N]
The plugin comes from PV_PLUGIN_PATH.

Both draw the same random points with the same radius and the same Gaussian, exp(-5 d^2 / r^2), cut
off at the radius, into an image of the unit square. The splatter makes one number a pixel, Disc
Image red, green, blue and opacity. The splatter wants a volume: it gets a second slice that no point
reaches. They run in turn; a ratio is that of the shortest times. What is
counted is Update() with the input ready.
"""
import argparse
import os
import time

os.environ.setdefault("VTK_SMP_MAX_THREADS", "2")
from paraview import simple
from vtkmodules.vtkImagingHybrid import vtkGaussianSplatter


def splatter(points, pixels, radius):
    one = vtkGaussianSplatter()
    one.SetInputData(points)
    one.SetSampleDimensions(pixels, pixels, 2)
    one.SetModelBounds(0, 1, 0, 1, 0, 1)
    one.SetRadius(radius)
    one.SetExponentFactor(-5)
    one.ScalarWarpingOff()
    one.NormalWarpingOff()
    one.CappingOff()
    return one


def timed(algorithm):
    algorithm.Modified()
    start = time.perf_counter()
    algorithm.Update()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=10000)
    parser.add_argument("--pixels", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    source = simple.RandomDiscs(NumberOfDiscs=options.points)
    flat = simple.Transform(Input=source, Transform="Transform")
    flat.Transform.Scale = [1, 1, 0]
    flat.UpdatePipeline()
    points = flat.GetClientSideObject().GetOutputDataObject(0)
    print(f"{options.points} points, {options.pixels} x {options.pixels} pixels")
    for radius in (0.01, 0.05):
        proxy = simple.DiscImage(Input=flat, Resolution=[options.pixels] * 2, UseRegion=1,
                                 Region=[0, 1, 0, 1, 0, 0], Radius=radius, Falloff="Gaussian",
                                 Sharpness=5, Opacity=0.5, Backend="CPU", Threads=2)
        proxy.UpdatePipeline()
        both = {"vtkGaussianSplatter": splatter(points, options.pixels, radius),
                "Disc Image": proxy.GetClientSideObject()}
        best = {name: min(timed(one) for _ in range(options.runs)) for name, one in both.items()}
        ratio = best["vtkGaussianSplatter"] / best["Disc Image"]
        for name, seconds in best.items():
            print(f"  radius {radius}: {name:20} {1e3 * seconds:10.1f} ms")
        print(f"  radius {radius}: {ratio:.1f} times as fast")


main()
