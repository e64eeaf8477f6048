# SPDX-License-Identifier: BSD-3-Clause
"""The module that describes the C library agrees with a C compiler: sizes and offsets of the members of
every struct, no member missing, and the value of every constant.

Use: layouts.py COMPILER FILTERS_FOLDER CORE_MODULE WORK_FOLDER
"""
import ctypes
import importlib.util
import os
import subprocess
import sys


def load(path):
    """The module alone: the package would load its library."""
    spec = importlib.util.spec_from_file_location("core", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def structs(module):
    return {name: one for name, one in vars(module).items()
            if isinstance(one, type) and issubclass(one, ctypes.Structure)}


def constants(module):
    return {name: one for name, one in vars(module).items() if name.startswith("TSR_")}


def program(module):
    """Prints a line for each struct, member and constant: its name and numbers. A struct with more
    members than its initializer does not compile with -Wmissing-field-initializers -Werror."""
    lines = ["#include <stdio.h>", '#include "tessera.h"', "int main(void) {"]
    for struct, one in structs(module).items():
        aggregates = ctypes.Structure, ctypes.Array
        values = ", ".join("{0}" if issubclass(type_, aggregates) else "0" for _, type_ in one._fields_)
        lines.append(f'  {{ {struct} all = {{{values}}}; (void)all; }}')
        lines.append(f'  printf("{struct} %zu\\n", sizeof({struct}));')
        for name, _ in one._fields_:
            member = name.rstrip("_")
            lines.append(f'  printf("{struct}.{name} %zu %zu\\n", offsetof({struct}, {member}), '
                         f'sizeof((({struct} *)0)->{member}));')
    lines += [f'  printf("{name} %.17g\\n", (double)({name}));' for name in constants(module)]
    return "\n".join([*lines, "  return 0;", "}", ""])


def here(module):
    """The numbers of the module."""
    found = {name: [float(one)] for name, one in constants(module).items()}
    for struct, one in structs(module).items():
        found[struct] = [ctypes.sizeof(one)]
        for name, _ in one._fields_:
            member = getattr(one, name)
            found[f"{struct}.{name}"] = [member.offset, member.size]
    return found


def main(compiler, filters, described, work):
    module = load(described)
    os.makedirs(work, exist_ok=True)
    source, binary = os.path.join(work, "layouts.c"), os.path.join(work, "layouts")
    with open(source, "w", encoding="utf-8") as file:
        file.write(program(module))
    subprocess.run([compiler, "-Werror=missing-field-initializers", "-I", filters, source, "-o", binary],
                   check=True)
    said = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
    there = {}
    for line in said.splitlines():
        name, *numbers = line.split()
        there[name] = [float(one) for one in numbers]
    wrong = [f"{name}: {there.get(name)} in C, {numbers} in Python"
             for name, numbers in here(module).items() if there.get(name) != numbers]
    print("\n".join(wrong) or f"{len(there)} names have the same numbers")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
