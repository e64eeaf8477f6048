# SPDX-License-Identifier: BSD-3-Clause
"""A desktop without a screen: an X server, a window manager, ParaView in it, and pictures of it.

Every program has a time limit, and whatever still runs at the end is ended."""
import os
import shutil
import signal
import subprocess
import sys
import time
from xml.sax.saxutils import quoteattr

from paraview import simple

VERSION = simple.GetParaViewVersion()
PROGRAMS = ("Xvfb", "openbox", "xdotool", "import", "convert", "paraview", "pvpython")
SCREEN = "1600x1200x24"
SKIPPED = 77


def help_is_there():
    """Whether the plugin was built with the pages of ParaView's help; says so where it was not."""
    if os.environ.get("TESSERA_NO_HELP"):
        print("skipped: the plugin was built without the pages of ParaView's help", flush=True)
        return False
    return True


def main(name, steps, prepare=None):
    """Ends with 0 when all steps are done on a desktop, with 77 where it cannot be made. Pictures
    and logs are left in the folder `name` of TESSERA_OUTPUT; `prepare` puts files there."""
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        print("skipped: there is no " + ", no ".join(missing), flush=True)
        sys.exit(SKIPPED)
    folder = os.path.join(os.environ["TESSERA_OUTPUT"], name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if prepare:
        prepare(folder)
    with Desktop(folder) as desktop:
        for step in steps:
            print(step.__doc__.splitlines()[0], flush=True)
            step(desktop)


class Desktop:
    """Use it in a with statement. `folder` receives pictures, logs and what ParaView saves."""

    def __init__(self, folder):
        self.folder = folder
        self.running = []
        self.home = os.path.join(folder, "home")
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        self.environment = dict(os.environ, HOME=self.home, XDG_RUNTIME_DIR=self.home,
                                XDG_CONFIG_HOME=os.path.join(self.home, "config"),
                                XDG_CACHE_HOME=os.path.join(self.home, "cache"))

    def __enter__(self):
        try:
            read, write = os.pipe()
            self.start("Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp",
                       "-noreset", pass_fds=[write])
            os.close(write)
            with os.fdopen(read) as answer:
                display = answer.readline().strip()
            if not display:
                raise RuntimeError("Xvfb did not start; see Xvfb.log.")
            self.environment["DISPLAY"] = ":" + display
            self.start("openbox")
            self.wait_for("the window manager", 20, lambda: self.run(
                "xdotool", "get_num_desktops", check=False).returncode == 0)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.running):
            self.stop(process)
        shutil.rmtree(self.home, ignore_errors=True)

    def start(self, *command, pass_fds=()):
        """Starts a program in a process group of its own, so that stop() ends its children too."""
        name = os.path.basename(command[0])
        with open(os.path.join(self.folder, name + ".log"), "ab") as log:
            process = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdout=log,
                                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                       pass_fds=pass_fds, start_new_session=True)
        self.running.append(process)
        return process

    def stop(self, process):
        for number in (signal.SIGTERM, signal.SIGKILL):
            if process.poll() is None:
                os.killpg(process.pid, number)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    pass
        if process in self.running:
            self.running.remove(process)

    def run(self, *command, seconds=30, check=True):
        """Runs a small program to its end and returns what came of it."""
        return subprocess.run(command, env=self.environment, cwd=self.folder, timeout=seconds,
                              capture_output=True, text=True, check=check)

    def wait_for(self, what, seconds, done):
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise RuntimeError(f"Waited {seconds} seconds for {what} in vain.")
            time.sleep(0.2)

    def paraview(self, *arguments):
        # --dr: no settings of the user, and no welcome that stands in the way.
        return self.start("paraview", "--dr", "--test-directory=" + self.folder, *arguments)

    def start_script(self, name, events, *arguments):
        """ParaView, that begins to play `events`, and how to read what it says from now on."""
        script = os.path.join(self.folder, name + ".xml")
        events.write(script)
        log = os.path.join(self.folder, "paraview.log")
        begin = os.path.getsize(log) if os.path.exists(log) else 0

        def said():
            with open(log, errors="replace") as file:
                file.seek(begin)
                return file.read()
        return self.paraview("--test-script=" + script, *arguments), said

    def play(self, name, events, seconds, *arguments):
        """Runs ParaView while it plays `events`. Returns its messages; fails if it fails."""
        process, said = self.start_script(name, events, "--exit", *arguments)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.picture(name + "_stuck.png")
            status = f"nothing within {seconds} seconds"
        finally:
            self.stop(process)
        if status != 0:
            raise RuntimeError(f"ParaView ended {name} with {status}:\n{said()[-6000:]}")
        return said()

    def look(self, name, events, last, seconds):
        """Plays `events`, the last of which saves the file `last`, and leaves a picture of what is
        then seen. Returns its path and ParaView's messages."""
        process, said = self.start_script(name, events)
        try:
            self.wait_for(last, seconds,
                          lambda: os.path.exists(os.path.join(self.folder, last)))
            self.large_window()
            picture = self.picture(name + ".png")
        except RuntimeError as problem:
            raise RuntimeError(f"{name}: {problem}\n{said()[-6000:]}") from problem
        finally:
            messages = said()
            self.stop(process)
        return picture, messages

    def large_window(self):
        """ParaView's window over the whole screen, when it is there."""
        def place():
            window = self.window("^ParaView [0-9]")
            return window and self.run("xdotool", "windowsize", window, "1590", "1150",
                                       "windowmove", window, "2", "25",
                                       check=False).returncode == 0
        self.wait_for("ParaView's window", 60, place)
        self.settle()

    def picture(self, name):
        """The whole screen as a file in the folder."""
        path = os.path.join(self.folder, name)
        self.run("import", "-silent", "-window", "root", path)
        return path

    def colours(self, path):
        """How many colours a picture has; a blank one has one."""
        return int(self.run("convert", path, "-format", "%k", "info:").stdout)

    def colours_in(self, path, area):
        """How many colours an area (WxH+X+Y) of a picture has."""
        return int(self.run("convert", path, "-crop", area, "+repage", "-format", "%k",
                            "info:").stdout)

    def changed(self, before, after, area):
        """How many pixels of an area (WxH+X+Y) differ visibly between two pictures."""
        return float(self.run("convert", before, after, "-crop", area, "+repage", "-compose",
                              "difference", "-composite", "-colorspace", "Gray", "-threshold",
                              "5%", "-format", "%[fx:mean*w*h]", "info:").stdout)

    def pixels(self):
        return self.run("import", "-silent", "-window", "root", "-format", "%#\n", "-identify",
                        "null:").stdout

    def settle(self, seconds=60):
        """Waits until the screen shows what it showed half a second ago or longer. That a text
        cursor blinks meanwhile does no harm: what it covers comes back."""
        seen = {}  # by picture: when it was first there

        def still():
            picture, now = self.pixels(), time.monotonic()
            return now - seen.setdefault(picture, now) >= 0.5
        self.wait_for("a still picture", seconds, still)

    def window(self, name):
        """The number of the window of that name, or None."""
        found = self.run("xdotool", "search", "--onlyvisible", "--name", name, check=False).stdout
        return found.split()[0] if found else None

    def help(self, events):
        """A picture of the help's window, which the ? of the panel opens after these events."""
        events.do(Events.PANEL + "Help")
        events.menu("menu_File", "actionFileSaveServerState")
        events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/help.pvsm")
        process, said = self.start_script("help", events)
        try:
            self.wait_for("help.pvsm", 120, lambda: os.path.exists(os.path.join(self.folder, "help.pvsm")))
            self.wait_for_window("Online Help")
            window = self.window("Online Help")
            self.run("xdotool", "windowsize", window, "1100", "800", "windowmove", window, "20", "30")
            self.settle()
            return self.picture("help.png")
        except RuntimeError as problem:
            raise RuntimeError(f"{problem}\n{said()[-3000:]}") from problem
        finally:
            self.stop(process)

    def keys(self, *keys):
        """Presses keys, and waits for what they cause."""
        self.run("xdotool", "key", "--delay", "100", *keys)
        self.settle()

    def wait_for_window(self, name, seconds=90):
        """Until a window of that name is there, with everything in it drawn."""
        self.wait_for(f"a window named {name}", seconds, lambda: self.window(name))
        self.settle()

    def keys_until(self, keys, what, done, seconds=120):
        """Presses keys until done() says so: a busy machine may not be ready for them at once. Only
        for keys that do no harm where they are pressed again."""
        def pressed():
            self.keys(keys)
            end = time.monotonic() + 10
            while not done() and time.monotonic() < end:
                time.sleep(0.2)
            return done()
        self.wait_for(what, seconds, pressed)

    def type(self, text):
        self.run("xdotool", "type", "--delay", "50", text)
        self.settle()


