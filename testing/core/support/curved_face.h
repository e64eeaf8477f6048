/* SPDX-License-Identifier: BSD-3-Clause */
/** A curved face that is evaluated by textbook recursions in long double. It shares no line with
 * what is tested. */
#ifndef TESSERA_TEST_CURVED_FACE_H
#define TESSERA_TEST_CURVED_FACE_H

/** Most nodes along a side. */
#define CURVED_FACE_MOST 11

/** Places that curved_face_beside() evaluates side by side. */
#define CURVED_FACE_BESIDE 8

/** A face: its nodes, row by row, and a field. */
typedef struct curved_face {
  int sides, bezier, rational, d[2], n;
  double x[CURVED_FACE_MOST * CURVED_FACE_MOST][3];
  double w[CURVED_FACE_MOST * CURVED_FACE_MOST], f[CURVED_FACE_MOST * CURVED_FACE_MOST];
} curved_face;

/** Evaluates the face at (u, v). to: receives the place, the weight (1 where it has none) and the
 *  field. */
void curved_face_at(const curved_face *it, long double u, long double v, long double to[5]);

/** Normal of the face at (u, v), of any length: by differences in directions that stay on the face.
 */
void curved_face_normal(const curved_face *it, long double u, long double v, long double n[3]);

/** Angle between two normals in degrees. */
long double curved_face_angle(const long double a[3], const long double b[3]);

/** Raises most[0] to the distance and most[1] to the difference of the field between a flat
 * triangle and the face, at barycentric coordinates l. corner: as curved_face_at gives them; uv:
 * their parameters. */
void curved_face_off(const curved_face *it, long double corner[3][5], long double uv[3][2],
                     const long double l[3], double most[2]);

/** Evaluates the face at CURVED_FACE_BESIDE places (u, v) in double, several times as fast as
 *  curved_face_at() does. to: receives the places as differences from the first node, and the
 * field, each with an error of about 1e-12 of the face's extent, at most. */
void curved_face_beside(const curved_face *it, const double u[CURVED_FACE_BESIDE],
                        const double v[CURVED_FACE_BESIDE], double to[4][CURVED_FACE_BESIDE]);

#endif
