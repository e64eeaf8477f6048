# SPDX-License-Identifier: BSD-3-Clause
"""Inputs that change with time, from the plugin's source or from the package's."""


class JetSeries:
    """A jet at four times; TIME is the one that is asked for. tetrahedra: its voxels are cut, for a mesh."""

    TIME = 0.6

    def __init__(self, tetrahedra=False):
        self.properties = {"Dimensions": [17, 9, 9] if tetrahedra else [33, 17, 17], "TimeSteps": 4}
        self.tetrahedra = tetrahedra

    def proxy(self, simple):
        jet = simple.TurbulentJet(**self.properties)
        return simple.Tetrahedralize(Input=jet) if self.tetrahedra else jet

    def connection(self, package):
        """The output port, and what has to live."""
        from vtkmodules.vtkFiltersGeneral import vtkDataSetTriangleFilter

        jet = package.TurbulentJet(**self.properties)
        if not self.tetrahedra:
            return jet.GetOutputPort(), jet
        cut = vtkDataSetTriangleFilter()
        cut.SetInputConnection(jet.GetOutputPort())
        return cut.GetOutputPort(), (jet, cut)
