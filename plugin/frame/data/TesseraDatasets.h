// SPDX-License-Identifier: BSD-3-Clause
/** The datasets of an input: the input itself if it is a dataset, or the datasets of a composite.
 */
#ifndef TesseraDatasets_h
#define TesseraDatasets_h

#include <vtkSmartPointer.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class vtkCompositeDataSet;
class vtkDataObject;

namespace tessera {

struct Dataset {
  vtkDataObject *Data;
  unsigned int Block; /**< composite (flat) index; 0 where the input is no composite */
};

/** `data` as a composite; NULL if it is none. AMR is none: its blocks together are one dataset. */
vtkCompositeDataSet *AsComposite(vtkDataObject *data);

/** The input itself, or the non-empty datasets of a composite in its own order. */
std::vector<Dataset> Datasets(vtkDataObject *input);

/**
 * Numbers the blocks of a composite such that they have the same number, their place, on all
 * processes. Composite indices are not the same: a partitioned dataset may have a different number
 * of parts on each process, which shifts all indices after it.
 */
class Places {
public:
  explicit Places(vtkDataObject *input);

  int64_t Of(unsigned int block) const;

  /** The composite index of a place. For a part that this process does not have, that of its
   * partitioned dataset. */
  unsigned int Block(int64_t place) const;

private:
  std::map<unsigned int, int64_t> ByBlock;
  std::map<int64_t, unsigned int> ByPlace;
};

/** Names a block for the user: "in block 3 (wing)", by its own name or, for an unnamed part of a
 * partitioned dataset, the name of that dataset. Empty if `input` is no composite. */
std::string BlockText(vtkDataObject *input, unsigned int block);

/** An empty object of the class that the output for `input` has: `datasetClass` for a dataset, a
 *  composite of the same kind for a composite. input: NULL stands for a dataset. */
vtkSmartPointer<vtkDataObject> NewOutput(vtkDataObject *input, const char *datasetClass);

/** True where `output` is of the class that NewOutput gives. */
bool IsOutputFor(vtkDataObject *output, vtkDataObject *input, const char *datasetClass);

/** Puts the results, one for each dataset of `input` (NULL = none), into `output` at the same
 * places. For a composite that is no tree, the output has them as blocks in its order. If the only
 * result is a hyper tree grid, the output takes over its trees. */
void SetDatasets(vtkDataObject *input, const std::vector<vtkSmartPointer<vtkDataObject>> &results,
                 vtkDataObject *output);

} // namespace tessera

#endif
