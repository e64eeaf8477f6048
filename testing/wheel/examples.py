# SPDX-License-Identifier: BSD-3-Clause
"""Every example in Python of docs/python.md runs as printed, and every one in the package's help.

Use: examples.py [numpy]    only those that need neither VTK nor PyVista
"""
import doctest
import importlib
import os
import re
import sys
import traceback
import warnings

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/python.md")
MODULES = ("curves", "grid", "amr", "mesh", "clip", "pointgrid", "ordering", "discs", "sources", "cells")


def main(which="all"):
    warnings.simplefilter("error", DeprecationWarning)
    with open(PAGE, encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
    if which == "numpy":
        sys.modules["vtkmodules"] = sys.modules["pyvista"] = None
        wants_vtk = re.compile("pyvista|vtkmodules|SetInput")  # the last one: the package's VTK filters
        blocks = [one for one in blocks if not wants_vtk.search(one)]
    failed = 0
    for number, block in enumerate(blocks):
        try:
            exec(compile(block, f"example {number}", "exec"), {})  # noqa: S102
        except Exception:
            failed += 1
            traceback.print_exc()
    names = MODULES if which == "numpy" else (*MODULES, "functions")
    counts = [doctest.testmod(importlib.import_module("tessera_vtk." + name)) for name in names]
    failed += sum(one.failed for one in counts)
    print(f"{len(blocks)} examples of the page, {sum(one.attempted for one in counts)} lines of help, "
          f"{failed} failed")
    sys.exit(1 if failed or len(blocks) < 2 else 0)


if __name__ == "__main__":
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: this Python has no numpy")
        sys.exit(77)
    main(*sys.argv[1:])
