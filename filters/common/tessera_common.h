/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: types and functions that every feature uses. A part of the public header; include
 * tessera.h.
 *
 * Rules that hold for every function here:
 * - Nothing prints, exits or aborts. A function that can fail returns a tsr_status and, where
 *   `error` is not NULL, fills *error (owned by the caller).
 * - A pointer must not be NULL unless its description allows it. Functions that return a tsr_status
 *   refuse a NULL pointer with BAD_INPUT or BAD_OPTION. Collective functions do not check: a
 *   process that returned early would leave the others waiting. Free functions ignore NULL.
 * - Pointers are borrowed for the duration of the call, and those of a view for as long as its
 *   plan lives. What a create function returns is freed by the matching free function.
 * - A struct that begins with struct_size is set up by its init function; a caller compiled
 *   against an older header keeps working, since members are only ever added at the end.
 * - Results do not depend on the number of threads, and are the same bits on every backend.
 */
#ifndef TSR_COMMON_TESSERA_COMMON_H
#define TSR_COMMON_TESSERA_COMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a call ended. */
typedef enum tsr_status {
  TSR_OK = 0,     /**< all done */
  TSR_ABORTED,    /**< the progress callback asked to stop; outputs are incomplete */
  TSR_BAD_OPTION, /**< an option is out of its range; the text names it and the range */
  TSR_BAD_INPUT,  /**< the view itself cannot be used (a NULL pointer, a wrong array length) */
  TSR_TOO_LARGE,  /**< more output than the limit or than 64 bits; the text gives the numbers */
  TSR_NO_MEMORY,  /**< the system gave no memory; the text says for what and how many bytes */
  TSR_NO_BACKEND, /**< the backend that was asked for is not built in or has no device */
  TSR_DEVICE      /**< a CUDA call failed; the text quotes CUDA verbatim */
} tsr_status;

/** What went wrong, in a sentence for the user. */
typedef struct tsr_error {
  tsr_status status;
  int64_t item;   /**< index of the input item with the error, or -1 */
  char text[500]; /**< always ends in a NUL */
} tsr_error;

/** Scalar types of arrays. */
typedef enum tsr_type {
  TSR_INT8 = 0,
  TSR_UINT8,
  TSR_INT16,
  TSR_UINT16,
  TSR_INT32,
  TSR_UINT32,
  TSR_INT64,
  TSR_UINT64,
  TSR_FLOAT,
  TSR_DOUBLE
} tsr_type;

/** Bytes of one value of `type`; 0 if `type` is not a tsr_type. */
size_t tsr_type_size(tsr_type type);

/** A borrowed array: `tuples` x `components` values, tuple after tuple. data NULL = absent. */
typedef struct tsr_array {
  const void *data;
  tsr_type type;
  int components;
  int64_t tuples;
} tsr_array;

/* ---------------------------------------------------------------- execution */

/** A task works on the half-open range [begin, end) of what was handed to the executor. */
typedef void (*tsr_task)(void *data, int64_t begin, int64_t end);

/** Where the work may run. */
typedef enum tsr_backend_id {
  TSR_BACKEND_AUTO = 0, /**< CUDA where a usable device is there, else the CPU */
  TSR_BACKEND_CUDA,     /**< CUDA or an error */
  TSR_BACKEND_CPU
} tsr_backend_id;

/** Largest number of CUDA devices in a report; further devices are ignored. */
#define TSR_MAX_DEVICES 32

