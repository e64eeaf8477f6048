/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: convex bodies, clipped by planes one after the other (Sutherland and
 *  Hodgman 1974, in a plane and in space), and pulled triangulations of them. */
#include "mesh/clip/body.h"

/** A vertex this close to a plane is on it: in parts of 1 plus the plane's coordinate, which is
 * some 50 roundings. Without it, cells whose faces lie on a plane would leave slivers. */
#define ON_PLANE 1e-14

/** A simplex of less than this part of the cube is dropped: what rounding leaves. */
#define NO_VOLUME 1e-16

int tsr_body_compare(const double a[3], const double b[3]) {
  for (int k = 0; k < 3; ++k)
    if (a[k] != b[k])
      return a[k] < b[k] ? -1 : 1;
  return 0;
}

void tsr_body_begin(tsr_body *body, int dimension) {
  body->dimension = dimension;
  body->n = body->facets = body->sources = 0;
}

void tsr_body_add(tsr_body *body, const double x[3]) {
  tsr_body_vertex *v = &body->v[body->n++];
  for (int a = 0; a < 3; ++a)
    v->x[a] = x[a] + 0.0; /* no -0 */
  v->on = 0;
  body->source[body->sources++] = *v;
}

void tsr_body_close(tsr_body *body, const int *locals, int n) {
  tsr_body_facet *facet = &body->facet[body->facets];
  facet->n = n;
  for (int k = 0; k < n; ++k) {
    const int next = locals[k + 1 < n ? k + 1 : 0];
    facet->at[k] = locals[k];
    if (body->dimension == 3) {
      body->v[locals[k]].on |= (uint32_t)1 << body->facets;
    } else { /* a side has two vertices */
      body->v[locals[k]].on |= (uint32_t)1 << k;
      body->v[next].on |= (uint32_t)1 << k;
    }
  }
  for (int k = 0; k < body->sources; ++k)
    body->source[k].on = body->v[k].on;
  ++body->facets;
}

/* ---- Where a new vertex is */

static int bits_of(uint32_t bits) {
  int n = 0;
  for (; bits; bits &= bits - 1)
    ++n;
  return n;
}

/* The coordinate that the planes in `on` fix along an axis. Returns 0 if there is none. */
static int fixed(const tsr_body *body, uint32_t on, int axis, double *c) {
  if (on & TSR_BODY_PLANE(axis, 0))
    *c = body->low[axis];
  else if (on & TSR_BODY_PLANE(axis, 1))
    *c = body->high[axis];
  else
    return 0;
  return 1;
}

/* The place between a and b where their coordinate along the axis is c. */
static void between(const double *a, const double *b, int axis, double c, double x[3]) {
  const double *low = tsr_body_compare(a, b) <= 0 ? a : b, *high = low == a ? b : a;
  const double length = high[axis] - low[axis];
  const double t = length != 0.0 ? tsr_mesh_between((c - low[axis]) / length, 0.0, 1.0) : 0.0;
  for (int k = 0; k < 3; ++k)
    x[k] = low[k] + t * (high[k] - low[k]);
  x[axis] = c;
}

/* The vertices of the source that lie on all of these facets. Returns their number. */
static int sources_on(const tsr_body *body, uint32_t facets, const double *x[TSR_BODY_LOOP]) {
  int n = 0;
  for (int k = 0; k < body->sources; ++k)
    if ((body->source[k].on & facets) == facets)
      x[n++] = body->source[k].x;
  return n;
}

/* Where a facet of the source meets the line along the axis through x. The plane of the facet is
 * that of its lowest three vertices. Returns 0 if it is not to be had. */
static int pierce(const tsr_body *body, uint32_t facet, int axis, double x[3]) {
  const double *p[TSR_BODY_LOOP];
  const int n = sources_on(body, facet, p), i = (axis + 1) % 3, j = (axis + 2) % 3;
  double u[3], v[3], normal[3];
  if (n < 3)
    return 0;
  for (int k = 0; k < 3; ++k)
    for (int m = k + 1; m < n; ++m)
      if (tsr_body_compare(p[m], p[k]) < 0) {
        const double *other = p[k];
        p[k] = p[m];
        p[m] = other;
      }
  for (int a = 0; a < 3; ++a) {
    u[a] = p[1][a] - p[0][a];
    v[a] = p[2][a] - p[0][a];
  }
  tsr_cross(u, v, normal);
  if (normal[axis] == 0.0)
    return 0;
  x[axis] =
      p[0][axis] - (normal[i] * (x[i] - p[0][i]) + normal[j] * (x[j] - p[0][j])) / normal[axis];
  return 1;
}

