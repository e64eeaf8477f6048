/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the table of the choices, and what they mean to the options. */
#include "common/support.h"
#include "grid/tessera_grid_choices.h"
#include "grid/tessera_grid_share.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_grid_choices, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

/* The switch and the threshold of a criterion. */
#define CRITERION(NAME, MEASURE, USE, THRESHOLD)                                                   \
  ONE(Use##NAME, thresholds[MEASURE].use, INT, 1, 0, 1, USE),                                      \
      ONE(NAME, thresholds[MEASURE].threshold, DOUBLE, 1, 0, INFINITY, THRESHOLD)

static const tsr_property properties[] = {
    ONE(UseRegion, use_region, INT, 1, 0, 1, 0),
    ONE(Region, region, DOUBLE, 6, -INFINITY, INFINITY, 1, -1, 1, -1, 1, -1),
    ONE(Component, component, INT, 1, -1, INFINITY, -1),
    ONE(ThresholdMode, relative, CHOICE, 1, 0, 1, 1),
    CRITERION(InterpolationError, TSR_MEASURE_INTERPOLATION_ERROR, 1, 0.01),
    CRITERION(ValueRange, TSR_MEASURE_VALUE_RANGE, 0, 0.1),
    CRITERION(Gradient, TSR_MEASURE_GRADIENT, 0, 0.1),
    CRITERION(SecondDerivative, TSR_MEASURE_SECOND_DERIVATIVE, 0, 0.8),
    CRITERION(StandardDeviation, TSR_MEASURE_STANDARD_DEVIATION, 0, 0.05),
    CRITERION(Vorticity, TSR_MEASURE_VORTICITY, 0, 0.25),
    CRITERION(QCriterion, TSR_MEASURE_Q, 0, 0.1),
    ONE(UseArrayInRange, thresholds[TSR_MEASURE_IN_RANGE].use, INT, 1, 0, 1, 0),
    ONE(ArrayInRange, in_range, DOUBLE, 2, -INFINITY, INFINITY, 0, 1),
    ONE(UseGeometricError, geometry.use, INT, 1, 0, 1, 0),
    ONE(GeometricError, geometry.threshold, DOUBLE, 1, 0, INFINITY, 0.001),
    ONE(OutputType, output, CHOICE, 1, 0, TSR_GRID_AMR, TSR_GRID_UNSTRUCTURED),
    ONE(HangingNodes, hanging_nodes, CHOICE, 1, 0, TSR_GRID_NO_HANGING, TSR_GRID_NO_HANGING),
    ONE(CellShape, hexahedra, CHOICE, 1, 0, 1, 0),
    ONE(CellArrays, move_cells, CHOICE, 1, 0, 1, 0),
    ONE(OutputPrecision, output_precision, CHOICE, 1, 0, 2, 2),
    ONE(MeasureErrors, errors, INT, 1, 0, 1, 1),
    ONE(GenerateLevel, level, INT, 1, 0, 1, 0),
    ONE(GenerateIndicator, indicator, INT, 1, 0, 1, 0),
    ONE(GenerateSourceCell, source_cell, INT, 1, 0, 1, 0),
    ONE(GenerateInside, inside, INT, 1, 0, 1, 0),
    ONE(OverTime, all_steps, CHOICE, 1, 0, 1, 0),
    ONE(FinestCell, finest_cell, DOUBLE, 1, 0, INFINITY, 0),
    ONE(Boundary, boundary, CHOICE, 1, 0, TSR_GRID_CLIPPED, TSR_GRID_TOUCHING),
    ONE(MergeBlocks, merge_blocks, INT, 1, 0, 1, 0)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_grid_choices_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_grid_choices_init(tsr_grid_choices *choices) {
  *choices = (tsr_grid_choices){0};
  tsr_properties_init(properties, PROPERTIES, choices);
}

tsr_status tsr_grid_choices_check(const tsr_grid_choices *choices, const tsr_grid_options *options,
                                  int composite, tsr_error *error) {
  if (tsr_need(choices && options, "the struct of the choices or of the options", error))
    return TSR_BAD_INPUT;
  if (options->cell_budget < 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Cell Budget must be 0 (off) or more, not %lld.",
                    (long long)options->cell_budget);
  if (choices->all_steps == 1 && options->cell_budget > 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Cell Budget scales the thresholds of one time step, and does not go together "
                    "with Over Time set to All Steps: take one of the two.");
  if (choices->component < -1)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Component must be -1 (the magnitude) or more, not %d.", choices->component);
  if (choices->output == TSR_GRID_AMR && composite && !choices->merge_blocks)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Overlapping AMR comes from one image, not from a composite dataset.");
  if (choices->boundary == TSR_GRID_CLIPPED && choices->output != TSR_GRID_UNSTRUCTURED)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Boundary Clipped At Surface cuts cells, which trees and AMR do not have: take "
                    "Unstructured Grid as the Output Type, or another Boundary.");
  if (choices->boundary == TSR_GRID_CLIPPED && choices->move_cells)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Boundary Clipped At Surface leaves cell arrays on cells: set Cell Arrays to "
                    "Keep On Cells, and put Cell Data to Point Data before this filter.");
  const int bounded = choices->use_region && tsr_grid_region_is_set(choices->region);
  for (int axis = 0; axis < 3 && bounded; ++axis) {
    const double low = choices->region[2 * axis], high = choices->region[2 * axis + 1];
    if (!(low <= high))
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "Region must reach from a lower to a higher %c, not from %g to %g.",
                      "xyz"[axis], low, high);
  }
  return TSR_OK;
}

