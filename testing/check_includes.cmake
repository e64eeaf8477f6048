# SPDX-License-Identifier: BSD-3-Clause
# Fails where a folder includes what it must not know:
#   filters/  the C library and filters/ only
#   cuda/     filters/, the CUDA toolkit and the standard libraries, never VTK
#   plugin/   filters/tessera.h, VTK and the C++ library, no other header of filters/, no CUDA
#   xml/      holds no code at all
# Run as: cmake -D ROOT=<source folder> -P check_includes.cmake
cmake_minimum_required(VERSION 3.25)

set(c_library
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
    stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar
    wctype)
list(TRANSFORM c_library APPEND .h)
set(cuda_pattern "^(cuda|cub/|cooperative_groups|thrust/|device_launch|device_atomic|curand|nv/|sm_)")
set(problems)

# One include of one file; adds a sentence to `problems` in the caller's scope.
function(check folder file name)
  get_filename_component(base "${name}" NAME)
  set(in_filters FALSE)
  set(in_cuda FALSE)
  if(EXISTS "${ROOT}/filters/${base}")
    set(in_filters TRUE)
  endif()
  if(EXISTS "${ROOT}/cuda/${base}")
    set(in_cuda TRUE)
  endif()
  set(why "")
  if(name MATCHES "^(\\.|/)|/\\.\\.?/")
    set(why "headers are named without a way to their folder")
  elseif(folder STREQUAL "filters" AND NOT name IN_LIST c_library
         AND (NOT in_filters OR NOT name STREQUAL base))
    set(why "filters/ may include the C library and filters/ only")
  elseif(folder STREQUAL "cuda" AND name MATCHES "(^|/)vtk")
    set(why "cuda/ must not know VTK")
  elseif(folder STREQUAL "plugin" AND in_filters AND NOT name STREQUAL "tessera.h")
    set(why "plugin/ may include tessera.h only, no other header of filters/")
  elseif(folder STREQUAL "plugin" AND (in_cuda OR name MATCHES "${cuda_pattern}"))
    set(why "plugin/ must not know CUDA")
  endif()
  if(why)
    set(problems "${problems};${file}: includes ${name}: ${why}" PARENT_SCOPE)
  endif()
endfunction()

set(count 0)
foreach(folder filters cuda plugin)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*")
  foreach(file IN LISTS files)
    if(NOT file MATCHES "\\.(h|hpp|hxx|cuh|c|cc|cpp|cxx|cu|in)$")
      continue()
    endif()
    if(folder STREQUAL "filters" AND NOT file MATCHES "\\.[ch]$")
      list(APPEND problems "${file}: filters/ is C")
    endif()
    file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
      math(EXPR count "${count} + 1")
      if(line MATCHES "include[ \t]*[<\"]([^>\"]+)[>\"]")
        check("${folder}" "${file}" "${CMAKE_MATCH_1}")
      else()
        list(APPEND problems "${file}: cannot tell what this includes: ${line}")
      endif()
    endforeach()
  endforeach()
endforeach()
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/xml/*")
foreach(file IN LISTS files)
  if(NOT file MATCHES "(\\.xml|/CMakeLists\\.txt|/paraview\\.plugin)$")
    list(APPEND problems "${file}: xml/ holds names only, no code")
  endif()
endforeach()

list(REMOVE_ITEM problems "")
if(problems)
  list(JOIN problems "\n  " text)
  message(FATAL_ERROR "The layers are broken:\n  ${text}")
elseif(count EQUAL 0)
  message(FATAL_ERROR "No include was found under '${ROOT}'; ROOT must be the source folder.")
endif()
message(STATUS "${count} includes keep to the layers")
