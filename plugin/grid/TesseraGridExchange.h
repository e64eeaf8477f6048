// SPDX-License-Identifier: BSD-3-Clause
/** Moving the parts of a structured dataset between processes. */
#ifndef TesseraGridExchange_h
#define TesseraGridExchange_h

#include "frame/report/TesseraWarningList.h"
#include "grid/TesseraGridPieces.h"

namespace tessera {

/**
 * Each process holds one box of points and needs another one. Points that several processes hold
 * have the same values on all of them. Only numeric arrays are moved. An array that is missing on
 * any process that holds points is dropped; a warning names it. Every step is collective.
 */
class GridExchange {
public:
  GridExchange(vtkDataSet *data, const tsr_grid_shares &shares, const Processes &processes,
               WarningList &messages)
      : Data(data), Shares(shares), Group(processes), Messages(messages) {}

  /** Moves the data. Returns the dataset of the box that this process needs, or NULL if something
   * failed on this process. */
  vtkSmartPointer<vtkDataSet> Run(tsr_error &error);

  /** To be called instead of Run if each process already holds what it needs: returns the dataset
   * with the arrays that all processes have, in the same order on all. */
  vtkSmartPointer<vtkDataSet> Keep(tsr_error &error);

private:
  /** An array that is moved; all processes have the same list. */
  struct Column {
    std::string Name;
    int Place; /**< 0: points, 1: cells, 2: the coordinates of points, 3 to 5: those of an axis */
    int Type, Components;
    int Roles; /**< bits of its roles (scalars, normals, ...) */
    vtkSmartPointer<vtkDataArray> From, To;
  };

  void AddGhosts();

  /** Lists this process's arrays that may become columns. Their names get the number of the place
   * in front. */
  void AddArrays(int place, std::vector<tsr_column> &mine, std::vector<std::string> &names);
  void ShareColumns(tsr_error &error);
  void AddColumn(const tsr_common_column &one);
  bool HasColumnsOnly() const;
  void FindColumns(tsr_error &error);
  void Make();
  void MakeAxis(Column &column);
  bool AnyCells() const;

  vtkDataSet *Data;
  const tsr_grid_shares &Shares;
  const Processes &Group;
  WarningList &Messages;
  std::vector<Column> Columns;
  vtkSmartPointer<vtkDataSet> Result;
};

} // namespace tessera

#endif
