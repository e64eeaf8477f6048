// SPDX-License-Identifier: BSD-3-Clause
/** Moving the parts of a structured dataset between processes. */
#ifndef TesseraGridExchange_h
#define TesseraGridExchange_h

#include "grid/TesseraGridLeaf.h"
#include "mpi/TesseraProcesses.h"

namespace tessera {

/**
 * Each process holds one box of points and needs another; where several hold a point, they hold the
 * same values. Numeric arrays only. Every step is collective.
 */
class GridExchange {
public:
  /** have, need: the boxes of all processes. */
  GridExchange(const GridPiece &piece, const std::vector<Extent> &have,
               const std::vector<Extent> &need, const Processes &processes,
               std::set<std::string> &messages);

  /** The dataset of the box that this process needs, or NULL where something failed here. */
  vtkSmartPointer<vtkDataSet> Run(tsr_error &error);

private:
  /** An array that all processes know of. */
  struct Column {
    std::string Name;
    int Place; /**< 0: points, 1: cells, 2: the coordinates of points */
    int Type, Components;
    int Roles; /**< bits of those that it has */
    vtkSmartPointer<vtkDataArray> From, To;
  };

  void AddGhosts();
  void ShareColumns();
  void ReadColumn(const std::string &text);
  void FindColumns(tsr_error &error);
  void CheckCover(tsr_error &error) const;
  void Make();
  void SetPlace();
  void SetAxis(int axis);
  void Move(Column &column);
  void MoveBetween(const Column &column, int source, int target);
  size_t LargestMove() const;
  Extent Common(int place, int source, int target) const;

  const GridPiece &Piece;
  vtkDataSet *Data;
  const std::vector<Extent> &Have, &Need;
  const Processes &Group;
  std::set<std::string> &Messages;
  int Teller; /**< the lowest process that holds anything */
  std::vector<Column> Columns;
  vtkSmartPointer<vtkDataSet> Result;
  std::vector<char> Bytes; /**< on their way between two processes */
};

} // namespace tessera

#endif
