// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraProperties.h"

#include "tessera.h"

#include <cctype>
#include <cstring>

namespace tessera {

std::string Label(const char *name) {
  std::string label;
  for (const char *c = name; *c; ++c) {
    if (c > name && std::isupper(static_cast<unsigned char>(*c)) &&
        std::islower(static_cast<unsigned char>(c[-1]))) {
      label += ' ';
    }
    label += *c;
  }
  return label;
}

const tsr_property *PropertyTable::Find(const char *name, void **values) const {
  for (const Part &part : this->Parts) {
    for (int p = 0; p < part.Count; ++p) {
      if (std::strcmp(part.Properties[p].name, name) == 0) {
        *values = part.Values;
        return &part.Properties[p];
      }
    }
  }
  return nullptr;
}

bool PropertyTable::SetNumber(const char *name, int k, double number) {
  void *values;
  const tsr_property *property = this->Find(name, &values);
  if (!property || tsr_property_get(property, values, k) == number) {
    return false;
  }
  tsr_property_set(property, values, k, number);
  return true;
}

double PropertyTable::Get(const char *name, int k) const {
  void *values;
  const tsr_property *property = this->Find(name, &values);
  return property ? tsr_property_get(property, values, k) : 0.0;
}

void PropertyTable::Print(ostream &os, vtkIndent indent) const {
  for (const Part &part : this->Parts) {
    for (int p = 0; p < part.Count; ++p) {
      const tsr_property &property = part.Properties[p];
      os << indent << property.name << ":";
      for (int k = 0; k < property.numbers; ++k) {
        const double number = tsr_property_get(&property, part.Values, k);
        if (property.type == TSR_PROPERTY_DOUBLE) {
          os << " " << number;
        } else {
          os << " " << static_cast<int64_t>(number);
        }
      }
      os << "\n";
    }
  }
}

std::string PropertyTable::BadChoice() const {
  for (const Part &part : this->Parts) {
    for (int p = 0; p < part.Count; ++p) {
      const tsr_property &property = part.Properties[p];
      const double number = tsr_property_get(&property, part.Values, 0);
      if (property.type == TSR_PROPERTY_CHOICE &&
          !(property.least <= number && number <= property.most)) {
        return Label(property.name) + " must be a number from " +
               std::to_string(static_cast<int>(property.least)) + " to " +
               std::to_string(static_cast<int>(property.most)) + ", not " +
               std::to_string(static_cast<int>(number)) + ".";
      }
    }
  }
  return "";
}

} // namespace tessera
