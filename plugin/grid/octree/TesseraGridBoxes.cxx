// SPDX-License-Identifier: BSD-3-Clause
/** The cells of unstructured grids, where they are boxes along the axes that form an octree. */
#include "frame/TesseraVersions.h"
#include "frame/data/TesseraArrays.h"
#include "grid/TesseraGridPieces.h"
#include "grid/octree/TesseraGridBoxLattice.h"
#include "grid/octree/TesseraGridOctree.h"

#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <mutex>

namespace tessera {

namespace {

/** Cells that a thread converts at a time. */
const int64_t CELLS_OF_A_PIECE = 1 << 14;

/** What to do about cells that are neither boxes nor parts of a mesh. */
const char ADVICE[] = ": unstructured grids must have cells of two or three dimensions";

const char *WordOf(int type) {
  static const struct {
    int Type;
    const char *Word;
  } words[] = {{VTK_VERTEX, "a vertex"},
               {VTK_POLY_VERTEX, "a group of vertices"},
               {VTK_LINE, "a line"},
               {VTK_POLY_LINE, "a polyline"},
               {VTK_TRIANGLE, "a triangle"},
               {VTK_TRIANGLE_STRIP, "a triangle strip"},
               {VTK_POLYGON, "a polygon"},
               {VTK_PIXEL, "a pixel"},
               {VTK_QUAD, "a quadrilateral"},
               {VTK_TETRA, "a tetrahedron"},
               {VTK_VOXEL, "a voxel"},
               {VTK_HEXAHEDRON, "a hexahedron"},
               {VTK_WEDGE, "a wedge"},
               {VTK_PYRAMID, "a pyramid"},
               {VTK_POLYHEDRON, "a polyhedron"},
               {VTK_EMPTY_CELL, "an empty cell"}};
  for (const auto &one : words) {
    if (one.Type == type) {
      return one.Word;
    }
  }
  return "of a kind with more points than corners";
}

/** Dimension of a cell that may be a box; 0 for others. */
int DimensionOf(int type) {
  return type == VTK_VOXEL || type == VTK_HEXAHEDRON ? 3
         : type == VTK_PIXEL || type == VTK_QUAD     ? 2
                                                     : 0;
}

/** Three lengths, as "1 by 2 by 0.5". */
std::string SizeText(const double size[3]) {
  return ShortText(size[0]) + " by " + ShortText(size[1]) + " by " + ShortText(size[2]);
}

/** The corners of a cell in space. */
struct Corners {
  double Low[3], High[3];
  double At[8][3];
  bool Finite;
};

/** The cells of one process. */
class BoxCells {
public:
  BoxCells(vtkUnstructuredGrid *grid, GridOctree &tree, OctreeContext &context);

  /** Finds the extremes of this process's cells. */
  Extremes Look();

  /** Finds the lattice from the extremes of all processes, the same on all. */
  void FindLattice(const std::vector<Extremes> &all) {
    this->Lattice.Find(all, this->Context.Error);
    this->Tree.Lattice = this->Lattice.Lattice;
  }

  /** Writes the cells. */
  void Convert();

private:
  bool HasPoints(int64_t cell) const;
  template <class T> Corners CornersAt(const T *points, vtkIdType first, vtkIdType n) const;
  Corners CornersOf(int64_t cell) const;

  /** The extremes of one cell, by two opposite corners: whether all corners are those of a box is
   * seen later. */
  Extremes ExtremesOf(int64_t cell) const;
  /** The level and the index of a cell; an empty text, or what is wrong with it. */
  std::string Place(const Corners &corners, int &level, int64_t index[3]) const;
  std::string Write(int64_t cell);
  void Hide();

  /** The text of the first cell that has one. */
  class FirstProblem {
  public:
    void Add(int64_t cell, const std::string &text) {
      const std::lock_guard<std::mutex> lock(this->Mutex);
      if (cell < this->Cell) {
        this->Cell = cell;
        this->Text = text;
      }
    }
    bool Tell(tsr_error &error) const {
      return this->Text.empty() ||
             Fail(error, "cell " + std::to_string(this->Cell) + " " + this->Text);
    }

  private:
    std::mutex Mutex;
    int64_t Cell = std::numeric_limits<int64_t>::max();
    std::string Text;
  };

