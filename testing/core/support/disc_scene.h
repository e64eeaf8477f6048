/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of discs, and a slow obvious way to draw them. */
#ifndef TESSERA_TEST_DISC_SCENE_H
#define TESSERA_TEST_DISC_SCENE_H

#include "tessera.h"

/** The arrays of a scene; freed by disc_scene_free. */
typedef struct disc_scene {
  int64_t n;
  float *points, *radii, *opacities;
  uint8_t *colors;
} disc_scene;

/** The scenes that are timed: their names as in the seeds, then a million discs. */
enum { DISC_SCENES = 7 };
extern const char *const disc_scene_names[DISC_SCENES];

/** Options of the scene of that number. */
void disc_scene_options(int scene, tsr_random_discs_options *options);

/** Makes the scene, or ends the program with a sentence. */
void disc_scene_make(const tsr_random_discs_options *options, disc_scene *scene);

void disc_scene_free(disc_scene *scene);

/** A view of the whole scene. */
void disc_scene_view(const disc_scene *scene, tsr_discs_view *view);

/** Options that show the unit square with so many pixels along each side. */
void disc_scene_square(int pixels, tsr_discs_options *options);

/**
 * Every sample, every disc, in order. Knows float points, radii and opacities (NULL: options),
 * UINT8 RGB colours (NULL: options), the XY plane, no scalars.
 * sequence: the points in the order in which they are drawn; NULL: as they come.
 */
void disc_reference(const disc_scene *scene, const tsr_discs_options *options,
                    const int64_t *sequence, uint8_t *rgba, int64_t *top);

#endif
