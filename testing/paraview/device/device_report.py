# SPDX-License-Identifier: BSD-3-Clause
"""CUDA Device Report: a table on every machine, with and without a GPU."""
import re

from tessera_testing import check, main, messages, simple

COLUMNS = ["Index", "Name", "Compute Capability", "Multiprocessors", "Memory MiB", "Free MiB",
           "Usable", "Can Launch Kernels", "Problem", "Process"]


def report():
    source = simple.CUDADeviceReport()
    source.UpdatePipeline()
    source.UpdatePipelineInformation()
    return source, source.GetClientSideObject().GetOutputDataObject(0)


def text(table, name):
    return table.GetFieldData().GetAbstractArray(name).GetVariantValue(0).ToString()


def the_table_is_there_on_every_machine():
    source, table = report()
    check(table.IsA("vtkTable") and messages() == "", "a table, and nothing said")
    check([table.GetColumnName(i) for i in range(table.GetNumberOfColumns())] == COLUMNS, "columns")
    check(source.DeviceCount == table.GetNumberOfRows(), "a row a device")
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
     the_buttons_work, it_is_in_the_menu)
