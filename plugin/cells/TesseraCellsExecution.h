// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Adaptive Cells over all datasets and processes. */
#ifndef TesseraCellsExecution_h
#define TesseraCellsExecution_h

#include "cells/TesseraCellsDataset.h"
#include "frame/run/TesseraExecution.h"

#include <memory>

namespace tessera {

class CellsExecution : public Execution {
public:
  CellsExecution(vtkDataObject *input, const CellsSettings &settings, ThreadRunner &runner);
  ~CellsExecution() override { tsr_maxima_free(&this->Ranges); }

  bool Run() override;
  std::vector<std::string> Warnings() const override;

  /** Curved faces that were drawn, of all processes. */
  vtkIdType Faces() const { return this->CurvedFaces; }

private:
  std::string NoteSentence(int kind, const tsr_note_count &note,
                           const std::string &where) const override;
  void Collect();
  void ShareBox();
  void ShareRanges();
  bool MakePlans();
  bool FitBudget();
  bool IsWithinLimit(bool counted);
  bool FillAll();
  void Conclude();

  const CellsSettings Settings;
  std::vector<std::unique_ptr<CellsDataset>> Cells; /**< one a dataset, NULL if not supported */
  double ReferenceLength = 0.0; /**< diagonal of the box of all points; 0: not finite */
  double LargestPlace = 0.0;    /**< largest magnitude of a coordinate; 0: not finite */
  tsr_maxima Ranges = {};       /**< of the fields, by name */
  std::vector<vtkIdType> Found; /**< datasets that have the array, for each of FieldErrorArrays */
  vtkIdType CurvedFaces = 0;
  double BudgetScale = 1.0;
};

} // namespace tessera

#endif
