# SPDX-License-Identifier: BSD-3-Clause
"""The shared library exports what the public headers declare and nothing else, and needs the C library
alone, or with CUDA that of C++, too.

Use: exports.py NM OBJDUMP LIBRARY FILTERS_FOLDER [MORE_LIBRARIES]
MORE_LIBRARIES: a regular expression for what it may need beside the C library.
"""
import os
import re
import subprocess
import sys

C_LIBRARY = re.compile(r"^(libc|libm|libpthread|ld-linux.*|libgcc_s)\.so")


def declared(filters):
    """Functions of the public headers."""
    names = set()
    for folder, _, files in os.walk(filters):
        for name in files:
            if name.startswith("tessera") and name.endswith(".h"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
                names |= set(re.findall(r"^[a-z][\w ]*[ *](tsr_\w+)\(", text, re.M))
    return names


def main(nm, objdump, library, filters, more=""):
    said = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True,
                          text=True).stdout
    exported = {line.split()[-1] for line in said.splitlines()}
    wanted = declared(filters)
    wrong = [f"exported, but not public: {name}" for name in sorted(exported - wanted)]
    wrong += [f"public, but not exported: {name}" for name in sorted(wanted - exported)]
    said = subprocess.run([objdump, "-p", library], check=True, capture_output=True, text=True).stdout
    needed = re.findall(r"NEEDED\s+(\S+)", said)
    wrong += [f"needs {name}" for name in needed if not C_LIBRARY.match(name) and not (more and re.match(more, name))]
    print("\n".join(wrong) or f"{len(exported)} functions; needs {', '.join(needed)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
