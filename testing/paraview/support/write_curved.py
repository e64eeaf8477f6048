# SPDX-License-Identifier: BSD-3-Clause
"""Writes curved tetrahedra that Gmsh makes, of degree 2 to 8: python3 write_curved.py FILE.npz. A process of its own,
since Gmsh's libraries need not suit those of ParaView. Ends with 77 where a module is missing."""
import sys

try:
    import gmsh
    import numpy as np
except (ImportError, OSError) as reason:
    print(reason)
    sys.exit(77)


def main(path):
    """For each degree d: places_d and cells_d, in Gmsh's order of nodes; local_d, where these are in a tetrahedron;
    true_d, places on the curved surface as Gmsh evaluates it."""
    gmsh.initialize(interruptible=False)
    gmsh.option.setNumber("General.Verbosity", 1)
    gmsh.option.setNumber("General.NumThreads", 1)
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.8)
    gmsh.model.occ.cut([(3, gmsh.model.occ.addSphere(0, 0, 0, 1))], [(3, gmsh.model.occ.addSphere(0.3, 0, 0, 0.4))])
    gmsh.model.occ.synchronize()
    gmsh.model.mesh.generate(3)
    made = {}
    grid = np.ravel([(i / 5, j / 5, 0.0) for i in range(6) for j in range(6 - i)])
    for degree in range(2, 9):
        gmsh.model.mesh.setOrder(degree)
        tags, places, _ = gmsh.model.mesh.getNodes()
        kinds, _, nodes = gmsh.model.mesh.getElements(3)
        at = np.zeros(int(tags.max()) + 1, np.int64)
        at[tags.astype(np.int64)] = np.arange(len(tags))
        local = np.array(gmsh.model.mesh.getElementProperties(int(kinds[0]))[4]).reshape(-1, 3)
        made[f"places_{degree}"] = np.array(places).reshape(-1, 3)
        made[f"cells_{degree}"] = at[nodes[0].astype(np.int64)].reshape(-1, len(local))
        made[f"local_{degree}"] = local
        kind = int(gmsh.model.mesh.getElements(2)[0][0])
        made[f"true_{degree}"] = np.array(gmsh.model.mesh.getJacobians(kind, grid)[2]).reshape(-1, 3)
    gmsh.finalize()
    np.savez(path, **made)


main(sys.argv[1])
