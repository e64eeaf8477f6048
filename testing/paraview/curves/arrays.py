# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of point and cell array comes along, with the right values."""
import numpy as np
from tessera_testing import add_array, check, main, point_array, points, polydata, run, said
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import (VTK_ID_TYPE, vtkBitArray, vtkIdTypeArray,
                                      vtkSOADataArrayTemplate, vtkStringArray, vtkVariant,
                                      vtkVariantArray)
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

TYPES = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64,
         np.float32, np.float64)
N = 9


def zigzag():
    return polydata([(i, (-1) ** i, 0.5 * i) for i in range(N)], [range(N)])


def inputs_among(data):
    """Output point of each input point of zigzag(): those at whole parameters."""
    parameter = point_array(data, "Parameter")
    where = np.flatnonzero(parameter == np.floor(parameter))
    check(len(where) == N, "as many whole parameters as input points")
    return where


def numeric_arrays():
    data = zigzag()
    rng = np.random.default_rng(2)
    values = {}
    for dtype in TYPES:
        for components in (1, 2, 3, 4, 9, 11):
            name = f"{np.dtype(dtype).name}_{components}"
            values[name] = rng.integers(0, 100, (N, components)).astype(dtype)
            array = add_array(data.GetPointData(), name, values[name])
            array.SetComponentName(0, "first")
    for mode in ("By the Curve", "Linear"):
        out = run(data, ArrayInterpolation=mode, GenerateParameter=1)
        where = inputs_among(out)
        for name, expected in values.items():
            array = out.GetPointData().GetArray(name)
            got = vtk_to_numpy(array).reshape(-1, expected.shape[1])
            check(got.dtype == expected.dtype, f"{name}: type")
            check(np.array_equal(got[where], expected), f"{name}: values at the input points")
            check(array.GetComponentName(0) == "first", f"{name}: component name")
    # Linear, between the input points: numpy's own interpolation.
    parameter = point_array(out, "Parameter").astype(float)
    got = point_array(out, "float64_3")
    for c in range(3):
        expected = np.interp(parameter, np.arange(N), values["float64_3"][:, c])
        check(np.allclose(got[:, c], expected, atol=1e-12), "linear values")
    whole = point_array(out, "int32_1").ravel()
    exact = np.interp(parameter, np.arange(N), values["int32_1"].ravel())
    check((np.abs(whole - exact) <= 0.5).all(), "integers are rounded")


def arrays_follow_the_curve_as_positions_do():
    data = zigzag()
    add_array(data.GetPointData(), "xyz", points(data).copy())
    for kind in ("Catmull-Rom", "Quadratic Bezier", "Cubic B-Spline"):
        out = run(data, InterpretLinesAs=kind)
        check(np.array_equal(point_array(out, "xyz"), points(out)), f"{kind}: a copy of the points")


def extremes_survive():
    data = zigzag()
    for dtype in TYPES[:8]:
        info = np.iinfo(dtype)
        add_array(data.GetPointData(), np.dtype(dtype).name,
                  np.array([info.min, info.max] * 4 + [info.max], dtype))
    out = run(data, GenerateParameter=1)
    where = inputs_among(out)
    for dtype in TYPES[:8]:
        name = np.dtype(dtype).name
        check(np.array_equal(point_array(out, name)[where], point_array(data, name)), name)


def other_arrays_take_the_nearest_value():
    data = zigzag()
    text = vtkStringArray()
    text.SetName("text")
    variant = vtkVariantArray()
    variant.SetName("variant")
    bit = vtkBitArray()
    bit.SetName("bit")
    for i in range(N):
        text.InsertNextValue(f"point {i}")
        variant.InsertNextValue(vtkVariant(i * 1.5))
        bit.InsertNextValue(i % 3 == 0)
    for array in (text, variant, bit):
        data.GetPointData().AddArray(array)
    add_array(data.GetPointData(), vtkDataSetAttributes.GhostArrayName(), np.arange(N, dtype=np.uint8))
    out = run(data, GenerateParameter=1)
    get = out.GetPointData().GetAbstractArray
    ghost = point_array(out, vtkDataSetAttributes.GhostArrayName())
    parameter = point_array(out, "Parameter").astype(float)
    for i, u in enumerate(parameter):
        nearest = int(get("text").GetValue(i).split()[1])
        check(abs(nearest - u) <= 0.5 + 1e-12, f"text of point {i}: {nearest} at {u}")
        check(get("variant").GetValue(i).ToDouble() == nearest * 1.5, f"variant of point {i}")
        check(get("bit").GetValue(i) == (nearest % 3 == 0), f"bit of point {i}")
        check(ghost[i] == nearest, f"ghost flag of point {i}")


