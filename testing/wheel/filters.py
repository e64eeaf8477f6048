# SPDX-License-Identifier: BSD-3-Clause
"""The VTK filters, and PyVista's accessor: properties, pipelines, errors, warnings. Skipped where there
is no VTK; the part about PyVista where there is none."""
import importlib.metadata
import inspect
import os
import sys
import unittest
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import numpy as np
    from cases import amr, bezier_cells, boxes, blocks, image, neighbours, polylines, tetrahedra
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.util.vtkAlgorithm import VTKPythonAlgorithmBase
    from vtkmodules.vtkCommonCore import (vtkOutputWindow, vtkSOADataArrayTemplate,
                                           vtkStringOutputWindow)
    from vtkmodules.vtkCommonDataModel import vtkTable
    from vtkmodules.vtkFiltersCore import vtkAppendPolyData
    from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
    from vtkmodules.vtkImagingCore import vtkRTAnalyticSource
except ImportError as problem:
    print(f"skipped: {problem}")
    sys.exit(77)
try:
    import pyvista
except ImportError:
    pyvista = None

import tessera_vtk
from tessera_vtk import AdaptiveCurves, AdaptiveGrid, BadInput, BadOption, TesseraWarning

if pyvista:
    try:
        importlib.metadata.version("tessera-vtk")  # PyVista finds what is installed
    except importlib.metadata.PackageNotFoundError:
        import tessera_vtk.pyvista_accessor  # noqa: F401


