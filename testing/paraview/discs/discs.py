# SPDX-License-Identifier: BSD-3-Clause
"""Disc Image in ParaView: the picture is that of a loop, wherever the arrays lie; sources; errors."""
import numpy as np
from tessera_testing import (add_array, check, field_value, main, messages, point_array, polydata,
                             simple, source_of)
from vtkmodules.vtkCommonCore import vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet, vtkTable


def image_of(source, quiet=True, **properties):
    """Output of Disc Image, and what was said."""
    messages()
    discs = simple.DiscImage(Input=source, **properties)
    discs.UpdatePipeline()
    output = discs.GetClientSideObject().GetOutputDataObject(0)
    image = output.NewInstance()
    image.ShallowCopy(output)
    simple.Delete(discs)
    text = messages()
    check(not quiet or text == "", f"unexpected: {text}")
    return image if quiet else (image, text)


def pixels(image):
    """Rows of pixels from the lower left corner."""
    x, y, z = image.GetDimensions()
    shape = [n for n in (z, y, x) if n > 1]
    return point_array(image, "Colors").reshape(shape + [4])


def loop(xyz, radii, colors, opacities, image, axes=(0, 1), order=None):
    """Every disc over all pixels, in order; colors 0 to 1."""
    x, y = (image.GetOrigin()[a] + image.GetSpacing()[a] * np.arange(image.GetDimensions()[a])
            for a in axes)
    color = np.zeros((len(y), len(x), 3))
    behind = np.ones((len(y), len(x), 1))
    for i in order if order is not None else range(len(xyz)):
        covered = ((x[None, :] - xyz[i][axes[0]]) ** 2 + (y[:, None] - xyz[i][axes[1]]) ** 2
                   <= radii[i] ** 2)[..., None]
        a = covered * opacities[i]
        color = color * (1 - a) + a * np.asarray(colors[i])
        behind = behind * (1 - a)
    opacity = 1 - behind
    rgb = np.divide(color, opacity, out=np.zeros_like(color), where=opacity > 0)
    return np.floor(np.concatenate([rgb, opacity], axis=2) * 255 + 0.5).astype(np.uint8)


def cloud(n=200, seed=3):
    random = np.random.default_rng(seed)
    xyz = random.random((n, 3))
    data = polydata(xyz, verts=[[i] for i in range(n)])
    radii, opacities = 0.01 + 0.1 * random.random(n), random.random(n)
    colors = random.integers(0, 256, (n, 3)).astype(np.uint8)
    for name, values in (("r", radii), ("o", opacities), ("c", colors), ("d", xyz[:, 2].copy())):
        add_array(data.GetPointData(), name, values)
    return data, xyz, radii, colors / 255.0, opacities


ARRAYS = {"RadiusArray": "r", "ColorMode": "Array of Colors", "ColorArray": "c",
          "OpacityArray": "o"}


def near(image, expected, what):
    """The images are the same but for the few pixels whose center lies on an edge to within rounding."""
    differ = (np.abs(pixels(image).astype(int) - expected.astype(int)) > 1).any(axis=2)
    check(differ.mean() < 1e-3, f"{what}: {differ.sum()} pixels differ")


def all_planes_show_the_loop():
    data, xyz, radii, colors, opacities = cloud()
    for plane, axes, size in (("XY", (0, 1), (120, 90, 1)), ("YZ", (1, 2), (1, 120, 90)),
                              ("XZ", (0, 2), (120, 1, 90))):
        image = image_of(source_of(data), Plane=plane, Resolution=[120, 90], **ARRAYS)
        check(image.GetDimensions() == size, f"{plane}: {image.GetDimensions()}")
        near(image, loop(xyz, radii, colors, opacities, image, axes), plane)
        depth = ({0, 1, 2} - set(axes)).pop()
        toward = -1 if plane == "XZ" else 1
        order = np.argsort(toward * xyz[:, depth], kind="stable")
        image = image_of(source_of(data), Plane=plane, Resolution=[120, 90], Order="Depth", **ARRAYS)
        near(image, loop(xyz, radii, colors, opacities, image, axes, order), plane + " by depth")


