/* SPDX-License-Identifier: BSD-3-Clause */
/** How much memory may be taken, on systems made of files: each limit alone is found, and the least
 * of all holds. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw, getrlimit */
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "tessera.h"

#define MIB 1048576.0

static char root[200];

static int erase(const char *path, const struct stat *state, int type, struct FTW *at) {
  (void)state, (void)type, (void)at;
  return remove(path);
}

/** An empty system. */
static void begin(void) {
  strcpy(root, "/tmp/tessera_memory_XXXXXX");
  CHECK(mkdtemp(root) != NULL);
}

static void end(void) { nftw(root, erase, 8, FTW_DEPTH | FTW_PHYS); }

/** Writes a file with its folders. */
static void put(const char *path, const char *text) {
  char whole[400];
  snprintf(whole, sizeof whole, "%s%s", root, path);
  for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = '\0';
    mkdir(whole, 0700);
  }
  FILE *file = fopen(whole, "w");
  if (CHECK(file != NULL)) {
    fputs(text, file);
    fclose(file);
  }
}

/** A machine of 1000 MiB, 600 of them available. */
static void put_machine(void) {
  put("/proc/meminfo", "MemTotal:        1024000 kB\nMemFree:           10240 kB\n"
                       "MemAvailable:     614400 kB\n");
}

static void found(double total, double available, const char *what) {
  const tsr_system_memory memory = tsr_memory_look(root);
  CHECK_SAY(memory.total == total * MIB && memory.available == available * MIB,
            "%s: %g of %g MiB, not %g of %g", what, memory.available / MIB, memory.total / MIB,
            available, total);
}

static void machines(void) {
  begin();
  const tsr_system_memory unknown = tsr_memory_look(root);
  CHECK(isinf(unknown.total) && isinf(unknown.available));
  put_machine();
  found(1000, 600, "the machine");
  end();
}

/** RLIMIT_AS counts all addresses, RLIMIT_DATA the data. */
static void limits_of_the_process(void) {
  begin();
  put_machine();
  put("/proc/self/status",
      "Name:\tme\nVmSize:\t  307200 kB\nVmRSS:\t  100 kB\nVmData:\t  102400 kB\n");
  put("/proc/self/limits",
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max data size             unlimited            unlimited            bytes     \n"
      "Max address space         524288000            unlimited            bytes     \n");
  found(1000, 200, "500 MiB of addresses, 300 in use");
  put("/proc/self/limits",
      "Max data size             209715200            unlimited            bytes     \n"
      "Max address space         unlimited            unlimited            bytes     \n");
  found(1000, 100, "200 MiB of data, 100 in use");
  put("/proc/self/limits", "Max data size             10485760             unlimited    bytes\n");
  found(1000, 0, "10 MiB of data, 100 in use");
  end();
}

/** Version 2: the parents' limits hold, too, and unused file pages are no use. */
static void groups(void) {
  begin();
  put_machine();
  put("/proc/self/cgroup", "0::/user/job/step\n");
  put("/sys/fs/cgroup/user/job/step/memory.max", "max\n");
  put("/sys/fs/cgroup/user/job/step/memory.current", "52428800\n");
  found(1000, 600, "no limit");
  put("/sys/fs/cgroup/user/job/memory.max", "419430400\n");
  put("/sys/fs/cgroup/user/job/memory.current", "314572800\n");
  found(400, 100, "a parent of 400 MiB, 300 in use");
  put("/sys/fs/cgroup/user/job/memory.stat", "active_file 41943040\ninactive_file 20971520\n");
  found(400, 120, "20 of these are unused file pages");
  put("/sys/fs/cgroup/user/job/step/memory.max", "104857600\n");
  found(100, 50, "the group itself with 100 MiB, 50 in use");
  end();
  begin();
  put_machine();
  put("/proc/self/cgroup", "0::/\n");
  put("/sys/fs/cgroup/memory.max", "209715200\n");
  put("/sys/fs/cgroup/memory.current", "104857600\n");
  found(200, 100, "in a container the root has a limit");
  end();
}

/** Version 1, beside an empty version 2. The folder of the group is outside this container. */
static void groups_of_version_1(void) {
  begin();
  put_machine();
  put("/proc/self/cgroup", "5:cpu,cpuacct:/docker/4a\n4:memory:/docker/4a\n0::/\n");
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "314572800\n");
  put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "209715200\n");
  put("/sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 10485760\n");
  found(300, 110, "a container of 300 MiB");
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  found(1000, 600, "no limit");
  end();
}

static void largest_output(void) {
  const tsr_system_memory memory = {1000 * MIB, 200 * MIB}, unknown = {INFINITY, INFINITY};
  CHECK(tsr_memory_largest_output(&memory, 0) == 250 * MIB);
  CHECK(tsr_memory_largest_output(&memory, 10) == 10 * MIB);
  CHECK(tsr_memory_allowed(&memory, 0) == 200 * MIB);
  CHECK(tsr_memory_allowed(&memory, 10) == 10 * MIB);
  CHECK(isinf(tsr_memory_allowed(&unknown, 0)) && tsr_memory_allowed(&unknown, 1) == MIB);
  CHECK_INT(tsr_memory_items(1000.0, 30.0), 33);
  CHECK_INT(tsr_memory_items(10.0, 30.0), 1);
  CHECK_INT(tsr_memory_items(INFINITY, 30.0), 0);
}

/** The system itself, against another way to ask it. */
static void here(void) {
  const tsr_system_memory before = tsr_memory_look(NULL);
  const double pages = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  CHECK(before.total > 0.0 && before.total <= pages * 1.01);
  CHECK(before.available <= before.total);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const struct rlimit narrow = {(rlim_t)(4096 * MIB), RLIM_INFINITY};
  struct rlimit wide;
  getrlimit(RLIMIT_AS, &wide);
  if (wide.rlim_cur == RLIM_INFINITY && setrlimit(RLIMIT_AS, &narrow) == 0) {
    const double left = tsr_memory_look(NULL).available;
    CHECK_SAY(left <= 4096 * MIB && left < before.total, "%g bytes", left);
    setrlimit(RLIMIT_AS, &wide);
  }
#endif
}

int main(void) {
  machines();
  limits_of_the_process();
  groups();
  groups_of_version_1();
  largest_output();
  here();
  return check_result();
}
