# SPDX-License-Identifier: BSD-3-Clause
"""Doxygen's input filter: prints a public header with its comments in Doxygen's words.

    header_filter.py HEADER

The headers are written to be read as they are. A comment before the include guard is that of the file, and gets
`@file`. In the comment of a function, a line that begins with `name: `, or with `name, name: `, describes arguments and
becomes `@param`, so that Doxygen warns of an argument that the function does not have. Names of the library become
links, so that it warns of one that the headers do not have. Line numbers stay as they are."""
import os
import re
import sys

# A comment before a declaration, and, not consumed, the declaration. /**< follows what it describes.
_COMMENT = re.compile(r"(/\*\*(?!<))(.*?)(\*/)(?=\s*([^;{]*))", re.S)
_ARGUMENT = re.compile(r"^(\s*\*\s+|\s+)([a-z]\w*(?:(?:, | and )[a-z]\w*)*): ", re.M)
# What may follow the arguments.
_END = re.compile(r"^(\s*\*\s+|\s+)(Fails with |Returns )", re.M)
# A name of the library, but not as the start of `tsr_...` or of a member, which Doxygen finds.
_NAME = re.compile(r"(?<![\w#])((?:tsr|TSR)_\w*[A-Za-z0-9])(?!\w|\.\w)")


def translate(found: "re.Match[str]") -> str:
    opening, text, closing, declared = found.groups()
    if declared.startswith("#ifndef TSR_"):
        opening += f" @file {os.path.basename(sys.argv[1])}"
    elif re.match(r"[^#()]*\(", declared):
        text = _ARGUMENT.sub(lambda line: f"{line[1]}@param {re.sub(', | and ', ',', line[2])} ", text)
        before, param, after = text.partition("@param")
        text = before + param + _END.sub(
            lambda line: f"{line[1]}@return {'' if line[2] == 'Returns ' else line[2]}", after)
    return opening + text + closing


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        text = _COMMENT.sub(translate, file.read())
    sys.stdout.write(re.sub(r"/\*\*.*?\*/", lambda comment: _NAME.sub(r"#\1", comment[0]), text, flags=re.S))


if __name__ == "__main__":
    main()
