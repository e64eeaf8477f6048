// SPDX-License-Identifier: BSD-3-Clause
/** The second output of a filter: a table for charts that summarizes what the filter made. */
#ifndef TesseraTables_h
#define TesseraTables_h

#include "frame/run/TesseraThreadRunner.h"
#include "tessera.h"

#include <vtkType.h>

#include <string>
#include <vector>

class vtkDataObject;
class vtkInformation;
class vtkInformationVector;
class vtkTable;

namespace tessera {

/** The table of the second port; NULL if the filter has no second port. */
vtkTable *SummaryTable(vtkInformationVector *outputs);

/** Makes sure that the second port, if there is one, has a table. */
void MakeSummaryTable(vtkInformationVector *outputs);

/** Turns a request for one port into a request for all ports: one execution makes all outputs. */
void FollowPort(vtkInformation *request, vtkInformationVector *outputs);

/** Adds a column. */
void AddColumn(vtkTable *table, const std::string &name, const std::vector<vtkIdType> &counts);
void AddColumn(vtkTable *table, const std::string &name, const std::vector<double> &numbers);

/** Adds the columns Level, Cells and Share, with one row for each level. cells: number of cells of
 * each level. */
void AddLevels(vtkTable *table, const std::vector<vtkIdType> &cells);

/** Counts polylines in classes by their number of segments. */
class PolylineClasses {
public:
  /** Adds classes that were counted elsewhere. */
  void Add(const tsr_polyline_class found[TSR_POLYLINE_CLASSES]);

  /** Adds the polylines of a vtkPolyData; any other output has none. */
  void Add(vtkDataObject *output, ThreadRunner &runner, tsr_error &error);

  /** Adds up over all processes. Collective. */
  void Agree(const tsr_processes &processes);

  /** Fills the table with one row for each class, from the first class with polylines to the last.
   */
  void Fill(vtkTable *table) const;

private:
  tsr_polyline_class Classes[TSR_POLYLINE_CLASSES] = {};
};

} // namespace tessera

#endif
