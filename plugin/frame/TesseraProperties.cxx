// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraProperties.h"

#include "tessera.h"

#include <algorithm>
#include <cstring>

namespace tessera {

std::string Label(const char *name) {
  char label[100];
  tsr_property_label(name, label, sizeof(label));
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

bool PropertyTable::Check(tsr_error &error) const {
  return std::all_of(this->Parts.begin(), this->Parts.end(), [&error](const Part &part) {
    return tsr_properties_check(part.Properties, part.Count, part.Values, &error) == TSR_OK;
  });
}

} // namespace tessera
