/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Moving points and cells to the processes that need them. What two processes have in common is a
 * box; an array of that box is the message between them:
 *
 *     held ---rows of the common box---> message ---rows---> needed
 */
#include "grid/partition/box.h"

#include <stdlib.h>
#include <string.h>

/* The rows of one box within an array of another: sizes of both, and where the rows begin. */
typedef struct rows {
  int64_t all[3], counts[3], begin[3];
} rows;

static rows rows_of(const tsr_grid_box *box, const tsr_grid_box *part, int cells) {
  rows r;
  tsr_box_counts(box, cells, r.all);
  tsr_box_counts(part, cells, r.counts);
  for (int a = 0; a < 3; ++a)
    r.begin[a] = part->at[2 * a] - box->at[2 * a];
  return r;
}

static int64_t row_begin(const rows *r, int64_t j, int64_t k) {
  return ((r->begin[2] + k) * r->all[1] + r->begin[1] + j) * r->all[0] + r->begin[0];
}

/* Copies the values of `part` from an array of one box to that of another. */
static void copy_part(const tsr_grid_box *part, const tsr_grid_column *column,
                      const tsr_grid_box *from_box, const char *from, const tsr_grid_box *to_box,
                      char *to) {
  const rows source = rows_of(from_box, part, column->cells);
  const rows target = rows_of(to_box, part, column->cells);
  for (int64_t k = 0; k < source.counts[2]; ++k)
    for (int64_t j = 0; j < source.counts[1]; ++j)
      memcpy(to + (size_t)row_begin(&target, j, k) * column->tuple,
             from + (size_t)row_begin(&source, j, k) * column->tuple,
             (size_t)source.counts[0] * column->tuple);
}

/* The place of the first value of `box` that no process holds, or -1. held: one a value, 0. */
static int64_t find_gap(const tsr_grid_shares *shares, const tsr_processes *processes, int cells,
                        char *held) {
  const tsr_grid_box *box = &shares->need[processes->rank];
  const int64_t n = tsr_grid_box_values(box, cells);
  for (int k = 0; k < processes->n; ++k) {
    const tsr_grid_box part = tsr_box_common(&shares->held[k], box, cells);
    if (!tsr_grid_box_is_empty(&part)) {
      const rows r = rows_of(box, &part, cells);
      for (int64_t z = 0; z < r.counts[2]; ++z)
        for (int64_t y = 0; y < r.counts[1]; ++y)
          memset(held + row_begin(&r, y, z), 1, (size_t)r.counts[0]);
    }
  }
  for (int64_t i = 0; i < n; ++i)
    if (!held[i])
      return i;
  return -1;
}

static tsr_status check_values(const tsr_grid_shares *shares, const tsr_processes *processes,
                               int cells, tsr_error *error) {
  const tsr_grid_box *box = &shares->need[processes->rank];
  const int64_t n = tsr_grid_box_values(box, cells);
  char *held = tsr_alloc(n, 1, "which points are there", error);
  int64_t counts[3], gap;
  if (!held)
    return TSR_NO_MEMORY;
  memset(held, 0, (size_t)n);
  gap = find_gap(shares, processes, cells, held);
  free(held);
  if (gap < 0)
    return TSR_OK;
  tsr_box_counts(box, cells, counts);
  return tsr_fail(error, TSR_BAD_INPUT, -1, "no process holds the input %s %lld %lld %lld",
                  cells ? "cell" : "point", (long long)(box->at[0] + gap % counts[0]),
                  (long long)(box->at[2] + gap / counts[0] % counts[1]),
                  (long long)(box->at[4] + gap / counts[0] / counts[1]));
}

tsr_status tsr_grid_check_cover(const tsr_grid_shares *shares, const tsr_processes *processes,
                                int cells, tsr_error *error) {
  if (tsr_need(shares && processes, "the shares or the group of processes", error))
    return TSR_BAD_INPUT;
  tsr_status status = TSR_OK;
  if (tsr_grid_box_is_empty(&shares->need[processes->rank]))
    return TSR_OK;
  status = check_values(shares, processes, 0, error);
  return status == TSR_OK && cells ? check_values(shares, processes, 1, error) : status;
}

/* Messages of one column: bytes to and from each process, one's after the other's. */
typedef struct messages {
  int64_t *send_bytes, *receive_bytes;
  char *send, *receive;
} messages;

