// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraJob.h"

#include "frame/TesseraLeaves.h"
#include "frame/TesseraMemory.h"

#include <vtkCompositeDataSet.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tessera {

Job::Job(vtkDataObject *input, Execution &execution, int kinds)
    : Input(input), Executor(execution),
      Composite(this->Group.Any(vtkCompositeDataSet::SafeDownCast(input) != nullptr)),
      AllNotes(kinds) {
  std::memset(&this->Failure, 0, sizeof(this->Failure));
}

Job::~Job() = default;

std::vector<std::string> Job::Warnings() const {
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

std::string Job::WithPlace(const char *sentence, const std::string &where) {
  return sentence + (where.empty() ? "" : " The first is" + where + ".");
}

void Job::SetLimit(int largestOutput, bool only) {
  const tsr_system_memory memory = tsr_memory_look(nullptr);
  this->LargestOutput = largestOutput;
  this->Limit = tsr_memory_largest_output(&memory, largestOutput);
  this->OnlyEstimate = only;
}

bool Job::Step(const std::function<void()> &work) {
  Guard(this->Failure, work);
  return this->Group.Agree(this->Failure, this->Sentence);
}

bool Job::AllTooLarge() const {
  const std::vector<vtkIdType> all =
      this->Group.Gather({static_cast<vtkIdType>(this->Failure.status)});
  return std::count(all.begin(), all.end(), TSR_TOO_LARGE) == this->Group.Count();
}

void Job::FailTogether(const std::string &sentence) {
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

bool Job::IsAllowed(const OutputSize &size, const char *otherwise) {
  this->EstimateSentence = size.Sentence();
  if (!size.Fits()) {
    this->FailTogether(size.Refusal({}, 1.0, otherwise));
  }
  return size.Fits();
}

void Job::NameBlock(size_t leaf) {
  const tsr_status status = this->Failure.status;
  if (this->Composite && (status == TSR_BAD_INPUT || status == TSR_TOO_LARGE)) {
    const std::string where = BlockText(this->Input, this->Blocks[leaf]);
    const std::string text = where + (where.empty() ? "" : " ") + this->Failure.text;
    std::snprintf(this->Failure.text, sizeof(this->Failure.text), "%s", text.c_str());
  }
}

double Job::Allowed() const {
  const tsr_system_memory memory = tsr_memory_look(nullptr);
  return tsr_memory_allowed(&memory, this->LargestOutput);
}

bool Job::PlanEach(double most, const std::vector<double> &bytesPerItem, size_t shared,
                   const Planner &plan) {
  double left = most;
  const auto planOne = [&](size_t i) {
    if (bytesPerItem[i] > 0.0) {
      this->Executor.StartPart(i);
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

void Job::CheckAborted() {
  if (this->Failure.status == TSR_OK && this->Executor.Aborted()) {
    this->Failure.status = TSR_ABORTED;
  }
}

bool Job::FillEach(size_t leaves, size_t shared,
                   const std::function<vtkSmartPointer<vtkDataObject>(size_t leaf)> &fill) {
  std::vector<vtkSmartPointer<vtkDataObject>> made(leaves);
  const auto fillOne = [&](size_t i) {
    this->Executor.StartPart(i);
    made[i] = fill(i);
    this->NameBlock(i);
  };
  size_t i = 0;
  bool good = true;
  for (; i < shared && good; ++i) {
    good = this->Step([&] { fillOne(i); });
  }
  return good && this->Step([&] {
    for (; i < leaves && this->Failure.status == TSR_OK; ++i) {
      fillOne(i);
    }
    this->CheckAborted();
    this->PlaceOutputs(made);
  });
}

void Job::AddNotes(const tsr_note_count *notes, int kinds, unsigned int block, int64_t shift) {
  for (int kind = 0; kind < kinds; ++kind) {
    this->AllNotes.Add(kind, notes[kind].count, notes[kind].first + shift, block);
  }
}

void Job::PlaceOutputs(const std::vector<vtkSmartPointer<vtkDataObject>> &made) {
  this->Outputs.clear();
  for (const Leaf &leaf : Leaves(this->Input)) {
    const auto at = std::find(this->Blocks.begin(), this->Blocks.end(), leaf.Block);
    const size_t i = static_cast<size_t>(at - this->Blocks.begin());
    this->Outputs.push_back(i < made.size() ? made[i] : nullptr);
  }
}

void Job::AgreeOnReport() {
  this->Total.SetThreads(this->Executor.Core()->threads);
  this->Total.Agree(this->Group);
  this->AllNotes.Agree(this->Group, this->Input);
  this->Group.Collect(this->Messages.All());
}

} // namespace tessera
