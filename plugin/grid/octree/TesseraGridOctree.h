// SPDX-License-Identifier: BSD-3-Clause
/** Cells of several sizes, as AMR, hyper tree grids and unstructured grids hold them, in the form
 * that the core takes. */
#ifndef TesseraGridOctree_h
#define TesseraGridOctree_h

#include "frame/data/TesseraMemory.h"
#include "frame/report/TesseraWarningList.h"
#include "frame/run/TesseraThreadRunner.h"
#include "mpi/TesseraProcesses.h"

#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataObject;
class vtkHyperTreeGrid;
class vtkUniformGridAMR;
class vtkUnstructuredGrid;

namespace tessera {

/** Memory for values that are not set at first. Throws std::bad_alloc. */
template <class T> class Values {
public:
  void Allocate(int64_t n, Writer writer = Writer::CPU) {
    const size_t bytes = static_cast<size_t>(n) * sizeof(T);
    this->Memory.reset(n > 0 ? static_cast<T *>(MemoryFor(writer, bytes)) : nullptr);
    if (n > 0 && !this->Memory) {
      throw std::bad_alloc();
    }
  }
  void Free() { this->Memory.reset(); }
  T *Get() { return this->Memory.get(); }
  const T *Get() const { return this->Memory.get(); }
  T &operator[](int64_t i) { return this->Memory[static_cast<size_t>(i)]; }
  const T &operator[](int64_t i) const { return this->Memory[static_cast<size_t>(i)]; }

private:
  struct Deleter {
    void operator()(T *memory) const { tsr_output_free(memory); }
  };
  std::unique_ptr<T[], Deleter> Memory;
};

class GridMesh;

/** Where the cells of level 0 lie in space. All processes have the same. */
struct OctreeLattice {
  int32_t Cells[3] = {0, 0, 0};       /**< along each axis; 0 along an axis without cells */
  double Origin[3] = {0.0, 0.0, 0.0}; /**< lowest corner of the domain */
  double Spacing[3] = {1.0, 1.0, 1.0};
  std::vector<double> Sides[3]; /**< of the cells of level 0 along each axis, if they are not at
                                   equal distances; else empty */
  bool Single = false;          /**< the input's coordinates are of single precision */

  bool IsRectilinear() const { return !this->Sides[0].empty(); }
  int Dimension() const {
    return (this->Cells[0] > 0) + (this->Cells[1] > 0) + (this->Cells[2] > 0);
  }
};

/** The cells, and the dataset that has their arrays. */
struct GridOctree {
  OctreeLattice Lattice;
  int64_t Count = 0;            /**< number of cells */
  Values<std::uint8_t> Level;   /**< Count */
  Values<std::int32_t> Index;   /**< Count x 3: among the cells of its level along each axis */
  Values<std::int64_t> Corners; /**< Count x 2^dimension: points, in VTK's order of voxels; NULL if
                                   there are no point arrays, or if they are InOrder */
  bool InOrder = false;         /**< point arrays are in the order that the core takes without
                                   Corners */
  Values<std::uint8_t> Hidden;  /**< Count; NULL if no cell is hidden */
  Values<std::uint8_t> Copies;  /**< Count: is the cell a copy of one of another process? NULL if
                                   none is. Only before GatherOctree */
  vtkSmartPointer<vtkDataSet> Data; /**< as many cells and points as the arrays have tuples */

  int64_t MeshCells = 0;        /**< of a mesh: the number of its cells, without copies; else 0 */
  Values<std::uint8_t> Outside; /**< of a mesh: Count flags, as the core has them; else NULL */
  Values<float> Inside; /**< of a mesh: 1: the point lies in it; NULL: nobody wants to know */
  Values<std::int64_t> Source; /**< of a mesh: the cell of the input whose tuple each cell has;
                                  NULL: nobody wants to know */
  Values<double> PointPlaces, CellPlaces; /**< of a mesh: where its points and cells lie; NULL if
                                             there are no point or cell arrays */
  vtkSmartPointer<vtkDataSet> Samples;    /**< of a mesh: its arrays, in the order of those of Data;
                                               else NULL */
  tsr_grid_octree Core;           /**< shows the members above to the core; set by Describe */
  std::shared_ptr<GridMesh> Mesh; /**< the mesh, if cells are to be cut at its surface; else NULL */
  double MeshCellSize = 0.0;      /**< what the lattice was made of: as MeshWishes has them */
  double MeshBounds[6] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0};

