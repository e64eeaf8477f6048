/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the ghosts. A process sends, of each owned root near its border, the bits of the nodes
 * from the root down, depth first, a node's children only if it is refined:
 *
 *     index of the root, 3 x 32 bits | 1 | 0 | 1 0 0 0 0 | 0 | 0 | filled up to a byte
 *                              root __|   |   |___ child 1 and its four children (2D)
 *                                  child 0
 *
 * Every process gets the messages of all and takes what is a ghost of its own.
 */
#include "grid/partition/partition.h"

#include <stdlib.h>
#include <string.h>

/* Bits one after another, in whole bytes for each root. */
typedef struct tsr_message {
  uint8_t *bytes;
  int64_t n, room; /* bits */
  int full;        /* no memory */
} tsr_message;

static void message_bit(tsr_message *m, int bit) {
  if (m->n >= m->room) {
    const int64_t room = m->room > 0 ? 2 * m->room : 8192;
    uint8_t *more = m->full ? NULL : realloc(m->bytes, (size_t)room / 8);
    if (!more) {
      m->full = 1;
      return;
    }
    memset(more + m->room / 8, 0, (size_t)(room - m->room) / 8);
    m->bytes = more;
    m->room = room;
  }
  m->bytes[m->n / 8] |= (uint8_t)(bit << (m->n % 8));
  ++m->n;
}

static void message_align(tsr_message *m) {
  while (m->n % 8 != 0)
    message_bit(m, 0);
}

/* The bits of a node and, if it is refined, of its children. */
static void message_node(tsr_message *m, const tsr_lattice *lattice, const tsr_tree *tree,
                         int level, const int64_t i[3]) {
  const int refined = tsr_tree_get(tree, lattice, level, i);
  if (level >= lattice->levels || m->full)
    return;
  message_bit(m, refined);
  if (refined)
    for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
      int64_t child[3];
      if (tsr_node_child(lattice, level, i, k, child))
        message_node(m, lattice, tree, level + 1, child);
    }
}

/* Messages while they are read. */
typedef struct tsr_reading {
  const tsr_lattice *lattice;
  const tsr_grid_ghosts *ghosts;
  tsr_tree *tree;
  int64_t bit; /* the next one */
} tsr_reading;

static int read_bit(tsr_reading *r) {
  const int bit = (r->ghosts->bytes[r->bit / 8] >> (r->bit % 8)) & 1;
  ++r->bit;
  return bit;
}

/* Reads what message_node wrote; adds it to the tree if it is a ghost. */
static void read_node(tsr_reading *r, int is_ghost, int level, const int64_t i[3]) {
  int refined;
  if (level >= r->lattice->levels || r->bit >= 8 * r->ghosts->n)
    return;
  refined = read_bit(r);
  if (refined && is_ghost)
    tsr_tree_set(r->tree, r->lattice, level, i);
  if (refined)
    for (unsigned k = 0; k < (1u << r->lattice->dimension); ++k) {
      int64_t child[3];
      if (tsr_node_child(r->lattice, level, i, k, child))
        read_node(r, is_ghost, level + 1, child);
    }
}

/* 1 if the owned root may be a ghost of another process. */
static int root_is_sent(const tsr_grid_input *input, const int64_t i[3]) {
  const tsr_lattice *lattice = &input->lattice;
  const int64_t reach = tsr_grid_ghost_roots(&input->options);
  for (int a = 0; a < lattice->dimension; ++a) {
    if (lattice->owned[a][0] > 0 && i[a] < lattice->owned[a][0] + reach)
      return 1;
    if (lattice->owned[a][1] < lattice->roots[a] && i[a] >= lattice->owned[a][1] - reach)
      return 1;
  }
  return 0;
}

/* The message of this process. */
static tsr_message message_make(const tsr_grid_input *input, const tsr_tree *tree) {
  const tsr_lattice *lattice = &input->lattice;
  tsr_message m = {NULL, 0, 0, 0};
  int64_t i[3];
  for (i[2] = lattice->owned[2][0]; i[2] < lattice->owned[2][1]; ++i[2])
    for (i[1] = lattice->owned[1][0]; i[1] < lattice->owned[1][1]; ++i[1])
      for (i[0] = lattice->owned[0][0]; i[0] < lattice->owned[0][1]; ++i[0]) {
        if (!root_is_sent(input, i))
          continue;
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < 32; ++k)
            message_bit(&m, (int)((i[a] >> k) & 1));
        message_node(&m, lattice, tree, 0, i);
        message_align(&m);
      }
  return m;
}

void tsr_ghosts_add(const tsr_grid_input *input, const tsr_grid_ghosts *ghosts, tsr_tree *tree) {
  const tsr_lattice *lattice = &input->lattice;
  tsr_reading r = {lattice, ghosts, tree, 0};
  while (ghosts->bytes && r.bit + 96 <= 8 * ghosts->n) {
    int64_t i[3] = {0, 0, 0};
    int owned = 1;
    for (int a = 0; a < 3; ++a) {
      for (int k = 0; k < 32; ++k)
        i[a] |= (int64_t)read_bit(&r) << k;
      owned = owned && i[a] >= lattice->owned[a][0] && i[a] < lattice->owned[a][1];
    }
    read_node(&r, !owned && tsr_node_in_tree(lattice, 0, i), 0, i);
    r.bit = (r.bit + 7) / 8 * 8;
  }
}

tsr_status tsr_ghosts_exchange(const tsr_grid_input *input, tsr_tree *tree, tsr_grid_ghosts *ghosts,
                               tsr_error *error) {
  const tsr_processes processes = tsr_grid_processes(&input->options);
  tsr_message m;
  void *all;
  tsr_status status = TSR_OK;
  if (processes.n == 1)
    return TSR_OK;
  m = message_make(input, tree);
  if (m.full)
    status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the ghosts of others");
  tsr_ghosts_free(ghosts);
  status = tsr_processes_gather_bytes(&processes, status, m.bytes, m.n / 8, &all, NULL, &ghosts->n,
                                      error);
  ghosts->bytes = all;
  if (status == TSR_OK)
    tsr_ghosts_add(input, ghosts, tree);
  free(m.bytes);
  return status;
}

void tsr_ghosts_free(tsr_grid_ghosts *ghosts) {
  free(ghosts->bytes);
  memset(ghosts, 0, sizeof *ghosts);
}
