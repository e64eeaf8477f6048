// SPDX-License-Identifier: BSD-3-Clause
/** How each point array goes along with the curves. */
#ifndef TesseraCurvesModes_h
#define TesseraCurvesModes_h

#include "tessera.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
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

/** A label is an array of integers, one a point, that has few values over all blocks and processes:
 *  at most 32, and on average four points or more have each. Values between two labels mean
 * nothing.
 */
class CurvesModes {
public:
  explicit CurvesModes(const ArrayChoices &choices) : Choices(choices) {}

  /** Looks at the arrays of a block that are in no list. */
  void Add(vtkPointSet *data);

  /** Joins what all processes have seen, which have to call it together. */
  void Agree(const Processes &group);

  /** Texts, flags and identifiers, which mean nothing between two points, go by NEAREST whatever
   * was chosen. */
  tsr_interpolation Of(vtkPointData *data, vtkAbstractArray *array) const;

private:
  struct Seen {
    std::set<int64_t> Values;
    int64_t Points = 0;
    bool Many = false;
  };

  bool IsChosen(const std::string &name) const;
  void AddValues(Seen &seen, vtkDataArray *array);
  static void Join(Seen &seen, int64_t value);

  ArrayChoices Choices;
  std::map<std::string, Seen> Integers;
};

} // namespace tessera

#endif
