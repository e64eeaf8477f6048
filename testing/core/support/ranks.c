/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** What the threads talk through. */
typedef struct world {
  pthread_mutex_t lock;
  pthread_cond_t all_here;
  int n, waiting;
  int64_t round;
  const void *part[MAX_RANKS];
  const int64_t *sizes[MAX_RANKS];
} world;

/** One process. */
typedef struct member {
  world *w;
  int rank;
  ranks_work work;
  void *data;
} member;

static void barrier(world *w) {
  pthread_mutex_lock(&w->lock);
  const int64_t round = w->round;
  if (++w->waiting == w->n) {
    w->waiting = 0;
    w->round++;
    pthread_cond_broadcast(&w->all_here);
  }
  while (w->round == round) {
    pthread_cond_wait(&w->all_here, &w->lock);
  }
  pthread_mutex_unlock(&w->lock);
}

static int gather(void *context, const void *mine, int64_t bytes, void *all, const int64_t *sizes) {
  const member *m = context;
  char *to = all;
  const int failed = sizes[m->rank] != bytes;
  m->w->part[m->rank] = mine;
  barrier(m->w);
  for (int r = 0; r < m->w->n; r++) {
    if (sizes[r] > 0 && !failed) {
      memcpy(to, m->w->part[r], (size_t)sizes[r]);
    }
    to += sizes[r];
  }
  barrier(m->w);
  return failed;
}

static int exchange(void *context, const void *send, const int64_t *send_bytes, void *receive,
                    const int64_t *receive_bytes) {
  const member *m = context;
  char *to = receive;
  int failed = 0;
  m->w->part[m->rank] = send;
  m->w->sizes[m->rank] = send_bytes;
  barrier(m->w);
  for (int r = 0; r < m->w->n; r++) {
    const char *from = m->w->part[r];
    for (int before = 0; before < m->rank; before++) {
      from += m->w->sizes[r][before];
    }
    failed = failed || m->w->sizes[r][m->rank] != receive_bytes[r];
    if (receive_bytes[r] > 0 && !failed) {
      memcpy(to, from, (size_t)receive_bytes[r]);
    }
    to += receive_bytes[r];
  }
  barrier(m->w);
  return failed;
}

static void *start(void *data) {
  const member *m = data;
  const tsr_processes processes = {m->w->n, m->rank, gather, exchange, data};
  m->work(m->data, &processes);
  return NULL;
}

void ranks_run(int n, ranks_work work, void *data, size_t size) {
  member members[MAX_RANKS];
  pthread_t threads[MAX_RANKS];
  world w;
  memset(&w, 0, sizeof w);
  pthread_mutex_init(&w.lock, NULL);
  pthread_cond_init(&w.all_here, NULL);
  w.n = n;
  for (int r = 0; r < n; r++) {
    members[r] = (member){&w, r, work, (char *)data + (size_t)r * size};
    if (pthread_create(&threads[r], NULL, start, &members[r]) != 0) {
      perror("a process's thread"); /* the threads that run would wait for it for ever */
      abort();
    }
  }
  for (int r = 0; r < n; r++) {
    pthread_join(threads[r], NULL);
  }
  pthread_mutex_destroy(&w.lock);
  pthread_cond_destroy(&w.all_here);
}

void ranks_take_part(tsr_grid_options *options, const tsr_processes *processes) {
  options->gather = processes->gather;
  options->gather_context = processes->context;
  options->n_ranks = processes->n;
  options->rank = processes->rank;
}
