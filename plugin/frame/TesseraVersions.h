// SPDX-License-Identifier: BSD-3-Clause
/** What differs between the versions of VTK that the plugin is built with: 9.2 (ParaView 5.11)
 * to 9.6 (6.1). Nothing else in the plugin asks for a version. */
#ifndef TesseraVersions_h
#define TesseraVersions_h

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkDataObjectTree.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGridScales.h>
#include <vtkIdTypeArray.h>
#include <vtkOverlappingAMR.h>
#include <vtkSmartPointer.h>
#include <vtkStructuredData.h>
#include <vtkUniformGridAMR.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkVersionMacros.h>
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
#include <vtkUniformGridAMRIterator.h>
#else
#include <vtkUniformGridAMRDataIterator.h>
#endif

#include <memory>
#include <vector>

namespace tessera {

/** VTK's words for the axes along which a grid has cells. */
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
constexpr int XY_PLANE = vtkStructuredData::VTK_STRUCTURED_XY_PLANE;
constexpr int XZ_PLANE = vtkStructuredData::VTK_STRUCTURED_XZ_PLANE;
constexpr int YZ_PLANE = vtkStructuredData::VTK_STRUCTURED_YZ_PLANE;
constexpr int XYZ_GRID = vtkStructuredData::VTK_STRUCTURED_XYZ_GRID;
#else
constexpr int XY_PLANE = VTK_XY_PLANE;
constexpr int XZ_PLANE = VTK_XZ_PLANE;
constexpr int YZ_PLANE = VTK_YZ_PLANE;
constexpr int XYZ_GRID = VTK_XYZ_GRID;
#endif

/** What NewIterator() of vtkUniformGridAMR returns: goes over datasets, and knows their levels. */
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
using AMRIterator = vtkUniformGridAMRIterator;
#else
using AMRIterator = vtkUniformGridAMRDataIterator;
#endif

/** Gives `amr` its levels, with blocks[level] empty blocks each. */
inline void SetLevels(vtkOverlappingAMR *amr, const std::vector<unsigned int> &blocks) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
  amr->Initialize(blocks);
#else
  const std::vector<int> counts(blocks.begin(), blocks.end());
  amr->Initialize(static_cast<int>(counts.size()), counts.data());
#endif
}

/** A tree of one node for a hyper tree grid with this number of dimensions. branches: into how many
 * nodes a node divides along each axis. */
inline vtkSmartPointer<vtkHyperTree> MakeTree(unsigned char branches, unsigned char dimensions) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
  auto tree = vtkSmartPointer<vtkHyperTree>::New();
  tree->Initialize(branches, dimensions);
  return tree;
#else
  return vtkSmartPointer<vtkHyperTree>::Take(vtkHyperTree::CreateInstance(branches, dimensions));
#endif
}

/** Makes `tree` the only owner of its data, which copies that VTK made share with it. Returns false
 * if that is not possible, or if the tree itself has another owner. */
inline bool MakeOurs(vtkHyperTree *tree) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
  (void)tree; // copies share its structure as well, and nobody can tell whether there are any
  return false;
#else
  class Opened : public vtkHyperTree {
  public:
    static std::shared_ptr<vtkHyperTreeData> &DataOf(vtkHyperTree *one) {
      return one->*(&Opened::Datas);
    }
  };
  if (tree->GetReferenceCount() != 1) {
    return false;
  }
  std::shared_ptr<vtkHyperTreeData> &data = Opened::DataOf(tree);
  if (data.use_count() > 1) {
    data = std::make_shared<vtkHyperTreeData>(*data);
  }
  return true;
#endif
}

/** Computes the sizes of cells of all levels below `levels` ahead of time. Several threads can then
 * ask for them without changing `scales`. */
inline void PrepareScales(vtkHyperTreeGridScales *scales, unsigned int levels) {
  // Level by level: VTK makes one from that before.
  for (unsigned int level = scales->GetCurrentFailLevel(); level < levels; ++level) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
    scales->ComputeScale(level);
#else
    scales->GetScale(level);
#endif
  }
}

/** `data` as a vtkDataObjectTree; NULL if it is of another class. AMR counts as another class,
 * though VTK derives it from vtkDataObjectTree from 9.6 on: its datasets can only be images. */
