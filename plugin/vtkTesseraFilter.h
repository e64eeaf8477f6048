// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkTesseraFilter
 * @brief what all filters of Tessera share: where they run, and the report of what ran
 *
 * The report is that of the last execution, of all processes together.
 */
#ifndef vtkTesseraFilter_h
#define vtkTesseraFilter_h

#include "frame/TesseraProperties.h"
#include "frame/data/TesseraInputs.h"

#include <vtkDataObjectAlgorithm.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct tsr_error;
struct tsr_execution;
struct tsr_filter_choices;
class vtkFieldData;
class vtkTable;
namespace tessera {
class ThreadRunner;
class Execution;
class OldTrees;
class Report;
} // namespace tessera

/** A number of the report, which stands in the core's table of its fields. */
#define TesseraReportNumber(NAME, TYPE)                                                            \
  TYPE GetReport##NAME() const { return static_cast<TYPE>(this->GetReportNumber(#NAME)); }

class TESSERAFILTERS_EXPORT vtkTesseraFilter : public vtkDataObjectAlgorithm {
public:
  vtkTypeMacro(vtkTesseraFilter, vtkDataObjectAlgorithm);
  void PrintSelf(ostream &os, vtkIndent indent) override;
  int ProcessRequest(vtkInformation *request, vtkInformationVector **inputs,
                     vtkInformationVector *outputs) override;

  enum BackendType { AUTO = 0, CUDA, CPU };

  ///@{
  /** Auto takes CUDA where a usable device is there. CUDA that cannot run is an error. Default
   * AUTO. */
  TesseraProperty(Backend, int);
  ///@}

  ///@{
  /** How many threads the CPU backend uses; 0, the default, is all. */
  TesseraProperty(Threads, int);
  ///@}

  ///@{
  /** Index of the CUDA device; -1, the default: the processes of a machine share out its devices.
   */
  TesseraProperty(Device, int);
  ///@}

  ///@{
  /** Most MiB that the output may take on a machine; 0, the default, is a quarter of its memory. A
   *  larger one is an error that says what would fit. */
  TesseraProperty(LargestOutput, int);
  ///@}

  ///@{
  /** Buttons of the panel. They do nothing here: vtkSMTesseraSourceProxy does it, by an object with
   *  EstimateOnly, and by setting properties. */
  void Estimate() {}
  void Preset() {}
  ///@}

  ///@{
  /** An update ends when it is known what would be made, with empty outputs and EstimateText.
   *  Default off. */
  vtkSetMacro(EstimateOnly, bool);
  vtkGetMacro(EstimateOnly, bool);
  ///@}

  ///@{
  /** The result of an estimate, or "-". Setting it does not change the output. */
  void SetEstimateText(const char *text) { this->EstimateText = text ? text : ""; }
  const char *GetEstimateText() const { return this->EstimateText.c_str(); }
  ///@}

  ///@{
  /** The report. Counts come as double since ParaView's panel shows no 64-bit integers. Texts about
   * CUDA are "-", and its numbers 0, where it did not run. */
  const char *GetReportBackend() const { return this->ReportBackend.c_str(); }
  TesseraReportNumber(Threads, int);
  TesseraReportNumber(Items, double);
  TesseraReportNumber(Points, double);
  TesseraReportNumber(Cells, double);
  TesseraReportNumber(SmoothLines, double);
  TesseraReportNumber(ChordTolerance, double);
  TesseraReportNumber(ToleranceScale, double);
  TesseraReportNumber(LeastPoints, double);
  double GetReportPointsOverLeast() const;
  TesseraReportNumber(PlanSeconds, double);
  TesseraReportNumber(FillSeconds, double);
  const char *GetReportDevice() const { return this->ReportDevice.c_str(); }
  const char *GetReportStrategy() const { return this->ReportStrategy.c_str(); }
  TesseraReportNumber(ChildLaunches, double);
  TesseraReportNumber(RefusedLaunches, double);
  TesseraReportNumber(ChildItems, double);
  TesseraReportNumber(InlineItems, double);
  TesseraReportNumber(DeepestNesting, int);
  TesseraReportNumber(LaunchPool, double);
  TesseraReportNumber(DevicePeakBytes, double);
  TesseraReportNumber(UploadSeconds, double);
  TesseraReportNumber(DownloadSeconds, double);
  const char *GetReportFallback() const { return this->ReportFallback.c_str(); }

  /** The whole report, one entry on each line; "-" if nothing ran. */
  const char *GetReportText() const { return this->ReportText.c_str(); }
  ///@}

protected:
  vtkTesseraFilter();
  ~vtkTesseraFilter() override;

  /** The kinds of data that the filter takes. */
  virtual tessera::Takes GetTaken() const = 0;