/* The vertex between u and v on the plane at c across an axis. */
static tsr_body_vertex crossing(const tsr_body *body, const tsr_body_vertex *u,
                                const tsr_body_vertex *v, int axis, double c, uint32_t plane) {
  tsr_body_vertex made;
  const uint32_t on = u->on & v->on, facets = on & TSR_BODY_SOURCE;
  const double *ends[TSR_BODY_LOOP];
  double at;
  int n = 0, loose = -1;
  made.on = on | plane;
  between(u->x, v->x, axis, c, made.x);
  for (int a = 0; a < body->dimension; ++a) {
    const int is = fixed(body, made.on, a, &at);
    n += is;
    loose = is ? loose : a;
  }
  if (n < body->dimension && bits_of(facets) >= body->dimension - 1) {
    if (sources_on(body, facets, ends) == 2) /* an edge of the mesh */
      between(ends[0], ends[1], axis, c, made.x);
  }
  for (int a = 0; a < body->dimension; ++a)
    if (fixed(body, made.on, a, &at))
      made.x[a] = at;
  if (body->dimension == 3 && n == 2 && bits_of(facets) == 1) {
    const double old = made.x[loose];
    if (!pierce(body, facets, loose, made.x))
      made.x[loose] = old;
  }
  /* A facet along the line, or a flat one, gives no place of its own. */
  for (int a = 0; a < body->dimension; ++a)
    if (!fixed(body, made.on, a, &at))
      made.x[a] = tsr_mesh_between(made.x[a], u->x[a] < v->x[a] ? u->x[a] : v->x[a],
                                   u->x[a] < v->x[a] ? v->x[a] : u->x[a]) +
                  0.0;
  return made;
}

/* ---- Cutting by a plane */

/* A plane, on which side of it the vertices are, and the edges that it cuts. */
typedef struct cut {
  int axis;
  double at;
  uint32_t plane;
  int side[TSR_BODY_VERTICES]; /* 1: kept, 0: on the plane, -1: cut off */
  int edges;
  int edge[TSR_BODY_VERTICES][3]; /* its ends, the lower number first, and the new vertex */
} cut;

/* The new vertex on the edge from u to v; -1: there is no room, which no convex body needs. */
static int vertex_on(tsr_body *body, cut *it, int u, int v) {
  const int low = u < v ? u : v, high = u < v ? v : u;
  for (int k = 0; k < it->edges; ++k)
    if (it->edge[k][0] == low && it->edge[k][1] == high)
      return it->edge[k][2];
  if (body->n == TSR_BODY_VERTICES)
    return -1;
  it->edge[it->edges][0] = low;
  it->edge[it->edges][1] = high;
  it->edge[it->edges++][2] = body->n;
  it->side[body->n] = 0;
  body->v[body->n] = crossing(body, &body->v[low], &body->v[high], it->axis, it->at, it->plane);
  return body->n++;
}

static void add_to(tsr_body_facet *facet, int vertex) {
  if (vertex >= 0 && facet->n < TSR_BODY_LOOP)
    facet->at[facet->n++] = vertex;
}

/* Returns 1 if the facet lies in the plane as a whole. */
static int cut_facet(tsr_body *body, cut *it, tsr_body_facet *facet) {
  tsr_body_facet kept = {0, {0}};
  int on = 0;
  for (int k = 0; k < facet->n; ++k) {
    const int u = facet->at[k], v = facet->at[k + 1 < facet->n ? k + 1 : 0];
    if (it->side[u] >= 0)
      add_to(&kept, u);
    if (it->side[u] * it->side[v] < 0)
      add_to(&kept, vertex_on(body, it, u, v));
  }
  for (int k = 0; k < kept.n; ++k)
    on += it->side[kept.at[k]] == 0;
  *facet = kept;
  return on == kept.n && on >= 3;
}

/* A number that grows with the angle of a direction, from 0 to 4. */
static double turn_of(double x, double y) {
  const double sum = fabs(x) + fabs(y), t = sum > 0.0 ? y / sum : 0.0;
  return x < 0.0 ? 2.0 - t : t < 0.0 ? 4.0 + t : t;
}

/* Adds the facet in the plane: a convex polygon of the vertices on it. */
static void add_cap(tsr_body *body, const cut *it) {
  const int i = (it->axis + 1) % 3, j = (it->axis + 2) % 3;
  double turn[TSR_BODY_LOOP], mean[3] = {0.0, 0.0, 0.0};
  tsr_body_facet cap = {0, {0}};
  for (int k = 0; k < body->n; ++k)
    if (it->side[k] == 0)
      add_to(&cap, k);
  if (cap.n < 3 || body->facets == TSR_BODY_FACETS)
    return;
  for (int k = 0; k < cap.n; ++k)
    for (int a = 0; a < 3; ++a)
      mean[a] += body->v[cap.at[k]].x[a] / (double)cap.n;
  for (int k = 0; k < cap.n; ++k) {
    const int vertex = cap.at[k];
    const double *x = body->v[vertex].x;
    const double t = turn_of(x[i] - mean[i], x[j] - mean[j]);
    int to = k;
    for (; to > 0 && turn[to - 1] > t; --to) {
      turn[to] = turn[to - 1];
      cap.at[to] = cap.at[to - 1];
    }
    turn[to] = t;
    cap.at[to] = vertex;
  }
  body->facet[body->facets++] = cap;
}

