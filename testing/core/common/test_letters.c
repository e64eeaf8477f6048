/* SPDX-License-Identifier: BSD-3-Clause */
/** An exchange made of messages that wait for the other side, as MPI's may: every byte arrives, and
 *  nobody waits for ever. Threads play the processes. */
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

enum { MOST = 40 };

/** One message at a time from each process to each: `bytes` while nobody has taken it. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  const void *bytes[MAX_RANKS][MAX_RANKS];
  int64_t n[MAX_RANKS][MAX_RANKS];
} post = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static int send_one(void *context, const void *bytes, int64_t n, int to) {
  const int from = *(const int *)context;
  pthread_mutex_lock(&post.lock);
  post.bytes[from][to] = bytes;
  post.n[from][to] = n;
  pthread_cond_broadcast(&post.changed);
  while (post.bytes[from][to]) {
    pthread_cond_wait(&post.changed, &post.lock);
  }
  pthread_mutex_unlock(&post.lock);
  return 0;
}

static int receive_one(void *context, void *bytes, int64_t n, int from) {
  const int to = *(const int *)context;
  pthread_mutex_lock(&post.lock);
  while (!post.bytes[from][to]) {
    pthread_cond_wait(&post.changed, &post.lock);
  }
  const int failed = post.n[from][to] != n;
  if (!failed) {
    memcpy(bytes, post.bytes[from][to], (size_t)n);
  }
  post.bytes[from][to] = NULL;
  pthread_cond_broadcast(&post.changed);
  pthread_mutex_unlock(&post.lock);
  return failed;
}

static int64_t size_of(int from, int to) {
  return (from * 11 + to * 7) % 5 == 0 ? 0 : from + 3 * to;
}
static char byte_of(int from, int to, int64_t i) { return (char)(from * 16 + to * 3 + i); }

typedef struct process {
  int rank, failed;
  char received[MAX_RANKS * MOST];
} process;

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  char packed[MAX_RANKS * MOST], *at = packed;
  int64_t to[MAX_RANKS], from[MAX_RANKS];
  p->rank = processes->rank;
  for (int k = 0; k < processes->n; k++) {
    to[k] = size_of(p->rank, k);
    from[k] = size_of(k, p->rank);
    for (int64_t i = 0; i < to[k]; i++) {
      *at++ = byte_of(p->rank, k, i);
    }
  }
  const tsr_letters letters = {processes->n, p->rank, send_one, receive_one, &p->rank};
  p->failed = tsr_exchange_letters(&letters, packed, to, p->received, from);
}

static int fails(void *context, const void *bytes, int64_t n, int to) {
  (void)context, (void)bytes, (void)n, (void)to;
  return 3;
}

int main(void) {
  for (int n = 1; n <= MAX_RANKS; n++) {
    process p[MAX_RANKS];
    memset(p, 0, sizeof p);
    ranks_run(n, work, p, sizeof *p);
    for (int r = 0; r < n; r++) {
      const char *at = p[r].received;
      CHECK_INT(p[r].failed, 0);
      for (int k = 0; k < n; k++) {
        for (int64_t i = 0; i < size_of(k, r); i++) {
          CHECK_SAY(*at++ == byte_of(k, r, i), "from %d to %d of %d", k, r, n);
        }
      }
    }
  }
  const tsr_letters broken = {2, 0, fails, NULL, NULL};
  const int64_t to[2] = {0, 1}, nothing[2] = {0, 0};
  CHECK(tsr_exchange_letters(&broken, "x", to, NULL, nothing) != 0);
  return check_result();
}
