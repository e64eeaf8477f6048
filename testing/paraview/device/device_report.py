# SPDX-License-Identifier: BSD-3-Clause
"""CUDA Device Report: a table on every machine, with and without a GPU."""
import math
import re

from tessera_testing import check, main, messages, simple

COLUMNS = ["Index", "Name", "Usable", "Can Launch Kernels", "Compute Capability", "Multiprocessors",
           "Memory MiB", "Free MiB", "Driver Version", "Runtime Version", "Pending Launches",
           "Default Pending Launches", "Heap MiB", "Default Heap MiB", "Stack bytes",
           "Default Stack bytes", "Largest Cluster blocks", "SAXPY GB/s", "Copy GB/s",
           "Pinned Upload GB/s", "Pinned Download GB/s", "Pageable Upload GB/s",
           "Pageable Download GB/s", "Device Launches per second", "Deepest Nesting",
           "Diverge Expected", "Diverge Got", "Problem", "Process"]
MEASURED = COLUMNS[COLUMNS.index("SAXPY GB/s"):COLUMNS.index("Problem")]


def report(**settings):
    source = simple.CUDADeviceReport(**settings)
    source.UpdatePipeline()
    return source, source.GetClientSideObject().GetOutputDataObject(0)


def text(table, name):
    return table.GetFieldData().GetAbstractArray(name).GetVariantValue(0).ToString()


def the_table_is_there_on_every_machine():
    source, table = report()
    check(table.IsA("vtkTable") and messages() == "", "a table, and nothing said")
    check([table.GetColumnName(i) for i in range(table.GetNumberOfColumns())] == COLUMNS, "columns")
    check(max(source.DeviceCount, 1) == table.GetNumberOfRows(), "a row a device, or one without")
    for name, value in (("Driver Version", source.DriverVersion),
                        ("Runtime Version", source.RuntimeVersion), ("Problem", source.Problem)):
        check(text(table, name) == value, f"{name} in the panel: {value}")
    check(re.fullmatch(r"-|\d+\.\d+", source.DriverVersion) and
          re.fullmatch(r"-|\d+\.\d+", source.RuntimeVersion), "versions")


def without_a_usable_device_a_sentence_says_why():
    source, table = report()
    usable = [table.GetValueByName(row, "Usable").ToInt() for row in range(table.GetNumberOfRows())]
    check((source.Problem == "") == (1 in usable), f"{usable}: {source.Problem}")
    check(source.Problem == "" or "CUDA" in source.Problem, source.Problem)
    if source.DeviceCount == 0:
        check(table.GetValueByName(0, "Problem").ToString() == source.Problem, "the row says why")
        check(table.GetValueByName(0, "Index").ToInt() == -1 and usable == [0], "no device")
        check(math.isnan(table.GetValueByName(0, "Memory MiB").ToDouble()), "no memory")


def measuring_is_asked_for():
    source, table = report()
    check(source.Measure == 0, "off by default")
    for name in MEASURED:
        value = table.GetValueByName(0, name)
        check(value.ToDouble() == -1 if value.IsLongLong() or value.IsLong()
              else math.isnan(value.ToDouble()), f"{name} is not known: {value.ToString()}")
    source, table = report(Measure=1)
    check(messages() == "", "nothing is said")
    for row in range(source.DeviceCount):
        if table.GetValueByName(row, "Problem").ToString():
            continue
        for name in MEASURED:
            check(table.GetValueByName(row, name).ToDouble() > 0, f"{name} of device {row}")
        expected, got = (table.GetValueByName(row, f"Diverge {which}").ToInt()
                         for which in ("Expected", "Got"))
        check(expected == got == 213760, f"the self-check counted {got}")


def the_buttons_work():
    source, _ = report()
    for name in ("ReleaseMemory", "Refresh"):
        source.SMProxy.InvokeCommand(name)
    source.UpdatePipeline()
    check(messages() == "", "nothing is said")


def it_is_in_the_menu():
    hints = report()[0].SMProxy.GetHints()
    check(hints.FindNestedElementByName("ShowInMenu").GetAttribute("category") == "Tessera", "menu")


main(the_table_is_there_on_every_machine, without_a_usable_device_a_sentence_says_why,
     measuring_is_asked_for, the_buttons_work, it_is_in_the_menu)
