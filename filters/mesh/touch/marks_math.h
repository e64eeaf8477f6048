/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Unstructured meshes: sets of nodes, as bits. A word of 64 bits is for a block: the nodes of a
 * height in a box of 4 by 4 by 4, in a plane of 4 by 4 by 1. The words in which there is a bit are
 * in a hash table with linear probing. Items of a step may add nodes at the same time: where a word
 * lies depends on their order, but not which nodes are in the set.
 */
#ifndef TSR_MESH_TOUCH_MARKS_MATH_H
#define TSR_MESH_TOUCH_MARKS_MATH_H

#include "mesh/touch/hull_math.h"

/** A word lies at most this many places behind that of its hash; where it finds no place, the table
 *  is full: with random names, when 65 to 85 of 100 places are taken. */
enum { TSR_MESH_PROBES = 64 };

/** Two sets of nodes; arrays of the executor. */
typedef struct tsr_mesh_marks {
  int64_t room;     /**< places, a power of two; 0: no table */
  uint64_t *word;   /**< room: 1 + the name of the block; 0: free */
  uint64_t *asked;  /**< room: a bit for each node that cells asked for */
  uint64_t *wanted; /**< room: a bit for each of these whose cells are listed next */
  uint8_t *full;    /**< a byte; 1: a word found no place */
} tsr_mesh_marks;

/** Reads a word that other items may change. */
TSR_FN uint64_t tsr_mesh_peek(const uint64_t *word) {
#ifdef __cplusplus
  return *(const volatile uint64_t *)word;
#else
  return atomic_load_explicit((const _Atomic uint64_t *)word, memory_order_relaxed);
#endif
}

/** Puts a number into a word that is 0. Returns what was in it. */
TSR_FN uint64_t tsr_mesh_claim(uint64_t *word, uint64_t number) {
#if defined(__CUDA_ARCH__)
  return atomicCAS((unsigned long long *)word, 0ull, (unsigned long long)number);
#elif defined(__cplusplus) /* a device that is emulated: one thread at a time */
  const uint64_t before = *word;
  *word = before == 0 ? number : before;
  return before;
#else
  uint64_t before = 0;
  atomic_compare_exchange_strong_explicit((_Atomic uint64_t *)word, &before, number,
                                          memory_order_relaxed, memory_order_relaxed);
  return before;
#endif
}

/** Sets bits of a word. */
TSR_FN void tsr_mesh_set_bits(uint64_t *word, uint64_t bits) {
  if ((tsr_mesh_peek(word) & bits) == bits)
    return;
#if defined(__CUDA_ARCH__)
  atomicOr((unsigned long long *)word, (unsigned long long)bits);
#elif defined(__cplusplus)
  *word |= bits;
#else
  atomic_fetch_or_explicit((_Atomic uint64_t *)word, bits, memory_order_relaxed);
#endif
}

/** 1 once a word has found no place. */
TSR_FN int tsr_mesh_is_full(const tsr_mesh_marks *marks) {
#ifdef __cplusplus
  return *(const volatile uint8_t *)marks->full;
#else
  return atomic_load_explicit((const _Atomic uint8_t *)marks->full, memory_order_relaxed);
#endif
}

/** A block of nodes, and some of them. */
typedef struct tsr_mesh_block {
  int height;
  int32_t at[3];  /**< indices of the block among those of the height */
  uint64_t nodes; /**< bits: index x + 4 y + 16 z in the block */
} tsr_mesh_block;

/** The name of a block: no other one has it. There are at most 2^18 blocks along an axis. */
TSR_FN uint64_t tsr_mesh_block_name(const tsr_mesh_block *block) {
  return (uint64_t)block->at[0] | (uint64_t)block->at[1] << 19 | (uint64_t)block->at[2] << 38 |
         (uint64_t)block->height << 57;
}

