// SPDX-License-Identifier: BSD-3-Clause
/** What Adaptive Curves tells the user after it has run. */
#include "TesseraCurvesJob.h"

#include <vtkCompositeDataSet.h>

#include <cmath>

namespace tessera {

namespace {

std::string Counted(int64_t count, const char *one, const char *many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/** The note as a sentence. `where`: the place of the first cell. */
std::string OwnSentence(int kind, const tsr_note_count &note, const std::string &where) {
  const std::string first = std::to_string(note.first) + where;
  switch (kind) {
  case CURVES_NOTE_LEFT_OUT:
    return Counted(note.count, "cell is neither a curve nor a vertex and is left out",
                   "cells are neither curves nor vertices and are left out") +
           "; the first is cell " + first + ".";
  case CURVES_NOTE_BAD_CELL:
    return Counted(note.count,
                   "vertex, polygon or strip has point ids out of range and is left out",
                   "vertices, polygons or strips have point ids out of range and are left out") +
           "; the first is cell " + first + ".";
  case CURVES_NOTE_DEGREES:
    return Counted(note.count, "cell has HigherOrderDegrees", "cells have HigherOrderDegrees") +
           " that do not fit the number of points, which is used instead; the first is cell " +
           first + ".";
  default:
    return Counted(note.count,
                   "dataset is neither a polydata nor an unstructured grid and is left out",
                   "datasets are neither polydata nor unstructured grids and are left out") +
           "; the first is" + where + ".";
  }
}

} // namespace

std::vector<std::string> CurvesJob::Warnings() const {
  std::vector<std::string> warnings(this->Messages.begin(), this->Messages.end());
  if (this->Group.Rank() != 0) {
    return warnings;
  }
  const bool composite = vtkCompositeDataSet::SafeDownCast(this->Input) != nullptr;
  for (int kind = 0; kind < CURVES_NOTES; ++kind) {
    const tsr_note_count note = this->AllNotes.Count(kind);
    const std::string where = this->AllNotes.Where(kind, composite, this->Group);
    if (note.count > 0 && kind >= TSR_NOTES) {
      warnings.push_back(OwnSentence(kind, note, where));
    } else if (note.count > 0) {
      char text[500];
      tsr_note_sentence(static_cast<tsr_note>(kind), note, "cell", text, sizeof(text));
      warnings.push_back(text + (where.empty() ? "" : " The first is" + where + "."));
    }
  }
  if (std::isinf(this->Total.Core().tolerance_scale)) {
    warnings.push_back("The point budget of " + std::to_string(this->Settings.PointBudget) +
                       " is too small: the coarsest output has " +
                       std::to_string(this->Total.Core().points) +
                       " points, and that is what was made.");
  }
  this->AddFieldWarnings(warnings);
  return warnings;
}

void CurvesJob::AddFieldWarnings(std::vector<std::string> &warnings) const {
  for (size_t i = 0; i < this->Settings.FieldErrorArrays.size(); ++i) {
    const vtkIdType *counts = &this->FieldCounts[i * (FIELD_IN_USE + 1)];
    const std::string &name = this->Settings.FieldErrorArrays[i];
    if (!this->Settings.Options.use_field_error || counts[FIELD_IN_USE] > 0) {
      continue;
    }
    if (counts[FIELD_NOT_NUMERIC] > 0) {
      warnings.push_back("The point array '" + name +
                         "' is not numeric, so its field error was not considered.");
    } else if (counts[FIELD_UNKNOWN] > 0) {
      warnings.push_back("There is no point array '" + name +
                         "', so its field error was not considered.");
    }
  }
}

} // namespace tessera
