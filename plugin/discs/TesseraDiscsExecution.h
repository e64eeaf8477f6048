// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Disc Image: all datasets of all processes make one image, on process 0. */
#ifndef TesseraDiscsExecution_h
#define TesseraDiscsExecution_h

#include "discs/TesseraDiscsInput.h"
#include "frame/run/TesseraExecution.h"

class vtkImageData;

namespace tessera {

class DiscsExecution : public Execution {
public:
  DiscsExecution(vtkDataObject *input, const DiscsSettings &settings, ThreadRunner &runner);

  bool Run() override;

private:
  std::string NoteSentence(int kind, const tsr_note_count &note,
                           const std::string &where) const override;
  /** Checks the size of the image, which depends on the settings alone. */
  bool IsWithinLimit();
  void Collect();
  void Place();
  void Draw();
  void NewImage();

  const DiscsSettings Settings;
  tsr_discs_options Options; /**< of the image that is drawn */
  std::vector<double> Table;
  DiscsInput Discs;
  vtkSmartPointer<vtkImageData> Image;
};

} // namespace tessera

#endif