def the_image_holds_all_discs():
    data, xyz, radii, _, _ = cloud()
    image = image_of(source_of(data), Resolution=[100, 50], **ARRAYS)
    low = (xyz[:, :2] - radii[:, None]).min(axis=0)
    high = (xyz[:, :2] + radii[:, None]).max(axis=0)
    half = image.GetSpacing()[0] / 2
    bounds = np.reshape(image.GetBounds(), (3, 2))[:2]
    check((bounds[:, 0] - half <= low + 1e-12).all() and (bounds[:, 1] + half >= high - 1e-12).all(),
          f"{bounds}")
    check(abs(image.GetSpacing()[0] - (high - low)[1] / 50) < 1e-12, "as large as it must be")
    region = image_of(source_of(data), UseRegion=1, Region=[0, 1, 0.25, 0.75, 0, 1],
                      Resolution=[100, 50], **ARRAYS)
    check(np.allclose(region.GetBounds(), [0.005, 0.995, 0.255, 0.745, 0.5, 0.5]),
          f"{region.GetBounds()}")


def order_and_top_point():
    data, xyz, radii, colors, opacities = cloud()
    by_array = image_of(source_of(data), Resolution=[64, 64], Order="Array", OrderArray="d",
                        GenerateTopPoint=1, **ARRAYS)
    by_depth = image_of(source_of(data), Resolution=[64, 64], Order="Depth", GenerateTopPoint=1,
                        **ARRAYS)
    check(np.array_equal(pixels(by_array), pixels(by_depth)), "depth is z")
    top = point_array(by_array, "TopPoint")
    check(top.max() < 200 and top.min() == -1, "points")
    check(np.array_equal(top >= 0, pixels(by_array)[..., 3].ravel() > 0), "where discs are")


def color_maps():
    data, xyz, radii, _, _ = cloud(30)
    ramp = [10, 1, 0, 0, 30, 0, 0, 1]
    image = image_of(source_of(data), Resolution=[80, 80], RadiusArray="r", ColorArray="d",
                     ColorMode="Color Map", ColorMap=ramp)
    t = (xyz[:, 2] - xyz[:, 2].min()) / (xyz[:, 2].max() - xyz[:, 2].min())
    entry = (np.clip(np.floor(t * 1024), 0, 1023) + 0.5) / 1024
    near(image, loop(xyz, radii, np.stack([1 - entry, 0 * t, entry], axis=1), np.ones(30), image),
         "map")
    constant = image_of(source_of(data), Resolution=[80, 80], RadiusArray="r", Color=[0, 1, 0])
    near(constant, loop(xyz, radii, [(0, 1, 0)] * 30, np.ones(30), constant), "constant")


def blocks_make_one_image():
    data, xyz, radii, colors, opacities = cloud()
    whole = image_of(source_of(data), Resolution=[90, 90], **ARRAYS)
    blocks = vtkMultiBlockDataSet()
    for k, part in enumerate((slice(0, 70), slice(70, 71), slice(71, 200))):
        one = polydata(xyz[part])
        for name in ("r", "c", "o", "d"):
            add_array(one.GetPointData(), name, point_array(data, name)[part])
        blocks.SetBlock(2 * k, one)
    parts = image_of(source_of(blocks), Resolution=[90, 90], **ARRAYS)
    check(parts.IsA("vtkImageData"), "one image")
    check(np.array_equal(pixels(parts), pixels(whole)), "the same image")
    blocks.SetBlock(7, vtkTable())
    blocks.GetBlock(0).GetPointData().RemoveArray("r")
    image, text = image_of(source_of(blocks), quiet=False, Resolution=[90, 90], **ARRAYS)
    check("1 dataset has no points" in text, text)
    check("The point array 'r' in block 1 is missing." in text and "70 radii are" in text, text)
    check(field_value(image, "Discs Drawn").ToInt() == 130, "the others are drawn")


def ghost_points_are_left_out():
    data, xyz, radii, colors, opacities = cloud()
    ghosts = np.zeros(200, np.uint8)
    ghosts[50:] = 1  # a point that another process has as well
    add_array(data.GetPointData(), "vtkGhostType", ghosts)
    image = image_of(source_of(data), Resolution=[64, 64], **ARRAYS)
    near(image, loop(xyz[:50], radii, colors, opacities, image), "the first 50")


