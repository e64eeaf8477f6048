#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turns CUDA C++ into C++ that a compiler for the host reads; the rest is done by include/.

Use: rewrite.py SOURCE_FOLDER TARGET_FOLDER FILE...

Writes each FILE (.cu, .cuh; relative to SOURCE_FOLDER) below TARGET_FOLDER, a .cu with .cpp behind its
name. A file that would be the same as before is left alone, so that nothing is compiled again.
"""
import os
import re
import sys

SHARED = re.compile(r"__shared__ (union \{.*?\} \w+|[^;]*);", re.DOTALL)

LAUNCH = re.compile(r"([\w:]+(?:<[^;(){}]*?>)?)\s*<<<(.*?)>>>\s*\(", re.DOTALL)


def names_of(declaration):
    """The variables of `type a[n], b`: the last name of each part, without the brackets."""
    bare = re.sub(r"\{.*?\}|\[[^\]]*\]|<[^<>]*>", "", declaration, flags=re.DOTALL)
    return [re.search(r"(\w+)\s*$", part).group(1) for part in bare.split(",")]


def forget(match):
    """A shared variable is forgotten at the beginning of each block."""
    return f"{match.group(0)} EMULATOR_FORGET({', '.join(names_of(match.group(1)))});"


def end_of_arguments(text, begin):
    """The place of the parenthesis that closes the one at `begin`."""
    depth = 0
    for place in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise SystemExit("rewrite.py: a launch has no end: " + text[begin:begin + 80])


def rewrite_launches(text, capture):
    """kernel<<<shape>>>(arguments) becomes a call of launches.h."""
    parts, done = [], 0
    for match in LAUNCH.finditer(text):
        kernel, shape = match.groups()
        begin = match.end() - 1
        end = end_of_arguments(text, begin)
        parts.append(text[done:match.start()])
        parts.append(f"emulator::launch({{{shape}}}, [{capture}]() {{ {kernel}{text[begin:end + 1]}; }})")
        done = end + 1
    return "".join(parts) + text[done:]


def rewrite(text, path):
    # The block's dynamic shared memory, whose size the launch says.
    text = re.sub(r"extern __shared__ (\w+) (\w+)\[\];",
                  r"\1 *const \2 = static_cast<\1 *>(emulator::dynamic_shared);", text)
    text = SHARED.sub(forget, text)
    # Only kernels of launching/ launch others, which run when the launching function is gone.
    text = rewrite_launches(text, "=" if "/launching/" in path else "&")
    # The address of a kernel as CUDA's C functions take it.
    text = re.sub(r"\(const void \*\)(\w*kernel(?:<[^<>]*>)?|nothing)(?=[,)])",
                  r"emulator::address_of(\1)", text)
    return f'#line 1 "{path}"\n{text}'


def main():
    source, target, *files = sys.argv[1:]
    for name in files:
        path = os.path.join(source, name)
        with open(path, encoding="utf-8") as file:
            text = rewrite(file.read(), path)
        out = os.path.join(target, name + (".cpp" if name.endswith(".cu") else ""))
        os.makedirs(os.path.dirname(out), exist_ok=True)
        if os.path.exists(out):
            with open(out, encoding="utf-8") as file:
                if file.read() == text:
                    continue
        with open(out, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