/** How to run. Set up by tsr_execution_init. */
typedef struct tsr_execution {
  size_t struct_size;
  tsr_backend_id backend; /**< default TSR_BACKEND_AUTO */
  /**
   * Runs task(data, b, e) over ranges that cover [0, n) without overlap, in any order and on
   * any threads, in pieces of about `grain`, and returns when all are done. Default NULL: the
   * calling thread runs the whole range.
   */
  void (*run)(void *run_context, int64_t n, int64_t grain, tsr_task task, void *data);
  void *run_context;
  int threads; /**< how many threads `run` uses, for the report; default 1 */
  /**
   * May be called concurrently from any thread, with the fraction done in [0, 1]: from 0 to 0.4
   * while the plan is made (and again each time that a budget counts it), from 0.4 to 1 in the
   * fill. Non-zero stops the work: the call returns TSR_ABORTED. Default NULL.
   */
  int (*progress)(void *progress_context, double fraction);
  void *progress_context;
  /** Seconds from any fixed moment, for the report; default NULL: the report's seconds are 0. */
  double (*clock)(void);

  /** [-1] index of the CUDA device; -1 = the first usable one. A caller that wants one device for
   *  each rank sets the index. Each feature has its own launch parameters: the member `launch` of
   *  its options. */
  int device;

  /** Identifies the owner of input that stays on the device for the next plan, where a feature's
   *  options allow that (keep_bytes): any unique address, valid until tsr_device_forget is called
   *  with it. Default NULL: nothing is kept. */
  const void *owner;
  /**
   * Returns a version number of the array of the view that begins at `data`. The number must change
   * whenever the array's values may have changed; 0 means unknown. A kept copy on the device is
   * used again where address, size in bytes and version are equal. Called by the thread that makes
   * the plan or fills it. Default NULL: every version is unknown.
   */
  uint64_t (*generation)(void *generation_context, const void *data);
  void *generation_context;
} tsr_execution;

/** Sets every member to its default. `execution` must not be NULL. */
void tsr_execution_init(tsr_execution *execution);

/** The stream that a kernel launches child grids into. */
typedef enum tsr_child_stream {
  TSR_CHILD_NULL_STREAM = 0, /**< the block's NULL stream: the children of a block queue up */
  TSR_CHILD_NAMED, /**< a non-blocking stream, made and destroyed by each launching thread */
  TSR_CHILD_FIRE_AND_FORGET,
  TSR_CHILD_TAIL /**< after the parent grid, one after another */
} tsr_child_stream;

/** What ran and how much it did. */
typedef struct tsr_report {
  tsr_backend_id backend; /**< the one that ran: CUDA or CPU */
  int threads;            /**< threads of the CPU backend */
  int64_t items;          /**< curves in the input, bad ones included */
  int64_t spans;          /**< spans of the good curves */
  int64_t points;         /**< points of the output */
  int64_t cells;          /**< cells of the output */
  int64_t smooth_lines; /**< curves: lines of kind TSR_KIND_AUTOMATIC drawn as Catmull-Rom curves */
  double tolerance_scale; /**< factor by which the budget enlarged the tolerances; 1 without */
  double chord_tolerance; /**< chord error in force: absolute, scaled; 0 where it is not in use */
  double plan_seconds, fill_seconds;
  int64_t least_points; /**< curves, if the output has achieved_error: estimate of the least number
                           of points that keeps the chord error with vertices on the curves, from
                           the integral of the square root of the curvature; else 0 */

  /* CUDA. On the CPU all members below are 0, except `fallback`. */
  char device_name[128];
  int device;                        /**< index of the device */
  int strategy;                      /**< the strategy that ran, in the feature's own numbering */
  int child_stream, output_memory;   /**< curves: the choices in force */
  int64_t child_launches;            /**< child grids launched */
  int64_t refused_launches;          /**< launches that found no slot; the parent did their work */
  int64_t child_items, inline_items; /**< curves that child grids made; curves that parent grids
                                          made. Their sum is `items` */
  int deepest_nesting;               /**< of child grids; 0 = none */
  int64_t pool_in_force;             /**< slots for pending launches while the kernels ran */
  int64_t pieces;                    /**< number of pieces in which the output was made */
  int64_t device_peak_bytes;         /**< most device memory in use at once */
  double upload_seconds;             /**< input to the device; included in plan and fill seconds */
  double download_seconds;           /**< output from the device; included in fill_seconds */
  double device_seconds;             /**< the kernels that make the points, by the device's clock */
  double device_plan_seconds;        /**< grids: the kernels of the plan */
  double device_fill_seconds;        /**< grids: the kernels that make the output */
  char fallback[500]; /**< why AUTO fell back to the CPU, a sentence for the user; empty if it did
                           not */
  char by_cpu[200]; /**< grids: the parts of a plan on a device that the CPU made, as a list for the
                         user; empty where the device made everything */
} tsr_report;

/** The C type of a property's numbers in the options struct. */
typedef enum tsr_property_type {
  TSR_PROPERTY_INT = 0,
  TSR_PROPERTY_CHOICE, /**< an int or an enumeration; every value from least to most is valid */
  TSR_PROPERTY_INT64,
  TSR_PROPERTY_DOUBLE
} tsr_property_type;

