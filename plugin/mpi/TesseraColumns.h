// SPDX-License-Identifier: BSD-3-Clause
/** The arrays that processes hold parts of. */
#ifndef TesseraColumns_h
#define TesseraColumns_h

#include "mpi/TesseraProcesses.h"

#include <vtkAbstractArray.h>

#include <cstdlib>
#include <vector>

namespace tessera {

/** An array's description for the core. The name is borrowed. */
inline tsr_column ColumnOf(vtkAbstractArray *array, int roles) {
  return {array->GetName() ? array->GetName() : "", array->GetDataType(),
          array->GetNumberOfComponents(), roles};
}

/** The arrays of all processes that hold data, in the order of the first process that has each. */
class Columns {
public:
  /** mine: the arrays of this process, which count if it `holds` data. On failure the list is empty
   * and `error` is set. Collective. */
  Columns(const Processes &processes, bool holds, const std::vector<tsr_column> &mine,
          tsr_error &error) {
    const tsr_processes group = processes.Core();
    tsr_columns_agree(&group, holds, mine.data(), static_cast<int>(mine.size()), &this->All,
                      &this->Count, &error);
  }
  ~Columns() { std::free(this->All); }
  Columns(const Columns &) = delete;
  Columns &operator=(const Columns &) = delete;

  const tsr_common_column *begin() const { return this->All; }
  const tsr_common_column *end() const { return this->All + this->Count; }

private:
  tsr_common_column *All = nullptr;
  int Count = 0;
};

} // namespace tessera

#endif
