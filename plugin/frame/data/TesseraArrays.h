// SPDX-License-Identifier: BSD-3-Clause
/**
 * VTK arrays in the form that the core takes: borrowed if the values lie tuple after tuple in
 * memory, otherwise through one copy.
 */
#ifndef TesseraArrays_h
#define TesseraArrays_h

#include "frame/data/TesseraMemory.h"
#include "frame/report/TesseraWarningList.h"
#include "tessera.h"

#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <cstdint>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkCellArray;
class vtkDataArray;
class vtkDataSetAttributes;
class vtkIdList;

namespace tessera {

class ThreadRunner;

/** The core's type for a VTK scalar type. False where it has none (bits, strings, variants). */
bool CoreType(int vtkType, tsr_type &type);

/** A numeric VTK array for the core. Keeps what it borrows alive. */
class ArrayView {
public:
  ArrayView() = default;

  /** Shows `array` to the core. Returns false, and leaves the view absent, if the core has no type
   * for the values. */
  bool Set(vtkDataArray *array);

  const tsr_array &Get() const { return this->View; }

private:
  vtkSmartPointer<vtkDataArray> Holder;
  tsr_array View = {nullptr, TSR_FLOAT, 0, 0};
};

/** A copy of `array` with its values tuple after tuple in memory, converted to the VTK type `type`.
 */
vtkSmartPointer<vtkDataArray> ContiguousCopy(vtkDataArray *array, int type);

/** Offsets and connectivity of a vtkCellArray, both converted to one type that the core takes. */
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

  /** Sets the members of one of the core's structs that describe cells. */
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
 * An array whose number of tuples is not `expected` is left out, and a warning is added to
 * `messages`. `noun`: what a tuple belongs to, "point" or "cell". */
void GatherArrays(vtkDataSetAttributes *in, vtkIdType expected, vtkIdList *ids, const char *noun,
                  vtkDataSetAttributes *out, ThreadRunner &runner, WarningList &messages);

/** True if `array`, one of the arrays of `in`, has `expected` tuples and is the first of its name.
 * Otherwise adds a warning to `messages`. */
bool CheckArray(vtkDataSetAttributes *in, vtkAbstractArray *array, vtkIdType expected,
                const char *noun, WarningList &messages);

/** Adds a generated array. If it replaces an array of the same name, a warning is added to
 * `messages`. */
void AddGenerated(vtkDataSetAttributes *out, vtkAbstractArray *array, WarningList &messages);

/** The name of an array; empty if it has none. */
std::string NameOf(vtkAbstractArray *array);

/** Bytes of one tuple of each array. */
double TupleBytes(vtkDataSetAttributes *data);

/** Adds the finite range of each component of a point array, as the core's field errors take it:
 * the negative of the least value, then the greatest. */
void AddRanges(vtkDataArray *array, tsr_maxima &ranges);

/** VTK type of output points for a precision setting of vtkAlgorithm. wide: input in double. */
int PointType(int precision, bool wide);

bool IsGhostArray(vtkAbstractArray *array);

/** A warning about a ghost array that hides nothing, since it does not have one unsigned char for
 * each of `count` items, called "cell" or "point". */
std::string UnusableGhosts(vtkAbstractArray *array, const std::string &noun, vtkIdType count);

/** For each of `count` points or cells, whether its ghost array has any of the flags. Empty if
 * there is no ghost array with that many values. */
std::vector<std::uint8_t> Flagged(vtkDataSetAttributes *data, vtkIdType count, int flags);

/** Bits of the roles (scalars, normals, ...) that an array has in `data`. */
int RolesOf(vtkDataSetAttributes *data, vtkAbstractArray *array);

/** Gives the array `name` of `data` these roles. */
void SetRoles(vtkDataSetAttributes *data, const char *name, int roles);

/** Gives each array of `out` the roles (scalars, normals, ...) that the array of the same name has
 * in `in`, except the roles in the list `dropped`, which ends in -1. */
void CopyRoles(vtkDataSetAttributes *in, vtkDataSetAttributes *out, const int *dropped);

} // namespace tessera

#endif
