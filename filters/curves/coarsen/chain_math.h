/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening: the chain of vertices of a curve, from which the walk chooses those that stay.
 *
 *         k+1 ___ ...          A segment from i to j may stand for all vertices k between if these
 *    i  .-'  \   /  `-. j      can be given places on the segment, in order, each within its reach:
 *      *------x-x------*       r_k = tolerance - (error of the pieces that meet at k). Then no
 * point k                of the curve is farther than the tolerance, and no fold is skipped: the
 * bound holds for the Frechet distance, not only for the Hausdorff distance.
 *
 * The vertices are stored in planes, arrays with one number for each vertex:
 *   x, y, z; the chord error of the piece from the vertex to the next one; the field error of that
 *   piece divided by the allowed one; the values divided by the allowed field error; and, if the
 *   turning angle is in use, the direction of the curve.
 * tsr_chain_finish turns the two errors of pieces into the reach of the vertex. A device does this
 * for many vertices in parallel.
 */
#ifndef TSR_CURVES_COARSEN_CHAIN_MATH_H
#define TSR_CURVES_COARSEN_CHAIN_MATH_H

#include "common/common_math.h"

/** Planes of a chain. */
#define TSR_PLANE_REACH 3
#define TSR_PLANE_SHARE 4
#define TSR_PLANE_VALUES 5

/** A share above 1: both ends of the piece have to stay. */
#define TSR_SHARE_FIXED 2.0

typedef struct tsr_chain {
  double *v;    /**< the first plane */
  int64_t room; /**< distance between two planes, in doubles */
  int64_t last;
  int n_values;
  int tangents; /**< the first plane of the directions; 0: the turning angle is not in use */
  double tolerance;
  double length;       /**< most length of a segment; 0: any */
  double turning_cos;  /**< cosine of half the turning angle */
  const uint8_t *lone; /**< on the CPU: what tsr_chain_find_lone() found; NULL: not known */
} tsr_chain;

/** 1 if a segment from vertex i is known to end at vertex i + 1. Never on a device, where this
 *  would be found by the one thread that walks along the chain. */
#ifdef __CUDACC__
#define TSR_IS_LONE(chain, i) 0
#else
#define TSR_IS_LONE(chain, i) ((chain)->lone && (chain)->lone[i])
#endif

/** Returns the number of planes. */
TSR_FN int tsr_chain_planes(int n_values, int turning) {
  return TSR_PLANE_VALUES + n_values + (turning ? 3 : 0);
}

TSR_FN double *tsr_chain_plane(const tsr_chain *chain, int plane) {
  return chain->v + plane * chain->room;
}

/** The vector from vertex i to vertex j; returns its squared length. */
TSR_FN double tsr_chain_leg(const tsr_chain *chain, int64_t i, int64_t j, double leg[3]) {
  const double *v = chain->v;
  for (int c = 0; c < 3; ++c, v += chain->room)
    leg[c] = v[j] - v[i];
  return (leg[0] * leg[0] + leg[1] * leg[1]) + leg[2] * leg[2];
}

/** The direction at vertex k: half way between the legs that meet there, 0 0 0 where the curve ends
 *  or has a corner. Returns 1 if it has a corner. */
TSR_FN int tsr_chain_direction(const tsr_chain *chain, int64_t k) {
  const double cos_whole = 2.0 * chain->turning_cos * chain->turning_cos - 1.0;
  double before[3], after[3], to[3] = {0.0, 0.0, 0.0}, size, size_before, size_after;
  double *plane = tsr_chain_plane(chain, chain->tangents) + k;
  int corner = 0;
  if (k > 0 && k < chain->last) {
    size_before = sqrt(tsr_chain_leg(chain, k - 1, k, before));
    size_after = sqrt(tsr_chain_leg(chain, k, k + 1, after));
    size = (before[0] * after[0] + before[1] * after[1]) + before[2] * after[2];
    corner =
        !(size_before > 0.0) || !(size_after > 0.0) || size < cos_whole * size_before * size_after;
    for (int c = 0; !corner && c < 3; ++c)
      to[c] = before[c] / size_before + after[c] / size_after;
    size = sqrt((to[0] * to[0] + to[1] * to[1]) + to[2] * to[2]);
    for (int c = 0; c < 3; ++c)
      to[c] = size > 0.0 ? to[c] / size : 0.0;
  }
  for (int c = 0; c < 3; ++c)
    plane[c * chain->room] = to[c];
  return corner;
}

