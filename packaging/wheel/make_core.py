# SPDX-License-Identifier: BSD-3-Clause
"""Writes the Python module that describes the C library to ctypes: constants, structs and functions of
the public headers.

    make_core.py FILTERS_FOLDER OUTPUT

Names are those of C; a member `in` becomes `in_`. Pointers to structs are typed in functions only: in
structs, as all other pointers, they are addresses (c_void_p), but for texts (c_char_p).
"""
import keyword
import os
import re
import sys

NUMBERS = {"void": "None", "int": "c.c_int", "double": "c.c_double", "char": "c.c_char",
           "size_t": "c.c_size_t", "unsigned int": "c.c_uint",
           **{f"{sign}int{bits}_t": f"c.c_{sign}int{bits}" for sign in ("", "u")
              for bits in (8, 16, 32, 64)}}

DECLARATIONS = re.compile(r"""
    ^\#define\ (?P<constant>TSR_\w+)\ (?P<value>.+?)$ |
    ^typedef\ enum\ \w+\ {(?P<members>.*?)}\ (?P<enum>\w+); |
    ^typedef\ struct\ (?P<struct>\w+)\ {(?P<body>.*?)}\ \w+; |
    ^typedef\ (?P<callback_result>[\w *]+)\(\*(?P<callback>\w+)\)\((?P<callback_arguments>.*?)\); |
    ^(?!typedef)(?P<result>\w[\w ]*[ *])(?P<function>tsr_\w+)\((?P<arguments>[^()]*)\);
    """, re.M | re.S | re.X)


def headers(filters, name="tessera.h", seen=None):
    """The text of a header with those that it includes before it, each once, without comments."""
    seen = set() if seen is None else seen
    if name in seen:
        return ""
    seen.add(name)
    with open(os.path.join(filters, name), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/|\\\n", "", file.read(), flags=re.S)
    return re.sub(r'^#include "(.*)"$', lambda found: headers(filters, found[1], seen), text,
                  flags=re.M)


class Writer:
    """Translates declarations in their order."""

    def __init__(self):
        self.types = dict(NUMBERS)
        self.structs = set()
        self.lines, self.functions = [], []

    def type_of(self, base, stars, is_member):
        """A type in ctypes. base: its name in C; stars: how often it is pointed to."""
        if stars == 0:
            return self.types[base]
        if stars == 1 and base == "char":
            return "c.c_char_p"
        if stars == 1 and base in self.structs and not is_member:
            return f"c.POINTER({base})"
        return "c.c_void_p"

    def declared(self, text, is_member):
        """(name, type) of each variable that a declaration declares."""
        callback = re.fullmatch(r"(.+?)\(\*(\w+)\)\((.*)\)", text, re.S)
        if callback:
            return [(callback[2], self.callback(callback[1], callback[3]))]
        text = re.sub(r"\b(const|struct)\b", "", text)
        base, rest = re.fullmatch(r"\s*(unsigned int|\w+)(.*)", text, re.S).groups()
        found = []
        for one in rest.split(","):
            stars, name, size = re.fullmatch(r"([\s*]*)(\w*)\s*(?:\[(.*)\])?\s*", one, re.S).groups()
            in_struct = size is not None and is_member
            type_ = self.type_of(base, stars.count("*") + (size is not None and not is_member),
                                 is_member)
            found.append((name, f"{type_} * ({size})" if in_struct else type_))
        return found

    def arguments(self, text):
        """Types of the arguments of a function."""
        return [] if text == "void" else [self.declared(one, False)[0][1] for one in text.split(",")]

    def callback(self, result, arguments):
        """The type of a pointer to a function."""
        return f"c.CFUNCTYPE({', '.join([self.types[result.strip()], *self.arguments(arguments)])})"

    def enum(self, name, members):
        """Its constants; the type is an int."""
        self.types[name] = "c.c_int"
        before = "-1"
        for one in re.finditer(r"(\w+)\s*(?:=([^,]*))?", members):
            self.lines.append(f"{one[1]} = {(one[2] or before + ' + 1').strip()}")
            before = one[1]

    def struct(self, name, body):
        """A class."""
        fields = [field for one in body.split(";") if one.strip() for field in self.declared(one, True)]
        self.types[name] = name
        self.structs.add(name)
        self.lines += ["", "", f"class {name}(c.Structure):", "    _fields_ = ["]
        self.lines += [f'        ("{member + "_" * keyword.iskeyword(member)}", {type_}),'
                       for member, type_ in fields]
        self.lines.append("    ]\n")

    def add(self, match):
        """One declaration."""
        found = match.groupdict()
        if found["constant"]:
            value = found["value"].replace("(int64_t)", "")
            self.lines.append(f"{found['constant']} = {value}")
        elif found["enum"]:
            self.enum(found["enum"], found["members"])
        elif found["struct"]:
            self.struct(found["struct"], found["body"])
        elif found["callback"]:
            self.types[found["callback"]] = found["callback"]
            type_ = self.callback(found["callback_result"], found["callback_arguments"])
            self.lines.append(f"{found['callback']} = {type_}")
        else:
            result = self.declared(found["result"] + " x", False)[0][1]
            self.functions.append(f'    "{found["function"]}": ({result}, '
                                  f'[{", ".join(self.arguments(found["arguments"]))}]),')


def main(filters, output):
    writer = Writer()
    # A callback among the arguments of a function is an address to this package.
    text = re.sub(r"\w+ \(\*(\w+)\)\([^()]*\)([,)])", r"void *\1\2", headers(filters))
    for match in DECLARATIONS.finditer(text):
        writer.add(match)
    os.makedirs(os.path.dirname(os.path.abspath(output)), exist_ok=True)
    with open(output, "w", encoding="utf-8") as file:
        print("# SPDX-License-Identifier: BSD-3-Clause",
              '"""The C library, for ctypes. Made by make_core.py from the public headers."""',
              "import ctypes as c\n", *writer.lines, "\n# Name: result, arguments.", "FUNCTIONS = {",
              *writer.functions, "}", sep="\n", file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
