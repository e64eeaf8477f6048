/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: types and functions that every feature uses. A part of the public header; include
 * tessera.h.
 *
 * A feature (curves, cells, grid, pointgrid, ordering, discs, jet) works in three steps. The caller
 * describes its input in a view, a struct of borrowed pointers. A create function makes a plan from
 * the view and the options: the plan decides everything and knows the exact sizes of the output.
 * The caller allocates arrays of these sizes, and a fill function writes them. A function that is
 * called collective must be called by all processes that work together, in the same order.
 *
 * Rules that hold for every function here:
 * - Nothing prints, exits or aborts. A function that can fail returns a tsr_status and, where
 *   `error` is not NULL, fills *error (owned by the caller).
 * - A pointer must not be NULL unless its description allows it. Functions that return a tsr_status
 *   refuse a NULL pointer with BAD_INPUT or BAD_OPTION. Collective functions do not check: a
 *   process that returned early would leave the others waiting. Free functions ignore NULL.
 * - Pointers are borrowed for the duration of the call. The arrays of a view, and of the options of
 *   a plan, are borrowed until the plan is freed. What a create function returns is freed by the
 *   matching free function.
 * - A default stands in brackets at the start of a member's description.
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
  TSR_INT8 = 0, /**< int8_t */
  TSR_UINT8,    /**< uint8_t */
  TSR_INT16,    /**< int16_t */
  TSR_UINT16,   /**< uint16_t */
  TSR_INT32,    /**< int32_t */
  TSR_UINT32,   /**< uint32_t */
  TSR_INT64,    /**< int64_t */
  TSR_UINT64,   /**< uint64_t */
  TSR_FLOAT,    /**< float */
  TSR_DOUBLE    /**< double */
} tsr_type;

/** Bytes of one value of `type`; 0 if `type` is not a tsr_type. */
size_t tsr_type_size(tsr_type type);

/** A borrowed array of `tuples` x `components` values, tuple after tuple without gaps. data may be
 *  NULL if tuples is 0, or where a description says that the array may be absent. */
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
  TSR_BACKEND_CPU       /**< the CPU, also where there is a device */
} tsr_backend_id;

/** Largest number of CUDA devices in a report; further devices are ignored. */
#define TSR_MAX_DEVICES 32

/** How to run. Set up by tsr_execution_init. */
typedef struct tsr_execution {
  size_t struct_size;
  tsr_backend_id backend; /**< default TSR_BACKEND_AUTO */
  /**
   * Runs task(data, b, e) over ranges that cover [0, n) without overlap, in any order and on
   * any threads, in pieces of about `grain`, and returns when all are done. Called by the thread
   * that called Tessera. Default NULL: that thread runs the whole range.
   */
  void (*run)(void *run_context, int64_t n, int64_t grain, tsr_task task, void *data);
  void *run_context;
  int threads; /**< how many threads `run` uses, for the report; default 1 */
  /**
   * Receives the fraction of the work that is done: from 0 to 0.4 while the plan is made, from 0.4
   * to 1 in the fill. The search for a budget counts a plan several times, and the fraction starts
   * again each time. May be called by several threads at once. Returning non-zero stops the work:
   * the call that is under way returns TSR_ABORTED. Default NULL: nothing is called.
   */
  int (*progress)(void *progress_context, double fraction);
  void *progress_context;
  /** Returns the seconds since a fixed moment, for the report. Default NULL: all seconds in the
   *  report are 0. */
  double (*clock)(void);

  /** [-1] index of the CUDA device; -1 = the first usable one. A caller that wants one device for
   *  each rank sets the index. */
  int device;

  /** Lets input arrays stay on the device after a plan is freed, so that the next plan need not
   *  upload them, as far as the options of the feature allow (keep_bytes). Any unique address that
   *  names the caller, for instance that of its own object; tsr_device_forget, called with the same
   *  address, frees the arrays. Default NULL: nothing is kept. */
  const void *owner;
  /**
   * Returns a version number of the array, an input or an output, that begins at `data`. It must
   * change whenever the values may have changed; 0 means unknown. A copy on the device, of an input
   * or left by a fill, is used without a comparison only if address, size and version are equal.
   * Called by the thread that makes the plan or fills it. Default NULL: every version is unknown.
   */
  uint64_t (*generation)(void *generation_context, const void *data);
  void *generation_context;

  /**
   * [0] 1: arrays may lie in the memory of the CUDA device that the plan runs on. Each array is in
   * host memory or on the device as its address says; CUDA is asked. These are the data of every
   * tsr_array, and the pointers of a view and of an output whose length a member of the view or of
   * the sizes gives. Structs, lists of structs and single numbers are on the host. An array on the
   * device is read and written in place: it does not travel over the bus. It must begin at a
   * multiple of 16 bytes if it is an output.
   *
   * The plan then runs on the device, and never falls back to the CPU: what fails there fails with
   * NO_BACKEND, NO_MEMORY or DEVICE, also under TSR_BACKEND_AUTO; TSR_BACKEND_CPU is refused with
   * BAD_OPTION. Curves, grids of structured input and point grids take such arrays. What only the
   * CPU can do with them is refused with BAD_OPTION: see docs/device-arrays.md.
   */
  int device_arrays;
  /** [NULL: the default stream] device_arrays: a cudaStream_t of the device, which must live as long
   *  as the plan. Create and fill functions read and write arrays on the device after all work that
   *  was on it when they were called. When they return, their own work is done. */
  void *stream;
} tsr_execution;

