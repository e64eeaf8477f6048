/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "cell_mesh.h"
#include "curved_face_random.h"

/* Makes a face hard: its second derivatives as large as the noise allows and of one sign all over,
 * as no random numbers are; a side without length; weights a hundred times as large as others; or a
 * place far away. Half of all faces stay as they are. */
static void make_hard(curved_face *it, uint64_t *seed, double noise) {
  const int kind = (int)cell_mesh_between(seed, 0, 8);
  const double far = kind == 3 ? 1e5 : 0.0;
  for (int b = 0, k = 0; b <= it->d[1]; b++)
    for (int a = 0; a <= (it->sides == 3 ? it->d[0] - b : it->d[0]); a++, k++) {
      const double u = (double)a / it->d[0], v = (double)b / it->d[1];
      if (kind == 0) {
        it->x[k][2] = noise * (u * u + u * v + v * v);
        it->f[k] = noise * (u * u - v * v);
      }
      if (kind == 1 && b == 0)
        memcpy(it->x[k], it->x[0], sizeof it->x[k]);
      if (kind == 2)
        it->w[k] = cell_mesh_random((*seed)++) < 0.5 ? 0.1 : 10.0;
      it->x[k][0] += far;
    }
}

curved_face curved_face_random(uint64_t *seed, double noise) {
  curved_face it = {.sides = cell_mesh_random((*seed)++) < 0.5 ? 3 : 4};
  const double skew = cell_mesh_between(seed, -0.3, 0.3),
               rim = cell_mesh_random((*seed)++) < 0.3 ? 0 : 1;
  const int bent = (int)cell_mesh_between(seed, 0, 8); /* bits: which directions bend at all */
  it.bezier = cell_mesh_random((*seed)++) < 0.5;
  it.rational = it.bezier && cell_mesh_random((*seed)++) < 0.7;
  it.d[0] = it.d[1] =
      1 + (int)cell_mesh_between(seed, 0, cell_mesh_random((*seed)++) < 0.3 ? 10 : 4);
  if (it.sides == 4)
    it.d[1] = 1 + (int)cell_mesh_between(seed, 0, 5);
  for (int b = 0; b <= it.d[1]; b++)
    for (int a = 0; a <= (it.sides == 3 ? it.d[0] - b : it.d[0]); a++, it.n++) {
      const double u = (double)a / it.d[0], v = (double)b / it.d[1];
      const int at_rim = a == 0 || b == 0 || a + (it.sides == 3 ? b : 0) == it.d[0] ||
                         (it.sides == 4 && b == it.d[1]);
      const double bend = at_rim ? rim * noise : noise;
      it.x[it.n][0] = u + skew * v + (bent & 1 ? bend * cell_mesh_between(seed, -1, 1) : 0.0);
      it.x[it.n][1] = v + (bent & 2 ? bend * cell_mesh_between(seed, -1, 1) : 0.0);
      it.x[it.n][2] = bend * cell_mesh_between(seed, -1, 1);
      it.w[it.n] = cell_mesh_between(seed, 0.5, 2.0);
      it.f[it.n] = u - v + (bent & 4 ? bend * cell_mesh_between(seed, -1, 1) : 0.0);
    }
  make_hard(&it, seed, noise);
  return it;
}
