/* SPDX-License-Identifier: BSD-3-Clause */
/** Where the output of a random octree is, by slow loops: it covers the cells that are not outside,
 *  without gaps, and nothing else. Each function returns what is wrong as a sentence, which is
 * valid until the next call, or NULL. coarsen: of the options. */
#ifndef TESSERA_TEST_OCTREE_SHAPE_H
#define TESSERA_TEST_OCTREE_SHAPE_H

#include "octree_case.h"

/** Each cell that is not outside lies in one leaf, and the sizes count these cells and all leaves.
 *  Looks at a place near the middle of each cell. */
const char *octree_cover_wrong(const octree_case *it, const octree_out *out, int coarsen);

/** Each face of a conforming cell belongs to two cells, or the output ends there. */
const char *octree_conforming_wrong(const octree_case *it, const octree_out *out);

/** The states of trees and blocks call a node a leaf exactly if it has a cell that is not outside.
 */
const char *octree_states_wrong(const octree_case *it, const octree_out *out, int coarsen);

#endif