/** The block with this name. */
TSR_FN tsr_mesh_block tsr_mesh_block_named(uint64_t name) {
  tsr_mesh_block block = {(int)(name >> 57), {0, 0, 0}, 0};
  for (int a = 0; a < 3; ++a)
    block.at[a] = (int32_t)(name >> 19 * a & 0x7ffffu);
  return block;
}

/** The block that has the node with this key alone. */
TSR_FN tsr_mesh_block tsr_mesh_block_of(const tsr_mesh *mesh, uint64_t key) {
  tsr_mesh_block block = {0, {0, 0, 0}, 1};
  block.height = tsr_mesh_node_at(mesh, key, block.at);
  for (int a = 0; a < 3; ++a) {
    block.nodes <<= (block.at[a] & 3) << 2 * a;
    block.at[a] >>= 2;
  }
  return block;
}

/** Finds the indices of node k of a block. */
TSR_FN void tsr_mesh_block_node(const tsr_mesh_block *block, int k, int32_t at[3]) {
  for (int a = 0; a < 3; ++a)
    at[a] = block->at[a] << 2 | (k >> 2 * a & 3);
}

/** The place of a block's word, or -1. add: 1: one without a place gets one; -1 then: there is
 * none, and the table is flagged as full. */
TSR_FN int64_t tsr_mesh_place_of(const tsr_mesh_marks *marks, const tsr_mesh_block *block,
                                 int add) {
  const uint64_t mask = (uint64_t)marks->room - 1, name = tsr_mesh_block_name(block);
  uint64_t at = tsr_hash(0, (int64_t)name) & mask;
  for (int k = 0; k < TSR_MESH_PROBES; ++k, at = (at + 1) & mask) {
    uint64_t here = tsr_mesh_peek(&marks->word[at]);
    if (here == 0 && !add)
      return -1;
    if (here == 0)
      here = tsr_mesh_claim(&marks->word[at], name + 1);
    if (here == 0 || here == name + 1)
      return (int64_t)at;
  }
  if (add)
    tsr_set_flag(marks->full);
  return -1;
}

/** Adds nodes of a block to those asked for. */
TSR_FN void tsr_mesh_ask_nodes(const tsr_mesh_marks *marks, const tsr_mesh_block *block) {
  const int64_t at = tsr_mesh_place_of(marks, block, 1);
  if (at >= 0)
    tsr_mesh_set_bits(&marks->asked[at], block->nodes);
}

/** Returns a bit for each node of a block that is in a set. set: marks->asked or marks->wanted. */
TSR_FN uint64_t tsr_mesh_nodes_in(const tsr_mesh_marks *marks, const uint64_t *set,
                                  const tsr_mesh_block *block) {
  const int64_t at = tsr_mesh_place_of(marks, block, 0);
  return at >= 0 ? block->nodes & tsr_mesh_peek(&set[at]) : 0;
}

/** 1 if cells asked for the node with this key. */
TSR_FN int tsr_mesh_is_asked(const tsr_mesh *mesh, const tsr_mesh_marks *marks, uint64_t key) {
  const tsr_mesh_block block = tsr_mesh_block_of(mesh, key);
  return tsr_mesh_nodes_in(marks, marks->asked, &block) != 0;
}

/** 1 if the cells of the node with this key are listed next. */
TSR_FN int tsr_mesh_is_wanted(const tsr_mesh *mesh, const tsr_mesh_marks *marks, uint64_t key) {
  const tsr_mesh_block block = tsr_mesh_block_of(mesh, key);
  return tsr_mesh_nodes_in(marks, marks->wanted, &block) != 0;
}

/** Adds the node with this key to those whose cells are listed next, if cells asked for it. */
TSR_FN void tsr_mesh_want_node(const tsr_mesh *mesh, const tsr_mesh_marks *marks, uint64_t key) {
  const tsr_mesh_block block = tsr_mesh_block_of(mesh, key);
  const int64_t at = tsr_mesh_place_of(marks, &block, 0);
  if (at >= 0 && (marks->asked[at] & block.nodes))
    tsr_mesh_set_bits(&marks->wanted[at], block.nodes);
}

