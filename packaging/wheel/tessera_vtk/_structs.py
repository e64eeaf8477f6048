# SPDX-License-Identifier: BSD-3-Clause
"""The C structs of the public header as ctypes, member by member.

Only what these bindings use. A test compares sizes and offsets with those of a C compiler, and
``_library`` compares the sizes with the library's own as it is loaded.
"""
import ctypes as c

MAX_LEVEL = 30  # TSR_GRID_MAX_LEVEL
CURVES_NOTES = 12  # TSR_NOTES
GRID_NOTES = 3  # TSR_GRID_NOTES
PASS_LISTS = 3  # TSR_PASS_LISTS
PROPERTY_NUMBERS = 6  # TSR_PROPERTY_NUMBERS

TASK = c.CFUNCTYPE(None, c.c_void_p, c.c_int64, c.c_int64)
RUN = c.CFUNCTYPE(None, c.c_void_p, c.c_int64, c.c_int64, TASK, c.c_void_p)
PROGRESS = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_double)
CLOCK = c.CFUNCTYPE(c.c_double)
GENERATION = c.CFUNCTYPE(c.c_uint64, c.c_void_p, c.c_void_p)


class Error(c.Structure):
    """tsr_error"""
    _fields_ = [("status", c.c_int), ("item", c.c_int64), ("text", c.c_char * 500)]


class Array(c.Structure):
    """tsr_array"""
    _fields_ = [("data", c.c_void_p), ("type", c.c_int), ("components", c.c_int),
                ("tuples", c.c_int64)]


class Execution(c.Structure):
    """tsr_execution"""
    _fields_ = [("struct_size", c.c_size_t), ("backend", c.c_int), ("run", RUN),
                ("run_context", c.c_void_p), ("threads", c.c_int), ("progress", PROGRESS),
                ("progress_context", c.c_void_p), ("clock", CLOCK), ("device", c.c_int),
                ("owner", c.c_void_p), ("generation", GENERATION),
                ("generation_context", c.c_void_p)]


class Report(c.Structure):
    """tsr_report"""
    _fields_ = [("backend", c.c_int), ("threads", c.c_int), ("items", c.c_int64),
                ("spans", c.c_int64), ("points", c.c_int64), ("cells", c.c_int64),
                ("tolerance_scale", c.c_double), ("chord_tolerance", c.c_double),
                ("plan_seconds", c.c_double), ("fill_seconds", c.c_double), ("least_points", c.c_int64),
                ("device_name", c.c_char * 128), ("device", c.c_int), ("strategy", c.c_int),
                ("child_stream", c.c_int), ("output_memory", c.c_int),
                ("child_launches", c.c_int64), ("refused_launches", c.c_int64),
                ("child_items", c.c_int64), ("inline_items", c.c_int64),
                ("deepest_nesting", c.c_int), ("pool_in_force", c.c_int64), ("pieces", c.c_int64),
                ("device_peak_bytes", c.c_int64), ("upload_seconds", c.c_double),
                ("download_seconds", c.c_double), ("device_seconds", c.c_double),
                ("device_plan_seconds", c.c_double), ("device_fill_seconds", c.c_double),
                ("fallback", c.c_char * 500), ("by_cpu", c.c_char * 200)]


class Property(c.Structure):
    """tsr_property"""
    _fields_ = [("name", c.c_char_p), ("offset", c.c_size_t), ("type", c.c_int),
                ("numbers", c.c_int), ("unit", c.c_double), ("least", c.c_double),
                ("most", c.c_double), ("value", c.c_double * PROPERTY_NUMBERS)]


class NoteCount(c.Structure):
    """tsr_note_count"""
    _fields_ = [("count", c.c_int64), ("first", c.c_int64)]


# ------------------------------------------------------------------------------------- curves


class CurvesView(c.Structure):
    """tsr_curves_view"""
    _fields_ = [("struct_size", c.c_size_t), ("points", Array), ("weights", Array),
                ("n_items", c.c_int64), ("offsets", c.c_void_p), ("connectivity", c.c_void_p),
                ("n_connectivity", c.c_int64), ("index_type", c.c_int), ("kinds", c.c_void_p),
                ("kind", c.c_int), ("single_points", c.c_int)]


class CurvesLaunch(c.Structure):
    """tsr_curves_launch"""
    _fields_ = [("strategy", c.c_int), ("child_stream", c.c_int), ("output_memory", c.c_int),
                ("pending_launches", c.c_int64), ("heap_bytes", c.c_int64),
                ("launch_threshold", c.c_int64), ("block_size", c.c_int), ("cluster_size", c.c_int),
                ("carveout", c.c_int), ("nesting_depth", c.c_int), ("device_bytes", c.c_int64),
                ("keep_bytes", c.c_int64)]


