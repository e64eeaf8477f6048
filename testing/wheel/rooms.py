# SPDX-License-Identifier: BSD-3-Clause
"""Point grids, points to curves, disc images and sources on numpy arrays: answers of slow obvious loops."""
import copy
import pickle
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)

from tessera_vtk import BadInput, BadOption, cells, discs, grid, mesh, octree, ordering, pointgrid, sources

RNG = np.random.default_rng(5)
PLACES = RNG.random((300, 3)) ** 2
HEAT = RNG.random(300)


class Cells(unittest.TestCase):
    def test_a_parabola(self):
        """The bent side y = x (x - 2) / 2 of a quadratic triangle: within the chord error, and a field that is
        linear in x stays so."""
        nodes = np.array([[0, 0], [2, 0], [0, 2], [1, -0.5], [1, 1], [0, 1]], float)
        out = cells.adapt(nodes, [22], [0, 6], np.arange(6), chord_error=0.004, chord_error_mode="absolute",
                          point_arrays={"x": nodes[:, 0]}, cell_arrays={"number": np.array([7])})
        self.assertLess(abs(out["x"] - out["points"][:, 0]).max(), 1e-12)
        self.assertTrue((out["number"] == 7).all())
        x, y = out["points"][:, 0], out["points"][:, 1]
        below = np.sort(x[np.isclose(y, x * (x - 2) / 2, atol=1e-12)])
        gap = np.diff(below).max()
        self.assertLessEqual(gap ** 2 / 8, 0.004)  # the parabola's sagitta on a chord of that width
        triangles = out["points"][out["poly_connectivity"].reshape(-1, 3)]
        a, b = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
        area = abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2
        self.assertAlmostEqual(area, 2 + 2 / 3, delta=0.004 * 3)

    def test_refused(self):
        for text, arguments in (("type", ([[0, 0]], ["a"], [0, 1], [0])),
                                (r"\(2,\)", ([[0, 0]], [1], [0, 1, 1], [0])),
                                ("room|named", ([[0, 0]], [1], [0, 1], [0]))):
            with self.assertRaisesRegex((BadInput, BadOption), text):
                cells.adapt(*arguments, point_arrays={"points": [0.0]})


class PointGrid(unittest.TestCase):
    def test_cells_hold_their_points(self):
        out = pointgrid.adapt(PLACES, point_arrays={"heat": HEAT}, maximum_points_per_cell=9)
        corners = out["points"][out["connectivity"].reshape(-1, 8)]
        low, high = corners.min(1), corners.max(1)
        top = PLACES.max(0) * (1 - 1e-12)  # cells are half open, but for the last ones
        for k, count in enumerate(out["count"]):
            at = np.minimum(PLACES, top)
            inside = ((at >= low[k]) & (at < high[k])).all(1)
            self.assertEqual(inside.sum(), count)
            if count:
                self.assertAlmostEqual(out["heat_mean"][k], HEAT[inside].mean(), 12)
                self.assertEqual(out["heat_least"][k], HEAT[inside].min())
                self.assertEqual(out["heat_greatest"][k], HEAT[inside].max())
            self.assertAlmostEqual(out["density"][k], count / np.prod(high[k] - low[k]), 6)
        self.assertLessEqual(out["count"].max(), 9)
        self.assertEqual(out["count"].sum(), len(PLACES))

    def test_statistics_of_truth_values_and_complex_numbers(self):
        given = {"warm": HEAT > 0.5, "wave": HEAT + 1j * PLACES[:, 0], "real": HEAT, "imag": PLACES[:, 0].copy()}
        out = pointgrid.adapt(PLACES, point_arrays=given, maximum_points_per_cell=9)
        filled = out["count"] > 0
        for part in ("least", "greatest"):
            self.assertEqual(out["warm_" + part].dtype, np.bool_)
            self.assertEqual(out["wave_" + part].shape, (len(filled), 2))
            self.assertEqual(out["warm_" + part][filled].tolist(), (out["real_" + part] > 0.5)[filled].tolist())
        self.assertEqual(out["wave_mean"].dtype, np.complex128)
        self.assertEqual(out["wave_mean"].real.tobytes(), out["real_mean"].tobytes())
        self.assertEqual(out["wave_mean"].imag.tobytes(), out["imag_mean"].tobytes())

    def test_spread_and_hidden_points(self):
        options = {"use_spread": True, "spread": 0.3, "maximum_points_per_cell": 1000}
        out = pointgrid.adapt(PLACES, point_arrays={"heat": HEAT}, spread_array=HEAT, **options)
        filled = out["count"] > 0
        self.assertLessEqual((out["heat_greatest"] - out["heat_least"])[filled].max(), 0.3)
        plan = pointgrid.Plan(pointgrid.View(PLACES, HEAT > 0.5), pointgrid.options())
        self.assertEqual(plan.sizes.kept, (HEAT <= 0.5).sum())

    def test_flat_integers_and_errors(self):
        out = pointgrid.adapt([[0, 0], [3, 1], [1, 2]], tree_shape="quadtree in xy", maximum_points_per_cell=1)
        self.assertEqual(out["count"].sum(), 3)
        with self.assertRaisesRegex(BadInput, "point array|attribute 0 has 5 tuples instead of 300"):
            pointgrid.adapt(PLACES, point_arrays={"heat": HEAT[:5]})
        with self.assertRaisesRegex(BadInput, "hidden points must have the shape"):
            pointgrid.View(PLACES, HEAT[:5] > 0)
        with self.assertRaisesRegex(BadOption, "Tree Shape must be 'Octree'.*not 'cube'"):
            pointgrid.adapt(PLACES, tree_shape="cube")


