# SPDX-License-Identifier: BSD-3-Clause
"""A client and a server of several ranks over a socket: server.py RANKS MPIEXEC PVSERVER

Every filter and source runs here first, in one process, and then on the server. Counts and reports
must be the same, and what the server has to say must reach the client.
"""
import os
import signal
import socket
import subprocess
import sys
import time

from tessera_testing import check, main, messages, output_file, simple

RANKS, MPIEXEC, PVSERVER = int(sys.argv[1]), sys.argv[2], sys.argv[3]
LOG = output_file(f"server_{RANKS}.log")
COUNTS = ("CurvesIn", "CurvesOut", "PolylinesOut", "CellsOut", "LeavesOut", "DiscsIn", "DiscsDrawn",
          "Saving", "LargestErrors", "HighestLevel", "PointsIn")


class Server:
    """A pvserver on a port that was free a moment ago, ended with all its ranks."""

    def __enter__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        # The client's own MPI has left marks by which mpiexec would think that it runs under another.
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("OMPI_", "PMIX_", "ORTE_", "PMI_"))}
        with open(LOG, "wb") as log:
            self.process = subprocess.Popen(
                [MPIEXEC, "--allow-run-as-root", "--oversubscribe", "-n", str(RANKS), PVSERVER,
                 f"--server-port={self.port}"], env=clean, stdout=log, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, start_new_session=True)
        while "Accepting connection" not in log_text():
            check(self.process.poll() is None,
                  f"the server ended with {self.process.returncode}: {log_text()[-2000:]}")
            time.sleep(0.1)  # CTest's limit ends a wait in vain
        return self

    def __exit__(self, *_):
        for number in (signal.SIGTERM, signal.SIGKILL):  # mpiexec ends its ranks on the first
            if self.process.poll() is None:
                os.killpg(self.process.pid, number)
                try:
                    self.process.wait(30)
                except subprocess.TimeoutExpired:
                    pass


def log_text():
    with open(LOG, errors="replace") as log:
        return log.read()


def pipelines():
    """Each filter and source once: name -> proxy."""
    beziers = simple.RandomBezierCurves(NumberOfCurves=200)
    jet = simple.TurbulentJet(Dimensions=[33, 17, 17])
    discs = simple.RandomDiscs(NumberOfDiscs=500)
    made = {"beziers": beziers, "jet": jet, "discs": discs,
            "curves": simple.AdaptiveCurves(Input=beziers, GenerateArcLength=1),
            "tracks": simple.PointsToCurves(Input=discs, OrderArray="Radius"),
            "points": simple.AdaptivePointGrid(Input=discs, MaximumPointsPerCell=8),
            "image": simple.DiscImage(Input=discs, RadiusArray="Radius", Resolution=[32, 32])}
    for output in ("Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR"):
        made[output] = simple.AdaptiveGrid(Input=jet, OutputType=output,
                                           CriteriaArrays=["Temperature"], HangingNodes="Free")
    return made


def numbers_of(made):
    """What a client sees of each: cells, the counts of the report, ranges of arrays."""
    numbers = {}
    for name, proxy in made.items():
        proxy.UpdatePipeline()
        counts = {p: str(proxy.GetPropertyValue(p)) for p in proxy.ListProperties() if p in COUNTS}
        arrays = proxy.PointData if proxy.PointData.GetNumberOfArrays() else proxy.CellData
        ranges = {a.GetName(): a.GetRange(0) for a in arrays.values()
                  if not a.GetName().startswith("vtk")}
        cells = proxy.GetDataInformation().GetNumberOfCells()
        # Images, trees and AMR of several ranks share cells, or have sides of their own.
        shared = name in ("jet", "image", "Hyper Tree Grid", "Overlapping AMR")
        numbers[name] = (None if shared else cells, counts, ranges)
    return numbers


def client(here):
    """What the client does."""
    made = pipelines()
    there = numbers_of(made)
    for name, expected in here.items():
        check(there[name] == expected, f"{name}: {there[name]} on the server, {expected} here")
    report = simple.CUDADeviceReport()
    report.UpdatePipeline()
    check(report.GetDataInformation().GetDataSetTypeAsString() == "vtkTable", "a device report")
    check(report.DeviceCount > 0 or "CUDA" in report.Problem, "the client knows what it found")
    messages()
    made["curves"].ChordError = -1.0
    made["curves"].UpdatePipeline()
    told = messages()
    check("Nothing was made" in told and "hord error" in told, f"the client is told why: {told}")
    check(made["curves"].GetDataInformation().GetNumberOfPoints() == 0, "nothing was made")
    made["curves"].ChordError = 0.001
    check(numbers_of({"curves": made["curves"]})["curves"] == here["curves"], "it works again")


def the_same_on_a_server():
    here = numbers_of(pipelines())
    check(sum(len(counts) for _, counts, _ in here.values()) >= 10, "there are reports")
    simple.Disconnect()
    with Server() as server:
        simple.Connect("127.0.0.1", server.port)
        client(here)
        check(server.process.poll() is None, f"the server is still there: {log_text()[-2000:]}")
        simple.Disconnect()


main(the_same_on_a_server)