def random_discs_are_the_scenes():
    for scene, count in (("Random", 10000), ("RGB", 3), ("Pattern", 1217), ("Snow", 10000),
                         ("Big and Little", 10000)):
        source = simple.RandomDiscs(Scene=scene)
        source.UpdatePipeline()
        data = source.GetClientSideObject().GetOutput()
        check(data.GetNumberOfPoints() == data.GetNumberOfVerts() == count, scene)
        image = image_of(source, RadiusArray="Radius", ColorMode="Array of Colors",
                         ColorArray="Color", OpacityArray="Opacity", Resolution=[128, 128],
                         Falloff="Gaussian")
        check(field_value(image, "Discs").ToInt() == count, scene)
        check(pixels(image)[..., 3].max() > 100, f"{scene}: something is seen")
        check(field_value(image, "Backend").ToString() in ("CPU", "CUDA"), "report")


def sources_are_made_in_pieces():
    for source, name in ((simple.RandomDiscs(NumberOfDiscs=101), "Radius"),
                         (simple.RandomBezierCurves(NumberOfCurves=101, Degree=3), None)):
        source.UpdatePipeline()
        algorithm = source.GetClientSideObject()
        whole = algorithm.GetOutput().NewInstance()
        whole.DeepCopy(algorithm.GetOutput())
        xyz = []
        for piece in range(4):
            algorithm.UpdatePiece(piece, 4, 0)
            part = algorithm.GetOutput()
            for i in range(part.GetNumberOfPoints()):
                xyz.append(part.GetPoint(i))
        check(xyz == [whole.GetPoint(i) for i in range(whole.GetNumberOfPoints())], str(source))


def bezier_curves_can_be_refined():
    source = simple.RandomBezierCurves(NumberOfCurves=20, Degree=3)
    curves = simple.AdaptiveCurves(Input=source)
    messages()
    curves.UpdatePipeline()
    data = curves.GetClientSideObject().GetOutput()
    points = source.GetClientSideObject().GetOutput()
    check(messages() == "", "nothing is said")
    check(data.GetNumberOfLines() == 20, "a polyline a curve")
    first = data.GetCell(0).GetPointIds()
    last = first.GetId(first.GetNumberOfIds() - 1)
    check(data.GetPoint(first.GetId(0)) == points.GetPoint(0), "from the first control point")
    check(data.GetPoint(last) == points.GetPoint(3), "to the last one")


def bad_choices_are_refused():
    data = cloud(5)[0]
    add_array(data.GetPointData(), "two", np.zeros((5, 2)))
    add_array(data.GetPointData(), "short", np.zeros(4))
    text = vtkStringArray()
    text.SetName("text")
    text.SetNumberOfTuples(5)
    data.GetPointData().AddArray(text)
    for properties, words in (({"Resolution": [0, 5]}, "Resolution must be 1 to 65536"),
                              ({"RadiusScale": -1}, "Radius Scale must be"),
                              ({"Radius": -1}, "the radius must be"),
                              ({"RadiusArray": "nothing"},
                               "Radius Array than 'nothing': it is missing"),
                              ({"RadiusArray": "two"},
                               "Radius Array than 'two': it has 2 components; one is needed"),
                              ({"OpacityArray": "text"},
                               "Opacity Array than 'text': it is not of numbers"),
                              ({"ColorMode": 1, "ColorArray": "d"},
                               "Color Array than 'd': it has 1 component; colors have 3 or 4"),
                              ({"Order": "Array", "OrderArray": "short"},
                               "Order Array than 'short': it has 4 tuples for 5 points"),
                              ({"ColorMode": 1}, "Color Array must be chosen"),
                              ({"Order": "Array"}, "Order Array must be chosen"),
                              ({"UseRegion": 1, "Region": [1, 0, 0, 1, 0, 1]}, "Region must rise"),
                              ({"Opacity": 2}, "the opacity must be"),
                              ({"Color": [0, 7, 0]}, "the color must be of numbers from 0 to 1, not 7"),
                              ({"NanColor": [0, 0, -1]}, "color of NaN must be of numbers from 0 to 1, "
                               "not -1"),
                              ({"BackgroundOpacity": 2}, "the background must be of numbers from 0 to "
                               "1, not 2"),
                              ({"ColorMode": 2, "ColorArray": "d", "ColorMap": [1, 0, 0, 0, 0, 0, 0, 0]},
                               "color map's values"),
                              ({"ColorMode": 2, "ColorArray": "d", "UseScalarRange": 1,
                                "ScalarRange": [2, 1]}, "Scalar Range must rise")):
        image, text = image_of(source_of(data), quiet=False, **properties)
        check(words in text and text.count("ERR") == 1, f"{properties}: {text}")
        check(image.GetPointData().GetNumberOfArrays() == 0, "an empty output")
    for source, words in ((simple.RandomDiscs(NumberOfDiscs=-1), "number of discs"),
                          (simple.RandomDiscs(RadiusRange=[2, 1]), "radii must rise"),
                          (simple.RandomBezierCurves(Degree=11), "Degree must be 1 to 10"),
                          (simple.RandomBezierCurves(NumberOfCurves=-1), "0 or more"),
                          (simple.RandomBezierCurves(NumberOfCurves=2**31 - 1, Degree=10),
                           "no memory for 2147483647 curves")):  # 472 GB
        messages()
        source.UpdatePipeline()
        text = messages()
        check(words in text and text.count("ERR") == 1, text)


