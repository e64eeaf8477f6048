// SPDX-License-Identifier: BSD-3-Clause
/** How each point array is interpolated along the curves. */
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

/** Names of arrays for each mode. An array in none of the lists gets the mode Others, unless it is
 * found to be a label. Arrays of the field error never count as labels. */
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

  /** Adds the arrays of a block to those that are known. */
  void Add(vtkPointSet *data);

  /** Combines what all processes have found. Collective. */
  void Agree(const Processes &group, tsr_error &error);

  /** Warnings about names in the lists that no block of any process has. */
  std::vector<std::string> Missing() const;

  /** The mode of an array. Texts, flags and identifiers, which have no meaning between two points,
   * always use NEAREST. */
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
