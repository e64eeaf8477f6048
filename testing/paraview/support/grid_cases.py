# SPDX-License-Identifier: BSD-3-Clause
"""Random cases for Adaptive Grid: a structured dataset, properties of the filter, and what the case
says about itself. Everything follows from the generator alone."""
import numpy as np
from grid_testing import GHOSTS, KINDS, image, rectilinear, shape, structured
from tessera_testing import add_array
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

MOST_CELLS = 1500  # of an input, so that a case takes some ten milliseconds
MOST_FINE = 8000  # of the fixed fine grid
HIDING = (vtkDataSetAttributes.HIDDENCELL, vtkDataSetAttributes.REFINEDCELL,
          vtkDataSetAttributes.DUPLICATECELL)
BALANCES = ("None", "Across Faces", "Across Edges", "Across Corners")
TYPES = (np.float64, np.float32, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64)
CRITERIA = ("InterpolationError", "ValueRange", "Gradient", "SecondDerivative",
            "StandardDeviation", "Vorticity", "QCriterion", "ArrayInRange")
OF_FLOWS = ("Vorticity", "QCriterion")


def chance(rng, probability):
    return bool(rng.random() < probability)


def pick(rng, *choices):
    return choices[rng.integers(len(choices))]


def random_extent(rng):
    """1 to 3 axes with cells, 1 to 24 along each."""
    dimension = rng.choice([1, 2, 3], p=[0.1, 0.35, 0.55])
    while True:
        n = rng.integers(1, 25, 3)
        if chance(rng, 0.7):  # more even
            n = rng.integers([8, 8, 4][dimension - 1], [25, 25, 13][dimension - 1], 3)
        n[rng.permutation(3)[dimension:]] = 0
        if np.maximum(n, 1).prod() <= MOST_CELLS:
            break
    first = rng.integers(-9, 10, 3) if chance(rng, 0.7) else np.zeros(3, int)
    return np.stack([first, first + n], axis=1).ravel().tolist()


def random_turn(rng):
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    return turn if chance(rng, 0.5) else np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3)


def random_image(rng, extent):
    spacing = rng.uniform(0.1, 3, 3) if chance(rng, 0.6) else np.ones(3)
    origin = rng.uniform(-10, 10, 3) if chance(rng, 0.6) else np.zeros(3)
    return image(extent, spacing, origin, random_turn(rng) if chance(rng, 0.25) else None)


def random_rectilinear(rng, extent):
    steps = pick(rng, lambda n: rng.uniform(0.1, 3, n), lambda n: rng.integers(1, 4, n) * 0.25,
                 lambda n: np.ones(n))
    axes = [rng.integers(-5, 6) + np.cumsum(np.concatenate([[0], steps(last - first)]))
            for first, last in zip(extent[0::2], extent[1::2])]
    if chance(rng, 0.1):
        axes[rng.integers(3)] *= -1
    return rectilinear(extent, *axes)


def random_structured(rng, extent):
    """An affine image of index space, or one that is bent a little."""
    turn, bend = np.eye(3) + rng.uniform(-0.3, 0.3, (3, 3)), rng.uniform(-0.3, 0.3, 3)
    bend = bend * (0 if chance(rng, 0.3) else 1)
    kind = pick(rng, np.float32, np.float64)
    data = structured(extent, lambda p: (p @ turn + bend * np.sin(0.4 * p[:, [1, 2, 0]])).astype(kind))
    return data, bool(bend.any())


def random_values(rng, at, kind):
    """Values at places, of about size 1; a column each component."""
    middle, width = rng.random(3), rng.uniform(0.1, 0.6)
    slope = rng.uniform(-1, 1, 3)
    if kind == "spot":
        return np.exp(-((at - middle) ** 2).sum(axis=1) / width ** 2) + rng.choice([0, 0.3]) * at @ slope
    if kind == "linear":
        return at @ slope
    if kind == "front":
        return np.tanh((at - middle) @ slope * rng.uniform(3, 30))
    if kind == "noise":
        return rng.random(len(at)) - 0.3
    return np.full(len(at), rng.uniform(-1, 1))