class Ordering(unittest.TestCase):
    def test_points_are_sorted(self):
        group, order = RNG.integers(0, 9, 300), RNG.random(300)
        out = ordering.join(PLACES, group, order, point_arrays={"heat": HEAT, "hot": HEAT > 0.5,
                                                                "wave": HEAT * 1j})
        expected = np.lexsort((order, group))
        self.assertEqual(out["point_ids"].tolist(), expected.tolist())
        self.assertEqual(out["points"].tobytes(), PLACES[expected].tobytes())
        self.assertEqual(out["heat"].tolist(), HEAT[expected].tolist())
        self.assertEqual(out["hot"].tolist(), (HEAT > 0.5)[expected].tolist())
        self.assertEqual(out["wave"].tolist(), (HEAT * 1j)[expected].tolist())
        self.assertEqual(np.diff(out["line_offsets"]).tolist(), np.unique(group, return_counts=True)[1].tolist())
        first = PLACES[expected][:np.diff(out["line_offsets"])[0]]
        self.assertAlmostEqual(out["length"][0], np.linalg.norm(np.diff(first, axis=0), axis=1).sum(), 12)

    def test_cuts_and_single_points(self):
        x = np.array([0.0, 1, 5, 6, 20])
        out = ordering.join(np.stack([x, 0 * x], 1), cut_at_distances=True, maximum_distance=3)
        self.assertEqual((out["line_offsets"].tolist(), out["vert_connectivity"].tolist()), ([0, 2, 4], [4]))
        self.assertEqual((out["length"].tolist(), out["point_ids"].tolist()), ([0, 1, 1], [0, 1, 2, 3, 4]))
        with self.assertRaisesRegex(BadInput, "array of groups has 4 tuples instead of 5"):
            ordering.join(np.zeros((5, 3)), np.zeros(4))


class Discs(unittest.TestCase):
    def test_a_disc_covers_the_pixels_within_its_radius(self):
        at = np.array([[0.0, 0], [6, 3]])
        picture = discs.draw(at, radius=2.0, resolution=(100, 50), color=(1, 0, 0))
        self.assertEqual(picture.shape, (50, 100, 4))
        view, options = discs.View(at), discs.options(resolution=(100, 50))
        options.radius = 2.0
        low, high = view.bounds(options)
        self.assertEqual((list(low)[:2], list(high)[:2]), ([-2, -2], [8, 5]))
        size = max(10 / 100, 7 / 50)
        x = 3 + (np.arange(100) + 0.5 - 50) * size
        y = 1.5 + (np.arange(50) + 0.5 - 25) * size
        covered = (np.hypot(x - at[:, None, None, :1].reshape(2, 1, 1), y[:, None] -
                            at[:, 1].reshape(2, 1, 1)) <= 2.0).any(0)
        self.assertEqual(((picture[..., 3] == 255) == covered).mean(), 1.0)
        self.assertTrue((picture[covered] == [255, 0, 0, 255]).all())

    def test_colors_of_the_last_disc(self):
        colors = np.array([[255, 0, 0], [0, 255, 0]], np.uint8)
        for order, expected in (([0, 1], [0, 255, 0]), ([1, 0], [255, 0, 0])):
            picture = discs.draw([[0, 0], [0, 0]], colors=colors, order=order, resolution=(9, 9))
            self.assertEqual(picture[4, 4, :3].tolist(), expected)
        picture = discs.draw([[0, 0], [0, 0]], colors=colors, resolution=(9, 9))
        self.assertEqual(picture[4, 4, :3].tolist(), [0, 255, 0])

    def test_errors(self):
        with self.assertRaisesRegex(TypeError, "no argument 'colours'"):
            discs.View(PLACES, colours=HEAT)
        with self.assertRaisesRegex(BadInput, "array of radii has 5 tuples instead of 300"):
            discs.View(PLACES, radii=HEAT[:5])


