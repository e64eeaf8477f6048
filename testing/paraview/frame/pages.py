# SPDX-License-Identifier: BSD-3-Clause
"""The examples in Python of README.md and docs/, run as they are printed: pages.py FOLDER

FOLDER is that of README.md. Each example begins as docs/README.md says; the files that it reads are there.
"""
import os
import re
import sys

from paraview import servermanager
from tessera_testing import check, main, messages, output_file, simple, update

FOLDER = sys.argv[1]


def text_of(page):
    with open(os.path.join(FOLDER, page), encoding="utf-8") as file:
        return file.read()


# python.md is about the package without ParaView: testing/wheel/examples.py runs its examples.
PAGES = sorted(page for page in ["README.md", *(f"docs/{name}" for name in os.listdir(os.path.join(FOLDER, "docs")))]
               if page.endswith(".md") and page != "docs/python.md" and "```python\n" in text_of(page))
LEAST = 27  # of all pages together


def examples(page):
    text = text_of(page)
    found = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    check(len(found) == text.count("```python"), f"{page} has {len(found)} whole examples")
    return found


def run(page, code):
    """What the example has named; nothing may be said, nor when all of it is up to date."""
    plugin = os.environ["TESSERA_PLUGIN_FILE"]
    names = dict(simple.__dict__)
    if page == "docs/panel.md":
        names["grid"] = simple.AdaptiveGrid(Input=simple.TurbulentJet(Dimensions=[17, 9, 9]))
    before = dict(names)
    exec(compile(code.replace("/absolute/path/to/Tessera.so", plugin), page, "exec"), names)
    new = {name: value for name, value in names.items() if before.get(name) is not value}
    said = messages()  # what is printed goes there, too
    check("ERROR: In" not in said and "Warning: In" not in said, f"{page}: {said}")
    return new


def all_examples_run():
    points = simple.RandomDiscs(NumberOfDiscs=1000)
    simple.SaveData("survey.vtp", proxy=points, DataMode="Binary")
    with open("particles.csv", "w", encoding="utf-8") as file:
        file.write("id,time,x,y,z\n")
        file.writelines(f"{i},{t},{t},{i},0\n" for t in range(20) for i in range(5))
    pressure = simple.Calculator(Input=simple.TurbulentJet(Dimensions=[17, 9, 9]), ResultArrayName="p",
                                 Function="Temperature")
    simple.SaveData("mesh.vtu", proxy=simple.Tetrahedralize(Input=pressure), DataMode="Binary")
    check(sum(len(examples(page)) for page in PAGES) >= LEAST, "examples are gone")
    for page in PAGES:
        for code in examples(page):
            made = run(page, code)
            for proxy in made.values():
                if isinstance(proxy, servermanager.SourceProxy):
                    update(proxy)
            if page == "docs/points-to-curves.md":
                check(made["smooth"].PointsOut == 10, "straight tracks need their ends")


os.chdir(os.path.dirname(output_file("survey.vtp")))
main(all_examples_run)
