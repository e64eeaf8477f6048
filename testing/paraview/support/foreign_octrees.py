# SPDX-License-Identifier: BSD-3-Clause
"""Cells of several sizes as other programs have them, for the tests of Adaptive Grid: plotfiles of AMReX, and what yt
reads of them or makes itself. Where yt is missing, the test that asks is skipped."""
import os

import numpy as np
from foreign_meshes import other_python
from tessera_testing import output_file
from vtkmodules.vtkIOAMR import vtkAMReXGridReader

# All cells that no finer ones cover: centre, width and value.
YT_READS = """
import sys, numpy as np, yt
yt.set_log_level("error")
cells = yt.load(sys.argv[1]).all_data()
at = np.column_stack([cells["index", a].to("code_length").v for a in "xyz"])
width = np.column_stack([cells["index", "d" + a].to("code_length").v for a in "xyz"])
np.savez(sys.argv[2], at=at, width=width, value=cells["boxlib", "f"].v)
"""
# The octree that yt sorts particles near a sphere into. It lists the nodes above the leaves as well.
YT_MAKES = """
import sys, numpy as np, yt
yt.set_log_level("error")
random = np.random.default_rng(5)
away = random.normal(size=(20000, 3))
away *= ((0.3 + 0.02 * random.normal(size=len(away))) / np.linalg.norm(away, axis=1))[:, None]
at = [0.45, 0.5, 0.55] + away
data = {("io", f"particle_position_{a}"): at[:, k] for k, a in enumerate("xyz")}
data["io", "particle_mass"] = np.ones(len(at))
particles = yt.load_particles(data, length_unit=1.0, mass_unit=1.0, bbox=np.array([[0.0, 1.0]] * 3))
octree = particles.octree(n_ref=int(sys.argv[2]))
at = np.column_stack([octree["index", a].to("code_length").v for a in "xyz"])
width = np.column_stack([octree["index", "d" + a].to("code_length").v for a in "xyz"])
np.savez(sys.argv[1], at=at, width=width)
"""


def box_text(low, high):
    """A box in AMReX's words: first and last cell, and cell-centred along each axis."""
    return "(" + " ".join("(" + ",".join(str(int(i)) for i in part) + ")" for part in (low, high, [0, 0, 0])) + ")"


def write_plotfile(name, shape, field):
    """Writes a Nested in 3D as a plotfile of AMReX with the cell array "f", of doubles. Returns its folder."""
    path = output_file(name)
    levels = range(len(shape.boxes))
    low, high = shape.bottom()
    ratios = shape.ratios[:len(shape.boxes) - 1]
    words = ["HyperCLaw-V1.1", "1", "f", "3", "0.25", str(len(shape.boxes) - 1), line_of(low), line_of(high),
             line_of(ratios), " ".join(box_text([0] * 3, shape.cells * shape.scale(n) - 1) for n in levels),
             line_of([7] * len(shape.boxes))]
    words += [line_of(shape.step(n)) for n in levels] + ["0", "0"]
    for n, boxes in enumerate(shape.boxes):
        words += [f"{n} {len(boxes)} 0.25", "7"]
        for box in boxes:
            words += [line_of(shape.origin[a] + np.array(box[a]) * shape.step(n)[a]) for a in range(3)]
        words.append(f"Level_{n}/Cell")
        write_level(os.path.join(path, f"Level_{n}"), shape, n, field)
    with open(os.path.join(path, "Header"), "w", encoding="ascii") as file:
        file.write("\n".join(words) + "\n")
    return path


def line_of(numbers):
    return " ".join(repr(n.item() if hasattr(n, "item") else n) for n in numbers)


def write_level(path, shape, level, field):
    """The boxes of a level, and their values in one file: a line of text before the numbers of each."""
    os.makedirs(path, exist_ok=True)
    boxes, places, ranges = [], [], []
    with open(os.path.join(path, "Cell_D_00000"), "wb") as file:
        for box in shape.boxes[level]:
            text = box_text([r[0] for r in box], [r[1] - 1 for r in box])
            value = field(shape.origin + (shape.lattice(box) + 0.5) * shape.step(level)).astype("<f8")
            boxes.append(text)
            places.append(f"FabOnDisk: Cell_D_00000 {file.tell()}")
            ranges.append((value.min(), value.max()))
            file.write(f"FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1))){text} 1\n".encode())
            file.write(value.tobytes())
    words = ["1", "1", "1", "0", f"({len(boxes)} 0", *boxes, ")", str(len(places)), *places]
    for k in range(2):
        words += ["", f"{len(ranges)},1"] + [f"{float(r[k])!r}," for r in ranges]
    with open(os.path.join(path, "Cell_H"), "w", encoding="ascii") as file:
        file.write("\n".join(words) + "\n")


def read_plotfile(path):
    """What ParaView's reader makes of a plotfile: overlapping AMR."""
    reader = vtkAMReXGridReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    reader.SetMaxLevel(100)
    for i in range(reader.GetNumberOfCellArrays()):
        reader.SetCellArrayStatus(reader.GetCellArrayName(i), 1)
    reader.Update()
    return reader.GetOutput()


def plotfile_of_yt(path):
    """Centre, width and value of each cell of a plotfile that no finer one covers, as yt reads it."""
    name = output_file(os.path.basename(path) + "_yt.npz")
    other_python(YT_READS, path, name)
    found = np.load(name)
    return found["at"], found["width"], found["value"]


def octree_of_yt(most):
    """Lowest and highest corner of the leaves of an octree of yt that splits nodes of more particles than `most`."""
    name = output_file(f"octree_yt_{most}.npz")
    other_python(YT_MAKES, name, str(most))
    found = np.load(name)
    index = np.floor(found["at"] / found["width"]).astype(int)
    nodes = np.column_stack([np.rint(np.log2(1 / found["width"][:, 0])).astype(int), index])
    above = {(n - 1, *(i // 2)) for n, i in zip(nodes[:, 0], nodes[:, 1:])}
    leaf = np.array([tuple(node) not in above for node in nodes])
    at, half = found["at"][leaf], found["width"][leaf] / 2
    return at - half, at + half