def hostile_points():
    nothing = image_of(source_of(polydata(np.zeros((0, 3)))), Resolution=[9, 9])
    check(pixels(nothing).max() == 0, "nothing: transparent")
    data, xyz, radii, colors, opacities = cloud(20)
    bad = point_array(data, "r")
    bad[:4] = [np.nan, -1, np.inf, 0]
    image, text = image_of(source_of(data), quiet=False, Resolution=[50, 50], **ARRAYS)
    check("3 radii are negative, infinite or not a number" in text, text)
    check("1 radius is 0" in text, text)
    near(image, loop(xyz[4:], radii[4:], colors[4:], opacities[4:], image), "the others")
    _, text = image_of(source_of(data), quiet=False, Resolution=[50, 50], Radius=1e-9)
    check("20 discs are narrower than a sample" in text, text)
    same = image_of(source_of(polydata(np.ones((1000, 3)))), Resolution=[11, 11], Radius=2,
                    RadiusUnit="Pixels")
    check(pixels(same)[5, 5].tolist() == [255] * 4, "all in one place")


def structured_points():
    """The input has an extent of its own, which is not that of the image."""
    grid = simple.ImageDatatoPointSet(Input=simple.Wavelet(WholeExtent=[-4, 4, -4, 4, -4, 4]))
    image = simple.DiscImage(Input=grid, Radius=1.0)
    image.UpdatePipeline()
    said = messages()
    check(said == "" and image.DiscsIn == 9**3, f"{image.DiscsIn} discs: {said}")


def an_error_comes_once():
    image = simple.DiscImage(Input=simple.RandomDiscs(), OpacityArray="none")
    image.UpdatePipeline()
    image.GetClientSideObject().Update()
    said = messages()
    check(said.count("Nothing was made") == 1, f"once: {said}")
    image.Threads = 1
    image.UpdatePipeline()
    check("Nothing was made" in messages(), "again after a change")
    image.OpacityArray = "None"
    image.UpdatePipeline()
    check(messages() == "" and image.DiscsIn > 0, "made")


def before_the_input_ran():
    """No bounds, no defaults made of them: not a radius below 0, nor a region that runs backwards."""
    messages()
    discs = simple.DiscImage(Input=simple.RandomDiscs(NumberOfDiscs=50), Resolution=[20, 20])
    check(discs.Radius == 1 and list(discs.Region) == [0, 1] * 3, f"{discs.Radius}, {discs.Region}")
    discs.UpdatePipeline()
    text = messages()
    check(text == "", text)
    source = simple.RandomDiscs(NumberOfDiscs=50)
    source.UpdatePipeline()
    later = simple.DiscImage(Input=source)
    check(0 < later.Radius < 0.05, f"a hundredth of the longest side: {later.Radius}")


main(all_planes_show_the_loop, the_image_holds_all_discs, order_and_top_point, color_maps,
     blocks_make_one_image, ghost_points_are_left_out, random_discs_are_the_scenes,
     sources_are_made_in_pieces, bezier_curves_can_be_refined, bad_choices_are_refused,
     hostile_points, structured_points, an_error_comes_once, before_the_input_ran)
