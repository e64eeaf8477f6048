// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkCUDADeviceReport
 * @brief a table of the CUDA devices: what they are, and whether Tessera can use them
 *
 * A row a device; without CUDA, a driver or a device one row, whose Problem says why: that is no
 * error. Integers that are not known are -1, other numbers NaN, texts "-". Field data: the versions
 * of driver and runtime, and a sentence about why no device can be used (empty where one can).
 * Under MPI the first process of every machine reports, and every process with another choice of
 * visible devices; the others have no rows.
 */
#ifndef vtkCUDADeviceReport_h
#define vtkCUDADeviceReport_h

#include "TesseraFiltersModule.h"

#include <vtkTableAlgorithm.h>

#include <string>

class TESSERAFILTERS_EXPORT vtkCUDADeviceReport : public vtkTableAlgorithm {
public:
  static vtkCUDADeviceReport *New();
  vtkTypeMacro(vtkCUDADeviceReport, vtkTableAlgorithm);
  void PrintSelf(ostream &os, vtkIndent indent) override;
  int ProcessRequest(vtkInformation *request, vtkInformationVector **inputs,
                     vtkInformationVector *outputs) override;

  /** Gives back the device memory and the page-locked memory that the filters keep for their next
   * execution, and looks at the devices anew. */
  void ReleaseMemory();

  ///@{
  /** Whether to measure each device, and to let kernels there check themselves: about half a second
   * a device, during which nothing else should run there. Default off. */
  vtkSetMacro(Measure, bool);
  vtkGetMacro(Measure, bool);
  vtkBooleanMacro(Measure, bool);
  ///@}

  ///@{
  /** What this process found last. */
  vtkGetMacro(DeviceCount, int);
  const char *GetDriverVersion() const { return this->DriverVersion.c_str(); }
  const char *GetRuntimeVersion() const { return this->RuntimeVersion.c_str(); }
  const char *GetProblem() const { return this->Problem.c_str(); }
  ///@}

protected:
  vtkCUDADeviceReport();
  ~vtkCUDADeviceReport() override = default;

  int RequestInformation(vtkInformation *request, vtkInformationVector **inputs,
                         vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;

private:
  vtkCUDADeviceReport(const vtkCUDADeviceReport &) = delete;
  void operator=(const vtkCUDADeviceReport &) = delete;

  bool Measure = false;
  int DeviceCount = 0;
  std::string DriverVersion, RuntimeVersion, Problem;
};

#endif