class Filters(unittest.TestCase):
    def test_properties(self):
        made = AdaptiveCurves(ChordError=0.5, Sampling="Bisection")
        self.assertEqual((made.ChordError, made.GetChordError(), made.Sampling), (0.5, 0.5, 1))
        before = made.GetMTime()
        made.SetChordError(0.5)
        self.assertEqual(made.GetMTime(), before)
        made.SetChordError(0.25)
        self.assertGreater(made.GetMTime(), before)
        made.AddFieldErrorArray("heat")
        self.assertEqual(made.FieldErrorArrays, ["heat"])
        made.ClearFieldErrorArrays()
        self.assertEqual(made.FieldErrorArrays, [])
        self.assertEqual(AdaptiveCurves().FieldErrorArrays, [])
        grid = AdaptiveGrid()
        grid.SetRegion(0, 1, 2, 3, 4, 5)
        self.assertEqual(grid.Region, [0, 1, 2, 3, 4, 5])
        with self.assertRaisesRegex(BadOption, "no property 'Chord'"):
            AdaptiveCurves(Chord=1)
        with self.assertRaisesRegex(BadOption, "6 numbers"):
            grid.Region = (1, 2)
        with self.assertRaisesRegex(BadOption, "whole number"):
            grid.CoarsenLevels = 1.5

    def test_errors_are_raised_and_leave_nothing(self):
        made = AdaptiveCurves(ChordError=-1.0)
        made.SetInputDataObject(polylines())
        with self.assertRaisesRegex(BadOption, "chord error"):
            made.Update()
        self.assertEqual(made.GetOutputDataObject(0).GetNumberOfPoints(), 0)
        for name, value, text in (("Balance", 9, "Balance must be a number from 0 to 3, not 9"),
                                  ("Threads", -1, "Threads"), ("OutputType", 1, "plugin"),
                                  ("CriteriaArrays", ["none"], "point or cell array 'none'")):
            grid = AdaptiveGrid(**{name: value})
            grid.SetInputDataObject(image(9, 9, 9))
            with self.assertRaisesRegex((BadOption, BadInput), text):
                grid.Update()

    def test_a_dataset_of_another_kind_is_refused(self):
        for made, data, text in ((AdaptiveCurves(), image(5, 5, 5), "vtkPolyData.* not vtkImageData"),
                                 (AdaptiveGrid(), polylines(), "vtkImageData.* not vtkPolyData"),
                                 (AdaptiveGrid(), vtkTable(), "not vtkTable")):
            made.SetInputDataObject(data)
            with self.assertRaisesRegex(BadInput, text):
                made.Update()

    def test_cells_under_a_part_of_finer_ones_are_refused(self):
        made = AdaptiveGrid()
        made.SetInputDataObject(amr(ghosts=True, scattered=True))
        with self.assertRaisesRegex(BadInput, "cell 42 of block 0 of level 0 lies partly under finer cells"):
            made.Update()

    def test_cells_cut_at_the_surface_have_the_volume_of_the_mesh(self):
        made = AdaptiveGrid(Boundary="Clipped At Surface", HangingNodes="Free", FinestCell=0.11)
        made.SetInputDataObject(tetrahedra())  # the unit cube
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of tetrahedra with negative volume
            made.Update()
        measure = vtkCellSizeFilter()
        measure.SetInputDataObject(made.GetOutputDataObject(0))
        measure.ComputeSumOn()
        measure.Update()
        self.assertGreater(made.GetOutputDataObject(0).GetNumberOfCells(), 1000)
        self.assertAlmostEqual(measure.GetOutput().GetFieldData().GetArray("Volume").GetValue(0), 1.0, delta=1e-9)

    def test_a_copy_hides_the_face_that_it_shares(self):
        made = tessera_vtk.AdaptiveCells()
        made.SetInputDataObject(neighbours())
        made.Update()
        self.assertEqual(made.GetOutputDataObject(0).GetNumberOfPolys(), 5)

    def test_all_steps(self):
        """One grid for all time steps: by value ranges it has, in each place, the finest cells that any step has.
        Another property or number of steps begins anew."""
        jet = tessera_vtk.TurbulentJet(Dimensions=[33, 17, 17], TimeSteps=3)
        settings = {"UseInterpolationError": 0, "UseValueRange": 1, "ValueRange": 500, "ThresholdMode": 0,
                    "Balance": "None", "HangingNodes": "Free", "CriteriaArrays": ["Temperature"], "GenerateLevel": 1}
        own, every = AdaptiveGrid(**settings), AdaptiveGrid(OverTime="All Steps", **settings)
        for one in own, every:
            one.SetInputConnection(jet.GetOutputPort())

        def levels(filter_, time):
            filter_.UpdateTimeStep(time)
            return self.levels_at(filter_.GetOutputDataObject(0), (32, 16, 16), [0, -1, -1], [4, 1, 1])

        for steps in (3, 2):
            jet.TimeSteps = steps
            jet.UpdateInformation()
            times = jet.GetOutputInformation(0).Get(jet.GetExecutive().TIME_STEPS())
            each = [levels(own, time) for time in times]
            self.assertGreater((each[0] != each[-1]).sum(), 50)
            for time in times[::-1]:
                self.assertTrue((levels(every, time) == np.max(each, axis=0)).all())
        every.ValueRange = 5000
        self.assertEqual(levels(every, times[0]).max(), 0)

    def levels_at(self, output, cells, low, high):
        """The level of the cell that each input cell lies in."""
        found = np.full(cells, -1)
        ids = vtk_to_numpy(output.GetCells().GetConnectivityArray()).reshape(-1, 8)
        step = (np.array(high) - low) / cells
        places = np.rint((vtk_to_numpy(output.GetPoints().GetData()) - low) / step).astype(int)
        for first, last, level in zip(places[ids[:, 0]], places[ids[:, 7]],
                                      vtk_to_numpy(output.GetCellData().GetArray("Level"))):
            found[tuple(map(slice, first, last))] = level
        self.assertTrue((found >= 0).all())
        return found

    def test_all_steps_of_unlike_sizes(self):
        """They are refused, and then no further step is read."""
        class Growing(VTKPythonAlgorithmBase):
            asked = 0

            def __init__(self):
                super().__init__(nInputPorts=0, outputType="vtkUnstructuredGrid")

            def RequestInformation(self, request, inputs, outputs):
                info, executive = outputs.GetInformationObject(0), self.GetExecutive()
                info.Set(executive.TIME_STEPS(), [0.0, 1.0, 2.0], 3)
                info.Set(executive.TIME_RANGE(), [0.0, 2.0], 2)
                return 1

            def RequestData(self, request, inputs, outputs):
                Growing.asked += 1
                time = outputs.GetInformationObject(0).Get(self.GetExecutive().UPDATE_TIME_STEP())
                self.GetOutputDataObject(0).ShallowCopy(boxes(flat=time > 0))
                return 1

        source, made = Growing(), AdaptiveGrid(OverTime="All Steps")
        made.SetInputConnection(source.GetOutputPort())
        with self.assertRaisesRegex(BadInput, "only where the domain has the same number of coarsest cells"):
            made.Update()
        self.assertEqual((Growing.asked, made.GetOutputDataObject(0).GetNumberOfCells()), (2, 0))

    def test_cell_budget_of_all_steps(self):
        made = AdaptiveGrid(OverTime="All Steps", CellBudget=100)
        made.SetInputDataObject(image(9, 9, 9))
        with self.assertRaisesRegex(BadOption, "Cell Budget scales the thresholds of one time step"):
            made.Update()

    def test_cuda_is_not_here(self):
        made = AdaptiveCurves(Backend="CUDA")
        made.SetInputDataObject(polylines())
        with self.assertRaises(tessera_vtk.NoBackend):
            made.Update()

    def test_errors_within_a_pipeline_go_to_the_output_window(self):
        window, real = vtkStringOutputWindow(), vtkOutputWindow.GetInstance()
        vtkOutputWindow.SetInstance(window)
        try:
            made = AdaptiveCurves(ChordError=-1.0)
            made.SetInputDataObject(polylines())
            after = vtkAppendPolyData()
            after.SetInputConnection(made.GetOutputPort())
            after.Update()
        finally:
            vtkOutputWindow.SetInstance(real)
        self.assertIn("Nothing was made: the chord error", window.GetOutput())

    def test_warnings(self):
        for data, text in ((bezier_cells(), "6 cells are neither curves nor vertices"),
                           (blocks(polylines(), image(5, 5, 5)), "1 dataset is neither .* block 2")):
            made = AdaptiveCurves()
            made.SetInputDataObject(data)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                made.Update()
            self.assertEqual({one.category for one in said}, {TesseraWarning})
            self.assertRegex("; ".join(str(one.message) for one in said), text)
            self.assertEqual(said[0].filename, __file__)

    def test_arrays_that_lie_component_after_component(self):
        data = image(17, 17, 17)
        whole = data.GetPointData().GetArray(0)
        for name, factor in (("same", 1.0), ("nothing", 0.0)):
            split = vtkSOADataArrayTemplate["float64"]()
            split.SetNumberOfComponents(whole.GetNumberOfComponents())
            split.DeepCopy(whole)
            split.SetName(name)
            for k in range(split.GetNumberOfTuples()):
                split.SetTuple(k, [factor * one for one in whole.GetTuple(k)])
            self.assertFalse(split.HasStandardMemoryLayout())
            data.GetPointData().AddArray(split)
        cells = []
        for names in ([whole.GetName()], ["same", "nothing"]):
            made = AdaptiveGrid(CriteriaArrays=names)
            made.SetInputDataObject(data)
            made.Update()
            cells.append(made.GetOutputDataObject(0).GetNumberOfCells())
        self.assertEqual(*cells)

    def test_largest_errors_tell_arrays_of_one_name_apart(self):
        data = image(9, 9, 9)
        of_cells = data.GetCellData().GetArray("of_cells")
        scalar = next(data.GetPointData().GetArray(k) for k in range(9)
                      if data.GetPointData().GetArray(k).GetNumberOfComponents() == 1)
        name = scalar.GetName()
        of_cells.SetName(name)
        for k in range(of_cells.GetNumberOfTuples()):
            of_cells.SetComponent(k, 0, 1e6 * (k % 2))
        made = AdaptiveGrid(CriteriaArrays=[name])
        made.SetInputDataObject(data)
        made.Update()
        errors = dict(zip(made.Report["Error Arrays"], made.Report["Largest Errors"]))
        self.assertNotIn(name, errors)
        self.assertEqual(errors[f"{name} (cells)"], 5e5)
        self.assertLess(errors[f"{name} (points)"], 1e3)

    def test_in_a_pipeline(self):
        source = vtkRTAnalyticSource()
        source.SetWholeExtent(-8, 8, -8, 8, -8, 8)
        made = AdaptiveGrid(GenerateLevel=1)
        made.SetInputConnection(source.GetOutputPort())
        seen = []
        made.AddObserver("ProgressEvent", lambda *_: seen.append(made.GetProgress()))
        made.Update()
        cells = made.GetOutputDataObject(0).GetNumberOfCells()
        self.assertGreater(cells, 0)
        self.assertEqual(made.Report["Cells"], cells)
        self.assertEqual(seen, sorted(seen))
        made.InterpolationError = 0.2
        made.Update()
        self.assertLess(made.GetOutputDataObject(0).GetNumberOfCells(), cells)


