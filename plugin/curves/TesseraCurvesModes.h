// SPDX-License-Identifier: BSD-3-Clause
/** How each point array goes along with the curves. */
#ifndef TesseraCurvesModes_h
#define TesseraCurvesModes_h

#include "tessera.h"

#include <string>
#include <vector>

class vtkAbstractArray;
class vtkPointData;
class vtkPointSet;

namespace tessera {

/** Arrays by name; what is in none of the lists follows Others, or is found to be a label. Those of
 *  the field error are none. */
struct ArrayChoices {
  std::vector<std::string> Curve, Linear, Nearest, Fields;
  tsr_interpolation Others;
};

/** The core's modes, for VTK's arrays. */
class CurvesModes {
public:
  explicit CurvesModes(const ArrayChoices &choices);
  ~CurvesModes() { tsr_modes_free(this->Core); }
  CurvesModes(const CurvesModes &) = delete;
  CurvesModes &operator=(const CurvesModes &) = delete;

  /** Looks at the arrays of a block. */
  void Add(vtkPointSet *data);

  /** Joins what all processes have seen. Collective. */
  void Agree(const tsr_processes &group, tsr_error &error) {
    tsr_modes_agree(this->Core, &group, &error);
  }

  /** Texts, flags and identifiers, which mean nothing between two points, go by NEAREST whatever
   * was chosen. */
  tsr_interpolation Of(vtkPointData *data, vtkAbstractArray *array) const;

private:
  tsr_modes *Core = nullptr;
};

} // namespace tessera

#endif
