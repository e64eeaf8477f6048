// SPDX-License-Identifier: BSD-3-Clause
/** How each point array goes along with the curves. */
#ifndef TesseraCurvesModes_h
#define TesseraCurvesModes_h

#include "tessera.h"

#include <vtkType.h>

#include <string>
#include <vector>

class vtkAbstractArray;
class vtkPointData;
class vtkPointSet;

namespace tessera {

class Processes;

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
  void Agree(const Processes &group, tsr_error &error);

  /** Sentences about names in the lists that no block of any process has. */
  std::vector<std::string> Missing() const;

  /** Texts, flags and identifiers, which mean nothing between two points, go by NEAREST whatever
   * was chosen. */
  tsr_interpolation Of(vtkPointData *data, vtkAbstractArray *array) const;

private:
  struct Choice {
    std::string Name, List;
  };

  tsr_modes *Core = nullptr;
  std::vector<Choice> Choices;
  std::vector<vtkIdType> Found; /**< blocks that have the array of each choice; those with points */
};

} // namespace tessera

#endif
