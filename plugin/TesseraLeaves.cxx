// SPDX-License-Identifier: BSD-3-Clause
#include "TesseraLeaves.h"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataObjectTree.h>
#include <vtkDataObjectTypes.h>
#include <vtkFieldData.h>

#include <string>

namespace tessera {

namespace {

std::string OutputClass(vtkDataObject *input, const char *leafClass) {
  if (vtkDataObjectTree::SafeDownCast(input)) {
    return input->GetClassName();
  }
  // Composites that are no trees (AMR) hold images only, so nothing of their structure is needed.
  return vtkCompositeDataSet::SafeDownCast(input) ? "vtkMultiBlockDataSet" : leafClass;
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

vtkSmartPointer<vtkDataObject> NewOutput(vtkDataObject *input, const char *leafClass) {
  return vtkSmartPointer<vtkDataObject>::Take(
      vtkDataObjectTypes::NewDataObject(OutputClass(input, leafClass).c_str()));
}

bool IsOutputFor(vtkDataObject *output, vtkDataObject *input, const char *leafClass) {
  return output && OutputClass(input, leafClass) == output->GetClassName();
}

void SetLeaves(vtkDataObject *input, const std::vector<vtkSmartPointer<vtkDataObject>> &results,
               vtkDataObject *output) {
  vtkDataObjectTree *tree = vtkDataObjectTree::SafeDownCast(output);
  vtkCompositeDataSet *composite = vtkCompositeDataSet::SafeDownCast(input);
  if (!composite) {
    output->ShallowCopy(results.front());
    return;
  }
  if (vtkDataObjectTree::SafeDownCast(input)) {
    tree->CopyStructure(composite);
    auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    size_t leaf = 0;
    for (it->InitTraversal(); !it->IsDoneWithTraversal(); it->GoToNextItem()) {
      tree->SetDataSet(it, results[leaf++]);
    }
  }
  output->GetFieldData()->PassData(input->GetFieldData());
}

} // namespace tessera