def other_layouts():
    data = zigzag()
    soa = vtkSOADataArrayTemplate["float64"]()
    soa.SetName("soa")
    soa.SetNumberOfComponents(2)
    soa.SetNumberOfTuples(N)
    for i in range(N):
        soa.SetTuple2(i, i * i, -i)
    ids = vtkIdTypeArray()
    ids.SetName("ids")
    for i in range(N):
        ids.InsertNextValue(7 * i)
    data.GetPointData().AddArray(soa)
    data.GetPointData().AddArray(ids)
    out = run(data, GenerateParameter=1)
    where = inputs_among(out)
    check(np.array_equal(point_array(out, "soa")[where], [[i * i, -i] for i in range(N)]), "soa")
    check(out.GetPointData().GetArray("ids").GetDataType() == VTK_ID_TYPE, "vtkIdType")
    check(np.array_equal(point_array(out, "ids")[where], 7 * np.arange(N)), "ids")


def roles_survive():
    data = zigzag()
    attributes = data.GetPointData()
    for name, components in (("s", 1), ("v", 3), ("n", 3), ("t", 2)):
        add_array(attributes, name, np.ones((N, components)))
    attributes.SetActiveScalars("s")
    attributes.SetActiveVectors("v")
    attributes.SetActiveNormals("n")
    attributes.SetActiveTCoords("t")
    attributes.SetGlobalIds(add_array(attributes, "g", 5 * np.arange(N), VTK_ID_TYPE))
    data.GetCellData().SetGlobalIds(add_array(data.GetCellData(), "cg", [4], VTK_ID_TYPE))
    out = run(data)
    result = out.GetPointData()
    check(result.GetScalars().GetName() == "s" and result.GetVectors().GetName() == "v" and
          result.GetNormals().GetName() == "n" and result.GetTCoords().GetName() == "t", "roles")
    check(result.GetGlobalIds() is None, "point ids are no longer one to a point")
    check(set(point_array(out, "g")) == set(5 * np.arange(N)), "their values are not mixed")
    check(out.GetCellData().GetGlobalIds() is not None, "cell ids still are")


def field_data_passes():
    data = zigzag()
    add_array(data.GetFieldData(), "origin", np.array([1.0, 2.0]))
    check(vtk_to_numpy(run(data).GetFieldData().GetArray("origin")).tolist() == [1, 2], "field data")


def arrays_of_wrong_length_are_named():
    data = zigzag()
    add_array(data.GetPointData(), "short", np.ones(3))
    add_array(data.GetCellData(), "long", np.ones(5))
    out, text = said(data)
    check("The point array 'short' has 3 tuples for 9 points" in text, text)
    check("The cell array 'long' has 5 tuples for 1 cells" in text, text)
    check(out.GetNumberOfPoints() > N, "the rest is done")


def generated_names_that_are_taken():
    data = zigzag()
    add_array(data.GetPointData(), "Curvature", np.full(N, -7.0))
    out, text = said(data, GenerateCurvature=1)
    check("'Curvature' replaces the input's array" in text, text)
    check((point_array(out, "Curvature") >= 0).all(), "the generated one is there")


def output_precision():
    data = zigzag()
    single = polydata(points(data), [range(N)], data_type=10)
    for source, setting, expected in ((data, "Same as Input", np.float64),
                                      (single, "Same as Input", np.float32),
                                      (data, "Single", np.float32), (single, "Double", np.float64)):
        out = run(source, OutputPrecision=setting, GenerateArcLength=1)
        check(points(out).dtype == expected == point_array(out, "ArcLength").dtype, setting)


def labelled(values, extra=()):
    """A wavy polyline with the point array `label`, and more."""
    n = len(values)
    data = polydata([(i, np.sin(0.7 * i), 0) for i in range(n)], [range(n)])
    for name, array in (("label", values), *extra):
        add_array(data.GetPointData(), name, array)
    return data


