// SPDX-License-Identifier: BSD-3-Clause
/** The second output of a filter: what it made, as a table for charts. */
#ifndef TesseraTables_h
#define TesseraTables_h

#include "frame/TesseraExecution.h"
#include "tessera.h"

#include <vtkType.h>

#include <string>
#include <vector>

class vtkDataObject;
class vtkInformation;
class vtkInformationVector;
class vtkTable;

namespace tessera {

/** The table of a second port; NULL where there is no such port. */
vtkTable *SummaryTable(vtkInformationVector *outputs);

/** Sees to it that a second port has a table. */
void MakeSummaryTable(vtkInformationVector *outputs);

/** A request for one port means all: they are made together, once. */
void FollowPort(vtkInformation *request, vtkInformationVector *outputs);

/** Adds a column. */
void AddColumn(vtkTable *table, const std::string &name, const std::vector<vtkIdType> &counts);
void AddColumn(vtkTable *table, const std::string &name, const std::vector<double> &numbers);

/** The columns Level, Cells and Share, a row a level. cells: of each level. */
void AddLevels(vtkTable *table, const std::vector<vtkIdType> &cells);

/** Polylines by their number of segments. */
class PolylineClasses {
public:
  /** Adds what is known already. */
  void Add(const tsr_polyline_class found[TSR_POLYLINE_CLASSES]);

  /** Adds those of a polydata, or of nothing at all. */
  void Add(vtkDataObject *output, Execution &execution, tsr_error &error);

  /** Adds up over all processes. Collective. */
  void Agree(const tsr_processes &processes);

  /** A row a class, from the first to the last that is not empty. */
  void Fill(vtkTable *table) const;

private:
  tsr_polyline_class Classes[TSR_POLYLINE_CLASSES] = {};
};

} // namespace tessera

#endif
