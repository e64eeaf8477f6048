#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shows that check_calls.py can fail: clean rooms pass, and each ring planted into them is found.

Use: check_calls_planted.py COMPILER [NM]
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

CLEAN = {
    "common/sum.c": "int sum(void); int sum(void) { return 1; }",
    "grid/plan.c": "int tree(void); int sum(void); int plan(void); int wave(void);"
                   "int plan(void) { return tree() + sum() + wave(); }",
    # Another layer is another room.
    "cuda/grid/wave.c": "int plan(void); int wave(void); int wave(void) { return plan(); }",
    "cuda/grid/waves/pass.c": "int wave(void); int pass(void); int pass(void) { return wave(); }",
    "grid/tree/tree.c": "int tree(void); int sum(void); int again(void);"
                        "int tree(void) { return sum(); } int again(void) { return tree(); }",
    # A file that calls itself, and one that is handed a callback, are no rings.
    "grid/walk.c": "int walk(int (*visit)(void)); int plan(void);"
                   "int walk(int (*visit)(void)) { return visit() + plan(); }",
}

# What is changed, and the files that must be named.
FAULTS = [
    ({"grid/tree/tree.c": "int tree(void); int plan(void); int tree(void) { return plan(); }"},
     ["grid/plan.c", "grid/tree/tree.c"]),
    ({"grid/tree/tree.c": "int tree(void); int low(void); int tree(void) { return low(); }",
      "grid/low.c": "int low(void); int plan(void); int low(void) { return plan(); }"},
     ["grid/low.c", "grid/plan.c", "grid/tree/tree.c"]),
    ({"common/sum.c": "int sum(void); extern int table[2]; int sum(void) { return table[0]; }",
      "common/table.c": "int sum(void); int (*table[1])(void) = {sum};"},
     ["common/sum.c", "common/table.c"]),
    # No two files call each other in a ring, but their folders do.
    ({"grid/refine/close.c": "int tree(void); int close(void); int close(void) { return tree(); }",
      "grid/refine/mark.c": "int mark(void); int mark(void) { return 1; }",
      "grid/tree/count.c": "int mark(void); int count(void); int count(void) { return mark(); }"},
     ["grid/refine/", "grid/tree/"]),
    ({"cuda/grid/wave.c": "int pass(void); int wave(void); int wave(void) { return pass(); }"},
     ["cuda/grid/wave.c", "cuda/grid/waves/pass.c"]),
]


def check(compiler, nm, files, rooms="common,grid,cuda/grid"):
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for name, text in files.items():
            source = Path(folder, name)
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text)
            objects.append(f"{source}.o")
            subprocess.run([compiler, "-c", source, "-o", objects[-1]], check=True)
        return subprocess.run(
            [sys.executable, HERE / "check_calls.py", "--nm", nm, "--rooms", rooms,
             *objects], capture_output=True, text=True)


def main():
    compiler, nm = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "nm"
    if not shutil.which(nm):
        print(f"skipped: there is no {nm}")
        return 77
    result = check(compiler, nm, CLEAN)
    if result.returncode != 0:
        print("clean rooms were refused:\n" + result.stdout + result.stderr)
        return 1
    for fault, names in FAULTS:
        result = check(compiler, nm, {**CLEAN, **fault})
        if result.returncode != 1 or ", ".join(names) not in result.stdout:
            print(f"the ring of {names} was not named:\n" + result.stdout + result.stderr)
            return 1
    only_common = {"common/sum.c": CLEAN["common/sum.c"]}
    if check(compiler, nm, only_common).returncode != 1:
        print("a room without files was not noticed")
        return 1
    without = subprocess.run([sys.executable, HERE / "check_calls.py", "--nm", nm, "--cuda",
                              "x/grid/plan.c.o"],
                             capture_output=True, text=True)
    if without.returncode != 77:
        print("a build without CUDA was not skipped:\n" + without.stdout + without.stderr)
        return 1
    print(f"{len(FAULTS)} planted rings were found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
