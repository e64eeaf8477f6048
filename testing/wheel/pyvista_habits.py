# SPDX-License-Identifier: BSD-3-Clause
"""What users of PyVista expect of a filter: names, types, arrays, help. Skipped where there is no PyVista."""
import contextlib
import copy
import doctest
import importlib.metadata
import inspect
import io
import os
import pickle
import subprocess
import sys
import unittest
import warnings

try:
    import numpy as np
    import pyvista as pv
except ImportError as problem:
    print(f"skipped: {problem}")
    sys.exit(77)

import tessera_vtk
from tessera_vtk import BadInput, BadOption, _panel, functions

try:
    importlib.metadata.version("tessera-vtk")  # PyVista finds what is installed
except importlib.metadata.PackageNotFoundError:
    import tessera_vtk.pyvista_accessor  # noqa: F401


def image(n=17):
    made = pv.ImageData(dimensions=(n, n, n))
    made["heat"] = np.exp(-((made.points - n / 2) ** 2).sum(1) / 30)
    return made


def line(n=60):
    t = np.linspace(0, 6, n)
    made = pv.MultipleLines(np.stack([np.cos(t), np.sin(t), t / 5], 1))
    made["heat"] = np.sin(3 * t)
    return made


class Signatures(unittest.TestCase):
    def test_every_function_has_help_for_every_argument(self):
        for name in functions.__all__:
            function = getattr(tessera_vtk, name)
            text = inspect.getdoc(function)
            for argument, one in inspect.signature(function).parameters.items():
                self.assertIn(f"\n{argument} : ", text, name)
                self.assertNotEqual(one.kind, one.VAR_KEYWORD)
                if one.default is not one.empty:
                    shown = repr(one.default).replace("'", '"')
                    line_ = next(k for k in text.splitlines() if k.startswith(f"{argument} : "))
                    self.assertTrue(line_.endswith(f"default: {shown}"), line_)
            for section in ("Returns", "Examples"):
                self.assertIn(f"\n{section}\n---", text)

    def test_examples_run(self):
        failed, tried = doctest.testmod(functions)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 25)

    def test_defaults_are_the_library_s(self):
        """The signatures are made from the panel, the filters' defaults from the library's tables."""
        for name, (proxy, _, _) in _panel.METHODS.items():
            arguments = inspect.signature(getattr(functions, name)).parameters
            for one in getattr(tessera_vtk, proxy).properties:
                default = getattr(arguments.get(one.keyword), "default", None)
                if default is None or (proxy, one.name) in (("DiscImage", "Radius"),):
                    continue
                self.assertEqual(one.cleaned(default), one.default, f"{proxy}.{one.name}")

    def test_wrong_names_and_values(self):
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'chord_eror'"):
            tessera_vtk.adaptive_curves(line(), chord_eror=1)
        with self.assertRaises(TypeError):
            tessera_vtk.adaptive_curves(line(), 0.1)
        with self.assertRaisesRegex(TypeError, "must be a dataset of PyVista or VTK, not ndarray"):
            tessera_vtk.adaptive_curves(np.zeros((3, 3)))
        with self.assertRaisesRegex(TypeError, "must be a dataset of PyVista or VTK, not NoneType"):
            tessera_vtk.adaptive_grid(None)
        with self.assertRaisesRegex(BadOption, "preference must be 'point' or 'cell', not 'edge'"):
            tessera_vtk.adaptive_grid(image(), preference="edge")

    def test_words_of_the_panel_in_any_spelling(self):
        made = [tessera_vtk.adaptive_grid(image(), hanging_nodes=word)
                for word in ("free", "Free", "FREE", 0)]
        self.assertEqual({one.n_cells for one in made}, {made[0].n_cells})
        for word in ("fraction_of_box", "Fraction of Box", "fraction-of-box"):
            tessera_vtk.adaptive_curves(line(), chord_error_mode=word)
        flat = pv.ImageData(dimensions=(17, 17, 1))
        flat["heat"] = flat.points[:, 0] ** 2
        for word in ("polygons", "Polygons (2D)"):
            self.assertIn(pv.CellType.POLYGON, tessera_vtk.adaptive_grid(flat, hanging_nodes=word).celltypes)


