#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the glyph outlines of a TrueType font as curve cells of a VTK file.

    font_outlines.py FONT OUT.vtu [--text CHARACTERS] [--columns N]

Each quadratic piece becomes a VTK_BEZIER_CURVE (point order: first, last, control), each straight
piece a VTK_LINE. Glyphs stand side by side in rows; coordinates are font units. Cell arrays: Glyph
(index in the font) and Contour (running number). Without --text the whole font is written.

Needs fontTools (Debian: python3-fonttools). The data stand base64-encoded inside the XML elements:
ParaView 5.11 with a recent libexpat cannot read appended data (VTK issue 19258).
"""
import argparse
import array
import base64
import math
import sys

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

VTK_LINE = 3
VTK_BEZIER_CURVE = 75


class CellPen(BasePen):
    """Collects cells. BasePen resolves composite glyphs and TrueType's implied on-curve points."""

    def __init__(self, glyph_set):
        super().__init__(glyph_set)
        self.points, self.connectivity, self.offsets = [], [], []
        self.types, self.glyphs, self.contours = [], [], []
        self.glyph, self.contour, self.origin = 0, -1, (0.0, 0.0)

    def add_point(self, point):
        self.points.append((point[0] + self.origin[0], point[1] + self.origin[1]))
        return len(self.points) - 1

    def add_cell(self, cell_type, ids):
        self.connectivity += ids
        self.offsets.append(len(self.connectivity))
        self.types.append(cell_type)
        self.glyphs.append(self.glyph)
        self.contours.append(self.contour)

    def _moveTo(self, point):
        self.contour += 1
        self.start = point
        self.first = self.last = self.add_point(point)

    def end_id(self, point):
        """The id of a piece's end; a piece that returns to the start shares its point."""
        return self.first if point == self.start else self.add_point(point)

    def _lineTo(self, point):
        if point != self._getCurrentPoint():
            end = self.end_id(point)
            self.add_cell(VTK_LINE, [self.last, end])
            self.last = end

    def _qCurveToOne(self, control, point):
        middle = self.add_point(control)
        end = self.end_id(point)
        self.add_cell(VTK_BEZIER_CURVE, [self.last, end, middle])
        self.last = end

    def _curveToOne(self, control1, control2, point):
        middle = [self.add_point(control1), self.add_point(control2)]
        end = self.end_id(point)
        self.add_cell(VTK_BEZIER_CURVE, [self.last, end] + middle)
        self.last = end

    def _closePath(self):
        if self.last != self.first:
            self.add_cell(VTK_LINE, [self.last, self.first])


def data_array(vtk_type, code, values, name, components=1):
    data = array.array(code, values)
    if sys.byteorder == "big":
        data.byteswap()
    raw = data.tobytes()
    text = base64.b64encode(len(raw).to_bytes(8, "little") + raw).decode()
    return (f'<DataArray type="{vtk_type}" Name="{name}" NumberOfComponents="{components}" '
            f'format="binary">{text}</DataArray>\n')


def write_vtu(path, pen):
    coordinates = [c for x, y in pen.points for c in (x, y, 0.0)]
    with open(path, "w", encoding="ascii") as out:
        out.write('<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" '
                  'byte_order="LittleEndian" header_type="UInt64"><UnstructuredGrid>\n'
                  f'<Piece NumberOfPoints="{len(pen.points)}" NumberOfCells="{len(pen.types)}">\n')
        out.write("<Points>" + data_array("Float32", "f", coordinates, "Points", 3) + "</Points>\n")
        out.write("<Cells>" + data_array("Int64", "q", pen.connectivity, "connectivity")
                  + data_array("Int64", "q", pen.offsets, "offsets")
                  + data_array("UInt8", "B", pen.types, "types") + "</Cells>\n")
        out.write("<CellData>" + data_array("Int32", "i", pen.glyphs, "Glyph")
                  + data_array("Int32", "i", pen.contours, "Contour") + "</CellData>\n")
        out.write("</Piece></UnstructuredGrid></VTKFile>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("font")
    parser.add_argument("out")
    parser.add_argument("--text", help="only these characters, in this order")
    parser.add_argument("--columns", type=int, help="glyphs in a row")
    args = parser.parse_args()

    font = TTFont(args.font)
    glyph_set = font.getGlyphSet()
    if args.text:
        names = [font.getBestCmap()[ord(character)] for character in args.text]
    else:
        names = font.getGlyphOrder()
    columns = args.columns or math.ceil(math.sqrt(len(names)))
    pitch = round(1.1 * font["head"].unitsPerEm)

    pen = CellPen(glyph_set)
    for place, name in enumerate(names):
        pen.glyph = font.getGlyphID(name)
        row, column = divmod(place, columns)
        pen.origin = (column * pitch, -row * pitch)
        glyph_set[name].draw(pen)
    write_vtu(args.out, pen)
    curves = pen.types.count(VTK_BEZIER_CURVE)
    print(f"{args.out}: {len(names)} glyphs, {curves} Bezier curves, {len(pen.types) - curves} lines, "
          f"{len(pen.points)} points")


main()