/** Replaces values of a vertex that are not numbers by 0. Returns a hash of which ones they were,
 * to find where that changes along the curve. */
TSR_FN int tsr_chain_none(const tsr_chain *chain, int64_t k) {
  double *v = tsr_chain_plane(chain, TSR_PLANE_VALUES) + k;
  int none = 0;
  for (int f = 0; f < chain->n_values; ++f, v += chain->room) {
    const int number = fabs(*v) <= 1e300;
    none = 31 * (none & 0xffffff) + !number;
    if (!number)
      *v = 0.0;
  }
  return none;
}

/** 1 if a vertex stays whatever its errors are: it is a corner, or next to an end of the chain
 * where the curve goes on. bound: ends where the curve goes on: bit 1 the first, bit 2 the last. */
TSR_FN int tsr_chain_stays(const tsr_chain *chain, int bound, int64_t k) {
  if (chain->tangents == 0)
    return 0;
  return tsr_chain_direction(chain, k) | ((bound & 1) && k == 1) |
         ((bound & 2) && k + 1 == chain->last);
}

/** The errors of the piece after a vertex, and which values of the vertex are not numbers. */
typedef struct tsr_meeting {
  double error, share;
  int none; /**< tsr_chain_none */
} tsr_meeting;

/** Takes vertex k as the sampling has left it; nobody may ask for it a second time. */
TSR_FN tsr_meeting tsr_chain_meeting(const tsr_chain *chain, int64_t k) {
  tsr_meeting at = {0.0, 0.0, 0};
  if (k < chain->last) {
    at.error = tsr_chain_plane(chain, TSR_PLANE_REACH)[k];
    at.share = tsr_chain_plane(chain, TSR_PLANE_SHARE)[k];
  }
  at.none = chain->n_values > 0 ? tsr_chain_none(chain, k) : 0;
  return at;
}

/** 1 if values begin or cease to be numbers at vertex k, so that both ends of the piece before it
 *  stay. before: the meeting of k - 1. */
TSR_FN int tsr_chain_breaks(int64_t k, const tsr_meeting *before, const tsr_meeting *at) {
  return k > 0 && at->none != before->none;
}

/** Gives vertex k its reach, below 0 where it has to stay, and its share. Returns the larger error
 *  of the pieces that meet there. */
TSR_FN double tsr_chain_settle(const tsr_chain *chain, int bound, int64_t k,
                               const tsr_meeting *before, const tsr_meeting *at) {
  const double worse = at->error > before->error ? at->error : before->error;
  const double share = at->share > before->share ? at->share : before->share;
  const int stays =
      tsr_chain_stays(chain, bound, k) | (share > 1.0) | tsr_chain_breaks(k, before, at);
  tsr_chain_plane(chain, TSR_PLANE_REACH)[k] = stays ? -1.0 : chain->tolerance - worse;
  tsr_chain_plane(chain, TSR_PLANE_SHARE)[k] = 1.0 - share;
  return worse;
}

/** Turns the errors of pieces into the reach of vertices; below 0: the vertex has to stay. Returns
 *  the largest error of a piece. */
TSR_FN double tsr_chain_finish(const tsr_chain *chain, int bound) {
  tsr_meeting before = {0.0, 0.0, 0};
  double most = 0.0;
  for (int64_t k = 0; k <= chain->last; ++k) {
    const tsr_meeting at = tsr_chain_meeting(chain, k);
    const double worse = tsr_chain_settle(chain, bound, k, &before, &at);
    if (tsr_chain_breaks(k, &before, &at))
      tsr_chain_plane(chain, TSR_PLANE_REACH)[k - 1] = -1.0;
    most = worse > most ? worse : most;
    before = at;
  }
  return most;
}

/** 1 if the direction at a vertex turns from the chord by more than half the turning angle. */
TSR_FN int tsr_chain_turns(const tsr_chain *chain, int64_t k, const double chord[3],
                           double length) {
  const double *t = tsr_chain_plane(chain, chain->tangents) + k;
  const double x = t[0], y = t[chain->room], z = t[2 * chain->room];
  const double dot = (x * chord[0] + y * chord[1]) + z * chord[2];
  return (x != 0.0 || y != 0.0 || z != 0.0) && dot < chain->turning_cos * length;
}

#endif
