# SPDX-License-Identifier: BSD-3-Clause
"""The ctypes structs are what a C compiler makes of the public header: sizes and offsets of every
member, and none missing.

Use: layouts.py COMPILER FILTERS_FOLDER WORK_FOLDER
"""
import ctypes
import importlib.util
import os
import re
import subprocess
import sys

STRUCTS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "../../packaging/wheel/tessera_vtk/_structs.py")


def load_structs():
    """The file alone: the package would load its library."""
    spec = importlib.util.spec_from_file_location("structs", STRUCTS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def c_name(struct, member, names):
    """Of a member in C."""
    if member == "strategy" and struct != "tsr_grid_options":
        return member
    return names.get(member, member)


def program(structs):
    """Prints a line for each struct and each member: its name and number."""
    lines = ['#include <stdio.h>', '#include "tessera.h"', 'int main(void) {']
    for struct, layout in structs.LAYOUTS.items():
        lines.append(f'  printf("{struct} %zu\\n", sizeof({struct}));')
        for field in layout._fields_:
            member = c_name(struct, field[0], structs.OTHER_NAMES)
            lines.append(f'  printf("{struct}.{field[0]} %zu %zu\\n", offsetof({struct}, {member}), '
                         f'sizeof((({struct} *)0)->{member}));')
    for name, macro in (("MAX_LEVEL", "TSR_GRID_MAX_LEVEL"), ("CURVES_NOTES", "TSR_NOTES"),
                        ("GRID_NOTES", "TSR_GRID_NOTES"), ("PASS_LISTS", "TSR_PASS_LISTS"),
                        ("PROPERTY_NUMBERS", "TSR_PROPERTY_NUMBERS")):
        lines.append(f'  printf("{name} %d\\n", (int){macro});')
    return "\n".join([*lines, "  return 0;", "}", ""])


def here(structs):
    """The same from ctypes."""
    found = {name: [getattr(structs, name)] for name in
             ("MAX_LEVEL", "CURVES_NOTES", "GRID_NOTES", "PASS_LISTS", "PROPERTY_NUMBERS")}
    for struct, layout in structs.LAYOUTS.items():
        found[struct] = [ctypes.sizeof(layout)]
        for field in layout._fields_:
            at = getattr(layout, field[0])
            found[f"{struct}.{field[0]}"] = [at.offset, at.size]
    return found


def missing_members(structs, filters):
    """Members that the header has and ctypes has not."""
    text = ""
    for room in ("common", "common/processes", "curves", "grid"):
        for name in sorted(os.listdir(os.path.join(filters, room))):
            if name.startswith("tessera_") and name.endswith(".h"):
                with open(os.path.join(filters, room, name), encoding="utf-8") as file:
                    text += re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    missing = []
    for struct, layout in structs.LAYOUTS.items():
        body = re.search(rf"typedef struct {struct} {{(.*?)}} {struct};", text, re.S).group(1)
        count = 0
        for declaration in body.split(";"):
            if declaration.strip():
                count += 1 if "(" in declaration else 1 + declaration.count(",")
        if count != len(layout._fields_):
            missing.append(f"{struct} has {count} members in C, {len(layout._fields_)} in Python")
    return missing


def main(compiler, filters, work):
    structs = load_structs()
    os.makedirs(work, exist_ok=True)
    source, binary = os.path.join(work, "layouts.c"), os.path.join(work, "layouts")
    with open(source, "w", encoding="utf-8") as file:
        file.write(program(structs))
    subprocess.run([compiler, "-I", filters, source, "-o", binary], check=True)
    said = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
    there = {}
    for line in said.splitlines():
        name, *numbers = line.split()
        there[name] = [int(one) for one in numbers]
    wrong = missing_members(structs, filters)
    wrong += [f"{name}: {there.get(name)} in C, {numbers} in Python"
              for name, numbers in here(structs).items() if there.get(name) != numbers]
    print("\n".join(wrong) or f"{len(there)} numbers are the same")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