  /** Sets the geometry of `view`, and lets it show these cells. They must outlive it. */
  void Describe(tsr_grid_view &view);

  /** The array of the mesh of which `array`, one of Data, was made; NULL if there is no mesh. */
  vtkAbstractArray *SamplesOf(vtkAbstractArray *array, bool cells) const;

  /** The coordinates along each axis, for the core; NULL if they are at equal distances. */
  const double *const *Axes();

private:
  const double *AxisPointers[3] = {nullptr, nullptr, nullptr};
};

/** A dataset without cells or points that says how many tuples its point and cell arrays have. */
vtkSmartPointer<vtkDataSet> NewOctreeArrays(vtkIdType points, vtkIdType cells);

/** Is it a kind of dataset that may hold cells of several sizes: AMR, a hyper tree grid or an
 * unstructured grid? */
bool HoldsOctree(vtkDataObject *data);

/** What the conversion needs besides the dataset. */
struct OctreeContext {
  const Processes &Group;
  ThreadRunner &Runner;
  WarningList &Messages;
  tsr_error &Error;
};

/**
 * Converts the datasets of all processes to one list of cells, which each process gets whole.
 *
 * data: of this process; NULL or empty if it has none. holders: the processes that are to get the
 * list; the others get NULL. mesh: receives, in place of the list, an unstructured grid whose cells
 * are no boxes that form an octree. Collective. On failure, on any process, the result is NULL and
 * Error is set. If no process has a cell, the result is NULL on all.
 */
std::shared_ptr<GridOctree> MakeOctree(vtkDataObject *data, const std::vector<int> &holders,
                                       OctreeContext &context, std::shared_ptr<GridMesh> &mesh);

/** The steps of MakeOctree for one kind of dataset: the cells that this process has, in the lattice
 * of all processes. `data` may be NULL. Collective; error: as MakeOctree. */
void OctreeOfBlocks(vtkUniformGridAMR *data, GridOctree &tree, OctreeContext &context);
void OctreeOfTrees(vtkHyperTreeGrid *data, GridOctree &tree, OctreeContext &context);
void OctreeOfCells(vtkUnstructuredGrid *data, GridOctree &tree, OctreeContext &context);

/** Replaces the cells of this process by those of all, without copies. Collective. `receives`:
 * does this process get them? */
void GatherOctree(GridOctree &tree, bool receives, OctreeContext &context);

/** Most cells of the finest level along an axis, and most levels: indices are 32-bit. */
constexpr int OCTREE_MOST_BITS = 30;

/** The flags of the points or cells of `data`; NULL if it has none. A ghost array that is unusable
 * is ignored with a warning. where: names the dataset, to follow a sentence; may be empty. */
const unsigned char *GhostsOf(vtkDataObject *data, bool cells, const std::string &where,
                              WarningList &messages);

/** Reads the ghost arrays of `grid`, whose cells are those of `cells`. hidden: receives a flag for
 * each cell, or NULL if there is no ghost array. copies: those of copies of cells of other
 * processes, or NULL if there is no ghost array of cells. */
void ReadGhosts(vtkUnstructuredGrid *grid, const tsr_mesh_view &cells, Values<std::uint8_t> &hidden,
                Values<std::uint8_t> &copies, OctreeContext &context);

/** Says whether the flags of a ghost array hide a cell. A copy of a cell of another process is not
 * hidden by these. */
inline bool IsHiddenCell(unsigned char flags) {
  return (flags & (vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL)) != 0;
}
inline bool IsCopy(unsigned char flags) {
  return (flags & vtkDataSetAttributes::DUPLICATECELL) != 0;
}

} // namespace tessera

#endif