inline vtkDataObjectTree *AsTree(vtkDataObject *data) {
  return vtkUniformGridAMR::SafeDownCast(data) ? nullptr : vtkDataObjectTree::SafeDownCast(data);
}

/** The array of the types of the cells of `grid`; NULL if it has none. */
inline vtkDataArray *CellTypesArray(vtkUnstructuredGrid *grid) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
  return vtkDataArray::SafeDownCast(grid->GetCellTypes());
#else
  return grid->GetCellTypesArray();
#endif
}

/** The types of all cells of `grid`. They are stored in `made` if VTK has no array of them. */
inline const unsigned char *CellTypes(vtkUnstructuredGrid *grid, std::vector<unsigned char> &made) {
  const vtkIdType cells = grid->GetNumberOfCells();
  auto *types = vtkUnsignedCharArray::SafeDownCast(CellTypesArray(grid));
  if (types && types->GetNumberOfValues() >= cells) {
    return types->GetPointer(0);
  }
  made.resize(static_cast<size_t>(cells));
  for (vtkIdType cell = 0; cell < cells; ++cell) {
    made[static_cast<size_t>(cell)] = static_cast<unsigned char>(grid->GetCellType(cell));
  }
  return made.data();
}

/** Sets the cells of `grid`, none of them a polyhedron. VTK's simpler call first searches the types
 * for polyhedra, which takes longer than a device takes to make the whole grid. */
inline void SetCells(vtkUnstructuredGrid *grid, vtkUnsignedCharArray *types, vtkCellArray *cells) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 3, 20240617)
  grid->SetPolyhedralCells(types, cells, nullptr, nullptr);
#else
  grid->SetCells(types, cells, nullptr, nullptr);
#endif
}

/** Calls visit(n, ids) for each face of the polyhedron `cell` of `grid`, with the face's n points.
 * Returns false if the faces are missing or lead beyond their array. For several threads only where
 * FacesAreShared() says so. */
template <class Visit>
bool ForFaces(vtkUnstructuredGrid *grid, vtkIdType cell, const Visit &visit) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 3, 20240617)
  vtkCellArray *faces = grid->GetPolyhedronFaces(), *of = grid->GetPolyhedronFaceLocations();
  if (!faces || !of || cell >= of->GetNumberOfCells()) {
    return false;
  }
  vtkIdType count, size;
  const vtkIdType *numbers, *ids;
  of->GetCellAtId(cell, count, numbers);
  for (vtkIdType i = 0; i < count; ++i) {
    if (numbers[i] < 0 || numbers[i] >= faces->GetNumberOfCells()) {
      return false;
    }
    faces->GetCellAtId(numbers[i], size, ids);
    visit(size, ids);
  }
  return true;
#else
  vtkIdTypeArray *faces = grid->GetFaces(), *of = grid->GetFaceLocations();
  const vtkIdType end = faces ? faces->GetNumberOfValues() : 0;
  vtkIdType at = of && cell < of->GetNumberOfValues() ? of->GetValue(cell) : -1;
  if (at < 0 || at >= end) {
    return false;
  }
  const vtkIdType count = faces->GetValue(at++);
  for (vtkIdType i = 0; i < count; ++i) {
    const vtkIdType size = at < end ? faces->GetValue(at++) : -1;
    if (size < 0 || size > end - at) {
      return false;
    }
    visit(size, faces->GetPointer(at));
    at += size;
  }
  return true;
#endif
}

/** May several threads ask for faces of `grid` at once? Ids of another type than vtkIdType go
 * through one buffer of VTK's. */
inline bool FacesAreShared(vtkUnstructuredGrid *grid) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 3, 20240617)
  vtkCellArray *faces = grid->GetPolyhedronFaces(), *of = grid->GetPolyhedronFaceLocations();
  return faces && of && faces->IsStorageShareable() && of->IsStorageShareable();
#else
  (void)grid;
  return true;
#endif
}

/** True if the user wants to abort `filter`: through the GUI or, from 9.2.20230111 on, also through
 * an algorithm before or after it in the pipeline. */
inline bool IsAborted(vtkAlgorithm *filter) {
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 2, 20230111)
  return filter->GetAbortExecute() != 0 || filter->CheckAbort();
#else
  return filter->GetAbortExecute() != 0;
#endif
}

} // namespace tessera

#endif