class CurvesOptions(c.Structure):
    """tsr_curves_options"""
    _fields_ = [("struct_size", c.c_size_t), ("knots", c.c_int), ("tension", c.c_double),
                ("sampling", c.c_int), ("n_segments", c.c_int), ("max_level", c.c_int),
                ("use_curvature", c.c_int), ("curvature_factor", c.c_double), ("min_points", c.c_int), ("max_points", c.c_int),
                ("use_chord_error", c.c_int), ("chord_error", c.c_double),
                ("chord_relative", c.c_int), ("reference_length", c.c_double),
                ("largest_place", c.c_double), ("use_turning_angle", c.c_int),
                ("turning_angle", c.c_double), ("use_max_length", c.c_int),
                ("max_length", c.c_double), ("use_field_error", c.c_int),
                ("field_error", c.c_double), ("field_relative", c.c_int), ("fields", c.c_void_p),
                ("field_ranges", c.c_void_p), ("n_fields", c.c_int), ("interpolation", c.c_int),
                ("field_modes", c.c_void_p),
                ("joints", c.c_int), ("labels", c.c_void_p), ("n_labels", c.c_int),
                ("vertices", c.c_int), ("limit_points", c.c_int64), ("defer_count", c.c_int), ("launch", CurvesLaunch)]


class CurvesSizes(c.Structure):
    """tsr_curves_sizes"""
    _fields_ = [("points", c.c_int64), ("cells", c.c_int64), ("connectivity", c.c_int64),
                ("notes", NoteCount * CURVES_NOTES)]


class Attribute(c.Structure):
    """tsr_attribute"""
    _fields_ = [("in_", Array), ("out", c.c_void_p), ("mode", c.c_int)]


class CurvesOutput(c.Structure):
    """tsr_curves_output"""
    _fields_ = [("struct_size", c.c_size_t), ("points_type", c.c_int), ("points", c.c_void_p),
                ("index_type", c.c_int), ("offsets", c.c_void_p), ("connectivity", c.c_void_p),
                ("source_item", c.c_void_p), ("nearest_point", c.c_void_p),
                ("parameter", c.c_void_p), ("arc_length", c.c_void_p), ("curvature", c.c_void_p),
                ("tangents", c.c_void_p), ("achieved_error", c.c_void_p),
                ("attributes", c.c_void_p), ("n_attributes", c.c_int), ("classes", c.c_void_p)]


class JoinView(c.Structure):
    """tsr_join_view"""
    _fields_ = [("n_cells", c.c_int64), ("offsets", c.c_void_p), ("connectivity", c.c_void_p),
                ("n_connectivity", c.c_int64), ("index_type", c.c_int), ("n_points", c.c_int64),
                ("roles", c.c_void_p), ("labels", c.c_void_p), ("n_labels", c.c_int),
                ("first_cell", c.c_int64), ("n_apart", c.c_void_p)]


class Join(c.Structure):
    """tsr_join"""
    _fields_ = [("n_items", c.c_int64), ("n_joined", c.c_int64),
                ("offsets", c.POINTER(c.c_int64)), ("connectivity", c.POINTER(c.c_int64)),
                ("cells", c.POINTER(c.c_int64)), ("chains", c.POINTER(c.c_uint8))]


class PassList(c.Structure):
    """tsr_pass_list"""
    _fields_ = [("n_cells", c.c_int64), ("offsets", c.c_void_p), ("connectivity", c.c_void_p),
                ("n_connectivity", c.c_int64), ("index_type", c.c_int), ("chosen", c.c_void_p),
                ("first_cell", c.c_int64)]


class PassView(c.Structure):
    """tsr_pass_view"""
    _fields_ = [("lists", PassList * PASS_LISTS), ("n_points", c.c_int64), ("points", Array)]


class PassSizes(c.Structure):
    """tsr_pass_sizes"""
    _fields_ = [("cells", c.c_int64 * PASS_LISTS), ("connectivity", c.c_int64 * PASS_LISTS),
                ("points", c.c_int64), ("bad", NoteCount), ("too_large", NoteCount)]


# ------------------------------------------------------------------------------------- grids


class GridView(c.Structure):
    """tsr_grid_view"""
    _fields_ = [("struct_size", c.c_size_t), ("whole", c.c_int64 * 6), ("extent", c.c_int64 * 6),
                ("owned", c.c_int64 * 6), ("geometry", c.c_int), ("origin", c.c_double * 3),
                ("spacing", c.c_double * 3), ("direction", c.c_double * 9),
                ("coordinates", Array * 3), ("points", Array), ("hidden_cells", c.c_void_p),
                ("hidden_points", c.c_void_p)]


class GridCriterion(c.Structure):
    """tsr_grid_criterion"""
    _fields_ = [("measure", c.c_int), ("array", Array), ("cell_data", c.c_int),
                ("component", c.c_int), ("threshold", c.c_double), ("lower", c.c_double),
                ("upper", c.c_double), ("relative", c.c_int), ("range", c.c_double * 2),
                ("max_level", c.c_int)]


class GridMarks(c.Structure):
    """tsr_grid_marks"""
    _fields_ = [("nodes", c.c_void_p), ("n", c.c_int64)]


