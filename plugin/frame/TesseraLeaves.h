// SPDX-License-Identifier: BSD-3-Clause
/** The datasets in an input, which may be one dataset or a composite of them. */
#ifndef TesseraLeaves_h
#define TesseraLeaves_h

#include <vtkSmartPointer.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class vtkDataObject;

namespace tessera {

struct Leaf {
  vtkDataObject *Data;
  unsigned int Block; /**< composite (flat) index; 0 where the input is no composite */
};

/** The input itself, or the non-empty leaves of a composite in its own order. */
std::vector<Leaf> Leaves(vtkDataObject *input);

/**
 * Where the blocks of a composite are, by numbers that are the same on all processes. Composite
 * indices are not: a partitioned dataset may have another number of parts on each, and shifts what
 * comes after it.
 */
class Places {
public:
  explicit Places(vtkDataObject *input);

  int64_t Of(unsigned int block) const;

  /** The composite index; of a part that is not here that of its partitioned dataset. */
  unsigned int Block(int64_t place) const;

private:
  std::map<unsigned int, int64_t> ByBlock;
  std::map<int64_t, unsigned int> ByPlace;
};

/** A block for the user: "in block 3 (wing)", by its name or, where a part of a partitioned dataset
 *  has none, by that of the dataset; nothing where `input` is no composite. */
std::string BlockText(vtkDataObject *input, unsigned int block);

/** An empty object of the class that the output for `input` has: `leafClass` for a dataset, a
 *  composite of the same kind for a composite. */
vtkSmartPointer<vtkDataObject> NewOutput(vtkDataObject *input, const char *leafClass);

/** True where `output` is of the class that NewOutput gives. */
bool IsOutputFor(vtkDataObject *output, vtkDataObject *input, const char *leafClass);

/** Puts the results, one per leaf of `input` (NULL = none), into `output`, in the same places; of a
 *  composite that is no tree as blocks in its order. Of a lone result that is a hyper tree grid the
 *  output takes the trees. */
void SetLeaves(vtkDataObject *input, const std::vector<vtkSmartPointer<vtkDataObject>> &results,
               vtkDataObject *output);

} // namespace tessera

#endif
