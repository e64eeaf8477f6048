// SPDX-License-Identifier: BSD-3-Clause
/** Unstructured meshes in the form that the core takes, and the octrees that it makes of them. */
#ifndef TesseraGridMesh_h
#define TesseraGridMesh_h

#include "frame/data/TesseraArrays.h"
#include "grid/TesseraGridSettings.h"
#include "grid/octree/TesseraGridOctree.h"

#include <memory>
#include <vector>

class vtkUnstructuredGrid;

namespace tessera {

/** A mesh, and the dataset that has its arrays. */
class GridMesh {
public:
  GridMesh() { tsr_mesh_view_init(&this->Core); }
  GridMesh(const GridMesh &) = delete;
  GridMesh &operator=(const GridMesh &) = delete;

  /** Shows the cells of `grid`, which is borrowed, as they are. */
  void Show(vtkUnstructuredGrid *grid);

  /** Shows the cells of `grid`, which is borrowed, and hides those that its ghost arrays hide.
   * Cells of higher order become the linear cells of their corners, with a warning. */
  void Set(vtkUnstructuredGrid *grid, OctreeContext &context);

  /** Replaces the mesh of this process, which may have none, by that of all. Collective. */
  void Gather(OctreeContext &context);

  vtkSmartPointer<vtkDataSet> Data; /**< as many points and cells as the arrays have tuples */
  tsr_mesh_view Core;               /**< shows the members below to the core */
  vtkIdType Copies = 0;             /**< cells that are copies of other processes' ones */
  tsr_error WhyNoOctree = {};       /**< of this process */

private:
  void Linearise();
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
};

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
