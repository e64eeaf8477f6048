// SPDX-License-Identifier: BSD-3-Clause
/** The boxes of curves, from one execution of a filter to the next. */
#ifndef TesseraCurvesBoxes_h
#define TesseraCurvesBoxes_h

#include <vtkType.h>

#include <array>
#include <map>
#include <tuple>

namespace tessera {

class CurvesDataset;

/**
 * Keeps boxes, since most later executions have the same curves with another tolerance. A box
 * belongs to one state of a dataset: its address, the time of its last change (which differs if
 * another dataset has been allocated at that address), and the choices that decide which curves are
 * valid.
 */
class CurvesBoxes {
public:
  using Box = std::array<double, 6>; /**< xmin xmax ymin ymax zmin zmax */

  /** The box of the dataset; NULL if it is not known. changed: time of the dataset's last change.
   */
  const Box *Find(const CurvesDataset &dataset, vtkMTimeType changed) const;

  void Add(const CurvesDataset &dataset, vtkMTimeType changed, const Box &box);

private:
  using State = std::tuple<const void *, vtkMTimeType, int, bool, bool>;
  static State StateOf(const CurvesDataset &dataset, vtkMTimeType changed);

  std::map<State, Box> Known;
};

} // namespace tessera

#endif
