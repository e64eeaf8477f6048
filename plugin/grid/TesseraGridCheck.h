// SPDX-License-Identifier: BSD-3-Clause
/** Whether structured datasets, and the parts of one on several processes, can be used. */
#ifndef TesseraGridCheck_h
#define TesseraGridCheck_h

#include "grid/TesseraGridLeaf.h"
#include "mpi/TesseraProcesses.h"

namespace tessera {

/** Does the extent of a dataset hold together, and has a rectilinear grid as many coordinates as
 *  points? Else false with a sentence. */
bool CheckDataset(vtkDataSet *data, tsr_error &error);

/** Is every point that the source announces among those that the processes hold? Their boxes leave
 *  holes to be found elsewhere. */
bool CheckAnnounced(const Extent &announced, const Extent &held, tsr_error &error);

/** Does the image lie where process `teller` has it? Collective; all true for other datasets. */
bool CheckPlace(vtkDataSet *data, int teller, const Processes &processes, tsr_error &error);

/** Are the coordinates of this process those that all agreed on? `first`: index of its first. */
bool CheckAxis(const std::vector<double> &mine, const std::vector<double> &agreed, int axis,
               int64_t first, tsr_error &error);

} // namespace tessera

#endif
