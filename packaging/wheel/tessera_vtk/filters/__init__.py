# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Curves and Adaptive Grid as VTK filters."""
