// SPDX-License-Identifier: BSD-3-Clause
/**
 * VTK arrays as the core sees them: borrowed where the values lie tuple after tuple in memory,
 * through one copy where they do not.
 */
#ifndef TesseraArrays_h
#define TesseraArrays_h

#include "frame/TesseraMemory.h"
#include "tessera.h"

#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkCellArray;
class vtkDataArray;
class vtkDataSetAttributes;
class vtkIdList;

namespace tessera {

class Execution;

/** The core's type for a VTK scalar type. False where it has none (bits, strings, variants). */
bool CoreType(int vtkType, tsr_type &type);

/** A numeric VTK array for the core. Keeps what it borrows alive. */
class ArrayView {
public:
  ArrayView() = default;

  /** False, and an absent view, where the core has no type for the values. */
  bool Set(vtkDataArray *array);

  const tsr_array &Get() const { return this->View; }

private:
  vtkSmartPointer<vtkDataArray> Holder;
  tsr_array View = {nullptr, TSR_FLOAT, 0, 0};
};

/** The same values tuple after tuple, as another type where wanted. */
vtkSmartPointer<vtkDataArray> ContiguousCopy(vtkDataArray *array, int type);

/** Offsets and connectivity of a cell array, both of one type that the core takes. */
class IndexView {
public:
  void Set(vtkCellArray *cells);

  const void *Offsets() const { return this->OffsetsData; }
  const void *Connectivity() const { return this->ConnectivityData; }
  vtkIdType NumberOfCells() const { return this->Cells; }
  vtkIdType NumberOfIds() const { return this->Ids; }
  tsr_type Type() const { return this->IndexType; }

  /** Where cell i begins in the connectivity; i may be NumberOfCells(). */
  vtkIdType Offset(vtkIdType i) const { return this->At(this->OffsetsData, i); }
  vtkIdType Id(vtkIdType i) const { return this->At(this->ConnectivityData, i); }

  /** The cells as the core's structs name them. */
  template <class List> void Describe(List &to) const {
    to.n_cells = this->Cells;
    to.offsets = this->OffsetsData;
    to.connectivity = this->ConnectivityData;
    to.n_connectivity = this->Ids;
    to.index_type = this->IndexType;
  }

private:
  vtkIdType At(const void *data, vtkIdType i) const {
    return this->IndexType == TSR_INT32 ? static_cast<const vtkTypeInt32 *>(data)[i]
                                        : static_cast<const vtkTypeInt64 *>(data)[i];
  }

  vtkSmartPointer<vtkDataArray> OffsetsHolder, ConnectivityHolder;
  const void *OffsetsData = nullptr;
  const void *ConnectivityData = nullptr;
  vtkIdType Cells = 0, Ids = 0;
  tsr_type IndexType = TSR_INT64;
};

/** A new array with the name, type, components, component names, look-up table and keys of `like`,
 *  and room for `tuples` tuples whose values are not set. */
vtkSmartPointer<vtkAbstractArray> NewArrayLike(vtkAbstractArray *like, vtkIdType tuples,
                                               Writer writer = Writer::CPU);

/** Gathers whole tuples of every array of `in`: tuple i of the output is tuple ids[i] of the input.
 *  An array with another number of tuples than `expected` is left out, with a sentence about it in
 *  `messages`. `noun`: what a tuple belongs to, "point" or "cell". */
void GatherArrays(vtkDataSetAttributes *in, vtkIdType expected, vtkIdList *ids, const char *noun,
                  vtkDataSetAttributes *out, Execution &execution, std::set<std::string> &messages);

/** True where `array`, one of `in`, has `expected` tuples and is the first of its name; else there
 * is a sentence about it in `messages`. */
bool CheckArray(vtkDataSetAttributes *in, vtkAbstractArray *array, vtkIdType expected,
                const char *noun, std::set<std::string> &messages);

/** Adds a generated array, which replaces one of the same name with a sentence in `messages`. */
void AddGenerated(vtkDataSetAttributes *out, vtkAbstractArray *array,
                  std::set<std::string> &messages);

/** The name; empty where there is none. */
std::string NameOf(vtkAbstractArray *array);

bool IsGhostArray(vtkAbstractArray *array);

/** Of each of `count` points or cells, whether its ghost array has any of the flags; empty where
 *  there is no ghost array of so many values. */
std::vector<std::uint8_t> Flagged(vtkDataSetAttributes *data, vtkIdType count, int flags);

/** Bits of the roles (scalars, normals, ...) that an array has. */
int RolesOf(vtkDataSetAttributes *data, vtkAbstractArray *array);

/** Gives the array of that name these roles. */
void SetRoles(vtkDataSetAttributes *data, const char *name, int roles);

/** Gives the arrays of `out` the roles (scalars, normals, ...) that those of the same name have in
 *  `in`, except the roles in the `dropped` list, which ends in -1. */
void CopyRoles(vtkDataSetAttributes *in, vtkDataSetAttributes *out, const int *dropped);

} // namespace tessera

#endif
