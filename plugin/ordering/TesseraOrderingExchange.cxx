// SPDX-License-Identifier: BSD-3-Clause
#include "ordering/TesseraOrderingExchange.h"

#include <vtkDataArray.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sstream>

namespace tessera {

namespace {

bool CanTravel(vtkAbstractArray *array) {
  tsr_type type;
  return vtkStringArray::SafeDownCast(array) || CoreType(array->GetDataType(), type);
}

/** Type, components, roles, name: what an array has to have in common on all processes. */
std::string Text(const OrderingColumn &column) {
  std::ostringstream text;
  text << column.Values->GetDataType() << " " << column.Values->GetNumberOfComponents() << " "
       << column.Roles << " " << column.Values->GetName();
  return text.str();
}

/** The part that decides whether two are of a kind. */
std::string Kind(const std::string &text) {
  std::istringstream in(text);
  std::string type, components, roles, name;
  in >> type >> components >> roles;
  in.get();
  std::getline(in, name, '\0');
  return type + " " + components + " " + name;
}

std::string Name(const std::string &text) {
  size_t at = 0;
  for (int k = 0; k < 3; ++k) {
    at = text.find(' ', at) + 1;
  }
  return text.substr(at);
}

std::vector<std::string> Split(const std::string &all) {
  std::vector<std::string> parts;
  for (size_t begin = 0, end; begin < all.size(); begin = end + 1) {
    end = all.find('\0', begin);
    parts.push_back(all.substr(begin, end - begin));
  }
  return parts;
}

} // namespace

void OrderingExchange::ShareColumns() {
  std::string mine;
  for (const OrderingColumn &column : this->Points.Columns) {
    if (CanTravel(column.Values)) {
      mine += Text(column) + '\0';
    } else {
      this->Points.Messages.insert("The point array '" + std::string(column.Values->GetName()) +
                                   "' is of a type that cannot go to another process and is left "
                                   "out.");
    }
  }
  std::vector<vtkIdType> sizes;
  const std::string all = this->Group.Concatenate(mine, sizes);
  const std::vector<vtkIdType> points = this->Group.Gather({this->Points.Count()});
  // In how many processes with points each kind is, in the order of its first process.
  std::vector<std::string> texts;
  std::vector<int> found;
  int holders = 0;
  size_t at = 0;
  for (size_t rank = 0; rank < sizes.size(); ++rank) {
    holders += points[rank] > 0;
    for (const std::string &text : Split(all.substr(at, static_cast<size_t>(sizes[rank])))) {
      const auto same = std::find_if(texts.begin(), texts.end(), [&](const std::string &one) {
        return Kind(one) == Kind(text);
      });
      if (same == texts.end()) {
        texts.push_back(text);
        found.push_back(1);
      } else {
        ++found[static_cast<size_t>(same - texts.begin())];
      }
    }
    at += static_cast<size_t>(sizes[rank]);
  }
  std::vector<std::string> kept;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (found[i] == holders) {
      kept.push_back(texts[i]);
    } else {
      this->Points.Messages.insert("The point array '" + Name(texts[i]) +
                                   "' is not the same in all blocks, processes and time steps and "
                                   "is left out.");
    }
  }
  this->Keep(kept);
  this->SharePlaces();
}

void OrderingExchange::Keep(const std::vector<std::string> &texts) {
  std::vector<OrderingColumn> columns;
  for (const std::string &text : texts) {
    std::istringstream in(text);
    int type, components, roles;
    in >> type >> components >> roles;
    OrderingColumn column;
    column.Values = this->Points.Find(Name(text));
    column.Roles = roles;
    if (!column.Values) { // no points here
      column.Values.TakeReference(vtkAbstractArray::CreateArray(type));
      column.Values->SetName(Name(text).c_str());
      column.Values->SetNumberOfComponents(components);
    }
    columns.push_back(column);
  }
  this->Points.Columns.swap(columns);
}

void OrderingExchange::SharePlaces() {
  const int mine = this->Points.Places ? this->Points.Places->GetDataType() : 0;
  const std::vector<vtkIdType> types = this->Group.Gather({mine});
  int common = 0;
  for (const vtkIdType type : types) {
    const int one = static_cast<int>(type);
    common = common == 0 || one == common ? std::max(one, common) : one == 0 ? common : VTK_DOUBLE;
  }
  if (common != 0 && mine != common) {
    auto places = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(common));
    places->SetNumberOfComponents(3);
    if (this->Points.Places) {
      places->DeepCopy(this->Points.Places);
    }
    this->Points.Places = places;
  }
}

vtkIdType OrderingExchange::Count(int source, int target) const {
  return this->Counts[static_cast<size_t>(source) * static_cast<size_t>(this->Group.Count()) +
                      static_cast<size_t>(target)];
}

