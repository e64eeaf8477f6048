// SPDX-License-Identifier: BSD-3-Clause
#include "frame/run/TesseraExecution.h"

#include "frame/data/TesseraDatasets.h"
#include "frame/data/TesseraMemory.h"

#include <vtkCompositeDataSet.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tessera {

Execution::Execution(vtkDataObject *input, ThreadRunner &runner, int kinds)
    : Input(input), Runner(runner), Composite(this->Group.Any(AsComposite(input) != nullptr)),
      AllNotes(kinds) {
  std::memset(&this->Failure, 0, sizeof(this->Failure));
}

Execution::~Execution() = default;

std::vector<std::string> Execution::Warnings() const {
  const std::set<std::string> &all = this->Messages.All();
  std::vector<std::string> warnings(all.begin(), all.end());
  for (int kind = 0; kind < this->AllNotes.Kinds() && this->Group.Rank() == 0; ++kind) {
    const tsr_note_count note = this->AllNotes.Count(kind);
    if (note.count > 0) {
      const std::string where = this->AllNotes.Where(kind, this->Group);
      warnings.push_back(this->NoteSentence(kind, note, where));
    }
  }
  return warnings;
}

std::string Execution::WithPlace(const char *sentence, const std::string &where) {
  return sentence + (where.empty() ? "" : " The first is" + where + ".");
}

void Execution::SetLimit(int largestOutput, bool only) {
  const tsr_system_memory memory = tsr_memory_look(nullptr);
  this->LargestOutput = largestOutput;
  this->Limit = tsr_memory_largest_output(&memory, largestOutput);
  this->OnlyEstimate = only;
}

bool Execution::Step(const std::function<void()> &work) {
  Guard(this->Failure, work);
  return this->Group.Agree(this->Failure, this->Sentence);
}

int64_t Execution::SumOver(void *group, int64_t value) {
  vtkIdType sum = static_cast<vtkIdType>(value);
  static_cast<const Processes *>(group)->Sum(&sum, 1);
  return sum;
}

bool Execution::AllTooLarge() const {
  const std::vector<vtkIdType> all =
      this->Group.Gather({static_cast<vtkIdType>(this->Failure.status)});
  return std::count(all.begin(), all.end(), TSR_TOO_LARGE) == this->Group.Count();
}

void Execution::FailTogether(const std::string &sentence) {
  std::memset(&this->Failure, 0, sizeof(this->Failure));
  this->Step([this, &sentence] {
    if (this->Group.Rank() == 0) {
      this->Failure.status = TSR_TOO_LARGE;
      this->Failure.item = -1;
      std::snprintf(this->Failure.text, sizeof(this->Failure.text), "%s", sentence.c_str());
    } else {
      this->Failure.status = TSR_ABORTED;
    }
  });
}

bool Execution::IsAllowed(const OutputSize &size, const char *otherwise) {
  this->EstimateSentence = size.Sentence();
  if (!size.Fits()) {
    this->FailTogether(size.Refusal({}, 1.0, otherwise));
  }
  return size.Fits();
}

void Execution::NameBlock(size_t dataset) {
  const tsr_status status = this->Failure.status;
  if (this->Composite && (status == TSR_BAD_INPUT || status == TSR_TOO_LARGE)) {
    const std::string where = BlockText(this->Input, this->Blocks[dataset]);
    const std::string text = where + (where.empty() ? "" : " ") + this->Failure.text;
    std::snprintf(this->Failure.text, sizeof(this->Failure.text), "%s", text.c_str());
  }
}

double Execution::Allowed() const {
  const tsr_system_memory memory = tsr_memory_look(nullptr);
  return tsr_memory_allowed(&memory, this->LargestOutput);
}

bool Execution::PlanEach(double most, const std::vector<double> &bytesPerItem, size_t shared,
                         const Planner &plan) {
  double left = most;
  const auto planOne = [&](size_t i) {
    if (bytesPerItem[i] > 0.0) {
      this->Runner.StartPart(i);
      left -= plan(i, tsr_memory_items(left, bytesPerItem[i]));
      this->NameBlock(i);
    }
  };
  size_t i = 0;
  bool good = true;
  for (; i < shared && good; ++i) {
    good = this->Step([&] { planOne(i); });
  }
  return good && this->Step([&] {
    for (; i < bytesPerItem.size() && this->Failure.status == TSR_OK; ++i) {
      planOne(i);
    }
  });
}

void Execution::CheckAborted() {
  if (this->Failure.status == TSR_OK && this->Runner.Aborted()) {
    this->Failure.status = TSR_ABORTED;
  }
}

bool Execution::FillEach(
    size_t datasets, size_t shared,
    const std::function<vtkSmartPointer<vtkDataObject>(size_t dataset)> &fill) {
  std::vector<vtkSmartPointer<vtkDataObject>> made(datasets);
  const auto fillOne = [&](size_t i) {
    this->Runner.StartPart(i);
    made[i] = fill(i);
    this->NameBlock(i);
  };
  size_t i = 0;
  bool good = true;
  for (; i < shared && good; ++i) {
    good = this->Step([&] { fillOne(i); });
  }
  return good && this->Step([&] {
    for (; i < datasets && this->Failure.status == TSR_OK; ++i) {
      fillOne(i);
    }
    this->CheckAborted();
    this->PlaceOutputs(made);
  });
}

void Execution::AddNotes(const tsr_note_count *notes, int kinds, unsigned int block,
                         int64_t shift) {
  for (int kind = 0; kind < kinds; ++kind) {
    this->AllNotes.Add(kind, notes[kind].count, notes[kind].first + shift, block);
  }
}

void Execution::PlaceOutputs(const std::vector<vtkSmartPointer<vtkDataObject>> &made) {
  this->Outputs.clear();
  for (const Dataset &dataset : Datasets(this->Input)) {
    const auto at = std::find(this->Blocks.begin(), this->Blocks.end(), dataset.Block);
    const size_t i = static_cast<size_t>(at - this->Blocks.begin());
    this->Outputs.push_back(i < made.size() ? made[i] : nullptr);
  }
}

void Execution::AgreeOnReport() {
  this->Total.SetThreads(this->Runner.Core()->threads);
  this->Total.Agree(this->Group);
  this->AllNotes.Agree(this->Group, this->Input);
  this->Group.Collect(this->Messages.All());
}

} // namespace tessera
