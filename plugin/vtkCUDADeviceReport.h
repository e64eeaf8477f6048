// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkCUDADeviceReport
 * @brief a table of the CUDA devices: what they are, and whether Tessera can use them
 *
 * A row a device. Field data: the versions of driver and runtime, and a sentence about why no
 * device can be used (empty where one can). Without CUDA, a driver or a device the table has no
 * rows; that is no error. Under MPI the first process of every machine reports, and every process
 * with another choice of visible devices.
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

  int DeviceCount = 0;
  std::string DriverVersion, RuntimeVersion, Problem;
};

#endif
