// SPDX-License-Identifier: BSD-3-Clause
/** The point arrays that help to decide how curves are divided: the fields of the field error, and
 * labels. */
#ifndef TesseraCurvesFields_h
#define TesseraCurvesFields_h

#include "frame/data/TesseraArrays.h"

#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
class vtkPointData;
class vtkPointSet;

namespace tessera {

class CurvesModes;

/** A number for each value of an array that the core has no type for. Equal texts get equal
 * numbers. */
std::vector<int64_t> LabelCodes(vtkAbstractArray *array);

/** Result of the search for a name of FieldErrorArrays. */
enum FieldState { FIELD_UNKNOWN = 0, FIELD_NOT_NUMERIC, FIELD_WRONG_LENGTH, FIELD_IN_USE };

/** The arrays of one dataset. */
class CurvesFields {
public:
  /** names: arrays of the field error; empty: all numeric arrays that follow the curve. */
  CurvesFields(vtkPointSet *data, const std::vector<std::string> &names);

  /** The result for each of the names in this dataset. */
  const std::vector<FieldState> &States() const { return this->NameStates; }

  /** Chooses the fields and, with `withLabels`, as labels the arrays that are not interpolated
   * between points. */
  void Choose(const CurvesModes &modes, bool withLabels);

  /** The names of the labels, in the order of the options' labels. */
  const std::vector<std::string> &LabelNames() const { return this->LabelNameList; }

  /** Adds the range of each component of the fields. */
  void AddRanges(tsr_maxima &ranges) const;

  /** Sets fields and labels in the options, which then point to data of this object. */
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
  std::vector<std::string> LabelNameList;
  std::vector<tsr_interpolation> Modes;    /**< of the fields */
  std::vector<std::vector<int64_t>> Codes; /**< numbers in the place of texts */
  std::vector<double> Ranges;
  std::vector<const char *> FieldNames; /**< NULL: an array without a name */
};

} // namespace tessera

#endif