class Sources(unittest.TestCase):
    def test_the_jet_keeps_its_limits(self):
        choices = sources.jet_choices(dimensions=(33, 17, 17), output_precision=1)
        made = sources.jet(sources.jet_options(temperature_range=(250, 900)), choices)
        self.assertTrue(((made["Temperature"] >= 250) & (made["Temperature"] <= 900)).all())
        self.assertTrue(((made["Scalar"] >= 0) & (made["Scalar"] <= 1)).all())
        flat = sources.jet(choices=sources.jet_choices(dimensions=(33, 17, 1)))["Velocity"]
        self.assertEqual(np.abs(flat[:, 2]).max(), 0)

    def test_threads_and_parts_do_not_matter(self):
        choices = sources.jet_choices(dimensions=(20, 10, 8))
        whole = sources.jet(choices=choices, threads=1)["Velocity"].reshape(8, 10, 20, 3)
        part = sources.jet(choices=choices, extent=(5, 9, 0, 9, 2, 3), threads=3)["Velocity"]
        self.assertEqual(part.tobytes(), whole[2:4, :, 5:10].tobytes())

    def test_random_curves_and_discs(self):
        points = sources.random_curves(sources.curves_options(number_of_curves=4000, degree=1))
        self.assertTrue(((points >= 0) & (points < 1)).all())
        self.assertLess(np.abs(points.mean((0, 1)) - 0.5).max(), 0.02)
        made = sources.random_discs(sources.discs_options(number_of_discs=500, radius_range=(0.1, 0.2)))
        self.assertTrue(((made["radii"] >= 0.1) & (made["radii"] <= 0.2)).all())
        with self.assertRaises(BadOption):
            sources.random_curves(sources.curves_options(degree=11))

    def test_devices(self):
        rows, about = sources.devices()
        self.assertRegex(about["Runtime Version"], r"^(-|\d+\.\d+)$")  # -: this library has no CUDA
        self.assertEqual(len(rows), 1)


class Meshes(unittest.TestCase):
    """The unit cube as 4 x 4 x 4 boxes, or with six tetrahedra or a polyhedron in each."""

    PLACES = np.array([(x, y, z) for z in range(5) for y in range(5) for x in range(5)]) / 4
    STEPS = np.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)])
    BOXES = (np.add.outer(np.add.outer(25 * np.arange(4), 5 * np.arange(4)), np.arange(4)).reshape(-1, 1) +
             STEPS @ [1, 5, 25])
    SIX = [(0, 1, 3, 7), (0, 5, 1, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 4, 5, 7), (0, 6, 4, 7)]
    FACES = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]

    def voxels(self, **more):
        return mesh.View(self.PLACES, [11] * 64, np.arange(65) * 8, self.BOXES.ravel(), **more)

    def tetrahedra(self):
        return mesh.View(self.PLACES, [10] * 384, np.arange(385) * 4, self.BOXES[:, self.SIX].ravel())

    def polyhedra(self, shift=0):
        faces = mesh.Faces(6 * np.arange(65), 4 * np.arange(385) + shift, self.BOXES[:, self.FACES].ravel())
        return mesh.View(self.PLACES, [42] * 64, np.arange(65) * 8, self.BOXES.ravel(), faces)

    def test_a_cube_is_the_cubes_of_its_lattice(self):
        for view in (self.voxels(), self.tetrahedra(), self.polyhedra()):
            plan = mesh.Plan(view, cell_size=0.25, levels=2)
            out, linear = plan.new_outputs(), np.empty(plan.sizes.points)
            plan.fill_into(out, [(self.PLACES @ [1, 2, 4] + 3, False, linear)])
            self.assertEqual((plan.sizes.inside, plan.sizes.spacing), (64, 1.0))
            self.assertEqual(sorted(map(tuple, out["index"])), sorted(np.ndindex(4, 4, 4)))
            at = np.empty((plan.sizes.points, 3))
            at[out["corners"]] = (out["index"][:, None] + self.STEPS) / 4
            self.assertLess(abs(linear - (at @ [1, 2, 4] + 3)).max(), 1e-12)
            cells_of = octree.OctreeView(plan.sizes.cells, out["level"], out["index"], out["corners"], plan.sizes.points,
                                         outside=out["outside"]).boxes(plan.sizes.origin, [plan.sizes.spacing] * 3)
            rule = grid.criterion(grid.INTERPOLATION_ERROR, linear, threshold=1e-9)
            made = grid.Plan(cells_of, grid.options(coarsen_levels=2), [rule])
            self.assertEqual(made.sizes.leaves, 1)  # a linear field needs one cell

    def test_hidden_cells_and_bad_faces(self):
        gone = mesh.Plan(self.voxels(hidden=np.ones(64, bool)), cell_size=0.25)
        self.assertEqual(gone.sizes.n, 0)
        with self.assertRaisesRegex(BadInput, "offsets of faces must rise from 0 to at most 1536"):
            self.polyhedra(1)
        with self.assertRaisesRegex(BadInput, "array of point ids must have the shape"):
            mesh.View(self.PLACES, [10], [0, 4], self.BOXES)
        with self.assertRaisesRegex(BadInput, r"array of corners must have the shape \(1, 8\), not \(1, 4\)"):
            octree.OctreeView((1, 1, 1), [0], [[0, 0, 0]], [[0, 1, 2, 3]], 8)


class Copies(unittest.TestCase):
    def test_plans_and_views_are_not_copied(self):
        views = (pointgrid.View(PLACES), ordering.View(PLACES), discs.View(PLACES))
        plans = (pointgrid.Plan(views[0], pointgrid.options()), ordering.Plan(views[1], ordering.options()),
                 discs.Plan(views[2], discs.options()))
        for one in (*views, *plans):
            for way in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled: it holds memory"):
                    way(one)


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
