// SPDX-License-Identifier: BSD-3-Clause
/** The point arrays that decide with the curves: what the field error is about, and labels. */
#ifndef TesseraCurvesFields_h
#define TesseraCurvesFields_h

#include "frame/TesseraArrays.h"

#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
class vtkPointData;
class vtkPointSet;

namespace tessera {

class CurvesModes;

/** A number for each value of an array that the core has no type for: equal texts, equal numbers.
 */
std::vector<int64_t> LabelCodes(vtkAbstractArray *array);

/** What became of a name in FieldErrorArrays. */
enum FieldState { FIELD_UNKNOWN = 0, FIELD_NOT_NUMERIC, FIELD_WRONG_LENGTH, FIELD_IN_USE };

/** The arrays of one dataset. */
class CurvesFields {
public:
  /** names: those of the field error; none: all numeric arrays that follow the curve. */
  CurvesFields(vtkPointSet *data, const std::vector<std::string> &names);

  /** What each of the names is here. */
  const std::vector<FieldState> &States() const { return this->NameStates; }

  /** Takes the fields, and where wanted as labels the arrays that do not go on between points. */
  void Choose(const CurvesModes &modes, bool withLabels);

  /** Adds the range of each component of the fields. */
  void AddRanges(tsr_maxima &ranges) const;

  /** Sets fields and labels in the options, which point to what this object has. */
  void Apply(const tsr_maxima &ranges, tsr_curves_options &options);

private:
  FieldState StateOf(vtkAbstractArray *array) const;
  void AddField(vtkAbstractArray *array, tsr_interpolation mode);
  void AddLabels(vtkAbstractArray *array);

  vtkPointSet *Data;
  const std::vector<std::string> Names;
  std::vector<FieldState> NameStates;
  std::vector<vtkDataArray *> Sources; /**< of the fields */
  std::vector<ArrayView> Views;        /**< keep what the next ones point to */
  std::vector<tsr_array> Fields, Labels;
  std::vector<tsr_interpolation> Modes;    /**< of the fields */
  std::vector<std::vector<int64_t>> Codes; /**< numbers in the place of texts */
  std::vector<double> Ranges;
};

} // namespace tessera

#endif
