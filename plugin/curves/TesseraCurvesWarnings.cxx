// SPDX-License-Identifier: BSD-3-Clause
/** What Adaptive Curves tells the user after it has run. */
#include "curves/TesseraCurvesExecution.h"

#include <vtkAlgorithm.h>

#include <cmath>
#include <cstdio>

namespace tessera {

namespace {

/** In the order of CurvesNote. */
const struct {
  const char *One, *Many;
} OWN[static_cast<int>(CURVES_NOTES) - static_cast<int>(TSR_NOTES)] = {
    {"cell is neither a curve nor a vertex and is left out (Adaptive Cells draws surfaces and "
     "volumes)",
     "cells are neither curves nor vertices and are left out (Adaptive Cells draws surfaces and "
     "volumes)"},
    {"vertex, polygon or strip has point ids out of range and is left out",
     "vertices, polygons or strips have point ids out of range and are left out"},
    {"vertex, polygon or strip has a coordinate beyond single precision and is left out",
     "vertices, polygons or strips have coordinates beyond single precision and are left out"},
    {"cell has HigherOrderDegrees that do not fit the number of points, which is used instead",
     "cells have HigherOrderDegrees that do not fit the number of points, which is used instead"},
    {"dataset is neither a polydata nor an unstructured grid and is left out",
     "datasets are neither polydata nor unstructured grids and are left out"},
    {"dataset has another number of rational weights than of points and is left out",
     "datasets have another number of rational weights than of points and are left out"}};

std::string OwnSentence(int kind, const tsr_note_count &note, const std::string &where) {
  const auto &texts = OWN[kind - TSR_NOTES];
  const std::string first = std::to_string(note.first);
  const std::string is = kind == CURVES_NOTE_DATASET ? "; the first is"
                         : kind == CURVES_NOTE_WEIGHTS
                             ? "; the first, with " + first + " weights, is"
                             : "; the first is cell " + first;
  return Counted(note.count, texts.One, texts.Many) + is + where + ".";
}

} // namespace

std::string CurvesExecution::NoteSentence(int kind, const tsr_note_count &note,
                                          const std::string &where) const {
  if (kind >= TSR_NOTES) {
    return OwnSentence(kind, note, where);
  }
  char text[500];
  tsr_note_sentence(static_cast<tsr_note>(kind), note, "cell", text, sizeof(text));
  return WithPlace(text, where);
}

std::vector<std::string> CurvesExecution::Warnings() const {
  std::vector<std::string> warnings = this->Execution::Warnings();
  if (this->Group.Rank() != 0) {
    return warnings;
  }
  if (std::isinf(this->Total.Core().tolerance_scale)) {
    warnings.push_back("The point budget of " + std::to_string(this->Settings.point_budget) +
                       " is too small: the coarsest output has " +
                       std::to_string(this->Total.Core().points) +
                       " points, and that is what was made.");
  }
  if (this->TooCoarse) {
    const bool kept = this->Settings.output_precision == vtkAlgorithm::SINGLE_PRECISION;
    char text[300];
    tsr_rounding_sentence(tsr_curves_rounding(this->LargestPlace), kept, text, sizeof text);
    warnings.emplace_back(text);
  }
  this->AddFieldWarnings(warnings);
  const std::vector<std::string> missing = this->Modes.Missing();
  warnings.insert(warnings.end(), missing.begin(), missing.end());
  return warnings;
}

void CurvesExecution::AddFieldWarnings(std::vector<std::string> &warnings) const {
  for (size_t i = 0; i < this->Settings.FieldErrorArrays.size(); ++i) {
    const vtkIdType *counts = &this->FieldCounts[i * (FIELD_IN_USE + 1)];
    const std::string &name = this->Settings.FieldErrorArrays[i];
    if (!this->Settings.Options.use_field_error || counts[FIELD_IN_USE] > 0) {
      continue;
    }
    if (counts[FIELD_NOT_NUMERIC] > 0) {
      warnings.push_back("The point array '" + name +
                         "' is not numeric, so its field error was not considered.");
    } else if (counts[FIELD_UNKNOWN] > 0 && counts[FIELD_WRONG_LENGTH] == 0) {
      warnings.push_back("There is no point array '" + name +
                         "', so its field error was not considered.");
    }
  }
}

} // namespace tessera
