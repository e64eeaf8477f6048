// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/TesseraProcesses.h"

#include <vtkCommunicator.h>
#include <vtkMultiProcessController.h>
#include <vtksys/SystemInformation.hxx>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>

namespace tessera {

Processes::Processes() : Controller(vtkMultiProcessController::GetGlobalController()) {
  if (this->Controller) {
    this->LocalRank = this->Controller->GetLocalProcessId();
    this->NumberOfProcesses = this->Controller->GetNumberOfProcesses();
  }
}

void Processes::Sum(vtkIdType *values, int n) const {
  if (this->NumberOfProcesses > 1) {
    const std::vector<vtkIdType> mine(values, values + n);
    this->Controller->AllReduce(mine.data(), values, n, vtkCommunicator::SUM_OP);
  }
}

void Processes::Max(double *values, int n) const {
  if (this->NumberOfProcesses > 1) {
    const std::vector<double> mine(values, values + n);
    this->Controller->AllReduce(mine.data(), values, n, vtkCommunicator::MAX_OP);
  }
}

bool Processes::Any(bool mine) const {
  double any = mine ? 1.0 : 0.0;
  this->Max(&any, 1);
  return any > 0.0;
}

std::vector<vtkIdType> Processes::Gather(const std::vector<vtkIdType> &values) const {
  if (this->NumberOfProcesses == 1) {
    return values;
  }
  std::vector<vtkIdType> all(values.size() * static_cast<size_t>(this->NumberOfProcesses));
  this->Controller->AllGather(values.data(), all.data(), static_cast<vtkIdType>(values.size()));
  return all;
}

std::string Processes::Concatenate(const std::string &mine) const {
  const tsr_processes group = this->Core();
  void *all = nullptr;
  int64_t total = 0;
  const tsr_status status =
      tsr_processes_gather_bytes(&group, TSR_OK, mine.data(), static_cast<int64_t>(mine.size()),
                                 &all, nullptr, &total, nullptr);
  const std::unique_ptr<void, decltype(&std::free)> owner(all, std::free);
  if (status != TSR_OK) {
    throw std::bad_alloc();
  }
  return std::string(static_cast<const char *>(all), static_cast<size_t>(total));
}

std::vector<double> Processes::CollectNumbers(const std::vector<double> &mine) const {
  std::vector<vtkIdType> sizes = this->Gather({static_cast<vtkIdType>(mine.size())});
  if (this->NumberOfProcesses == 1) {
    return mine;
  }
  std::vector<vtkIdType> offsets(1, 0);
  for (const vtkIdType size : sizes) {
    offsets.push_back(offsets.back() + size);
  }
  // Some MPI reads the address even where there is nothing.
  std::vector<double> own(mine);
  own.push_back(0.0);
  std::vector<double> all(this->LocalRank == 0 ? static_cast<size_t>(offsets.back()) + 1 : 1);
  this->Controller->GatherV(own.data(), all.data(), static_cast<vtkIdType>(mine.size()),
                            sizes.data(), offsets.data(), 0);
  all.pop_back();
  return all;
}

void Processes::Collect(std::set<std::string> &texts) const {
  std::string mine;
  for (const std::string &text : texts) {
    mine.append(text.c_str(), text.size() + 1);
  }
  const std::string all = this->Concatenate(mine);
  texts.clear();
  for (size_t at = 0; at < all.size() && this->LocalRank == 0;) {
    texts.insert(&all[at]);
    at = all.find('\0', at) + 1;
  }
}

void Processes::Broadcast(void *bytes, size_t size, int source) const {
  if (this->NumberOfProcesses > 1) {
    this->Controller->Broadcast(static_cast<char *>(bytes), static_cast<vtkIdType>(size), source);
  }
}

bool Processes::Agree(tsr_error &error, std::string &sentence) const {
  const auto isFailure = [](vtkIdType status) { return status != TSR_OK && status != TSR_ABORTED; };
  sentence = isFailure(error.status) ? error.text : "";
  const std::vector<vtkIdType> all = this->Gather({static_cast<vtkIdType>(error.status)});
  const auto failing = std::find_if(all.begin(), all.end(), isFailure);
  if (failing == all.end()) {
    const bool good = std::count(all.begin(), all.end(), TSR_OK) == this->NumberOfProcesses;
    error.status = good ? TSR_OK : TSR_ABORTED;
    return good;
  }
  char text[sizeof(error.text)];
  std::copy_n(error.text, sizeof(text), text);
  const int source = static_cast<int>(failing - all.begin());
  this->Broadcast(text, sizeof(text), source);
  if (!isFailure(error.status)) {
    error.status = static_cast<tsr_status>(*failing);
    sentence = this->LocalRank == 0 ? "on process " + std::to_string(source) + " " + text : "";
  } else if (this->LocalRank != source && sentence == text) {
    sentence.clear();
  }
  return false;
}

bool Processes::AllFine(tsr_error &error) const {
  tsr_error agreed = error;
  std::string sentence;
  const bool fine = this->Agree(agreed, sentence);
  error.status = error.status == TSR_OK && !fine ? TSR_ABORTED : error.status;
  return fine;
}

vtkIdType HostNumber() {
  vtksys::SystemInformation system;
  const char *name = system.GetHostname();
  return static_cast<vtkIdType>(std::hash<std::string>()(name ? name : ""));
}

vtkIdType NodeLocalRank(const Processes &processes) {
  const std::vector<vtkIdType> all = processes.Gather({HostNumber(), tsr_launcher_local_rank()});
  std::vector<tsr_machine_place> places;
  for (size_t i = 0; i < all.size(); i += 2) {
    places.push_back({all[i], all[i + 1]});
  }
  return tsr_local_rank(places.data(), processes.Count(), processes.Rank());
}

void RequireMemory(double bytes) {
  if (bytes > tsr_memory_look(nullptr).available) {
    throw std::bad_alloc();
  }
}

void CheckMemory(const Processes &processes, double points, double bytes, tsr_error &error) {
  const tsr_processes group = processes.Core();
  tsr_machine_check(&group, HostNumber(), points, bytes, tsr_memory_look(nullptr).available,
                    &error);
}

} // namespace tessera
