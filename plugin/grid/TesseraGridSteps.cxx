// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridSteps.h"

#include <algorithm>

namespace tessera {

void GridSteps::Begin(const std::vector<double> &times) {
  this->Times = times;
  this->Marks.clear();
  this->Seen = this->Idle = 0;
  this->Count = 0;
  this->Done = false;
}

void GridSteps::SetPiece(int piece, int pieces) {
  if (piece != this->Piece || pieces != this->Pieces) {
    this->Begin(std::vector<double>(this->Times));
  }
  this->Piece = piece;
  this->Pieces = pieces;
}

void GridSteps::Add(int64_t marks, bool again) {
  this->Idle = marks > this->Count ? 1 : this->Idle + 1;
  this->Count = marks;
  ++this->Seen;
  this->Done = (again ? this->Idle : this->Seen) >= this->Times.size();
}

double GridSteps::Progress() const {
  return std::min(1.0, static_cast<double>(this->Seen) / static_cast<double>(this->Times.size()));
}

} // namespace tessera