/** Most numbers of one property. */
#define TSR_PROPERTY_NUMBERS 6

/** A member of a feature's options that the user sets. A feature has a table of its properties;
 *  defaults, panels and tests are made from the table or checked against it. */
typedef struct tsr_property {
  const char *name; /**< name of the panel's property and of the VTK class's member */
  size_t offset;    /**< of the member in the options, in bytes */
  tsr_property_type type;
  int numbers;                        /**< how many consecutive members the property has */
  double unit;                        /**< value in the options of 1 in the panel: 2^20 where the
                                           panel shows MiB and the option is in bytes */
  double least, most;                 /**< bounds of the panel's slider, box or list; infinite: no
                                           bound. Which values work is up to the feature's check */
  double value[TSR_PROPERTY_NUMBERS]; /**< default, in the options' unit */
} tsr_property;

/**
 * A line of a table of properties: NUMBERS members of the struct OPTIONS, MEMBER and those behind
 * it, all of the type TSR_PROPERTY_TYPE; then the unit, the bounds and the NUMBERS defaults.
 */
#define TSR_PROPERTY(OPTIONS, NAME, MEMBER, TYPE, NUMBERS, UNIT, LEAST, MOST, ...)                 \
  {                                                                                                \
#NAME, offsetof(OPTIONS, MEMBER), TSR_PROPERTY_##TYPE, NUMBERS, UNIT, LEAST, MOST, {           \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

/** Sets each member of `options` that is in the table of n properties to its default. */
void tsr_properties_init(const tsr_property *properties, int n, void *options);

/** Returns number k of a property, in the panel's unit. options: the struct that the property's
 *  table describes. */
double tsr_property_get(const tsr_property *property, const void *options, int k);

/** Sets number k of a property to `value`, in the panel's unit. Where the type is an integer, value
 *  is a whole number of magnitude at most 2^53. */
void tsr_property_set(const tsr_property *property, void *options, int k, double value);

/** How a number of the report is combined over the datasets of a process and over processes. */
typedef enum tsr_report_join {
  TSR_JOIN_OWN = 0, /**< not combined: each process reports its own */
  TSR_JOIN_SUM,     /**< sum over datasets and processes */
  TSR_JOIN_MOST,    /**< maximum over datasets and processes */
  TSR_JOIN_SLOWEST, /**< sum over the datasets of a process, then maximum over processes */
  TSR_JOIN_COMMON   /**< the same for all datasets of a process; maximum over processes */
} tsr_report_join;

/** A number of the report: its name, offset and type. Bounds and default are not used. */
typedef struct tsr_report_field {
  tsr_property number;
  tsr_report_join join;
} tsr_report_field;

/** Returns points / least_points: how far the output is from the estimated least number of points;
 *  0 where there is no estimate. */
double tsr_report_over_least(const tsr_report *report);

/** The table of the report's numbers that are shown to the user; n: receives their number. */
const tsr_report_field *tsr_report_fields(int *n);

/** Balance rule: leaves that share a face (EDGE: also an edge; CORNER: also a corner) differ by one
 *  level at most. In 2D the sides of a leaf are its faces, and EDGE is the same as CORNER. */
typedef enum tsr_balance {
  TSR_BALANCE_NONE = 0,
  TSR_BALANCE_FACE,
  TSR_BALANCE_EDGE,
  TSR_BALANCE_CORNER
} tsr_balance;

/** Number of items with a note, and the lowest index of them (-1 if none). */
typedef struct tsr_note_count {
  int64_t count;
  int64_t first;
} tsr_note_count;

/**
 * Allocates host memory for a large output array. The memory is page-locked, so that the device
 * writes into it at full speed; where there is no device, or bytes is small, it is ordinary memory.
 * Freed memory is kept for reuse, until tsr_device_release is called or more is kept than in use.
 * Returns NULL if out of memory, or bytes is 0.
 */
void *tsr_output_alloc(size_t bytes);

/** Bytes of freed output memory that are kept for reuse. They are available to Tessera, though the
 *  system counts them as used. */
int64_t tsr_output_waiting(void);

/** Frees memory from tsr_output_alloc; NULL is allowed. May be called on any thread. */
void tsr_output_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
