# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Curves in the real ParaView, by the keyboard alone.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures, logs and the files that ParaView saved in TESSERA_OUTPUT/gui_by_keyboard."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from adaptive_curves import check_saved, write_inputs
from desktop import main

SCREEN = "1600x1200+0+0"
SAVE_DIALOG, WRITER_DIALOG = "^Save File", "^Configure Writer"
VIEW = "1000x700+450+250"  # a part of the window that shows nothing but the curves


def by_keyboard(desktop):
    """A user finds the filter with Ctrl+Space, applies it, sees curves and saves them."""
    process = desktop.paraview("--data=" + os.path.join(desktop.folder, "curves.vtk"))
    desktop.large_window()
    blank = desktop.picture("blank.png")
    desktop.keys_until("alt+a", "the lines in the view", lambda: desktop.changed(
        blank, desktop.picture("lines.png"), VIEW) > 500)
    alone = desktop.picture("alone.png")
    desktop.keys("ctrl+space")
    desktop.wait_for("the search", 60, lambda: desktop.changed(
        alone, desktop.picture("search.png"), SCREEN) > 500)
    desktop.type("adaptive cur")
    desktop.picture("search.png")
    desktop.keys("Return")
    before = desktop.picture("lines.png")

    def curves_are_seen():
        after = desktop.picture("curves.png")
        return desktop.colours(after) >= 100 and desktop.changed(before, after, VIEW) >= 500
    desktop.keys_until("alt+a", "curves.png to show others than lines.png", curves_are_seen)
    desktop.keys("ctrl+s")
    desktop.wait_for_window(SAVE_DIALOG)
    desktop.type(os.path.join(desktop.folder, "found.vtk"))
    desktop.keys("Return")
    desktop.wait_for_window(WRITER_DIALOG)
    desktop.picture("save.png")
    desktop.keys("Return")
    desktop.wait_for("the saved curves", 60, lambda: not desktop.window(WRITER_DIALOG) and
                     os.path.exists(os.path.join(desktop.folder, "found.vtk")))
    desktop.settle()
    desktop.stop(process)
    check_saved(desktop, "found.vtk")


if __name__ == "__main__":
    main("gui_by_keyboard", (by_keyboard,), write_inputs)