  vtkUnstructuredGrid *Grid;
  GridOctree &Tree;
  OctreeContext &Context;
  IndexView Cells;
  ArrayView Points;
  std::vector<unsigned char> MadeTypes;
  const unsigned char *Types = nullptr;
  int64_t Count = 0;
  BoxLattice Lattice;
  double Halved[OCTREE_MOST_BITS + 1]; /**< 1, 1/2, 1/4, ... */
};

BoxCells::BoxCells(vtkUnstructuredGrid *grid, GridOctree &tree, OctreeContext &context)
    : Grid(grid), Tree(tree), Context(context) {
  for (int level = 0; level <= OCTREE_MOST_BITS; ++level) {
    this->Halved[level] = std::ldexp(1.0, -level);
  }
  if (!grid || grid->GetNumberOfCells() == 0 || !grid->GetPoints()) {
    return;
  }
  this->Count = grid->GetNumberOfCells();
  this->Cells.Set(grid->GetCells());
  vtkDataArray *points = grid->GetPoints()->GetData();
  const bool plain = points->GetDataType() == VTK_FLOAT || points->GetDataType() == VTK_DOUBLE;
  this->Points.Set(plain ? points : ContiguousCopy(points, VTK_DOUBLE).Get());
  this->Types = CellTypes(grid, this->MadeTypes);
}

bool BoxCells::HasPoints(int64_t cell) const {
  bool has = true;
  for (vtkIdType at = this->Cells.Offset(cell); at < this->Cells.Offset(cell + 1); ++at) {
    has = has && this->Cells.Id(at) >= 0 && this->Cells.Id(at) < this->Points.Get().tuples;
  }
  return has;
}

template <class T>
Corners BoxCells::CornersAt(const T *points, vtkIdType first, vtkIdType n) const {
  Corners corners;
  double sum = 0.0; // not finite if any coordinate is not
  for (int axis = 0; axis < 3; ++axis) {
    corners.Low[axis] = std::numeric_limits<double>::infinity();
    corners.High[axis] = -std::numeric_limits<double>::infinity();
  }
  for (vtkIdType i = 0; i < n; ++i) {
    const T *point = points + 3 * this->Cells.Id(first + i);
    for (int axis = 0; axis < 3; ++axis) {
      const double at = static_cast<double>(point[axis]);
      corners.At[i][axis] = at;
      sum += at;
      corners.Low[axis] = at < corners.Low[axis] ? at : corners.Low[axis];
      corners.High[axis] = at > corners.High[axis] ? at : corners.High[axis];
    }
  }
  corners.Finite = std::isfinite(sum);
  return corners;
}

Corners BoxCells::CornersOf(int64_t cell) const {
  const tsr_array &points = this->Points.Get();
  const vtkIdType first = this->Cells.Offset(cell), n = this->Cells.Offset(cell + 1) - first;
  return points.type == TSR_FLOAT
             ? this->CornersAt(static_cast<const float *>(points.data), first, n)
             : this->CornersAt(static_cast<const double *>(points.data), first, n);
}

Extremes BoxCells::ExtremesOf(int64_t cell) const {
  const int type = this->Types[cell];
  const vtkIdType first = this->Cells.Offset(cell);
  const vtkIdType opposite = type == VTK_VOXEL        ? 7
                             : type == VTK_HEXAHEDRON ? 6
                             : type == VTK_PIXEL      ? 3
                                                      : 2;
  const tsr_array &points = this->Points.Get();
  Extremes one = {};
  one.Dimension = DimensionOf(type);
  one.Wide = points.type == TSR_DOUBLE;
  for (int axis = 0; axis < 3; ++axis) {
    double at[2];
    for (int end = 0; end < 2; ++end) {
      const vtkIdType value = 3 * this->Cells.Id(first + end * opposite) + axis;
      at[end] = one.Wide ? static_cast<const double *>(points.data)[value]
                         : static_cast<const float *>(points.data)[value];
    }
    one.Low[axis] = one.At[axis] = std::min(at[0], at[1]);
    one.High[axis] = std::max(at[0], at[1]);
    one.Largest[axis] = one.Least[axis] = std::fabs(at[1] - at[0]);
  }
  return one;
}

Extremes BoxCells::Look() {
  Extremes sum = {};
  std::mutex mutex;
  FirstProblem problem;
  this->Context.Runner.Share(this->Count, CELLS_OF_A_PIECE, [&](int64_t begin, int64_t end) {
    Extremes some = {};
    for (int64_t cell = begin; cell < end; ++cell) {
      const int type = this->Types[cell], dimension = DimensionOf(type);
      const vtkIdType n = this->Cells.Offset(cell + 1) - this->Cells.Offset(cell);
      if (dimension == 0 || n != 1 << dimension) {
        problem.Add(cell, std::string("is ") + WordOf(type) + ADVICE);
        return;
      }
      if (!this->HasPoints(cell)) {
        problem.Add(cell, "has a point that the grid does not have");
        return;
      }
      const Extremes one = this->ExtremesOf(cell);
      const int sides = (one.Largest[0] > 0.0) + (one.Largest[1] > 0.0) + (one.Largest[2] > 0.0);
      if (sides < dimension) { // of NaN, too
        problem.Add(cell, std::string("is ") + WordOf(type) +
                              " two of whose opposite corners lie in one plane across an axis, or "
                              "are not finite");
        return;
      }
      AddExtremes(one, some);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    AddExtremes(some, sum);
  });
  problem.Tell(this->Context.Error);
  return sum;
}

std::string BoxCells::Place(const Corners &corners, int &level, int64_t index[3]) const {
  std::fill_n(index, 3, 0);
  const OctreeLattice &lattice = this->Tree.Lattice;
  double size[3], side[3];
  level = -1;
  for (int axis = 0; axis < 3; ++axis) {
    size[axis] = corners.High[axis] - corners.Low[axis];
    side[axis] = lattice.Cells[axis] > 0 ? lattice.Spacing[axis] : 0.0;
    if (lattice.Cells[axis] > 0 && level < 0) { // the nearest one, by the ratio times sqrt(2)
      const int halvings = std::ilogb(1.4142135623730951 * lattice.Spacing[axis] / size[axis]);
      level = std::min(std::max(halvings, 0), this->Lattice.Finest);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double expected = side[axis] * this->Halved[level];
    if (!(std::fabs(size[axis] - expected) <= 2.0 * this->Lattice.Tolerance)) {
      return "is " + SizeText(size) + ", and the largest cells are " + SizeText(side) +
             ": the sides of cells must be 1, 1/2, 1/4, ... of those of the largest cell, along "
             "all axes alike";
    }
    if (lattice.Cells[axis] == 0) {
      continue;
    }
    const double finest = side[axis] * this->Halved[this->Lattice.Finest];
    const double from = corners.Low[axis] - this->Lattice.Low[axis]; // at least 0
    const int64_t at = static_cast<int64_t>(from / finest + 0.5);
    const int64_t place = at + this->Lattice.Shift[axis],
                  rest = (int64_t{1} << (this->Lattice.Finest - level)) - 1;
    if (!(std::fabs(from - static_cast<double>(at) * finest) <= this->Lattice.Tolerance) ||
        (place & rest) != 0) {
      return "begins at " + std::string(1, "xyz"[axis]) + " = " + ShortText(corners.Low[axis]) +
             ", which is no multiple of its side " + ShortText(size[axis]) + " from " +
             ShortText(lattice.Origin[axis]) + ", the lowest corner of the octree";
    }
    index[axis] = place >> (this->Lattice.Finest - level);
  }
  return "";
}

std::string BoxCells::Write(int64_t cell) {
  GridOctree &tree = this->Tree;
  const int type = this->Types[cell], n = 1 << this->Lattice.Dimension;
  if (DimensionOf(type) != this->Lattice.Dimension) {
    return std::string("is ") + WordOf(type) + ", and other cells are " +
           (this->Lattice.Dimension == 3 ? "three" : "two") + "-dimensional";
  }
  const Corners corners = this->CornersOf(cell);
  if (!corners.Finite) {
    return "has a point whose coordinates are not finite";
  }
  int seen = 0;
  for (int i = 0; i < n; ++i) {
    int corner = 0;
    for (int axis = 0, bit = 0; axis < 3; ++axis) {
      const double at = corners.At[i][axis];
      const bool high = at - corners.Low[axis] > corners.High[axis] - at;
      if (!(std::fabs(at - (high ? corners.High : corners.Low)[axis]) <= this->Lattice.Tolerance)) {
        return std::string("is ") + WordOf(type) + " that is no box along the axes";
      }
      if (tree.Lattice.Cells[axis] > 0) {
        corner |= (high ? 1 : 0) << bit++;
      }
    }
    seen |= 1 << corner;
    if (tree.Corners.Get()) {
      tree.Corners[n * cell + corner] = this->Cells.Id(this->Cells.Offset(cell) + i);
    }
  }
  if (seen != (1 << n) - 1) {
    return std::string("is ") + WordOf(type) + " two of whose points lie at one place";
  }
  int level;
  int64_t index[3];
  const std::string wrong = this->Place(corners, level, index);
  tree.Level[cell] = static_cast<std::uint8_t>(level);
  for (int axis = 0; axis < 3; ++axis) {
    tree.Index[3 * cell + axis] = static_cast<std::int32_t>(index[axis]);
  }
  return wrong;
}

void BoxCells::Hide() {
  GridOctree &tree = this->Tree;
  const unsigned char *cells = GhostsOf(this->Grid, true, "", this->Context.Messages);
  const unsigned char *points = GhostsOf(this->Grid, false, "", this->Context.Messages);
  tree.Hidden.Allocate(cells || points ? this->Count : 0);
  tree.Copies.Allocate(cells ? this->Count : 0);
  this->Context.Runner.Share(tree.Hidden.Get() ? this->Count : 0, CELLS_OF_A_PIECE,
                             [&](int64_t begin, int64_t end) {
                               for (int64_t cell = begin; cell < end; ++cell) {
                                 bool hidden = cells && IsHiddenCell(cells[cell]);
                                 for (vtkIdType at = this->Cells.Offset(cell);
                                      points && at < this->Cells.Offset(cell + 1); ++at) {
                                   hidden = hidden || IsHiddenPoint(points[this->Cells.Id(at)]);
                                 }
                                 tree.Hidden[cell] = hidden;
                                 if (cells) {
                                   tree.Copies[cell] = IsCopy(cells[cell]);
                                 }
                               }
                             });
}

void BoxCells::Convert() {
  GridOctree &tree = this->Tree;
  tree.Count = this->Count;
  tree.Level.Allocate(this->Count);
  tree.Index.Allocate(3 * this->Count);
  vtkPointData *points = this->Count > 0 ? this->Grid->GetPointData() : nullptr;
  const bool arrays =
      points && points->GetNumberOfArrays() >
                    (points->HasArray(vtkDataSetAttributes::GhostArrayName()) ? 1 : 0);
  tree.Corners.Allocate(arrays ? this->Count << this->Lattice.Dimension : 0);
  FirstProblem problem;
  this->Context.Runner.Share(this->Count, CELLS_OF_A_PIECE, [&](int64_t begin, int64_t end) {
    for (int64_t cell = begin; cell < end; ++cell) {
      const std::string wrong = this->Write(cell);
      if (!wrong.empty()) {
        problem.Add(cell, wrong);
        return;
      }
    }
  });
  if (problem.Tell(this->Context.Error) && this->Count > 0) {
    this->Hide();
    tree.Data = this->Grid;
  }
}

} // namespace

void OctreeOfCells(vtkUnstructuredGrid *data, GridOctree &tree, OctreeContext &context) {
  tsr_error &error = context.Error;
  Extremes mine = {};
  std::unique_ptr<BoxCells> cells;
  Guard(error, [&] {
    cells.reset(new BoxCells(data, tree, context));
    mine = cells->Look();
  });
  if (!context.Group.AllFine(error)) {
    return;
  }
  const std::string bytes =
      context.Group.Concatenate(std::string(reinterpret_cast<const char *>(&mine), sizeof mine));
  std::vector<Extremes> all(bytes.size() / sizeof mine);
  std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<char *>(all.data()));
  cells->FindLattice(all);
  if (error.status != TSR_OK) {
    return; // on all processes
  }
  tree.Data = NewOctreeArrays(0, 0);
  Guard(error, [&cells] { cells->Convert(); });
  context.Group.AllFine(error);
}

} // namespace tessera
