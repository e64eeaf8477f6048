/* SPDX-License-Identifier: BSD-3-Clause */
/** The device report as a table: what is not known, and devices that are made up. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

static tsr_devices devices;

static tsr_device_value value_of(int row, const char *name) {
  tsr_device_value value = {0};
  int n, found = 0;
  const tsr_device_field *fields = tsr_device_fields(&n);
  for (int f = 0; f < n; f++) {
    if (strcmp(fields[f].name, name) == 0) {
      tsr_device_value_get(&devices, row, f, &value);
      found++;
    }
  }
  CHECK_SAY(found == 1, "%d fields are called %s", found, name);
  return value;
}

/** On any machine: measuring follows the listing, and no field is without a name. */
static void check_this_machine(void) {
  int n;
  memset(&devices, 0xa5, sizeof devices);
  tsr_device_report(&devices);
  tsr_device_measure(&devices);
  const tsr_device_field *fields = tsr_device_fields(&n);
  CHECK(n > 20);
  for (int f = 0; f < n; f++) {
    CHECK(strlen(fields[f].name) > 1 && fields[f].unit != NULL);
  }
  CHECK_INT(tsr_device_rows(&devices), devices.count > 0 ? devices.count : 1);
  if (devices.count > 0) {
    return;
  }
  CHECK(strlen(devices.problem) > 20);
  CHECK(strcmp(value_of(0, "Problem").text, devices.problem) == 0);
  CHECK(strcmp(value_of(0, "Name").text, "none") == 0);
  CHECK_INT(value_of(0, "Index").integer, -1);
  CHECK_INT(value_of(0, "Usable").integer, 0);
  CHECK_INT(tsr_device_checks_failed(&devices), 0);
  for (int f = 0; f < n; f++) {
    tsr_device_value value;
    tsr_device_value_get(&devices, 0, f, &value);
    CHECK(value.known || (value.integer == -1 && isnan(value.real) && !strcmp(value.text, "-")));
  }
}

static void check_values(void) {
  memset(&devices, 0, sizeof devices);
  devices.count = 2;
  devices.driver_version = 13000;
  devices.runtime_version = 12080;
  tsr_device *it = &devices.device[1];
  it->index = 1;
  it->major = 9;
  it->memory_bytes = (int64_t)139 << 30;
  it->free_bytes = -1;
  it->stack_bytes = 1024;
  it->copy_rate = 4.2e12;
  it->launch_rate = 3e6;
  it->diverge_got = 213760;
  strcpy(it->problem, "none that I know");
  CHECK_INT(value_of(1, "Index").integer, 1);
  CHECK(strcmp(value_of(1, "Compute Capability").text, "9.0") == 0);
  CHECK(strcmp(value_of(0, "Driver Version").text, "13.0") == 0);
  CHECK(strcmp(value_of(1, "Runtime Version").text, "12.8") == 0);
  CHECK(value_of(1, "Memory").real == 139.0 * 1024.0);
  CHECK(!value_of(1, "Free").known && isnan(value_of(1, "Free").real));
  CHECK_INT(value_of(1, "Stack").integer, 1024);
  CHECK(value_of(1, "Copy").real == 4200.0);
  CHECK(value_of(1, "Device Launches").real == 3e6);
  CHECK_INT(value_of(1, "Diverge Got").integer, 213760);
  CHECK(strcmp(value_of(1, "Problem").text, "none that I know") == 0);
}

static void check_self_checks(void) {
  memset(&devices, 0, sizeof devices);
  devices.count = 4;
  CHECK_INT(tsr_device_checks_failed(&devices), 0); /* none is usable */
  for (int d = 0; d < 3; d++) {
    devices.device[d].usable = devices.device[d].launches = 1;
    devices.device[d].diverge_expected = devices.device[d].diverge_got = 213760;
  }
  CHECK_INT(tsr_device_checks_failed(&devices), 0);
  devices.device[1].diverge_got--;
  CHECK_INT(tsr_device_checks_failed(&devices), 1);
  devices.device[2].launches = 0;
  CHECK_INT(tsr_device_checks_failed(&devices), 2);
  devices.device[0].diverge_expected = devices.device[0].diverge_got = -1; /* not measured */
  CHECK_INT(tsr_device_checks_failed(&devices), 2);
}

int main(void) {
  check_this_machine();
  check_values();
  check_self_checks();
  return check_result();
}
