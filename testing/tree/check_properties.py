#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where docs/ does not have a property of a panel, or has another default, and where a panel's
report asks for a number that is none, or no panel shows one that there is.

Use: check_properties.py SOURCE_FOLDER

Properties and defaults are those of xml/, which the test paraview/defaults holds against the tables
of the core. A table of docs/ whose first title is "property" ("property of NAME" on a page of several) has labels in its first column, several
of a row divided by commas ("Generate Level, Density": the first word goes on), and values in its
second, where a default is bold, unless the column is titled "default". Every property has a row; what
several filters have may be named in the text instead.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging/help"))
from make_help import described  # noqa: E402

# Of every filter: execution.md says what they do.
COMMON = "Backend, Threads, Device"
NUMBER = re.compile(r"-?\d[\d,]*\.?\d*(?:e-?\d+)?")


class Property:
    """A property of a panel that the user sets."""

    def __init__(self, element):
        self.label = element.get("label") or element.get("name")
        default = element.get("default_values")
        self.numbers = None
        if element.tag != "StringVectorProperty" and default not in (None, "none"):
            self.numbers = [float(n) for n in default.split()]
        self.texts = {entry.get("text"): float(entry.get("value"))
                      for entry in element.findall("EnumerationDomain/Entry")}
        self.switch = element.find("BooleanDomain") is not None

    def default_of(self, text):
        """The numbers that a text of docs/ means; None where it is not about them."""
        if self.switch:
            return {"on": [1.0], "off": [0.0]}.get(text)
        if self.texts:
            return [self.texts[text]] if text in self.texts else None if text in ("on", "off") else []
        found = [float(n.replace(",", "")) for n in NUMBER.findall(text)]
        return found or None


def properties(source, name):
    """The properties of a proxy: its own, and those of xml/properties that its panel shows."""
    def read(path):
        text = re.sub(r"<\?.*?\?>", "", path.read_text(encoding="utf-8"))
        root = ElementTree.fromstring(f"<root>{text}</root>")
        return [Property(element) for element in root.iter()
                if element.tag.endswith("VectorProperty") and element.get("command")
                and element.get("information_only") != "1"]
    own, shared = read(source / "xml" / f"{name}.xml"), []
    text = (source / "xml" / f"{name}.xml").read_text(encoding="utf-8")
    if "@LIMIT@" in text:
        own += read(source / "xml/properties/Limit.xml")
    if "@EXECUTION@" in text:
        for block in ("Execution", f"{name}Launch"):
            shared += read(source / "xml/properties" / f"{block}.xml")
        if "@KEEP_INPUT@" in (source / "xml/properties" / f"{name}Launch.xml").read_text(encoding="utf-8"):
            shared += read(source / "xml/properties/KeepInput.xml")
    return own, shared


def labels_of(cell):
    """The labels of a row: a single word behind a label of several may lack the first of them."""
    labels = [label.strip() for label in re.sub(r"\(advanced\)", "", cell).split(",")]
    first = labels[0].split(" ")[0]
    return [(label, f"{first} {label}") for label in labels]


def rows(text, titles):
    """(labels, [text of each label's default or None]) of the rows of the tables so titled."""
    in_table, plain = False, False
    for line in text.splitlines():
        if not line.startswith("|"):
            in_table = False
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] in titles:
            in_table, plain = True, cells[1] == "default"
        elif in_table and not cells[0].startswith("---"):
            labels = labels_of(cells[0])
            parts = re.sub(r"\([^)]*\)", "", cells[1]).split(", ")
            bold = parts if plain else re.findall(r"\*\*(.*?)\*\*", cells[1])
            if len(labels) > 1 and len(parts) == len(labels) and not plain:
                found = [re.search(r"\*\*(.*?)\*\*", part) for part in parts]
                bold = [one.group(1) if one else None for one in found]
            if len(bold) == 1:
                bold = bold * len(labels)
            yield labels, bold if len(bold) == len(labels) else [None] * len(labels)


def check_page(name, page, text, of_the_page, problems, prose=""):
    """Rows of the page against the properties; those without a row against the prose."""
    known, seen = {one.label: one for one in of_the_page}, set()
    label = re.sub("(?<=[a-z])(?=[A-Z])", " ", name)
    own = f"property of {label}"
    for labels, defaults in rows(text, [own] if f"| {own} |" in text else ["property"]):
        for choices, default in zip(labels, defaults):
            label = next((one for one in choices if one in known), None)
            if not label:
                continue
            seen.add(label)
            one = known[label]
            expected = one.default_of(default.strip()) if default else None
            if one.numbers is not None and expected is not None and expected != one.numbers:
                problems.append(f"docs/{page}: {name}: the default of {label} is not {default}")
    for missing in sorted(set(known) - seen):
        if missing not in prose:
            problems.append(f"docs/{page} does not say what {name}'s {missing} is")
    return len(seen)


def check_reports(source, problems):
    """Commands of reports in xml/ against the core's table of fields and the getters of classes."""
    def read(pattern, *folders):
        return "".join(path.read_text(encoding="utf-8") for folder in folders
                       for path in sorted((source / folder).glob(pattern)))
    shown = set(re.findall(r'command="GetReport(\w+)"', read("*.xml", "xml", "xml/properties")))
    fields = set(re.findall(r"\bONE\((\w+),\s+\w+, [A-Z]", read("report.c", "filters/common"))) - {"NAME"}
    headers = read("vtk*.h", "plugin")
    getters = set(re.findall(r"\bGetReport(\w+)\(\) const", headers))
    numbers = set(re.findall(r"TesseraReportNumber\((\w+), ", headers))
    for name in sorted(numbers - fields - {"NAME"}):
        problems.append(f"plugin/ has the report's {name}, which is no field of filters/common/report.c")
    for name in sorted(shown - numbers - getters):
        problems.append(f"xml/ asks for GetReport{name}, which no class has")
    for name in sorted(fields - shown - {"Spans", "Pieces"}):
        problems.append(f"filters/common/report.c has {name}, which no panel shows")
    return len(fields & shown)


def check_names(source, problems):
    """A script has the label of a property without what is no letter or digit: that is its name."""
    for path in sorted((source / "xml").rglob("*.xml")):
        text = path.read_text(encoding="utf-8")
        for name, label in re.findall(r'Property\s+name="(\w+)"\s+label="([^"]*)"', text):
            if re.sub(r"\W", "", label) != name:
                problems.append(f"xml/{path.name}: {name} is '{label}' in scripts: name or label differ")


def main():
    source = Path(sys.argv[1])
    problems, in_rows = [], 0
    execution = (source / "docs/execution.md").read_text(encoding="utf-8")
    for name, (page, _) in described(source / "docs").items():
        own, shared = properties(source, name)
        text = (source / "docs" / page).read_text(encoding="utf-8")
        in_rows += check_page(name, page, text, own, problems)
        # Curves' launch properties are the ones that execution.md lists with their defaults.
        if name == "AdaptiveCurves":
            in_rows += check_page(name, "execution.md", execution, shared, problems)
        else:
            in_rows += check_page(name, page, text, shared, problems, text + COMMON)
    fields = check_reports(source, problems)
    check_names(source, problems)
    if not in_rows:
        problems.append("no table of properties was found")
    if problems:
        print("docs/ and the panels differ:\n  " + "\n  ".join(problems))
        return 1
    print(f"{in_rows} rows have the panels' defaults, {fields} fields of the report are shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