class GridOptions(c.Structure):
    """tsr_grid_options"""
    _fields_ = [("struct_size", c.c_size_t), ("coarsen_levels", c.c_int),
                ("refine_levels", c.c_int), ("mode", c.c_int), ("criteria", c.c_void_p),
                ("n_criteria", c.c_int), ("buffer_cells", c.c_int), ("balance", c.c_int),
                ("cell_budget", c.c_int64), ("use_region", c.c_int), ("region", c.c_double * 6),
                ("inside_level", c.c_int), ("outside_level", c.c_int), ("output", c.c_int),
                ("block_size", c.c_int), ("constrain", c.c_int), ("gather", c.c_void_p),
                ("gather_context", c.c_void_p), ("n_ranks", c.c_int), ("rank", c.c_int),
                ("limit_cells", c.c_int64), ("strategy", c.c_int), ("marks", GridMarks),
                ("keep_marks", c.c_int), ("keep_bytes", c.c_int64), ("device_bytes", c.c_int64),
                ("criterion_names", c.c_void_p)]


class GridSizes(c.Structure):
    """tsr_grid_sizes"""
    _fields_ = [("dimension", c.c_int), ("levels", c.c_int), ("cells", c.c_int64),
                ("leaves", c.c_int64), ("cut_leaves", c.c_int64), ("points", c.c_int64),
                ("connectivity", c.c_int64), ("trees", c.c_int64), ("tree_level", c.c_int),
                ("patches", c.c_int64), ("leaves_of_level", c.c_int64 * (MAX_LEVEL + 1)),
                ("all_leaves", c.c_int64), ("fine_cells", c.c_int64),
                ("threshold_scale", c.c_double), ("notes", NoteCount * GRID_NOTES)]


class GridAttribute(c.Structure):
    """tsr_grid_attribute"""
    _fields_ = [("in_", Array), ("cell_data", c.c_int), ("out", c.c_void_p), ("error", c.c_void_p)]


class GridOutput(c.Structure):
    """tsr_grid_output"""
    _fields_ = [("struct_size", c.c_size_t), ("points_type", c.c_int), ("points", c.c_void_p),
                ("index_type", c.c_int), ("offsets", c.c_void_p), ("connectivity", c.c_void_p),
                ("hexahedra", c.c_int), ("level", c.c_void_p), ("indicator", c.c_void_p),
                ("source_cell", c.c_void_p), ("state", c.c_void_p), ("hanging", c.c_void_p),
                ("tree_first", c.c_void_p), ("tree_root", c.c_void_p), ("patches", c.c_void_p),
                ("attributes", c.c_void_p), ("n_attributes", c.c_int), ("cell_type", c.c_void_p),
                ("leaf", c.c_void_p), ("cell_type_of", c.c_uint8 * 4)]


class GridBox(c.Structure):
    """tsr_grid_box"""
    _fields_ = [("at", c.c_int64 * 6)]


class GridPart(c.Structure):
    """tsr_grid_part"""
    _fields_ = [("view", c.POINTER(GridView)), ("kind", c.c_int), ("announced", GridBox),
                ("coarsen_levels", c.c_int), ("margin", c.c_int), ("sharers", c.c_void_p),
                ("n_sharers", c.c_int)]


class GridShares(c.Structure):
    """tsr_grid_shares"""
    _fields_ = [("whole", GridBox), ("held", c.POINTER(GridBox)), ("own", c.POINTER(GridBox)),
                ("need", c.POINTER(GridBox)), ("in_place", c.c_int), ("teller", c.c_int),
                ("kind", c.c_int), ("geometry", c.c_int), ("origin", c.c_double * 3),
                ("spacing", c.c_double * 3), ("direction", c.c_double * 9),
                ("axes", c.POINTER(c.c_double) * 3)]


class Processes(c.Structure):
    """tsr_processes"""
    _fields_ = [("n", c.c_int), ("rank", c.c_int), ("gather", c.c_void_p),
                ("exchange", c.c_void_p), ("context", c.c_void_p)]


class Memory(c.Structure):
    """tsr_system_memory"""
    _fields_ = [("total", c.c_double), ("available", c.c_double)]


# Each class, the C struct, and members that have another name there.
LAYOUTS = {
    "tsr_error": Error, "tsr_array": Array, "tsr_execution": Execution, "tsr_report": Report,
    "tsr_property": Property, "tsr_note_count": NoteCount, "tsr_curves_view": CurvesView,
    "tsr_curves_launch": CurvesLaunch, "tsr_curves_options": CurvesOptions,
    "tsr_curves_sizes": CurvesSizes, "tsr_attribute": Attribute,
    "tsr_curves_output": CurvesOutput, "tsr_join_view": JoinView, "tsr_join": Join,
    "tsr_pass_list": PassList, "tsr_pass_view": PassView,
    "tsr_pass_sizes": PassSizes, "tsr_grid_view": GridView, "tsr_grid_criterion": GridCriterion,
    "tsr_grid_marks": GridMarks, "tsr_grid_options": GridOptions, "tsr_grid_sizes": GridSizes,
    "tsr_grid_attribute": GridAttribute, "tsr_grid_output": GridOutput, "tsr_grid_box": GridBox,
    "tsr_grid_part": GridPart, "tsr_grid_shares": GridShares, "tsr_processes": Processes,
    "tsr_system_memory": Memory,
}
OTHER_NAMES = {"in_": "in", "strategy": "launch.strategy"}  # the second: of tsr_grid_options
