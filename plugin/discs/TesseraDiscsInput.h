// SPDX-License-Identifier: BSD-3-Clause
/** Makes the points of all datasets and processes the discs of one image. */
#ifndef TesseraDiscsInput_h
#define TesseraDiscsInput_h

#include "discs/TesseraDiscsSettings.h"
#include "frame/data/TesseraArrays.h"
#include "mpi/TesseraProcesses.h"

#include <set>
#include <string>
#include <vector>

class vtkDataArray;
class vtkPointSet;

namespace tessera {

/** The properties of a disc. */
enum DiscsField {
  DISCS_POINTS = 0,
  DISCS_RADII,
  DISCS_COLORS,
  DISCS_SCALARS,
  DISCS_OPACITIES,
  DISCS_ORDER,
  DISCS_FIELDS
};

/**
 * A single dataset without ghost points on one process is borrowed as it is. Otherwise all values
 * are copied as doubles to process 0, process by process and dataset by dataset.
 */
class DiscsInput {
public:
  explicit DiscsInput(const DiscsSettings &settings);

  /** Adds a dataset. `where`: the name of the dataset for the user, or empty. alone: true if there
   * is no other dataset and only one process. Warnings about missing arrays are added to
   * `messages`. */
  void Add(vtkPointSet *dataset, bool alone, const std::string &where, WarningList &messages);

  /** Sends the discs to process 0. Returns false, with an error, if a chosen array is on no dataset
   * of any process. Collective. */
  bool Gather(const Processes &group, tsr_error &error);

  /** The discs on process 0; no discs on the other processes. */
  const tsr_discs_view &View() const { return this->CoreView; }

private:
  /** An array that was chosen, as far as the dataset has it in a usable form. */
  vtkDataArray *Find(vtkPointSet *dataset, DiscsField field, const std::string &where,
                     WarningList &messages);
  void Borrow(DiscsField field, vtkDataArray *array);
  void Copy(DiscsField field, vtkDataArray *array, const std::vector<vtkIdType> &points);

  const DiscsSettings &Settings;
  std::string Names[DISCS_FIELDS]; /**< empty: the field is not in use */
  vtkIdType Points = 0;
  vtkIdType Found[DISCS_FIELDS] = {};
  std::set<std::string> Problems[DISCS_FIELDS]; /**< why arrays that were chosen do not fit */
  bool Borrowed = false;
  ArrayView Views[DISCS_FIELDS];
  std::vector<double> Values[DISCS_FIELDS];
  tsr_discs_view CoreView;
};

} // namespace tessera

#endif
