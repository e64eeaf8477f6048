/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: what every feature uses. A part of the public header; include tessera.h.
 *
 * Rules that hold for every function here:
 * - Nothing prints, exits or aborts. A function that can fail returns a tsr_status and, where
 *   `error` is not NULL, fills *error (owned by the caller).
 * - A pointer must not be NULL unless its description allows it. Functions that return a tsr_status
 *   refuse one with BAD_INPUT or BAD_OPTION, but for collective ones: a process that refused would
 *   leave the others waiting. Free functions do nothing then.
 * - Pointers are borrowed for the duration of the call, and those of a view for as long as its
 *   plan lives. What a create function returns is freed by the matching free function.
 * - A struct that begins with struct_size is set up by its init function; a caller compiled
 *   against an older header keeps working, since members are only ever added at the end.
 * - Results do not depend on the number of threads, and are the same bits on every backend.
 */
#ifndef TESSERA_COMMON_H
#define TESSERA_COMMON_H

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
  int64_t item;   /**< index of the item that it is about, or -1 */
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

/** Bytes of one value of `type`; 0 if it is no tsr_type. */
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

/** Most CUDA devices that are looked at. */
#define TSR_MAX_DEVICES 32

/** How to run. Set up by tsr_execution_init. */
typedef struct tsr_execution {
  size_t struct_size;
  tsr_backend_id backend; /**< default TSR_BACKEND_AUTO */
  /**
   * Runs task(data, b, e) over ranges that cover [0, n) without overlap, in any order and on
   * any threads, in pieces of about `grain`, and returns when all are done. Default NULL: the
   * calling thread does it all.
   */
  void (*run)(void *run_context, int64_t n, int64_t grain, tsr_task task, void *data);
  void *run_context;
  int threads; /**< how many threads `run` uses, for the report; default 1 */
  /**
   * May be called concurrently from any thread, with the fraction done in [0, 1]: from 0
   * to 0.4 in the plan and each time that it is counted, from 0.4 to 1 in the fill.
   * Non-zero stops the work: the call returns TSR_ABORTED. Default NULL.
   */
  int (*progress)(void *progress_context, double fraction);
  void *progress_context;
  /** Seconds from any fixed moment, for the report; default NULL: the report's seconds are 0. */
  double (*clock)(void);

  /** [-1] index of the CUDA device; -1 = the first usable one. For one device a rank, the caller
   *  gives the index. How kernels are launched there is a matter of each feature: the member
   *  `launch` of its options. */
  int device;

  /** Who keeps input on the device for the next plan, where a feature's options allow that: any
   *  address, until tsr_device_forget. Default NULL: nothing is kept. */
  const void *owner;
  /**
   * A number for the values that an array of the view begins with, at `data`: another one whenever
   * they may have changed, or 0 where that is not known. An array is taken for the one that is kept
   * where address, bytes and number are the same. Called by the thread that makes the plan or fills
   * it. Default NULL: nothing is known.
   */
  uint64_t (*generation)(void *generation_context, const void *data);
  void *generation_context;
} tsr_execution;

/** Sets every member to its default. `execution` must not be NULL. */
void tsr_execution_init(tsr_execution *execution);

/** Where child grids are launched to. */
typedef enum tsr_child_stream {
  TSR_CHILD_NULL_STREAM = 0, /**< the block's NULL stream: the children of a block queue up */
  TSR_CHILD_NAMED, /**< a non-blocking stream, made and destroyed by each launching thread */
  TSR_CHILD_FIRE_AND_FORGET,
  TSR_CHILD_TAIL /**< after the parent grid, one after another */
} tsr_child_stream;

