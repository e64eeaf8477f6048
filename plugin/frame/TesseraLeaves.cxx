// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraLeaves.h"
#include "frame/TesseraTrees.h"
#include "frame/TesseraVersions.h"

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

namespace tessera {

namespace {

std::string OutputClass(vtkDataObject *input, const char *leafClass) {
  if (AsTree(input)) {
    return input->GetClassName();
  }
  // Composites that are no trees (AMR) come out as blocks in their order.
  return vtkCompositeDataSet::SafeDownCast(input) ? "vtkMultiBlockDataSet" : leafClass;
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
    if (auto *parts = vtkPartitionedDataSet::SafeDownCast(it->GetCurrentDataObject())) {
      partsOf = name;
      lastPart = at + parts->GetNumberOfPartitions();
    }
  }
  return "";
}

/** As ShallowCopy, which makes every tree again, and visits every node to find out which ones hold
 * masked leaves only. That takes longer than the filter itself, and few filters after this one need
 * it. `from` has no trees afterwards. */
void MoveGrid(vtkHyperTreeGrid *from, vtkHyperTreeGrid *to) {
  to->CopyEmptyStructure(from);
  to->SetMask(from->GetMask());
  MoveTrees(from, to);
  to->GetCellData()->ShallowCopy(from->GetCellData());
  to->GetFieldData()->ShallowCopy(from->GetFieldData());
}

} // namespace

std::vector<Leaf> Leaves(vtkDataObject *input) {
  std::vector<Leaf> leaves;
  vtkCompositeDataSet *composite = vtkCompositeDataSet::SafeDownCast(input);
  if (!composite) {
    leaves.push_back({input, 0});
    return leaves;
  }
  auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem()) {
    leaves.push_back({it->GetCurrentDataObject(), it->GetCurrentFlatIndex()});
  }
  return leaves;
}

std::string BlockText(vtkDataObject *input, unsigned int block) {
  if (!vtkCompositeDataSet::SafeDownCast(input)) {
    return "";
  }
  vtkDataObjectTree *tree = AsTree(input);
  const std::string name = tree ? BlockName(tree, block) : "";
  return "in block " + std::to_string(block) + (name.empty() ? "" : " (" + name + ")");
}

vtkSmartPointer<vtkDataObject> NewOutput(vtkDataObject *input, const char *leafClass) {
  return vtkSmartPointer<vtkDataObject>::Take(
      vtkDataObjectTypes::NewDataObject(OutputClass(input, leafClass).c_str()));
}

bool IsOutputFor(vtkDataObject *output, vtkDataObject *input, const char *leafClass) {
  return output && OutputClass(input, leafClass) == output->GetClassName();
}

void SetLeaves(vtkDataObject *input, const std::vector<vtkSmartPointer<vtkDataObject>> &results,
               vtkDataObject *output) {
  vtkCompositeDataSet *composite = vtkCompositeDataSet::SafeDownCast(input);
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
    size_t leaf = 0;
    for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem()) {
      tree->SetDataSet(it, results[leaf++]);
    }
  } else {
    vtkMultiBlockDataSet *blocks = vtkMultiBlockDataSet::SafeDownCast(output);
    for (size_t leaf = 0; leaf < results.size(); ++leaf) {
      blocks->SetBlock(static_cast<unsigned int>(leaf), results[leaf]);
    }
  }
  output->GetFieldData()->PassData(input->GetFieldData());
}

} // namespace tessera