void OrderingExchange::Move(const std::vector<int32_t> &target) {
  this->Ids.assign(static_cast<size_t>(this->Group.Count()), {});
  for (size_t i = 0; i < target.size(); ++i) {
    this->Ids[static_cast<size_t>(target[i])].push_back(static_cast<vtkIdType>(i));
  }
  std::vector<vtkIdType> mine;
  for (const auto &ids : this->Ids) {
    mine.push_back(static_cast<vtkIdType>(ids.size()));
  }
  this->Counts = this->Group.Gather(mine);
  if (this->Points.Places) {
    this->Points.Places = vtkDataArray::SafeDownCast(this->MoveArray(this->Points.Places));
  }
  for (OrderingColumn &column : this->Points.Columns) {
    column.Values = this->MoveArray(column.Values);
  }
}

vtkSmartPointer<vtkAbstractArray> OrderingExchange::MoveArray(vtkAbstractArray *from) const {
  vtkIdType incoming = 0;
  for (int source = 0; source < this->Group.Count(); ++source) {
    incoming += this->Count(source, this->Group.Rank());
  }
  auto to = NewArrayLike(from, incoming);
  if (vtkDataArray *numbers = vtkDataArray::SafeDownCast(from)) {
    vtkSmartPointer<vtkDataArray> packed = numbers;
    if (!numbers->HasStandardMemoryLayout()) {
      packed = ContiguousCopy(numbers, numbers->GetDataType());
    }
    this->MoveNumbers(packed, vtkDataArray::SafeDownCast(to));
  } else {
    this->MoveTexts(vtkStringArray::SafeDownCast(from), vtkStringArray::SafeDownCast(to));
  }
  return to;
}

std::vector<int64_t> OrderingExchange::Incoming(int64_t bytes) const {
  std::vector<int64_t> sizes;
  for (int source = 0; source < this->Group.Count(); ++source) {
    sizes.push_back(this->Count(source, this->Group.Rank()) * bytes);
  }
  return sizes;
}

void OrderingExchange::MoveNumbers(vtkDataArray *from, vtkDataArray *to) const {
  const size_t tuple =
      static_cast<size_t>(to->GetNumberOfComponents()) * static_cast<size_t>(to->GetDataTypeSize());
  const char *values = static_cast<const char *>(from->GetVoidPointer(0));
  std::vector<char> leaving(static_cast<size_t>(from->GetNumberOfTuples()) * tuple);
  std::vector<int64_t> sizes;
  char *next = leaving.data();
  for (const auto &ids : this->Ids) {
    for (const vtkIdType id : ids) {
      std::memcpy(next, values + static_cast<size_t>(id) * tuple, tuple);
      next += tuple;
    }
    sizes.push_back(static_cast<int64_t>(ids.size() * tuple));
  }
  ExchangeBytes(nullptr, leaving.data(), sizes.data(), to->GetVoidPointer(0),
                this->Incoming(static_cast<int64_t>(tuple)).data());
}

void OrderingExchange::MoveTexts(vtkStringArray *from, vtkStringArray *to) const {
  const vtkIdType components = to->GetNumberOfComponents();
  std::vector<int64_t> lengths, lengthBytes, textBytes;
  std::string texts;
  for (const auto &ids : this->Ids) {
    const size_t before = texts.size();
    for (const vtkIdType id : ids) {
      for (vtkIdType c = 0; c < components; ++c) {
        const vtkStdString &one = from->GetValue(id * components + c);
        lengths.push_back(static_cast<int64_t>(one.size()));
        texts += one;
      }
    }
    lengthBytes.push_back(static_cast<int64_t>(ids.size()) * components * 8);
    textBytes.push_back(static_cast<int64_t>(texts.size() - before));
  }
  std::vector<int64_t> arrived(static_cast<size_t>(to->GetNumberOfValues()));
  ExchangeBytes(nullptr, lengths.data(), lengthBytes.data(), arrived.data(),
                this->Incoming(components * 8).data());
  std::vector<int64_t> incoming;
  auto first = arrived.begin();
  for (const int64_t count : this->Incoming(components)) {
    incoming.push_back(std::accumulate(first, first + count, int64_t{0}));
    first += count;
  }
  std::string all(
      static_cast<size_t>(std::accumulate(incoming.begin(), incoming.end(), int64_t{0})), ' ');
  ExchangeBytes(nullptr, texts.data(), textBytes.data(), &all[0], incoming.data());
  size_t begin = 0;
  for (size_t i = 0; i < arrived.size(); ++i) {
    to->SetValue(static_cast<vtkIdType>(i), all.substr(begin, static_cast<size_t>(arrived[i])));
    begin += static_cast<size_t>(arrived[i]);
  }
}

} // namespace tessera
