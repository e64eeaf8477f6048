// SPDX-License-Identifier: BSD-3-Clause
/** Moving the parts of a structured dataset between processes. */
#ifndef TesseraGridExchange_h
#define TesseraGridExchange_h

#include "grid/TesseraGridPieces.h"

namespace tessera {

/**
 * Each process holds one box of points and needs another; where several hold a point, they hold the
 * same values. Numeric arrays only move. Arrays that not all have who hold something are left out,
 * with a sentence. Every step is collective.
 */
class GridExchange {
public:
  GridExchange(vtkDataSet *data, const tsr_grid_shares &shares, const Processes &processes,
               std::set<std::string> &messages)
      : Data(data), Shares(shares), Group(processes), Messages(messages) {}

  /** The dataset of the box that this process needs, or NULL where something failed here. */
  vtkSmartPointer<vtkDataSet> Run(tsr_error &error);

  /** Where each holds what it needs: the dataset with the arrays that all have, in one order. */
  vtkSmartPointer<vtkDataSet> Keep(tsr_error &error);

private:
  /** An array that all processes know of. */
  struct Column {
    std::string Name;
    int Place; /**< 0: points, 1: cells, 2: the coordinates of points, 3 to 5: those of an axis */
    int Type, Components;
    int Roles; /**< bits of those that it has */
    vtkSmartPointer<vtkDataArray> From, To;
  };

  void AddGhosts();

  /** The arrays of this process that may become columns; their names get the place in front. */
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
  std::set<std::string> &Messages;
  std::vector<Column> Columns;
  vtkSmartPointer<vtkDataSet> Result;
};

} // namespace tessera

#endif