/* Sets how much goes where; *send, *receive: all of it. */
static void set_bytes(const tsr_grid_shares *shares, const tsr_processes *processes,
                      const tsr_grid_column *column, const messages *m, int64_t *send,
                      int64_t *receive) {
  const int rank = processes->rank;
  *send = *receive = 0;
  for (int k = 0; k < processes->n; ++k) {
    const tsr_grid_box out = tsr_box_common(&shares->held[rank], &shares->need[k], column->cells);
    const tsr_grid_box in = tsr_box_common(&shares->held[k], &shares->need[rank], column->cells);
    const int64_t tuple = (int64_t)column->tuple;
    /* What stays here needs no message. */
    m->send_bytes[k] = k == rank ? 0 : tsr_grid_box_values(&out, column->cells) * tuple;
    m->receive_bytes[k] = k == rank ? 0 : tsr_grid_box_values(&in, column->cells) * tuple;
    *send += m->send_bytes[k];
    *receive += m->receive_bytes[k];
  }
}

static void pack(const tsr_grid_shares *shares, const tsr_processes *processes,
                 const tsr_grid_column *column, const messages *m) {
  const tsr_grid_box *held = &shares->held[processes->rank];
  char *at = m->send;
  for (int k = 0; k < processes->n; ++k) {
    const tsr_grid_box part = tsr_box_common(held, &shares->need[k], column->cells);
    if (m->send_bytes[k] > 0)
      copy_part(&part, column, held, column->from, &part, at);
    at += m->send_bytes[k];
  }
}

static void unpack(const tsr_grid_shares *shares, const tsr_processes *processes,
                   const tsr_grid_column *column, const messages *m) {
  const tsr_grid_box *need = &shares->need[processes->rank];
  const char *at = m->receive;
  for (int k = 0; k < processes->n; ++k) {
    const tsr_grid_box part = tsr_box_common(&shares->held[k], need, column->cells);
    if (k == processes->rank && !tsr_grid_box_is_empty(&part))
      copy_part(&part, column, &shares->held[k], column->from, need, column->to);
    if (m->receive_bytes[k] > 0)
      copy_part(&part, column, &part, at, need, column->to);
    at += m->receive_bytes[k];
  }
}

/* Memory for the largest messages of any column. */
static tsr_status messages_make(const tsr_grid_shares *shares, const tsr_processes *processes,
                                const tsr_grid_column *columns, int n, messages *m,
                                tsr_error *error) {
  int64_t most_sent = 0, most_received = 0;
  m->send_bytes = tsr_alloc(processes->n, sizeof *m->send_bytes, "a message", error);
  m->receive_bytes = tsr_alloc(processes->n, sizeof *m->receive_bytes, "a message", error);
  if (!m->send_bytes || !m->receive_bytes)
    return TSR_NO_MEMORY;
  for (int c = 0; c < n; ++c) {
    int64_t send, receive;
    set_bytes(shares, processes, &columns[c], m, &send, &receive);
    most_sent = send > most_sent ? send : most_sent;
    most_received = receive > most_received ? receive : most_received;
  }
  m->send = tsr_alloc(most_sent, 1, "points for other processes", error);
  m->receive = tsr_alloc(most_received, 1, "points from other processes", error);
  return m->send && m->receive ? TSR_OK : TSR_NO_MEMORY;
}

tsr_status tsr_grid_move(const tsr_grid_shares *shares, const tsr_processes *processes,
                         const tsr_grid_column *columns, int n_columns, tsr_error *error) {
  messages m = {NULL, NULL, NULL, NULL};
  tsr_status status = messages_make(shares, processes, columns, n_columns, &m, error);
  status = tsr_processes_agree(processes, status, error);
  for (int c = 0; c < n_columns && status == TSR_OK; ++c) {
    int64_t send, receive;
    set_bytes(shares, processes, &columns[c], &m, &send, &receive);
    pack(shares, processes, &columns[c], &m);
    if (processes->n > 1 &&
        processes->exchange(processes->context, m.send, m.send_bytes, m.receive, m.receive_bytes))
      status = tsr_fail(error, TSR_ABORTED, -1, "the processes could not exchange data");
    else
      unpack(shares, processes, &columns[c], &m);
  }
  free(m.send_bytes);
  free(m.receive_bytes);
  free(m.send);
  free(m.receive);
  return status;
}
