/* SPDX-License-Identifier: BSD-3-Clause */
/** How much memory this process may take, by the files in which Linux says so. */
#include "common/tessera_common.h"
#include "common/tessera_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest path and longest line that are read. */
#define TSR_MOST_TEXT 4096

static double least_of(double a, double b) { return a < b ? a : b; }

/* Opens ROOT/FOLDER/NAME; NULL where there is no such file. */
static FILE *open_file(const char *root, const char *folder, const char *name) {
  char path[2 * TSR_MOST_TEXT];
  const int n = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
  return n > 0 && n < (int)sizeof path ? fopen(path, "r") : NULL;
}

/* Returns the first number on the line that begins with `key`; with an empty key, on the first
 * line. Infinite if there is no number ("unlimited", "max"), no such line or no such file. */
static double number_of(const char *root, const char *folder, const char *name, const char *key) {
  FILE *file = open_file(root, folder, name);
  const size_t length = strlen(key);
  char line[TSR_MOST_TEXT];
  double number = INFINITY;
  int found = 0;
  while (file && !found && fgets(line, sizeof line, file)) {
    if (strncmp(line, key, length) == 0) {
      char *end;
      const double value = strtod(line + length, &end);
      found = 1;
      number = end != line + length ? value : INFINITY;
    }
  }
  if (file)
    fclose(file);
  return number;
}

/* The rest of a limit of which `used` is in use. If the use is unknown (infinite), the whole limit.
 */
static double left_of(double limit, double used) {
  const double left = limit - (isinf(used) ? 0.0 : used);
  return isinf(limit) ? INFINITY : left > 0.0 ? left : 0.0;
}

/* A limit of the process, as `ulimit -v` and `ulimit -d` set them. What counts there is all that
 * was ever asked for, touched or not. name: in /proc/self/limits; used: in /proc/self/status, in
 * KiB. */
static double left_of_process(const char *root, const char *name, const char *used) {
  const double limit = number_of(root, "/proc/self", "limits", name);
  return isinf(limit) ? limit
                      : left_of(limit, 1024.0 * number_of(root, "/proc/self", "status", used));
}

/* The files of a version of control groups. */
typedef struct group_files {
  const char *mount;
  const char *limit, *used;
  const char *cache; /* of memory.stat: file pages that nobody uses */
} group_files;

static const group_files FILES[2] = {
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file "},
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "}};

/* Lowers *memory to what one group allows. */
static void join_group(const char *root, const char *folder, const group_files *files,
                       tsr_system_memory *memory) {
  const double limit = number_of(root, folder, files->limit, "");
  const double used = number_of(root, folder, files->used, "");
  const double cache = number_of(root, folder, "memory.stat", files->cache);
  memory->total = least_of(memory->total, limit);
  memory->available =
      least_of(memory->available, left_of(limit, used - (cache < used ? cache : 0.0)));
}

/* Lowers *memory to what a group and those around it allow. A container may not see the folders of
 * the groups outside it: those are left out. */
static void join_groups(const char *root, const char *group, const group_files *files,
                        tsr_system_memory *memory) {
  char folder[2 * TSR_MOST_TEXT];
  const size_t mount = strlen(files->mount);
  snprintf(folder, sizeof folder, "%s%s", files->mount, strcmp(group, "/") == 0 ? "" : group);
  for (;;) {
    join_group(root, folder, files, memory);
    if (strlen(folder) <= mount)
      return;
    *strrchr(folder, '/') = '\0';
  }
}

/* A line of /proc/self/cgroup is NUMBER:CONTROLLERS:GROUP; of version 2 CONTROLLERS is empty. */
static void join_line(const char *root, char *line, tsr_system_memory *memory) {
  char *controllers = strchr(line, ':');
  char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group)
    return;
  *group++ = '\0';
  group[strcspn(group, "\n")] = '\0';
  if (controllers[1] == '\0')
    join_groups(root, group, &FILES[1], memory);
  else if (strstr(controllers, "memory"))
    join_groups(root, group, &FILES[0], memory);
}

tsr_system_memory tsr_memory_look(const char *root) {
  const char *from = root ? root : "";
  tsr_system_memory memory = {1024.0 * number_of(from, "/proc", "meminfo", "MemTotal:"),
                              1024.0 * number_of(from, "/proc", "meminfo", "MemAvailable:")};
  FILE *file = open_file(from, "/proc/self", "cgroup");
  char line[TSR_MOST_TEXT];
  while (file && fgets(line, sizeof line, file))
    join_line(from, line, &memory);
  if (file)
    fclose(file);
  memory.available =
      least_of(memory.available, left_of_process(from, "Max address space", "VmSize:"));
  memory.available = least_of(memory.available, left_of_process(from, "Max data size", "VmData:"));
  memory.available += (double)tsr_output_waiting();
  return memory;
}

double tsr_memory_largest_output(const tsr_system_memory *memory, double asked_mib) {
  return asked_mib > 0.0 ? asked_mib * 1048576.0 : 0.25 * memory->total;
}

double tsr_memory_allowed(const tsr_system_memory *memory, double asked_mib) {
  return least_of(memory->available, tsr_memory_largest_output(memory, asked_mib));
}

int64_t tsr_memory_items(double bytes, double item_bytes) {
  const double items = item_bytes > 0.0 ? bytes / item_bytes : INFINITY;
  return !(items < 9e18) ? 0 : items > 1.0 ? (int64_t)items : 1;
}