void tsr_grid_choices_apply(const tsr_grid_choices *choices, tsr_grid_options *options) {
  static const tsr_grid_output_kind kinds[] = {TSR_GRID_CELLS, TSR_GRID_TREES, TSR_GRID_PATCHES};
  options->output = kinds[choices->output];
  /* Trees and blocks have no points. */
  options->move_cells = choices->output == TSR_GRID_UNSTRUCTURED && choices->move_cells;
  if (choices->output == TSR_GRID_UNSTRUCTURED) {
    options->constrain = choices->hanging_nodes == TSR_GRID_CONSTRAINED;
    options->output = choices->hanging_nodes == TSR_GRID_SIDES        ? TSR_GRID_POLYGONS
                      : choices->hanging_nodes == TSR_GRID_NO_HANGING ? TSR_GRID_CONFORMING
                                                                      : TSR_GRID_CELLS;
  }
}

int tsr_grid_choices_wishes(const tsr_grid_choices *choices, tsr_grid_wish *wishes) {
  static const struct {
    const char *name;
    tsr_grid_measure measure;
  } all[TSR_GRID_MEASURES] = {{"Interpolation Error", TSR_MEASURE_INTERPOLATION_ERROR},
                              {"Value Range", TSR_MEASURE_VALUE_RANGE},
                              {"Gradient", TSR_MEASURE_GRADIENT},
                              {"Second Derivative", TSR_MEASURE_SECOND_DERIVATIVE},
                              {"Standard Deviation", TSR_MEASURE_STANDARD_DEVIATION},
                              {"Vorticity", TSR_MEASURE_VORTICITY},
                              {"Q-Criterion", TSR_MEASURE_Q},
                              {"Array In Range", TSR_MEASURE_IN_RANGE}};
  int n = 0;
  for (int k = 0; k < TSR_GRID_MEASURES; ++k) {
    const tsr_grid_threshold *one = &choices->thresholds[all[k].measure];
    const int range = all[k].measure == TSR_MEASURE_IN_RANGE;
    if (one->use)
      wishes[n++] = (tsr_grid_wish){all[k].name,
                                    all[k].measure,
                                    0,
                                    one->threshold,
                                    range ? choices->in_range[0] : 0.0,
                                    range ? choices->in_range[1] : 0.0};
  }
  if (choices->geometry.use)
    wishes[n++] = (tsr_grid_wish){"Geometric Error",
                                  TSR_MEASURE_INTERPOLATION_ERROR,
                                  1,
                                  choices->geometry.threshold,
                                  0.0,
                                  0.0};
  return n;
}

int tsr_grid_choices_tolerances(const tsr_grid_choices *choices, tsr_tolerance *list) {
  tsr_grid_wish wishes[TSR_GRID_WISHES];
  const int count = tsr_grid_choices_wishes(choices, wishes);
  int n = 0;
  for (int k = 0; k < count; ++k) {
    const tsr_grid_measure measure = wishes[k].measure;
    const char *of = !choices->relative || measure == TSR_MEASURE_SECOND_DERIVATIVE ? NULL
                     : wishes[k].geometry                                           ? "the diagonal"
                     : tsr_grid_measure_is_flow(measure) ? "the largest value"
                                                         : "the range";
    if (measure != TSR_MEASURE_IN_RANGE)
      list[n++] = (tsr_tolerance){wishes[k].name, wishes[k].threshold, of};
  }
  return n;
}