  /** The class of the output for an input that is no composite. */
  virtual const char *GetDatasetClass() const = 0;

  /** True if a composite becomes one dataset instead of a composite. */
  virtual bool MergesBlocks() const { return false; }

  /** True if the core accepts all choices; otherwise an error says what is wrong. */
  virtual bool CheckChoices(vtkDataObject *input) = 0;

  /** Creates the execution that does the work. */
  virtual std::unique_ptr<tessera::Execution> NewExecution(vtkDataObject *input,
                                                           tessera::ThreadRunner &runner) const = 0;

  /** Puts the results of an execution into the output, each at the place of its dataset. */
  virtual void SetResults(const tessera::Execution &execution, vtkDataObject *input,
                          vtkDataObject *output);

  /** Adds the report of a finished execution to the output. */
  virtual void AddExecutionReport(const tessera::Execution &execution, vtkDataObject *output) = 0;

  /** Fills the second output, of a filter that has one: columns of one length, on process 0 of
   * all processes together; elsewhere the table stays empty, as viewers join the processes' rows.
   */
  virtual void FillTable(const tessera::Execution &execution, vtkTable *table) const;

  /** The executive lets every kind of data through, as its own message about a wrong one comes
   *  several times and names one class. It hands composites over whole: ranges, the budget and the
   *  agreement between processes belong to all datasets together. */
  int FillInputPortInformation(int port, vtkInformation *info) override;
  int FillOutputPortInformation(int port, vtkInformation *info) override;
  int RequestDataObject(vtkInformation *request, vtkInformationVector **inputs,
                        vtkInformationVector *outputs) override;
  int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                  vtkInformationVector *outputs) override;

  /** True where the filter takes an input of this kind and all choices can be handed to the core;
   *  else an error says what is wrong. */
  bool Accepts(vtkDataObject *input);

  ///@{
  /** A list of array names that can be set. */
  void AddName(std::vector<std::string> &names, const char *name);
  void ClearNames(std::vector<std::string> &names);
  ///@}

  /** The name of one array; NULL and "None" are no name. */
  void SetName(std::string &member, const char *name);

  /** Shows the core's error about a choice. Returns false. */
  bool Refuse(const tsr_error &error);

  /** True where what is set about the execution, and every choice of the table, can be handed to
   * the core; else an error says what is wrong. The filter has the strategies 0 (Auto) and those
   * from firstStrategy to lastStrategy. */
  bool CheckExecution(int firstStrategy, int lastStrategy);

  /** The settings of the execution. */
  void GetExecution(tsr_execution &execution) const;

  /** A number of the report by the name of its field. */
  double GetReportNumber(const char *name) const;

  /** Clears the report of an earlier execution. */
  virtual void ClearReport();

  ///@{
  /** Adds one entry of the report; a reason why nothing was made only where there is one. */
  static void AddCount(vtkFieldData *data, const char *name, int64_t count);
  static void AddNumber(vtkFieldData *data, const char *name, double number);
  static void AddText(vtkFieldData *data, const char *name, const std::string &text);
  static void AddReason(vtkFieldData *data, const std::string &whyNothing);
  static void AddField(vtkFieldData *data, const tessera::Report &report, const char *field);
  ///@}

  /** Adds an entry with the first n of several counts. */
  static void AddCounts(vtkFieldData *data, const char *name, const std::vector<vtkIdType> &counts,
                        int n);

  /** Adds the entries that only this filter's kernels have. */
  virtual void AddLaunchReport(vtkFieldData *data, const tessera::Report &report);

  /** Adds the counts of child grids, for kernels that launch kernels by tickets. */
  static void AddChildGrids(vtkFieldData *data, const tessera::Report &report);

  /** Adds the report as field data of one tuple. `items`, `cells`: what the filter calls them;
   *  `fields`: others that the filter has. */
  void AddReport(vtkDataObject *output, const char *items, const char *cells,
                 const std::vector<const char *> &fields = {});

  bool EstimateOnly = false;
  std::string EstimateText = "-";
  tessera::PropertyTable Table; /**< all settings that are numbers */

private:
  vtkTesseraFilter(const vtkTesseraFilter &) = delete;
  void operator=(const vtkTesseraFilter &) = delete;

  /** Takes the report over. Where a device failed and the CPU did the work, a warning says so, once
   *  until the reason changes. A machine without a device gets no warning: the report has the
   *  reason. */
  void SetReport(const tessera::Report &report);

  std::unique_ptr<tsr_filter_choices> Choices; /**< backend, device and limit of the output */
  std::unique_ptr<tessera::Report> Report;
  std::unique_ptr<tessera::OldTrees>
      Old; /**< trees of the last output, until the next output is made */
  std::string ReportBackend, ReportDevice, ReportStrategy, ReportFallback, ReportText;
  std::string LastWarning;
};

#endif