/* Marks the vertices that no facet has any more as cut off. */
static void forget(const tsr_body *body, cut *it) {
  int used[TSR_BODY_VERTICES] = {0};
  for (int f = 0; f < body->facets; ++f)
    for (int k = 0; k < body->facet[f].n; ++k)
      used[body->facet[f].at[k]] = 1;
  for (int k = 0; k < body->n; ++k)
    it->side[k] = used[k] ? it->side[k] : -1;
}

/* Keeps what is above (side 0) or below (side 1) the plane. Returns 0 if that has no inside. */
static int cut_by(tsr_body *body, int axis, int side) {
  cut it;
  int kept = 0, off = 0, has_cap = 0, facets = 0;
  it.axis = axis;
  it.at = side ? body->high[axis] : body->low[axis];
  it.plane = TSR_BODY_PLANE(axis, side);
  it.edges = 0;
  const double close = ON_PLANE * (1.0 + fabs(it.at));
  for (int k = 0; k < body->n; ++k) {
    const double d = side ? it.at - body->v[k].x[axis] : body->v[k].x[axis] - it.at;
    it.side[k] = d > close ? 1 : d < -close ? -1 : 0;
  }
  forget(body, &it);
  for (int f = 0; f < body->facets; ++f)
    for (int k = 0; k < body->facet[f].n; ++k) {
      kept = kept || it.side[body->facet[f].at[k]] > 0;
      off = off || it.side[body->facet[f].at[k]] < 0;
    }
  if (!kept)
    return 0;
  for (int k = 0; k < body->n; ++k)
    if (it.side[k] == 0)
      body->v[k].on |= it.plane;
  if (!off)
    return 1;
  for (int f = 0; f < body->facets; ++f) {
    has_cap = cut_facet(body, &it, &body->facet[f]) || has_cap;
    if (body->facet[f].n >= 3)
      body->facet[facets++] = body->facet[f];
  }
  body->facets = facets;
  if (body->dimension == 3 && !has_cap) {
    forget(body, &it);
    add_cap(body, &it);
  }
  return facets > 0;
}

int tsr_body_clip(tsr_body *body, const double low[3], double side) {
  for (int a = 0; a < 3; ++a) {
    body->low[a] = low[a];
    body->high[a] = low[a] + side;
  }
  for (int a = 0; a < body->dimension; ++a)
    if (!cut_by(body, a, 0) || !cut_by(body, a, 1))
      return 0;
  return 1;
}

/* ---- Simplices */

/* Hands a simplex over, turned so that its volume is positive. */
static void hand(const tsr_body *body, const double *a, const double *b, const double *c,
                 const double *d, tsr_body_taker take, void *data) {
  const double *all[4] = {a, b, c, d};
  const double side = body->high[0] - body->low[0];
  double u[3], v[3], w[3] = {0.0, 0.0, 1.0}, normal[3], volume;
  for (int k = 0; k < 3; ++k) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
    if (body->dimension == 3)
      w[k] = d[k] - a[k];
  }
  tsr_cross(u, v, normal);
  volume = tsr_mesh_dot(normal, w);
  if (!(fabs(volume) > NO_VOLUME * side * side * (body->dimension == 3 ? side : 1.0)))
    return;
  if (volume < 0.0) {
    all[1] = c;
    all[2] = b;
  }
  take(data, all);
}

/* The place in the loop of the facet's lowest vertex. */
static int lowest(const tsr_body *body, const tsr_body_facet *facet) {
  int best = 0;
  for (int k = 1; k < facet->n; ++k)
    if (tsr_body_compare(body->v[facet->at[k]].x, body->v[facet->at[best]].x) < 0)
      best = k;
  return best;
}

/* Cuts a facet into triangles from its lowest vertex, each of which makes a simplex with apex. */
static void cut_fan(const tsr_body *body, const tsr_body_facet *facet, const double *apex,
                    tsr_body_taker take, void *data) {
  const int first = lowest(body, facet);
  const double *root = body->v[facet->at[first]].x;
  for (int k = 1; k + 1 < facet->n; ++k) {
    const double *b = body->v[facet->at[(first + k) % facet->n]].x;
    const double *c = body->v[facet->at[(first + k + 1) % facet->n]].x;
    hand(body, root, b, c, apex, take, data);
  }
}

void tsr_body_cut(const tsr_body *body, tsr_body_taker take, void *data) {
  const double *apex = NULL;
  if (body->dimension == 2) {
    cut_fan(body, &body->facet[0], NULL, take, data);
    return;
  }
  for (int f = 0; f < body->facets; ++f) {
    const double *x = body->v[body->facet[f].at[lowest(body, &body->facet[f])]].x;
    if (!apex || tsr_body_compare(x, apex) < 0)
      apex = x;
  }
  for (int f = 0; f < body->facets; ++f) {
    int has = 0;
    for (int k = 0; k < body->facet[f].n; ++k)
      has = has || tsr_body_compare(body->v[body->facet[f].at[k]].x, apex) == 0;
    if (!has)
      cut_fan(body, &body->facet[f], apex, take, data);
  }
}
