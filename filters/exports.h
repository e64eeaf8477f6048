/* SPDX-License-Identifier: BSD-3-Clause */
/** Included before every file of the core, where all else is hidden: what the public header
 * declares is visible, and stays so where it is defined. */
#pragma GCC visibility push(default)
#include "tessera.h"
#pragma GCC visibility pop