double tsr_grid_growth_scale(int k) { return k == 0 ? 5.0 : k == 1 ? 20.0 : k == 2 ? 100.0 : 0.0; }

void tsr_grid_growth_sentence(const tsr_grid_growth *g, const tsr_tolerance *list, int n,
                              char *text, size_t size) {
  const int is_larger = g->cells > g->fine;
  const int free_helps = is_larger && g->leaves < g->fine;
  char thresholds[240] = "";
  text[0] = '\0';
  if (!is_larger && g->scale == 0.0)
    return;
  for (int k = 0; k < n && g->scale > 0.0; ++k) {
    const size_t length = strlen(thresholds);
    snprintf(thresholds + length, sizeof thresholds - length, "%s%s %g",
             k == 0      ? ""
             : k + 1 < n ? ", "
                         : " and ",
             list[k].name, list[k].value * g->scale);
  }
  snprintf(text, size, "The output has %lld cells, %s %s", (long long)g->cells,
           is_larger ? "more than" : "as many as",
           g->refined ? "the fixed fine grid" : "the input");
  if (is_larger)
    snprintf(text + strlen(text), size - strlen(text), " with %lld", (long long)g->fine);
  if (g->scale > 0.0)
    snprintf(text + strlen(text), size - strlen(text), ". There would be %lld with %s",
             (long long)g->fewer, thresholds);
  if (free_helps)
    snprintf(text + strlen(text), size - strlen(text),
             "%s at most %lld with Hanging Nodes set to Free",
             g->scale > 0.0 ? ", and" : ". There would be", (long long)g->leaves);
  if (g->scale == 0.0 && !free_helps)
    snprintf(text + strlen(text), size - strlen(text), ": raise the thresholds, or Coarsen Levels");
  snprintf(text + strlen(text), size - strlen(text), ".");
}

int tsr_grid_measure_is_flow(tsr_grid_measure measure) {
  return measure == TSR_MEASURE_VORTICITY || measure == TSR_MEASURE_Q;
}

void tsr_grid_balance_text(const tsr_grid_options *options, int dimension, char *text,
                           size_t size) {
  static const char *const names[] = {"None", "Across Faces", "Across Edges", "Across Corners"};
  const tsr_balance asked = options->balance;
  const tsr_balance least = options->output == TSR_GRID_PATCHES      ? TSR_BALANCE_CORNER
                            : options->output != TSR_GRID_CONFORMING ? TSR_BALANCE_NONE
                            : dimension > 2                          ? TSR_BALANCE_EDGE
                                                                     : TSR_BALANCE_FACE;
  if (asked >= least)
    snprintf(text, size, "%s", names[asked]);
  else
    snprintf(text, size, "%s (%s was asked for; %s need this)", names[least], names[asked],
             options->output == TSR_GRID_PATCHES ? "blocks" : "conforming cells");
}

const char *tsr_grid_bound_text(const tsr_grid_options *options, int in_use) {
  if (options->mode != TSR_GRID_ADAPTIVE || !in_use)
    return "none, since Interpolation Error is not in use";
  if (options->output == TSR_GRID_TREES || options->output == TSR_GRID_PATCHES)
    return "the values of the input in a cell differ by at most the threshold; cells as large as "
           "an input cell have no bound";
  if (options->output == TSR_GRID_POLYGONS)
    return "the interpolation is within the threshold in polygons of four corners; others have no "
           "bound, since VTK interpolates them in its own way";
  return options->constrain && options->output == TSR_GRID_CELLS
             ? "the interpolation is within the threshold at every input point but hanging ones, "
               "which take the value of the larger cell"
             : "the interpolation is within the threshold at every input point";
}

int64_t tsr_grid_budget_share(int64_t budget, int64_t cells, int64_t all_cells) {
  int64_t share;
  if (budget == 0 || all_cells == 0)
    return budget;
  share = (int64_t)((double)budget * ((double)cells / (double)all_cells));
  return share > 1 ? share : 1;
}
