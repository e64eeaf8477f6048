// SPDX-License-Identifier: BSD-3-Clause
#include "discs/TesseraDiscsExecution.h"

#include "frame/data/TesseraDatasets.h"
#include "frame/data/TesseraMemory.h"

#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>

#include <memory>

namespace tessera {

namespace {

/** Notes of this filter in addition to those of the core. */
const int NOTE_DATASET = TSR_DISCS_NOTES;
const int TABLE_ENTRIES = 1024;

} // namespace

DiscsExecution::DiscsExecution(vtkDataObject *input, const DiscsSettings &settings,
                               ThreadRunner &runner)
    : Execution(input, runner, TSR_DISCS_NOTES + 1), Settings(settings), Options(settings.Options),
      Discs(this->Settings) {}

bool DiscsExecution::Run() {
  bool good = this->IsWithinLimit();
  if (!good || this->OnlyEstimate) {
    return good;
  }
  good = this->Step([this] { this->Collect(); });
  if (good) {
    // Every process finds the same.
    this->Discs.Gather(this->Group, this->Failure);
    good = this->Step([this] { this->Place(); }) && this->Step([this] { this->Draw(); });
  }
  if (good) {
    this->Outputs.push_back(this->Image);
    this->AgreeOnReport();
  }
  return good;
}

bool DiscsExecution::IsWithinLimit() {
  const bool mine = this->Group.Rank() == 0;
  const double pixels =
      mine ? static_cast<double>(this->Options.width) * this->Options.height : 0.0;
  const double bytes = pixels * (this->Settings.top_point ? 4 + sizeof(vtkIdType) : 4);
  OutputSize size(this->Limit, "pixels");
  size.Set(this->Group, pixels, bytes);
  if (!this->IsAllowed(size, "take a lower Resolution")) {
    return false;
  }
  CheckMemory(this->Group, pixels, bytes, this->Failure);
  return this->Step([] {});
}

void DiscsExecution::Collect() {
  const std::vector<Dataset> datasets = Datasets(this->Input);
  for (const Dataset &dataset : datasets) {
    vtkPointSet *points = vtkPointSet::SafeDownCast(dataset.Data);
    if (!points) {
      this->AllNotes.Add(NOTE_DATASET, 1, 0, dataset.Block);
    } else {
      this->Discs.Add(points, datasets.size() == 1 && this->Group.Count() == 1,
                      BlockText(this->Input, dataset.Block), this->Messages);
    }
  }
  this->Runner.SetParts(1);
}

void DiscsExecution::Place() {
  if (this->Failure.status != TSR_OK) {
    return;
  }
  tsr_discs_options &options = this->Options;
  // The panel takes the radius from the bounds, which an empty input does not have.
  const bool one = this->Settings.RadiusArray.empty() && this->Discs.View().points.tuples > 0;
  tsr_discs_choices_apply(&this->Settings, one, &options);
  if (this->Settings.color_mode == TSR_DISCS_COLOR_MAP) {
    this->Table.resize(3 * TABLE_ENTRIES);
    if (tsr_discs_color_table(this->Settings.ColorMap.data(),
                              static_cast<int>(this->Settings.ColorMap.size() / 4),
                              this->Table.data(), TABLE_ENTRIES, &this->Failure) != TSR_OK) {
      return;
    }
    options.table = this->Table.data();
    options.table_size = TABLE_ENTRIES;
  }
  double low[3], high[3];
  if (this->Settings.use_region) {
    tsr_discs_choices_region(&this->Settings, low, high);
  } else if (tsr_discs_bounds(&this->Discs.View(), &options, low, high, &this->Failure) != TSR_OK) {
    return;
  }
  tsr_discs_frame(low, high, &options);
}

void DiscsExecution::NewImage() {
  const tsr_discs_options &options = this->Options;
  int extent[6];
  double origin[3];
  tsr_discs_choices_extent(&this->Settings, &options, extent);
  tsr_discs_first_pixel(&options, origin);
  this->Image = vtkSmartPointer<vtkImageData>::New();
  this->Image->SetExtent(extent);
  this->Image->SetOrigin(origin);
  this->Image->SetSpacing(options.pixel_size, options.pixel_size, options.pixel_size);
}

void DiscsExecution::Draw() {
  if (this->Failure.status != TSR_OK || this->Group.Rank() != 0) {
    return;
  }
  this->NewImage();
  tsr_discs_plan *made = nullptr;
  if (tsr_discs_plan_create(&this->Discs.View(), &this->Options, this->Runner.Core(), &made,
                            &this->Failure) != TSR_OK) {
    return;
  }
  const std::unique_ptr<tsr_discs_plan, decltype(&tsr_discs_plan_free)> plan(made,
                                                                             tsr_discs_plan_free);
  tsr_report report;
  tsr_discs_plan_report(plan.get(), &report);
  const Writer filler = WriterOf(report);
  tsr_discs_output output;
  tsr_discs_output_init(&output);
  vtkNew<vtkUnsignedCharArray> colors;
  colors->SetName("Colors");
  colors->SetNumberOfComponents(4);
  AllocateTuples(colors, this->Image->GetNumberOfPoints(), filler);
  output.rgba = colors->GetPointer(0);
  this->Image->GetPointData()->SetScalars(colors);
  if (this->Settings.top_point) {
    vtkNew<vtkIdTypeArray> top;
    top->SetName("TopPoint");
    AllocateTuples(top, this->Image->GetNumberOfPoints(), filler);
    output.top = reinterpret_cast<int64_t *>(top->GetPointer(0));
    this->Image->GetPointData()->AddArray(top);
  }
  if (tsr_discs_fill(plan.get(), &output, &this->Failure) != TSR_OK) {
    return;
  }
  tsr_discs_plan_report(plan.get(), &report);
  this->Total.Add(report);
  const tsr_discs_sizes &sizes = *tsr_discs_plan_sizes(plan.get());
  for (int kind = 0; kind < TSR_DISCS_NOTES; ++kind) {
    // A scene may well have a few small discs; where all are, the user wonders what went wrong.
    if (kind != TSR_DISCS_NOTE_SMALL || sizes.notes[kind].count == sizes.inside) {
      this->AllNotes.Add(kind, sizes.notes[kind].count, sizes.notes[kind].first, 0);
    }
  }
  this->CheckAborted();
}

std::string DiscsExecution::NoteSentence(int kind, const tsr_note_count &note,
                                         const std::string &where) const {
  if (kind == NOTE_DATASET) {
    return CountedFirst(note.count, "dataset has no points of its own and is left out",
                        "datasets have no points of their own and are left out", where);
  }
  // The core counts points through all datasets and processes.
  char text[500];
  tsr_discs_note_sentence(static_cast<tsr_discs_note>(kind), note, text, sizeof(text));
  return text;
}

} // namespace tessera
