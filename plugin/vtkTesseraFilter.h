// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkTesseraFilter
 * @brief what all filters of Tessera share: where they run, and the report of what ran
 *
 * The report is that of the last execution, of all processes together.
 */
#ifndef vtkTesseraFilter_h
#define vtkTesseraFilter_h

#include "TesseraFiltersModule.h"

#include <vtkDataObjectAlgorithm.h>

#include <string>

struct tsr_report;

class TESSERAFILTERS_EXPORT vtkTesseraFilter : public vtkDataObjectAlgorithm {
public:
  vtkTypeMacro(vtkTesseraFilter, vtkDataObjectAlgorithm);
  void PrintSelf(ostream &os, vtkIndent indent) override;

  enum BackendType { AUTO = 0, CUDA, CPU };

  ///@{
  /** Auto takes CUDA where a usable device is there. CUDA that cannot run is an error. Default
   * AUTO. */
  vtkSetMacro(Backend, int);
  vtkGetMacro(Backend, int);
  ///@}

  ///@{
  /** How many threads the CPU backend uses; 0, the default, is all. */
  vtkSetMacro(Threads, int);
  vtkGetMacro(Threads, int);
  ///@}

  ///@{
  /** The report. Counts come as double since ParaView's panel shows no 64-bit integers. */
  const char *GetReportBackend() const { return this->ReportBackend.c_str(); }
  vtkGetMacro(ReportThreads, int);
  double GetReportItems() const { return static_cast<double>(this->ReportItems); }
  double GetReportPoints() const { return static_cast<double>(this->ReportPoints); }
  double GetReportCells() const { return static_cast<double>(this->ReportCells); }
  vtkGetMacro(ReportChordTolerance, double);
  vtkGetMacro(ReportToleranceScale, double);
  vtkGetMacro(ReportPlanSeconds, double);
  vtkGetMacro(ReportFillSeconds, double);
  ///@}

protected:
  vtkTesseraFilter() = default;
  ~vtkTesseraFilter() override = default;

  /** True where Backend and Threads are valid; else an error says what is wrong. */
  bool CheckExecution();

  /** True where value is in [0, highest]; else an error names the property and its range. */
  bool CheckChoice(const char *property, int value, int highest);

  /** Forgets the report of an earlier execution. */
  void ClearReport();
  void SetReport(const tsr_report &report);

  /** Adds the report as field data of one tuple. `items`, `cells`: what the filter calls them. */
  void AddReport(vtkDataObject *output, const char *items, const char *cells);

  int Backend = AUTO;
  int Threads = 0;

private:
  vtkTesseraFilter(const vtkTesseraFilter &) = delete;
  void operator=(const vtkTesseraFilter &) = delete;

  std::string ReportBackend;
  int ReportThreads = 0;
  vtkIdType ReportItems = 0;
  vtkIdType ReportPoints = 0;
  vtkIdType ReportCells = 0;
  double ReportChordTolerance = 0.0;
  double ReportToleranceScale = 1.0;
  double ReportPlanSeconds = 0.0;
  double ReportFillSeconds = 0.0;
};

#endif
