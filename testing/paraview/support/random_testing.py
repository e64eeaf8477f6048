# SPDX-License-Identifier: BSD-3-Clause
"""What tests on random cases share: numbers on the command line, messages that need a reason, two
executions that must give the same bytes, and failures that say how to make their case again."""
import collections
import re
import sys
import traceback

import numpy as np
from grid_testing import Boxes
from tessera_testing import cell_types, check, messages, say, simple, source_of
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLogger
from vtkmodules.vtkCommonDataModel import vtkDataObject

counts = collections.Counter()  # of messages by their kind, and of what came out


def everything_in(output):
    """All bytes of an output, but for the seconds and threads of the report."""
    found = []
    parts = [output]
    if output.IsA("vtkOverlappingAMR"):
        parts = [output.GetDataSet(level, i) for level in range(output.GetNumberOfLevels())
                 for i in range(output.GetNumberOfDataSets(level))]
    for data in parts:
        for attributes in map(data.GetAttributes, (vtkDataObject.POINT, vtkDataObject.CELL)):
            if attributes:
                found += [(attributes.GetArrayName(i), vtk_to_numpy(attributes.GetArray(i)).tobytes())
                          for i in range(attributes.GetNumberOfArrays())]
        if data.IsA("vtkPointSet") and data.GetNumberOfPoints():
            found.append(vtk_to_numpy(data.GetPoints().GetData()).tobytes())
        if data.IsA("vtkUnstructuredGrid") and data.GetNumberOfCells():
            found += [vtk_to_numpy(data.GetCells().GetConnectivityArray()).tobytes(),
                      vtk_to_numpy(data.GetCells().GetOffsetsArray()).tobytes(),
                      cell_types(data).tobytes()]
        elif data.IsA("vtkHyperTreeGrid"):
            boxes = Boxes(data)
            found += [boxes.low.tobytes(), boxes.high.tobytes()]
        elif data.IsA("vtkImageData"):
            found.append((data.GetOrigin(), data.GetSpacing(), data.GetExtent()))
    fields = output.GetFieldData()
    for i in range(fields.GetNumberOfArrays()):
        array = fields.GetAbstractArray(i)
        if "Seconds" not in array.GetName() and "Threads" not in array.GetName():
            found.append((array.GetName(), [array.GetVariantValue(k).ToString()
                                            for k in range(array.GetNumberOfValues())]))
    return found


def kinds_of(case, name, text, sentences):
    """Of what filter `name` said; any other sentence, or one without its reason, is a failure.
    sentences: by kind, the words (a pattern) and what asks the case, and the match, for the reason."""
    kinds = set()
    for sentence in re.findall(name + r" \([^)]*\): (.*)", text):
        for kind, (words, has_reason) in sentences.items():
            found = re.fullmatch(words, sentence)
            if found and has_reason(case, found):
                kinds.add(kind)
                break
        else:
            check(False, f"unexpected message: {sentence}")
    check(bool(kinds) == bool(text.strip()), f"unexpected message: {text}")
    counts.update(kinds)
    return kinds


def run_twice(filter_name, case, rng, sentences, look):
    """One thread and three, in either order, give the same bytes. look: at the case, its output and
    the kinds of what was said. Where the case is to be refused, that is all that is looked at."""
    source = source_of(case.data)
    messages()
    threads = [1, 3] if rng.random() < 0.5 else [3, 1]
    proxy = getattr(simple, filter_name)(Input=source, Threads=threads[0], **case.properties)
    try:
        proxy.UpdatePipeline()
        text = messages()
        output = proxy.GetClientSideObject().GetOutputDataObject(0)
        if case.refused:
            check(text.count(f"vtk{filter_name} (") == 1 and case.refused in text,
                  f"not '{case.refused}', but: {text}")
            check(output.GetNumberOfCells() == 0, "an empty output")
            counts["refused"] += 1
            return
        kinds = kinds_of(case, "vtk" + filter_name, text, sentences)
        look(case, output, kinds)
        before = everything_in(output)
        proxy.Threads = threads[1]
        proxy.UpdatePipeline()
        check(messages().count(f"vtk{filter_name} (") == len(kinds), "other messages with other threads")
        after = everything_in(proxy.GetClientSideObject().GetOutputDataObject(0))
        check(before == after, f"other bytes with {threads[1]} threads than with {threads[0]}")
    finally:
        simple.Delete(proxy)
        simple.Delete(source)


def run_cases(script, title, make, run, few=150):
    """As many cases as the command line says: CASES, SEED, FIRST. few: cases, where it says nothing. make: a case
    from a generator."""
    number, seed, first = [int(a) for a in sys.argv[1:]] + [few, 1, 0][len(sys.argv) - 1:]
    failed = 0
    counts.clear()
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)  # what is said is looked at here
    for k in range(first, first + number):
        case = None
        try:
            rng = np.random.default_rng([seed, k])
            case = make(rng)
            run(case, rng)
        except Exception as problem:
            failed += 1
            words = str(problem) if isinstance(problem, AssertionError) else traceback.format_exc()
            say(f"FAILED: {script} 1 {seed} {k}: {title}: {words}")
            if case and number == 1:
                say(f"{case.data.GetClassName()} {case.properties}")
    say(f"{number} cases of {title}, seed {seed}: {dict(sorted(counts.items()))}")
    check(failed == 0, f"{failed} of {number} cases")