def random_array(rng, at, holes):
    """An array of any type; with `holes` of floating point, and some of it not finite."""
    kind = rng.choice(["spot", "front", "linear", "noise", "constant"], p=[0.45, 0.35, 0.1, 0.05, 0.05])
    components = rng.choice([1, 3, 2, 4], p=[0.6, 0.3, 0.05, 0.05])
    values = np.stack([random_values(rng, at, kind) for _ in range(components)], axis=1)
    if chance(rng, 0.15):
        values = values + 0.05 * rng.random(values.shape)
    dtype = pick(rng, np.float32, np.float64) if holes or chance(rng, 0.6) else pick(rng, *TYPES)
    values = values * 10.0 ** rng.integers(-3, 5)
    if np.issubdtype(dtype, np.integer):
        limit = np.iinfo(dtype)
        values = np.clip(np.rint(values * 30), max(limit.min, -2 ** 40), min(limit.max, 2 ** 40))
    values = values.astype(dtype)
    if holes:
        where = rng.random(len(at)) < rng.choice([0, 0.003, 0.05])
        where[rng.integers(len(at))] = True
        values[where, rng.integers(components)] = pick(rng, np.nan, np.inf, -np.inf)
    return values if components > 1 else values[:, 0]


class GridCase:
    """`data` with `points` and `cells`, its arrays by name; `hidden`, a flag for each cell (k j i);
    `properties` of the filter; `refused`: the sentence that is due instead of an output, or None."""

    def __init__(self, rng):
        self.extent = random_extent(rng)
        self.n = np.array(self.extent[1::2]) - self.extent[0::2]
        self.dimension = np.count_nonzero(self.n)
        self.bent = False
        self.kind = rng.choice(["image", "rectilinear", "structured"], p=[0.5, 0.25, 0.25])
        if self.kind == "image":
            self.data = random_image(rng, self.extent)
        elif self.kind == "rectilinear":
            self.data = random_rectilinear(rng, self.extent)
        else:
            self.data, self.bent = random_structured(rng, self.extent)
        self.add_arrays(rng)
        self.hide(rng)
        self.properties, self.refused = {}, None
        self.choose_grid(rng)
        self.choose_output(rng)
        self.choose_criteria(rng)
        for name, value in self.properties.items():  # ParaView knows Python's own strings alone
            self.properties[name] = str(value) if isinstance(value, str) else value

    def add_arrays(self, rng):
        """The index comes last: it is no default of the criteria."""
        ijk = self.data.GetPointData().GetArray("ijk")
        ijk.Register(None)
        self.data.GetPointData().RemoveArray("ijk")
        self.points, self.cells = {}, {}
        for arrays, cells in ((self.points, False), (self.cells, True)):
            size = np.array(shape(self.data, cells))[::-1]
            at = np.stack(np.unravel_index(np.arange(size.prod()), size[::-1]), axis=1)[:, ::-1] / size
            for k in range(rng.integers(1, 4)):
                holes = chance(rng, 0.08)
                name = f"{'cell' if cells else 'point'} {k}"
                arrays[name] = random_array(rng, at, holes)
                attributes = self.data.GetCellData() if cells else self.data.GetPointData()
                add_array(attributes, name, arrays[name])
        self.data.GetPointData().AddArray(ijk)
        ijk.UnRegister(None)

    def hide(self, rng):
        """Hidden cells one by one and in a box, cells with hidden points."""
        cells, points = shape(self.data, cells=True), shape(self.data)
        self.hidden = np.zeros(cells, bool)
        if chance(rng, 0.2):
            flags = np.zeros(cells, np.uint8)
            flags[rng.random(cells) < rng.choice([0, 0.01, 0.2])] = pick(rng, *HIDING)
            box = tuple(slice(*np.sort(rng.integers(0, n + 1, 2))) for n in cells)
            flags[box] |= pick(rng, 0, *HIDING)
            self.hidden |= flags > 0
            add_array(self.data.GetCellData(), GHOSTS, flags.ravel())
        if chance(rng, 0.08):
            at = rng.random(points) < 0.01
            copies = np.where(rng.random(points) < 0.1, vtkDataSetAttributes.DUPLICATEPOINT, 0)
            flags = copies + at * vtkDataSetAttributes.HIDDENPOINT
            self.hidden |= self.touched(at)
            add_array(self.data.GetPointData(), GHOSTS, flags.astype(np.uint8).ravel())

    def touched(self, points):
        """The cells with one of these points."""
        result = np.zeros(shape(self.data, cells=True), bool)
        for corner in np.ndindex(2, 2, 2):
            if all(not up or n > 1 for up, n in zip(corner, points.shape)):
                result |= points[tuple(slice(up, up + m) for up, m in zip(corner, result.shape))]
        return result

    def choose_grid(self, rng):
        set_to = self.properties
        set_to["GridType"] = rng.choice(["Adaptive", "Fixed Coarse", "Fixed Fine"], p=[0.84, 0.08, 0.08])
        self.coarsen = int(rng.choice(5, p=[0.06, 0.2, 0.34, 0.3, 0.1]))
        self.refine = int(rng.choice(3, p=[0.75, 0.15, 0.1]))
        while self.hidden.size * 2 ** (self.refine * self.dimension) > MOST_FINE:
            self.refine -= 1
        set_to.update(CoarsenLevels=self.coarsen, RefineLevels=self.refine)
        set_to["Balance"] = pick(rng, *BALANCES)
        set_to["BufferCells"] = int(rng.choice([0, 1, 3], p=[0.7, 0.2, 0.1]))
        if chance(rng, 0.15):
            set_to["CellBudget"] = int(rng.integers(1, 2 * self.hidden.size + 2))
        if chance(rng, 0.15):
            b = np.reshape(self.data.GetBounds(), (3, 2))
            sides = np.sort(b[:, :1] + (b[:, 1:] - b[:, :1]) * rng.uniform(-0.3, 1.3, (3, 2)), axis=1)
            sides[self.n == 0] += [-1, 1]
            set_to.update(UseRegion=1, Region=sides.ravel().tolist(),
                          LevelInside=int(rng.integers(0, 7)), LevelOutside=int(rng.integers(0, 7)))

    def choose_output(self, rng):
        set_to = self.properties
        kind = rng.choice(KINDS, p=[0.65, 0.2, 0.15])
        turned = self.turned = self.kind == "image" and not self.data.GetDirectionMatrix().IsIdentity()
        falling = self.kind == "rectilinear" and any(a[0] > a[-1] for a in self.axes())
        if kind == KINDS[1] and (turned or self.kind == "structured"):
            self.refused = "a hyper tree grid needs an image without rotation or a rectilinear grid"
        elif kind == KINDS[1] and falling:
            self.refused = "a hyper tree grid needs"
        elif kind == KINDS[2] and (turned or self.kind != "image" or self.dimension == 1):
            self.refused = "overlapping AMR needs a 2D or 3D image without rotation"
        elif kind == KINDS[1] and self.dimension == 1 and not self.n[0]:
            kind = KINDS[0]  # VTK's conversion to boxes puts such trees elsewhere
        if self.refused and chance(rng, 0.9):
            kind, self.refused = KINDS[0], None
        hanging = rng.choice(["Conforming", "Free", "Constrained", "Polygons (2D)"],
                             p=[0.45, 0.3, 0.12, 0.13])
        if kind == KINDS[0] and hanging == "Polygons (2D)" and self.dimension != 2:
            self.refused = f"polygons need a grid of 2 dimensions, not {self.dimension}"
            if chance(rng, 0.9):
                hanging, self.refused = "Conforming", None
        set_to.update(OutputType=kind, HangingNodes=hanging)
        set_to["AMRBlockSize"] = pick(rng, "2", "4", "8")
        set_to["CellShape"] = pick(rng, "Voxels or Pixels", "Hexahedra or Quads")
        set_to["OutputPrecision"] = pick(rng, "Same as Input", "Single", "Double")
        set_to.update(GenerateLevel=1, GenerateIndicator=int(rng.integers(2)),
                      GenerateSourceCell=int(rng.integers(2)), MeasureErrors=int(rng.integers(4) > 0))

    def axes(self):
        """The coordinates along each axis, of data that lie along the axes."""
        if self.kind == "rectilinear":
            d = self.data
            return [np.array([a.GetTuple1(i) for i in range(a.GetNumberOfTuples())])
                    for a in (d.GetXCoordinates(), d.GetYCoordinates(), d.GetZCoordinates())]
        return [self.data.GetOrigin()[a] + self.data.GetSpacing()[a] * np.arange(*np.add(
            self.extent[2 * a:2 * a + 2], [0, 1])) for a in range(3)]

    @property
    def parts_are_due(self):
        """May a leaf be cut into several cells?"""
        p = self.properties
        return p["OutputType"] == KINDS[0] and p["HangingNodes"] == "Conforming"

    def number_of(self, at):
        """The number of the input point at an index."""
        n = self.n + 1
        return at[..., 0] + n[0] * (at[..., 1] + n[1] * at[..., 2])

    def place(self, at):
        """Where an index is for the interpolation in cells: of rectilinear grids in space."""
        if self.kind != "rectilinear":
            return at.astype(float)
        return np.stack([np.interp(at[..., a], np.arange(len(x)), x) for a, x in enumerate(self.axes())],
                        axis=-1)

    def weights(self, at, low, high):
        """Of the 8 corners of each box from `low` to `high` at the points `at` in it."""
        low, high = self.place(low), self.place(high)
        t = (self.place(at) - low[:, None]) / np.where(high == low, 1, high - low)[:, None]
        k = np.arange(8)[:, None] >> np.arange(3) & 1
        return np.where(k, t[:, :, None], 1 - t[:, :, None]).prod(axis=3)

    def corners_of_cells(self, values):
        """The rows of `values` of points at the corners of each input cell."""
        low = np.array(list(np.ndindex(*np.maximum(self.n, 1)[::-1])))[:, ::-1]
        up = [step for step in np.ndindex(2, 2, 2) if not np.array(step)[self.n == 0].any()]
        return values[self.number_of(low[:, None] + np.array(up))]

    def columns(self, name):
        """The components that Interpolation Error looks at."""
        component = self.properties["Component"]
        count = self.points[name].reshape(len(self.points[name]), -1).shape[1]
        return list(range(count)) if component < 0 else [component]

    def looked_at(self):
        """The arrays that the criteria in use look at, but for the velocity."""
        used = set(self.used) - set(OF_FLOWS)
        return [name for name in self.arrays if used - {CRITERIA[0]} or (used and name in self.points)]

    def hand(self):
        """-1 where index space is a mirror image: there cells are turned, but for given points."""
        if self.kind == "image":
            direction = self.data.GetDirectionMatrix()
            return np.sign(direction.Determinant() * np.prod(self.data.GetSpacing()))
        falls = [x[-1] < x[0] for x in self.axes()] if self.kind == "rectilinear" else []
        return (-1) ** sum(falls)

    def array(self, name):
        return self.points[name] if name in self.points else self.cells[name]

    def component_of(self, values, joint=False):
        """What a criterion looks at: a component, or of several the length."""
        values = values.reshape(len(values), -1).astype(float)
        if self.properties["Component"] >= 0:
            return values[:, self.properties["Component"]][:, None]
        return values if joint or values.shape[1] == 1 else np.sqrt((values ** 2).sum(axis=1))[:, None]

    def spread(self, name, joint):
        """What a threshold of 1 means: 1, or the range."""
        if self.properties["ThresholdMode"] == "Absolute":
            return 1.0
        with np.errstate(invalid="ignore"):
            values = self.component_of(self.array(name), joint)
        values = values[np.isfinite(values)]
        return float(np.ptp(values)) if values.size else 0.0

    def choose_criteria(self, rng):
        set_to = self.properties
        cells_too = chance(rng, 0.4)
        names = list(self.points) + (list(self.cells) if cells_too else [])
        chosen = [str(name) for name in rng.permutation(names)[:rng.choice([1, 2], p=[0.7, 0.3])]]
        self.arrays = chosen if chance(rng, 0.85) else ["point 0"]
        set_to["CriteriaArrays"] = chosen if self.arrays is chosen else []
        least = min(self.array(name).reshape(len(self.array(name)), -1).shape[1] for name in self.arrays)
        set_to["Component"] = int(rng.integers(least)) if chance(rng, 0.2) else -1
        set_to["ThresholdMode"] = pick(rng, "Absolute", "Fraction of Range")
        flow = [name for name in self.points if self.points[name].shape[1:] == (3,)]
        used = [name for name in CRITERIA if chance(rng, 0.1) and (flow or name not in OF_FLOWS)]
        if chance(rng, 0.6) or not used:
            alone = rng.choice(CRITERIA, p=[0.35, 0.2, 0.12, 0.05, 0.12, 0, 0, 0.16])
            used = [str(alone)] if chance(rng, 0.7) else used + [CRITERIA[0]]
        if not set(self.arrays) & set(self.points) and set(used) <= {CRITERIA[0], *OF_FLOWS}:
            used = used + ["ValueRange"]
        self.used = used
        size = 1.0
        if set_to["ThresholdMode"] == "Absolute":
            values = self.array(self.arrays[0]).astype(float)
            size = np.ptp(values[np.isfinite(values)]) if np.isfinite(values).any() else 1.0
        set_to["VelocityArray"] = flow[0] if flow else ""
        for name in CRITERIA:
            set_to["Use" + name] = int(name in used)
        for name in CRITERIA[:-1]:
            set_to[name] = float(max(size, 1e-3) * 10.0 ** rng.uniform(-2.5, 0))
        set_to["SecondDerivative"] = float(rng.uniform(0.1, 1))
        ends = rng.uniform(0, 1) + np.array([0, 10.0 ** rng.uniform(-2, -0.3)])
        low = 0.0
        if size != 1.0 and set_to["ThresholdMode"] == "Absolute":
            low = values[np.isfinite(values)].min()
        set_to["ArrayInRange"] = (low + size * ends).tolist()