/** What ran and how much it did. */
typedef struct tsr_report {
  tsr_backend_id backend; /**< the one that ran: CUDA or CPU */
  int threads;            /**< of the CPU backend */
  int64_t items;          /**< curves in the input, bad ones included */
  int64_t spans;          /**< of the good ones */
  int64_t points;         /**< emitted */
  int64_t cells;          /**< emitted */
  double tolerance_scale; /**< factor on the tolerances that the point budget made necessary */
  double chord_tolerance; /**< in force, absolute, after scaling; 0 where not asked for */
  double plan_seconds, fill_seconds;
  int64_t
      least_points; /**< curves, where their achieved errors were made: points that an output
                         with vertices on the curves would have at least for the chord error,
                         estimated by the integral of the square root of the curvature; else 0 */

  /* CUDA. On the CPU all of it is 0, but for `fallback`. */
  char device_name[128];
  int device;                        /**< its index */
  int strategy;                      /**< the one that ran, as the feature numbers them */
  int child_stream, output_memory;   /**< curves: in force */
  int64_t child_launches;            /**< child grids launched */
  int64_t refused_launches;          /**< for which there was no slot */
  int64_t child_items, inline_items; /**< curves that child grids made; those that the others made.
                                          Together: items */
  int deepest_nesting;               /**< of child grids; 0 = none */
  int64_t pool_in_force;             /**< slots for launches that were set while it ran */
  int64_t pieces;                    /**< in which the output was made */
  int64_t device_peak_bytes;         /**< most device memory in use at once */
  double upload_seconds;             /**< input to the device; a part of plan and fill */
  double download_seconds;           /**< output from it; a part of fill */
  double device_seconds;             /**< the kernels that make the points, by the device's clock */
  double device_plan_seconds; /**< grids: the kernels that follow the decisions in the plan */
  double device_fill_seconds; /**< grids: the kernels that make the output */
  char fallback[500]; /**< why AUTO went to the CPU, a sentence for the user; empty if it did not */
  char by_cpu[200]; /**< grids: what the CPU made of a plan on a device, a list for the user; empty
                         where the device made all of it */
} tsr_report;

/** What a property's numbers are in the options struct. */
typedef enum tsr_property_type {
  TSR_PROPERTY_INT = 0,
  TSR_PROPERTY_CHOICE, /**< an int, or an enumeration whose values are all from least to most */
  TSR_PROPERTY_INT64,
  TSR_PROPERTY_DOUBLE
} tsr_property_type;

/** Most numbers of one property. */
#define TSR_PROPERTY_NUMBERS 6

/** A member of a feature's options that the user sets. Defaults, panels and tests follow from the
 *  table of them, or are checked against it. */
typedef struct tsr_property {
  const char *name; /**< of the panel's property and the VTK class's member */
  size_t offset;    /**< in the options */
  tsr_property_type type;
  int numbers;                        /**< of this type, one after another */
  double unit;                        /**< what 1 in the panel is in the options: a MiB in bytes */
  double least, most;                 /**< what a slider, box or list of the panel lets through;
                                           infinite: no bound. The feature's check decides */
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

/** Sets the members of `options` that the table of n properties has to their defaults. */
void tsr_properties_init(const tsr_property *properties, int n, void *options);

/** Number k of a property in the panel's unit. options: the struct that the property's table is
 *  of. */
double tsr_property_get(const tsr_property *property, const void *options, int k);

/** Sets it; a whole number of at most 2^53 where the type is one. */
void tsr_property_set(const tsr_property *property, void *options, int k, double value);

/** How the reports of several datasets and processes become one. */
typedef enum tsr_report_join {
  TSR_JOIN_OWN = 0, /**< not at all: each process says its own */
  TSR_JOIN_SUM,
  TSR_JOIN_MOST,
  TSR_JOIN_SLOWEST, /**< the sum over datasets, the largest of the processes' */
  TSR_JOIN_COMMON   /**< one for all datasets, the largest of the processes' */
} tsr_report_join;

/** A number of the report: its name, place and type. Bounds and default mean nothing. */
typedef struct tsr_report_field {
  tsr_property number;
  tsr_report_join join;
} tsr_report_field;

/** Points over the least number of them that was estimated; 0 where it was not. */
double tsr_report_over_least(const tsr_report *report);

/** The numbers of the report that the user is told; n: receives how many. */
const tsr_report_field *tsr_report_fields(int *n);

/** Leaves that share a face (or edge, or corner) differ by one level at most; each rule includes
 *  those before it. In 2D edges are faces' corners: EDGE is CORNER. */
typedef enum tsr_balance {
  TSR_BALANCE_NONE = 0,
  TSR_BALANCE_FACE,
  TSR_BALANCE_EDGE,
  TSR_BALANCE_CORNER
} tsr_balance;

/** How many items have a note, and the first of them (-1 if none). */
typedef struct tsr_note_count {
  int64_t count;
  int64_t first;
} tsr_note_count;

/**
 * Host memory that the device writes into at full speed, for large output arrays. It comes from
 * memory kept for reuse; freed memory is kept until tsr_device_release, or until it is more than
 * what is in use. Where there is no device, or bytes is small, it is ordinary memory. NULL if there
 * is none, or bytes is 0.
 */
void *tsr_output_alloc(size_t bytes);

/** Bytes that are kept for the next output: free memory, though the system counts them as used. */
int64_t tsr_output_waiting(void);

/** Frees what tsr_output_alloc gave; NULL is allowed. May be called on any thread. */
void tsr_output_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