/** Sets every member to its default. `execution` must not be NULL. */
void tsr_execution_init(tsr_execution *execution);

/** The stream that a kernel launches child grids into. */
typedef enum tsr_child_stream {
  TSR_CHILD_NULL_STREAM = 0, /**< the block's NULL stream: children of a block run one by one */
  TSR_CHILD_NAMED, /**< a non-blocking stream, made and destroyed by each launching thread */
  TSR_CHILD_FIRE_AND_FORGET, /**< cudaStreamFireAndForget: children start at once, in any order */
  TSR_CHILD_TAIL /**< cudaStreamTailLaunch: children run after the parent grid, one by one */
} tsr_child_stream;

/** What ran and how much it did. The description of a feature's report function says what `items`,
 *  `points` and `cells` count there; the descriptions below are those for curves. */
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
  int64_t least_points; /**< curves, if the output has achieved_error: an estimate of the smallest
                           number of points that keeps the chord error with all vertices on the
                           curves. It is found from the integral of the square root of the
                           curvature. Otherwise, and with device_arrays, 0 */

  /* CUDA. On the CPU all members below are 0, except `fallback`. */
  char device_name[128];
  int device;                        /**< index of the device */
  int strategy;                      /**< the strategy that ran, in the feature's own numbering */
  int child_stream, output_memory;   /**< curves: the choices in force */
  int64_t child_launches;            /**< child grids launched */
  int64_t refused_launches;          /**< launches that found no slot; the parent did their work */
  int64_t child_items, inline_items; /**< curves that child grids made; curves that parent grids
                                          made. Their sum is `items` */
  int deepest_nesting;               /**< deepest nesting of child grids; 0 = none launched */
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
  TSR_PROPERTY_CHOICE, /**< an int or an enumeration that the panel shows as a list or a check box;
                             every value from least to most is valid */
  TSR_PROPERTY_INT64,
  TSR_PROPERTY_DOUBLE
} tsr_property_type;

/** Most numbers of one property. */
#define TSR_PROPERTY_NUMBERS 6

/** A member of a feature's options that the user sets. A feature has a table of its properties;
 *  defaults, panels and tests are made from the table or checked against it. */
typedef struct tsr_property {
  const char *name; /**< name of the panel's property and of the VTK class's member */
  size_t offset;    /**< offset of the member in the options struct, in bytes */
  tsr_property_type type;
  int numbers;                        /**< how many consecutive members the property has */
  double unit;                        /**< factor from the panel's number to the option: 2^20
                                           where the panel shows MiB and the option is in bytes */
  double least, most;                 /**< bounds in the panel, in its unit; infinite: no bound. The
                                           feature checks its options by itself, and may allow more
                                           or fewer values */
  double value[TSR_PROPERTY_NUMBERS]; /**< default, in the options' unit */
} tsr_property;

/**
 * One entry of a table of properties. It describes NUMBERS consecutive members of the struct
 * OPTIONS, from MEMBER on, all of the type TSR_PROPERTY_<TYPE>. UNIT, LEAST and MOST are as in
 * tsr_property; the NUMBERS defaults come last.
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
  TSR_JOIN_OWN = 0, /**< not combined: each process reports its own number */
  TSR_JOIN_SUM,     /**< sum over datasets and processes */
  TSR_JOIN_MOST,    /**< maximum over datasets and processes */
  TSR_JOIN_SLOWEST, /**< sum over the datasets of a process, then maximum over processes */
  TSR_JOIN_COMMON   /**< equal for all datasets of a process; maximum over processes */
} tsr_report_join;

/** A number of the report: its name, offset in tsr_report and type. The bounds and the default of
 *  `number` are not used. */
typedef struct tsr_report_field {
  tsr_property number;
  tsr_report_join join;
} tsr_report_field;

/** Returns points / least_points: how far the output is from the estimated least number of points;
 *  0 where there is no estimate. */
double tsr_report_over_least(const tsr_report *report);

/** Returns the table of the report's numbers that are shown to the user; n: receives the length of
 *  the table. The table is constant and belongs to the library. */
const tsr_report_field *tsr_report_fields(int *n);

/** Balance rule: leaves that share a face (EDGE: also an edge; CORNER: also a corner) differ by at
 *  most one level. In 2D the sides of a leaf are its faces, and EDGE is the same as CORNER. */
typedef enum tsr_balance {
  TSR_BALANCE_NONE = 0, /**< leaves may differ by any number of levels */
  TSR_BALANCE_FACE,
  TSR_BALANCE_EDGE,
  TSR_BALANCE_CORNER
} tsr_balance;

/** How often a plan made a note. */
typedef struct tsr_note_count {
  int64_t count; /**< number of items; 0: the note was not made */
  int64_t first; /**< lowest index of an item with the note; -1: none */
} tsr_note_count;

/**
 * Allocates host memory for a large output array. After a device has first written into it, the
 * memory is page-locked in the background, so that later writes run at full speed. Without CUDA, or
 * below 256 KiB, it is ordinary memory. tsr_output_free keeps the memory for reuse until
 * tsr_device_release is called; memory is also given back to the system, the largest blocks first,
 * while more is kept than in use. May be called on any thread. Returns NULL if out of memory, or
 * bytes is 0.
 */
void *tsr_output_alloc(size_t bytes);

/** Returns the bytes of freed output memory that are kept for reuse. Tessera can use them again,
 *  though the system counts them as used. */
int64_t tsr_output_waiting(void);

/** Frees memory from tsr_output_alloc, or keeps it for reuse. NULL is allowed. Any thread may
 *  call. */
void tsr_output_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
