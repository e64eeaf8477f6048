// SPDX-License-Identifier: BSD-3-Clause
/** The arrays of several datasets, one behind the other. */
#ifndef TesseraGridJoined_h
#define TesseraGridJoined_h

#include "grid/octree/TesseraGridOctree.h"

#include <vector>

namespace tessera {

/** A dataset whose tuples are copied, and where they go. */
struct JoinedPart {
  vtkDataSet *Data;
  vtkIdType FirstPoint, FirstCell; /**< of its tuples among all */
  const std::uint8_t *Dropped;     /**< a flag for each cell; 1: it is left out; NULL: none is */
};

/** A dataset with the point and cell arrays that all parts have, of this many tuples. Arrays that
 * some part lacks are left out with a warning, and so are ghost arrays, without one. */
vtkSmartPointer<vtkDataSet> JoinArrays(const std::vector<JoinedPart> &parts, vtkIdType points,
                                       vtkIdType cells, OctreeContext &context);

/** True if any part has a point array that JoinArrays would copy. */
bool HavePointArrays(const std::vector<JoinedPart> &parts);

} // namespace tessera

#endif
