// SPDX-License-Identifier: BSD-3-Clause
#include "frame/data/TesseraDatasets.h"
#include "frame/TesseraVersions.h"
#include "frame/data/TesseraTrees.h"

#include <vtkCellData.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataObjectTreeIterator.h>
#include <vtkDataObjectTypes.h>
#include <vtkFieldData.h>
#include <vtkHyperTreeGrid.h>
#include <vtkInformation.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPartitionedDataSet.h>

#include <algorithm>

namespace tessera {

namespace {

std::string OutputClass(vtkDataObject *input, const char *datasetClass) {
  if (AsTree(input)) {
    return input->GetClassName();
  }
  // Composites that are no trees come out as blocks in their order.
  return AsComposite(input) ? "vtkMultiBlockDataSet" : datasetClass;
}

/** The last composite index among the parts of `node`, which has the index `at`: 0 if it has none.
 */
unsigned int LastPart(vtkDataObject *node, unsigned int at) {
  auto *parts = vtkPartitionedDataSet::SafeDownCast(node);
  return parts ? at + parts->GetNumberOfPartitions() : 0;
}

std::string BlockName(vtkDataObjectTree *tree, unsigned int block) {
  auto it = vtkSmartPointer<vtkDataObjectTreeIterator>::Take(tree->NewTreeIterator());
  it->VisitOnlyLeavesOff();
  it->SkipEmptyNodesOff();
  std::string partsOf;
  unsigned int lastPart = 0;
  for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem()) {
    const unsigned int at = it->GetCurrentFlatIndex();
    vtkInformation *about = it->HasCurrentMetaData() ? it->GetCurrentMetaData() : nullptr;
    const char *given = about ? about->Get(vtkCompositeDataSet::NAME()) : nullptr;
    const std::string name = given ? given : "";
    if (at == block) {
      return name.empty() && at <= lastPart ? partsOf : name;
    }
    if (const unsigned int last = LastPart(it->GetCurrentDataObject(), at)) {
      partsOf = name;
      lastPart = last;
    }
  }
  return "";
}

/** Above the number of a part, from 1 on. */
const int PLACE_BITS = 32;

/** Moves a grid from one object to another; `from` has no trees afterwards. ShallowCopy would make
 * every tree again and visit all nodes to find out which ones hold only masked leaves. That takes
 * longer than the filter itself, and few later filters need it. */
void MoveGrid(vtkHyperTreeGrid *from, vtkHyperTreeGrid *to) {
  to->CopyEmptyStructure(from);
  to->SetMask(from->GetMask());
  MoveTrees(from, to);
  to->GetCellData()->ShallowCopy(from->GetCellData());
  to->GetFieldData()->ShallowCopy(from->GetFieldData());
}

} // namespace

vtkCompositeDataSet *AsComposite(vtkDataObject *data) {
  return vtkUniformGridAMR::SafeDownCast(data) ? nullptr : vtkCompositeDataSet::SafeDownCast(data);
}

std::vector<Dataset> Datasets(vtkDataObject *input) {
  std::vector<Dataset> datasets;
  vtkCompositeDataSet *composite = AsComposite(input);
  if (!composite) {
    datasets.push_back({input, 0});
    return datasets;
  }
  auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem()) {
    datasets.push_back({it->GetCurrentDataObject(), it->GetCurrentFlatIndex()});
  }
  return datasets;
}

Places::Places(vtkDataObject *input) {
  vtkDataObjectTree *tree = AsTree(input);
  if (!tree) {
    return;
  }
  auto it = vtkSmartPointer<vtkDataObjectTreeIterator>::Take(tree->NewTreeIterator());
  it->VisitOnlyLeavesOff();
  it->SkipEmptyNodesOff();
  unsigned int lastPart = LastPart(tree, 0);
  int64_t node = 0, part = 0;
  for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem()) {
    const unsigned int at = it->GetCurrentFlatIndex();
    const bool isPart = at <= lastPart;
    node += isPart ? 0 : 1;
    part = isPart ? part + 1 : 0;
    const int64_t place = (node << PLACE_BITS) + part;
    this->ByBlock[at] = place;
    this->ByPlace[place] = at;
    lastPart = std::max(lastPart, LastPart(it->GetCurrentDataObject(), at));
  }
}

int64_t Places::Of(unsigned int block) const {
  const auto found = this->ByBlock.find(block);
  return found != this->ByBlock.end() ? found->second : int64_t{block} << PLACE_BITS;
}

unsigned int Places::Block(int64_t place) const {
  auto found = this->ByPlace.find(place);
  if (found == this->ByPlace.end()) {
    found = this->ByPlace.find(place >> PLACE_BITS << PLACE_BITS);
  }
  return found != this->ByPlace.end() ? found->second
                                      : static_cast<unsigned int>(place >> PLACE_BITS);
}

std::string BlockText(vtkDataObject *input, unsigned int block) {
  if (!AsComposite(input)) {
    return "";
  }
  vtkDataObjectTree *tree = AsTree(input);
  const std::string name = tree ? BlockName(tree, block) : "";
  return "in block " + std::to_string(block) + (name.empty() ? "" : " (" + name + ")");
}

vtkSmartPointer<vtkDataObject> NewOutput(vtkDataObject *input, const char *datasetClass) {
  return vtkSmartPointer<vtkDataObject>::Take(
      vtkDataObjectTypes::NewDataObject(OutputClass(input, datasetClass).c_str()));
}

bool IsOutputFor(vtkDataObject *output, vtkDataObject *input, const char *datasetClass) {
  return output && OutputClass(input, datasetClass) == output->GetClassName();
}

void SetDatasets(vtkDataObject *input, const std::vector<vtkSmartPointer<vtkDataObject>> &results,
                 vtkDataObject *output) {
  vtkCompositeDataSet *composite = AsComposite(input);
  if (!composite) {
    vtkHyperTreeGrid *trees = vtkHyperTreeGrid::SafeDownCast(results.front());
    if (trees) {
      MoveGrid(trees, vtkHyperTreeGrid::SafeDownCast(output));
    } else if (results.front()) {
      output->ShallowCopy(results.front());
    }
    return;
  }
  if (AsTree(input)) {
    vtkDataObjectTree *tree = AsTree(output);
    tree->CopyStructure(composite);
    auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    size_t dataset = 0;
    for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem()) {
      tree->SetDataSet(it, results[dataset++]);
    }
  } else {
    vtkMultiBlockDataSet *blocks = vtkMultiBlockDataSet::SafeDownCast(output);
    for (size_t dataset = 0; dataset < results.size(); ++dataset) {
      blocks->SetBlock(static_cast<unsigned int>(dataset), results[dataset]);
    }
  }
  output->GetFieldData()->PassData(input->GetFieldData());
}

} // namespace tessera
