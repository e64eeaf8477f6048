// SPDX-License-Identifier: BSD-3-Clause
/** The properties of a VTK class that are numbers in the core's structs, found by the names in the
 * core's tables. */
#ifndef TesseraProperties_h
#define TesseraProperties_h

#include "TesseraFiltersModule.h"

#include <vtkIndent.h>

#include <ostream>
#include <string>
#include <vector>

struct tsr_property;
struct tsr_error;

namespace tessera {

/** A property's name as the panel shows it: "Child Stream" for "ChildStream". */
std::string Label(const char *name);

class TESSERAFILTERS_EXPORT PropertyTable {
public:
  /** Adds the properties of a table. values: the struct that the table describes; it must outlive
   * this object. */
  template <typename Struct> void Add(Struct *values, const tsr_property *(*table)(int *)) {
    Part part = {values, nullptr, 0};
    part.Properties = table(&part.Count);
    this->Parts.push_back(part);
  }

  /** Sets the n numbers of a property. Returns true if one of them has changed. */
  template <typename Number> bool Set(const char *name, const Number *numbers, int n) {
    bool changed = false;
    for (int k = 0; k < n; ++k) {
      changed = this->SetNumber(name, k, static_cast<double>(numbers[k])) || changed;
    }
    return changed;
  }

  /** Returns number k of a property. */
  double Get(const char *name, int k = 0) const;

  /** Prints all properties, one on each line. */
  void Print(ostream &os, vtkIndent indent) const;

  /** Returns false, with an error, if an enumerated property has a value that is none of its
   * choices. */
  bool Check(tsr_error &error) const;

private:
  struct Part {
    void *Values;
    const tsr_property *Properties;
    int Count;
  };

  bool SetNumber(const char *name, int k, double number);
  const tsr_property *Find(const char *name, void **values) const;

  std::vector<Part> Parts;
};

} // namespace tessera

/** Setter and getter of a property with one number, kept in the member `Table` of the class. */
#define TesseraProperty(NAME, TYPE)                                                                \
  virtual void Set##NAME(TYPE value) {                                                             \
    if (this->Table.Set(#NAME, &value, 1)) {                                                       \
      this->Modified();                                                                            \
    }                                                                                              \
  }                                                                                                \
  virtual TYPE Get##NAME() const { return static_cast<TYPE>(this->Table.Get(#NAME)); }

/** Setter and getter of a property with COUNT numbers, by an array. TesseraProperty2, 3 and 6 add a
 * setter with one argument for each number, as VTK's own macros do. */
#define TesseraNumbers(NAME, TYPE, COUNT)                                                          \
  virtual void Set##NAME(const TYPE values[COUNT]) {                                               \
    if (this->Table.Set(#NAME, values, COUNT)) {                                                   \
      this->Modified();                                                                            \
    }                                                                                              \
  }                                                                                                \
  virtual void Get##NAME(TYPE values[COUNT]) const {                                               \
    for (int k = 0; k < COUNT; ++k) {                                                              \
      values[k] = static_cast<TYPE>(this->Table.Get(#NAME, k));                                    \
    }                                                                                              \
  }
#define TesseraProperty2(NAME, TYPE)                                                               \
  virtual void Set##NAME(TYPE a, TYPE b) {                                                         \
    const TYPE values[] = {a, b};                                                                  \
    this->Set##NAME(values);                                                                       \
  }                                                                                                \
  TesseraNumbers(NAME, TYPE, 2)
#define TesseraProperty3(NAME, TYPE)                                                               \
  virtual void Set##NAME(TYPE a, TYPE b, TYPE c) {                                                 \
    const TYPE values[] = {a, b, c};                                                               \
    this->Set##NAME(values);                                                                       \
  }                                                                                                \
  TesseraNumbers(NAME, TYPE, 3)
#define TesseraProperty6(NAME, TYPE)                                                               \
  virtual void Set##NAME(TYPE a, TYPE b, TYPE c, TYPE d, TYPE e, TYPE f) {                         \
    const TYPE values[] = {a, b, c, d, e, f};                                                      \
    this->Set##NAME(values);                                                                       \
  }                                                                                                \
  TesseraNumbers(NAME, TYPE, 6)

#endif