def labels_are_not_mixed():
    """Integers of few values are labels: no others come out, and joints stay beside a change."""
    n = 60
    region = np.repeat([3, 1000000, 7], n // 3).astype(np.int32)
    count = np.arange(n, dtype=np.int32)  # many values: a quantity
    data = labelled(region, [("count", count), ("weight", region.astype(float))])
    for joints in ("Keep All", "Keep Where Needed"):
        out = run(data, Joints=joints, ChordError=1e-5, GenerateParameter=1)
        check(set(point_array(out, "label")) == {3, 1000000, 7}, f"{joints}: no label between")
        check(len(set(point_array(out, "weight"))) > 3, f"{joints}: a quantity goes on")
        # The label of the nearest input point.
        at = point_array(out, "Parameter").astype(float)
        expected = region[np.minimum((at + 0.5).astype(int), n - 1)]
        tie = np.isclose(at % 1.0, 0.5)
        check(np.array_equal(point_array(out, "label")[~tie], expected[~tie]), f"{joints}: nearest")
    at = set(at)
    check({19.0, 20.0, 39.0, 40.0} <= at, "joints stay beside a change of label")
    check((np.diff(point_array(out, "count")) >= 0).all(), "many values: interpolated")


def arrays_are_chosen_one_by_one():
    n = 60
    region = np.repeat([0, 100, 0], n // 3).astype(np.int32)
    real = np.linspace(0.0, 1.0, n) ** 2
    data = labelled(region, [("real", real)])
    parameter = point_array(run(data, ChordError=1e-5, GenerateParameter=1),
                            "Parameter").astype(float)
    linear = np.interp(parameter, np.arange(n), region)
    out = run(data, ChordError=1e-5, LinearArrays=["label"], NearestArrays=["real"])
    check((np.abs(point_array(out, "label") - linear) <= 0.5 + 1e-6).all(), "linear where asked")
    check(set(point_array(out, "real")) <= set(real), "nearest where asked")
    out = run(data, ChordError=1e-5, CurveArrays=["label"])
    check(point_array(out, "label").max() > 100, "a Catmull-Rom curve overshoots where asked")
    out = run(data, ChordError=1e-5, CurveArrays=["real"], ArrayInterpolation="Linear")
    check(not np.allclose(point_array(out, "real"), np.interp(parameter, np.arange(n), real),
                          rtol=0, atol=1e-9), "by the curve beside linear ones")


def a_name_that_no_array_has_is_told():
    data = labelled(np.arange(60, dtype=np.int32), [("real", np.linspace(0.0, 1.0, 60))])
    for one in ("Curve", "Linear", "Nearest"):
        _, text = said(data, **{one + "Arrays": ["real", "reel"]})
        check(f"There is no point array 'reel', named in {one} Arrays." in text and
              "'real'" not in text, text)
    _, text = said(polydata([]), LinearArrays=["reel"])
    check(text == "", f"an empty input has no arrays: {text}")


def precision_follows_the_tolerance():
    """Beside 636,000 single precision steps by 0.0625: far more than 0.001."""
    near = [(0.01 * i, np.sin(0.1 * i), 0.0) for i in range(100)]
    far = [(636000.0 + x, y, z) for x, y, z in near]
    for where, expected in ((near, np.float32), (far, np.float64)):
        data = polydata(where, [range(100)], data_type=10)
        out, text = said(data, ChordErrorMode="Absolute", ChordError=0.001)
        check(points(out).dtype == expected, f"{expected}: {points(out).dtype}")
        check(text.count("Single precision") == (expected == np.float64), f"one warning: {text}")
        check(("the output points are in double precision" in text) == (expected == np.float64), text)
    out, text = said(data, ChordErrorMode="Absolute", ChordError=0.001, OutputPrecision="Single")
    check(points(out).dtype == np.float32, "single where asked")
    check(text.count("Single precision") == 1 and "set Output Precision to Double" in text, text)
    out, text = said(data, ChordErrorMode="Absolute", ChordError=0.001, OutputPrecision="Double")
    check(points(out).dtype == np.float64 and "Single precision" not in text, f"double: {text}")


main(labels_are_not_mixed, arrays_are_chosen_one_by_one, a_name_that_no_array_has_is_told, precision_follows_the_tolerance,
     numeric_arrays, arrays_follow_the_curve_as_positions_do, extremes_survive,
     other_arrays_take_the_nearest_value, other_layouts, roles_survive, field_data_passes,
     arrays_of_wrong_length_are_named, generated_names_that_are_taken, output_precision)
