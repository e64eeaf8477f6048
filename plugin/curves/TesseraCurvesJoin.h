// SPDX-License-Identifier: BSD-3-Clause
/** Lines of two points joined into polylines, before they become curves. */
#ifndef TesseraCurvesJoin_h
#define TesseraCurvesJoin_h

#include "frame/data/TesseraArrays.h"
#include "frame/report/TesseraNotes.h"

#include <cstdint>
#include <vector>

class vtkDataSetAttributes;

namespace tessera {

/** The cells of a view after joining. */
class CurvesJoin {
public:
  CurvesJoin();
  ~CurvesJoin();
  CurvesJoin(const CurvesJoin &) = delete;
  CurvesJoin &operator=(const CurvesJoin &) = delete;

  /** Joins the lines of `cells`, whose values in the arrays of `data` have to agree. roles: a
   *  tsr_join_role a cell, or empty = all are lines. firstCell: the cell of the dataset that the
   *  first one is. */
  bool Make(const IndexView &cells, vtkIdType points, const std::vector<uint8_t> &roles,
            vtkDataSetAttributes *data, vtkIdType firstCell, tsr_error &error);

  /** True if anything was joined. The following functions are of use only then. */
  bool IsJoined() const { return this->Result.n_joined > 0; }
  const tsr_join &Get() const { return this->Result; }

  /** For each cell array, the joints that were kept since its values differ there. */
  const NamedCounts &Apart() const { return this->KeptApart; }

  /** Number of the view's cell that is the item, or with which the item begins. */
  vtkIdType Cell(int64_t item) const { return this->IsJoined() ? this->Result.cells[item] : item; }

private:
  tsr_join Result;
  NamedCounts KeptApart;
};

} // namespace tessera

#endif
