# SPDX-License-Identifier: BSD-3-Clause
"""The command tessera-report: text, JSON and statuses, of this machine and of made-up devices.

Use: report.py TESSERA_REPORT MADE_REPORT
"""
import json
import os
import subprocess
import sys

REPORT, MADE = sys.argv[1:]


def run(*command, **more):
    return subprocess.run(command, text=True, timeout=100, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **more)


def key(name):
    return name.lower().replace(" ", "_")


def lines(text):
    """The rows of a text report: a dictionary of the first 26 columns and the rest."""
    return [{line[:26].strip(): line[26:] for line in row.splitlines()}
            for row in text.strip("\n").split("\n\n")]


def check_options():
    for option, begin in (("--help", "Usage: tessera-report"), ("--version", "tessera-report 0.")):
        done = run(REPORT, option)
        assert done.returncode == 0 and done.stdout.startswith(begin) and not done.stderr, done
    for option in ("--jason", "", "quick", "-h"):
        done = run(REPORT, "--json", option)
        assert done.returncode == 2 and not done.stdout and f"'{option}'" in done.stderr, done


def check_this_machine():
    text, quick = run(REPORT), run(REPORT, "--quick")
    done = run(REPORT, "--json")
    found = json.loads(done.stdout)
    rows = found["devices"]
    usable = sum(row["usable"] for row in rows)
    assert len(rows) == max(1, found["device_count"]), found
    assert done.returncode == text.returncode == (
        3 if found["checks_failed"] else 0 if usable else 1), (done, text)
    assert quick.returncode in (text.returncode, 0), quick
    if not usable:
        assert found["problem"] and rows[0]["problem"], found
        assert lines(text.stdout)[0]["Problem"] == rows[0]["problem"], text.stdout
        assert lines(text.stdout) == lines(quick.stdout), quick.stdout
    assert rows[0]["diverge_expected"] == rows[0]["diverge_got"], rows[0]
    # An int of C would do for all but these; they must not be text.
    for name in ("memory_mib", "saxpy_gb_s", "pinned_upload_gb_s", "device_launches_per_second"):
        assert rows[0][name] is None or rows[0][name] > 0, (name, rows[0])


def check_made(kind, status):
    text, done = run(MADE, kind), run(MADE, kind, "--json")
    assert text.returncode == done.returncode == status, (kind, text.returncode, done.returncode)
    found = json.loads(done.stdout)
    rows = lines(text.stdout)
    assert len(rows) == len(found["devices"]), text.stdout
    for in_text, in_json in zip(rows, found["devices"]):
        for name, value in in_text.items():  # the unit is a part of the JSON's name
            values = [v for k, v in in_json.items()
                      if k == key(name) or k.rsplit("_", 1)[0] == key(name) or
                      k in (key(name) + "_gb_s", key(name) + "_per_second")]
            assert values and values[0] is not None, (name, in_json)
    return found, rows


def check_all_made():
    found, rows = check_made("good", 0)
    first = found["devices"][1]
    assert first["name"] == 'Made "GPU" \\ with a tab?, ?? and ?', first
    assert first["saxpy_gb_s"] == 4000 and first["memory_mib"] == 3072, first
    assert first["pageable_upload_gb_s"] is None and "Pageable Upload" not in rows[1], first
    assert rows[1]["SAXPY"] == "4000.00 GB/s" and rows[1]["Device Launches"] == "3000000 per second"
    assert rows[1]["Problem"] == "-", rows
    found, _ = check_made("miscounted", 3)
    assert found["checks_failed"] == 1 and found["devices"][1]["diverge_got"] == 0, found
    assert check_made("mute", 3)[0]["devices"][1]["can_launch_kernels"] == 0
    found, _ = check_made("broken", 1)
    assert found["device_count"] == 2 and found["problem"] == "it is broken", found
    check_made("none", 1)


def check_full_disk():
    if not os.path.exists("/dev/full"):
        return
    with open("/dev/full", "w") as full:
        done = subprocess.run([REPORT, "--quick"], stdout=full, stderr=subprocess.PIPE, text=True,
                              timeout=100)
    assert done.returncode == 4 and "could not be written" in done.stderr, done


check_options()
check_this_machine()
check_all_made()
check_full_disk()
print("tessera-report: all checks passed")