/* ---- Steps over the places of a table */

TSR_FN void tsr_mesh_clear_marks(const tsr_mesh_marks *marks, int64_t i) {
  marks->word[i] = marks->asked[i] = marks->wanted[i] = 0;
  if (i == 0)
    *marks->full = 0;
}

TSR_FN void tsr_mesh_clear_wanted(const tsr_mesh_marks *marks, int64_t i) { marks->wanted[i] = 0; }

TSR_FN int64_t tsr_mesh_count_bits(uint64_t v) {
  v = v - (v >> 1 & 0x5555555555555555u);
  v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
  v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int64_t)(v * 0x0101010101010101u >> 56);
}

/** Counts the nodes that are wanted. */
TSR_FN int64_t tsr_mesh_wanted_none(void) { return 0; }
TSR_FN void tsr_mesh_wanted_join(int64_t *all, const int64_t *part) { *all += *part; }
TSR_FN void tsr_mesh_wanted(const tsr_mesh_marks *marks, int64_t i, int64_t *n) {
  *n += tsr_mesh_count_bits(marks->wanted[i]);
}

/** The nodes asked for as a sorted list: first the blocks, then the nodes of the sorted blocks. */
typedef struct tsr_mesh_nodes_job {
  tsr_mesh mesh;
  tsr_mesh_marks marks;
  int64_t *before;  /**< places + 1: blocks before those of each; or blocks + 1: nodes */
  uint64_t *blocks; /**< keys as those of nodes */
  uint64_t *nodes;  /**< keys */
} tsr_mesh_nodes_job;

TSR_FN void tsr_mesh_count_blocks(const tsr_mesh_nodes_job *job, int64_t i) {
  job->before[i] = job->marks.word[i] != 0;
}

TSR_FN void tsr_mesh_put_blocks(const tsr_mesh_nodes_job *job, int64_t i) {
  if (job->marks.word[i] == 0)
    return;
  const tsr_mesh_block block = tsr_mesh_block_named(job->marks.word[i] - 1);
  job->blocks[job->before[i]] =
      tsr_mesh_number(&job->mesh, block.at) + tsr_mesh_sentinel(&job->mesh, block.height);
}

/** Block i of the sorted list, with all its nodes that cells asked for. */
TSR_FN tsr_mesh_block tsr_mesh_listed_block(const tsr_mesh_nodes_job *job, int64_t i) {
  tsr_mesh_block block = {0, {0, 0, 0}, UINT64_MAX};
  block.height = tsr_mesh_node_at(&job->mesh, job->blocks[i], block.at);
  block.nodes = tsr_mesh_nodes_in(&job->marks, job->marks.asked, &block);
  return block;
}

TSR_FN void tsr_mesh_count_nodes(const tsr_mesh_nodes_job *job, int64_t i) {
  job->before[i] = tsr_mesh_count_bits(tsr_mesh_listed_block(job, i).nodes);
}

TSR_FN void tsr_mesh_put_nodes(const tsr_mesh_nodes_job *job, int64_t i) {
  const tsr_mesh *mesh = &job->mesh;
  const tsr_mesh_block block = tsr_mesh_listed_block(job, i);
  const uint64_t sentinel = tsr_mesh_sentinel(mesh, block.height);
  const uint64_t in_block = (uint64_t)1 << 2 * mesh->dimension;
  const uint64_t first = sentinel + (job->blocks[i] - sentinel) * in_block;
  int64_t to = job->before[i];
  for (uint64_t k = 0; k < in_block; ++k) {
    int32_t at[3];
    tsr_mesh_at(mesh, k, at);
    if (block.nodes >> (at[0] + 4 * at[1] + 16 * at[2]) & 1u)
      job->nodes[to++] = first + k;
  }
}

#endif