class Arguments(unittest.TestCase):
    def test_scalars_and_preference(self):
        mesh = image()
        mesh.cell_data["heat"] = np.arange(mesh.n_cells) % 7.0
        point, cell = (tessera_vtk.adaptive_grid(mesh, scalars="heat", preference=one, value_range=0.2)
                       for one in ("point", "cell"))
        self.assertNotEqual(point.n_cells, cell.n_cells)
        self.assertEqual(point.n_cells, tessera_vtk.adaptive_grid(mesh, scalars="heat", value_range=0.2).n_cells)
        mesh.set_active_scalars("heat", preference="cell")
        self.assertEqual(tessera_vtk.adaptive_grid(mesh, value_range=0.2).n_cells, cell.n_cells)
        with self.assertRaisesRegex(BadInput, "there is no numeric point or cell array 'x'"):
            tessera_vtk.adaptive_grid(mesh, scalars="x")

    def test_inplace(self):
        mesh = line()
        expected = mesh.tessera.adaptive_curves(chord_error=0.01)
        same = mesh.tessera.adaptive_curves(chord_error=0.01, inplace=True)
        self.assertIs(same, mesh)
        self.assertEqual(mesh.points.tobytes(), expected.points.tobytes())
        self.assertEqual(mesh.tessera.report["Points"], mesh.n_points)
        with self.assertRaisesRegex(TypeError, "inplace=True needs a PolyData.* not a UnstructuredGrid"):
            tessera_vtk.adaptive_curves(line().cast_to_unstructured_grid(), inplace=True)

    def test_a_radius_that_is_not_given_follows_the_bounds(self):
        """As in the panel: a hundredth of the longest side."""
        mesh = pv.PolyData(np.random.default_rng(1).random((90, 3)) * [40, 10, 0])
        low, high = mesh.points[:, 0].min(), mesh.points[:, 0].max()
        made, expected = (tessera_vtk.disc_image(mesh, resolution=(64, 64), **more)
                          for more in ({}, {"radius": 0.01 * float(high - low)}))
        self.assertEqual(made["Colors"].tobytes(), expected["Colors"].tobytes())
        self.assertLess(0, made["Colors"].max())
        blocks = pv.MultiBlock([mesh, None, pv.MultiBlock([mesh.translate((1, 0, 0))])])
        made, expected = (tessera_vtk.disc_image(blocks, resolution=(64, 64), **more)
                          for more in ({}, {"radius": 0.01 * float(high + 1 - low)}))
        self.assertEqual(made["Colors"].tobytes(), expected["Colors"].tobytes())

    def test_progress_bar(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            image(33).tessera.adaptive_grid(progress_bar=True)
        self.assertIn("AdaptiveGrid: 100%", said.getvalue())


class Data(unittest.TestCase):
    def test_truth_values_complex_numbers_and_the_active_array_stay_what_they_are(self):
        for mesh, name in ((line(), "adaptive_curves"), (image(), "adaptive_grid"),
                           (line(), "points_to_curves")):
            mesh["flag"] = mesh.points[:, 0] > mesh.points[:, 0].mean()
            mesh["wave"] = np.exp(1j * mesh.points[:, 0])
            mesh.cell_data["part"] = np.arange(mesh.n_cells)
            mesh.set_active_scalars("part")
            options = {"scalars": "heat", "preference": "point"} if name == "adaptive_grid" else {}
            made = getattr(mesh.tessera, name)(**options)
            self.assertEqual(made["flag"].dtype, np.bool_, name)
            self.assertTrue(np.iscomplexobj(made["wave"]), name)
            self.assertLess(np.abs(made["wave"]).max(), 1.0 + 1e-6)
            if name != "points_to_curves":  # its cells are others
                self.assertEqual(made.active_scalars_name, "part", name)
            self.assertEqual(mesh.active_scalars_name, "part")

    def test_statistics_of_truth_values_and_complex_numbers(self):
        mesh = pv.PolyData(np.random.default_rng(2).random((300, 3)))
        mesh["flag"] = mesh.points[:, 0] > 0.5
        mesh["wave"] = np.exp(1j * mesh.points[:, 0])
        mesh["real"] = mesh["wave"].real.copy()
        made = mesh.tessera.adaptive_point_grid(maximum_points_per_cell=20)
        for part, of in (("least", np.min), ("greatest", np.max)):
            self.assertEqual(made["flag_" + part].dtype, np.bool_)
            self.assertEqual(of(made["flag_" + part]), of(mesh["flag"]))
        self.assertEqual(made["flag_mean"].dtype, np.float64)
        self.assertEqual(made["wave_mean"].dtype, np.complex128)
        self.assertEqual(made["wave_mean"].real.tobytes(), made["real_mean"].tobytes())
        self.assertEqual(made["wave_least"].shape, (made.n_cells, 2))

    def test_array_names_hold_the_data_alone(self):
        made = image().tessera.adaptive_grid(hanging_nodes="free")
        self.assertEqual(made.array_names, ["heat"])
        self.assertEqual(made.tessera.report["Cells"], made.n_cells)
        self.assertGreater(made.tessera.report["Saving"], 0)
        self.assertIsNone(image().tessera.report)
        blocks = pv.MultiBlock([line(), line()]).tessera.adaptive_curves()
        self.assertEqual(blocks[0].array_names, line().array_names)
        self.assertEqual(list(blocks.field_data.keys()), [])
        self.assertEqual(blocks.tessera.report["Curves"], 2)

    def test_vtk_in_vtk_out(self):
        plain = tessera_vtk.AdaptiveGrid()
        plain.SetInputDataObject(image())
        plain.Update()
        source = pv._vtk.vtkImageData()
        source.ShallowCopy(image())
        made = tessera_vtk.adaptive_grid(source)
        self.assertNotIsInstance(made, pv.DataObject)
        self.assertEqual(made.GetNumberOfCells(), plain.GetOutputDataObject(0).GetNumberOfCells())
        self.assertEqual(made.GetFieldData().GetNumberOfArrays(), 0)


class Accessor(unittest.TestCase):
    def shown(self, mesh):
        return [name for name in dir(mesh.tessera) if not name.startswith("_")]

    def test_it_shows_what_fits_the_dataset(self):
        of_points = ["adaptive_point_grid", "disc_image", "points_to_curves"]
        self.assertEqual(self.shown(pv.PolyData()), ["adaptive_curves", *of_points, "report"])
        self.assertEqual(self.shown(pv.UnstructuredGrid()),
                         ["adaptive_cells", "adaptive_curves", "adaptive_grid", *of_points, "report"])
        self.assertEqual(self.shown(pv.ImageData()), ["adaptive_grid", "report"])
        self.assertEqual(self.shown(pv.RectilinearGrid()), ["adaptive_grid", "report"])
        self.assertEqual(self.shown(pv.StructuredGrid()), ["adaptive_grid", *of_points, "report"])
        self.assertEqual(len(self.shown(pv.MultiBlock())), 7)
        self.assertEqual(len(self.shown(pv.PartitionedDataSet())), 7)
        with self.assertRaisesRegex(AttributeError, "has no attribute 'tessera'"):
            pv.Table({"a": np.array([1])}).tessera

    def test_a_hint_where_a_dataset_is_no_input(self):
        with self.assertRaisesRegex(AttributeError, "adaptive_grid takes ImageData, RectilinearGrid, "
                                    "StructuredGrid, UnstructuredGrid or MultiBlock, not PolyData: resample it"):
            pv.PolyData().tessera.adaptive_grid()
        with self.assertRaisesRegex(BadInput, "not vtkPolyData. For a PolyData: resample it"):
            tessera_vtk.adaptive_grid(pv.PolyData())
        with self.assertRaisesRegex(AttributeError, "adaptive_cells takes UnstructuredGrid or MultiBlock, not "
                                    "PolyData: only an unstructured grid has curved cells"):
            pv.PolyData().tessera.adaptive_cells()
        with self.assertRaisesRegex(AttributeError, "PolyData.tessera has no attribute 'smooth'"):
            pv.PolyData().tessera.smooth()
        code = ("import pyvista; del pyvista.register_dataset_accessor\n"
                "try: import tessera_vtk.pyvista_accessor\nexcept ImportError as problem: print(problem)")
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        self.assertIn("needs PyVista 0.48 or later; with this one call the functions", said)

    def test_filters_are_not_copied(self):
        for made in (tessera_vtk.AdaptiveGrid(), tessera_vtk.DiscImage()):
            for way in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                    way(made)

    def test_meshes_with_an_accessor_are_copied(self):
        made = line().tessera.adaptive_curves()
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "cannot be copied or pickled: copy the mesh"):
                way(made.tessera)
        self.assertIn("adaptive_curves, adaptive_point_grid", repr(made.tessera))
        for other in (made.copy(), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
            self.assertEqual(other.n_points, made.n_points)


class Package(unittest.TestCase):
    def test_version(self):
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../CMakeLists.txt")
        with open(root, encoding="utf-8") as file:
            self.assertIn(f"VERSION {tessera_vtk.__version__}\n", file.read())

    def test_it_has_types(self):
        self.assertTrue(os.path.exists(os.path.join(tessera_vtk.__path__[0], "py.typed")))


if __name__ == "__main__":
    warnings.simplefilter("ignore", tessera_vtk.TesseraWarning)
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
