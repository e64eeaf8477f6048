# SPDX-License-Identifier: BSD-3-Clause
# Shows that check_includes.cmake can fail: a clean little tree passes, and each violation planted
# into it alone is found.
# Run as: cmake -D WORK=<scratch folder> -P check_includes_planted.cmake
cmake_minimum_required(VERSION 3.25)

function(plant)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/filters/tessera.h" "#include <stddef.h>\n")
  file(WRITE "${WORK}/filters/span_math.h" "#include <math.h>\n")
  file(WRITE "${WORK}/filters/curves.c" "#include \"span_math.h\"\n#include <stdlib.h>\n")
  file(WRITE "${WORK}/cuda/device.cuh" "#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n")
  file(WRITE "${WORK}/cuda/curves.cu" "#include \"device.cuh\"\n#include \"span_math.h\"\n")
  file(WRITE "${WORK}/plugin/vtkAdaptiveCurves.cxx"
       "#include \"tessera.h\"\n#include <vtkPolyData.h>\n#include <vector>\n")
  file(WRITE "${WORK}/xml/AdaptiveCurves.xml" "<x/>\n")
endfunction()

function(run_check result output)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -D "ROOT=${WORK}" -P "${CMAKE_CURRENT_LIST_DIR}/check_includes.cmake"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE text
    ERROR_VARIABLE text)
  set(${result} "${code}" PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

plant()
run_check(code text)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "The clean tree was refused:\n${text}")
endif()

# file, then the line that must be refused
set(violations
    filters/curves.c "#include <vtkPolyData.h>"
    filters/curves.c "#include \"vtkPolyData.h\""
    filters/curves.c "  #  include <cuda_runtime.h>"
    filters/curves.c "#include \"device.cuh\""
    filters/curves.c "#include <vector>"
    filters/curves.c "#include <pthread.h>"
    filters/curves.c "#include <windows.h>"
    filters/curves.c "#include \"../cuda/device.cuh\""
    filters/curves.c "#include HEADER"
    filters/grid.cxx "class Grid"
    cuda/curves.cu "#include <vtkPolyData.h>"
    cuda/curves.cu "#include \"../plugin/vtkAdaptiveCurves.h\""
    plugin/vtkAdaptiveCurves.cxx "#include \"span_math.h\""
    plugin/vtkAdaptiveCurves.cxx "#include \"device.cuh\""
    plugin/vtkAdaptiveCurves.cxx "#include <cuda_runtime.h>"
    plugin/vtkAdaptiveCurves.cxx "#include \"cuda/device.cuh\""
    xml/compute.py "x = 1")
set(planted 0)
while(violations)
  list(POP_FRONT violations file line)
  plant()
  file(APPEND "${WORK}/${file}" "${line}\n")
  run_check(code text)
  if(code EQUAL 0)
    message(FATAL_ERROR "Not refused: '${line}' in ${file}")
  elseif(NOT text MATCHES "${file}: ")
    message(FATAL_ERROR "'${line}' in ${file}: refused without naming the file:\n${text}")
  endif()
  math(EXPR planted "${planted} + 1")
endwhile()
message(STATUS "${planted} planted violations were found")