class Events:
    """What a user does and sees, for ParaView to play."""
    WINDOW = "pqClientMainWindow/"
    PANEL = WINDOW + "propertiesDock/propertiesPanel/"
    PROPERTIES = (PANEL + "scrollArea/qt_scrollarea_viewport/scrollAreaWidgetContents/"
                  "PropertiesFrame/ProxyPanel/")
    VIEWPORT = (WINDOW + "centralwidget/MultiViewWidget/CoreWidget/qt_tabwidget_stackedwidget/"
                "MultiViewWidget1/Container/Frame.0/CentralWidgetFrame/Viewport")
    MESSAGES = WINDOW + "outputWidgetDock/outputWidget/stackedWidget/page/treeView"
    TOOLBAR = WINDOW + ("Tessera" if VERSION < (5, 12) else "filters.Tessera")

    def __init__(self):
        self.lines = []

    def write(self, path):
        with open(path, "w") as file:
            file.write("\n".join(['<?xml version="1.0"?>', "<pqevents>", *self.lines,
                                  "</pqevents>", ""]))

    def do(self, widget, command="activate", value=""):
        self.lines.append(f"  <pqevent object={quoteattr(widget)} command={quoteattr(command)} "
                          f"arguments={quoteattr(value)}/>")

    def see(self, widget, what, value):
        self.lines.append(f"  <pqcheck object={quoteattr(widget)} property={quoteattr(what)} "
                          f"arguments={quoteattr(value)}/>")

    def menu(self, path, item):
        """Chooses an item. Later versions of ParaView fill menus of sources and filters when they are
        opened, and each version names the submenus of categories in its own way, but Alphabetical."""
        menu, _, submenu = path.partition("/")
        if submenu:
            self.do(self.WINDOW + "menubar", "activate", menu)
        self.do(self.WINDOW + "menubar/" + path, "activate", item)

    def file(self, dialog, path):
        self.do(self.WINDOW + dialog, "filesSelected", path)

    def apply(self):
        self.do(self.PANEL + "Accept")

    def source(self, name):
        """A source of Tessera, applied; the jet is flat, which is faster."""
        self.menu("menuSources/Tessera", name)
        if name == "TurbulentJet":
            self.enter("Dimensions", "LineEdit2", "1")
        self.apply()

    def choose(self, name, text):
        self.do(f"{self.PROPERTIES}{name}/ComboBox", "activated", text)

    def switch(self, name, on):
        self.do(f"{self.PROPERTIES}{name}/CheckBox", "set_boolean", "true" if on else "false")

    def enter(self, name, widget, text):
        self.do(f"{self.PROPERTIES}{name}/{widget}", "set_string", text)

    def press(self, name):
        """A button of the panel."""
        self.do(f"{self.PROPERTIES}{name}/1QPushButton0")

    def advanced(self, on):
        self.do(self.PANEL + "SearchBox/AdvancedButton", "set_boolean", "true" if on else "false")

    def shown(self, *names):
        for name in names:
            self.see(self.PROPERTIES + name, "visible", "true")

    def hidden(self, *names):
        for name in names:
            self.see(self.PROPERTIES + name, "visible", "false")

    def groups(self, *titles):
        """The titles of the groups, from top to bottom, and no others."""
        for number, title in enumerate(titles):
            self.see(f"{self.PROPERTIES}1QWidget{number}/1QLabel0", "text",
                     f"<html><b>{title}</b></html>")

    def drag_box(self):
        """Moves the upper face of a region's box around the jet half a unit of length down."""
        # ParaView looks along z at a ball around the jet's box, 4 x 2 x 2, which fills the 30 degrees of
        # the height: the middle of the face y = 1 is 0.197 of the height above the middle of the view.
        for what, place in (("mousePress", "(0.5,0.303,1,1,0)"), ("mouseMove", "(0.5,0.35,0,1,0)"),
                            ("mouseMove", "(0.5,0.403,0,1,0)"),
                            ("mouseRelease", "(0.5,0.403,1,0,0)")):
            self.do(self.VIEWPORT, what, place)
