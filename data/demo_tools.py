# SPDX-License-Identifier: BSD-3-Clause
"""What the demo's jobs share: reports, tables, views and captions."""
import time

from paraview import servermanager
from paraview.simple import *  # noqa: F403 (ParaView's own way)


def updated(proxy):
    """The filter, updated, and the seconds that it took."""
    start = time.perf_counter()
    proxy.UpdatePipeline()
    return proxy, time.perf_counter() - start


def report(proxy):
    """The report that a filter of Tessera leaves in its output's field data, as name: array."""
    fields = servermanager.Fetch(proxy).GetFieldData()
    arrays = [fields.GetAbstractArray(i) for i in range(fields.GetNumberOfArrays())]
    return {a.GetName()[len("Tessera "):]: a for a in arrays
            if a.GetName().startswith("Tessera ")}


def first(array):
    return array.GetVariantValue(0).ToString()


def backend(facts):
    threads = first(facts["Threads"])
    return f"{first(facts['Backend'])} ({threads} thread{'' if threads == '1' else 's'})"


def table(rows):
    """The rows, of which the first is the head, as text with columns of even width."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                     for row in rows)


def write(path, text):
    """To the terminal, and to a file."""
    print(text, flush=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text + "\n")


def white_view(width, height):
    view = CreateView("RenderView")
    view.ViewSize = [width, height]
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 0
    view.InteractionMode = "2D"
    return view


def caption(view, text, left, bottom, size):
    display = Show(Text(Text=text), view)
    display.WindowLocation = "Any Location"
    display.Position = [left, bottom]
    display.FontSize = size
    display.Color = [0.1, 0.1, 0.1]


def save_picture(view, center, half_height, path):
    """What lies around `center` in the plane of x and y, without perspective."""
    ResetCamera(view)  # sets the clipping planes
    view.CameraFocalPoint = [*center, 0.0]
    view.CameraPosition = [*center, 10.0 * half_height]
    view.CameraParallelProjection = 1
    view.CameraParallelScale = half_height
    SaveScreenshot(path, view, ImageResolution=list(view.ViewSize))
