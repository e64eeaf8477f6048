# SPDX-License-Identifier: BSD-3-Clause
"""The Python package with PyVista: glyph-like curves and a field, both adaptive, in one picture.

    python3 python_package.py [FOLDER]      writes FOLDER/python-package.png; renders off-screen
"""
import sys

import numpy as np
import pyvista as pv


def ribbons(n=7):
    """Cubic Bezier cells: a rose of petals."""
    turn = np.linspace(0, 2 * np.pi, n, endpoint=False)[:, None]
    ends = np.zeros((n, 3))
    out = [np.hstack([r * np.cos(turn + a), r * np.sin(turn + a), 0 * turn])
           for r, a in ((1.6, -0.5), (1.6, 0.5))]
    # VTK's order: both ends, then the points between.
    points = np.stack([ends, ends + 1e-3, out[0], out[1]], 1).reshape(-1, 3)
    cells = np.hstack([np.full((n, 1), 4), np.arange(4 * n).reshape(n, 4)]).ravel()
    return pv.UnstructuredGrid(cells, np.full(n, pv.CellType.BEZIER_CURVE), points)


def hill(n=65):
    """A smooth field with a sharp hill."""
    image = pv.ImageData(dimensions=(n, n, 1), spacing=(2.4 / (n - 1), 2.4 / (n - 1), 1),
                         origin=(-1.2, -1.2, 0))
    x, y, _ = image.points.T
    image["hill"] = np.exp(-20 * ((x - 0.3) ** 2 + (y + 0.2) ** 2)) + 0.2 * np.sin(3 * x)
    return image


curves = ribbons().tessera.adaptive_curves(chord_error=0.001, generate_achieved_error=True)
print(f"{curves.n_cells} curves, {curves.n_points} points, error at most "
      f"{curves.cell_data['AchievedError'].max():.2g}")

image = hill()
grid = image.tessera.adaptive_grid(interpolation_error=0.02, coarsen_levels=4)
print(f"{grid.n_cells} cells instead of {image.n_cells}, error at most "
      f"{grid.tessera.report['Largest Errors'][0]:.2g}")

plotter = pv.Plotter(off_screen=True, shape=(1, 2), window_size=(900, 450), border=False)
plotter.add_mesh(curves, color="black", line_width=2)
plotter.add_points(curves.points, color="crimson", point_size=7)
plotter.view_xy()
plotter.subplot(0, 1)
plotter.add_mesh(grid, scalars="hill", show_edges=True, show_scalar_bar=False, cmap="viridis")
plotter.view_xy()
plotter.screenshot(f"{sys.argv[1] if len(sys.argv) > 1 else '.'}/python-package.png")
