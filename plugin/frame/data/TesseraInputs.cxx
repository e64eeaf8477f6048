// SPDX-License-Identifier: BSD-3-Clause
#include "frame/data/TesseraInputs.h"

#include "frame/data/TesseraDatasets.h"

#include <vtkDataObject.h>

#include <vector>

namespace tessera {

namespace {

/** One of Takes: the classes, and how the user knows them. */
struct Wanted {
  std::vector<const char *> Classes;
  const char *Words;
};

/** Indexed by Takes. */
const Wanted WANTED[] = {
    {{"vtkImageData", "vtkRectilinearGrid", "vtkStructuredGrid", "vtkUniformGridAMR",
      "vtkHyperTreeGrid", "vtkUnstructuredGrid"},
     "images, rectilinear grids, structured grids, AMR, hyper tree grids or unstructured grids"},
    {{"vtkPolyData", "vtkUnstructuredGrid"}, "the lines of polygonal data or unstructured grids"},
    {{"vtkPointSet"}, "points: polygonal data, unstructured grids or structured grids"},
    {{"vtkUnstructuredGrid"}, "the cells of unstructured grids"},
};

/** A kind of data, and for each of Takes the filters that make of it what is taken; NULL: the kind
 *  is taken, or no filter is known. */
struct Kind {
  const char *Class, *Words, *Before[4];
};

/** Derived classes come before their base classes. */
const Kind KINDS[] = {
    {"vtkTable",
     "a table",
     {"Table To Structured Grid", "Table To Points, then Points To Curves", "Table To Points",
      nullptr}},
    {"vtkHyperTreeGrid",
     "a hyper tree grid",
     {nullptr, "HyperTreeGrid To UnstructuredGrid, then Stream Tracer",
      "Hyper Tree Grid - Cell Centers", "HyperTreeGrid To UnstructuredGrid"}},
    {"vtkUniformGridAMR", "AMR", {nullptr, "Stream Tracer", "Adaptive Grid", "Adaptive Grid"}},
    {"vtkMolecule", "a molecule", {nullptr, "Molecule To Lines", "Molecule To Lines", nullptr}},
    {"vtkImageData", "an image", {nullptr, "Stream Tracer", "Image Data to Point Set", nullptr}},
    {"vtkRectilinearGrid",
     "a rectilinear grid",
     {nullptr, "Stream Tracer", "Rectilinear Data to Point Set", nullptr}},
    {"vtkStructuredGrid", "a structured grid", {nullptr, "Stream Tracer", nullptr, nullptr}},
    {"vtkPolyData", "polygonal data", {"Point Volume Interpolator", nullptr, nullptr, nullptr}},
    {"vtkUnstructuredGrid", "an unstructured grid", {nullptr, nullptr, nullptr, nullptr}},
    {"vtkDataSet", "a dataset", {"Resample To Image", "Stream Tracer", nullptr, nullptr}},
    {"vtkDataObject", "a data object", {nullptr, nullptr, nullptr, nullptr}},
};

const Kind &KindOf(vtkDataObject *input) {
  const Kind *kind = KINDS;
  while (!input->IsA(kind->Class)) {
    ++kind; // ends, as every input is a vtkDataObject
  }
  return *kind;
}

} // namespace

std::string WrongKind(vtkDataObject *input, Takes takes) {
  if (!input || AsComposite(input)) {
    return "";
  }
  const Wanted &wanted = WANTED[static_cast<int>(takes)];
  for (const char *one : wanted.Classes) {
    if (input->IsA(one)) {
      return "";
    }
  }
  const Kind &kind = KindOf(input);
  const char *before = kind.Before[static_cast<int>(takes)];
  return std::string("this filter takes ") + wanted.Words + ", and its input is " + kind.Words +
         " (" + input->GetClassName() + ")" +
         (before ? std::string(": put ") + before + " before this filter" : "");
}

} // namespace tessera
