# SPDX-License-Identifier: BSD-3-Clause
"""Writes two modules of the package from the panel, xml/: _panel.py, its words for the properties; and
functions.py, a function for each filter and source, with all arguments and their help.

    make_functions.py XML_FOLDER VERSION PANEL_MODULE FUNCTIONS_MODULE
"""
from __future__ import annotations

import re
import sys
import textwrap

import panel
from functions_table import FUNCTIONS, NAMES, Function
from panel import Proxy, Setting

_TYPES = {"int": "int", "float": "float", "bool": "bool", "choice": "str | int", "text": "str | None",
          "names": "str | Sequence[str] | None", "numbers": "Sequence[Sequence[float]] | None"}

_HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Made by make_functions.py from the panel of ParaView.
"""Filters and sources as functions, for datasets of PyVista and VTK.

A dataset of PyVista gives one of PyVista, any other a VTK dataset; sources give PyVista's where it is
installed. A criterion that is ``None`` is not in use. A choice is a word of the panel, in any spelling:
``"Equal Error"``, ``"equal_error"``. Errors are `TesseraError`; what was left out comes as a
`TesseraWarning`.
"""
from __future__ import annotations

from typing import Any, Sequence

from ._calls import call

'''


def short(text: str) -> str:
    """The word for a choice: Polygons (2D) -> polygons."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"\(.*?\)", "", text).lower()).strip("_")


def argument(one: Setting) -> str:
    """How Python calls a property."""
    return NAMES.get(one.name, one.keyword)


def settings(proxy: Proxy, about: Function) -> list[Setting]:
    """What is an argument: no switches, and nothing that has no effect here."""
    switches = {proxy.switch_of(name) for name in proxy.settings}
    return [one for name, one in proxy.settings.items()
            if name not in switches and name not in about.only_plugin and not one.cuda and
            name != "Device"]


def default(proxy: Proxy, one: Setting) -> str:
    """The default as Python writes it."""
    switch = proxy.switch_of(one.name)
    if one.type in ("text", "names", "numbers") or one.of_bounds or (
            switch and proxy.settings[switch].default == ("0",)):
        return "None"
    if one.type == "choice":
        return '"' + short(next(k for k, v in one.choices.items() if v == int(one.default[0]))) + '"'
    if one.type == "bool":
        return str(one.default[0] == "1")
    numbers = [repr(float(text) if one.type == "float" else int(text)) for text in one.default]
    return numbers[0] if one.numbers == 1 else f"({', '.join(numbers)})"


def annotation(proxy: Proxy, one: Setting) -> str:
    """The type of the argument."""
    kind = _TYPES[one.type]
    if one.numbers > 1 and one.type != "numbers":
        kind = f"Sequence[{kind}]"
    none = default(proxy, one) == "None" or proxy.switch_of(one.name)
    return kind + (" | None" if none and "None" not in kind else "")


def wrapped(text: str, indent: int) -> list[str]:
    """Lines of at most 100 characters."""
    return textwrap.wrap(text, 100, initial_indent=" " * indent, subsequent_indent=" " * indent)


def bounds(one: Setting) -> str:
    """What numbers it takes, as a sentence."""
    if one.least and one.most:
        return f"From {one.least} to {one.most}."
    return f"At least {one.least}." if one.least else ""


def parameter(proxy: Proxy, one: Setting) -> list[str]:
    """Its lines in the docstring."""
    choices = ", ".join(f'"{short(text)}"' for text in one.choices)
    kind = "{" + choices + "}" if choices else annotation(proxy, one)
    off = "None: not in use." if proxy.switch_of(one.name) else ""
    if off and default(proxy, one) == "None":
        off += f" In the panel it begins with {' '.join(one.default)}."
    if one.of_bounds:
        off = f"None: {one.of_bounds:g} of the longest side of the bounds."
    return [f"    {argument(one)} : {kind}, default: {default(proxy, one)}",
            *wrapped(" ".join(filter(None, (one.help, bounds(one), off))), 8)]


def docstring(proxy: Proxy, about: Function) -> list[str]:
    """In numpydoc's form."""
    lines = [f'    """{proxy.short}', "", *wrapped(proxy.help, 4), "", "    Parameters", "    ----------"]
    if about.inputs:
        kinds = " | ".join(f"pyvista.{name}" for name in about.inputs)
        lines += [f"    mesh : {kinds} | pyvista.MultiBlock",
                  *wrapped(proxy.input + " A VTK dataset of such a class will do as well.", 8)]
    for one in settings(proxy, about):
        lines += parameter(proxy, one)
    if about.preference:
        lines += ['    preference : {"point", "cell"} | None, default: None',
                  *wrapped("Where the scalars are, if points and cells have an array of that name. None: "
                           "the points.", 8)]
    if about.inplace:
        lines += ["    inplace : bool, default: False",
                  *wrapped(f"Put the output into the mesh, which has to be a {about.output}.", 8)]
    if about.inputs:
        lines += ["    progress_bar : bool, default: False", "        Show the progress; needs tqdm."]
    output = f"pyvista.{about.output}" + (" | pyvista.MultiBlock" if about.inputs else "")
    lines += ["", "    Returns", "    -------", f"    {output}"]
    if about.inputs:
        lines += wrapped("What was made; a MultiBlock of a MultiBlock, except for a filter that joins all "
                         "blocks. Its ``tessera.report`` tells what ran and how much it did.", 8)
    else:
        lines += ["        What was made."]
    lines += ["", "    Examples", "    --------",
              *textwrap.indent(about.example.strip(), "    ").splitlines(), '    """']
    return lines


def function(proxy: Proxy, about: Function) -> list[str]:
    """Its lines."""
    given = settings(proxy, about)
    arguments = [f"    {argument(one)}: {annotation(proxy, one)} = {default(proxy, one)}," for one in given]
    passed = [f'        "{one.name}": {argument(one)},' for one in given]
    more = []
    if about.preference:
        arguments.append("    preference: str | None = None,")
        more.append("preference=preference")
    if about.inplace:
        arguments.append("    inplace: bool = False,")
        more.append("inplace=inplace")
    if about.inputs:
        arguments.append("    progress_bar: bool = False,")
        more.append("progress_bar=progress_bar")
    mesh = ["    mesh: Any,"] if about.inputs else []
    star = ["    *,"] if arguments else []
    return [f"def {proxy.keyword}(", *mesh, *star, *arguments, ") -> Any:", *docstring(proxy, about),
            f'    return call("{proxy.name}", {"mesh" if mesh else "None"}, {{', *passed,
            "    }" + "".join(f", {one}" for one in more) + ")", "", ""]


def panel_module(proxies: list[Proxy], version: str) -> list[str]:
    """Lines of the module with the panel's words."""
    lines = ["# SPDX-License-Identifier: BSD-3-Clause",
             '"""The panel of ParaView: made by make_functions.py from xml/."""',
             "from __future__ import annotations", "", f'VERSION = "{version}"', "",
             "# By proxy and property: type, help, how many numbers, default, choices.",
             "PROXIES: dict[str, dict[str, tuple[str, str, int, tuple[str, ...], dict[str, int]]]] = {"]
    for proxy in proxies:
        lines.append(f'    "{proxy.name}": {{')
        lines += [f'        "{name}": {(one.type, one.help, one.numbers, one.default, one.choices)!r},'
                  for name, one in proxy.settings.items()]
        lines.append("    },")
    lines += ["}", "", "# By proxy: the property that switches another one on.",
              "SWITCHES: dict[str, dict[str, str]] = {"]
    lines += [f'    "{proxy.name}": '
              f'{ {name: proxy.switch_of(name) for name in proxy.settings if proxy.switch_of(name)}!r},'
              for proxy in proxies]
    lines += ["}", "", "# By proxy: the property that is a fraction of the longest side of the bounds.",
              "OF_BOUNDS: dict[str, dict[str, float]] = {"]
    lines += [f'    "{proxy.name}": '
              f'{ {name: one.of_bounds for name, one in proxy.settings.items() if one.of_bounds}!r},'
              for proxy in proxies]
    lines += ["}", "", "# By function: its filter, the classes of PyVista that it takes, what to do with others.",
              "METHODS: dict[str, tuple[str, tuple[str, ...], str]] = {"]
    lines += [f'    "{proxy.keyword}": {(proxy.name, about.inputs, about.instead)!r},'
              for proxy in proxies for about in [FUNCTIONS.get(proxy.name)] if about and about.inputs]
    return [*lines, "}"]


def main(xml: str, version: str, panel_file: str, functions_file: str) -> None:
    proxies = [proxy for proxy in panel.read(xml) if proxy.name in FUNCTIONS]
    names = ", ".join(f'"{proxy.keyword}"' for proxy in proxies)
    body = [line for proxy in proxies for line in function(proxy, FUNCTIONS[proxy.name])]
    for path, text in ((panel_file, "\n".join(panel_module(proxies, version))),
                       (functions_file, _HEAD + f"__all__ = [{names}]\n\n\n" + "\n".join(body).rstrip())):
        with open(path, "w", encoding="utf-8") as file:
            print(text, file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