@unittest.skipUnless(pyvista, "there is no PyVista")
class Accessor(unittest.TestCase):
    def test_curves(self):
        mesh = pyvista.wrap(polylines())
        mesh.clear_data()  # every point stays that has an id of its own
        fine = mesh.tessera.adaptive_curves(chord_error=1e-4, field_error=None)
        coarse = mesh.tessera.adaptive_curves(chord_error=0.1, field_error=None)
        kept = mesh.tessera.adaptive_curves(chord_error=0.1, field_error=None, joints="Keep All")
        self.assertIsInstance(fine, pyvista.PolyData)
        self.assertGreater(fine.n_points, coarse.n_points)
        self.assertGreater(kept.n_points, coarse.n_points)

    def test_a_criterion_that_is_given_is_used(self):
        mesh = pyvista.wrap(polylines())
        alone = mesh.tessera.adaptive_curves(chord_error=0.1, field_error=None)
        turned = mesh.tessera.adaptive_curves(chord_error=0.1, field_error=None, turning_angle=2)
        self.assertGreater(turned.n_points, alone.n_points)

    def test_grid(self):
        mesh = pyvista.wrap(image())
        made = mesh.tessera.adaptive_grid(interpolation_error=0.05, hanging_nodes="Free")
        self.assertIsInstance(made, pyvista.UnstructuredGrid)
        self.assertLess(made.n_cells, mesh.n_cells)
        self.assertAlmostEqual(made.volume, mesh.volume, 9)

    def test_a_region_that_is_given_is_used(self):
        mesh = pyvista.wrap(image())
        whole = mesh.tessera.adaptive_grid()
        box = [0.0, 0.5, 0.0, 0.5, 0.0, 0.5]
        self.assertLess(mesh.tessera.adaptive_grid(region=box, level_outside=0).n_cells, whole.n_cells)

    def test_help_says_what_is_on(self):
        method = pyvista.PolyData.tessera.adaptive_curves
        self.assertIn("\nchord_error : float | None, default: 0.001\n    Largest distance", method.__doc__)
        self.assertIn("\nturning_angle : float | None, default: None\n", method.__doc__)
        self.assertNotIn("\nmesh :", method.__doc__)
        self.assertIn('{"uniform", "bisection", "equal_error", "equal_arc_length"}, default: "equal_error"',
                      method.__doc__)
        arguments = inspect.signature(method).parameters
        self.assertEqual([arguments[name].default for name in ("chord_error", "turning_angle", "sampling",
                                                               "join_lines", "inplace")],
                         [0.001, None, "equal_error", True, False])
        self.assertNotIn("launch_threshold", arguments)
        self.assertNotIn("use_chord_error", arguments)

    def test_warnings_point_to_the_caller(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            pyvista.wrap(bezier_cells()).tessera.adaptive_curves()
        self.assertEqual(said[0].filename, __file__)

    def test_blocks(self):
        both = pyvista.wrap(blocks(polylines(), polylines())).tessera.adaptive_curves()
        self.assertIsInstance(both, pyvista.MultiBlock)
        self.assertEqual(both[0].n_points, both[1].n_points)

    def test_errors(self):
        curves = pyvista.wrap(polylines()).tessera.adaptive_curves
        for wrong in ("chord_eror", "ChordError", "x"):
            with self.assertRaisesRegex(TypeError, f"unexpected keyword argument '{wrong}'"):
                curves(**{wrong: 1})
        for text, options in (("Curve Arrays must be a list of names, not 3", {"curve_arrays": 3}),
                              ("'Uniform' or 'Bisection' or 'Equal Error' or 'Equal Arc Length', not 'equal'",
                               {"sampling": "equal"}),
                              ("'Uniform' or 'Bisection' or 'Equal Error' or 'Equal Arc Length', not None",
                               {"sampling": None})):
            with self.assertRaisesRegex(BadOption, text):
                curves(**options)
        with self.assertRaisesRegex(BadOption, "Region takes 6 numbers, not 1"):
            pyvista.wrap(image(5, 5, 5)).tessera.adaptive_grid(region=5)
        with self.assertRaises(tessera_vtk.TesseraError):
            pyvista.wrap(image(5, 5, 5)).tessera.adaptive_grid(balance=7)


if __name__ == "__main__":
    warnings.simplefilter("ignore", TesseraWarning)
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
