// SPDX-License-Identifier: BSD-3-Clause
/** Unstructured meshes in the form that the core takes, and the octrees that it makes of them. */
#ifndef TesseraGridMesh_h
#define TesseraGridMesh_h

#include "frame/data/TesseraArrays.h"
#include "grid/TesseraGridSettings.h"
#include "grid/octree/TesseraGridOctree.h"

#include <memory>
#include <vector>

class vtkDataArray;
class vtkUnstructuredGrid;

namespace tessera {

/** Cells of a mesh, some of them of higher order. */
struct CurvedCells {
  tsr_mesh_view View;
  std::vector<std::uint8_t> Roles; /**< tsr_cells_role of each cell */
  int Degree;                      /**< the median one of the cells that are drawn */
};

/** Cells that take the place of those of a mesh. */
struct MeshCells {
  int64_t NumberOfPoints = 0, Count = 0, Length = 0; /**< Length: of Ids */
  bool Wide = false;                                 /**< Doubles has the points, else Singles */
  Values<float> Singles;
  Values<double> Doubles;
  Values<std::uint8_t> Types;
  Values<int64_t> Offsets, Ids;
  Values<int64_t> Sources; /**< Count: the cell of the mesh that each one is a part of */
};

/** A mesh, and the dataset that has its arrays. */
class GridMesh {
public:
  GridMesh() { tsr_mesh_view_init(&this->Core); }
  GridMesh(const GridMesh &) = delete;
  GridMesh &operator=(const GridMesh &) = delete;

  /** Shows the cells of `grid`, which is borrowed, as they are. */
  void Show(vtkUnstructuredGrid *grid);

  /** Shows the cells of `grid`, which is borrowed, and hides those that its ghost arrays hide. */
  void Set(vtkUnstructuredGrid *grid, OctreeContext &context);

  /** Replaces the mesh of this process, which may have none, by that of all. Collective. */
  void Gather(OctreeContext &context);

  /** If there are cells of higher order, moves all cells to Curved, and shows the linear cells of
   * their corners. */
  void ShowCorners();

  /** Replaces the cells by those of `made`, and the arrays by those of `arrays`. */
  void Replace(MeshCells &made, vtkDataSet *arrays);

  /** Are some of the cells parts of those of the input? */
  bool IsDivided() const { return this->Made.Sources.Get() != nullptr; }

  /** The cell of the input that cell `cell` is, or is a part of. */
  int64_t InputCell(int64_t cell) const {
    return this->IsDivided() ? this->Made.Sources[cell] : cell;
  }

  vtkSmartPointer<vtkDataSet> Data;    /**< as many points and cells as the arrays have tuples */
  tsr_mesh_view Core;                  /**< shows the members below to the core */
  int64_t InputCells = 0;              /**< of all processes */
  vtkIdType Copies = 0;                /**< of these, copies of other processes' ones */
  tsr_error WhyNoOctree = {};          /**< of this process */
  std::unique_ptr<CurvedCells> Curved; /**< NULL: Core shows all cells as they are */

private:
  void AddFaces(vtkUnstructuredGrid *grid, OctreeContext &context);
  void Hide(vtkUnstructuredGrid *grid, OctreeContext &context);
  void Widen();
  void GatherPoints(int64_t all, OctreeContext &context);
  void GatherCells(int64_t points, int64_t firstPoint, OctreeContext &context);
  void GatherFaces(int64_t points, int64_t firstPoint, OctreeContext &context);

  ArrayView Points;
  IndexView Cells;
  std::vector<unsigned char> MadeTypes;
  std::vector<int64_t> MadeOffsets, MadeIds;
  std::vector<int64_t> CellFaces;
  int64_t Faces = 0;
  Values<int64_t> FaceOffsets, FaceIds;
  std::vector<std::uint8_t> Hidden;
  Values<float> AllSingles; /**< coordinates of all processes: these, or those in double */
  Values<double> AllDoubles;
  Values<std::uint8_t> AllTypes, AllHidden;
  Values<int64_t> AllOffsets, AllIds, AllCellFaces, AllFaceOffsets, AllFaceIds;
  bool HasCurves = false; /**< some cells, of any process, are of higher order */
  std::vector<unsigned char> CornerTypes;
  std::vector<int64_t> CornerOffsets, CornerIds;
  MeshCells Made; /**< of Replace; else empty */
};

/** A point array of a mesh whose interpolation error the criteria bound. */
struct MeshField {
  vtkSmartPointer<vtkDataArray> Array;
  double Tolerance;
  bool Relative; /**< to the range of the values of all components */
};

/** The arrays whose interpolation error the criteria bound; none where they bound none. */
std::vector<MeshField> BoundedFields(const GridMesh &mesh, const GridSettings &settings);

/** The square of the distance of each point from the first one: no cell of the octree with a point
 * of the mesh interpolates it exactly. */
vtkSmartPointer<vtkDataArray> SquaredDistances(const tsr_array &points);

/** Warns that a point array is left out that has no numbers to interpolate. */
void LeaveOutPointArray(vtkAbstractArray *array, WarningList &messages);

/** What is said where no cell of the octree lies wholly inside the mesh, and only these are wanted.
 */
constexpr char NOTHING_WHOLLY_INSIDE[] =
    "No cell lies wholly inside the mesh: the output has none. Take a smaller Finest Cell, or "
    "Touching Cells as the Boundary.";

/** Makes one mesh of the grids of all processes, after OctreeOfCells has failed: its error, of
 * which the mesh keeps a copy, is removed. data: of this process; may be NULL. The result is NULL
 * on processes that do not receive it. Collective. On failure the context's error is set. */
std::shared_ptr<GridMesh> MakeMesh(vtkUnstructuredGrid *data, bool receives,
                                   OctreeContext &context);

/** How the octree of a mesh is to be made. */
struct MeshWishes {
  const GridSettings &Settings;
  double CellSize;  /**< side of the finest cells; 0: the mesh's median edge */
  double Bounds[6]; /**< the domain holds these; empty: those of the mesh */
};

/** The domain of the octree of a mesh, which meshes can share. */
struct MeshDomain {
  double CellSize;
  double Bounds[6];
};

/** The domain that `mesh` has by itself. False, with `error` set, on failure. */
bool FindDomain(const GridMesh &mesh, const MeshWishes &wishes, OctreeContext &context,
                MeshDomain &domain);

/** The octree of a mesh, with its arrays, and the samples by which errors are found. NULL if it has
 * no cell, with a warning, and on failure, with the context's error set. */
std::shared_ptr<GridOctree> MakeMeshOctree(const GridMesh &mesh, const MeshWishes &wishes,
                                           OctreeContext &context);

} // namespace tessera

#endif
