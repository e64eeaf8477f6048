// SPDX-License-Identifier: BSD-3-Clause
/** The points of all leaves and processes as the discs of one image. */
#ifndef TesseraDiscsInput_h
#define TesseraDiscsInput_h

#include "discs/TesseraDiscsSettings.h"
#include "frame/TesseraArrays.h"
#include "mpi/TesseraProcesses.h"

#include <set>
#include <string>
#include <vector>

class vtkDataArray;
class vtkPointSet;

namespace tessera {

/** What a disc has. */
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
 * A lone dataset without ghost points is borrowed as it is. Of several, or of several processes,
 * all values are copied as doubles: leaf by leaf, process by process, to process 0.
 */
class DiscsInput {
public:
  explicit DiscsInput(const DiscsSettings &settings);

  /** Adds a leaf. `where`: the leaf for the user, or nothing. alone: there is no other leaf, and
   * one process. Sentences about what is missing go to `messages`. */
  void Add(vtkPointSet *leaf, bool alone, const std::string &where,
           std::set<std::string> &messages);

  /** Brings the discs to process 0. False, with a sentence in `error`, where no leaf of any process
   *  has an array that was chosen. Collective. */
  bool Gather(const Processes &group, tsr_error &error);

  /** On process 0 the discs; on the others none. */
  const tsr_discs_view &View() const { return this->CoreView; }

private:
  /** An array that was chosen, as far as the leaf has it in a usable form. */
  vtkDataArray *Find(vtkPointSet *leaf, DiscsField field, const std::string &where,
                     std::set<std::string> &messages);
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
