// SPDX-License-Identifier: BSD-3-Clause
/** What processes tell each other about arrays: names and numbers, one after another in bytes. */
#ifndef TesseraBytes_h
#define TesseraBytes_h

#include <vtkAbstractArray.h>

#include <cstring>
#include <string>

namespace tessera {

inline std::string NameOf(vtkAbstractArray *array) {
  return array->GetName() ? array->GetName() : "";
}

template <class T> void Append(std::string &bytes, const T &value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

template <class T> T Take(const char *&at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

} // namespace tessera

#endif
